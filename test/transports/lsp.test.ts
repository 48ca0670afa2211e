import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CancellationTokenSource, createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { Cancelled } from '../../server/src/base/cancellation';
import { ok } from '../../server/src/base/result';
import { serveLsp } from '../../server/src/transports/languageServer';
import { pathToUri } from '../../server/src/transports/lsp/uri';
import { connectStreams } from '../../server/src/transports/lspConnection';
import { answerOf, FakeHost } from './fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-lsp-')));
const shop = join(folder, 'shop');
const inner = join(shop, 'inner');
for (const name of [inner, join(shop, 'src')]) mkdirSync(name, { recursive: true });
const file = join(shop, 'src', 'a b.ts');
writeFileSync(file, 'export function a() {}\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const uriOf = (path: string): string => pathToUri(path, 'posix');
const SYMBOL = { id: 'src/a b.ts::a', name: 'a', kind: 'function', path: 'src/a b.ts', startLine: 1, endLine: 1, nameLine: 1, nameColumn: 16 };

let host: FakeHost;
let client: MessageConnection;
let toServer: PassThrough;
let notified: { readonly method: string; readonly params: unknown }[];
let waiting: { readonly method: string; readonly resolve: (params: unknown) => void }[];
let logged: string[];
let close: () => Promise<void>;

beforeEach(() => {
  host = new FakeHost(folder);
  notified = [];
  waiting = [];
  toServer = new PassThrough();
  const toClient = new PassThrough();
  const server = serveLsp({
    host,
    connection: connectStreams(toServer, toClient, () => undefined),
    platform: 'linux',
    writeLauncher: async () => ok({ command: 'lattice-mcp', args: [], env: {} }),
  });
  close = () => server.close();
  logged = [];
  const log = (message: string): void => void logged.push(message);
  client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer), { error: log, warn: log, info: log, log });
  client.onNotification((method, params) => {
    notified.push({ method, params });
    for (const each of waiting.filter(other => other.method === method)) each.resolve(params);
    waiting = waiting.filter(each => each.method !== method);
  });
  client.listen();
});

afterEach(async () => {
  await close();
  client.dispose();
});

function notification<Params>(method: string): Promise<Params> {
  return new Promise(resolve => waiting.push({ method, resolve: params => resolve(params as Params) }));
}

async function initialize(
  folders: readonly string[] = [shop],
  more: { readonly capabilities?: object; readonly initializationOptions?: object } = {},
): Promise<Record<string, unknown>> {
  const answer = await client.sendRequest<Record<string, unknown>>('initialize', {
    processId: null,
    capabilities: { workspace: { workspaceFolders: true } },
    rootUri: null,
    workspaceFolders: folders.map(path => ({ uri: uriOf(path), name: path.slice(path.lastIndexOf('/') + 1) })),
    ...more,
  });
  await client.sendNotification('initialized', {});
  await client.sendRequest('lattice/query', { feature: 'none', params: {} }).catch(() => undefined);
  return answer;
}

const open = (text: string): Promise<void> =>
  client.sendNotification('textDocument/didOpen', { textDocument: { uri: uriOf(file), languageId: 'typescript', version: 1, text } });
const edit = (version: number, text: string): Promise<void> =>
  client.sendNotification('textDocument/didChange', {
    textDocument: { uri: uriOf(file), version },
    contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text }],
  });
const place = { textDocument: { uri: uriOf(file) }, position: { line: 0, character: 16 } };

test('it says what it can do', async () => {
  const { capabilities, serverInfo } = await initialize();
  expect(serverInfo).toEqual({ name: 'lattice', version: '1.2.3' });
  expect(capabilities).toMatchObject({ codeLensProvider: { resolveProvider: true }, documentLinkProvider: {} });
  expect(capabilities).toMatchObject({ hoverProvider: true, workspaceSymbolProvider: { resolveProvider: true }, textDocumentSync: { change: 2 } });
  expect(capabilities).not.toHaveProperty('callHierarchyProvider');
  expect(capabilities).not.toHaveProperty('typeHierarchyProvider');
  expect(capabilities).not.toHaveProperty('definitionProvider');
});

