import { afterEach, expect, test } from 'vitest';
import { type LspDoor, lspDoor } from './lspDoor';

const row = (id: string, kind: string, nameLine: number) => {
  const [path = '', ...names] = id.split('::');
  return { id, name: names.at(-1) ?? path, kind, path, startLine: nameLine, endLine: nameLine + 4, nameLine, nameColumn: 7 };
};
const CART = row('src/a.ts::Cart', 'class', 3);

let door: LspDoor;
afterEach(() => door.close());

test('types lead to their supertypes and subtypes', async () => {
  const base = { item: CART, lines: [4], confidence: 1 };
  door = lspDoor({ typeHierarchyItem: () => ({ item: CART }), supertypes: () => ({ types: [base] }), subtypes: () => ({ types: [] }) });
  await door.initialize();
  const [item] = await door.client.sendRequest<object[]>('textDocument/prepareTypeHierarchy', {
    textDocument: { uri: door.file },
    position: { line: 2, character: 8 },
  });
  expect(item).toMatchObject({ name: 'Cart', uri: door.file, detail: 'src/a.ts' });
  expect(await door.client.sendRequest('typeHierarchy/supertypes', { item })).toMatchObject([{ name: 'Cart' }]);
  expect(await door.client.sendRequest('typeHierarchy/subtypes', { item })).toEqual([]);
});

test('where no type is there is no hierarchy', async () => {
  door = lspDoor({ typeHierarchyItem: () => ({ item: null }) });
  await door.initialize();
  expect(
    await door.client.sendRequest('textDocument/prepareTypeHierarchy', { textDocument: { uri: door.file }, position: { line: 0, character: 0 } }),
  ).toBeNull();
});
