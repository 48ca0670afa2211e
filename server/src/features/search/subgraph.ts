import { dependenciesFirst } from '../../algorithms/components';
import { reach } from '../../algorithms/reach';
import { compareText } from '../../base/text';
import type { GraphEdge, GraphView, NodeHandle } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';
import type { Kind } from '../../model/kinds';
import { relationCode } from '../../model/relations';
import { dependencyLinks, isStructure, reverseName } from '../shared/links';
import { byRank, firstBy, kindOf } from '../shared/rows';
import { linksOf, type NodeLink, relationOf } from './nodeLinks';

export interface SubgraphOptions {
  /** Hops around the results whose nodes join in; 0 for none. */
  readonly egoHops: number;
  /** Links from results to nodes outside, at most three each. */
  readonly boundary: boolean;
}

export interface SubgraphNode {
  readonly id: StableId;
  readonly name: string;
  readonly kind: Kind;
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

/** How the hits of a search hang together. */
export interface Subgraph {
  readonly nodes: readonly SubgraphNode[];
  readonly edges: readonly SubgraphEdge[];
  /** Ids, dependencies first. */
  readonly order: readonly StableId[];
  /** Relation lists of each result: names and reverse names with at most five ids each. */
  readonly relations: ReadonlyMap<StableId, Readonly<Record<string, readonly StableId[]>>>;
  /** Nodes around the results, by hop, then centrality; at most 20. */
  readonly neighbors: readonly SubgraphNode[];
  /** Communities of the nodes with the number of these in each. */
  readonly communities: Readonly<Record<string, { readonly label: string; readonly count: number }>>;
  /** Parts that failed or are still being computed, and are missing: `relations`, `ego_graph`, `subgraph`, `communities`. */
  readonly degraded: readonly string[];
}

const MAX_EGO_NODES = 10;
const MAX_NEIGHBORS = 20;
const MAX_BOUNDARY = 3;
const MAX_RELATED = 5;

/** The part of the graph that joins some nodes. */
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
  const around = options.egoHops === 0 ? [] : attempt('ego_graph', [], () => neighborsOf(graph, results, options.egoHops));
  const ego = around.slice(0, MAX_EGO_NODES);
  const inside = [...results, ...ego];
  const communities = attempt('communities', undefined, () => (graph.hasQuickCommunities ? graph.communities().of : undefined));
  if (communities === undefined && inside.length > 0 && !degraded.includes('communities')) degraded.push('communities');
  const subgraphNodes = (nodes: readonly NodeHandle[], isResult: boolean): SubgraphNode[] =>
    nodes.map(node => nodeOf(graph, node, isResult, communities?.[node]));
  const none = { nodes: [], edges: [], order: [], communities: {} };
  const joined = attempt('subgraph', none, () => ({
    nodes: [...subgraphNodes(results, true), ...subgraphNodes(ego, false)],
    edges: edgesOf(graph, results, ego, options.boundary),
    order: orderOf(graph, inside),
    communities: labelled(graph, inside, communities),
  }));
  const relations = attempt('relations', new Map(), () => new Map(results.map(node => [graph.idOf(node), relationLists(graph, node)])));
  return { ...joined, relations, neighbors: attempt('ego_graph', [], () => subgraphNodes(around, false)), degraded };
}

function edgesOf(graph: GraphView, results: readonly NodeHandle[], ego: readonly NodeHandle[], withBoundary: boolean): SubgraphEdge[] {
  const inside = new Set([...results, ...ego]);
  const edges: SubgraphEdge[] = [];
  for (const node of inside) {
    const leaving = withBoundary && !ego.includes(node) ? boundaryOf(graph, node, inside) : new Set<NodeHandle>();
    let boundary = 0;
    for (const edge of graph.out(node, other => inside.has(other) || leaving.has(other))) {
      if (inside.has(edge.target)) edges.push(edgeOf(graph, edge, false));
      else if (!isStructure(edge.relation) && boundary++ < MAX_BOUNDARY) edges.push(edgeOf(graph, edge, true));
    }
  }
  return edges;
}

