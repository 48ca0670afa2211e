import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { NO_NODE, type NodeColumn, nodeColumn } from '../../../model/ids';

/** What a walk notes of each node, by handle; those without a comment are columns of `CaseReach`. */
export interface ReachColumns {
  readonly depths: Int32Array;
  readonly towards: NodeColumn;
  readonly relations: Uint8Array;
  readonly confidences: Float64Array;
  readonly certain: Uint8Array;
  /** 1 for classes reached by a constructor alone: only who makes or inherits one leads there. And for functions reached by a case in them alone. */
  readonly onlyMade: Uint8Array;
  readonly loading: Uint8Array;
  readonly named: Uint8Array;
  /** 1 for nodes that were gone on from. */
  readonly followed: Uint8Array;
}

export function newColumns(size: number): ReachColumns {
  return {
    depths: new Int32Array(size).fill(-1),
    towards: nodeColumn(new Int32Array(size).fill(-1)),
    relations: new Uint8Array(size),
    confidences: new Float64Array(size),
    certain: new Uint8Array(size),
    onlyMade: new Uint8Array(size),
    loading: new Uint8Array(size),
    named: new Uint8Array(size),
    followed: new Uint8Array(size),
  };
}

const SPARE = new WeakMap<GraphView, ReachColumns>();

/**
 * Runs a walk in columns that are kept for the next one: hundreds of short walks would spend most of their time on new ones. `walk` gives the nodes that it
 * came to and may not keep the columns.
 */
export function inSpareColumns(graph: GraphView, walk: (columns: ReachColumns) => readonly NodeHandle[]): readonly NodeHandle[] {
  const columns = SPARE.get(graph) ?? newColumns(graph.adjacency.live.length);
  SPARE.delete(graph);
  const nodes = walk(columns);
  for (const node of nodes) {
    columns.depths[node] = -1;
    columns.towards[node] = NO_NODE;
    columns.confidences[node] = 0;
  }
  // Also of nodes that the walk did not come to in the end.
  for (const flags of [columns.relations, columns.certain, columns.onlyMade, columns.loading, columns.named]) flags.fill(0);
  SPARE.set(graph, columns);
  return nodes;
}