test('each folder has a workspace of its own, opened with its settings', async () => {
  await initialize([shop, inner], {
    initializationOptions: {
      settings: {
        'lattice.tests.allowRun': true,
        'lattice.tests.approved': ['["npx","vitest","run"]', 'npx jest', '[3]'],
        'lattice.tests.env': ['A=b=c', 'no'],
      },
      trusted: true,
      folders: [
        {
          uri: uriOf(inner),
          settings: {
            'lattice.tests.commands': ['["rm"]'],
            'lattice.maxFileSizeKb': 64,
            'lattice.ignorePatterns': ['gen/', 3],
            'lattice.preciseIndexes': ['a.scip', 3],
            'lattice.knowledge.sync': 'auto',
          },
          exclude: ['**/x'],
        },
      ],
    },
  });
  expect(host.opened).toEqual([
    { root: shop, longLived: true, watch: 'editor', settings: {} },
    {
      root: inner,
      longLived: true,
      watch: 'editor',
      settings: {
        maxFileSizeKb: 64,
        knowledge: { sync: 'auto', trusted: true },
        ignorePatterns: ['gen/'],
        preciseIndexes: ['a.scip'],
        excludes: ['**/x'],
        tests: { allowRun: true, trusted: true, commands: [], approved: [['npx', 'vitest', 'run']], env: { A: 'b=c' } },
      },
    },
  ]);
  await client.sendRequest('lattice/callTool', { name: 'search_code', input: { query: 'x' }, uri: uriOf(join(inner, 'x.ts')) });
  expect(host.gateways.get(inner)?.calls.map(call => call.name)).toEqual(['search_code']);
});

test('folders come and go at run time', async () => {
  await initialize();
  const changed = (event: object): Promise<void> => client.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  await changed({ added: [{ uri: uriOf(inner), name: 'inner' }], removed: [{ uri: uriOf(shop), name: 'shop' }] });
  await client.sendRequest('lattice/callTool', { name: 'search_code', input: {} });
  expect(host.gateways.get(shop)?.closed).toBe(true);
  expect(host.gateways.get(inner)?.calls).toHaveLength(1);
});

test('hover asks for the place and shows at most eight lines', async () => {
  host.prepare = gateway => {
    gateway.answers = { hover: () => ({ lines: Array.from({ length: 12 }, (_, at) => `line ${at}`), id: 'x', name: 'x', atoms: [], path: '' }) };
  };
  await initialize();
  const hover = await client.sendRequest<{ contents: { kind: string; value: string } }>('textDocument/hover', place);
  expect(hover.contents.kind).toBe('markdown');
  expect(hover.contents.value.split('\n')).toHaveLength(8);
  expect(host.gateway.queries.at(-1)).toMatchObject({ feature: 'hover', params: { path: 'src/a b.ts', line: 1, column: 16 }, caller: { kind: 'editor' } });
});

test('hover is silent where nothing is known, outside the folders, and when switched off', async () => {
  host.prepare = gateway => {
    gateway.answers = { hover: () => null };
  };
  await initialize();
  expect(await client.sendRequest('textDocument/hover', place)).toBeNull();
  expect(await client.sendRequest('textDocument/hover', { ...place, textDocument: { uri: 'untitled:Untitled-1' } })).toBeNull();
  const asked = host.gateway.queries.length;
  await client.sendNotification('lattice/settingsChanged', {
    settings: {},
    folders: [{ uri: uriOf(shop), settings: { 'lattice.hover.enable': false }, exclude: [] }],
  });
  expect(await client.sendRequest('textDocument/hover', place)).toBeNull();
  expect(host.gateway.queries).toHaveLength(asked);
});

test('hover answers while the first index runs', async () => {
  host.prepare = gateway => {
    gateway.indexing();
    gateway.answers = { hover: () => ({ lines: ['**a**'], id: 'x', name: 'a', atoms: [], path: '' }) };
  };
  await initialize();
  expect(await client.sendRequest('textDocument/hover', place)).toMatchObject({ contents: { value: '**a**' } });
});

test('a document that differs from the disk is an overlay until it is saved', async () => {
  await initialize();
  await open('export function a() {}\n');
  await client.sendRequest('textDocument/hover', place);
  expect(host.gateway.overlays).toEqual([]);
  standStill();
  await edit(2, '// one\n');
  await edit(3, '// two\n');
  await client.sendRequest('textDocument/hover', place);
  expect(host.gateway.overlays).toEqual([{ path: 'src/a b.ts', version: 3, text: '// two\n// one\nexport function a() {}\n' }]);
  await client.sendNotification('textDocument/didSave', { textDocument: { uri: uriOf(file) } });
  await client.sendRequest('textDocument/hover', place);
  expect(host.gateway.overlays.at(-1)).toEqual({ path: 'src/a b.ts', version: 3, text: undefined });
  expect(host.gateway.fileEvents).toEqual([{ path: 'src/a b.ts', kind: 'changed' }]);
});

