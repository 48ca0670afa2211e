import type { StableId } from '../model/ids';

/** A version of a node as the index recorded it. Half-open: it was valid from `validFrom` until just before `validTo`. Times are epoch milliseconds. */
export interface RecordedVersion {
  /** `{node id}#{transaction id}`. */
  readonly versionId: string;
  /** The transaction that wrote it. */
  readonly txId: string;
  readonly validFrom: number;
  /** Absent for the current version. */
  readonly validTo?: number;
  /** When it was written. */
  readonly createdAt: number;
  /** The version before it, as far as that is kept. */
  readonly supersedes?: string;
  /** Where the same content stood before, under an ID that is gone. */
  readonly renamedFrom?: StableId;
  readonly agentId?: string;
}

/** A version of an edge of a node as the index recorded it, or its end where the beginning is not recorded. Half-open like those of nodes. */
export interface RecordedEdge {
  readonly relation: string;
  readonly target: StableId;
  /** Epoch milliseconds; absent where it was there before anything was recorded. */
  readonly validFrom?: number;
  /** Absent for an edge of the current code. */
  readonly validTo?: number;
  /** The transaction that wrote it; absent like `validFrom`. */
  readonly txId?: string;
  readonly endedTxId?: string;
}

/** What is kept of earlier states beside the commits of git. */
export interface RecordedHistory {
  /** Since when all states are kept, in epoch milliseconds; 0 where none is. */
  readonly horizon: number;
  readonly bytes: number;
  readonly transactions: number;
  /** Epoch milliseconds; 0 before the first compaction. */
  readonly compactedAt: number;
}
