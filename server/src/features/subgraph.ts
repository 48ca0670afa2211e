import { dependenciesFirst } from '../algorithms/components';
import { reach } from '../algorithms/reach';
import type { GraphEdge, GraphView, NodeHandle } from '../code/graph/graphView';
import type { StableId } from '../model/ids';
import { dependencyLinks, isStructure, reverseName } from './links';
import { byRank, compareText, kindOf, type RowKind } from './rows';

export interface SubgraphOptions {
  /** Hops around the results whose nodes join in; 0 for none. */
  readonly egoHops: number;
  /** Links from results to nodes outside, at most three each. */
  readonly boundary: boolean;
}

export interface SubgraphNode {
  readonly id: StableId;
  readonly name: string;
  readonly kind: RowKind;
  readonly path: string;
  readonly isResult: boolean;
}

export interface SubgraphEdge {
  readonly source: StableId;
  readonly target: StableId;
  readonly relation: string;
  readonly line: number;
  readonly boundary: boolean;
}

export interface Subgraph {
  readonly nodes: readonly SubgraphNode[];
  readonly edges: readonly SubgraphEdge[];
  /** Ids, dependencies first. */
  readonly order: readonly StableId[];
  /** Relation lists of each result: names and reverse names with at most five ids each. */
  readonly relations: ReadonlyMap<StableId, Readonly<Record<string, readonly StableId[]>>>;
  /** Nodes around the results, nearest first, at most 20. */
  readonly neighbours: readonly StableId[];
}

const MAX_EGO_NODES = 10;
const MAX_NEIGHBOURS = 20;
const MAX_BOUNDARY = 3;
const MAX_RELATED = 5;

/** The part of the graph that joins some nodes (graph spec section 8). */
export function extractSubgraph(graph: GraphView, ids: readonly StableId[], options: SubgraphOptions): Subgraph {
  const results = [...new Set(ids.map(id => graph.find(id)).filter(node => node !== undefined))];
  const neighbours = options.egoHops === 0 ? [] : around(graph, results, options.egoHops);
  const ego = neighbours.slice(0, MAX_EGO_NODES);
  const inside = new Set([...results, ...ego]);
  const edges: SubgraphEdge[] = [];
  for (const node of inside) {
    let boundary = 0;
    for (const edge of graph.out(node)) {
      if (inside.has(edge.target)) edges.push(edgeOf(graph, edge, false));
      else if (options.boundary && !ego.includes(node) && !isStructure(edge.relation) && boundary++ < MAX_BOUNDARY) edges.push(edgeOf(graph, edge, true));
    }
  }
  return {
    nodes: [...inside].map(node => nodeOf(graph, node, !ego.includes(node))),
    edges,
    order: orderOf(graph, [...inside]),
    relations: new Map(results.map(node => [graph.idOf(node), relationLists(graph, node)])),
    neighbours: neighbours.map(node => graph.idOf(node)),
  };
}

/** By hop, then centrality, then id. */
function around(graph: GraphView, results: readonly NodeHandle[], hops: number): NodeHandle[] {
  const { forward, backward, live } = graph.adjacency;
  const { nodes, depths } = reach([forward, backward], live, results, hops, dependencyLinks('all'));
  const rank = byRank(graph);
  const found = [...nodes].filter(node => (depths[node] ?? 0) > 0 && graph.node(node).nodeType !== 'external');
  return found.sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0) || rank(a, b)).slice(0, MAX_NEIGHBOURS);
}

function orderOf(graph: GraphView, nodes: readonly NodeHandle[]): StableId[] {
  const compare = (a: NodeHandle, b: NodeHandle): number => compareText(graph.idOf(a), graph.idOf(b));
  return dependenciesFirst(graph.adjacency.forward, nodes, dependencyLinks('all'), compare).map(node => graph.idOf(node));
}

function relationLists(graph: GraphView, node: NodeHandle): Record<string, StableId[]> {
  const lists: Record<string, StableId[]> = {};
  const add = (name: string, other: NodeHandle): void => {
    const list = (lists[name] ??= []);
    if (list.length < MAX_RELATED) list.push(graph.idOf(other));
  };
  for (const edge of graph.out(node)) if (!isStructure(edge.relation)) add(edge.relation.toLowerCase(), edge.target);
  for (const edge of graph.in(node)) if (!isStructure(edge.relation)) add(reverseName(edge.relation), edge.source);
  return lists;
}

function nodeOf(graph: GraphView, handle: NodeHandle, isResult: boolean): SubgraphNode {
  const node = graph.node(handle);
  return { id: node.id, name: node.name, kind: kindOf(node), path: node.path, isResult };
}

function edgeOf(graph: GraphView, edge: GraphEdge, boundary: boolean): SubgraphEdge {
  return { source: graph.idOf(edge.source), target: graph.idOf(edge.target), relation: edge.relation.toLowerCase(), line: edge.lines[0] ?? 0, boundary };
}