test('changes are gathered and sent without being asked for', async () => {
  await initialize();
  await open('export function a() {}\n');
  const { overlays } = host.gateway;
  standStill();
  await edit(2, '// one\n');
  await edit(3, '// two\n');
  // Answered once both have arrived; what is asked about a document would send them.
  await expect(client.sendRequest('no/such')).rejects.toMatchObject({ code: -32601 });
  expect(overlays).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(overlays.map(change => change.version)).toEqual([3]);
});

/** For the rest of the test no time goes by unless the test says so: between two messages a busy machine may take a break of any length. */
function standStill(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test.each([
  ['workspace/symbol', { query: 'a' }],
  ['textDocument/prepareCallHierarchy', place],
  ['textDocument/prepareTypeHierarchy', place],
  ['textDocument/hover', place],
  ['lattice/query', { feature: 'none', params: {}, uri: uriOf(file) }],
])('%s is answered from what was typed, without a pause', async (method, params) => {
  await initialize();
  await open('export function a() {}\n');
  void edit(2, '// one\n');
  await client.sendRequest(method, params).catch(() => undefined);
  expect(host.gateway.overlays.map(change => change.version)).toEqual([2]);
});

test('a document restored unsaved is an overlay from the start, and closing it ends that', async () => {
  await initialize();
  await open('restored\n');
  const { overlays } = host.gateway;
  await expect.poll(() => overlays).toEqual([{ path: 'src/a b.ts', version: 1, text: 'restored\n' }]);
  await client.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(file) } });
  await expect.poll(() => overlays.at(-1)?.text).toBeUndefined();
});

test('events of files reach the folder they lie in', async () => {
  await initialize([shop, inner]);
  await client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [
      { uri: uriOf(join(shop, 'new.ts')), type: 1 },
      { uri: uriOf(join(inner, 'old.ts')), type: 3 },
      { uri: 'file:///elsewhere/x.ts', type: 2 },
    ],
  });
  await client.sendRequest('lattice/callTool', { name: 'search_code', input: {} });
  expect(host.gateways.get(shop)?.fileEvents).toEqual([{ path: 'new.ts', kind: 'created' }]);
  expect(host.gateways.get(inner)?.fileEvents).toEqual([{ path: 'old.ts', kind: 'deleted' }]);
});

test('workspace symbols come from every folder, lazily where the editor can resolve them', async () => {
  host.prepare = gateway => {
    gateway.answers = { workspaceSymbols: () => ({ symbols: [SYMBOL] }) };
  };
  await initialize([shop, inner], { capabilities: { workspace: { workspaceFolders: true, symbol: { resolveSupport: { properties: ['location.range'] } } } } });
  const symbols = await client.sendRequest<{ location: { uri: string; range?: object } }[]>('workspace/symbol', { query: 'a' });
  expect(symbols.map(symbol => symbol.location)).toEqual([{ uri: uriOf(file) }, { uri: uriOf(join(inner, 'src', 'a b.ts')) }]);
  const resolved = await client.sendRequest<{ location: object }>('workspaceSymbol/resolve', symbols[0]);
  expect(resolved.location).toEqual({ uri: uriOf(file), range: { start: { line: 0, character: 16 }, end: { line: 0, character: 17 } } });
});

test('call and type hierarchy are registered only for the languages that nobody else serves', async () => {
  const registrations: string[] = [];
  client.onRequest(
    'client/registerCapability',
    (params: { registrations: { method: string; registerOptions: { documentSelector: { language: string }[] } }[] }) => {
      for (const each of params.registrations)
        registrations.push(`${each.method} ${each.registerOptions.documentSelector.map(filter => filter.language).join()}`);
    },
  );
  client.onRequest('client/unregisterCapability', () => registrations.push('unregistered'));
  await initialize([shop], { initializationOptions: { settings: { 'lattice.callHierarchy.enable': 'auto' } } });
  expect(registrations).toEqual([]);
  await client.sendNotification('lattice/hierarchyLanguages', { calls: ['python', 'cobol'], types: ['go', 'typescript'] });
  await expect.poll(() => registrations).toEqual(['textDocument/prepareCallHierarchy python', 'textDocument/prepareTypeHierarchy typescript,go']);
  await client.sendNotification('lattice/settingsChanged', { settings: { 'lattice.callHierarchy.enable': 'never', 'lattice.typeHierarchy.enable': 'never' } });
  await expect.poll(() => registrations.slice(2)).toEqual(['unregistered', 'unregistered']);
});

