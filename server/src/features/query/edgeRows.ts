import { z } from 'zod';
import type { GraphEdge, GraphView } from '../../code/graph/graphView';
import { type NodeHandle } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import { object, relationShape, type Shaped, shape, sourceShape } from '../shared/shape';

/** An edge as answers show it. */
export const edgeRowShape = shape(() =>
  object({
    source: z.string(),
    target: z.string(),
    relation: relationShape(),
    confidence: z.number(),
    provenance: sourceShape(),
    count: z.number(),
    /** First line of its sites, 0 for structure. */
    line: z.number(),
  }),
);
export type EdgeRow = Shaped<typeof edgeRowShape>;

/** Node types and kinds that names and groups stand for. */
export function kindsWanted(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((type): readonly string[] => KIND_GROUPS[type.toUpperCase() as keyof typeof KIND_GROUPS] ?? [type.toLowerCase()]));
}

/** Edges of some kinds (1 = yes, by relation code) among nodes. */
export function edgesWithin(graph: GraphView, nodes: readonly NodeHandle[], kinds: Uint8Array): EdgeRow[] {
  const inside = new Set(nodes);
  const isInside = (node: NodeHandle): boolean => inside.has(node);
  return nodes.flatMap(node => graph.out(node, isInside, kinds).map(edge => edgeRowOf(graph, edge)));
}

export function edgeRowOf(graph: GraphView, edge: GraphEdge): EdgeRow {
  const { relation, confidence, provenance, count, lines } = edge;
  return { source: graph.idOf(edge.source), target: graph.idOf(edge.target), relation, confidence, provenance, count, line: lines[0] ?? 0 };
}
