import type { HistoryAnswer, PointsAnswer } from '../../../server/protocol/features';
import type { TimelinePoint } from '../../../server/protocol/graphPanel';

/** Newest commits that are offered whatever they changed. */
const MAX_COMMITS = 60;
/** Commits that changed what the graph is about, in addition. */
const MAX_CHANGES = 60;

/** States to look at, oldest first: commits, states between them that the index recorded, and checkpoints. */
export function timelineOf({ checkpoints, commits, transactions }: PointsAnswer, history: HistoryAnswer | undefined): TimelinePoint[] {
  const changing = new Set(history?.items.map(({ ref }) => ref));
  const byHash = new Map<string, TimelinePoint>();
  const add = (hash: string, at: number, title: string): void => {
    if (byHash.has(hash)) return;
    const changes = changing.has(hash) ? { changes: true as const } : {};
    byHash.set(hash, { word: `commit:${hash}`, at, kind: 'commit', title, note: hash.slice(0, 7), ...changes });
  };
  for (const { at, commit, subject } of commits.slice(0, MAX_COMMITS)) add(commit, at, subject);
  const changes = history?.items.filter(({ kind }) => kind === 'commit') ?? [];
  for (const { at, ref, title } of changes.slice(0, MAX_CHANGES)) add(ref, at, title);
  const marked = new Set(checkpoints.map(({ word }) => word));
  const between = transactions.filter(({ commit, isDirty, word }) => (isDirty || !byHash.has(commit)) && !marked.has(word));
  return [
    ...byHash.values(),
    ...between.map(
      ({ agent, at, files, word }): TimelinePoint => ({
        word,
        at,
        kind: 'transaction',
        title: files === 1 ? '1 file changed' : `${files} files changed`,
        ...(agent === undefined ? {} : { note: agent }),
        ...(changing.has(word.slice('tx::'.length)) ? { changes: true as const } : {}),
      }),
    ),
    ...checkpoints.map(({ at, name, word }): TimelinePoint => ({ word, at, kind: 'checkpoint', title: name })),
  ].sort((a, b) => a.at - b.at);
}
