import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { INSTRUCTIONS } from '../../server/src/transports/mcp/instructions';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { answerOf, FakeHost, refusalOf, TOOLS } from './fakeHost';
import { META, RawClient } from './rawClient';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-mcp-')));
const root = join(folder, 'shop');
for (const name of ['shop', 'shop/inner', 'other']) mkdirSync(join(folder, name));
afterAll(() => removeFolder(folder));

let host: FakeHost;
beforeEach(() => {
  host = new FakeHost(folder);
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('the handshake of %s is answered in kind', async version => {
  const client = new RawClient(host, root);
  const { result } = await client.handshake(version);
  expect(result).toMatchObject({
    protocolVersion: version,
    serverInfo: { name: 'lattice', version: '1.2.3' },
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
  });
  const list = await client.request('tools/list');
  expect(list.result?.['tools']).toHaveLength(6);
  client.end();
  expect(await client.ended).toBe(0);
});

test('the newer era is discovered and then served without a handshake', async () => {
  const client = new RawClient(host, root);
  const discovered = await client.request('server/discover', { _meta: META });
  expect(discovered.result).toMatchObject({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    resultType: 'complete',
  });
  const list = await client.request('tools/list', { _meta: META });
  expect(list.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' });
  const answer = await client.call('search_code', { query: 'x' }, { _meta: META });
  expect(answer.result).toMatchObject({ resultType: 'complete', isError: false });
  expect(host.gateway.calls[0]?.caller.agentId).toMatch(/^modern-client:[0-9a-f]{8}$/);
  client.end();
});

test('a probe of the newer era may be followed by the older handshake', async () => {
  const client = new RawClient(host, root);
  await client.request('server/discover', { _meta: META });
  expect((await client.handshake()).result).toMatchObject({ protocolVersion: '2025-11-25' });
  expect((await client.call('search_code', { query: 'x' })).result).toMatchObject({ isError: false });
  client.end();
});

test('tools are listed in order, with all four hints and schemas of their own', async () => {
  const client = new RawClient(host, root, { tools: 'full' });
  await client.handshake();
  const { result } = await client.request('tools/list');
  const tools = result?.['tools'] as { name: string; annotations: object; inputSchema: object; outputSchema: object }[];
  expect(tools.map(tool => tool.name)).toEqual(TOOLS.map(tool => tool.name));
  for (const tool of tools) {
    expect(Object.keys(tool.annotations)).toEqual(expect.arrayContaining(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']));
    expect(JSON.stringify(tool)).not.toContain('$ref');
  }
  client.end();
});

test('an answer is its text and, beside it, its envelope', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  const { result } = await client.call('search_code', { query: 'x' });
  const expected = answerOf({ tool: 'search_code', input: { query: 'x' } });
  expect(result).toEqual({ content: [{ type: 'text', text: expected.text }], structuredContent: expected.envelope, isError: false });
  client.end();
});

test('who asks is the name of the client and its session, or what it says of itself', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  await client.call('search_code', { query: 'x' });
  await client.call('search_code', { query: 'x', agentId: 'me', sessionId: 's1' });
  const [first, second] = host.gateway.calls;
  expect(first?.caller).toMatchObject({ kind: 'agent', agentId: expect.stringMatching(/^test-client:[0-9a-f]{8}$/) });
  expect(second?.caller).toMatchObject({ agentId: 'me', sessionId: 's1' });
  client.end();
  const named = new RawClient(host, root, { env: { LATTICE_AGENT_ID: 'worker-1' } });
  await named.handshake();
  await named.call('search_code', { query: 'x' });
  expect(host.gateway.calls[0]?.caller.agentId).toBe('worker-1');
  named.end();
});

test.each([
  ['claude-code', { agentId: 'claude-code:abcdef12', sessionId: 'abcdef12-3456' }],
  // A program that was started inside a session is another agent.
  ['codex', { agentId: expect.stringMatching(/^codex:(?!abcdef12)/), sessionId: expect.not.stringContaining('abcdef12') }],
])('%s in a session that its program names', async (name, asker) => {
  const client = new RawClient(host, root, { env: { CLAUDE_CODE_SESSION_ID: 'abcdef12-3456' } });
  await client.handshake(undefined, name);
  await client.call('search_code', { query: 'x' });
  expect(host.gateway.calls[0]?.caller).toMatchObject(asker);
  client.end();
});

test('an answer that is an error is a result with isError', async () => {
  host.prepare = gateway => {
    gateway.onCall = () => refusalOf('VALIDATION_ERROR', { field: 'query' });
  };
  const client = new RawClient(host, root);
  await client.handshake();
  const { result } = await client.call('search_code', {});
  expect(result).toMatchObject({ isError: true, structuredContent: { ok: false, errorCode: 'VALIDATION_ERROR', hint: 'Search for it.' } });
  client.end();
});

test.each([
  ['graph_rebuild', /^Tool graph_rebuild is not offered by this server\. Start it with --tools full/],
  ['serch_code', /^Unknown tool serch_code\. Offered: search_code, .*--tools/],
])('%s is refused with invalid params', async (name, message) => {
  const client = new RawClient(host, root);
  await client.handshake();
  const { error } = await client.call(name);
  expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
  client.end();
});

test.each([
  ['not json', -32700, null],
  ['{"jsonrpc":"2.0"', -32700, null],
  ['[]', -32600, null],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
  ['{"id":8,"method":"tools/list"}', -32600, 8],
  ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', -32600, null],
  ['{"jsonrpc":"2.0","id":9,"method":7}', -32600, 9],
  ['42', -32600, null],
  ['{"jsonrpc":"2.0","id":10,"method":"no/such"}', -32601, 10],
  ['{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{}}', -32602, 11],
  ['{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"search_code","arguments":[1]}}', -32602, 12],
  ['{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":5}}', -32602, 13],
])('%s is answered with %i and the connection lives on', async (line, code, id) => {
  const client = new RawClient(host, root);
  await client.handshake();
  const refused = client.next(message => message.error !== undefined);
  client.write(line);
  expect(await refused).toMatchObject({ id, error: { code } });
  expect((await client.call('search_code', { query: 'x' })).result).toMatchObject({ isError: false });
  client.end();
});

test('malformed notifications, empty lines and bytes that are no text are survived', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  client.write('');
  client.write('   ');
  client.write('{"jsonrpc":"1.0","method":"notifications/x"}');
  client.write('\u0000\uFFFD');
  expect((await client.call('search_code', { query: 'x' })).result).toMatchObject({ isError: false });
  client.end();
});

const LONG = 'x'.repeat(3 * 1024 * 1024);
test.each([
  ['its id before its method', `{"jsonrpc":"2.0","id":5,"method":"${LONG}"}`, 5],
  ['its id at the end', `{"method":"tools/call","params":{"q":"${LONG}"},"jsonrpc":"2.0","id":6}`, 6],
  ['a text for its id', `{"method":"ping","params":{"q":"${LONG}"},"id":"seven" , "jsonrpc":"2.0"} `, 'seven'],
  ['ids only inside its parameters', `{"jsonrpc":"2.0","params":{"id":8,"q":"${LONG}","id":8}}`, null],
  ['text that looks like an id', `{"jsonrpc":"2.0","q":"${LONG},\\"id\\":9}"}`, null],
])('a message above the limit, with %s, is refused without being kept', async (_, line, id) => {
  const client = new RawClient(host, root);
  await client.handshake();
  const refused = client.next(message => message.error !== undefined);
  client.write(line);
  expect(await refused).toMatchObject({ id, error: { code: -32600, message: expect.stringMatching('longer than 1048576 bytes') } });
  expect((await client.call('search_code', { query: 'x' })).result).toMatchObject({ isError: false });
  client.end();
});

test('a message above the limit that stdin ends is refused too', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  client.raw(Buffer.from(`{"jsonrpc":"2.0","id":5,"method":"${LONG}`));
  client.end();
  expect(await client.ended).toBe(0);
  expect(client.messages.at(-1)).toMatchObject({ id: 5, error: { code: -32600 } });
});

test('a message above the limit does not answer the request that is in flight under its id', async () => {
  host.prepare = gateway => {
    gateway.onCall = () => new Promise(() => undefined);
  };
  const client = new RawClient(host, root, { closeLimitMs: 0 });
  await client.handshake();
  client.send({ id: 5, method: 'tools/call', params: { name: 'search_code', arguments: { query: 'x' } } });
  const refused = client.next(message => message.error !== undefined);
  client.write(`{"jsonrpc":"2.0","id":5,"method":"${LONG}"}`);
  expect(await refused).toMatchObject({ id: null });
  client.end();
});

test.each([
  ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'x', version: '1' } }, 'protocolVersion must be a string'],
  ['initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'x', version: '1' } }, 'capabilities must be an object'],
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } }, 'clientInfo.version must be a string'],
  ['resources/read', {}, 'uri must be a string'],
  ['resources/read', { uri: 5 }, 'uri must be a string'],
  ['resources/read', { uri: `lattice://${'x'.repeat(100_000)}` }, 'uri must not be longer than 10000 characters'],
  ['prompts/get', { name: 'x', arguments: { task: 'x'.repeat(100_000) } }, 'arguments must not be longer than 10000 characters'],
  ['resources/subscribe', {}, 'uri must be a string'],
  ['resources/list', { cursor: 5 }, 'cursor must be a string'],
  ['resources/templates/list', { cursor: [] }, 'cursor must be a string'],
  ['tools/list', { cursor: {} }, 'cursor must be a string'],
  ['tools/call', { name: 'search_code', arguments: [1] }, 'arguments must be an object'],
  ['prompts/list', { cursor: 1 }, 'cursor must be a string'],
  ['prompts/get', {}, 'name must be a string'],
  ['prompts/get', { name: 'x', arguments: { a: 5 } }, 'arguments must be an object of strings'],
  ['completion/complete', {}, 'ref must be an object'],
  ['completion/complete', { ref: { type: 'x' }, argument: { name: 'a', value: '' } }, 'ref.type must be ref/prompt or ref/resource'],
  ['completion/complete', { ref: { type: 'ref/prompt' }, argument: { name: 'a', value: '' } }, 'ref.name must be a string'],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a' } }, 'argument.value must be a string'],
])('%s with %j is an invalid parameter, in one sentence', async (method, params, message) => {
  const client = new RawClient(host, root);
  if (method !== 'initialize') await client.handshake();
  expect((await client.request(method, params)).error).toEqual({ code: -32602, message: `Invalid parameters of ${method}: ${message}.` });
  client.end();
});

