import { expect, test } from 'vitest';
import { err, ok } from '../../../server/src/base/result';
import type { ImpactAnswer } from '../../../server/src/features/impact/impact';
import { REVERSE_NAMES } from '../../../server/src/features/shared/links';
import { paramRef } from '../../../server/src/model/hints';
import type { ChangedFile, Hunk, SymbolSpan } from '../../../server/src/workspace/changes';
import { askFeature } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

const hunk = (added: readonly [number, number] | undefined, removed?: readonly [number, number], text = 'x()'): Hunk => ({
  added: added && { start: added[0], end: added[1] },
  removed: removed && { start: removed[0], end: removed[1] },
  addedText: added === undefined ? [] : Array.from({ length: added[1] - added[0] + 1 }, () => text),
  removedText: removed === undefined ? [] : Array.from({ length: removed[1] - removed[0] + 1 }, () => text),
});
const span = (id: string, start: number, end: number): SymbolSpan => ({ id, start, end, nameLine: start });
const PAY: ChangedFile = { path: 'src/pay.ts', status: 'modified', hunks: [], before: [] };

async function since(files: readonly ChangedFile[], sketch: WorkspaceSketch = shop): Promise<ImpactAnswer> {
  const workspace = workspaceOf(sketch, { changes: () => ok({ since: 'HEAD', files, truncated: false }) });
  const answer = await askFeature('impact', workspace, { since: 'HEAD' });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value as ImpactAnswer;
}
const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(row => row.id);

test('changed lines are the innermost symbols around them', async () => {
  const answer = await since([{ ...PAY, hunks: [hunk([3, 3], [3, 3])], before: [span('src/pay.ts::Till', 1, 9), span('src/pay.ts::Till::add', 2, 4)] }]);
  expect(answer.changes?.symbols).toEqual(['src/pay.ts::Till::add']);
  expect(ids(answer.directDependents)).toEqual(['src/checkout.ts::checkout']);
  expect(ids(answer.transitiveTests)).toEqual(['test/checkout.test.ts']);
});

test('a test that changed together with what it covers covers it all the same', async () => {
  const files: ChangedFile[] = [
    { ...PAY, hunks: [hunk([12, 12])] },
    { ...PAY, path: 'test/pay.test.ts', hunks: [hunk([4, 4])] },
    { ...PAY, path: 'test/checkout.test.ts', hunks: [hunk([3, 3])] },
  ];
  const answer = await since(files);
  expect(answer.changes?.symbols).toContain('test/pay.test.ts::testTotal');
  expect(ids(answer.directTests)).toEqual(['test/pay.test.ts::testTotal']);
  expect(answer.directTests[0]?.via).toEqual(['src/pay.ts::total', 'test/pay.test.ts::testTotal']);
  expect(ids(answer.transitiveTests)).toEqual(['test/checkout.test.ts']);
  expect(answer.byRelation['called_by']).toContain('test/pay.test.ts::testTotal');
  expect([answer.counts.directTests, answer.counts.transitiveTests]).toEqual([1, 1]);
  const alone = await since([{ ...PAY, path: 'test/pay.test.ts', hunks: [hunk([4, 4])] }]);
  expect([alone.counts.directTests, alone.counts.impacted]).toEqual([0, 0]);
});

test('the line of a name changes what it holds too', async () => {
  const answer = await since([{ ...PAY, hunks: [hunk([1, 1])] }]);
  expect(answer.changes?.symbols).toEqual(['src/pay.ts::Till']);
  expect(answer.byRelation['called_by']).toEqual(['src/checkout.ts::checkout', 'test/checkout.test.ts']);
  expect(answer.byRelation['instantiated_by']).toEqual(['src/checkout.ts::checkout']);
});

test('who depends in two ways is in two of the 24 lists, and every list is there', async () => {
  const answer = await since([{ ...PAY, hunks: [hunk([1, 1])] }]);
  expect(Object.keys(answer.byRelation)).toEqual(REVERSE_NAMES);
  expect(REVERSE_NAMES).toHaveLength(24);
  expect(answer.byRelation['caught_by']).toEqual([]);
});

test('a deleted symbol is named, and its file counts as changed', async () => {
  const answer = await since([{ ...PAY, hunks: [hunk(undefined, [20, 22])], before: [span('src/pay.ts::refund', 20, 22)] }]);
  expect(answer.changes).toMatchObject({ symbols: [], deleted: ['src/pay.ts::refund'] });
  expect(answer.targets).toEqual(['src/pay.ts']);
  expect(ids(answer.directDependents)).toEqual(['src/checkout.ts']);
});

