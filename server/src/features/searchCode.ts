import type { CancellationToken } from '../base/cancellation';
import { ok, type Result } from '../base/result';
import type { GraphView, NodeHandle } from '../code/graph/graphView';
import type { StableId } from '../model/ids';
import { KIND_GROUPS, type NodeType, type SymbolKind } from '../model/nodes';
import { type CentralitySettings, DEFAULT_RETRIEVAL } from '../model/settings';
import type { SearchHit, SearchMode } from '../search/searchView';
import type { Snapshot, Workspace } from '../workspace/snapshot';
import type { FeatureFailure } from './failure';
import { answerFresh, type Stamped } from './fresh';
import { rowOf, type SymbolRow, sentenceOf } from './rows';
import { extractSubgraph, type Subgraph, type SubgraphOptions } from './subgraph';

export interface SearchParams {
  readonly query: string;
  readonly limit?: number;
  readonly offset?: number;
  /** Kinds, or the groups FILE, FUNCTION, CLASS; empty means all. */
  readonly kinds?: readonly string[];
  /** Blends in centrality (search spec section 6.2); default: what `centrality` says. */
  readonly rerank?: boolean;
  /** Default: the workspace's own. */
  readonly centrality?: CentralitySettings;
  /** Default: as the index is set. */
  readonly mode?: SearchMode;
  /** The query's vector, where vectors come from a service. */
  readonly vector?: Readonly<Float32Array> | undefined;
  /** With the graph that joins the hits. */
  readonly subgraph?: SubgraphOptions;
}

export interface SearchRow extends SymbolRow {
  /** 0 to 1, relative to the best hit of the whole answer. */
  readonly score: number;
  /** 0 to 1, relative to the most central node. */
  readonly centrality: number;
  readonly blendedScore: number;
  readonly complexity: number;
  readonly summary: string;
  readonly signature: string;
}

export interface SearchAnswer {
  readonly query: string;
  readonly total: number;
  readonly hits: readonly SearchRow[];
  /** Whether hits carry their centrality, and whether it decided their order. */
  readonly annotated: boolean;
  readonly reranked: boolean;
  readonly subgraph?: Subgraph;
}

/** Code that matches words, best first. */
export async function searchCode(workspace: Workspace, params: SearchParams, token: CancellationToken): Promise<Result<Stamped<SearchAnswer>, FeatureFailure>> {
  const vector = await workspace.embedQuery?.(params.query);
  await workspace.takeTurn?.();
  const { centrality } = workspace.retrieval ?? DEFAULT_RETRIEVAL;
  return answerFresh(workspace, [], token, snapshot => {
    const value = searchIn(snapshot, { centrality, vector, ...params });
    return ok({ value, touched: value.hits.map(hit => hit.path) });
  });
}

/** Hits are re-ranked in windows of this many, so that pages never overlap. */
const WINDOW = 50;

export function searchIn(snapshot: Snapshot, params: SearchParams): SearchAnswer {
  const { graph, search } = snapshot;
  const offset = params.offset ?? 0;
  const limit = params.limit ?? 20;
  const accept = acceptorOf(graph, params.kinds ?? []);
  const from = Math.floor(offset / WINDOW) * WINDOW;
  const to = Math.ceil((offset + limit) / WINDOW) * WINDOW;
  const { mode, vector, centrality = DEFAULT_RETRIEVAL.centrality } = params;
  const query = { text: params.query, vector, ...(accept === undefined ? {} : { accept }), ...(mode === undefined ? {} : { mode }) };
  const { hits, total } = search.search({ ...query, limit: to - from, offset: from });
  const top = from === 0 ? hits[0]?.score : search.search({ ...query, limit: 1, offset: 0 }).hits[0]?.score;
  const reranked = params.rerank ?? centrality.reranking;
  const measured = measuredBy(graph, centrality);
  const rows = hits.map(hit => rowOfHit(graph, hit, { top: top ?? 1, ...measured })).filter(row => row !== undefined);
  const ranked = !reranked ? rows : windows(rows).flatMap(window => window.sort((a, b) => b.blendedScore - a.blendedScore));
  const shown = ranked.slice(offset - from, offset - from + limit);
  const answer = { query: params.query, total, hits: shown, annotated: centrality.annotation || reranked, reranked };
  if (params.subgraph === undefined) return answer;
  return {
    ...answer,
    subgraph: extractSubgraph(
      graph,
      shown.map(row => row.id),
      params.subgraph,
    ),
  };
}

function acceptorOf(graph: GraphView, kinds: readonly string[]): ((id: StableId) => boolean) | undefined {
  const wanted = new Set<string>(
    kinds.flatMap((kind): readonly string[] => KIND_GROUPS[kind.toUpperCase() as keyof typeof KIND_GROUPS] ?? [kind.toLowerCase()]),
  );
  if (wanted.size === 0) return undefined;
  return id => {
    const node = graph.find(id);
    if (node === undefined) return false;
    const { kind, nodeType } = graph.node(node);
    return wanted.has((kind ?? nodeType) satisfies SymbolKind | NodeType);
  };
}

/** Hits that were found in another way, as rows of the same form. */
export function rowsOf(graph: GraphView, hits: readonly SearchHit[], kinds: readonly string[]): readonly SearchRow[] {
  const accept = acceptorOf(graph, kinds) ?? (() => true);
  const blending = { top: hits[0]?.score ?? 1, ...measuredBy(graph, DEFAULT_RETRIEVAL.centrality) };
  return hits.filter(({ id }) => accept(id)).flatMap(hit => rowOfHit(graph, hit, blending) ?? []);
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

function rowOfHit(graph: GraphView, hit: SearchHit, { alpha, top, ...measured }: Blending): SearchRow | undefined {
  const handle = graph.find(hit.id);
  if (handle === undefined) return undefined;
  const node = graph.node(handle);
  const score = top > 0 ? hit.score / top : 0;
  const centrality = measured.centralityOf(handle);
  return {
    ...rowOf(node),
    score: round(score),
    centrality: round(centrality),
    blendedScore: round((1 - alpha) * score + alpha * centrality),
    complexity: node.complexity,
    summary: sentenceOf(node),
    signature: node.signature,
  };
}

/** PageRank over its maximum. */
export function centralityOf(graph: GraphView, handle: number): number {
  const top = graph.maxPageRank();
  return top === 0 ? 0 : (graph.pageRank()[handle] ?? 0) / top;
}

function windows(rows: readonly SearchRow[]): SearchRow[][] {
  const parts: SearchRow[][] = [];
  for (let at = 0; at < rows.length; at += WINDOW) parts.push(rows.slice(at, at + WINDOW));
  return parts;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
