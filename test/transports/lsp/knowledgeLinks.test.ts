import { afterEach, expect, test } from 'vitest';
import type { DocumentLink, Hover } from 'vscode-languageserver/node';
import { type LspDoor, lspDoor } from './lspDoor';

const CART = { id: 'src/a.ts::Cart', name: 'Cart', kind: 'class', path: 'src/a.ts', startLine: 3, endLine: 7, nameLine: 3, nameColumn: 7 };
const TEXT = `---
id: atom::00000000-0000-4000-8000-000000000001
kind: atom
name: "Cart"
---
Prices live in \`src/a.ts::Cart\`, not in std::vector.
`;

let door: LspDoor;
afterEach(() => door.close());

async function opened(): Promise<string> {
  door = lspDoor({
    nodesById: ({ ids }: { readonly ids: readonly string[] }) => ({ nodes: [CART].filter(node => ids.includes(node.id)) }),
    hover: ({ path, line, column }: { readonly path: string; readonly line: number; readonly column: number }) => ({
      lines: [`at ${path}:${line}:${column}`],
      id: CART.id,
      name: 'Cart',
      atoms: [],
      path: '',
    }),
  });
  await door.initialize();
  const uri = door.file.replace('src/a.ts', '.lattice/knowledge/atoms/cart--00000000.md');
  await door.client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'lattice-knowledge', version: 1, text: TEXT } });
  return uri;
}

test('ids of nodes in a knowledge file are links', async () => {
  const links = await linksIn(await opened());
  expect(links.map(({ range, target }) => [range.start, range.end.character, target])).toEqual([[{ line: 5, character: 16 }, 30, `${door.file}#L3,8`]]);
});

test.each([
  ['on the id', 5, 20, 'at src/a.ts:3:7'],
  ['beside it', 5, 3, undefined],
  ['on what only looks like one', 5, 45, undefined],
  ['in the front matter', 1, 10, undefined],
])('a hover %s', async (_, line, character, said) => {
  const textDocument = { uri: await opened() };
  const hover = await door.client.sendRequest<Hover | null>('textDocument/hover', { textDocument, position: { line, character } });
  if (said === undefined) expect(hover).toBeNull();
  else expect(JSON.stringify(hover)).toContain(said);
});

function linksIn(uri: string): Promise<DocumentLink[]> {
  return door.client.sendRequest('textDocument/documentLink', { textDocument: { uri } });
}
