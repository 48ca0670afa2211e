import { afterEach, expect, test, vi } from 'vitest';
import type { Memento, Uri } from 'vscode';
import type { LatticeServer } from '../../../client/src/languageClient/latticeServer';
import type { PointsAnswer } from '../../../server/protocol/features';
import { Address, person } from '../../helpers/editorStandIn';

vi.mock('vscode', async () => (await import('../../helpers/editorStandIn')).editor);
const { ComparisonPoints } = await import('../../../client/src/changes/choosePoint');

const folder = Address.file('/shop') as unknown as Uri;
const MINUTE = 60_000;
const at = Date.UTC(2026, 10, 2, 10);
const NOTHING = { checkpoints: [], references: [], commits: [], transactions: [] } as unknown as PointsAnswer;
const SOME = {
  checkpoints: [{ name: 'before lunch', at, word: 'tx:4' }],
  references: [{ kind: 'tag', name: 'v1', at, word: 'tag:v1' }],
  commits: [{ commit: 'abcdef0123', subject: 'Fix $(x)', at, word: 'commit:abcdef0123' }],
  transactions: [{ at, commit: 'abcdef0123', isDirty: true, files: 2, agent: 'docs', word: 'tx:9' }],
} as unknown as PointsAnswer;

function pointsOf(answer: PointsAnswer) {
  const kept = new Map<string, unknown>();
  const marked: unknown[] = [];
  const storage = { get: (key: string) => kept.get(key), update: async (key: string, value: unknown) => void kept.set(key, value) } as unknown as Memento;
  const ask = async (feature: string, params: unknown): Promise<unknown> => (feature === 'points' ? answer : marked.push(params));
  return { points: new ComparisonPoints(storage, { ask } as unknown as LatticeServer), marked };
}

afterEach(() => vi.useRealTimers());

test('every kind of state is a row with what names it; sections without rows are left out', async () => {
  const { points } = pointsOf(SOME);
  for (const [label, start] of [
    ['Start of the Branch', 'branch'],
    ['Last Commit', { word: 'commit:HEAD', label: 'the last commit' }],
    ['before lunch', { word: 'tx:4', label: 'before lunch' }],
    ['v1', { word: 'tag:v1', label: 'v1' }],
    // What a subject writes is no icon.
    ['Fix $ (x)', { word: 'commit:abcdef0123', label: 'abcdef0' }],
  ] as const) {
    person.will(label);
    expect(await points.choose(folder, 'Compare')).toEqual(start);
  }
  const { rows = [] } = person.asked[0] ?? {};
  expect(rows.filter(({ kind }) => kind === -1).map(({ label }) => label)).toEqual(['Checkpoints', 'Branches and tags', 'Commits', 'Transactions']);
  expect(rows.at(-1)?.description).toContain('abcdef0 with uncommitted changes · 2 files · docs');
  person.will(undefined);
  expect(await pointsOf(NOTHING).points.choose(folder, 'Compare')).toBeUndefined();
  expect(person.asked[0]?.rows.map(({ kind }) => kind)).not.toContain(-1);
});

test('a typed state is taken without the spaces around it; an empty one is none', async () => {
  const { points } = pointsOf(NOTHING);
  for (const [typed, start] of [
    [' 2026-01-31 ', { word: '2026-01-31', label: '2026-01-31' }],
    ['  ', undefined],
    [undefined, undefined],
  ] as const) {
    person.will('Enter Commit, Date, or Transaction...', typed);
    expect(await points.choose(folder, 'Compare')).toEqual(start);
  }
});

test('the state that was last viewed is offered once the window was left for more than half an hour', async () => {
  const { points } = pointsOf(NOTHING);
  const offered = async (): Promise<readonly string[]> => {
    person.will(undefined);
    await points.choose(folder, 'Compare');
    return person.asked[0]?.rows.map(({ label }) => label).filter(label => label.endsWith('Last Viewed')) ?? [];
  };
  await points.seen(at);
  await points.seen(at + 29 * MINUTE);
  expect(await offered()).toEqual([]);
  await points.seen(at + 60 * MINUTE);
  // What came after the return does not take its place.
  await points.seen(at + 61 * MINUTE);
  expect(await offered()).toHaveLength(1);
  person.will('Last Viewed');
  expect(await points.choose(folder, 'Compare')).toEqual({ word: new Date(at + 29 * MINUTE).toISOString(), label: 'last viewed' });
});

test('a checkpoint is marked under its name; without one nothing is', async () => {
  const { marked, points } = pointsOf(NOTHING);
  person.will(' before lunch ');
  expect(await points.mark(folder)).toBe('before lunch');
  for (const nothing of ['  ', undefined]) {
    person.will(nothing);
    expect(await points.mark(folder)).toBeUndefined();
  }
  expect(marked).toEqual([{ name: 'before lunch' }]);
});
