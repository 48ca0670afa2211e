import { z } from 'zod';
import { err, ok } from '../../base/result';
import { type ImpactAnswer, type Impacted, impact, impactStartProblem } from '../../features/impact/impact';
import type { ChangeReport } from '../../features/shared/changedCode';
import { relationsOf } from '../../features/shared/params';
import type { Profile } from '../envelope';
import { defineTool, type ToolFailure } from '../tool';
import { block, candidateHint, count, failure, rowsIn, textIn, unknownRelation } from './outcome';
import { strip } from './outputFormat';

/** Most rows of each list. */
const LIMITS: Readonly<Record<Profile, number>> = { compact: 40, balanced: 150, debug: 2000 };

export const impactAnalyze = defineTool({
  name: 'impact_analyze',
  title: 'Analyze impact of a change',
  description:
    'Lists what may break when a symbol, files or your git changes (since) change: dependents, tests and files, with the path of evidence and a risk. Use before a rename, a change of signature or a deletion, and before a commit. Facts (confidence ≥ 0.8) and maybes are kept apart.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  aliases: { symbol: 'target', node_id: 'target', path: 'target', depth: 'maxDepth' },
  input: z.object({
    target: z.string().optional().describe('Symbol or file: id, path, path#symbol, name'),
    files: z.array(z.string()).optional().describe('Changed paths, instead of target'),
    since: z.string().optional().describe('Or what changed since: HEAD (uncommitted), a revision, A..B, time, tx id'),
    maxDepth: z.number().int().min(1).max(6).default(3),
    relations: z.array(z.string()).optional().describe('Only these, such as calls, imports'),
    scope: z.enum(['all', 'code', 'services']).default('all'),
  }),
  fields: [
    { key: 'blastRadius', priority: 'required', description: 'Number of impacted files and tests' },
    { key: 'directTests', priority: 'required', description: 'Tests that import a changed file' },
    { key: 'directDependents', priority: 'required', description: 'One step away' },
    { key: 'risk', priority: 'high', description: 'low, medium (> 10) or high (> 50)' },
    { key: 'truncated', priority: 'required', description: 'True when directDependents is not all; total counts them' },
    { key: 'total', priority: 'required', description: 'See truncated' },
    { key: 'transitiveTests', priority: 'high', description: 'Tests reached through others' },
    { key: 'transitiveDependents', priority: 'high', description: 'Two steps away and more' },
    { key: 'atoms', priority: 'medium', description: 'What is known about the files: id, name, files covered; query_graph reads them' },
    { key: 'changes', priority: 'medium', description: 'With since: changed files and symbols, deleted symbols' },
    { key: 'maybe', priority: 'medium', description: 'Reached over a link below 0.8 only' },
    { key: 'impactedFiles', priority: 'medium', description: 'Files with depth' },
    { key: 'impactedSymbols', priority: 'medium', description: 'All, with depth and path of evidence; cursor pages through them, then through maybe' },
    { key: 'byRelation', priority: 'medium', description: 'Ids under each reverse name, such as called_by' },
    { key: 'graph', priority: 'low', description: 'All nodes and links walked' },
  ],

  check: input => impactStartProblem(input) ?? unknownRelation('relations', input.relations),

  async handle(context, input, token) {
    const relations = relationsOf(input.relations ?? []) ?? [];
    if (input.scope === 'services') return err(NO_SERVICES);
    const { target, files, since, maxDepth } = input;
    const offset = context.cursor?.offset ?? 0;
    const asked = { ...(target === undefined ? {} : { target }), ...(files === undefined ? {} : { files }), ...(since === undefined ? {} : { since }) };
    const found = await impact(context.workspace, { maxDepth, relations, offset, limit: LIMITS[context.profile], ...asked }, token);
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const impactedSymbols = answer.impacted.map(row => ({ id: row.id, depth: row.depth, path: row.via }));
    const total = answer.counts.impacted + answer.counts.maybe;
    const hint = hintOf(answer, maxDepth);
    const common = { summary: summaryOf(answer), stamp: answer.stamp, ...(hint === undefined ? {} : { hint }) };
    const { blastRadius } = answer;
    if (context.cursor !== undefined && offset >= answer.counts.impacted) {
      const maybe = answer.maybePage.map(row => ({ id: row.id, depth: row.depth, confidence: row.confidence, path: row.via }));
      return ok({ ...common, page: { key: 'maybe', offset, total, count: maybe.length }, data: { blastRadius, maybe } });
    }
    const page = { key: 'impactedSymbols', offset, total, count: impactedSymbols.length };
    if (context.cursor !== undefined) return ok({ ...common, page, data: { blastRadius, impactedSymbols } });
    return ok({
      ...common,
      page,
      data: {
        blastRadius,
        directTests: answer.directTests.map(row => row.id),
        directDependents: answer.directDependents.map(dependentRow),
        risk: answer.risk,
        transitiveTests: answer.transitiveTests.map(row => row.id),
        transitiveDependents: answer.transitiveDependents.map(dependentRow),
        atoms: answer.atoms,
        maybe: answer.maybe.map(row => ({ ...dependentRow(row), confidence: row.confidence })),
        impactedFiles: answer.impactedFiles,
        impactedSymbols,
        byRelation: context.profile === 'debug' ? answer.byRelation : filled(answer.byRelation),
        ...(answer.changes === undefined ? {} : { changes: changesOf(answer.changes) }),
        ...(answer.counts.direct > answer.directDependents.length ? { truncated: true, total: answer.counts.direct } : {}),
        ...(context.profile === 'debug' ? { graph: graphOf(answer) } : {}),
      },
    });
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
    return [
      ...block('Changed', names('symbols')),
      ...block('Deleted', names('deleted')),
      ...block(
        'Known about these files',
        rowsIn(data, 'atoms').map(row => `${textIn(row, 'name')} (${textIn(row, 'id')})`),
      ),
      ...block('Direct tests', ids('directTests')),
      ...block('Direct dependents', rowsIn(data, 'directDependents').map(line)),
      ...block('Other tests', ids('transitiveTests')),
      ...block('Behind them', rowsIn(data, 'transitiveDependents').map(line)),
      ...block('Maybe', rowsIn(data, 'maybe').map(line)),
      ...(hasDependents ? [] : rowsIn(data, 'impactedSymbols').map(path)),
    ].join('\n');
  },
});

