import { afterEach, expect, test } from 'vitest';
import type { CodeLens, DocumentLink, Hover } from 'vscode-languageserver/node';
import { type LspDoor, lspDoor } from './lspDoor';

const row = (id: string, kind: string, nameLine: number) => {
  const [path = '', ...names] = id.split('::');
  return { id, name: names.at(-1) ?? path, kind, path, startLine: nameLine, endLine: nameLine + 4, nameLine, nameColumn: 7 };
};
const CART = row('src/a.ts::Cart', 'class', 3);
const ADD = row('src/a.ts::add', 'function', 9);
const LENSES = { 'lattice.codeLens.enable': true };
const COMMANDS = ['lattice.showImpact', 'lattice.showCallers', 'lattice.showTests', 'lattice.explainSymbol', 'lattice.openGraph'];

let door: LspDoor;
afterEach(() => door.close());

function lenses(): Promise<CodeLens[]> {
  return door.client.sendRequest('textDocument/codeLens', { textDocument: { uri: door.file } });
}

const COUNTS = { callers: 2, maybe: 1, tests: 0, blastRadius: 5, risk: 'low', isType: false };

test('code lenses are off until a folder switches them on, and come and go with the setting', async () => {
  door = lspDoor({ codeLenses: () => ({ symbols: [CART, ADD] }) });
  const refreshed: string[] = [];
  door.client.onRequest('workspace/codeLens/refresh', () => {
    refreshed.push('refresh');
    return null;
  });
  await door.initialize({}, { workspace: { codeLens: { refreshSupport: true } } });
  expect(await lenses()).toEqual([]);
  await door.settings(LENSES);
  await expect.poll(() => refreshed.length).toBe(1);
  const found = await lenses();
  expect(found.map(lens => lens.range.start.line)).toEqual([2, 2, 2, 8, 8, 8]);
  expect(found.every(lens => lens.command === undefined)).toBe(true);
  expect(door.host.gateway.queries.at(-1)?.params).toEqual({ path: 'src/a.ts', all: false });
  await door.settings({ ...LENSES, 'lattice.codeLens.symbols': 'all' });
  await lenses();
  expect(door.host.gateway.queries.at(-1)?.params).toEqual({ path: 'src/a.ts', all: true });
});

test('a new revision has the lenses asked for anew', async () => {
  door = lspDoor({});
  const refreshed: string[] = [];
  door.client.onRequest('workspace/codeLens/refresh', () => {
    refreshed.push('refresh');
    return null;
  });
  await door.initialize({ folders: [{ uri: door.folder, settings: LENSES }] }, { workspace: { codeLens: { refreshSupport: true } } });
  door.host.gateway.revisions.fire({ revision: 8, changed: [] });
  await expect.poll(() => refreshed.length).toBe(1);
});

async function titles(counts: Partial<typeof COUNTS>, commands = COMMANDS): Promise<(readonly [string, string])[]> {
  door = lspDoor({ codeLenses: () => ({ symbols: [ADD] }), lensCounts: () => ({ item: ADD, ...COUNTS, ...counts }) });
  await door.initialize({ commands, folders: [{ uri: door.folder, settings: LENSES }] });
  const resolved = await Promise.all((await lenses()).map(lens => door.client.sendRequest<CodeLens>('codeLens/resolve', lens)));
  return resolved.map(lens => [lens.command?.title ?? '', lens.command?.command ?? ''] as const);
}

test.each([
  [{}, ['2 callers + 1 possible', 'no tests', 'impact 5 (low)'], ['lattice.showCallers', '', 'lattice.showImpact']],
  [{ callers: 1, maybe: 0, tests: 3 }, ['1 caller', '3 tests', 'impact 5 (low)'], ['lattice.showCallers', 'lattice.showTests', 'lattice.showImpact']],
  [{ callers: 0, maybe: 0, blastRadius: 0 }, ['no callers', 'no tests', 'no impact'], ['', '', 'lattice.showImpact']],
  [{ isType: true, maybe: 0 }, ['2 users', 'no tests', 'impact 5 (low)'], ['lattice.showCallers', '', 'lattice.showImpact']],
])('lenses say %j as words, and lead somewhere where there is something', async (counts, said, commands) => {
  const shown = await titles(counts);
  expect(shown.map(([title]) => title)).toEqual(said);
  expect(shown.map(([, command]) => command)).toEqual(commands);
});

test('an editor without our commands gets lenses that are text', async () => {
  expect((await titles({}, [])).map(([, command]) => command)).toEqual(['', '', '']);
});

test('a lens of a symbol that went says so', async () => {
  door = lspDoor({ codeLenses: () => ({ symbols: [ADD] }), lensCounts: () => null });
  await door.initialize({ commands: COMMANDS, folders: [{ uri: door.folder, settings: LENSES }] });
  const [lens] = await lenses();
  expect(await door.client.sendRequest<CodeLens>('codeLens/resolve', lens)).toMatchObject({ command: { title: 'no longer in the graph', command: '' } });
});

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
