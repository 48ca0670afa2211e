import type { CancellationToken } from '../base/cancellation';
import { ok, type Result } from '../base/result';
import type { GraphView } from '../code/graph/graphView';
import type { StableId } from '../model/ids';
import { KIND_GROUPS, type NodeType, type SymbolKind } from '../model/nodes';
import type { SearchHit } from '../search/searchView';
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
  /** Blends in centrality (search spec section 6.2). */
  readonly rerank?: boolean;
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
  readonly subgraph?: Subgraph;
}

/** Code that matches words, best first. */
export async function searchCode(workspace: Workspace, params: SearchParams, token: CancellationToken): Promise<Result<Stamped<SearchAnswer>, FeatureFailure>> {
  return answerFresh(workspace, [], token, snapshot => {
    const value = searchIn(snapshot, params);
    return ok({ value, touched: value.hits.map(hit => hit.path) });
  });
}

/** Share of centrality in the blended score. */
const ALPHA = 0.3;
/** Hits are re-ranked in windows of this many, so that pages never overlap. */
const WINDOW = 50;

export function searchIn(snapshot: Snapshot, params: SearchParams): SearchAnswer {
  const { graph, search } = snapshot;
  const offset = params.offset ?? 0;
  const limit = params.limit ?? 20;
  const accept = acceptorOf(graph, params.kinds ?? []);
  const from = Math.floor(offset / WINDOW) * WINDOW;
  const to = Math.ceil((offset + limit) / WINDOW) * WINDOW;
  const query = { text: params.query, ...(accept === undefined ? {} : { accept }) };
  const { hits, total } = search.search({ ...query, limit: to - from, offset: from });
  const top = from === 0 ? hits[0]?.score : search.search({ ...query, limit: 1, offset: 0 }).hits[0]?.score;
  const rows = hits.map(hit => rowOfHit(graph, hit, top ?? 1)).filter(row => row !== undefined);
  const ranked = params.rerank === false ? rows : windows(rows).flatMap(window => window.sort((a, b) => b.blendedScore - a.blendedScore));
  const shown = ranked.slice(offset - from, offset - from + limit);
  const answer = { query: params.query, total, hits: shown };
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

function rowOfHit(graph: GraphView, hit: SearchHit, top: number): SearchRow | undefined {
  const handle = graph.find(hit.id);
  if (handle === undefined) return undefined;
  const node = graph.node(handle);
  const score = top > 0 ? hit.score / top : 0;
  const centrality = centralityOf(graph, handle);
  return {
    ...rowOf(node),
    score: round(score),
    centrality: round(centrality),
    blendedScore: round((1 - ALPHA) * score + ALPHA * centrality),
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
