import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CancellationSource } from '../../server/src/base/cancellation';
import { closeIdleConnections } from '../../server/src/transports/mcp/httpConnections';
import { isLoopback } from '../../server/src/transports/mcp/instructions';
import { serveMcpOverHttp } from '../../server/src/transports/mcpServer';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { cli, FakeHost, fakeIo } from './fakeHost';

let folder: string;
let host: FakeHost;
let source: CancellationSource;
let ended: Promise<number>;
let said: string;
let url: string;
let token: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lattice-http-'));
  await serve();
});
afterEach(async () => {
  source.cancel();
  await ended;
  removeFolder(folder);
});

async function serve(): Promise<void> {
  host = new FakeHost(folder);
  source = new CancellationSource();
  said = '';
  const io = fakeIo(folder);
  io.stderr.on('data', chunk => {
    said += String(chunk);
  });
  const selected = host.selectTools('core');
  if (!selected.ok) throw new Error(selected.error.message);
  const options = { host, io, root: folder, tools: selected.value, grantedRoots: [], autoClaim: true, now: () => 0, token: source.token, closeLimitMs: 60_000 };
  ended = serveMcpOverHttp(options, { host: '127.0.0.1', port: 0, names: ['box.example'] });
  await expect.poll(() => said).toContain('serving');
  url = /http:\S+\/mcp/.exec(said)?.[0] ?? '';
  token = readFileSync(join(folder, 'mcp-token'), 'utf8').trim();
}

async function connectClient(versionNegotiation: object, name = 'official'): Promise<Client> {
  const client = new Client({ name, version: '1' }, { versionNegotiation });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  return client;
}

const ERAS = [
  ['2025 (initialize)', { mode: 'legacy' }],
  ['2026-07-28 (server/discover)', { mode: { pin: '2026-07-28' } }],
  ['whatever the server speaks', { mode: 'auto' }],
] as const;

test.each(ERAS)('the official client is served in the era %s', async (_, negotiation) => {
  const client = await connectClient(negotiation);
  expect((await client.listTools()).tools[0]?.name).toBe('search_code');
  expect(client.getInstructions()).toContain('Use Lattice to find code');
  expect(await client.callTool({ name: 'search_code', arguments: { query: 'q' } })).toMatchObject({ isError: false, structuredContent: { ok: true } });
  await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  const refused = await client.callTool({ name: 'graph_set_workspace', arguments: { workspaceRoot: tmpdir() } }).catch((error: unknown) => String(error));
  expect(JSON.stringify(refused)).toMatch(/FORBIDDEN|not offered/);
  await client.close();
});

test('parallel sessions are different agents', async () => {
  const [one, two] = await Promise.all([connectClient({ mode: 'legacy' }), connectClient({ mode: 'legacy' })]);
  for (const client of [one, two, one]) await client.callTool({ name: 'search_code', arguments: { query: 'q' } });
  const agents = host.gateways.get(folder)?.calls.map(({ caller }) => caller.agentId);
  expect(agents).toEqual([agents?.[0], agents?.[1], agents?.[0]]);
  expect(new Set(agents).size).toBe(2);
  expect(agents?.[0]).toMatch(/^official:/);
  await Promise.all([one.close(), two.close()]);
});

test('followers of a resource are told in both eras', async () => {
  const heard: string[] = [];
  const old = await connectClient({ mode: 'legacy' });
  old.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(`old ${params.uri}`));
  await old.subscribeResource({ uri: 'lattice://atom/a' });
  const now = await connectClient({ mode: { pin: '2026-07-28' } });
  now.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(`new ${params.uri}`));
  await now.listen({ resourceSubscriptions: ['lattice://atom/a'] });
  await expect
    .poll(() => {
      host.gateways.get(folder)?.records.fire(['knowledge']);
      return new Set(heard);
    })
    .toEqual(new Set(['old lattice://atom/a', 'new lattice://atom/a']));
  await Promise.all([old.close(), now.close()]);
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

function ask(method: string, headers: Readonly<Record<string, string>>, body = '', path = '/mcp'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, path, method, headers, agent: false }, response => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

