import { expect, test } from 'vitest';
import { reconcile } from '../../../server/src/knowledge/sync/reconcile';
import type { SharedEntity } from '../../../server/src/knowledge/sync/sharedState';
import { idOf } from './generated';

const B: SharedEntity = {
  id: idOf(0),
  kind: 'atom',
  name: 'Checkout',
  moleculeId: null,
  paths: ['src/**'],
  related: [],
  knowledge: 'one\n\ntwo\n\nthree',
  createdByTaskId: 'manual',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const L = { ...B, knowledge: 'ONE\n\ntwo\n\nthree' };
const F = { ...B, knowledge: 'one\n\ntwo\n\nTHREE' };
const F_AGAINST_L = { ...B, knowledge: 'uno\n\ntwo\n\nthree' };

test.each([
  ['F = B, L = B: nothing to do', B, B, B, { kind: 'agree', isNewBase: false }],
  ['F = B, L changed: nothing to import', B, L, B, { kind: 'export' }],
  ['F = B, row deleted: export removes the file', B, undefined, B, { kind: 'exportDeletion' }],
  ['L = B, F changed: take F', B, B, F, { kind: 'import', how: 'update', entity: F }],
  ['both changed, equal: adopt', B, F, F, { kind: 'agree', isNewBase: true }],
  ['both changed, different: per field', B, L, F, { kind: 'import', how: 'merge', entity: { ...B, knowledge: 'ONE\n\ntwo\n\nTHREE' } }],
  ['both changed the same place', B, L, F_AGAINST_L, { kind: 'conflict', reason: 'both_changed', fields: ['knowledge'] }],
  ['no L, no B: create', undefined, undefined, F, { kind: 'import', how: 'create', entity: F }],
  ['no F, no B: write the file', undefined, L, undefined, { kind: 'export' }],
  ['no B, L = F: adopt', undefined, L, L, { kind: 'agree', isNewBase: true }],
  ['no B, different: nothing says who is right', undefined, L, F, { kind: 'conflict', reason: 'both_changed', fields: ['knowledge'] }],
  ['file gone, L = B: delete', B, B, undefined, { kind: 'importDeletion' }],
  ['file gone, L changed: conflict', B, L, undefined, { kind: 'conflict', reason: 'file_gone', fields: [] }],
  ['row gone, file changed since B: conflict', B, undefined, F, { kind: 'conflict', reason: 'row_gone', fields: [] }],
  ['both gone', B, undefined, undefined, { kind: 'forget' }],
])('%s', (_, base, local, file, verdict) => {
  expect(reconcile({ base, local, file })).toEqual(verdict);
});

const MANY = Array.from({ length: 12 }, (_, n) => `left/${n}/**`);
const related = (...entries: [n: number, reason: string][]): Partial<SharedEntity> => ({ related: entries.map(([n, reason]) => ({ id: idOf(n), reason })) });
const block = (time: string, text: string): string => `---[2026-01-0${time}T00:00:00.000Z task:manual]---\n${text}`;

test.each<[string, Partial<SharedEntity>, Partial<SharedEntity>, Partial<SharedEntity>, Partial<SharedEntity> | string]>([
  ['name: the side that changed wins', {}, {}, { name: 'F' }, { name: 'F' }],
  ['name: both changed', {}, { name: 'L' }, { name: 'F' }, 'name'],
  ['name and knowledge changed apart', {}, { name: 'L' }, { knowledge: 'F' }, { name: 'L', knowledge: 'F' }],
  ['molecule: the side that changed wins', {}, { moleculeId: idOf(1) }, { name: 'F' }, { moleculeId: idOf(1), name: 'F' }],
  [
    'molecule: left alone by both',
    { moleculeId: idOf(1) },
    { moleculeId: null, name: 'L' },
    { moleculeId: idOf(1), knowledge: '' },
    { moleculeId: null, name: 'L', knowledge: '' },
  ],
  ['molecule: both changed', {}, { moleculeId: idOf(1) }, { moleculeId: idOf(3) }, 'moleculeId'],
  [
    'paths: base order first, then what L added, then F',
    { paths: ['b', 'a'] },
    { paths: ['l', 'a', 'b'] },
    { paths: ['f', 'b', 'a'] },
    { paths: ['b', 'a', 'l', 'f'] },
  ],
  ['paths: removed on one side is removed', { paths: ['a', 'b'] }, { paths: ['b'] }, { paths: ['a', 'b', 'c'] }, { paths: ['b', 'c'] }],
  ['paths: together more than 20', {}, { paths: MANY }, { paths: MANY.map(path => `r${path}`) }, 'paths'],
  ['paths: together none', { paths: ['a', 'b'] }, { paths: ['a'] }, { paths: ['b'] }, 'paths'],
  ['related: by id', related([2, 'x']), related([2, 'x'], [4, 'l']), related([6, 'f'], [2, 'x']), related([2, 'x'], [4, 'l'], [6, 'f'])],
  ['related: a reason changed on one side', related([2, 'x']), related([2, 'l']), related([2, 'x'], [4, 'f']), related([2, 'l'], [4, 'f'])],
  ['related: removed on one side', related([2, 'x'], [4, 'y']), related([4, 'y']), related([2, 'x'], [4, 'y'], [6, 'f']), related([4, 'y'], [6, 'f'])],
  ['related: differing reasons', related([2, 'x']), related([2, 'l']), related([2, 'f']), 'related'],
  ['related: removed and changed', related([2, 'x']), related(), related([2, 'f']), 'related'],
  ['related: added with differing reasons', {}, related([2, 'l']), related([2, 'f']), 'related'],
  ['knowledge: lines apart', { knowledge: 'a\nb\nc' }, { knowledge: 'A\nb\nc' }, { knowledge: 'a\nb\nC' }, { knowledge: 'A\nb\nC' }],
  ['knowledge: lines inserted apart', { knowledge: 'a\nb' }, { knowledge: '0\na\nb' }, { knowledge: 'a\nb\nc' }, { knowledge: '0\na\nb\nc' }],
  ['knowledge: the same edit', { knowledge: 'a\nb' }, { knowledge: 'A\nb', name: 'L' }, { knowledge: 'A\nb' }, { knowledge: 'A\nb', name: 'L' }],
  ['knowledge: removed and changed', { knowledge: 'a\nb\nc' }, { knowledge: 'a\nc' }, { knowledge: 'a\nB\nc' }, 'knowledge'],
  [
    'knowledge: appended on both sides, in order of time',
    { knowledge: 'a' },
    { knowledge: `a\n\n${block('3', 'late')}` },
    { knowledge: `a\n\n${block('2', 'early')}` },
    { knowledge: `a\n\n${block('2', 'early')}\n\n${block('3', 'late')}` },
  ],
  [
    'knowledge: appended on both sides to nothing',
    { knowledge: '' },
    { knowledge: block('3', 'late') },
    { knowledge: block('2', 'early') },
    { knowledge: `${block('2', 'early')}\n\n${block('3', 'late')}` },
  ],
  [
    'knowledge: appended at one instant',
    { knowledge: 'a' },
    { knowledge: `a\n\n${block('2', 'l')}` },
    { knowledge: `a\n\n${block('2', 'f')}` },
    { knowledge: `a\n\n${block('2', 'f')}\n\n${block('2', 'l')}` },
  ],
  [
    'knowledge: appended on one side, edited above on the other',
    { knowledge: 'a\nb' },
    { knowledge: `a\nb\n\n${block('2', 'l')}` },
    { knowledge: 'a\nB' },
    { knowledge: `a\nB\n\n${block('2', 'l')}` },
  ],
  [
    'knowledge: an appended block edited on both sides',
    { knowledge: `a\n\n${block('2', 'x')}` },
    { knowledge: `a\n\n${block('2', 'l')}` },
    { knowledge: `a\n\n${block('2', 'f')}` },
    'knowledge',
  ],
  [
    'knowledge: together longer than 32 KB',
    { knowledge: 'a' },
    { knowledge: `a\n\n${block('2', 'l'.repeat(17_000))}` },
    { knowledge: `a\n\n${block('3', 'f'.repeat(17_000))}` },
    'knowledge',
  ],
])('%s', (_, base, local, file, expected) => {
  const verdict = reconcile({ base: { ...B, ...base }, local: { ...B, ...base, ...local }, file: { ...B, ...base, ...file } });
  if (typeof expected === 'string') expect(verdict).toEqual({ kind: 'conflict', reason: 'both_changed', fields: [expected] });
  else expect('entity' in verdict ? verdict.entity : verdict).toEqual({ ...B, ...base, ...expected });
});
