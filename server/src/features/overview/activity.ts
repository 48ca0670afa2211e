import { z } from 'zod';
import { dirname } from '../../base/path';
import { compareText } from '../../base/text';
import type { PastChanges } from '../../workspace/pastChanges';
import { isCountedCommit } from '../impact/churn';
import { object, type Shaped, shape } from '../shared/shape';

/** How many commits changed something in a folder, week by week. */
export const activityShape = shape(() =>
  object({
    /** Of at most two names; `''` for files of the root. */
    folder: z.string(),
    /** Commits of each of the last 26 weeks, the current week last. */
    weeks: z.array(z.number()),
    commits: z.number(),
  }),
);
export type Activity = Shaped<typeof activityShape>;

export const ACTIVITY_WEEKS = 26;
const WEEK_S = 7 * 24 * 3600;
const MAX_FOLDERS = 10;
const FOLDER_DEPTH = 2;

/** Folders with the most commits of the last 26 weeks before `now` (epoch milliseconds) first; without mass changes and plain merges. */
export function activityOf(changes: PastChanges | undefined, now: number): Activity[] {
  if (changes === undefined) return [];
  const weekOf = changes.commits.map(commit =>
    isCountedCommit(commit) ? ACTIVITY_WEEKS - 1 - Math.floor(Math.max(0, now / 1000 - commit.time) / WEEK_S) : -1,
  );
  const folders = new Map<string, Set<number>>();
  for (const path of changes.files) {
    const folder = dirname(path).split('/').slice(0, FOLDER_DEPTH).join('/');
    for (const place of changes.of(path)) {
      if ((weekOf[place] ?? -1) < 0) continue;
      const places = folders.get(folder);
      if (places === undefined) folders.set(folder, new Set([place]));
      else places.add(place);
    }
  }
  return [...folders]
    .map(([folder, places]): Activity => {
      const weeks = Array.from({ length: ACTIVITY_WEEKS }, () => 0);
      for (const place of places) weeks[weekOf[place] ?? 0] = (weeks[weekOf[place] ?? 0] ?? 0) + 1;
      return { folder: folder === '.' ? '' : folder, weeks, commits: places.size };
    })
    .sort((a, b) => b.commits - a.commits || compareText(a.folder, b.folder))
    .slice(0, MAX_FOLDERS);
}