test.each([
  ['no token', {}, PING, 401],
  ['another token', { authorization: `Bearer ${'x'.repeat(43)}` }, PING, 401],
  ['a token of another scheme', { authorization: 'Basic TOKEN' }, PING, 401],
  ['a foreign host (DNS rebinding)', { authorization: 'Bearer TOKEN', host: 'evil.example' }, PING, 403],
  ['a foreign origin', { authorization: 'Bearer TOKEN', origin: 'https://evil.example' }, PING, 403],
  ['an opaque origin', { authorization: 'Bearer TOKEN', origin: 'null' }, PING, 403],
  ['another path', { authorization: 'Bearer TOKEN', path: '/' }, PING, 404],
  ['a form', { authorization: 'Bearer TOKEN', 'content-type': 'text/plain' }, PING, 415],
  ['no JSON', { authorization: 'Bearer TOKEN' }, '{', 400],
  ['a session that never was', { authorization: 'Bearer TOKEN', 'mcp-session-id': 'x' }, PING, 404],
  ['no session', { authorization: 'Bearer TOKEN' }, PING, 400],
  ['a message of 11 MB', { authorization: 'Bearer TOKEN' }, `"${'x'.repeat(11_000_000)}"`, 413],
])('%s is refused, and the server keeps running', async (_, { path, ...headers }: Readonly<Record<string, string>>, body, status) => {
  const accept = 'application/json, text/event-stream';
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)]));
  const answer = await ask('POST', { accept, 'content-type': 'application/json', ...given }, body, path).catch((error: NodeJS.ErrnoException) => error.code);
  // A server that reads no further may close the connection before all was sent.
  expect(answer === 'EPIPE' || answer === 'ECONNRESET' ? { status: 413 } : answer).toMatchObject({ status });
  expect(host.gateways.get(folder)?.calls).toEqual([]);
  expect(said).not.toContain(token);
  const client = await connectClient({ mode: 'auto' });
  expect((await client.callTool({ name: 'search_code', arguments: { query: 'q' } })).isError).toBe(false);
  await client.close();
});

test('a name given with --host is admitted as host and as origin; a page may not ask whether it may', async () => {
  const named = { authorization: `Bearer ${token}`, host: 'box.example:80', origin: 'http://box.example', 'content-type': 'application/json' };
  expect(await ask('POST', { ...named, accept: 'application/json, text/event-stream' }, PING)).toMatchObject({ status: 400 });
  const preflight = await ask('OPTIONS', { host: 'localhost', origin: 'http://localhost:3000', 'access-control-request-method': 'POST' });
  expect(preflight.status).toBe(405);
  expect(Object.keys(preflight.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
});

test('the token is private, outlives the server, and is replaced when others could have read it', async () => {
  const path = join(folder, 'mcp-token');
  if (process.platform !== 'win32') expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  const first = token;
  source.cancel();
  expect(await ended).toBe(130);
  expect(host.gateways.get(folder)?.closed).toBe(true);
  await serve();
  expect(token).toBe(first);
  source.cancel();
  await ended;
  chmodSync(path, 0o644);
  await serve();
  expect(token === first).toBe(process.platform === 'win32');
});

test.each(['TRACE', 'OPTIONS', 'PUT', 'PATCH', 'HEAD', 'PROPFIND'])('%s is refused first', async method => {
  expect(await ask(method, { host: 'evil.example' }, '', '/elsewhere')).toMatchObject({ status: 405, headers: { allow: 'GET, POST, DELETE' } });
});

test.each(['CONNECT', 'FOO', 'trace', 'SECRET-METHOD'])(
  '%s, which HTTP or its parser does not take for a request, is refused in the same way',
  async method => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', text => {
      answer += text;
    });
    socket.write(`${method} /mcp HTTP/1.1\r\nHost: evil.example\r\n\r\n`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: GET, POST, DELETE\r\n/);
  },
);