test('calls are followed in both directions', async () => {
  const caller = { ...SYMBOL, id: 'src/b.ts::b', name: 'b', path: 'src/b.ts', startLine: 3, endLine: 9, nameLine: 3, nameColumn: 9 };
  host.prepare = gateway => {
    gateway.answers = {
      callHierarchyItem: () => ({ item: SYMBOL }),
      incomingCalls: () => ({ calls: [{ item: caller, lines: [5], confidence: 1 }] }),
      outgoingCalls: () => ({ calls: [] }),
    };
  };
  await initialize();
  const [item] = await client.sendRequest<object[]>('textDocument/prepareCallHierarchy', place);
  expect(item).toMatchObject({ name: 'a', uri: uriOf(file), selectionRange: { start: { line: 0, character: 16 } } });
  expect(await client.sendRequest('callHierarchy/incomingCalls', { item })).toMatchObject([{ from: { name: 'b' }, fromRanges: [{ start: { line: 4 } }] }]);
  expect(await client.sendRequest('callHierarchy/outgoingCalls', { item })).toEqual([]);
});

test('tools and features are asked by name, with errors that say why', async () => {
  host.prepare = gateway => {
    gateway.answers = { symbolAt: () => SYMBOL, testCommands: () => ({ commands: [] }) };
  };
  await initialize();
  const answer = await client.sendRequest('lattice/callTool', { name: 'search_code', input: { query: 'x' } });
  expect(answer).toEqual(JSON.parse(JSON.stringify(answerOf({ tool: 'search_code', input: { query: 'x' } }))));
  expect(await client.sendRequest('lattice/query', { feature: 'testCommands', params: {} })).toEqual({ commands: [] });
  expect(await client.sendRequest('lattice/symbolAt', { uri: uriOf(file), line: 0, character: 16 })).toEqual({ id: SYMBOL.id, name: 'a' });
  expect(await client.sendRequest('lattice/launcher', {})).toEqual({ command: 'lattice-mcp', args: [], env: {} });
  expect(await client.sendRequest('lattice/health', {})).toMatchObject({
    markdown: expect.stringContaining('# shop'),
    folders: [{ folder: 'shop', health: { ownerPid: 42 } }],
  });
  await expect(client.sendRequest('lattice/query', { feature: 'nope', params: {} })).rejects.toMatchObject({ code: -32803, message: 'no feature nope' });
  await expect(client.sendRequest('lattice/callTool', { nome: 1 })).rejects.toMatchObject({ code: -32602 });
  await expect(client.sendRequest('lattice/symbolAt', { uri: 3 })).rejects.toMatchObject({ code: -32602 });
});

test('a folder that cannot be opened says so', async () => {
  host.openFailure = { code: 'UNAVAILABLE', message: 'Another version owns it.' };
  const status = notification<{ folders: object[] }>('lattice/statusChanged');
  await initialize();
  await expect(client.sendRequest('lattice/callTool', { name: 'search_code', input: {} })).rejects.toMatchObject({ message: 'Another version owns it.' });
  await status;
  await expect.poll(() => notified.at(-1)?.params).toMatchObject({ folders: [{ phase: 'failed', problem: 'Another version owns it.' }] });
});

test('status is sent while anything changes, at most ten times a second, and the last one always', async () => {
  host.prepare = gateway => gateway.indexing();
  await initialize();
  const statuses = (): number => notified.filter(each => each.method === 'lattice/statusChanged').length;
  const before = statuses();
  const started = performance.now();
  for (let done = 1; done <= 500; done++) host.gateway.index({ phase: 'parsing', done, total: 500 });
  host.gateway.index({ phase: 'ready', done: 0, total: 0 });
  await expect.poll(() => notified.at(-1)?.params).toMatchObject({ folders: [{ folder: 'shop', uri: uriOf(shop), phase: 'ready', role: 'owner' }] });
  // What was told before may still be under way; a timer may be early by a millisecond.
  expect(statuses() - before).toBeLessThanOrEqual(3 + (performance.now() - started) / 99);
});

