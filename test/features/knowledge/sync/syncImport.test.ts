import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { historyOf } from '../../../../server/src/knowledge/versions';
import { FOLDER, Sharing, sharedAtom, temporaryFolder } from './sharing';

test('another machine gets everything, with the ids and version 1', async () => {
  const { ada, id } = await sharedAtom();
  await ada.update(id, { name: 'Checkout Page' });
  await ada.log(id, 'why');
  await ada.export();
  const bob = await Sharing.begin(ada.root, 'b');
  expect(await bob.import()).toMatchObject({ created: 1, updated: 0, removed: 0, entries: 1, conflicts: [] });
  expect(bob.all()).toEqual(ada.all());
  expect(bob.row(id)).toMatchObject({ version: 1, lastTaskId: 'import' });
  expect(bob.summaries(id)).toEqual(['why']);
  expect(await bob.import()).toMatchObject({ created: 0, updated: 0, merged: 0, removed: 0, entries: 0 });
  expect((await bob.export()).written).toEqual([]);
});

test('F = B: nothing is imported; a deleted row removes the file with its changelog', async () => {
  const { ada, id } = await sharedAtom();
  await ada.log(id, 'why');
  await ada.export();
  await ada.update(id, { knowledge: 'newer' });
  await ada.import();
  expect(ada.row(id)).toMatchObject({ version: 2, knowledge: 'newer', lastTaskId: 'manual' });
  await ada.remove(id);
  await ada.import();
  expect(ada.all()).toEqual([]);
  expect((await ada.export()).removed).toHaveLength(2);
  expect(Object.keys(ada.files())).toEqual(['.gitattributes', 'manifest.json']);
});

test('L = B, F changed: the file is taken as the next version, written by import', async () => {
  const { ada, id, path } = await sharedAtom();
  ada.edit(path, 'three', 'THREE');
  ada.edit(path, '"Checkout"', 'Till');
  expect(await ada.import()).toMatchObject({ updated: 1, merged: 0 });
  expect(ada.row(id)).toMatchObject({ name: 'Till', knowledge: 'one\n\ntwo\n\nTHREE', version: 2, lastTaskId: 'import' });
});

test.each([1, 1000])('what is written while an import is prepared (%i times) is merged with, not overwritten', async times => {
  const { ada, id, path } = await sharedAtom();
  ada.edit(path, 'three', 'THREE');
  let left = times;
  let isWriting = false;
  ada.meanwhile = async () => {
    // Not while the write itself is under way, and only between the steps of the import.
    if (isWriting || left-- <= 0) return;
    isWriting = true;
    await ada.update(id, { knowledge: `ONE ${left}\n\ntwo\n\nthree` });
    isWriting = false;
  };
  expect(await ada.import()).toMatchObject({ updated: 1, merged: 1, conflicts: [] });
  expect(ada.row(id).knowledge).toMatch(/^ONE \d+\n\ntwo\n\nTHREE$/);
  const { versions = [] } = historyOf(ada.records, id) ?? {};
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => versions.length - at));
});

test('both changed, equal: adopted, and nothing is written', async () => {
  const { ada, id, path } = await sharedAtom();
  ada.edit(path, 'three', 'THREE');
  await ada.update(id, { knowledge: 'one\n\ntwo\n\nTHREE' });
  expect(await ada.import()).toMatchObject({ updated: 0, conflicts: [] });
  expect(ada.row(id)).toMatchObject({ version: 2, lastTaskId: 'manual' });
  expect((await ada.export()).written).toEqual([]);
  ada.edit(path, 'THREE', 'three');
  expect(await ada.import()).toMatchObject({ updated: 1, merged: 0 });
});

test('both changed, different: merged per field as the next version, and the file follows', async () => {
  const { ada, id, path } = await sharedAtom();
  ada.edit(path, 'three', 'THREE');
  await ada.update(id, { knowledge: 'ONE\n\ntwo\n\nthree', paths: ['src/**', 'lib/**'] });
  expect(await ada.import()).toMatchObject({ updated: 1, merged: 1, conflicts: [] });
  expect(ada.row(id)).toMatchObject({ knowledge: 'ONE\n\ntwo\n\nTHREE', paths: ['src/**', 'lib/**'], version: 3, lastTaskId: 'import' });
  await ada.export();
  expect(ada.read(path)).toContain('ONE\n\ntwo\n\nTHREE\n');
  expect(await ada.import()).toMatchObject({ updated: 0, merged: 0 });
});

test('file gone, L = B: the row goes, and members of a molecule become orphans', async () => {
  const ada = await Sharing.begin();
  const molecule = await ada.create({ entityType: 'molecule', name: 'M' });
  const atom = await ada.create({ name: 'A', moleculeId: molecule });
  await ada.export();
  ada.delete(ada.fileOf(molecule));
  expect(await ada.import()).toMatchObject({ removed: 1 });
  expect(ada.find(molecule)).toBeUndefined();
  expect(ada.row(atom)).toMatchObject({ moleculeId: null, version: 2, lastTaskId: 'import' });
  await ada.export();
  expect(ada.read(ada.fileOf(atom))).not.toContain('molecule');
});

