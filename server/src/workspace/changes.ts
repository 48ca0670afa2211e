import type { WorkspacePath } from '../base/path';
import type { Failure } from '../base/result';
import type { StableId } from '../model/ids';

/** First and last line, 1-based, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A symbol of one version of a file. */
export interface SymbolSpan extends LineRange {
  readonly id: StableId;
  readonly nameLine: number;
}

/** One place where a file was changed. A range is `undefined` where nothing was added, or nothing removed. */
export interface Hunk {
  readonly added: LineRange | undefined;
  readonly removed: LineRange | undefined;
  /** The lines that came and went, without their signs; comments in them are blank where the file is parsed. */
  readonly addedText: readonly string[];
  readonly removedText: readonly string[];
}

/** A branch or tag. */
export interface GitReference {
  readonly name: string;
  /** `remote`: a branch of another repository as it was last seen. */
  readonly kind: 'branch' | 'remote' | 'tag';
  readonly commit: string;
  /** Time of the commit in epoch milliseconds. */
  readonly at: number;
}

/** A file that differs between two states, with both texts where they are known. */
export interface ChangedFile {
  /** Where the file is now; where it was, for one that is gone. */
  readonly path: WorkspacePath;
  /** Set when it was called otherwise before. */
  readonly oldPath?: WorkspacePath;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** In order of lines, without those that changed only comments where the file is parsed; `undefined` when only known to have changed as a whole. */
  readonly hunks: readonly Hunk[] | undefined;
  /** Symbols of the old version, under the old path; `[]` where there was none or it could not be read. */
  readonly before: readonly SymbolSpan[];
  /** Symbols of the new version when that is not what lies in the folder (a range of commits). */
  readonly after?: readonly SymbolSpan[];
}

/** What changed between two versions of the workspace. */
export interface ChangeSet {
  /** How the older version is called: `HEAD`, `HEAD~1 (1a2b3c4)`, a transaction, a time. */
  readonly since: string;
  /** In order of path. */
  readonly files: readonly ChangedFile[];
  /** True when there were more files than are looked into; those have no hunks. */
  readonly truncated: boolean;
}

/**
 * Why a version of the workspace cannot be told. `NOT_FOUND` with `hint` for what neither git nor the transaction log knows; `NO_GIT` where the question needs git;
 * `VALIDATION_ERROR` for what is no version at all; `HISTORY_PRUNED` for a transaction whose state is no longer available.
 */
export interface VersionFailure extends Failure {
  /** What there is instead, one sentence. */
  readonly hint?: string;
  /** Of `HISTORY_PRUNED`: since when states are kept, in epoch milliseconds; 0 where none is. */
  readonly horizon?: number;
}