test('a deleted member changes what held it', async () => {
  const answer = await since([{ ...PAY, hunks: [hunk(undefined, [5, 6])], before: [span('src/pay.ts::Till::drop', 5, 6)] }]);
  expect(answer.changes?.deleted).toEqual(['src/pay.ts::Till::drop']);
  expect(answer.targets).toEqual([]);
  expect(ids(answer.directDependents)).toEqual(['src/checkout.ts::checkout']);
});

test('a symbol that moved with its renamed file is not deleted', async () => {
  const before = [span('src/till.ts::total', 1, 3)];
  const answer = await since([{ path: 'src/pay.ts', oldPath: 'src/till.ts', status: 'renamed', hunks: [hunk([12, 12], [2, 2])], before }]);
  expect(answer.changes).toMatchObject({ symbols: ['src/pay.ts::total'], deleted: [], files: [{ oldPath: 'src/till.ts' }] });
  expect(answer.targets).toContain('src/pay.ts');
});

test('in a range of commits the lines are those of its newer version', async () => {
  const after = [span('src/pay.ts::total', 40, 50), span('src/pay.ts::later', 60, 61)];
  const answer = await since([{ ...PAY, hunks: [hunk([41, 41]), hunk([60, 60])], after }]);
  expect(answer.changes?.symbols).toEqual(['src/pay.ts::total']);
});

test.each([
  ['import { x } from "y";', []],
  ['// a note', []],
  ['', []],
  ['  price,', []],
  ['register(total);', ['src/pay.ts']],
  ['export * from "./other";', ['src/pay.ts']],
])('%j outside symbols names %j as changed', async (text, targets) => {
  expect((await since([{ ...PAY, hunks: [hunk([10, 10], undefined, text)] }])).targets).toEqual(targets);
});

test('files that are not in the graph are told, deleted ones with their symbols', async () => {
  const answer = await since([
    { path: 'src/gone.ts', status: 'deleted', hunks: [hunk(undefined, [1, 2])], before: [span('src/gone.ts::gone', 1, 2)] },
    { path: 'yarn.lock', status: 'modified', hunks: [], before: [] },
  ]);
  expect(answer).toMatchObject({ targets: [], blastRadius: 0, risk: 'low', changes: { deleted: ['src/gone.ts::gone'], notIndexed: ['yarn.lock'] } });
});

test('a new file counts as a whole', async () => {
  const answer = await since([{ path: 'src/pay.ts', status: 'added', hunks: undefined, before: [] }]);
  expect(answer.changes?.symbols).toEqual(['src/pay.ts::Till', 'src/pay.ts::Till::add', 'src/pay.ts::total']);
  expect(ids(answer.directTests)).toEqual(['test/pay.test.ts::testTotal']);
});

test.each([
  ['VALIDATION_ERROR', 'VALIDATION_ERROR', 'since'],
  ['UNAVAILABLE', 'UNAVAILABLE', 'files'],
  ['GIT', 'UNAVAILABLE', 'files'],
])('%s of the source of changes is told as %s, with what to do', async (code, told, said) => {
  const workspace = workspaceOf(shop, { changes: () => err({ code, message: 'No such thing.' }) });
  const answer = await askFeature('impact', workspace, { since: 'nope' });
  expect(answer).toMatchObject({ ok: false, error: { code: told, message: 'No such thing.', hint: expect.arrayContaining([paramRef(said)]) } });
});

test('a folder without git is told by its reason, not by words alone', async () => {
  const workspace = workspaceOf(shop, { changes: () => err({ code: 'NO_GIT', message: 'No such thing.' }) });
  expect(await askFeature('impact', workspace, { since: 'HEAD' })).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', data: { reason: 'noGit' } } });
});

test('only one of target, files and since is taken', async () => {
  const answer = await askFeature('impact', workspaceOf(shop), { since: 'HEAD', target: 'total' });
  expect(answer).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
});

test('an empty since asks for what is not committed', async () => {
  const asked: unknown[] = [];
  const workspace = workspaceOf(shop, { changes: version => (asked.push(version), ok({ since: 'HEAD', files: [], truncated: false })) });
  await askFeature('impact', workspace, { since: '' });
  expect(asked).toEqual([undefined]);
});