test('changelogs become the union by id, whatever the order of lines', async () => {
  const { ada, id } = await sharedAtom();
  await ada.log(id, 'first');
  await ada.export();
  const [path = ''] = Object.keys(ada.files()).filter(name => name.endsWith('.jsonl'));
  const line = '{"id":"changelog::11111111-0000-4000-8000-000000000001","taskId":"import","summary":"theirs","createdAt":"2020-01-01T00:00:00.000Z"}\n';
  ada.write(path, `${ada.read(path)}\r\n${line}${line}`);
  await ada.log(id, 'second');
  expect(await ada.import()).toMatchObject({ entries: 1, problems: [] });
  expect(ada.summaries(id)).toEqual(['theirs', 'first', 'second']);
  await ada.export();
  expect(
    ada
      .read(path)
      .split('\n')
      .map(text => (text === '' ? '' : (JSON.parse(text) as { summary: string }).summary)),
  ).toEqual(['theirs', 'first', 'second', '']);
});

test('unknown references are kept and reported', async () => {
  const { ada, id, path } = await sharedAtom();
  const gone = 'molecule::99999999-0000-4000-8000-000000000001';
  ada.edit(path, 'paths:', `molecule: ${gone}\npaths:`);
  const { problems } = await ada.import();
  expect(problems).toEqual([expect.objectContaining({ severity: 'warning', message: `It refers to ${gone}, which does not exist.` })]);
  expect(ada.row(id)).toMatchObject({ moleculeId: gone });
});

test('one import is one transaction', async () => {
  const { ada } = await sharedAtom();
  await ada.create({ name: 'Second' });
  await ada.export();
  const bob = await Sharing.begin(ada.root, 'b');
  const { time } = bob.records;
  await bob.import();
  expect(bob.records.time).toBe(time + 1);
  expect(bob.all()).toHaveLength(2);
});

test('an import that deletes more than 10 entities and over 25 % asks first', async () => {
  const ada = await Sharing.begin();
  for (let n = 0; n < 44; n++) await ada.create({ name: `Atom ${n}` });
  await ada.export();
  const paths = Object.keys(ada.files()).filter(path => path.startsWith('atoms/'));
  for (const path of paths.slice(0, 11)) ada.delete(path);
  expect(await ada.import()).toMatchObject({ removed: 11 });
  for (const path of paths.slice(11, 22)) ada.delete(path);
  expect(await ada.import()).toEqual({ question: { removed: 11, total: 33, message: expect.stringContaining('11 of 33') } });
  expect(ada.all()).toHaveLength(33);
  expect((await ada.open()).question).toMatchObject({ removed: 11, total: 33 });
  expect(await ada.import({ mayRemoveMany: true })).toMatchObject({ removed: 11 });
  expect((await ada.open()).question).toBeUndefined();
  for (const path of paths.slice(22, 32)) ada.delete(path);
  expect(await ada.import()).toMatchObject({ removed: 10 });
});

test('many whose files are gone can be kept: their files are written again', async () => {
  const ada = await Sharing.begin();
  for (let n = 0; n < 12; n++) await ada.create({ name: `Atom ${n}` });
  await ada.export();
  const files = ada.files();
  ada.delete('.');
  expect(await ada.import()).toHaveProperty('question');
  expect(await ada.import({ keepRemoved: true })).toMatchObject({ removed: 0 });
  expect((await ada.open()).question).toBeUndefined();
  await ada.export();
  expect([ada.files(), ada.all().length]).toEqual([files, 12]);
});

test('an unknown version of the format is refused, by import, export and check', async () => {
  const { ada } = await sharedAtom();
  ada.edit('manifest.json', '1', '2');
  const before = ada.files();
  const rows = ada.all();
  for (const outcome of [await ada.tryImport(), await ada.tryExport()]) {
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('The format version 2 is not supported') },
    });
  }
  expect((await ada.check()).problems).toEqual([expect.objectContaining({ path: `${FOLDER}/manifest.json`, severity: 'error' })]);
  expect([ada.files(), ada.all()]).toEqual([before, rows]);
});

test.each([
  ['its manifest is missing', (ada: Sharing) => ada.delete('manifest.json')],
  ['its manifest is broken', (ada: Sharing) => ada.write('manifest.json', '{')],
  ['it is of another format', (ada: Sharing) => ada.edit('manifest.json', 'lattice-knowledge', 'other')],
])('a folder is not used when %s', async (_, spoil) => {
  const { ada } = await sharedAtom();
  spoil(ada);
  expect(await ada.tryImport()).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  expect(ada.all()).toHaveLength(1);
});

