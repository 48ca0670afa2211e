import { afterEach, expect, test } from 'vitest';
import type { CodeLens } from 'vscode-languageserver/node';
import { type LspDoor, lspDoor } from './lspDoor';

const row = (id: string, kind: string, nameLine: number) => {
  const [path = '', ...names] = id.split('::');
  return { id, name: names.at(-1) ?? path, kind, path, startLine: nameLine, endLine: nameLine + 4, nameLine, nameColumn: 7 };
};
const CART = row('src/a.ts::Cart', 'class', 3);
const ADD = row('src/a.ts::add', 'function', 9);
const LENSES = { 'lattice.codeLens.enable': true };
const COMMANDS = ['lattice.showImpact', 'lattice.showReferences', 'lattice.showTests', 'lattice.explainSymbol', 'lattice.openGraph'];

let door: LspDoor;
afterEach(() => door.close());

function lenses(): Promise<CodeLens[]> {
  return door.client.sendRequest('textDocument/codeLens', { textDocument: { uri: door.file } });
}

const COUNTS = { callers: 2, refs: 2, maybe: 1, tests: 0, files: 5, complete: true, blastRadius: 5, reach: 'small' };

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

test('what handles an endpoint says so first, as a text', async () => {
  door = lspDoor({ codeLenses: () => ({ symbols: [ADD], serving: [ADD.id] }), lensCounts: () => ({ item: ADD, ...COUNTS, serves: 'GET /x · called by web' }) });
  await door.initialize({ commands: COMMANDS, folders: [{ uri: door.folder, settings: LENSES }] });
  const [first, ...others] = await lenses();
  expect(others).toHaveLength(3);
  const resolved = await door.client.sendRequest<CodeLens>('codeLens/resolve', first);
  expect(resolved.command).toEqual({ title: 'GET /x · called by web', command: '' });
});

test('an endpoint leads to who calls it, a request to its handler', async () => {
  const places = [{ file: 'web/b.ts', line: 4 }];
  door = lspDoor({
    codeLenses: () => ({ symbols: [ADD], serving: [ADD.id], noted: [{ line: 5, text: 'calls GET /y · orders', places }] }),
    lensCounts: () => ({ item: ADD, ...COUNTS, serves: 'GET /x · called by web', servedFor: places }),
  });
  await door.initialize({ commands: [...COMMANDS, 'lattice.showServicePlaces'], folders: [{ uri: door.folder, settings: LENSES }] });
  const found = await lenses();
  const target = { folder: door.folder, file: 'src/a.ts', places };
  expect(found.at(-1)?.command).toEqual({ title: 'calls GET /y · orders', command: 'lattice.showServicePlaces', arguments: [{ ...target, line: 5 }] });
  const resolved = await door.client.sendRequest<CodeLens>('codeLens/resolve', found[0]);
  expect(resolved.command).toEqual({ title: 'GET /x · called by web', command: 'lattice.showServicePlaces', arguments: [{ ...target, line: 9 }] });
});

async function titles(counts: Partial<typeof COUNTS>, commands = COMMANDS): Promise<(readonly [string, string])[]> {
  door = lspDoor({ codeLenses: () => ({ symbols: [ADD] }), lensCounts: () => ({ item: ADD, ...COUNTS, ...counts }) });
  await door.initialize({ commands, folders: [{ uri: door.folder, settings: LENSES }] });
  const resolved = await Promise.all((await lenses()).map(lens => door.client.sendRequest<CodeLens>('codeLens/resolve', lens)));
  return resolved.map(lens => [lens.command?.title ?? '', lens.command?.command ?? ''] as const);
}

test.each([
  [{}, ['2 refs + 1 possible', 'no tests', 'reaches 5 files'], ['lattice.showReferences', '', 'lattice.showImpact']],
  [{ refs: 1, maybe: 0, tests: 3, files: 1 }, ['1 ref', '3 tests', 'reaches 1 file'], ['lattice.showReferences', 'lattice.showTests', 'lattice.showImpact']],
  [
    { refs: 12_345, maybe: 1000, tests: 1624 },
    ['12,345 refs + 1,000 possible', '1,624 tests', 'reaches 5 files'],
    ['lattice.showReferences', 'lattice.showTests', 'lattice.showImpact'],
  ],
  [{ refs: 0, maybe: 0, files: 0 }, ['no refs', 'no tests', 'reaches no files'], ['', '', 'lattice.showImpact']],
  [{ maybe: 0, reach: 'unknown' }, ['2 refs', 'no tests', 'reaches at least 5 files'], ['lattice.showReferences', '', 'lattice.showImpact']],
  [{ maybe: 0, reach: 'unknown', complete: false }, ['2 refs', 'no tests', 'reaches at least 5 files'], ['lattice.showReferences', '', 'lattice.showImpact']],
  [{ refs: 0, maybe: 0, files: 0, reach: 'unknown' }, ['no refs', 'no tests', 'called by a framework'], ['', '', 'lattice.showImpact']],
  [
    { refs: 0, maybe: 0, files: 0, reach: 'unknown', outsideUser: 'anyone' },
    ['no refs', 'no tests', 'public, not used in this workspace'],
    ['', '', 'lattice.showImpact'],
  ],
  [
    { refs: 7, maybe: 0, tests: 2, files: 0, reach: 'unknown', outsideUser: 'anyone' },
    ['7 refs', '2 tests', 'public, used only by tests here'],
    ['lattice.showReferences', 'lattice.showTests', 'lattice.showImpact'],
  ],
  [
    { maybe: 0, tests: 900, files: 400, complete: false },
    ['2 refs', '900+ tests', 'reaches 400+ files'],
    ['lattice.showReferences', 'lattice.showTests', 'lattice.showImpact'],
  ],
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
