import type { StableId } from '../../model/ids';
import type { PastChanges, PastCommit } from '../../workspace/pastChanges';

/** A commit of more files (a mass rename, a new style) says nothing of each. */
const MAX_FILES = 25;

/** Whether a commit says something of what it changed: it is no merge of several changes and did not change very many files. */
export function isTelling(commit: PastCommit | undefined): boolean {
  return commit !== undefined && !commit.isPlainMerge && commit.files <= MAX_FILES;
}

/** How many telling commits changed a symbol or a file since a time in seconds. */
export function churnOf(changes: PastChanges, id: StableId, since: number): number {
  let count = 0;
  for (const place of changes.of(id)) {
    const commit = changes.commits[place];
    if (commit !== undefined && commit.time >= since && isTelling(commit)) count++;
  }
  return count;
}