const SPOILT: readonly (readonly [what: string, from: string, to: string, line: number, message: RegExp])[] = [
  ['conflict markers', 'two', '<<<<<<< HEAD\ntwo\n=======\nzwei\n>>>>>>> branch', 13, /conflict marker/],
  ['a key that is not known', 'kind: atom', 'kind: atom\ncolour: red', 4, /Unknown key "colour"/],
  ['a missing key', 'name: "Checkout"\n', '', 1, /name is missing/],
  ['an id that is none', 'id: atom::', 'id: atom:', 2, /id has the invalid value "atom:0/],
  ['a kind that does not fit', 'kind: atom', 'kind: molecule', 3, /does not match/],
  ['broken YAML', 'related: []', 'related: [', 8, /Invalid YAML/],
  ['a pattern that leaves the project', 'src/**', '../../**', 6, /paths/],
  ['no patterns', 'paths:\n  - "src/**"', 'paths: []', 5, /paths is empty/],
  ['a time that is none', 'createdAt: ', 'createdAt: x', 9, /createdAt has the invalid value "x/],
  ['too much text', 'two', 'x'.repeat(32_768), 11, /32768/],
  ['front matter without end', '---\none', 'one', 1, /is not closed/],
  ['an item that is no text', '  - "src/**"', '  - [a, b]', 6, /is not a string/],
];

test.each(SPOILT)('a file with %s is rejected with its line, and neither imported, deleted nor overwritten', async (_, from, to, line, message) => {
  const { ada, id, path } = await sharedAtom();
  ada.edit(path, from, to);
  const before = ada.files();
  await ada.update(id, { name: 'Newer' });
  const { problems = [], ...rest } = await ada.import();
  expect(problems[0]).toMatchObject({
    path: `${FOLDER}/${path}`,
    line,
    severity: 'error',
    message: expect.stringMatching(message),
    fix: expect.stringMatching(/\.$/),
  });
  expect(rest).toMatchObject({ updated: 0, removed: 0, conflicts: [] });
  expect(ada.row(id)).toMatchObject({ name: 'Newer', knowledge: 'one\n\ntwo\n\nthree' });
  await ada.export();
  expect(ada.files()).toEqual(before);
});

test('a file that says nothing of whose it is keeps every other entity from counting as gone', async () => {
  const { ada, id, path } = await sharedAtom();
  ada.write('atoms/strange.md', 'hello');
  ada.delete(path);
  expect(await ada.import()).toMatchObject({ removed: 0 });
  expect(ada.find(id)).toBeDefined();
  ada.delete('atoms/strange.md');
  expect(await ada.import()).toMatchObject({ removed: 1 });
});

test('two files of one id are both rejected', async () => {
  const { ada, id, path } = await sharedAtom();
  ada.write('atoms/copy--00000000.md', ada.read(path).replace('three', 'copy'));
  const { problems = [] } = await ada.import();
  expect(problems).toEqual([expect.objectContaining({ severity: 'error', message: expect.stringContaining(id) })]);
  expect(ada.row(id).version).toBe(1);
});

test.runIf(process.platform !== 'win32')('links are not followed, files outside are not touched', async () => {
  const { ada, path } = await sharedAtom();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'secret.md'), ada.read(path).replaceAll('0000-000000000001', '0000-000000000077'));
  symlinkSync(join(outside, 'secret.md'), join(ada.root, FOLDER, 'atoms', 'link--00000000.md'));
  const { created, problems = [] } = await ada.import();
  expect(created).toBe(0);
  expect(problems[0]).toMatchObject({ path: `${FOLDER}/atoms/link--00000000.md`, message: 'This is a symbolic link, which is not supported.' });

  const other = await Sharing.begin();
  cpSync(join(ada.root, FOLDER), join(outside, 'knowledge'), { recursive: true });
  mkdirSync(join(other.root, '.lattice'));
  symlinkSync(join(outside, 'knowledge'), join(other.root, FOLDER));
  await other.create({ name: 'Mine' });
  expect(await other.tryImport()).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  expect(await other.tryExport()).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });

  rmSync(join(other.root, FOLDER));
  mkdirSync(join(other.root, FOLDER));
  symlinkSync(outside, join(other.root, FOLDER, 'atoms'));
  const { problems: refused } = await other.export();
  expect(refused.map(({ message }) => message)).toEqual([
    'This is a symbolic link, which is not supported.',
    expect.stringContaining('is a symbolic link or not a folder. Nothing was written'),
  ]);
});

test('what is off or not trusted does nothing', async () => {
  const { ada, path } = await sharedAtom();
  ada.edit(path, 'three', 'THREE');
  ada.settings = { sync: 'manual', trusted: false };
  expect(await ada.tryImport()).toMatchObject({ ok: false, error: { code: 'FORBIDDEN', message: expect.stringContaining('not trusted') } });
  ada.settings = { sync: 'off', trusted: true };
  expect(await ada.tryImport()).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  expect(await ada.tryExport()).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  expect(ada.all()).toEqual([expect.objectContaining({ knowledge: 'one\n\ntwo\n\nthree' })]);
});
