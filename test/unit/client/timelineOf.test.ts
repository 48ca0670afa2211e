import { expect, test } from 'vitest';
import { timelineOf } from '../../../client/src/graph/timelineOf';
import type { HistoryAnswer, PointsAnswer } from '../../../server/protocol/features';

const hash = (digit: string): string => digit.repeat(40);
const commit = (digit: string, at: number, subject: string): PointsAnswer['commits'][number] => ({
  word: `commit:${hash(digit)}`,
  commit: hash(digit),
  subject,
  at,
  files: 1,
});
const points = (more: Partial<PointsAnswer>): PointsAnswer => ({ references: [], commits: [], transactions: [], checkpoints: [], head: '', ...more });
const history = (items: HistoryAnswer['items']): HistoryAnswer => ({ id: 'a.ts::f', name: 'f', path: 'a.ts', items, total: items.length, commits: 9 });

test('commits, states between them and checkpoints stand in order of time, and those that changed the subject are marked', () => {
  const transaction = { at: 25, commit: hash('2'), isDirty: true, files: 2, word: 'tx::t1', agent: 'ada' };
  const offered = points({
    commits: [commit('2', 20, 'second'), commit('1', 10, 'first')],
    transactions: [transaction],
    checkpoints: [{ name: 'before', word: 'tx::t2', at: 15 }],
  });
  const changed = history([{ kind: 'commit', ref: hash('1'), at: 10, title: 'first' }]);
  expect(timelineOf(offered, changed)).toEqual([
    { word: `commit:${hash('1')}`, at: 10, kind: 'commit', title: 'first', note: '1111111', changes: true },
    { word: 'tx::t2', at: 15, kind: 'checkpoint', title: 'before' },
    { word: `commit:${hash('2')}`, at: 20, kind: 'commit', title: 'second', note: '2222222' },
    { word: 'tx::t1', at: 25, kind: 'transaction', title: '2 files changed', note: 'ada' },
  ]);
});

test('a transaction that only took up a commit, or that is a checkpoint, is not listed beside it', () => {
  const transaction = (word: string, isDirty: boolean): PointsAnswer['transactions'][number] => ({ at: 21, commit: hash('2'), isDirty, files: 1, word });
  const offered = points({
    commits: [commit('2', 20, 'second')],
    transactions: [transaction('tx::clean', false), transaction('tx::marked', true)],
    checkpoints: [{ name: 'here', word: 'tx::marked', at: 21 }],
  });
  expect(timelineOf(offered, undefined).map(({ word }) => word)).toEqual([`commit:${hash('2')}`, 'tx::marked']);
});

test('commits that changed the subject are offered however old they are', () => {
  const newest = Array.from({ length: 100 }, (_, place) => commit(String.fromCharCode(97 + (place % 6)).concat(String(place)), 1000 - place, `c${place}`));
  const old: HistoryAnswer['items'][number] = { kind: 'commit', ref: hash('9'), at: 1, title: 'long ago' };
  const offered = timelineOf(points({ commits: newest }), history([old]));
  expect(offered).toHaveLength(61);
  expect(offered[0]).toMatchObject({ title: 'long ago', changes: true });
});