/** Begins a session by hand. */
async function begin(): Promise<Readonly<Record<string, string>>> {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const answer = await ask('POST', headers, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  return { ...headers, 'mcp-session-id': String(answer.headers['mcp-session-id']) };
}

async function post(headers: Readonly<Record<string, string>>, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}

test('an ID of a pending request, or one that occurs twice in a batch, is refused with an error for each', async () => {
  const headers = await begin();
  let answer: () => void = () => undefined;
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  const gateway = host.gateways.get(folder);
  if (gateway === undefined) throw new Error('no workspace');
  const plain = gateway.onCall;
  gateway.onCall = async (call, cancel) => {
    await held;
    return plain(call, cancel);
  };
  const call = (id: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'search_code', arguments: { query: 'x' } } });
  const first = post(headers, call('a'));
  await expect.poll(() => gateway.calls.length).toBe(1);
  expect(await post(headers, call('a'))).toEqual({ status: 400, text: expect.stringContaining('"id":"a","error":{"code":-32600') });
  const batch = await post(headers, [call('b'), call('a'), call('b')]);
  expect(JSON.parse(batch.text)).toMatchObject([
    { id: 'b', error: { code: -32600 } },
    { id: 'a', error: { code: -32600 } },
    { id: 'b', error: { code: -32600 } },
  ]);
  const faulty = await post(headers, [call('c'), { jsonrpc: '2.0', id: 'd', method: 'resources/read', params: {} }]);
  expect(JSON.parse(faulty.text)).toMatchObject([
    { id: 'c', error: { code: -32600, message: expect.stringContaining('Not processed') } },
    { id: 'd', error: { code: -32602 } },
  ]);
  expect(gateway.calls).toHaveLength(1);
  answer();
  expect((await first).text).toContain('"result"');
  await expect.poll(async () => (await post(headers, call('a'))).status).toBe(200);
});

test('parameters that the protocol does not allow are told in one sentence', async () => {
  const headers = await begin();
  const { status, text } = await post(headers, { jsonrpc: '2.0', id: 1, method: 'resources/read', params: {} });
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Invalid parameters of resources/read: uri must be a string.' } },
  ]);
});

test('the connection that has been idle longest is closed for a new one, but never one with a pending request', async () => {
  const busy: (() => void)[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.url === '/busy') busy.push(() => response.end());
    else response.end();
  });
  closeIdleConnections(server, 3);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const closed: string[] = [];
  const open = async (name: string, path?: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.once('close', () => closed.push(name)).on('error', () => undefined);
    await once(socket, 'connect');
    if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    if (path === '/') await once(socket, 'data');
    if (path === '/busy') await expect.poll(() => busy.length).toBeGreaterThan(0);
    return socket;
  };
  await open('busy', '/busy');
  await open('old');
  await open('older but used since', '/');
  await open('new');
  await expect.poll(() => closed).toEqual(['old']);
  await open('newer');
  await expect.poll(() => closed).toEqual(['old', 'older but used since']);
  busy[0]?.();
  server.closeAllConnections();
  await new Promise(done => server.close(done));
});

test('the port of another server is refused with advice', async () => {
  const { port } = new URL(url);
  expect(await cli(host, folder, ['mcp', '--http', port])).toMatchObject({ exit: 3, err: expect.stringContaining('Use another port') });
});

test.each([
  [['mcp', '--http', '0.0.0.0:80'], /Specify the host names they use with --host/],
  [['mcp', '--http', '127.0.0.1:99999'], /is not a valid address/],
  [['mcp', '--http', 'http://x'], /is not a valid address/],
  [['mcp', '--http', '--root', '/x'], /--root cannot be used with --http/],
  [['mcp', '--root', '.,missing'], /^error: The folder missing of --root does not exist\. Create it, or start the server without it\.$/m],
  [['mcp', '127.0.0.1:80'], /The address 127\.0\.0\.1:80 requires --http/],
])('%j is refused', async (words, message) => {
  expect(await cli(host, folder, words)).toMatchObject({ exit: 2, err: expect.stringMatching(message) });
});

test('the agent card says what is offered, to whoever asks on this machine, and nothing of the workspace', async () => {
  const answered = await fetch(new URL('/.well-known/agent.json', url));
  expect(answered.status).toBe(200);
  const card = (await answered.json()) as { readonly tools: readonly string[] };
  expect(card).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'SoftwareAgent',
    name: 'lattice',
    a2aVersion: '1.0',
    mcpEndpoint: '/mcp',
    capabilities: ['code-graph', 'agent-memory', 'episodic-memory', 'agent-coordination', 'context-packing'],
  });
  const client = await connectClient({ mode: 'auto' });
  expect(card.tools).toEqual((await client.listTools()).tools.map(tool => tool.name));
  await client.close();
  expect(JSON.stringify(card)).not.toContain(folder);
  expect((await fetch(new URL('/.well-known/agent.json', url), { method: 'POST' })).status).not.toBe(200);
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.7', '::ffff:10.0.0.7', undefined].map(isLoopback)).toEqual([true, true, true, false, false, false]);
});
