import { afterEach, expect, test } from 'vitest';
import type { DocumentLink } from 'vscode-languageserver/node';
import { type LspDoor, lspDoor } from './lspDoor';

const row = (id: string, kind: string, nameLine: number) => {
  const [path = '', ...names] = id.split('::');
  return { id, name: names.at(-1) ?? path, kind, path, startLine: nameLine, endLine: nameLine + 4, nameLine, nameColumn: 7 };
};
const CART = row('src/a.ts::Cart', 'class', 3);
const ADD = row('src/a.ts::add', 'function', 9);

let door: LspDoor;
afterEach(() => door.close());

test('ids of nodes in prose are links; other text is not', async () => {
  door = lspDoor({ nodesById: ({ ids }: { readonly ids: readonly string[] }) => ({ nodes: [CART, ADD].filter(node => ids.includes(node.id)) }) });
  await door.initialize();
  const text = 'See `src/a.ts::Cart`, src/a.ts::add.\nNot std::vector, nor src/a.ts::gone or https://a.b/c.ts.\n';
  const textDocument = { uri: door.file.replace('a.ts', 'notes.md') };
  await door.client.sendNotification('textDocument/didOpen', { textDocument: { ...textDocument, languageId: 'markdown', version: 1, text } });
  const links = await door.client.sendRequest<DocumentLink[]>('textDocument/documentLink', { textDocument });
  expect(links.map(({ range, target }) => [range.start, range.end.character, target])).toEqual([
    [{ line: 0, character: 5 }, 19, `${door.file}#L3,8`],
    [{ line: 0, character: 22 }, 35, `${door.file}#L9,8`],
  ]);
});

test.each([
  ['auto', 1],
  ['always', 2],
  ['never', 0],
])('with lattice.documentLinks.enable = %s what is a link already gets %i links', async (when, links) => {
  door = lspDoor({ nodesById: () => ({ nodes: [CART] }) });
  await door.initialize({ settings: { 'lattice.documentLinks.enable': when } });
  const text = 'src/a.ts::Cart, [src/a.ts::Cart](https://a.b)\n';
  const textDocument = { uri: door.file.replace('a.ts', 'notes.md') };
  await door.client.sendNotification('textDocument/didOpen', { textDocument: { ...textDocument, languageId: 'markdown', version: 1, text } });
  expect(await door.client.sendRequest<DocumentLink[]>('textDocument/documentLink', { textDocument })).toHaveLength(links);
});
