import { z } from 'zod';
import { riskReasons } from '../../../protocol/riskReasons';
import { ok } from '../../base/result';
import { type ImpactAnswer, type Impacted, impact, impactStartProblem } from '../../features/impact/impact';
import { type ChangeReport, changedFileRowShape } from '../../features/shared/changedCode';
import { relationsOf } from '../../features/shared/params';
import { open, optional, shape } from '../../features/shared/shape';
import { SEPARATOR } from '../../model/ids';
import type { Profile } from '../envelope';
import { defineTool, type ToolContext } from '../tool';
import { CLAIMS_FIELD, claimedBy, claimsNear } from './memory/claimsNear';
import { claimLine } from './memory/rows';
import { block, candidateHint, count, failure, rowsIn, textIn, unknownRelation } from './outcome';
import { strip } from './outputFormat';
import { impactOnServices, servicesBeside } from './services/impactOnServices';
import { type CoverageRows, coverageLines, coverageRows, coverageSentence } from './tests/coverageRows';

/** Most rows of each list. */
const MAX_ROWS: Readonly<Record<Profile, number>> = { compact: 40, balanced: 150, debug: 2000 };

const impactDataShape = shape(() =>
  open({
    /** With `since`: what changed; without the lists in which nothing is. */
    changes: optional(open({ files: optional(z.array(changedFileRowShape())) })),
  }),
);

