import { z } from 'zod';
import { ok } from '../../../base/result';
import { SUGGEST_MODES, type SuggestAnswer, suggestArchitecture, suggestProblem, UNIT_KINDS } from '../../../features/architecture/suggest';
import { type Hint, paramRef, phrase, toolRef } from '../../../model/hints';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';

/** Share of the budget for the list of places. */
const LIST_SHARE = 0.65;

export const archSuggest = defineTool({
  name: 'arch_suggest',
  title: 'Suggest a place for new code',
  description:
    'Suggest where to put new code: path, layer, allowed imports, test location, and existing code that already does the same. Use before you create a file. With mode: rules, suggest a .lattice/architecture.yaml from the existing code. Does not write files.',
  group: 'architecture',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  input: z.object({
    description: z.string().optional().describe('What the new code does. Required unless mode is rules'),
    mode: z.enum(SUGGEST_MODES).default('place'),
    kind: z.enum(UNIT_KINDS).optional(),
    name: z.string().optional().describe('Name of the new code'),
    dependsOn: z.array(z.string()).optional().describe('IDs, paths or names of its dependencies'),
    limit: z.number().int().min(1).max(10).default(3),
  }),
  fields: [
    { key: 'suggestions', priority: 'required', description: 'Best first: path, layer, score, reasons, allowedImports, testPath; paged by cursor' },
    { key: 'rulesYaml', priority: 'required', description: 'With mode: rules: the suggested rule file' },
    { key: 'similarExisting', priority: 'high', description: 'Similar existing code; duplicate if the score is at least 0.85' },
    { key: 'atomsToUpdate', priority: 'medium', description: 'Atoms that cover a suggested path: id, name, path. Update them with manage_graph' },
    { key: 'dropped', priority: 'low', description: 'Folders whose layer must not use dependsOn' },
  ],

  check: suggestProblem,

  async handle(context, input, token) {
    const found = await suggestArchitecture(context.workspace, given(input), token);
    if (!found.ok) return failure(found.error);
    const { atomsToUpdate, dropped, rulesYaml, similarExisting, stamp, suggestions } = found.value;
    if (rulesYaml !== undefined) {
      return ok({
        summary: 'Rules that most of the existing code follows. Review them and save them as .lattice/architecture.yaml.',
        data: { rulesYaml },
        stamp,
      });
    }
    const offset = context.cursor?.offset ?? 0;
    const rows = suggestions.slice(offset);
    const fitting = fillSlot(rows, estimateTokens, context.maxTokens * LIST_SHARE).selected;
    const shown = fitting.length === 0 ? rows.slice(0, 1) : fitting;
    const page = { key: 'suggestions', offset, total: suggestions.length, count: shown.length };
    if (context.cursor !== undefined) return ok({ summary: summaryOf(found.value), data: { suggestions: shown }, stamp, page });
    return ok({ summary: summaryOf(found.value), data: { suggestions: shown, similarExisting, atomsToUpdate, dropped }, stamp, page, ...hintOf(found.value) });
  },

  render(data) {
    if (typeof data['rulesYaml'] === 'string') return data['rulesYaml'].trimEnd();
    const list = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : '');
    const line = (row: Readonly<Record<string, unknown>>): string[] => [
      `${Number(row['score']).toFixed(2)} ${textIn(row, 'path')}${row['layer'] === '' ? '' : ` (layer ${textIn(row, 'layer')})`}`,
      `  ${list(row['reasons'])}`,
      ...(list(row['allowedImports']) === '' ? [] : [`  may import ${list(row['allowedImports'])}`]),
      `  test ${textIn(row, 'testPath')}`,
    ];
    const similar = rowsIn(data, 'similarExisting').map(
      row => `${Number(row['score']).toFixed(2)} ${textIn(row, 'id')}${row['duplicate'] === true ? ' duplicate' : ''}`,
    );
    const atoms = rowsIn(data, 'atomsToUpdate').map(row => `${textIn(row, 'name')} (${textIn(row, 'id')})`);
    return [...rowsIn(data, 'suggestions').flatMap(line), ...block('Existing code', similar), ...block('Atoms to update', atoms)].join('\n');
  },
});

function summaryOf({ dropped, similarExisting, suggestions }: SuggestAnswer): string {
  const [first] = suggestions;
  const twin = similarExisting.find(row => row.duplicate);
  const warning = twin === undefined ? '' : ` ${twin.id} already does this.`;
  if (first === undefined)
    return `No suitable folder found${dropped.length === 0 ? '' : `: ${count(dropped.length, 'folder')} must not use the dependencies`}.${warning}`;
  return `Put it in ${first.path}${first.layer === '' ? '' : ` (layer ${first.layer})`}.${warning}`;
}

function hintOf({ suggestions, similarExisting }: SuggestAnswer): { readonly hint?: Hint } {
  if (suggestions.length === 0) return { hint: phrase`Use terms that occur in the code, or list the dependencies in ${paramRef('dependsOn')}.` };
  const [twin] = similarExisting;
  return twin?.duplicate === true ? { hint: phrase`Look at the existing code first: ${toolRef('code_explain', { target: twin.id })}.` } : {};
}
