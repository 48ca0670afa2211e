import { expect, test } from 'vitest';
import { sparkline } from '../../../client/src/views/sparkline';
import { ACTIVITY_WEEKS, activityOf } from '../../../server/src/features/overview/activity';
import { pastChangesOf } from '../../helpers/pastChangesOf';

const WEEK = 7 * 24 * 3600;
const NOW = 1e9;

test('commits are counted once for each folder and week, without mass changes and plain merges', () => {
  const made = pastChangesOf([
    { subject: 'now', changed: ['src/a/x.ts', 'src/a/deep/y.ts', 'readme.md'] },
    { subject: 'last week', changed: ['src/a/x.ts'] },
    { subject: 'everything', changed: ['src/a/x.ts', 'src/b/z.ts'], files: 200 },
    { subject: 'a merge', changed: ['src/b/z.ts'] },
    { subject: 'long ago', changed: ['src/b/z.ts'] },
  ]);
  const ages = [0, 1.5 * WEEK, WEEK, WEEK, (ACTIVITY_WEEKS + 1) * WEEK];
  const commits = made.commits.map((commit, at) => ({ ...commit, time: NOW - (ages[at] ?? 0), isPlainMerge: at === 3 }));
  const rows = activityOf({ ...made, commits }, NOW * 1000);
  expect(rows.map(({ commits: count, folder, weeks }) => [folder, count, weeks.slice(-3)])).toEqual([
    ['src/a', 2, [0, 1, 1]],
    ['', 1, [0, 0, 1]],
  ]);
  expect(rows[0]?.weeks).toHaveLength(ACTIVITY_WEEKS);
  expect(activityOf(undefined, NOW)).toEqual([]);
});

test('a line of bars is as high as its weeks, and a single commit is seen', () => {
  expect(sparkline([0, 1, 50, 100])).toBe('▁▂▅█');
  expect(sparkline([0, 0])).toBe('▁▁');
});