export const impactAnalyze = defineTool({
  name: 'impact_analyze',
  title: 'Analyze impact of a change',
  description:
    'List what may break when you change a symbol, files, or since a Git revision: dependents, tests and files, with evidence and risk. Use before renaming, changing a signature, deleting or committing. Certain (confidence ≥ 0.8) and possible (maybe) results are separate.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { symbol: 'target', node_id: 'target', path: 'target', depth: 'maxDepth' },
  input: z.object({
    target: z.string().optional().describe('Symbol or file: id, path, path#symbol, name; or the ID of an atom, task or feature: the code it is about'),
    files: z.array(z.string()).optional().describe('Changed paths, instead of target'),
    since: z.string().optional().describe('Or changes since: HEAD (uncommitted), a revision, A..B, time, tx id'),
    maxDepth: z.number().int().min(1).max(6).default(3),
    relations: z.array(z.string()).optional().describe('Only these relations: calls, imports…'),
    scope: z.enum(['all', 'code', 'services']).default('all'),
  }),
  fields: [
    { key: 'blastRadius', priority: 'required', description: 'Number of impacted files and tests' },
    { key: 'directDependents', priority: 'required', description: 'Dependents one step away' },
    { key: 'transitiveDependents', priority: 'high', keeps: 10, description: 'Dependents two or more steps away' },
    { key: 'directTests', priority: 'required', keeps: 3, description: 'Tests in files that import or directly use what changed. test_select lists all' },
    { key: 'reach', priority: 'high', description: 'small, medium (> 10), large (> 50); unknown if a framework or library calls it' },
    { key: 'risk', priority: 'high', description: 'low, medium or high: by reach, one level higher if riskParts gives a reason' },
    {
      key: 'riskParts',
      priority: 'high',
      description: 'Figures behind the risk: reach, tests, changes in a year, share of uncovered lines; raisedBy: what raises it',
    },
    {
      key: 'calledFromOutside',
      priority: 'high',
      description: 'What a framework, a library or the language calls, else public functions that only tests use, nearest first',
    },
    {
      key: 'coverage',
      priority: 'high',
      description:
        'Lines of the change that tests ran, from coverage reports: lines, uncovered, symbols, ranBy (number of tests that ran it), reports; debug: tests',
    },
    { key: 'truncated', priority: 'required', description: 'True if directDependents is incomplete; total has the number' },
    { key: 'total', priority: 'required', description: 'See truncated' },
    CLAIMS_FIELD,
    { key: 'transitiveTests', priority: 'high', description: 'Tests that depend on it indirectly' },
    { key: 'atoms', priority: 'medium', description: 'Atoms that cover the files: id, name, files. Read them with query_graph' },
    { key: 'knowledge', priority: 'medium', description: 'Molecules, tasks and features that concern it: id, kind, name, rel, of. Not counted as dependents' },
    {
      key: 'changesWith',
      priority: 'medium',
      description: 'Symbols and files that past commits changed together with it: id, path, support, confidence. Not dependents',
    },
    { key: 'changes', priority: 'medium', description: 'With since: changed files and symbols, and deleted symbols' },
    { key: 'maybe', priority: 'medium', description: 'Possible dependents: every path has a link with confidence < 0.8' },
    { key: 'impactedFiles', priority: 'medium', description: 'Files with depth' },
    { key: 'impactedSymbols', priority: 'medium', description: 'All affected symbols, with depth and path; paged by cursor, then maybe' },
    { key: 'byRelation', priority: 'medium', description: 'IDs by reverse relation, such as called_by' },
    { key: 'impactedServices', priority: 'medium', description: 'Other services with what may break there: service, count, paths, files' },
    { key: 'impactedContracts', priority: 'medium', description: 'In and between services: contract, service, endpoints' },
    { key: 'impactedEntities', priority: 'medium', description: 'In and between services: name, owner' },
    { key: 'impactedEvents', priority: 'medium', description: 'In and between services: name, publishers, consumers' },
    { key: 'graph', priority: 'low', description: 'All visited nodes and links' },
  ],

  check: input => impactStartProblem(input) ?? unknownRelation('relations', input.relations),

  answer: impactDataShape,

  async handle(context, input, token) {
    const relations = relationsOf(input.relations ?? []) ?? [];
    const { target, files, since, maxDepth } = input;
    if (input.scope === 'services' && since === undefined) return impactOnServices(context.workspace, input, token);
    const offset = context.cursor?.offset ?? 0;
    const asked = { ...(target === undefined ? {} : { target }), ...(files === undefined ? {} : { files }), ...(since === undefined ? {} : { since }) };
    const found = await impact(context.workspace, { maxDepth, relations, offset, limit: MAX_ROWS[context.profile], ...asked }, token);
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const changedFiles = answer.changes?.files.map(({ path }) => path);
    if (input.scope === 'services') return impactOnServices(context.workspace, { files: changedFiles ?? [], maxDepth }, token);
    const impactedSymbols = answer.impacted.map(row => ({ id: row.id, depth: row.depth, path: row.via }));
    const total = answer.counts.impacted + answer.counts.maybe;
    const hint = candidateHint(answer.guessed, answer.targets[0] ?? '', answer.candidates);
    const common = { summary: `${summaryOf(answer)}${claimedBy(context, answer.targets)}`, stamp: answer.stamp, ...(hint === undefined ? {} : { hint }) };
    const { blastRadius } = answer;
    if (context.cursor !== undefined && offset >= answer.counts.impacted) {
      const maybe = answer.maybePage.map(row => ({ id: row.id, depth: row.depth, confidence: row.confidence, path: row.via }));
      return ok({ ...common, page: { key: 'maybe', offset, total, count: maybe.length }, data: { blastRadius, maybe } });
    }
    const page = { key: 'impactedSymbols', offset, total, count: impactedSymbols.length };
    if (context.cursor !== undefined) return ok({ ...common, page, data: { blastRadius, impactedSymbols } });
    const services = input.scope === 'all' ? await servicesBeside(context.workspace, changedFiles ?? answer.targets, maxDepth, token) : {};
    return ok({ ...common, page, data: { ...dataOf(context, answer), impactedSymbols, ...services } });
  },

  render(data) {
    const ids = (key: string): string[] => (Array.isArray(data[key]) ? (data[key] as readonly unknown[]).map(String) : []);
    const line = (row: Readonly<Record<string, unknown>>): string => {
      const depth = row['depth'] === undefined ? '' : ` depth ${textIn(row, 'depth')}`;
      const confidence = row['confidence'] === undefined ? '' : ` ${textIn(row, 'confidence')}`;
      return `${textIn(row, 'rel')} ${textIn(row, 'id')}${row['line'] === undefined ? '' : ` line ${textIn(row, 'line')}`}${depth}${confidence}`;
    };
    const path = (row: Readonly<Record<string, unknown>>): string => (Array.isArray(row['path']) ? row['path'].join(' ← ') : textIn(row, 'id'));
    const changes = data['changes'];
    const changed = typeof changes === 'object' && changes !== null ? (changes as Readonly<Record<string, unknown>>) : {};
    const names = (key: string): string[] => (Array.isArray(changed[key]) ? (changed[key] as readonly unknown[]).map(String) : []);
    const hasDependents = data['directDependents'] !== undefined;
    const parts = data['riskParts'] as ImpactAnswer['riskParts'] | undefined;
    return [
      ...(parts === undefined ? [] : [`Risk: ${textIn(data, 'risk')} (${riskReasons(parts)})`]),
      ...block('Changed', names('symbols')),
      ...block('Deleted', names('deleted')),
      ...block(
        'Knowledge about these files',
        [...rowsIn(data, 'atoms'), ...rowsIn(data, 'knowledge')].map(row => `${textIn(row, 'name')} (${textIn(row, 'id')})`),
      ),
      ...block('Claimed by others', rowsIn(data, 'activeClaims').map(claimLine)),
      ...block(
        'Services',
        rowsIn(data, 'impactedServices').map(row => textIn(row, 'service')),
      ),
      ...block(
        'Contracts',
        rowsIn(data, 'impactedContracts').map(row => textIn(row, 'contract')),
      ),
      ...block('Coverage', coverageLines(data['coverage'] as CoverageRows | undefined)),
      ...block('Direct dependents', rowsIn(data, 'directDependents').map(line)),
      ...block('Indirect dependents', rowsIn(data, 'transitiveDependents').map(line)),
      ...block('Possible dependents', rowsIn(data, 'maybe').map(line)),
      ...block('Direct tests', byFile(ids('directTests'))),
      ...block('Other tests', byFile(ids('transitiveTests'))),
      ...block(
        'Usually changes with',
        rowsIn(data, 'changesWith').map(
          row => `${textIn(row, 'id')} (${count(Number(row['support']), 'commit')}, ${Math.round(Number(row['confidence']) * 100)}%)`,
        ),
      ),
      ...(hasDependents ? [] : rowsIn(data, 'impactedSymbols').map(path)),
    ].join('\n');
  },
});

