import { afterEach, expect, test } from 'vitest';
import type { Hover } from 'vscode-languageserver/node';
import { type LspDoor, lspDoor } from './lspDoor';

const COMMANDS = ['lattice.showImpact', 'lattice.showReferences', 'lattice.showTests', 'lattice.explainSymbol', 'lattice.openGraph'];

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

test('figures of a hover are links to what they count, and text where the editor has no such command', async () => {
  const figures = { ...HOVER, lines: ['[3 tests](lattice:tests) · [2 files](lattice:impact)'] };
  door = lspDoor({ hover: () => figures });
  await door.initialize({ commands: ['lattice.showTests'] });
  const [line] = markdown(await hover()).split('  \n');
  expect(line).toMatch(/^\[3 tests\]\(command:lattice\.showTests\?[^()\s]+\) · 2 files$/);
});

test('a hover knows whether the language has one of its own, and is registered for any document to stand below it', async () => {
  door = lspDoor({ hover: () => HOVER });
  const registered: unknown[] = [];
  door.client.onRequest(
    'client/registerCapability',
    (params: { readonly registrations: readonly { readonly method: string; readonly registerOptions: unknown }[] }) => {
      registered.push(...params.registrations.map(({ method, registerOptions }) => [method, registerOptions]));
    },
  );
  await door.initialize({}, { textDocument: { hover: { dynamicRegistration: true } } });
  await expect.poll(() => registered).toContainEqual(['textDocument/hover', { documentSelector: [{ language: '*' }] }]);
  const asked = (): unknown => door.host.gateway.queries.at(-1)?.params;
  await door.client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: door.file, languageId: 'typescript', version: 1, text: 'export function a() {}\n' },
  });
  await hover();
  expect(asked()).not.toHaveProperty('beside');
  await door.client.sendNotification('lattice/languagesWithoutProvider', { calls: [], types: [], symbols: [], hovers: ['python'] });
  await hover();
  expect(asked()).toMatchObject({ beside: true });
});
