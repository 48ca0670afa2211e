import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { historyOf, lastChangeOf } from '../../../server/src/features/explain/symbolHistory';
import { NO_NODE, type NodeHandle } from '../../../server/src/model/ids';
import type { PastChanges } from '../../../server/src/workspace/pastChanges';
import { graphOf } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const DAY = 24 * 3600;
const NOW = Date.UTC(2026, 5, 1);
const SKETCH = { 'a.ts': { symbols: [{ name: 'f' }, { name: 'g' }, { name: 'untouched' }] } };
const daysAgo = (days: number): number => NOW / 1000 - days * DAY;
const commit = (hash: string, days: number) => ({ hash, time: daysAgo(days), subject: `did ${hash}`, files: 2, isPlainMerge: false });
const PLACES: Readonly<Record<string, readonly number[]>> = { 'a.ts::f': [0, 2, 3], 'a.ts::g': [1, 2], 'a.ts': [0, 1, 2, 3] };
const CHANGES: PastChanges = {
  head: 'c0',
  commits: [commit('c0', 21), commit('c1', 30), commit('c2', 60), commit('c3', 800)],
  ids: ['a.ts::f', 'a.ts::g'],
  files: ['a.ts'],
  of: id => PLACES[id] ?? [],
};

const asked: (readonly string[])[] = [];
const workspace = {
  ...workspaceOf(SKETCH),
  pastChanges: () => CHANGES,
  authorsOf: async (hashes: readonly string[]) => {
    asked.push(hashes);
    return new Map([['c0', 'Ada']]);
  },
};
const { view } = graphOf(SKETCH);
const node = (id: string): NodeHandle => view.find(id) ?? NO_NODE;

test('a symbol has a version for each commit that changed it, with who made those that are shown', async () => {
  expect(await historyOf(workspace, view, node('a.ts::f'), 2, neverCancelled)).toEqual({
    versions: [
      { commit: 'c0', validFrom: daysAgo(21) * 1000, subject: 'did c0', author: 'Ada', files: 2 },
      { commit: 'c2', validFrom: daysAgo(60) * 1000, validTo: daysAgo(21) * 1000, subject: 'did c2', files: 2 },
    ],
    total: 3,
    commits: 4,
  });
  expect(asked).toEqual([['c0', 'c2']]);
  expect((await historyOf(workspace, view, node('a.ts'), 10, neverCancelled))?.versions.map(version => version.commit)).toEqual(['c0', 'c1', 'c2', 'c3']);
  expect(await historyOf(workspace, view, node('a.ts::untouched'), 10, neverCancelled)).toEqual({ versions: [], total: 0, commits: 4 });
  expect(await historyOf(workspaceOf(SKETCH), view, node('a.ts::f'), 10, neverCancelled)).toBeUndefined();
});

test('a hover tells when a symbol last changed, and how often in a year', () => {
  expect(lastChangeOf(CHANGES, view, node('a.ts::f'), NOW)).toBe('Changed 3 weeks ago, 2 times in the last year');
  expect(lastChangeOf(CHANGES, view, node('a.ts::g'), NOW + 400 * DAY * 1000)).toBe('Changed 1 year ago');
  expect(lastChangeOf(CHANGES, view, node('a.ts::g'), daysAgo(30) * 1000 + 5)).toBe('Changed just now, 2 times in the last year');
  expect(lastChangeOf(CHANGES, view, node('a.ts::untouched'), NOW)).toBeUndefined();
  expect(lastChangeOf(CHANGES, view, node('a.ts'), NOW)).toBeUndefined();
  expect(lastChangeOf(undefined, view, node('a.ts::f'), NOW)).toBeUndefined();
});
