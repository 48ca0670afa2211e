import type { GraphEdge, GraphView } from '../../code/graph/graphView';
import type { SourceName } from '../../model/evidence';
import type { StableId } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import type { Relation } from '../../model/relations';

/** An edge as answers show it. */
export interface EdgeRow {
  readonly source: StableId;
  readonly target: StableId;
  readonly relation: Relation;
  readonly confidence: number;
  readonly provenance: SourceName;
  readonly count: number;
  /** First line of its sites, 0 for structure. */
  readonly line: number;
}

/** Node types and kinds that names and groups stand for. */
export function kindsWanted(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((type): readonly string[] => KIND_GROUPS[type.toUpperCase() as keyof typeof KIND_GROUPS] ?? [type.toLowerCase()]));
}

export function edgesWithin(graph: GraphView, nodes: readonly number[], relations: readonly Relation[] = []): EdgeRow[] {
  const inside = new Set(nodes);
  const isInside = (node: number): boolean => inside.has(node);
  return nodes.flatMap(node => {
    const edges = graph.out(node, isInside);
    return edges.filter(edge => relations.length === 0 || relations.includes(edge.relation)).map(edge => edgeRowOf(graph, edge));
  });
}

export function edgeRowOf(graph: GraphView, edge: GraphEdge): EdgeRow {
  const { relation, confidence, provenance, count, lines } = edge;
  return { source: graph.idOf(edge.source), target: graph.idOf(edge.target), relation, confidence, provenance, count, line: lines[0] ?? 0 };
}