test('an id that is still being answered is not taken again', async () => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  host.prepare = gateway => {
    gateway.onCall = async () => {
      await held;
      return answerOf({});
    };
  };
  const client = new RawClient(host, root);
  await client.handshake();
  const first = client.next(message => message.id === 'a' && message.result !== undefined);
  const second = client.next(message => message.id === 'a' && message.error !== undefined);
  const call = { id: 'a', method: 'tools/call', params: { name: 'search_code', arguments: { query: 'x' } } };
  client.send(call);
  client.send(call);
  expect(await second).toMatchObject({ error: { code: -32600, message: expect.stringMatching(/still being answered/) } });
  answer();
  await first;
  const again = client.next(message => message.id === 'a' && message.result !== undefined);
  client.send(call);
  await again;
  client.end();
});

test('many messages at once do not block others, are answered in order, and none is lost', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  const before = client.messages.length;
  let turns = 0;
  const count = (): void => {
    turns++;
    if (client.messages.length - before < 50_000) setImmediate(count);
  };
  setImmediate(count);
  client.raw(Buffer.from('x\n'.repeat(50_000)));
  client.send({ id: 'last', method: 'ping' });
  client.end();
  await client.next(message => message.id === 'last');
  expect(await client.ended).toBe(0);
  expect(client.messages.length - before).toBe(50_001);
  expect(client.messages.at(-1)?.id).toBe('last');
  expect(turns).toBeGreaterThan(2);
});

