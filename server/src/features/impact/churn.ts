import type { StableId } from '../../model/ids';
import type { PastChanges, PastCommit } from '../../workspace/pastChanges';

/** A commit of more files (a mass rename, a new style) says nothing of each. */
const MAX_FILES = 25;

/** Whether a commit counts as a change of its files: it is not a merge of several changes and did not change very many files. */
export function isCountedCommit(commit: PastCommit | undefined): boolean {
  return commit !== undefined && !commit.isPlainMerge && commit.files <= MAX_FILES;
}

/** How many counted commits changed a symbol or a file since a time in seconds. */
export function churnOf(changes: PastChanges, id: StableId, since: number): number {
  let count = 0;
  for (const place of changes.of(id)) {
    const commit = changes.commits[place];
    if (commit !== undefined && commit.time >= since && isCountedCommit(commit)) count++;
  }
  return count;
}