/** Where the first links of a node to what is not inside lead. */
function boundaryOf(graph: GraphView, node: NodeHandle, inside: ReadonlySet<NodeHandle>): ReadonlySet<NodeHandle> {
  const leaving = linksOf(graph, node, 'out').filter(link => !inside.has(link.other) && !isStructure(relationOf(link)));
  return new Set(firstBy(leaving, MAX_BOUNDARY, inOrderOf(graph)).map(({ other }) => other));
}

/** The order of `graph.out` and `graph.in`. */
function inOrderOf(graph: GraphView): (a: NodeLink, b: NodeLink) => number {
  return (a, b) => a.relation - b.relation || compareText(graph.idOf(a.other), graph.idOf(b.other));
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

/** By hop, then centrality, then id. No step goes by way of a library: what uses the same one need have nothing else in common. */
function neighborsOf(graph: GraphView, results: readonly NodeHandle[], hops: number): NodeHandle[] {
  const links = dependencyLinks('all');
  const { forward, backward, live } = graph.walk(links.kinds);
  const rank = byRank(graph);
  const seen = new Set(results);
  const found: NodeHandle[] = [];
  let ring = results;
  for (let hop = 0; hop < hops && ring.length > 0 && found.length < MAX_NEIGHBORS; hop++) {
    const { nodes } = reach([...forward, ...backward], live, ring, 1, links);
    ring = [...nodes].filter(node => !seen.has(node) && graph.kindOf(node) !== 'external');
    for (const node of ring) seen.add(node);
    found.push(...firstBy(ring, MAX_NEIGHBORS, rank));
  }
  return found.slice(0, MAX_NEIGHBORS);
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
  const leaving = linksOf(graph, node, 'out').filter(link => !isStructure(relationOf(link)));
  const arriving = linksOf(graph, node, 'in').filter(link => !isStructure(relationOf(link)));
  for (const link of firstOfEach(graph, leaving)) add(relationOf(link).toLowerCase(), link.other);
  for (const link of firstOfEach(graph, arriving)) add(reverseName(relationOf(link)), link.other);
  const file = graph.fileNodeOf(node);
  if (file === undefined || file === node) return lists;
  for (const imported of importsUsed(graph, file, leaving)) add('imports', imported);
  for (const importer of importersUsing(graph, file, arriving)) add(reverseName('IMPORTS'), importer);
  return lists;
}

/** The first links of each relation, in the order of `graph.out`. */
function firstOfEach(graph: GraphView, links: readonly NodeLink[]): NodeLink[] {
  const byRelation = new Map<number, NodeLink[]>();
  for (const link of links) {
    const known = byRelation.get(link.relation);
    if (known === undefined) byRelation.set(link.relation, [link]);
    else known.push(link);
  }
  const relations = [...byRelation].sort(([a], [b]) => a - b);
  return relations.flatMap(([, some]) => firstBy(some, MAX_RELATED, inOrderOf(graph)));
}

/** What the file of a symbol imports and the symbol itself refers to. */
function importsUsed(graph: GraphView, file: NodeHandle, leaving: readonly NodeLink[]): NodeHandle[] {
  const used = new Set(leaving.map(({ other }) => graph.fileNodeOf(other) ?? other));
  if (used.size === 0) return [];
  return graph.out(file, other => used.has(other) && other !== file).flatMap(edge => (edge.relation === 'IMPORTS' ? [edge.target] : []));
}

/** Files that import the file of a symbol and refer to the symbol; those of the first references first. */
function importersUsing(graph: GraphView, file: NodeHandle, arriving: readonly NodeLink[]): NodeHandle[] {
  const importers = new Set(linksOf(graph, file, 'in').flatMap(link => (link.relation === relationCode.IMPORTS ? [link.other] : [])));
  const inOrder = inOrderOf(graph);
  const firstFrom = new Map<NodeHandle, NodeLink>();
  for (const link of arriving) {
    const user = graph.fileNodeOf(link.other);
    if (user === undefined || user === file || !importers.has(user)) continue;
    const known = firstFrom.get(user);
    if (known === undefined || inOrder(link, known) < 0) firstFrom.set(user, link);
  }
  return firstBy([...firstFrom], MAX_RELATED, ([, a], [, b]) => inOrder(a, b)).map(([user]) => user);
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
