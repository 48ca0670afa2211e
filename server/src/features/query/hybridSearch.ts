import { reach } from '../../algorithms/reach';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { StableId } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../failure';
import { answerFresh, type Stamped } from '../fresh';
import { anyLinks } from '../links';
import { type SearchRow, searchIn } from '../searchCode';
import { resolveTarget } from '../target';

export interface HybridParams {
  readonly query: string;
  readonly limit?: number;
  readonly offset?: number;
  /** Kinds, or the groups FILE, FUNCTION, CLASS. */
  readonly kinds?: readonly string[];
  /** What nearness is measured from; without one, how central a hit is counts instead. */
  readonly anchor?: string;
  /** 0 to 1. */
  readonly semanticWeight?: number;
  readonly graphWeight?: number;
}

export interface HybridRow extends SearchRow {
  /** How well the words match, 0 to 1. */
  readonly semanticScore: number;
  readonly graphScore: number;
  /** Links from the anchor; one more than the farthest when none lead there, -1 without an anchor. */
  readonly distance: number;
}

export interface HybridAnswer {
  readonly query: string;
  readonly anchor: StableId | undefined;
  readonly hits: readonly HybridRow[];
  readonly total: number;
}

/** Candidates per result that is asked for. */
const OVERFETCH = 3;

/** Search hits ordered by words and by place in the graph together (search spec section 6.1). */
export async function hybridSearch(
  workspace: Workspace,
  params: HybridParams,
  token: CancellationToken,
): Promise<Result<Stamped<HybridAnswer>, FeatureFailure>> {
  return answerFresh(workspace, [], token, snapshot => {
    const { graph } = snapshot;
    const anchor = params.anchor === undefined ? undefined : resolveTarget(snapshot, workspace, params.anchor);
    if (anchor?.ok === false) return anchor;
    const limit = params.limit ?? 10;
    const candidates = searchIn(snapshot, { query: params.query, limit: limit * OVERFETCH, rerank: false, kinds: params.kinds ?? [] }).hits;
    const distanceOf = anchor === undefined ? undefined : distances(graph, anchor.value.node);
    const { semanticWeight = 0.6, graphWeight = 0.4 } = params;
    const rows = candidates.map((hit): HybridRow => {
      const near = distanceOf?.(graph.find(hit.id) ?? -1);
      const graphScore = near === undefined ? hit.centrality : 1 - near.distance / (near.farthest + 1);
      const score = round(semanticWeight * hit.score + graphWeight * graphScore);
      return { ...hit, score, semanticScore: hit.score, graphScore: round(graphScore), distance: near?.distance ?? -1 };
    });
    const ranked = rows
      .map((row, place) => ({ row, place }))
      .sort((a, b) => b.row.score - a.row.score || a.place - b.place)
      .map(({ row }) => row);
    const offset = params.offset ?? 0;
    const hits = ranked.slice(offset, offset + limit);
    const value = { query: params.query, anchor: anchor === undefined ? undefined : graph.idOf(anchor.value.node), hits, total: ranked.length };
    return ok({ value, touched: hits.map(hit => hit.path) });
  });
}

type Distances = (node: number) => { readonly distance: number; readonly farthest: number };

function distances(graph: Parameters<typeof resolveTarget>[0]['graph'], anchor: number): Distances {
  const { forward, backward, live } = graph.adjacency;
  const { nodes, depths } = reach([forward, backward], live, [anchor], Number.POSITIVE_INFINITY, anyLinks());
  const farthest = Math.max(1, depths[nodes[nodes.length - 1] ?? anchor] ?? 0);
  return node => {
    const depth = depths[node] ?? -1;
    return { distance: depth < 0 ? farthest + 1 : depth, farthest };
  };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
