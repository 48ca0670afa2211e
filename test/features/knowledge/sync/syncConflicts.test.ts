import { expect, test } from 'vitest';
import { FOLDER, Sharing } from './sharing';

interface Conflicting {
  readonly ada: Sharing;
  readonly id: string;
  readonly path: string;
}

async function begun(): Promise<Conflicting> {
  const ada = await Sharing.begin();
  const id = await ada.create({ name: 'Checkout', knowledge: 'one\n\ntwo' });
  await ada.export();
  return { ada, id, path: ada.fileOf(id) };
}

async function bothChanged(): Promise<Conflicting> {
  const one = await begun();
  await one.ada.update(one.id, { knowledge: 'MINE\n\ntwo' });
  one.ada.edit(one.path, 'one', 'THEIRS');
  await one.ada.import();
  return one;
}

async function fileGone(): Promise<Conflicting> {
  const one = await begun();
  await one.ada.update(one.id, { knowledge: 'MINE\n\ntwo' });
  one.ada.delete(one.path);
  await one.ada.import();
  return one;
}

async function rowGone(): Promise<Conflicting> {
  const one = await begun();
  await one.ada.remove(one.id);
  one.ada.edit(one.path, 'one', 'THEIRS');
  await one.ada.import();
  return one;
}

test.each([
  ['both changed', bothChanged, { reason: 'both_changed', fields: ['knowledge'], path: `${FOLDER}/atoms/checkout--00000000.md` }],
  ['file gone, row changed', fileGone, { reason: 'file_gone', fields: [], path: null }],
  ['row gone, file changed', rowGone, { reason: 'row_gone', fields: [], path: `${FOLDER}/atoms/checkout--00000000.md` }],
])('%s: neither side is touched, by import or export, until it is resolved', async (_, begin, conflict) => {
  const { ada, id } = await begin();
  const [rows, files] = [ada.all(), ada.files()];
  await ada.log(await ada.create({ name: 'Other' }), 'goes on');
  for (let round = 0; round < 2; round++) {
    expect((await ada.import()).conflicts).toEqual([{ id, kind: 'atom', name: 'Checkout', ...conflict }]);
    expect((await ada.export()).conflicts).toEqual([{ id, kind: 'atom', name: 'Checkout', ...conflict }]);
  }
  expect(await ada.conflicts()).toEqual([{ id, kind: 'atom', name: 'Checkout', ...conflict }]);
  expect(ada.all()).toEqual(expect.arrayContaining(rows));
  expect(ada.files()).toMatchObject(files);
  expect(Object.keys(ada.files()).filter(path => path.endsWith('.jsonl'))).toHaveLength(1);
});

test('the three sides are shown as files', async () => {
  const { ada, id, path } = await bothChanged();
  const { base, file, fileHash, local, version } = await ada.conflict(id);
  expect([base, local, file].map(text => text.split('---\n').at(-1))).toEqual(['one\n\ntwo\n', 'MINE\n\ntwo\n', 'THEIRS\n\ntwo\n']);
  expect(file).toBe(ada.read(path));
  expect([version, fileHash?.length]).toEqual([2, 64]);
  const gone = await fileGone();
  expect(await gone.ada.conflict(gone.id)).toMatchObject({ file: '', version: 2 });
  const removed = await rowGone();
  const sides = await removed.ada.conflict(removed.id);
  expect([sides.local, sides.version]).toEqual(['', undefined]);
});

test.each([
  ['both changed', bothChanged, 'local', 'MINE\n\ntwo'],
  ['both changed', bothChanged, 'file', 'THEIRS\n\ntwo'],
  ['file gone', fileGone, 'local', 'MINE\n\ntwo'],
  ['file gone', fileGone, 'file', undefined],
  ['row gone', rowGone, 'local', undefined],
  ['row gone', rowGone, 'file', 'THEIRS\n\ntwo'],
] as const)('%s, resolved by the %s side: row and file agree', async (_, begin, side, knowledge) => {
  const { ada, id } = await begin();
  await ada.resolve(id, { side });
  expect(ada.find(id)?.knowledge).toBe(knowledge);
  expect(await ada.conflicts()).toEqual([]);
  if (knowledge === undefined) expect(() => ada.fileOf(id)).toThrow('no file');
  else expect(ada.read(ada.fileOf(id))).toContain(`---\n${knowledge}\n`);
  const after = [ada.all(), ada.files()];
  expect(await ada.import()).toMatchObject({ created: 0, updated: 0, removed: 0, conflicts: [] });
  expect(await ada.export()).toMatchObject({ written: [], removed: [] });
  expect([ada.all(), ada.files()]).toEqual(after);
});

test('resolved by a text: both sides become it, as the next version', async () => {
  const { ada, id } = await bothChanged();
  const { local } = await ada.conflict(id);
  await ada.resolve(id, { text: local.replace('MINE', 'OURS').replace('"Checkout"', 'Till') });
  expect(ada.row(id)).toMatchObject({ name: 'Till', knowledge: 'OURS\n\ntwo', version: 3 });
  expect(ada.fileOf(id)).toBe('atoms/till--00000000.md');
  expect(await ada.import()).toMatchObject({ updated: 0, conflicts: [] });
});

test.each([
  ['markers', (text: string) => text.replace('MINE', '<<<<<<< mine\nMINE\n=======\nTHEIRS\n>>>>>>> theirs')],
  ['another id', (text: string) => text.replace('000000000001', '000000000009')],
  ['no patterns', (text: string) => text.replace('paths:\n  - "src/**"', 'paths: []')],
])('a text with %s resolves nothing', async (_, spoil) => {
  const { ada, id } = await bothChanged();
  const { fileHash = '', local, version = 0 } = await ada.conflict(id);
  expect(await ada.tryResolve({ id, text: spoil(local), version, fileHash })).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  expect(await ada.conflicts()).toHaveLength(1);
});

test('what was changed since the user looked is not resolved away', async () => {
  const { ada, id, path } = await bothChanged();
  const { fileHash = '', version = 0 } = await ada.conflict(id);
  await ada.update(id, { knowledge: 'MINE AGAIN\n\ntwo' });
  expect(await ada.tryResolve({ id, side: 'file', version, fileHash })).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
  ada.edit(path, 'THEIRS', 'THEIRS AGAIN');
  expect(await ada.tryResolve({ id, side: 'local', version: version + 1, fileHash })).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
  expect([ada.row(id).knowledge, ada.read(path).includes('THEIRS AGAIN')]).toEqual(['MINE AGAIN\n\ntwo', true]);
});

test('a conflict that is resolved in the file itself is over with the next import', async () => {
  const { ada, id, path } = await bothChanged();
  ada.edit(path, 'THEIRS', 'MINE');
  expect(await ada.import()).toMatchObject({ updated: 0, conflicts: [] });
  expect(await ada.conflicts()).toEqual([]);
  expect(await ada.tryResolve({ id, side: 'local' })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});
