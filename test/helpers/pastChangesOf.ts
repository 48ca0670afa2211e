import type { PastChanges } from '../../server/src/workspace/pastChanges';

/** What these commits changed, newest first. */
export function pastChangesOf(commits: readonly { readonly subject: string; readonly changed: readonly string[]; readonly files?: number }[]): PastChanges {
  return {
    head: 'f'.repeat(40),
    commits: commits.map(({ files = 1, subject }, place) => ({ hash: `${place}`.repeat(40), time: 1e9 - place, subject, files, isPlainMerge: false })),
    ids: new Set(commits.flatMap(({ changed }) => changed.filter(id => id.includes('::')))),
    files: new Set(commits.flatMap(({ changed }) => changed.filter(id => !id.includes('::')))),
    of: id => commits.flatMap(({ changed }, place) => (changed.includes(id) ? [place] : [])),
  };
}
