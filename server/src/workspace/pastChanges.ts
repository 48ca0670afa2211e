import type { StableId } from '../model/ids';

/** A commit that changed indexed files. */
export interface PastCommit {
  readonly hash: string;
  /** Seconds since 1970, when it was committed. */
  readonly time: number;
  /** One line; of a merge the title of what was merged, where its message tells it. */
  readonly subject: string;
  /** Files that it changed, of any kind. */
  readonly files: number;
  /** It joins histories, and no pull request or merge request says that they are one change. */
  readonly isPlainMerge: boolean;
}

/** Which past commits changed which symbols and files of today, by their lines followed back through edits and renames of files. Immutable. */
export interface PastChanges {
  /** Where HEAD was. */
  readonly head: string;
  /** Newest first, along first parents; the newest few thousand. */
  readonly commits: readonly PastCommit[];
  /** Symbols that any of them changed, in order of their first appearance. */
  readonly ids: Iterable<StableId>;
  /** Files that any of them changed, but for generated ones. A rename alone is no change. */
  readonly files: Iterable<StableId>;
  /** Places in `commits`, ascending; none for what no commit changed. */
  of(id: StableId): Iterable<number>;
}
