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
  readonly startLine: number;
  readonly endLine: number;
  readonly isResult: boolean;
  /** 0 to 1, over the most central node of the workspace; 4 decimals. */
  readonly centrality: number;
  /** Absent while communities are still being computed. */
  readonly community?: number;
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
  /** Nodes around the results, by hop, then centrality; at most 20. */
  readonly neighbours: readonly SubgraphNode[];
  /** Communities of the nodes with the number of these in each. */
  readonly communities: Readonly<Record<string, { readonly label: string; readonly count: number }>>;
  /** Parts that failed or are still being computed, and are missing: `relations`, `ego_graph`, `subgraph`, `communities`. */
  readonly degraded: readonly string[];
}

const MAX_EGO_NODES = 10;
const MAX_NEIGHBOURS = 20;
const MAX_BOUNDARY = 3;
const MAX_RELATED = 5;

/** The part of the graph that joins some nodes (graph spec section 8). */
export function extractSubgraph(graph: GraphView, ids: readonly StableId[], options: SubgraphOptions): Subgraph {
  const results = [...new Set(ids.map(id => graph.find(id)).filter(node => node !== undefined))];
  const degraded: string[] = [];
  const attempt = <T>(part: string, fallback: T, compute: () => T): T => {
    try {
      return compute();
    } catch {
      degraded.push(part);
      return fallback;
    }
  };
  const around = options.egoHops === 0 ? [] : attempt('ego_graph', [], () => neighboursOf(graph, results, options.egoHops));
  const ego = around.slice(0, MAX_EGO_NODES);
  const inside = [...results, ...ego];
  const communities = attempt('communities', undefined, () => (graph.hasQuickCommunities ? graph.communities().of : undefined));
  if (communities === undefined && inside.length > 0 && !degraded.includes('communities')) degraded.push('communities');
  const told = (nodes: readonly NodeHandle[], isResult: boolean): SubgraphNode[] => nodes.map(node => nodeOf(graph, node, isResult, communities?.[node]));
  const none = { nodes: [], edges: [], order: [], communities: {} };
  const joined = attempt('subgraph', none, () => ({
    nodes: [...told(results, true), ...told(ego, false)],
    edges: edgesOf(graph, results, ego, options.boundary),
    order: orderOf(graph, inside),
    communities: labelled(graph, inside, communities),
  }));
  const relations = attempt('relations', new Map(), () => new Map(results.map(node => [graph.idOf(node), relationLists(graph, node)])));
  return { ...joined, relations, neighbours: attempt('ego_graph', [], () => told(around, false)), degraded };
}

function edgesOf(graph: GraphView, results: readonly NodeHandle[], ego: readonly NodeHandle[], withBoundary: boolean): SubgraphEdge[] {
  const inside = new Set([...results, ...ego]);
  const edges: SubgraphEdge[] = [];
  for (const node of inside) {
    let boundary = 0;
    const mayLeave = withBoundary && !ego.includes(node);
    for (const edge of graph.out(node)) {
      if (inside.has(edge.target)) edges.push(edgeOf(graph, edge, false));
      else if (mayLeave && !isStructure(edge.relation) && boundary++ < MAX_BOUNDARY) edges.push(edgeOf(graph, edge, true));
    }
  }
  return edges;
}

/** Labels say what all members of a community share, not only those shown. */
function labelled(graph: GraphView, nodes: readonly NodeHandle[], communities: Int32Array | undefined): Subgraph['communities'] {
  const counts = new Map<number, number>();
  for (const node of nodes) {
    const community = communities?.[node] ?? -1;
    if (community >= 0) counts.set(community, (counts.get(community) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([id, count]) => [String(id), { label: graph.labelOfCommunity(id), count }]));
}

/** By hop, then centrality, then id. */
function neighboursOf(graph: GraphView, results: readonly NodeHandle[], hops: number): NodeHandle[] {
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

/** Targets under the name of each relation, sources under its reverse name, at most five each. */
function relationLists(graph: GraphView, node: NodeHandle): Record<string, StableId[]> {
  const lists: Record<string, StableId[]> = {};
  const add = (name: string, other: NodeHandle): void => {
    const list = (lists[name] ??= []);
    const id = graph.idOf(other);
    if (list.length < MAX_RELATED && !list.includes(id)) list.push(id);
  };
  const leaving = graph.out(node);
  const arriving = graph.in(node);
  for (const edge of leaving) if (!isStructure(edge.relation)) add(edge.relation.toLowerCase(), edge.target);
  for (const edge of arriving) if (!isStructure(edge.relation)) add(reverseName(edge.relation), edge.source);
  const file = graph.fileNodeOf(node);
  if (file === undefined || file === node) return lists;
  for (const imported of importsUsed(graph, file, leaving)) add('imports', imported);
  for (const importer of importersUsing(graph, file, arriving)) add(reverseName('IMPORTS'), importer);
  return lists;
}

/** What the file of a symbol imports and the symbol itself refers to. */
function importsUsed(graph: GraphView, file: NodeHandle, leaving: readonly GraphEdge[]): NodeHandle[] {
  const used = new Set<NodeHandle>();
  for (const edge of leaving) if (!isStructure(edge.relation)) used.add(graph.fileNodeOf(edge.target) ?? edge.target);
  if (used.size === 0) return [];
  return graph.out(file).flatMap(edge => (edge.relation === 'IMPORTS' && used.has(edge.target) && edge.target !== file ? [edge.target] : []));
}

/** Files that import the file of a symbol and refer to the symbol. */
function importersUsing(graph: GraphView, file: NodeHandle, arriving: readonly GraphEdge[]): NodeHandle[] {
  const files = new Set<NodeHandle>();
  for (const edge of arriving) {
    const user = isStructure(edge.relation) ? undefined : graph.fileNodeOf(edge.source);
    if (user !== undefined && user !== file && !files.has(user) && graph.edge(user, 'IMPORTS', file) !== undefined) files.add(user);
    if (files.size === MAX_RELATED) break;
  }
  return [...files];
}

function nodeOf(graph: GraphView, handle: NodeHandle, isResult: boolean, community: number | undefined): SubgraphNode {
  const node = graph.node(handle);
  const { id, name, path, startLine, endLine } = node;
  const centrality = graph.maxPageRank() === 0 ? 0 : (graph.pageRank()[handle] ?? 0) / graph.maxPageRank();
  return {
    id,
    name,
    kind: kindOf(node),
    path,
    startLine,
    endLine,
    isResult,
    centrality: Math.round(centrality * 1e4) / 1e4,
    ...(community === undefined || community < 0 ? {} : { community }),
  };
}

function edgeOf(graph: GraphView, edge: GraphEdge, boundary: boolean): SubgraphEdge {
  return { source: graph.idOf(edge.source), target: graph.idOf(edge.target), relation: edge.relation.toLowerCase(), line: edge.lines[0] ?? 0, boundary };
}