/** `test/a.test.ts: adds, subtracts`: tests of one file in one line, in their order. */
function byFile(ids: readonly string[]): string[] {
  const files = new Map<string, string[]>();
  for (const id of ids) {
    const at = id.indexOf(SEPARATOR);
    const path = at < 0 ? id : id.slice(0, at);
    const names = files.get(path) ?? [];
    if (at >= 0) names.push(id.slice(at + SEPARATOR.length));
    files.set(path, names);
  }
  return [...files].map(([path, names]) => (names.length === 0 ? path : `${path}: ${names.join(', ')}`));
}

/** The first page, without its rows and what is beside it in other services. */
function dataOf(context: ToolContext, answer: ImpactAnswer) {
  return {
    blastRadius: answer.blastRadius,
    directTests: answer.directTests.map(row => row.id),
    directDependents: answer.directDependents.map(dependentRow),
    reach: answer.reach,
    risk: answer.risk,
    riskParts: answer.riskParts,
    ...(answer.calledFromOutside.length === 0 ? {} : { calledFromOutside: answer.calledFromOutside }),
    transitiveTests: answer.transitiveTests.map(row => row.id),
    transitiveDependents: answer.transitiveDependents.map(dependentRow),
    atoms: answer.atoms,
    coverage: answer.coverage === undefined ? undefined : coverageRows(answer.coverage, context.profile),
    changesWith: answer.changesWith?.map(({ confidence, id, path, support }) => ({ id, path, support, confidence })),
    knowledge: answer.knowledge.map(({ relation, ...row }) => ({ ...row, rel: relation.toLowerCase() })),
    ...claimsNear(context, [...answer.targets, ...answer.directDependents.map(({ id }) => id), ...answer.impactedFiles.map(({ path }) => path)]),
    maybe: answer.maybe.map(row => ({ ...dependentRow(row), confidence: row.confidence })),
    impactedFiles: answer.impactedFiles,
    byRelation: context.profile === 'debug' ? answer.byRelation : filled(answer.byRelation),
    ...(answer.changes === undefined ? {} : { changes: changesOf(answer.changes) }),
    ...(answer.counts.direct > answer.directDependents.length ? { truncated: true, total: answer.counts.direct } : {}),
    ...(context.profile === 'debug' ? { graph: graphOf(answer) } : {}),
  };
}

