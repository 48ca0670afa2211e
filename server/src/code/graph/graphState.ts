import { type NodeColumn, type NodeIds } from '../../model/ids';
import type { BackwardColumns } from './backwardRows';
import type { EdgeColumns } from './edgePool';
import { type FileEntry, type SymbolRow, symbolRow } from './fileEntry';
import type { GraphMetrics } from './graphMetrics';
import type { NodeHandle } from './graphView';
import type { Membership } from './metricTypes';
import type { NameIndex } from './nameIndex';

/** One revision of the graph as columns over node handles; never written to after it is made. */
export interface GraphState {
  readonly revision: number;
  readonly interner: NodeIds;
  readonly names: NameIndex;
  /** Columns below are this long. */
  readonly size: number;
  /** Slot of the node's file in `entries`, or -1. */
  readonly slotOf: Int32Array;
  /** Symbol row in its file; -1 for the file itself and for nodes of no file. Read with `rowOfNode`. */
  readonly rowOf: Int32Array;
  readonly live: Uint8Array;
  readonly entries: readonly (FileEntry | undefined)[];
  readonly forwardStarts: Int32Array;
  readonly forwardEnds: Int32Array;
  readonly backwardStarts: Int32Array;
  readonly backwardEnds: Int32Array;
  readonly pool: EdgeColumns;
  readonly backward: BackwardColumns;
  readonly nodeCount: number;
  readonly edgeCount: number;
  /** Edges in rows, those with a dead end included. */
  readonly rows: number;
  /** Slots of `entries` that may be used again. */
  readonly free: readonly number[];
  readonly fileCount: number;
  /** PageRank of the last revision that computed it: where the next computation starts. */
  readonly ranks: Float64Array | undefined;
  /** Communities of exactly this content, where they are known already. */
  readonly communities: Membership | undefined;
  /** For the private view of unsaved text: the metrics of what is saved, from which its communities are taken. */
  readonly saved: GraphMetrics | undefined;
  /** Handles of the live files by path; made when first asked for and shared by revisions with the same files. */
  readonly order: FileOrder;
}

export interface FileOrder {
  files: NodeColumn | undefined;
  /** Place of each file in `files` by its handle. */
  places: ReadonlyMap<NodeHandle, number> | undefined;
}

/** Row of a symbol in its file; `undefined` for files and for nodes of no file. */
export function rowOfNode({ rowOf }: GraphState, node: NodeHandle): SymbolRow | undefined {
  const row = rowOf[node] ?? -1;
  return row < 0 ? undefined : symbolRow(row);
}