/** The graph of code knows no services: to answer with none would look as if there were no effect. */
const NO_SERVICES: ToolFailure = {
  code: 'UNAVAILABLE',
  message: 'This workspace has no services in its graph, so the effect on other services cannot be told.',
  hint: 'Ask with scope: code.',
};

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

function hintOf(answer: ImpactAnswer, maxDepth: number): string | undefined {
  const { fartherTests } = answer.counts;
  const hints = [
    fartherTests === 0 ? undefined : `No test within ${count(maxDepth, 'step')}, ${count(fartherTests, 'test')} within 6: ask with maxDepth 6.`,
    candidateHint(answer.guessed, answer.targets[0] ?? '', answer.candidates),
  ].filter(text => text !== undefined);
  return hints.length === 0 ? undefined : hints.join(' ');
}

function graphOf(answer: ImpactAnswer): Record<string, unknown> {
  const rows = [...answer.impacted, ...answer.maybe];
  return {
    nodes: [...answer.targets, ...rows.map(row => row.id)],
    edges: rows.map(row => ({ src: row.id, tgt: row.via[row.via.length - 2] ?? '', rel: row.relation.toLowerCase() })),
  };
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
  if (changes !== undefined && counts.impacted === 0 && counts.maybe === 0) {
    const deleted = changes.deleted.length === 0 ? '' : `, ${changes.deleted.length} deleted`;
    return `${count(changes.files.length, 'file')} changed since ${changes.since} (${count(changes.symbols.length, 'symbol')}${deleted}); nothing known depends on that.`;
  }
  const what = (answer.targets.length === 1 ? (answer.targets[0] ?? '') : several) + gone;
  const tests = counts.directTests + counts.transitiveTests;
  const maybe = counts.maybe > 0 ? ` ${counts.maybe} more maybe.` : '';
  if (counts.impacted === 0) return `Nothing known depends on ${what}.${maybe}`;
  return `Changing ${what} reaches ${count(counts.direct, 'direct dependent')}, ${counts.transitive} behind, ${count(tests, 'test')}, in ${count(counts.files, 'file')}; risk ${answer.risk}.${maybe}`;
}