test('messages may arrive in pieces and several at once', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  const both = Promise.all([client.next(message => message.id === 'a'), client.next(message => message.id === 'ü')]);
  const text = `${JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'ping' })}\r\n${JSON.stringify({ jsonrpc: '2.0', id: 'ü', method: 'ping' })}\n`;
  const bytes = Buffer.from(text);
  const cut = bytes.indexOf(Buffer.from('ü')) + 1;
  client.raw(bytes.subarray(0, cut));
  client.raw(bytes.subarray(cut));
  expect((await both).map(message => message.id)).toEqual(['a', 'ü']);
  client.end();
});

test('while the first index runs a call waits, tells of progress that only grows, and is answered at the end', async () => {
  host.prepare = gateway => gateway.indexing();
  const client = new RawClient(host, root);
  await client.handshake();
  const answer = client.call('search_code', { query: 'x' }, { _meta: { progressToken: 'p1' } });
  await expect.poll(() => host.gateway.listened).toBe(1);
  const told = client.next(message => message.method === 'notifications/progress');
  host.gateway.index({ phase: 'parsing', done: 5, total: 10 });
  expect((await told).params).toMatchObject({ progressToken: 'p1', progress: 249, total: 500, message: 'Indexing: parsing (5 of 10)' });
  host.gateway.index({ phase: 'scanning', done: 1, total: 10 });
  host.gateway.index({ phase: 'ready', done: 0, total: 0 });
  expect((await answer).result).toMatchObject({ isError: false });
  expect(client.messages.filter(message => message.method === 'notifications/progress')).toHaveLength(1);
  client.end();
});

