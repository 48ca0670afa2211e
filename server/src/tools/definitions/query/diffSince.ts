import { z } from 'zod';
import { ok } from '../../../base/result';
import { DELTA_TYPES, type DiffSinceAnswer, diffSince, type NodeDelta } from '../../../features/compare/diffSince';
import { defineTool } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';

export const diffSinceTool = defineTool({
  name: 'diff_since',
  title: 'List what changed since an earlier state',
  description:
    'List files, functions and classes that were added, removed or modified since a commit, time, transaction or your own last work. Use when you resume, before you close a task, or to check what you know. Compares two states; what was added and removed in between is not listed.',
  group: 'graph',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({
    since: z.string().describe('Commit, tag, branch, time (2026-01-31), tx id, or agent id'),
    types: z.array(z.enum(DELTA_TYPES)).optional().describe('Default: all'),
  }),
  fields: [
    { key: 'added', priority: 'required', description: 'scip_id, type, path, symbolName, validFrom, renamedFrom' },
    { key: 'removed', priority: 'required', description: 'The same, with validTo' },
    { key: 'modified', priority: 'required', description: 'The same' },
    { key: 'txIds', priority: 'low', description: 'Transactions since then, oldest first' },
  ],

  async handle(context, input, token) {
    const found = await diffSince(context.workspace, given(input), token);
    if (!found.ok) return failure(found.error);
    const { added, filesOnly, modified, removed, stamp, txIds } = found.value;
    return ok({
      summary: summaryOf(found.value),
      stamp,
      keepsEmpty: true,
      ...(filesOnly ? { hint: 'Only files are listed: the contents at that time are not kept. Use a commit to see symbols.' } : {}),
      data: { added, removed, modified, txIds },
    });
  },

  render(data) {
    const line = (row: Readonly<Record<string, unknown>>): string =>
      `${textIn(row, 'scip_id')} ${textIn(row, 'type').toLowerCase()}${row['renamedFrom'] === undefined ? '' : ` (was ${textIn(row, 'renamedFrom')})`}`;
    return [
      ...block('Added', rowsIn(data, 'added').map(line)),
      ...block('Removed', rowsIn(data, 'removed').map(line)),
      ...block('Modified', rowsIn(data, 'modified').map(line)),
    ].join('\n');
  },
});

function summaryOf({ added, baseline, modified, removed }: DiffSinceAnswer): string {
  if (added.length + removed.length + modified.length === 0) return `Nothing changed since ${baseline}.`;
  return `Since ${baseline}: ${told('added', added)}; ${told('removed', removed)}; ${told('modified', modified)}.`;
}

/** `3 added (1 file, 2 functions)`. */
function told(word: string, rows: readonly NodeDelta[]): string {
  const parts = DELTA_TYPES.flatMap(type => {
    const number = rows.filter(row => row.type === type).length;
    return number === 0 ? [] : [count(number, type.toLowerCase(), type === 'CLASS' ? 'classes' : undefined)];
  });
  return `${rows.length} ${word}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}
