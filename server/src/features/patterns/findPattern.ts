import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import { paramRef, phrase } from '../../model/hints';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { isAtLeast, SEVERITIES } from '../architecture/rules';
import { patternProblem, patternQuery } from '../query/patternQuery';
import { type FeatureFailure, fromEngine, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { globPattern } from '../shared/globs';
import { choice, integer, text, texts } from '../shared/params';
import { sentenceOf } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { matchOf, type Pattern, type PatternMatch, patternMatchShape } from './pattern';
import { SERVICE_PATTERNS } from './servicePatterns';
import { SHAPES } from './shapes';
import { importersOf, SMELLS } from './smells';

/** All structural patterns, smells first; the order is that of lists. */
export const PATTERNS: readonly Pattern[] = [...SMELLS, ...SERVICE_PATTERNS, ...SHAPES];

export const patternParams = shape(() =>
  object({
    /** Id of a pattern, a `MATCH …` query, or words. */
    pattern: text(),
    /** Files, folders or globs; all when absent. */
    paths: optional(texts()),
    minSeverity: optional(choice(SEVERITIES)),
    limit: optional(integer()),
    offset: optional(integer()),
  }),
);
export type PatternParams = Shaped<typeof patternParams>;

export const patternGroupShape = shape(() =>
  object({
    patternId: z.string(),
    title: z.string(),
    severity: z.enum(SEVERITIES),
    /** All matches, not only those given. */
    count: z.number(),
    matches: z.array(patternMatchShape()),
    fix: z.string(),
  }),
);
export type PatternGroup = Shaped<typeof patternGroupShape>;

export const patternAnswerShape = shape(() =>
  object({
    /** What was looked for; `search` for words that name no pattern. */
    patternId: z.string(),
    groups: z.array(patternGroupShape()),
    total: z.number(),
    suppressed: z.number(),
    /** The suppressed findings, with what speaks against each. */
    suppressedMatches: z.array(patternMatchShape()),
    /** There are more matches than were asked for. */
    truncated: z.boolean(),
    /** Parts of the graph that were needed and are not there. */
    degraded: z.array(z.string()),
  }),
);
export type PatternAnswer = Shaped<typeof patternAnswerShape>;

const DEFAULT_LIMIT = 20;
/** Hits that words give at most. */
const MAX_HITS = 200;
/** Files read at most to see whether they hand names on. */
const MAX_TEXTS = 500;

/** Places where code has a certain shape. */
export async function findPattern(
  workspace: Workspace,
  params: PatternParams,
  token: CancellationToken,
): Promise<Result<Stamped<PatternAnswer>, FeatureFailure>> {
  const problem = findPatternProblem(params);
  if (problem !== undefined) return err(problem);
  const asked = params.pattern.trim();
  if (isQuery(asked)) return fromQuery(workspace, asked, params, token);
  const pattern = patternNamed(asked);
  const importers = pattern?.needs === 'importers' ? await textsOfImporters(workspace, pattern, token) : ok(new Map<WorkspacePath, string>());
  if (!importers.ok) return importers;
  const services = pattern?.needs === 'services' ? await workspace.services?.model(token) : undefined;
  return answerFresh(workspace, [], token, snapshot => {
    if (pattern === undefined) return ok(draftOf(searched(snapshot, asked), params, []));
    const { graph } = snapshot;
    const degraded = pattern.needs === 'services' && services === undefined ? ['services'] : [];
    const context = { graph, thresholds: workspace.architecture.thresholds(), importers: importers.value, services };
    const matches = pattern.find(context);
    const draft = draftOf(
      { patternId: pattern.id, title: pattern.title, severity: pattern.severity, matches, fix: pattern.fix },
      params,
      degraded,
      pattern.suppressed?.(context),
    );
    const [group] = draft.value.groups;
    if (pattern.warning === undefined || group === undefined) return ok(draft);
    const fix = `${pattern.fix} ${pattern.warning(context, group.matches)}`;
    return ok({ ...draft, value: { ...draft.value, groups: [{ ...group, fix }] } });
  });
}

/** What is wrong with a question for places, whatever the graph holds. */
export function findPatternProblem({ pattern }: { readonly pattern: string }): FeatureFailure | undefined {
  const asked = pattern.trim();
  if (asked === '')
    return invalid('pattern', phrase`${paramRef('pattern')} is empty.`, `Use one of ${PATTERNS.map(row => row.id).join(', ')}, a MATCH query, or keywords.`);
  return isQuery(asked) ? patternProblem(asked) : undefined;
}

function isQuery(asked: string): boolean {
  return /^match\b\s*\(/i.test(asked);
}

/** The pattern with that id in any spelling, or that the words name. */
function patternNamed(asked: string): Pattern | undefined {
  const id = asked.toLowerCase().replace(/[\s_]+/g, '-');
  const words = asked.toLowerCase();
  const exact = PATTERNS.find(row => row.id.toLowerCase() === id || `${row.id.toLowerCase()}s` === id);
  // Longer questions are for the retriever.
  return exact ?? (words.split(/\s+/).length <= MAX_WORDS ? PATTERNS.find(row => row.words.test(words)) : undefined);
}

const MAX_WORDS = 3;

type Found = Omit<PatternGroup, 'count'>;

function draftOf(
  found: Found,
  { limit = DEFAULT_LIMIT, minSeverity = 'info', offset = 0, paths }: PatternParams,
  degraded: readonly string[],
  suppressed: readonly PatternMatch[] = [],
) {
  const globs = paths?.map(globPattern);
  const isWanted = (match: PatternMatch): boolean => globs === undefined || globs.some(glob => glob.test(match.file));
  const all = isAtLeast(found.severity, minSeverity) ? found.matches.filter(isWanted) : [];
  const matches = all.slice(offset, offset + limit);
  const value: PatternAnswer = {
    patternId: found.patternId,
    groups: all.length === 0 ? [] : [{ ...found, count: all.length, matches }],
    total: all.length,
    suppressed: suppressed.length,
    suppressedMatches: [...suppressed],
    truncated: offset + matches.length < all.length,
    degraded,
  };
  return { value, touched: matches.map(match => match.file) };
}

function searched({ graph, search }: Snapshot, query: string): Found {
  const hits = search.search({ text: query, limit: MAX_HITS, offset: 0 }).hits;
  const matches = hits.flatMap(hit => {
    const node = graph.find(hit.id);
    if (node === undefined) return [];
    const sentence = sentenceOf(graph.node(node));
    return [matchOf(graph, node, sentence === '' ? `matches by ${hit.fields.join(', ') || 'name'}` : sentence)];
  });
  return {
    patternId: 'search',
    title: `Code that matches "${query}"`,
    severity: 'info',
    matches,
    fix: 'These are search results, because there is no pattern with this ID.',
  };
}

async function fromQuery(
  workspace: Workspace,
  query: string,
  params: PatternParams,
  token: CancellationToken,
): Promise<Result<Stamped<PatternAnswer>, FeatureFailure>> {
  const rows = await patternQuery(workspace, { query }, token);
  if (!rows.ok) return rows;
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph } = snapshot.value;
  const matches = rows.value.records.flatMap(record => matchOfRecord(graph, record) ?? []);
  const found: Found = {
    patternId: 'query',
    title: query,
    severity: 'info',
    matches,
    fix: 'These are the results of the query. Return a node or its id to see its location.',
  };
  return ok({ ...draftOf(found, params, []).value, stamp: rows.value.stamp });
}

/** The first node that a record names, with the rest of it as evidence. */
function matchOfRecord(graph: GraphView, record: Readonly<Record<string, unknown>>): PatternMatch | undefined {
  for (const [column, value] of Object.entries(record)) {
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value;
    const node = typeof id === 'string' ? graph.find(id) : undefined;
    if (node === undefined) continue;
    const rest = Object.entries(record).filter(([key]) => key !== column);
    return matchOf(graph, node, rest.length === 0 ? column : rest.map(([key, other]) => `${key}: ${JSON.stringify(other)}`).join(', '));
  }
  return undefined;
}

/** Texts of the files in which the pattern might be, and of those that import them. */
async function textsOfImporters(
  workspace: Workspace,
  pattern: Pattern,
  token: CancellationToken,
): Promise<Result<ReadonlyMap<WorkspacePath, string>, FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph } = snapshot.value;
  const matches = pattern.find({ graph, thresholds: workspace.architecture.thresholds(), importers: new Map() });
  const files = [...new Set(matches.map(match => match.file))].flatMap(path => graph.fileOf(path) ?? []);
  const paths = [...new Set(files.flatMap(file => [graph.idOf(file), ...importersOf(graph, file)]))].sort();
  const texts = new Map<WorkspacePath, string>();
  for (const path of paths.slice(0, MAX_TEXTS)) {
    const text = await workspace.readText(path);
    if (text.ok) texts.set(path, text.value);
  }
  return ok(texts);
}

export const findPatternFeature = feature({
  name: 'findPattern',
  about: 'Occurrences of a structural pattern.',
  params: patternParams,
  answer: stamped(patternAnswerShape),
  run: findPattern,
});
