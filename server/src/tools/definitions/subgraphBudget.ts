import { estimateTokens, fillSlot } from '../shaping';

type Row = Readonly<Record<string, unknown>>;

export interface SearchParts {
  readonly rows: readonly Row[];
  /** Nodes around the hits. */
  readonly neighbors: readonly Row[];
  /** `subgraph_nodes`, `subgraph_edges`, `subgraph_order`, `subgraph_communities` and what else there is. */
  readonly subgraph: Readonly<Record<string, unknown>>;
}

export interface FittedParts {
  readonly results: readonly Row[];
  readonly subgraph: Readonly<Record<string, unknown>>;
  /** Something of the subgraph or the relation lists was left out. */
  readonly isCut: boolean;
}

/** Tokens of an answer beside its data. */
const OVERHEAD = 150;
/** Most of the budget that hits with their relation lists may take. */
const HITS_SHARE = 0.6;
/** Of what the hits leave: links say most, then the nodes around, then the nodes of the links, then their order. */
const SHARES = { subgraph_edges: 0.4, neighbors: 0.28, subgraph_nodes: 0.22, subgraph_order: 0.08 } as const;

/**
 * Makes hits and subgraph share a budget, so that the answer keeps some of every part instead of losing whole fields:
 * relation lists shrink first when the hits alone are too many words, then each list is cut at its low-ranked end.
 */
export function fitSubgraph({ rows, neighbors, subgraph }: SearchParts, maxTokens: number): FittedParts {
  const budget = maxTokens - OVERHEAD;
  if (estimateTokens([rows, neighbors, subgraph]) <= budget) return { results: [...rows, ...neighbors], subgraph, isCut: false };
  const hits = withShortLists(rows, budget * HITS_SHARE);
  const left = Math.max(0, budget - estimateTokens(hits));
  const cut = <T>(list: readonly T[], share: number): readonly T[] => fillSlot(list, estimateTokens, left * share).selected;
  const around = cut(neighbors, SHARES.neighbors);
  const shown = new Set([...hits, ...around].map(row => row['chunk_id']));
  // Nodes that the answer shows, and links among them, come before those that lead out of it.
  const nodes = byUse(listOf(subgraph['subgraph_nodes']), row => !shown.has(row['id']));
  const edges = byUse(listOf(subgraph['subgraph_edges']), row => row['boundary'] === true || !shown.has(row['src']) || !shown.has(row['tgt']));
  const { subgraph_nodes: _nodes, subgraph_edges: _edges, subgraph_order: order, subgraph_communities: communities, ...rest } = subgraph;
  const kept = cut(nodes, SHARES.subgraph_nodes);
  const ids = new Set(kept.map(node => node['id']));
  const fitted = {
    ...(_nodes === undefined ? {} : { subgraph_nodes: kept }),
    ...(_edges === undefined ? {} : { subgraph_edges: cut(edges, SHARES.subgraph_edges) }),
    ...(Array.isArray(order)
      ? {
          subgraph_order: cut(
            (order as readonly unknown[]).filter(id => ids.has(id)),
            SHARES.subgraph_order,
          ),
        }
      : {}),
    ...rest,
  };
  const whole = { ...fitted, ...(communities === undefined ? {} : { subgraph_communities: communities }) };
  const fits = estimateTokens([hits, around, whole]) <= budget;
  return { results: [...hits, ...around], subgraph: fits ? whole : fitted, isCut: true };
}

/** Items for which `isLater` is false first; otherwise as they came. */
function byUse(list: readonly Row[], isLater: (row: Row) => boolean): readonly Row[] {
  return [...list.filter(row => !isLater(row)), ...list.filter(isLater)];
}

function listOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? (value as readonly Row[]) : [];
}

/** Most ids of one relation list, and what they are cut to while the hits are too many words. */
const LENGTHS = [5, 3, 2, 1] as const;

function withShortLists(rows: readonly Row[], tokens: number): readonly Row[] {
  for (const length of LENGTHS) {
    const cut = length === LENGTHS[0] ? rows : rows.map(row => withLists(row, length));
    if (estimateTokens(cut) <= tokens) return cut;
  }
  return rows.map(({ graph: _graph, ...row }) => row);
}

function withLists(row: Row, length: number): Row {
  const { graph } = row;
  if (typeof graph !== 'object' || graph === null) return row;
  return { ...row, graph: Object.fromEntries(Object.entries(graph).map(([relation, ids]) => [relation, Array.isArray(ids) ? ids.slice(0, length) : ids])) };
}
