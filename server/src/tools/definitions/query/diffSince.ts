import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import { DELTA_TYPES, type DiffSinceAnswer, diffSince, type NodeDelta } from '../../../features/compare/diffSince';
import { coordinationOverview } from '../../../features/memory/claims';
import type { FeatureFailure } from '../../../features/shared/failure';
import { paramRef, phrase } from '../../../model/hints';
import { ENVELOPE_TOKENS, estimateTokens, fillSlot, PAGE_TOKENS } from '../../shaping';
import { defineTool, type ToolContext, type ToolFailure } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';

/** The lists of an answer, in the order in which they take turns. */
const LISTS = ['added', 'removed', 'modified'] as const;
/** Share of the budget beside the envelope that rows may take. */
const ROWS_SHARE = 0.85;

export const diffSinceTool = defineTool({
  name: 'diff_since',
  title: 'List what changed since an earlier state',
  description:
    'List files, functions and classes that were added, removed or modified since a commit, time, transaction or the last work of an agent. Use when you resume. What was added and removed in between is not listed.',
  group: 'graph',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  input: z.object({
    since: z.string().describe('Commit, tag, branch, time (2026-01-31), tx id, or agent id'),
    types: z.array(z.enum(DELTA_TYPES)).optional(),
  }),
  fields: [
    { key: 'added', priority: 'required', description: 'scip_id, type, path, symbolName, validFrom, renamedFrom; paged by cursor, like the other lists' },
    { key: 'removed', priority: 'required', description: 'The same, with validTo' },
    { key: 'modified', priority: 'required', description: 'The same' },
    { key: 'txIds', priority: 'low', description: 'Transactions since then, oldest first' },
  ],

  async handle(context, input, token) {
    const found = await diffSince(context.workspace, given(input), token);
    if (!found.ok) return (await agentWithoutChanges(context, input.since, found.error, token)) ?? failure(found.error);
    const { filesOnly, stamp, txIds } = found.value;
    const offset = context.cursor?.offset ?? 0;
    const all = inTurns(found.value);
    const rest = all.slice(offset);
    const room = (Math.min(context.maxTokens, PAGE_TOKENS) - ENVELOPE_TOKENS) * ROWS_SHARE;
    const fitting = fillSlot(rest, ({ row }) => estimateTokens(row), room).selected;
    const rows = fitting.length === 0 ? rest.slice(0, 1) : fitting;
    const [added, removed, modified] = LISTS.map(list => rows.filter(each => each.list === list).map(({ row }) => row));
    return ok({
      summary: summaryOf(found.value),
      stamp,
      keepsEmpty: true,
      ...(filesOnly ? { hint: 'Only files are listed: the contents at that time are not kept. Use a commit to see symbols.' } : {}),
      page: { key: 'added', offset, total: all.length, count: rows.length, isNested: true },
      data: { added, removed, modified, ...(context.cursor === undefined ? { txIds } : {}) },
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

/** An agent that has only recorded or claimed is known, but no state of the code is its last work. */
async function agentWithoutChanges(
  { workspace }: ToolContext,
  since: string,
  error: FeatureFailure,
  token: CancellationToken,
): Promise<Result<never, ToolFailure> | undefined> {
  if (error.code !== 'NOT_FOUND') return undefined;
  const { agentSummary } = await coordinationOverview(workspace, token);
  const agent = agentSummary.find(({ agentId }) => agentId === since.trim());
  if (agent === undefined) return undefined;
  const message = `No change of code by ${agent.agentId} is recorded in this checkout.`;
  return err({
    code: 'NOT_FOUND',
    message,
    hint: phrase`It was last seen at ${agent.lastSeen}: use ${paramRef('since', agent.lastSeen)} for what changed since then.`,
  });
}

/** One row of each list after the other, so that every page shows of each. */
function inTurns(answer: DiffSinceAnswer): readonly { readonly list: (typeof LISTS)[number]; readonly row: NodeDelta }[] {
  const longest = Math.max(...LISTS.map(list => answer[list].length));
  return Array.from({ length: longest }, (_, rank) => LISTS.flatMap(list => answer[list].slice(rank, rank + 1).map(row => ({ list, row })))).flat();
}

function summaryOf({ added, baseline, modified, removed }: DiffSinceAnswer): string {
  if (added.length + removed.length + modified.length === 0) return `Nothing changed since ${baseline}.`;
  return `Since ${baseline}: ${countText('added', added)}; ${countText('removed', removed)}; ${countText('modified', modified)}.`;
}

/** `3 added (1 file, 2 functions)`. */
function countText(word: string, rows: readonly NodeDelta[]): string {
  const parts = DELTA_TYPES.flatMap(type => {
    const number = rows.filter(row => row.type === type).length;
    return number === 0 ? [] : [count(number, type.toLowerCase(), type === 'CLASS' ? 'classes' : undefined)];
  });
  return `${rows.length} ${word}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}