test('while a past state is read for a call, the client hears how far it is', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  host.gateway.onCall = call => {
    host.gateway.index({ phase: 'ready', done: 0, total: 0, background: 'reading v1.0 (a1b2c3d): 84 of 340 files' });
    return answerOf({ tool: call.name, input: call.input });
  };
  await client.call('search_code', { query: 'x' }, { _meta: { progressToken: 'p1' } });
  await client.call('search_code', { query: 'x', asOf: 'v1.0' });
  await client.call('search_code', { query: 'x', asOf: 'v1.0' }, { _meta: { progressToken: 'p2' } });
  const told = client.messages.filter(message => message.method === 'notifications/progress');
  expect(told.map(message => message.params)).toEqual([{ progressToken: 'p2', progress: 1, message: 'Reading v1.0 (a1b2c3d): 84 of 340 files' }]);
  client.end();
});

test('a call that is wrong in any workspace is answered without waiting for the first index', async () => {
  host.refusalOf = () => ({ envelope: { ok: false, summary: 'wrong', profile: 'compact', _tokenEstimate: 1, errorCode: 'VALIDATION_ERROR' }, text: 'wrong' });
  host.prepare = gateway => gateway.indexing();
  const client = new RawClient(host, root);
  await client.handshake();
  await client.call('search_code', {});
  expect(host.gateway.calls).toMatchObject([{ name: 'search_code' }]);
  client.end();
});

test('a first index that takes too long is answered with NOT_READY and how far it is; health answers at once', async () => {
  host.prepare = gateway => {
    gateway.indexing();
    gateway.index({ phase: 'parsing', done: 3, total: 10 });
  };
  const client = new RawClient(host, root, { firstIndexLimitMs: 20 });
  await client.handshake();
  const { result } = await client.call('search_code', { query: 'x' });
  expect(result).toMatchObject({ isError: true, structuredContent: { ok: false, errorCode: 'NOT_READY', data: { phase: 'parsing', done: 3, total: 10 } } });
  expect((await client.call('graph_health')).result).toMatchObject({ isError: false });
  client.end();
});

test('a cancelled call is stopped and not answered', async () => {
  let start: () => void = () => undefined;
  const started = new Promise<void>(resolve => {
    start = resolve;
  });
  host.prepare = gateway => {
    gateway.onCall = () => {
      start();
      return new Promise(() => undefined);
    };
  };
  const client = new RawClient(host, root);
  await client.handshake();
  client.send({ id: 'c', method: 'tools/call', params: { name: 'search_code', arguments: { query: 'x' } } });
  await started;
  client.send({ method: 'notifications/cancelled', params: { requestId: 'c' } });
  await client.request('ping');
  expect(host.gateway.tokens[0]?.isCancellationRequested).toBe(true);
  expect(client.messages.some(message => message.id === 'c')).toBe(false);
  client.end();
});

test('a defect is an answer, and the connection lives on', async () => {
  host.prepare = gateway => {
    gateway.onCall = call => {
      if (call.input['query'] === 'bad') throw new TypeError('oops');
      return answerOf({});
    };
  };
  const client = new RawClient(host, root);
  await client.handshake();
  expect((await client.call('search_code', { query: 'bad' })).result).toMatchObject({ isError: true, structuredContent: { errorCode: 'INTERNAL' } });
  expect((await client.call('search_code', { query: 'good' })).result).toMatchObject({ isError: false });
  client.end();
});