/** Only the lists that hold something. */
function filled(lists: ImpactAnswer['byRelation']): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(lists).filter(([, ids]) => ids.length > 0));
}

function changesOf({ since, files, symbols, deleted, notIndexed, truncated }: ChangeReport): Record<string, unknown> {
  return strip({ since, files, symbols, deleted, notIndexed, ...(truncated ? { truncated } : {}) }) as Record<string, unknown>;
}

function dependentRow(row: Impacted): Record<string, unknown> {
  return { id: row.id, rel: row.relation.toLowerCase(), ...(row.line > 0 ? { line: row.line } : {}), ...(row.depth > 1 ? { depth: row.depth } : {}) };
}

function graphOf(answer: ImpactAnswer): Record<string, unknown> {
  const rows = [...answer.impacted, ...answer.maybe];
  return {
    nodes: [...answer.targets, ...rows.map(row => row.id)],
    edges: rows.map(row => ({ src: row.id, tgt: row.via[row.via.length - 2] ?? '', rel: row.relation.toLowerCase() })),
  };
}

function outsideOf({ calledFromOutside: [first], outsideUser }: ImpactAnswer): string {
  if (first === undefined) return '';
  return outsideUser === 'anyone' ? ` (${first} may be used outside the workspace)` : ` (a framework calls ${first})`;
}

/** Names of knowledge in a summary: it stays short, whatever the names are. */
const MAX_NAMED_KNOWLEDGE = 3;
const MAX_NAMES_LENGTH = 90;

/** ` Knowledge: Totals are cents, Rounding and 2 more.`: named here, because a small budget has no room for the lists. */
function knowledgeNamed({ atoms, knowledge }: ImpactAnswer): string {
  const all = [...atoms, ...knowledge].map(({ name }) => name);
  const named: string[] = [];
  for (const name of all.slice(0, MAX_NAMED_KNOWLEDGE)) if ([...named, name].join(', ').length <= MAX_NAMES_LENGTH) named.push(name);
  const rest = all.length - named.length;
  if (all.length === 0) return '';
  if (named.length === 0) return ` Knowledge: ${count(rest, 'entry', 'entries')}.`;
  return ` Knowledge: ${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}.`;
}

function summaryOf(answer: ImpactAnswer): string {
  const { counts, changes } = answer;
  if (changes !== undefined && changes.files.length === 0) return `Nothing changed since ${changes.since}.`;
  const gone = changes === undefined || changes.deleted.length === 0 ? '' : ` and deleting ${count(changes.deleted.length, 'symbol')}`;
  const several =
    changes === undefined
      ? count(answer.targets.length, 'file')
      : changes.symbols.length === 0
        ? count(changes.files.length, 'file')
        : `${count(changes.symbols.length, 'symbol')} in ${count(changes.files.length, 'file')}`;
  const tests = counts.directTests + counts.transitiveTests;
  if (changes !== undefined && counts.impacted + tests + counts.maybe === 0) {
    const deleted = changes.deleted.length === 0 ? '' : `, ${changes.deleted.length} deleted`;
    return `Changed since ${changes.since}: ${count(changes.files.length, 'file')}, ${count(changes.symbols.length, 'symbol')}${deleted}. No dependents found.`;
  }
  const what = (answer.targets.length === 1 ? (answer.targets[0] ?? '') : several) + gone;
  const maybe = counts.maybe > 0 ? ` ${counts.maybe} more possible.` : '';
  const called = answer.calledFromOutside.length === 0 ? '' : ` Reach: unknown${outsideOf(answer)}.`;
  const known = knowledgeNamed(answer);
  if (counts.impacted + tests === 0) return `No dependents of ${what} found.${called}${coverageSentence(answer.coverage)}${maybe}${known}`;
  return `Changing ${what} affects ${count(counts.direct, 'direct dependent')}, ${counts.transitive} indirect, in ${count(counts.files, 'file')}; ${count(tests, 'test')}${counts.possibleTests === 0 ? '' : ` (${counts.possibleTests} possible)`}. Reach: ${answer.reach}${outsideOf(answer)}.${coverageSentence(answer.coverage)}${maybe}${known}`;
}
