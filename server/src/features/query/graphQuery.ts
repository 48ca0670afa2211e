import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Community } from '../../code/graph/metricTypes';
import { paramRef, phrase } from '../../model/hints';
import { NO_NODE } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import { RELATIONS, type Relation } from '../../model/relations';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { searchIn } from '../search/searchCode';
import { type FeatureFailure, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped, searchLacks } from '../shared/fresh';
import { withMembers } from '../shared/members';
import { choice, integer, text, texts } from '../shared/params';
import { sentenceOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { resolveTarget } from '../shared/target';
import { communitiesReady, communityRow, communityRowShape, servicesOf } from './communities';
import { edgeRowShape } from './edgeRows';
import { type Routing, routeOf } from './routing';
import { walkFromEntries } from './traverse';

/** Where an answer looks: around the hits, in summaries of communities, or both. */
export const QUERY_MODES = ['local', 'global', 'hybrid'] as const;

export const graphQueryParams = shape(() =>
  object({
    query: text(),
    mode: optional(choice(QUERY_MODES)),
    /** Kinds, or the groups FILE, FUNCTION, CLASS. */
    kinds: optional(texts()),
    /** Nodes that the question is about, when the caller knows them. */
    entities: optional(texts()),
    limit: optional(integer()),
    offset: optional(integer()),
  }),
);
export type GraphQueryParams = Shaped<typeof graphQueryParams>;

export const queryRowShape = shape(() =>
  object({
    ...symbolRowShape().pick({ id: true, kind: true, startLine: true, endLine: true, path: true }).shape,
    /** Search score, or confidence of the path, 0 to 1. */
    score: z.number(),
    summary: z.string(),
    /** The last link to it, when it was found by walking. */
    link: optional(edgeRowShape()),
  }),
);
export type QueryRow = Shaped<typeof queryRowShape>;

export const graphQueryAnswerShape = shape(() =>
  object({
    /** Communities that bear on the question, largest first; in `global` and `hybrid`. */
    communities: z.array(communityRowShape()),
    rows: z.array(queryRowShape()),
    /** Rows, or communities in `global`. */
    total: z.number(),
    strategy: z.enum(['vector_only', 'graph_only', 'hybrid', 'global']),
    /** What was walked from: the things named. */
    entities: z.array(z.string()),
    /** What was done, in words. */
    executed: z.string(),
    warnings: z.array(z.string()),
    /** The walk stopped at its limit: there are more results than `total`. */
    truncated: z.boolean(),
  }),
);
export type GraphQueryAnswer = Shaped<typeof graphQueryAnswerShape>;

/** What is wrong with a question in words, whatever the graph holds. */
export function questionProblem({ query }: { readonly query: string }): FeatureFailure | undefined {
  return query.trim() === '' ? invalid('query', phrase`${paramRef('query')} is empty.`, 'Enter a question.') : undefined;
}

/** Answers a question in words from communities (`global`), from nodes (`local`) or from both. */
export async function graphQuery(
  workspace: Workspace,
  params: GraphQueryParams,
  token: CancellationToken,
): Promise<Result<Stamped<GraphQueryAnswer>, FeatureFailure>> {
  const problem = questionProblem(params);
  if (problem !== undefined) return err(problem);
  const mode = params.mode ?? 'local';
  if (mode !== 'local') await communitiesReady(workspace);
  return answerFresh(workspace, [], token, snapshot => {
    const value = mode === 'global' ? globalAnswer(snapshot, workspace, params) : localAnswer(snapshot, workspace, params);
    const first = (params.offset ?? 0) === 0;
    const answer =
      mode === 'hybrid' && first ? { ...value, communities: globalAnswer(snapshot, workspace, { ...params, limit: HYBRID_COMMUNITIES }).communities } : value;
    const degraded = answer.strategy === 'graph_only' || answer.strategy === 'global' ? [] : searchLacks(workspace);
    return ok({ value: answer, touched: answer.rows.map(row => row.path), degraded });
  });
}

const HYBRID_COMMUNITIES = 3;
/** Search hits whose communities join those found by words. */
const BEST_CONTEXTS = 5;
const OPEN_ENDED =
  /\b(?:overview|architecture|structure|summar(?:y|ise|ize)|explain (?:the|this) (?:code|codebase|project|repo)|codebase|whole|high.level|main parts|modules|components|onboard)/i;

function globalAnswer(snapshot: Snapshot, workspace: Workspace, params: GraphQueryParams): GraphQueryAnswer {
  const { graph } = snapshot;
  const all = graph.describedCommunities();
  const isOpen = OPEN_ENDED.test(params.query);
  const found = isOpen ? all : concerned(snapshot, params.query, all);
  const offset = params.offset ?? 0;
  const services = servicesOf(workspace, graph);
  return {
    communities: found.slice(offset, offset + (params.limit ?? 10)).map(community => communityRow(graph, community, services)),
    rows: [],
    total: found.length,
    strategy: 'global',
    entities: [],
    executed: isOpen ? 'all communities' : 'communities by label, summary and best results',
    warnings: [],
    truncated: false,
  };
}

/** Communities whose label or summary has a word of the question, and those of the best search results. */
function concerned({ graph, search }: Snapshot, question: string, all: readonly Community[]): readonly Community[] {
  const words = [...new Set(question.toLowerCase().split(/[^\p{L}\p{N}_]+/u))].filter(word => word.length > 2 && !STOP.has(word));
  const { of } = graph.communities();
  const hits = search.search({ text: question, limit: BEST_CONTEXTS, offset: 0 }).hits.map(hit => of[graph.find(hit.id) ?? -1] ?? -1);
  return all.filter(({ id, label, summary }) => {
    const text = `${label} ${summary}`.toLowerCase();
    return hits.includes(id) || words.some(word => text.includes(word));
  });
}

const STOP: ReadonlySet<string> = new Set(
  'the and for are how what which who where does that this with from into work works used use all any its members member files file mainly connected most central calls imports'.split(
    ' ',
  ),
);

function localAnswer(snapshot: Snapshot, workspace: Workspace, params: GraphQueryParams): GraphQueryAnswer {
  const { graph } = snapshot;
  const targets = (params.entities ?? []).map(entity => ({ entity, target: resolveTarget(snapshot, workspace, entity) }));
  const given = targets.flatMap(({ target }) => (target.ok ? [target.value.node] : []));
  const routing = routeOf(graph, params.query, given);
  const missing = [...targets.flatMap(({ entity, target }) => (target.ok ? [] : [entity])), ...routing.unknown];
  const warnings = [
    ...missing.map(name => `${name} is not in the graph and was ignored.`),
    ...routing.shared.map(name => `There are several symbols named ${name}. The answer includes all of them.`),
  ];
  if (routing.route === 'graph_only') return walked(graph, routing, params, warnings);
  const wide = (params.offset ?? 0) + (params.limit ?? 10);
  const found = searchIn(snapshot, { query: params.query, limit: wide, kinds: params.kinds ?? [] });
  const hits: QueryRow[] = found.hits.map(hit => ({
    id: hit.id,
    kind: hit.kind,
    path: hit.path,
    startLine: hit.startLine,
    endLine: hit.endLine,
    score: hit.blendedScore,
    summary: hit.summary,
  }));
  if (routing.route !== 'hybrid')
    return { ...paged(hits, found.total, params), strategy: 'vector_only', entities: [], executed: `search "${params.query}"`, warnings, truncated: false };
  const seeds = found.hits.slice(0, BEST_CONTEXTS).map(hit => graph.find(hit.id));
  const entries = [...new Set([...routing.entities, ...seeds.filter(node => node !== undefined)])];
  const around = walkedRows(graph, { ...routing, hops: Math.max(2, routing.hops) }, entries, params).rows;
  const known = new Set(hits.map(hit => hit.id));
  const rows = [...hits.slice(0, BEST_CONTEXTS), ...around.filter(row => !known.has(row.id)), ...hits.slice(BEST_CONTEXTS)];
  const executed = `search "${params.query}", then ${walkText(routing)} from ${entries.map(node => graph.idOf(node)).join(', ')}`;
  return { ...paged(rows, rows.length, params), strategy: 'hybrid', entities: entries.map(node => graph.idOf(node)), executed, warnings, truncated: false };
}

function walked(graph: GraphView, routing: Routing, params: GraphQueryParams, warnings: readonly string[]): GraphQueryAnswer {
  const entries = [...new Set(routing.entities.flatMap(node => partsOf(graph, node, routing.relations)))];
  const { rows: found, truncated } = walkedRows(graph, routing, entries, params);
  const isTest = new Map(found.map(({ id }) => [id, graph.isTest(graph.find(id) ?? NO_NODE)]));
  const rows = [...found].sort((a, b) => b.score - a.score || Number(isTest.get(a.id)) - Number(isTest.get(b.id)));
  const entities = routing.entities.map(node => graph.idOf(node));
  return {
    ...paged(rows, rows.length, params),
    strategy: 'graph_only',
    entities,
    executed: `${walkText(routing)} from ${entities.join(', ')}`,
    warnings,
    truncated,
  };
}

/** Relations of a type itself, not of its members. */
const OF_TYPES: ReadonlySet<Relation> = new Set(['INHERITS', 'IMPLEMENTS', 'OVERRIDES', 'INSTANTIATES']);

/** A node with what stands for it: who calls a type calls its members, and what is imported is often its file. */
function partsOf(graph: GraphView, node: NodeHandle, relations: readonly Relation[]): readonly NodeHandle[] {
  const file = graph.fileNodeOf(node);
  if (file === undefined) return [node];
  if (relations.includes('IMPORTS')) return [node, file];
  const isType = KIND_GROUPS.CLASS.includes(graph.kindOf(node));
  if (relations.some(relation => OF_TYPES.has(relation)) || !isType) return [node];
  return withMembers(graph, node);
}

const DEPENDENCIES: readonly Relation[] = RELATIONS.filter(row => row.layer === 'code' && row.dependency).map(row => row.name);
const MAX_WALKED = 200;

function walkedRows(
  graph: GraphView,
  routing: Routing,
  entries: readonly NodeHandle[],
  params: GraphQueryParams,
): { readonly rows: readonly QueryRow[]; readonly truncated: boolean } {
  const { nodes, truncated } = walkFromEntries(graph, entries, {
    entries: [],
    maxHops: routing.hops,
    relations: routing.relations.length === 0 ? DEPENDENCIES : routing.relations,
    direction: routing.direction,
    nodeTypes: params.kinds ?? [],
    maxResults: MAX_WALKED,
    minConfidence: 0,
  });
  const rows = nodes.map(({ id, kind, path, startLine, endLine, confidence, steps }) => {
    const last = steps[steps.length - 1];
    const handle = graph.find(id);
    return {
      id,
      kind,
      path,
      startLine,
      endLine,
      score: confidence,
      summary: handle === undefined ? '' : sentenceOf(graph.node(handle)),
      ...(last === undefined ? {} : { link: last }),
    };
  });
  return { rows, truncated };
}

function walkText({ relations, direction, hops }: Routing): string {
  const ways = { in: 'backward along', out: 'along', both: 'in both directions along' } as const;
  const names = relations.length === 0 ? 'all dependencies' : relations.map(relation => relation.toLowerCase()).join(', ');
  return `walk ${ways[direction]} ${names}, ${hops === 1 ? '1 hop' : `${hops} hops`},`;
}

function paged(
  rows: readonly QueryRow[],
  total: number,
  { offset = 0, limit = 10 }: GraphQueryParams,
): Pick<GraphQueryAnswer, 'communities' | 'rows' | 'total'> {
  return { communities: [], rows: rows.slice(offset, offset + limit), total };
}

export const graphQueryFeature = feature({
  name: 'graphQuery',
  about: 'Answers a natural-language question from search, traversals and communities.',
  params: graphQueryParams,
  answer: stamped(graphQueryAnswerShape),
  run: graphQuery,
});