test('a workspace that cannot be opened is said in every answer', async () => {
  host.openFailure = { code: 'UNAVAILABLE', message: 'Another version owns it.' };
  const client = new RawClient(host, root);
  await client.handshake();
  expect((await client.call('search_code', { query: 'x' })).result).toMatchObject({
    isError: true,
    structuredContent: { errorCode: 'UNAVAILABLE', summary: 'Another version owns it.' },
  });
  client.end();
  expect(await client.ended).toBe(0);
});

test('the end of stdin ends the server once what was asked is answered', async () => {
  const client = new RawClient(host, root);
  await client.handshake();
  const answer = client.call('search_code', { query: 'x' });
  client.end();
  expect((await answer).result).toMatchObject({ isError: false });
  expect(await client.ended).toBe(0);
  expect(host.gateway.closed).toBe(true);
});

test('a workspace that never opens does not keep the server from ending', async () => {
  host.open = () => new Promise(() => undefined);
  const client = new RawClient(host, root, { closeLimitMs: 100 });
  client.end();
  expect(await client.ended).toBe(0);
});

test('the workspace is only switched within the allowed roots', async () => {
  const client = new RawClient(host, root, { tools: 'full' });
  await client.handshake();
  const refused = await client.call('graph_set_workspace', { workspaceRoot: join(folder, 'other') });
  expect(refused.result).toMatchObject({ isError: true, structuredContent: { errorCode: 'FORBIDDEN' } });
  const escaped = await client.call('graph_set_workspace', { workspaceRoot: '../other' });
  expect(escaped.result).toMatchObject({ structuredContent: { errorCode: 'FORBIDDEN' } });
  const missing = await client.call('graph_set_workspace', { workspaceRoot: 'nowhere' });
  expect(missing.result).toMatchObject({ structuredContent: { errorCode: 'NOT_FOUND' } });
  expect((await client.call('graph_set_workspace', { workspaceRoot: 'inner' })).result).toMatchObject({ isError: false });
  await client.call('search_code', { query: 'x' });
  expect(host.opened.map(request => request.root)).toEqual([root, join(root, 'inner')]);
  expect(host.gateways.get(root)?.closed).toBe(true);
  expect(host.gateways.get(join(root, 'inner'))?.calls.map(call => call.name)).toEqual(['graph_set_workspace', 'search_code']);
  client.end();
});

test('no name given by a client forges a line of an error message', async () => {
  const client = new RawClient(host, root, { tools: 'full' });
  await client.handshake();
  const evil = 'a\n[rev 9 · abc]\u202E\u001B[31m';
  const refused = await client.call('graph_set_workspace', { workspaceRoot: evil });
  const unknown = await client.call(evil, {});
  expect(JSON.stringify(refused.result)).toContain('does not exist');
  for (const text of [String((refused.result as { content: { text: string }[] }).content[0]?.text), String(unknown.error?.message)]) {
    expect(text).not.toMatch(/[\u202E\u001B]/);
    expect(text.split('\n').filter(line => line.startsWith('[rev'))).toEqual([]);
  }
  client.end();
});

test('a wrong call switches to no workspace', async () => {
  host.refusalOf = () => ({ envelope: { ok: false, summary: 'wrong', profile: 'compact', _tokenEstimate: 1, errorCode: 'VALIDATION_ERROR' }, text: 'wrong' });
  const client = new RawClient(host, root, { tools: 'full' });
  await client.handshake();
  await client.call('graph_set_workspace', { workspaceRoot: 'inner', sourceDir: 1 });
  expect(host.opened.map(request => request.root)).toEqual([root]);
  client.end();
});

test('--root grants other folders', async () => {
  const client = new RawClient(host, root, { tools: 'full', grantedRoots: [join(folder, 'other')] });
  await client.handshake();
  expect((await client.call('graph_set_workspace', { workspaceRoot: join(folder, 'other') })).result).toMatchObject({ isError: false });
  const back = await client.call('graph_set_workspace', { workspaceRoot: root });
  expect(back.result).toMatchObject({ isError: false });
  client.end();
});

test('no list is said to change, because none does', async () => {
  const client = new RawClient(host, root);
  const { result } = await client.handshake();
  expect(result).toMatchObject({
    capabilities: { tools: { listChanged: false }, resources: { subscribe: true, listChanged: false }, prompts: { listChanged: false } },
  });
  client.end();
});

test('the instructions fit below the 2 KB where clients cut them', () => {
  expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThan(2048);
});
