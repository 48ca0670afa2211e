import type { WorkspacePath } from '../base/path';
import type { NodeColumn, NodeHandle } from './ids';

/**
 * What resolution says about one file, as columns. Nodes are handles of the project's node-id interner (`NodeIds`), so they stay valid when other files change.
 * A site is one use of a name; its candidates are a slice of the candidate columns with confidences that sum to at most 1.
 * Sites with no candidate are counted, per owner, as `unresolved` (may be project code) or `external` (standard library, third party), never dropped in silence.
 */
export interface FileResolution {
  readonly path: WorkspacePath;
  /** Node handle of the file. */
  readonly file: NodeHandle;
  /** Node handle of each symbol row of the file's facts. */
  readonly symbolNodes: NodeColumn;
  readonly sites: SiteTable;
  /** Sites that no candidate could be found for, by symbol row; the last entry is module level. */
  readonly unresolved: Int32Array;
  readonly external: Int32Array;
}

/** Uses of names in a file as columns: range, relation, and the candidates of each with confidence and source. */
export interface SiteTable {
  readonly count: number;
  /** Code from `RELATIONS`. */
  readonly relation: Uint8Array;
  /** Node handle the edge starts at (symbol, else file). */
  readonly from: NodeColumn;
  readonly line: Int32Array;
  readonly column: Int32Array;
  readonly length: Int32Array;
  readonly candidateStart: Int32Array;
  readonly candidateCount: Int32Array;
  /** Node handle of each candidate. */
  readonly target: NodeColumn;
  /** `encodeConfidence` of each candidate. */
  readonly confidence: Uint8Array;
  /** Code from `SOURCES` of each candidate. */
  readonly source: Uint8Array;
}