test('a revision names its documents, at most five hundred', async () => {
  await initialize();
  const published = notification<{ uris: string[] }>('lattice/revisionPublished');
  host.gateway.revisions.fire({ revision: 8, changed: Array.from({ length: 600 }, (_, at) => `src/f${at}.ts`) });
  const params = await published;
  expect(params).toMatchObject({ folder: 'shop', revision: 8, more: true });
  expect(params.uris).toHaveLength(500);
  expect(params.uris[0]).toBe(uriOf(join(shop, 'src', 'f0.ts')));
});

test('the first index is shown as progress where the editor can', async () => {
  const shown: unknown[] = [];
  client.onRequest('window/workDoneProgress/create', () => null);
  client.onNotification('$/progress', (params: { value: unknown }) => {
    shown.push(params.value);
  });
  host.prepare = gateway => gateway.indexing();
  await initialize([shop], { capabilities: { window: { workDoneProgress: true } } });
  host.gateway.index({ phase: 'parsing', done: 1, total: 4 });
  await expect.poll(() => shown).toContainEqual(expect.objectContaining({ message: 'reading files, 1 of 4' }));
  expect(shown[0]).toMatchObject({ kind: 'begin', title: 'Lattice: Indexing' });
  host.gateway.index({ phase: 'ready', done: 0, total: 0 });
  await expect.poll(() => shown.at(-1)).toEqual({ kind: 'end' });
});

test('a cancelled request is answered as cancelled', async () => {
  host.prepare = gateway => {
    gateway.indexing();
    gateway.onCall = (_, token) =>
      new Promise((_resolve, reject) => {
        const timer = setInterval(() => {
          if (!token.isCancellationRequested) return;
          clearInterval(timer);
          reject(new Cancelled());
        }, 5);
      });
  };
  await initialize();
  const source = new CancellationTokenSource();
  const asked = client.sendRequest('lattice/callTool', { name: 'search_code', input: {} }, source.token);
  source.cancel();
  await expect(asked).rejects.toMatchObject({ code: -32800 });
});

test.each([
  ['a body that is no JSON', 'Content-Length: 10\r\n\r\n{"a": nope'],
  ['a length that is too small', 'Content-Length: 9\r\n\r\n{"a": nope'],
  ['a length that is no number', 'Content-Length: five\r\n\r\n'],
  ['a length that nobody sends', 'Content-Length: 999999999\r\n\r\n'],
  ['a length beyond all numbers', 'Content-Length: 999999999999999\r\n\r\n'],
  ['a header without a length', 'Content-Type: x\r\n\r\n'],
  ['a header without a colon', 'garbage\r\n\r\n'],
  ['stray bytes', '\u0000\u0001{"jsonrpc":"2.0"}'],
  ['a body that is no object', 'Content-Length: 4\r\n\r\nnull'],
  ['a message without a method', 'Content-Length: 26\r\n\r\n{"jsonrpc":"2.0","x":true}'],
])('%s is survived, and told where the protocol has an answer for it', async (_, bytes) => {
  await initialize();
  toServer.write(bytes);
  expect(await client.sendRequest('lattice/callTool', { name: 'search_code', input: { query: 'x' } })).toMatchObject({ envelope: { ok: true } });
});

test('bytes that are no message are answered with a parse error', async () => {
  await initialize();
  toServer.write('Content-Length: 4\r\n\r\nnope');
  await expect.poll(() => logged.join()).toContain('-32700');
});

test('a message may come in many pieces', async () => {
  await initialize();
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 'pieces',
    method: 'lattice/callTool',
    params: { name: 'search_code', input: { query: 'ü'.repeat(3000) } },
  });
  const bytes = Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\nContent-Type: x\r\n\r\n${body}`);
  for (let at = 0; at < bytes.length; at += 7) toServer.write(bytes.subarray(at, at + 7));
  await expect.poll(() => host.gateway.calls.map(call => call.input['query'])).toEqual(['ü'.repeat(3000)]);
});

test('unknown requests and broken parameters are protocol errors', async () => {
  await initialize();
  await expect(client.sendRequest('no/such')).rejects.toMatchObject({ code: -32601 });
  await expect(client.sendRequest('textDocument/hover', {})).rejects.toMatchObject({ code: expect.any(Number) });
  expect(await client.sendRequest('lattice/callTool', { name: 'search_code', input: {} })).toMatchObject({ envelope: { ok: true } });
});

test('shutdown leaves every workspace in good order', async () => {
  await initialize([shop, inner]);
  await client.sendRequest('shutdown');
  expect([...host.gateways.values()].map(gateway => gateway.closed)).toEqual([true, true]);
});
