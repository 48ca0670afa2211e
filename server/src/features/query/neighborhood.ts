import { z } from 'zod';
import { type Reach, reach } from '../../algorithms/reach';
import type { LinkFilter } from '../../algorithms/rows';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { GraphView, HalfAdjacency } from '../../code/graph/graphView';
import { NO_NODE, type NodeColumn, type NodeHandle, nodeColumn } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Draft, type Stamped } from '../shared/fresh';
import { linksAround } from '../shared/links';
import { flag, integer, relations, text, texts } from '../shared/params';
import { byRank, firstBy, kindOf, rowOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { pathOfTarget, resolveTarget, type Target } from '../shared/target';
import { edgeRowShape, edgesWithin, kindsWanted } from './edgeRows';

export const neighborhoodParams = shape(() =>
  object({
    target: text(),
    /** 1 to 4. */
    radius: optional(integer()),
    undirected: optional(flag()),
    /** Node types, kinds, or the groups FILE, FUNCTION, CLASS. */
    nodeTypes: optional(texts()),
    relations: optional(relations()),
    /** Most nodes; 1 to 200. */
    maxNodes: optional(integer()),
  }),
);
export type NeighborhoodParams = Shaped<typeof neighborhoodParams>;

export const neighborhoodNodeShape = shape(() =>
  object({
    ...symbolRowShape().shape,
    distance: z.number(),
  }),
);
export type NeighborhoodNode = Shaped<typeof neighborhoodNodeShape>;

export const neighborhoodAnswerShape = shape(() =>
  object({
    center: symbolRowShape(),
    /** By distance, then centrality; the center first. */
    nodes: z.array(neighborhoodNodeShape()),
    edges: z.array(edgeRowShape()),
    totalNodes: z.number(),
    truncated: z.boolean(),
    candidates: z.array(z.string()),
    guessed: z.boolean(),
  }),
);
export type NeighborhoodAnswer = Shaped<typeof neighborhoodAnswerShape>;

/** What lies within some hops of a node. */
export async function neighborhood(
  workspace: Workspace,
  params: NeighborhoodParams,
  token: CancellationToken,
): Promise<Result<Stamped<NeighborhoodAnswer>, FeatureFailure>> {
  const path = pathOfTarget(workspace, params.target);
  return answerFresh(workspace, path === undefined ? [] : [path], token, snapshot => {
    const target = resolveTarget(snapshot, workspace, params.target);
    return target.ok ? ok(draftOf(snapshot.graph, target.value, params)) : target;
  });
}

function draftOf(graph: GraphView, target: Target, params: NeighborhoodParams): Draft<NeighborhoodAnswer> {
  const filter = linksAround(graph, [target.node], params.relations, kindsWanted(params.nodeTypes ?? []));
  const { forward, backward, live } = graph.walk(filter.kinds);
  const halves = params.undirected === false ? forward : [...forward, ...backward];
  const around = reach(halves, live, [target.node], params.radius ?? 2, filter);
  const kept = keptNodes(graph, target.node, params, around.nodes);
  const { nodes, depths } = kept.length === around.nodes.length ? around : withinOnly(kept, halves, live.length, target.node, filter);
  const distance = (node: NodeHandle): number => (depths[node] === -1 ? UNREACHABLE : (depths[node] ?? UNREACHABLE));
  const maxNodes = Math.min(200, Math.max(1, params.maxNodes ?? 50));
  const ordered = nodes.length === kept.length ? nodes : nodeColumn(Int32Array.of(...nodes, ...kept.filter(node => depths[node] === -1)));
  const shown = nearest(ordered, distance, maxNodes, byRank(graph));
  const value: NeighborhoodAnswer = {
    center: rowOf(graph.node(target.node)),
    nodes: shown.map(node => ({ ...rowOf(graph.node(node)), distance: distance(node) })),
    edges: edgesWithin(graph, shown, filter.kinds),
    totalNodes: kept.length,
    truncated: kept.length > maxNodes,
    candidates: target.candidates,
    guessed: target.guessed,
  };
  return { value, touched: value.nodes.map(node => node.path), unresolved: graph.countsOf(target.node).unresolved };
}

/** Distance of nodes that the filters cut off from the center. */
const UNREACHABLE = 999;

/** Distances in what the filters left: paths lead through nothing else. */
function withinOnly(kept: Iterable<NodeHandle>, halves: readonly HalfAdjacency[], size: number, center: NodeHandle, filter: LinkFilter): Reach<NodeHandle> {
  const inside = new Uint8Array(size);
  for (const node of kept) inside[node] = 1;
  return reach(halves, inside, [center], Number.POSITIVE_INFINITY, filter);
}

/** The first `count` by distance, then rank. `nodes` come in order of distance, so that only one distance too many is sorted. */
function nearest(nodes: NodeColumn, distance: (node: NodeHandle) => number, count: number, rank: (a: NodeHandle, b: NodeHandle) => number): NodeHandle[] {
  const first: NodeHandle[] = [];
  for (let start = 0; start < nodes.length && first.length < count; ) {
    let end = start + 1;
    while (end < nodes.length && distance(nodes[end] ?? NO_NODE) === distance(nodes[start] ?? NO_NODE)) end++;
    for (const node of firstBy(nodes.subarray(start, end), count - first.length, rank)) first.push(node);
    start = end;
  }
  return first;
}

function keptNodes(graph: GraphView, center: NodeHandle, params: NeighborhoodParams, nodes: NodeColumn): NodeColumn {
  const wanted = kindsWanted(params.nodeTypes ?? []);
  if (wanted.size === 0) return nodes;
  return nodes.filter(handle => {
    const node = graph.node(handle);
    return handle === center || wanted.has(node.nodeType) || wanted.has(kindOf(node));
  });
}

export const neighborhoodFeature = feature({
  name: 'neighborhood',
  about: 'Nodes and edges within a number of hops of a node.',
  params: neighborhoodParams,
  answer: stamped(neighborhoodAnswerShape),
  run: neighborhood,
});
