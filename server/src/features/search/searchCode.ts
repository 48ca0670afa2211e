import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { headOf, type StableId } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import { type CentralitySettings, DEFAULT_RETRIEVAL } from '../../model/settings';
import type { SearchHit, SearchMode, SearchPage, SearchQuery } from '../../search/searchView';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped, searchLacks } from '../shared/fresh';
import { flag, integer, text, texts } from '../shared/params';
import { centralityOf, rowOf, sentenceOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { extractSubgraph, type Subgraph, type SubgraphOptions } from './subgraph';

export const searchParams = shape(() =>
  object({
    query: text(),
    limit: optional(integer()),
    offset: optional(integer()),
    /** Kinds, or the groups FILE, FUNCTION, CLASS; empty means all. */
    kinds: optional(texts()),
    /** Blends in centrality; default: what the settings of the workspace say. */
    rerank: optional(flag()),
  }),
);

export interface SearchParams extends Shaped<typeof searchParams> {
  /** Default: the workspace's own. */
  readonly centrality?: CentralitySettings;
  /** Default: as the index is set. */
  readonly mode?: SearchMode;
  /** The query's vector, where vectors come from a service. */
  readonly vector?: Readonly<Float32Array> | undefined;
  /** Only what lies in files of these paths. */
  readonly isIn?: ((path: WorkspacePath) => boolean) | undefined;
  /** With the graph that joins the hits. */
  readonly subgraph?: SubgraphOptions;
}

export const searchRowShape = shape(() =>
  object({
    ...symbolRowShape().shape,
    /** 0 to 1, relative to the best hit of the whole answer. */
    score: z.number(),
    /** 0 to 1, relative to the most central node. */
    centrality: z.number(),
    blendedScore: z.number(),
    complexity: z.number(),
    summary: z.string(),
    signature: z.string(),
  }),
);
export type SearchRow = Shaped<typeof searchRowShape>;

export const searchAnswerShape = shape(() =>
  object({
    query: z.string(),
    total: z.number(),
    hits: z.array(searchRowShape()),
    /** Whether hits carry their centrality, and whether it decided their order. */
    annotated: z.boolean(),
    reranked: z.boolean(),
  }),
);

/** Hits, best first; with `subgraph` what joins them. */
export interface SearchAnswer extends Shaped<typeof searchAnswerShape> {
  readonly subgraph?: Subgraph;
}

/** Code that matches words, best first. */
export async function searchCode(workspace: Workspace, params: SearchParams, token: CancellationToken): Promise<Result<Stamped<SearchAnswer>, FeatureFailure>> {
  const vector = await workspace.embedQuery?.(params.query);
  await workspace.takeTurn?.();
  const { centrality } = workspace.retrieval ?? DEFAULT_RETRIEVAL;
  return answerFresh(workspace, [], token, async snapshot => {
    const degraded = searchLacks(workspace);
    const value = await searchInSteps(workspace, snapshot, { centrality, vector, ...params });
    return ok({ value, touched: value.hits.map(hit => hit.path), degraded });
  });
}

/** Hits are re-ranked in windows of this many, so that pages never overlap. */
const WINDOW = 50;

/** At once: for the editor's own questions. */
export function searchIn(snapshot: Snapshot, params: SearchParams): SearchAnswer {
  return withSubgraph(snapshot, params, hitsOf(snapshot, params, snapshot.search.search(asked(snapshot, params))));
}

/** The same in steps of some milliseconds, with a look at everything else in between. */
export async function searchInSteps(workspace: Workspace, snapshot: Snapshot, params: SearchParams): Promise<SearchAnswer> {
  const pause = async (): Promise<void> => workspace.pause?.();
  const page = await snapshot.search.searchInSteps(asked(snapshot, params), pause);
  await pause();
  const answer = hitsOf(snapshot, params, page);
  if (params.subgraph !== undefined) await pause();
  return withSubgraph(snapshot, params, answer);
}

/** All windows up to the one asked for: the best hit of all says what scores are over. */
function asked({ graph }: Snapshot, { isIn, kinds = [], mode, query, vector, ...params }: SearchParams): SearchQuery {
  const accept = acceptorOf(graph, kinds, isIn);
  return {
    text: query,
    vector,
    limit: Math.ceil(((params.offset ?? 0) + limitOf(params)) / WINDOW) * WINDOW,
    offset: 0,
    ...(accept === undefined ? {} : { accept }),
    ...(mode === undefined ? {} : { mode }),
  };
}

function limitOf({ limit }: Pick<SearchParams, 'limit'>): number {
  return limit ?? 20;
}

function hitsOf({ graph }: Snapshot, params: SearchParams, { hits, total }: SearchPage): SearchAnswer {
  const offset = params.offset ?? 0;
  const from = Math.floor(offset / WINDOW) * WINDOW;
  const { centrality = DEFAULT_RETRIEVAL.centrality } = params;
  const reranked = params.rerank ?? centrality.reranking;
  const blending = { top: hits[0]?.score ?? 1, ...measuredBy(graph, centrality) };
  const scored = hits.slice(from).flatMap(hit => scoredHit(graph, hit, blending) ?? []);
  const ranked = !reranked ? scored : windows(scored).flatMap(window => window.sort((a, b) => b.blendedScore - a.blendedScore));
  const shown = ranked.slice(offset - from, offset - from + limitOf(params)).map(hit => rowOfHit(graph, hit));
  return { query: params.query, total, hits: shown, annotated: centrality.annotation || reranked, reranked };
}

function withSubgraph({ graph }: Snapshot, { subgraph }: SearchParams, answer: SearchAnswer): SearchAnswer {
  if (subgraph === undefined) return answer;
  const ids = answer.hits.map(row => row.id);
  return { ...answer, subgraph: extractSubgraph(graph, ids, subgraph) };
}

function acceptorOf(graph: GraphView, kinds: readonly string[], isIn: SearchParams['isIn']): ((id: StableId) => boolean) | undefined {
  const wanted = new Set<string>(
    kinds.flatMap((kind): readonly string[] => KIND_GROUPS[kind.toUpperCase() as keyof typeof KIND_GROUPS] ?? [kind.toLowerCase()]),
  );
  if (wanted.size === 0) return isIn && (id => isIn(headOf(id)));
  return id => {
    if (isIn?.(headOf(id)) === false) return false;
    const node = graph.find(id);
    if (node === undefined) return false;
    return wanted.has(graph.kindOf(node));
  };
}

/** The first of hits that were found in another way, as rows of the same form. */
export function rowsOf(
  graph: GraphView,
  hits: readonly SearchHit[],
  { isIn, kinds = [] }: Pick<SearchParams, 'isIn' | 'kinds'>,
  limit: number,
): readonly SearchRow[] {
  const accept = acceptorOf(graph, kinds, isIn) ?? (() => true);
  const blending = { top: hits[0]?.score ?? 1, ...measuredBy(graph, DEFAULT_RETRIEVAL.centrality) };
  return hits
    .filter(({ id }) => accept(id))
    .flatMap(hit => scoredHit(graph, hit, blending) ?? [])
    .slice(0, limit)
    .map(hit => rowOfHit(graph, hit));
}

interface Blending {
  readonly top: number;
  readonly alpha: number;
  readonly centralityOf: (node: NodeHandle) => number;
}

/** A measure that cannot be had leaves results as they are. */
function measuredBy(graph: GraphView, { alpha, method }: CentralitySettings): Omit<Blending, 'top'> {
  if (method === 'pagerank') return { alpha, centralityOf: node => centralityOf(graph, node) };
  try {
    const values = graph.centrality(method);
    return { alpha, centralityOf: node => values[node] ?? 0 };
  } catch {
    return { alpha: 0, centralityOf: () => 0 };
  }
}

/** A hit with its figures, before anything else is asked of its node. */
interface ScoredHit extends Pick<SearchRow, 'score' | 'centrality' | 'blendedScore'> {
  readonly node: NodeHandle;
}

function scoredHit(graph: GraphView, hit: SearchHit, { alpha, centralityOf: measure, top }: Blending): ScoredHit | undefined {
  const node = graph.find(hit.id);
  if (node === undefined) return undefined;
  const score = top > 0 ? hit.score / top : 0;
  const centrality = measure(node);
  return { node, score: round(score), centrality: round(centrality), blendedScore: round((1 - alpha) * score + alpha * centrality) };
}

function rowOfHit(graph: GraphView, { node: handle, ...figures }: ScoredHit): SearchRow {
  const node = graph.node(handle);
  return { ...rowOf(node), ...figures, complexity: node.complexity, summary: sentenceOf(node), signature: node.signature };
}

function windows<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < rows.length; at += WINDOW) parts.push(rows.slice(at, at + WINDOW));
  return parts;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

export const searchFeature = feature({
  name: 'search',
  about: 'Ranked search over code by keywords and meaning.',
  params: searchParams,
  answer: stamped(searchAnswerShape),
  run: searchCode,
});
