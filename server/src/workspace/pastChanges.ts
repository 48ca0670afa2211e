import type { StableId } from '../model/ids';

export interface PastCommit {
  readonly hash: string;
  /** Seconds since 1970, when it was committed. */
  readonly time: number;
  /** One line; of a merge the title of what was merged, where its message tells it. */
  readonly subject: string;
  /** Files that it changed, of any kind. */
  readonly files: number;
}

/** Which past commits changed which symbols of today, by their lines followed back through edits and renames of files. Immutable. */
export interface PastChanges {
  /** Where HEAD was. */
  readonly head: string;
  /** Newest first, along first parents; the newest few thousand. */
  readonly commits: readonly PastCommit[];
  /** Symbols that any of them changed, in order of their first appearance. */
  readonly ids: Iterable<StableId>;
  /** Places in `commits`, ascending; none for what no commit changed. */
  of(id: StableId): Iterable<number>;
}
