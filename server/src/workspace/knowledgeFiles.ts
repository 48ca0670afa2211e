import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import type { KnowledgeSettings } from '../model/settings';

/** A file below `.lattice/knowledge`. */
export interface KnowledgeFile {
  readonly path: WorkspacePath;
  /** `undefined` when it is not to be read: a link, too large, not UTF-8. */
  readonly text: string | undefined;
  /** SHA-256 of the bytes on disk, `''` for what was not read. */
  readonly hash: string;
  /** Why it was not read, one sentence. */
  readonly problem?: string;
}

/** A knowledge file to be written or removed, if it still is as expected. */
export interface KnowledgeFileChange {
  readonly path: WorkspacePath;
  /** `undefined` removes the file. */
  readonly text: string | undefined;
  /** Hash of what may be overwritten; `undefined` when there must be no file. */
  readonly expected: string | undefined;
}

/** What became of it. */
export interface KnowledgeFileOutcome {
  readonly path: WorkspacePath;
  /** Of the file as it is now; `undefined` when there is none. */
  readonly hash: string | undefined;
  /** Why nothing was done, one sentence. */
  readonly problem?: string;
}

/** The knowledge files of a checkout; nothing else in the workspace can be reached through it, and no link is followed. */
export interface KnowledgeFiles {
  settings(): KnowledgeSettings;
  /** Sorted by path; none when the folder does not exist. `FORBIDDEN` when the folder is a link. */
  read(): Promise<Result<readonly KnowledgeFile[], Failure>>;
  /** Each file is replaced or removed as a whole, one after another; a file that is not as expected is left alone. */
  change(changes: readonly KnowledgeFileChange[]): Promise<readonly KnowledgeFileOutcome[]>;
}
