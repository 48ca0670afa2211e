import { expect, test } from 'vitest';
import { type FileVersion, joinedChanges } from '../../server/src/engine/changes/versions/fileVersion';
import { versionsBetween } from '../../server/src/engine/changes/versions/graphVersions';
import { groupsOf, horizonOf, type KeptStep } from '../../server/src/engine/changes/versions/retention';
import { graphOf } from '../helpers/graphOf';

const DAY = 24 * 3_600_000;
const NOW = 1_000 * DAY;
/** Oldest first: one a day, the newest now. */
const steps = (count: number, bytes = 1024): KeptStep[] =>
  Array.from({ length: count }, (_, at) => ({ txId: `t${at}`, at: NOW - (count - 1 - at) * DAY, bytes }));
const NONE = { keepDays: 0, keepTransactions: 0, maxMegabytes: 0 };

test('history begins where all limits are met; 0 is no limit, and the newest 20 always stay', () => {
  expect(horizonOf(steps(100), NONE, NOW)).toBe(0);
  expect(horizonOf(steps(100), { ...NONE, keepDays: 30 }, NOW)).toBe(100 - 31);
  expect(horizonOf(steps(100), { ...NONE, keepTransactions: 40 }, NOW)).toBe(60);
  expect(horizonOf(steps(100, 1024 * 1024), { ...NONE, maxMegabytes: 25 }, NOW)).toBe(75);
  expect(horizonOf(steps(100), { keepDays: 50, keepTransactions: 30, maxMegabytes: 64 }, NOW)).toBe(70);
  expect(horizonOf(steps(100), { ...NONE, keepTransactions: 1 }, NOW)).toBe(80);
  expect(horizonOf(steps(5), { keepDays: 1, keepTransactions: 1, maxMegabytes: 0 }, NOW)).toBe(0);
  expect(horizonOf([], NONE, NOW)).toBe(0);
});

test('before the horizon only what is pinned is a point of its own; what lies between becomes one step', () => {
  const names = groupsOf(steps(8), 5, new Set(['t1', 't3'])).map(group => group.map(({ txId }) => txId).join(' '));
  expect(names).toEqual(['t0 t1', 't2 t3', 't4 t5', 't6', 't7']);
});

test('two steps of a file are one from the first to the last; what came and went is none', () => {
  const version = (contentHash: string): FileVersion => ({ contentHash, sizeBytes: 1, isBinary: false, isGenerated: false, isMinified: false, factsKey: null });
  const [a, b, c] = [version('a'), version('b'), version('c')];
  const joined = joinedChanges(
    [
      { path: 'x', before: a, after: b },
      { path: 'brief', before: null, after: a },
      { path: 'only first', before: null, after: a },
    ],
    [
      { path: 'x', before: b, after: c },
      { path: 'brief', before: a, after: null },
      { path: 'only second', before: a, after: null },
    ],
  );
  expect(joined).toEqual([
    { path: 'x', before: a, after: c },
    { path: 'only first', before: null, after: a },
    { path: 'only second', before: a, after: null },
  ]);
});

test('versions are of nodes whose content changed and of edges that came or went, whatever line they are on', () => {
  const call = (to: string) => ({ from: 'use', relation: 'CALLS' as const, to });
  const before = graphOf({
    'a.ts': {
      symbols: [
        { name: 'same', hash: 's' },
        { name: 'edited', hash: '1' },
        { name: 'left', hash: 'm' },
      ],
    },
    'b.ts': { symbols: [{ name: 'use', hash: 'u' }], references: [call('a.ts::left'), call('a.ts::same')] },
  });
  const after = graphOf({
    'a.ts': {
      symbols: [
        { name: 'same', hash: 's', lines: [9, 12] },
        { name: 'edited', hash: '2' },
      ],
    },
    'c.ts': { symbols: [{ name: 'right', hash: 'm' }] },
    'b.ts': { symbols: [{ name: 'use', hash: 'u' }], references: [call('a.ts::same'), call('c.ts::right')] },
  });
  const { ended, endedEdges, started, startedEdges } = versionsBetween(before.view, after.view, ['a.ts', 'b.ts', 'c.ts']);
  const symbols = started.filter(({ kind }) => kind !== 'file');
  expect(symbols).toMatchObject([
    { id: 'a.ts::edited', supersedes: true },
    { id: 'c.ts::right', supersedes: false, renamedFrom: 'a.ts::left' },
  ]);
  expect(ended.filter(id => id.includes('::'))).toEqual(['a.ts::edited', 'a.ts::left']);
  const calls = (edges: typeof startedEdges) => edges.filter(([, relation]) => relation === 'CALLS').map(([, , target]) => target);
  expect([calls(startedEdges), calls(endedEdges)]).toEqual([['c.ts::right'], ['a.ts::left']]);
});
