import { compareText } from '../../base/text';
import type { GraphView } from '../../code/graph/graphView';
import { centralityOf } from '../shared/rows';

/** What of a row of an impact tells how close it is. */
interface Reached {
  readonly id: string;
  readonly depth: number;
  readonly confidence: number;
  /** The changed node first, this one last. */
  readonly via: readonly string[];
}

/** How close rows of an impact are to what changes: they use the node before them often and surely, are central, and much else is reached through them. */
export function closenessAmong(graph: GraphView, rows: readonly Reached[]): (row: Reached) => number {
  const passed = new Map<string, number>();
  for (const { via } of rows) for (const id of via.slice(1, -1)) passed.set(id, (passed.get(id) ?? 0) + 1);
  return ({ id, via, confidence }) => {
    const [node, before] = [graph.find(id), graph.find(via.at(-2) ?? '')];
    if (node === undefined) return 0;
    const uses = graph.out(node).reduce((sum, edge) => sum + (edge.target === before ? edge.count : 0), 1);
    return (1 + Math.log2(uses)) * confidence * (1 + 2 * centralityOf(graph, node)) * (1 + Math.log2(1 + (passed.get(id) ?? 0)));
  };
}

/** Nearest first, then closest. */
export function closestFirst<Row extends Reached>(rows: readonly Row[], closeness: (row: Row) => number): Row[] {
  const weights = new Map(rows.map(row => [row.id, closeness(row)]));
  return rows.toSorted((a, b) => a.depth - b.depth || (weights.get(b.id) ?? 0) - (weights.get(a.id) ?? 0) || compareText(a.id, b.id));
}
