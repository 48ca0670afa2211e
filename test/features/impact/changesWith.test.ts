import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { changesWith } from '../../../server/src/features/impact/changesWith';
import { impact } from '../../../server/src/features/impact/impact';
import { NO_NODE, type NodeHandle } from '../../../server/src/model/ids';
import type { PastChanges } from '../../../server/src/workspace/pastChanges';
import { graphOf } from '../../helpers/graphOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const SKETCH = {
  'a.ts': { symbols: [{ name: 'f' }, { name: 'near' }] },
  'b.ts': { symbols: [{ name: 'g' }, { name: 'seldom' }, { name: 'large' }] },
  'docs.md': {},
};
/** Commits 5 to 9 changed very many files. */
const PLACES: Readonly<Record<string, readonly number[]>> = {
  'a.ts::f': [0, 1, 2, 3, 5, 6, 7],
  'a.ts::near': [0, 1, 2, 3],
  'b.ts::g': [0, 1, 2],
  'b.ts::seldom': [0, 4],
  'b.ts::large': [5, 6, 7],
  'gone.ts::gone': [0, 1, 2, 3],
  'a.ts': [0, 1, 2, 3, 4, 5],
  'b.ts': [0, 1, 2, 4, 5],
  'docs.md': [0, 1, 2, 3, 5],
};
const CHANGES: PastChanges = {
  head: 'c0',
  commits: Array.from({ length: 10 }, (_, at) => ({ hash: `c${at}`, time: 0, subject: '', files: at < 5 ? 2 : 500, isPlainMerge: false })),
  ids: Object.keys(PLACES).filter(id => id.includes('::')),
  files: Object.keys(PLACES).filter(id => !id.includes('::')),
  of: id => PLACES[id] ?? [],
};

test('what usually changes with a symbol is of other files, seen often enough, and not of commits that change everything', () => {
  const { view } = graphOf(SKETCH);
  const at = (id: string): ReadonlySet<NodeHandle> => new Set([view.find(id) ?? NO_NODE]);
  expect(changesWith(CHANGES, view, at('a.ts::f'))).toEqual([
    { id: 'docs.md', kind: 'file', path: 'docs.md', line: 0, support: 4, confidence: 1 },
    { id: 'b.ts::g', kind: 'function', path: 'b.ts', line: 1, support: 3, confidence: 0.75 },
  ]);
  expect(changesWith(CHANGES, view, at('b.ts::seldom'))).toEqual([]);
  expect(changesWith(CHANGES, view, at('b.ts::large'))).toEqual([]);
  expect(changesWith(undefined, view, at('a.ts::f'))).toEqual([]);
});

test('of files, files are told; a merge of several changes ties nothing together', async () => {
  const { view } = graphOf(SKETCH);
  const file = new Set([view.find('a.ts') ?? NO_NODE]);
  const rows = (changes: PastChanges) => changesWith(changes, view, file, true).map(({ confidence, id, support }) => [id, support, confidence]);
  expect(rows(CHANGES)).toEqual([
    ['b.ts', 4, 0.8],
    ['docs.md', 4, 0.8],
  ]);
  expect(rows({ ...CHANGES, commits: CHANGES.commits.map((commit, at) => ({ ...commit, isPlainMerge: at < 2 })) })).toEqual([]);
  const workspace = { ...workspaceOf(SKETCH), pastChanges: () => CHANGES };
  expect(await impact(workspace, { files: ['a.ts'] }, neverCancelled)).toMatchObject({
    ok: true,
    value: { changesWith: [{ id: 'b.ts' }, { id: 'docs.md' }] },
  });
});

test('impact tells it apart from the dependents', async () => {
  const workspace = { ...workspaceOf(SKETCH), pastChanges: () => CHANGES };
  const answer = await impact(workspace, { target: 'a.ts::f' }, neverCancelled);
  expect(answer).toMatchObject({ ok: true, value: { impacted: [], changesWith: [{ id: 'docs.md' }, { id: 'b.ts::g' }] } });
  const without = await impact(workspaceOf(SKETCH), { target: 'a.ts::f' }, neverCancelled);
  expect(without).toMatchObject({ ok: true });
  expect(without.ok && without.value).not.toHaveProperty('changesWith');
});
