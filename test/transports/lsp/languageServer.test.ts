import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import { Cancelled } from '../../../server/src/base/cancellation';
import { answerOf } from '../fakeHost';
import { file, inner, lspServer, SYMBOL, shop, uriOf } from './lspServer';

const server = lspServer();

test('it says what it can do', async () => {
  const { capabilities, serverInfo } = await server.current.initialize();
  expect(serverInfo).toEqual({ name: 'lattice', version: '1.2.3' });
  expect(capabilities).toMatchObject({ codeLensProvider: { resolveProvider: true }, documentLinkProvider: {} });
  expect(capabilities).toMatchObject({ hoverProvider: true, workspaceSymbolProvider: { resolveProvider: true }, textDocumentSync: { change: 2 } });
  expect(capabilities).not.toHaveProperty('callHierarchyProvider');
  expect(capabilities).not.toHaveProperty('typeHierarchyProvider');
  expect(capabilities).not.toHaveProperty('definitionProvider');
});

test('each folder has a workspace of its own, opened with its settings', async () => {
  const { client, host } = server.current;
  await server.current.initialize([shop, inner], {
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
        tests: {
          allowRun: true,
          trusted: true,
          commands: [],
          approved: [['npx', 'vitest', 'run']],
          env: expect.objectContaining({ A: 'b=c', PATH: process.env['PATH'] }),
        },
      },
    },
  ]);
  await client.sendRequest('lattice/callTool', { name: 'search_code', input: { query: 'x' }, uri: uriOf(join(inner, 'x.ts')) });
  expect(host.gateways.get(inner)?.calls.map(call => call.name)).toEqual(['search_code']);
});

test('folders come and go at run time', async () => {
  const { client, host } = server.current;
  await server.current.initialize();
  const changed = (event: object): Promise<void> => client.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  await changed({ added: [{ uri: uriOf(inner), name: 'inner' }], removed: [{ uri: uriOf(shop), name: 'shop' }] });
  await client.sendRequest('lattice/callTool', { name: 'search_code', input: {} });
  expect(host.gateways.get(shop)?.closed).toBe(true);
  expect(host.gateways.get(inner)?.calls).toHaveLength(1);
});

