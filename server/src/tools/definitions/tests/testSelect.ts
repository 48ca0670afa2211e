import { z } from 'zod';
import { ok } from '../../../base/result';
import { CATEGORIES } from '../../../features/testSelection/inventory';
import { type SelectAnswer, selectTests } from '../../../features/testSelection/select';
import { type Hint, joinHints, paramRef, phrase } from '../../../model/hints';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';

/** Files named in a hint. */
const MAX_NAMED = 5;

/** Tokens of an answer beside its lists. */
const OVERHEAD = 110;
/** Most of the budget that the commands may take. */
const COMMANDS_SHARE = 0.35;

export const testSelect = defineTool({
  name: 'test_select',
  title: 'Select tests for a change',
  description:
    'Select the tests to run for changed files or Git changes (default: uncommitted changes), most certain first, each with its path to the change, and the commands to run them. Also lists changed code without tests. Use after editing. To see other dependents use impact_analyze.',
  group: 'tests',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  input: z.object({
    files: z.array(z.string()).optional().describe('Changed paths'),
    since: z.string().optional().describe('Or changes since: a revision, A..B, time, tx id'),
    includeTransitive: z.boolean().default(true).describe('Include tests that depend on the change indirectly'),
    depth: z.number().int().min(1).max(10).optional().describe('Maximum distance from change to test. Default: no limit'),
    categories: z.array(z.enum(CATEGORIES)).optional(),
    minConfidence: z.number().min(0).max(1).default(0).describe('Of the whole path'),
    maxTests: z.number().int().min(1).max(5000).default(200),
  }),
  fields: [
    { key: 'tests', priority: 'required', description: 'Test case, file, framework, category, score, via, reason, coverage; paged by cursor' },
    { key: 'counts', priority: 'required', description: 'By category; direct, transitive, fallback' },
    { key: 'truncated', priority: 'required', description: 'True if there are more; total has the number' },
    { key: 'total', priority: 'required', description: 'See truncated' },
    { key: 'commands', priority: 'high', description: 'Commands to run the tests' },
    { key: 'uncovered', priority: 'high', description: 'Changed code without tests' },
    { key: 'fallback', priority: 'medium', description: 'True if a file without symbols changed and all tests of its package are selected' },
    { key: 'deleted', priority: 'medium', description: 'Deleted symbols' },
  ],

  async handle(context, input, token) {
    const { files, since, categories, depth, ...rest } = input;
    const asked = {
      ...rest,
      ...(files === undefined ? {} : { files }),
      ...(since === undefined ? {} : { since }),
      ...(depth === undefined ? {} : { depth }),
      ...(categories === undefined ? {} : { categories }),
    };
    const offset = context.cursor?.offset ?? 0;
    // A cursor leads past maxTests: the next as many.
    const found = await selectTests(context.workspace, { ...asked, maxTests: rest.maxTests * (1 + Math.floor(offset / rest.maxTests)) }, token);
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const tests = answer.tests.slice(offset);
    const page = { key: 'tests', offset, total: answer.total, count: tests.length };
    const common = { summary: summaryOf(answer), stamp: answer.stamp, page };
    const hints: Hint[] = [
      ...(answer.truncated
        ? [phrase`There are ${answer.total} tests. Use ${paramRef('cursor')}, or a ${paramRef('maxTests')} larger than ${rest.maxTests}.`]
        : []),
      ...(files === undefined || answer.changes.notIndexed.length === 0 ? [] : [`Not indexed: ${answer.changes.notIndexed.slice(0, MAX_NAMED).join(', ')}.`]),
    ];
    const stopping = [...new Set(tests.flatMap(row => (row.reason === 'loads' ? [row.framework] : [])))];
    if (stopping.length > 0)
      hints.push(`Reason "loads": the change runs when test files load, and ${stopping.join(', ')} stops the whole run if one fails to load.`);
    const hint = hints.length === 0 ? {} : { hint: joinHints(hints) };
    const { counts, commands, uncovered, fallback, changes } = answer;
    if (context.cursor !== undefined) return ok({ ...common, data: { tests, counts } });
    // How to run them is worth more than a long list of them.
    const forCommands = estimateTokens(commands);
    const room = context.maxTokens - OVERHEAD - estimateTokens(counts) - forCommands;
    const fitting = forCommands <= context.maxTokens * COMMANDS_SHARE ? Math.max(1, fillSlot(tests, estimateTokens, room).selected.length) : tests.length;
    return ok({
      ...common,
      page: { ...page, count: Math.min(fitting, tests.length) },
      ...hint,
      data: {
        tests: tests.slice(0, fitting),
        counts,
        commands,
        uncovered,
        ...(fallback ? { fallback } : {}),
        deleted: changes.deleted,
        ...(answer.truncated ? { truncated: true, total: answer.total } : {}),
      },
    });
  },

  render(data) {
    const list = (key: string): string[] => (Array.isArray(data[key]) ? (data[key] as readonly unknown[]).map(String) : []);
    const line = (row: Readonly<Record<string, unknown>>): string =>
      `${textIn(row, 'score')} ${textIn(row, 'id')} ${textIn(row, 'framework')} ${textIn(row, 'category')}${row['fallback'] === true ? ' fallback' : ''}${reasonIn(row)}${coverageIn(row['coverage'] as SelectAnswer['tests'][number]['coverage'])}`;
    return [
      ...rowsIn(data, 'tests').map(line),
      ...block('Run', list('commands')),
      ...block('Without tests', list('uncovered')),
      ...block('Deleted', list('deleted')),
    ].join('\n');
  },
});

/** Words for the reasons of tests that no reference leads to, or that need not run the change. */
const REASONS: Readonly<Record<string, string>> = { loads: 'stopped if tests fail to load', reruns: 'runs imported cases again', ran: 'ran it' };

function reasonIn(row: Readonly<Record<string, unknown>>): string {
  if (row['reason'] === undefined) return '';
  const reason = textIn(row, 'reason');
  return ` ${REASONS[reason] ?? `possible: ${reason}`}`;
}

/** `(coverage: lcov.info, 3 h old, older than the code)`. */
function coverageIn(coverage: SelectAnswer['tests'][number]['coverage']): string {
  return coverage === undefined ? '' : ` (coverage: ${coverage.report}, ${coverage.ageHours} h old${coverage.stale ? ', older than the code' : ''})`;
}

function summaryOf({ changes, counts, tests, uncovered }: SelectAnswer): string {
  if (changes.files.length === 0) return `Nothing changed since ${changes.since}.`;
  const what = count(changes.files.length, 'changed file');
  const open = uncovered.length === 0 ? '' : ` ${count(uncovered.length, 'changed symbol')} without tests.`;
  if (tests.length === 0) return `No tests found for the ${what}.${open}`;
  const parts = [`${counts.direct} direct`, `${counts.transitive} transitive`, ...(counts.fallback > 0 ? [`${counts.fallback} of the same package`] : [])];
  return `${count(tests.length, 'test')} for ${what}: ${parts.join(', ')}.${open}`;
}
