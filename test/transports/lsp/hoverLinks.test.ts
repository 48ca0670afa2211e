import { afterEach, expect, test } from 'vitest';
import type { Hover } from 'vscode-languageserver/node';
import { type LspDoor, lspDoor } from './lspDoor';

const COMMANDS = ['lattice.showImpact', 'lattice.showCallers', 'lattice.showTests', 'lattice.explainSymbol', 'lattice.openGraph'];

let door: LspDoor;
afterEach(() => door.close());

const HOVER = { id: 'src/a.ts::f(x)', name: 'f', lines: Array.from({ length: 9 }, (_, at) => `line ${at}`), atoms: [], path: '' };

function hover(): Promise<Hover> {
  return door.client.sendRequest('textDocument/hover', { textDocument: { uri: door.file }, position: { line: 0, character: 16 } });
}

const markdown = ({ contents }: Hover): string => (contents as { readonly value: string }).value;

test('the last of at most eight lines of a hover links to what the editor has', async () => {
  door = lspDoor({ hover: () => HOVER });
  await door.initialize({ commands: ['lattice.showImpact', 'lattice.explainSymbol'] });
  const lines = markdown(await hover()).split('\n');
  expect(lines).toHaveLength(8);
  const links = [...(lines.at(-1) ?? '').matchAll(/\[(\w+)\]\(command:([\w.]+)\?([^()\s]+)\)/g)];
  expect(links.map(([, title, command]) => [title, command])).toEqual([
    ['Impact', 'lattice.showImpact'],
    ['Explain', 'lattice.explainSymbol'],
  ]);
  expect(JSON.parse(decodeURIComponent(links[0]?.[3] ?? ''))).toEqual([{ id: HOVER.id, name: 'f', folder: door.folder }]);
});

test('settings that change later do not take the links away', async () => {
  door = lspDoor({ hover: () => HOVER });
  await door.initialize({ commands: COMMANDS });
  await door.settings({});
  expect(markdown(await hover())).toContain('command:lattice.openGraph');
});

test('another editor gets a hover without links', async () => {
  door = lspDoor({ hover: () => HOVER });
  await door.initialize();
  expect(markdown(await hover())).not.toContain('command:');
});