test('events of files reach the folder they lie in', async () => {
  const { client, host } = server.current;
  await server.current.initialize([shop, inner]);
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

test('tools and features are asked by name, with errors that say why', async () => {
  const { client, host } = server.current;
  host.prepare = gateway => {
    gateway.answers = { symbolAt: () => SYMBOL, testCommands: () => ({ commands: [] }) };
  };
  await server.current.initialize();
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
  const { client, host, notified } = server.current;
  host.openFailure = { code: 'UNAVAILABLE', message: 'Another version owns it.' };
  const status = server.current.notification<{ folders: object[] }>('lattice/statusChanged');
  await server.current.initialize();
  await expect(client.sendRequest('lattice/callTool', { name: 'search_code', input: {} })).rejects.toMatchObject({ message: 'Another version owns it.' });
  await status;
  await expect.poll(() => notified.at(-1)?.params).toMatchObject({ folders: [{ phase: 'failed', problem: 'Another version owns it.' }] });
});

test('status is sent while anything changes, at most ten times a second, and the last one always', async () => {
  const { host, notified } = server.current;
  host.prepare = gateway => gateway.indexing();
  await server.current.initialize();
  const statuses = (): number => notified.filter(each => each.method === 'lattice/statusChanged').length;
  const before = statuses();
  const started = performance.now();
  for (let done = 1; done <= 500; done++) host.gateway.index({ phase: 'parsing', done, total: 500 });
  host.gateway.index({ phase: 'ready', done: 0, total: 0 });
  await expect.poll(() => notified.at(-1)?.params).toMatchObject({ folders: [{ folder: 'shop', uri: uriOf(shop), phase: 'ready', role: 'owner' }] });
  // What was told before may still be under way; a timer may be early by a millisecond.
  expect(statuses() - before).toBeLessThanOrEqual(3 + (performance.now() - started) / 99);
});

test('a window whose engine is in another process never says that it owns the project, and says so once it does', async () => {
  const { host, notified } = server.current;
  host.prepare = gateway => {
    gateway.role = 'guest';
    gateway.indexing();
  };
  await server.current.initialize();
  host.gateway.index({ phase: 'ready', done: 0, total: 0 });
  const told = (): unknown[] =>
    notified
      .filter(({ method }) => method === 'lattice/statusChanged')
      .flatMap(({ params }) => (params as { readonly folders: readonly { readonly phase: string; readonly role: string }[] }).folders)
      .map(({ phase, role }) => `${phase} ${role}`);
  await expect.poll(() => told().at(-1)).toBe('ready guest');
  expect(told().filter(each => String(each).endsWith('owner'))).toEqual([]);
  // The owner is gone, this process has taken its place, and its index is ready as before.
  host.gateway.role = 'owner';
  host.gateway.index({ phase: 'ready', done: 0, total: 0 });
  await expect.poll(() => told().at(-1)).toBe('ready owner');
});

test('a revision names its documents, at most five hundred', async () => {
  const { host } = server.current;
  await server.current.initialize();
  const published = server.current.notification<{ uris: string[] }>('lattice/revisionPublished');
  host.gateway.revisions.fire({ revision: 8, changed: Array.from({ length: 600 }, (_, at) => `src/f${at}.ts`) });
  const params = await published;
  expect(params).toMatchObject({ folder: 'shop', revision: 8, more: true });
  expect(params.uris).toHaveLength(500);
  expect(params.uris[0]).toBe(uriOf(join(shop, 'src', 'f0.ts')));
});

test('the first index is shown as progress where the editor can', async () => {
  const { client, host } = server.current;
  const shown: unknown[] = [];
  client.onRequest('window/workDoneProgress/create', () => null);
  client.onNotification('$/progress', (params: { value: unknown }) => {
    shown.push(params.value);
  });
  host.prepare = gateway => gateway.indexing();
  await server.current.initialize([shop], { capabilities: { window: { workDoneProgress: true } } });
  host.gateway.index({ phase: 'parsing', done: 1, total: 4 });
  await expect.poll(() => shown).toContainEqual(expect.objectContaining({ message: 'reading files, 1 of 4' }));
  expect(shown[0]).toMatchObject({ kind: 'begin', title: 'Lattice: Indexing' });
  host.gateway.index({ phase: 'ready', done: 0, total: 0 });
  await expect.poll(() => shown.at(-1)).toEqual({ kind: 'end' });
});

test('a cancelled request is answered as cancelled', async () => {
  const { client, host } = server.current;
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
  await server.current.initialize();
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
  const { client, toServer } = server.current;
  await server.current.initialize();
  toServer.write(bytes);
  expect(await client.sendRequest('lattice/callTool', { name: 'search_code', input: { query: 'x' } })).toMatchObject({ envelope: { ok: true } });
});

test('bytes that are no message are answered with a parse error', async () => {
  const { logged, toServer } = server.current;
  await server.current.initialize();
  toServer.write('Content-Length: 4\r\n\r\nnope');
  await expect.poll(() => logged.join()).toContain('-32700');
});

test('a message may come in many pieces', async () => {
  const { host, toServer } = server.current;
  await server.current.initialize();
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
  const { client } = server.current;
  await server.current.initialize();
  await expect(client.sendRequest('no/such')).rejects.toMatchObject({ code: -32601 });
  await expect(client.sendRequest('textDocument/hover', {})).rejects.toMatchObject({ code: expect.any(Number) });
  expect(await client.sendRequest('lattice/callTool', { name: 'search_code', input: {} })).toMatchObject({ envelope: { ok: true } });
});

test('shutdown leaves every workspace in good order', async () => {
  const { client } = server.current;
  await server.current.initialize([shop, inner]);
  await client.sendRequest('shutdown');
  expect([...server.current.host.gateways.values()].map(gateway => gateway.closed)).toEqual([true, true]);
});
