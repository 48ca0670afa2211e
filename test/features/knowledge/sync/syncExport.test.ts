import { expect, test } from 'vitest';
import { FOLDER, Sharing, sharedAtom } from './sharing';

test('an export writes manifest, attributes, an entity per file and changelogs, with LF and without bookkeeping', async () => {
  const ada = await Sharing.begin();
  const api = await ada.create({ entityType: 'molecule', name: 'API Layer', knowledge: 'Rules' });
  const other = await ada.create({ name: 'Größe & Co' });
  const checkout = await ada.create({
    name: 'Checkout Page',
    paths: ['src/pages/checkout/**', 'src/*.ts'],
    moleculeId: api,
    related: [{ id: other, reason: 'says "hello"' }],
    knowledge: '# Checkout\r\n\r\n---\r\nMind the gap.\r\n',
  });
  await ada.log(checkout, 'moved\nhere');
  const uuid = checkout.slice('atom::'.length);
  const { written, problems } = await ada.export();
  expect(problems).toEqual([]);
  expect(written).toHaveLength(6);
  const files = ada.files();
  expect(files['manifest.json']).toBe('{\n  "format": "lattice-knowledge",\n  "formatVersion": 1\n}\n');
  expect(files['.gitattributes']).toBe('changelog/*.jsonl merge=union\n');
  expect(Object.keys(files)).toEqual([
    '.gitattributes',
    'atoms/checkout-page--00000000.md',
    'atoms/große-co--00000000.md'.replace('große', 'gro-e'),
    `changelog/atom-${uuid}.jsonl`,
    'manifest.json',
    'molecules/api-layer--00000000.md',
  ]);
  expect(files['atoms/checkout-page--00000000.md']).toBe(`---
id: ${checkout}
kind: atom
name: "Checkout Page"
molecule: ${api}
paths:
  - "src/pages/checkout/**"
  - "src/*.ts"
related:
  - { id: ${other}, reason: "says \\"hello\\"" }
createdByTaskId: manual
createdAt: ${ada.row(checkout).createdAt}
---
# Checkout

---
Mind the gap.
`);
  expect(files[`changelog/atom-${uuid}.jsonl`]).toMatch(
    /^\{"id":"changelog::[0-9a-f-]{36}","taskId":"manual","summary":"moved\\nhere","createdAt":"[^"]+"\}\n$/,
  );
});

test('entities of equal name and beginning of uuid get files of their own', async () => {
  const ada = await Sharing.begin();
  const ids = [await ada.create({ name: 'Same' }), await ada.create({ name: 'same!' })];
  await ada.export();
  expect(ids.map(id => ada.fileOf(id))).toEqual(ids.map(id => `atoms/same--${id.slice(6)}.md`));
  await ada.remove(ids[0] ?? '');
  await ada.export();
  expect(Object.keys(ada.files()).filter(path => path.endsWith('.md'))).toEqual(['atoms/same--00000000.md']);
});

test('an import first: an export leaves alone what is newer in the file', async () => {
  const { ada, id, path } = await sharedAtom();
  ada.edit(path, 'three', 'THREE');
  const before = ada.files();
  expect(await ada.export()).toMatchObject({ written: [], pending: [id] });
  expect(ada.files()).toEqual(before);
});

test('a rename moves the file; nothing is written where nothing is known', async () => {
  const { ada, id, path } = await sharedAtom();
  await ada.update(id, { name: 'Till' });
  expect(await ada.export()).toMatchObject({ written: [`${FOLDER}/atoms/till--00000000.md`], removed: [`${FOLDER}/${path}`] });
  expect(ada.fileOf(id)).toBe('atoms/till--00000000.md');
  const empty = await Sharing.begin();
  expect(await empty.export()).toMatchObject({ written: [] });
  expect(await empty.import()).toMatchObject({ created: 0 });
});

test('where a checkout took all files away nothing is written, so that Git can bring them back', async () => {
  const { ada } = await sharedAtom();
  for (const path of Object.keys(ada.files())) ada.delete(path);
  expect((await ada.export()).written).toEqual([]);
  expect(ada.files()).toEqual({});
  await ada.create({ name: 'New' });
  await ada.export();
  expect(Object.keys(ada.files())).toEqual(['.gitattributes', 'atoms/new--00000000.md', 'manifest.json']);
});
