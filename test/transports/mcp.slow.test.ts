import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLI, type Finished, finished, gone, lattice, newPlace, type Place, start } from './bundles';

let place: Place;
beforeAll(async () => {
  place = newPlace();
  expect((await lattice(place, 'index', '--json')).exit).toBe(0);
});
afterAll(() => place.remove());

const ERAS = [
  ['2025 (initialize)', { mode: 'legacy' }],
  ['2026-07-28 (server/discover)', { mode: { pin: '2026-07-28' } }],
  ['whatever the server speaks', { mode: 'auto' }],
] as const;

async function connect(
  versionNegotiation: (typeof ERAS)[number][1],
  words: readonly string[] = [],
): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const env = Object.fromEntries(Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--workspace', place.workspace, ...words], env, stderr: 'pipe' });
  const client = new Client({ name: 'official', version: '1' }, { versionNegotiation });
  await client.connect(transport);
  return { client, transport };
}

test.each(ERAS)('the official client is served in the era %s', async (_, negotiation) => {
  const { client, transport } = await connect(negotiation);
  const { tools } = await client.listTools();
  expect(tools[0]?.name).toBe('context_pack');
  expect(client.getInstructions()).toContain('Use Lattice to find code');
  const answer = await client.callTool({ name: 'search_code', arguments: { query: 'write invoice' } });
  expect(answer.isError).toBe(false);
  expect(JSON.stringify(answer.structuredContent)).toContain('worker/bookshop/invoices.py::write_invoice');
  const missing = await client.callTool({ name: 'code_explain', arguments: {} });
  expect(missing).toMatchObject({ isError: true, structuredContent: { ok: false, errorCode: 'VALIDATION_ERROR', hint: expect.any(String) } });
  await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  const { pid } = transport;
  await client.close();
  await gone(pid ?? 0);
});

test('a file written just before the question is in the answer', async () => {
  const { client } = await connect({ mode: 'auto' });
  writeFileSync(join(place.workspace, 'worker', 'bookshop', 'fresh.py'), 'def brand_new_thing():\n    return 1\n');
  await expect
    .poll(async () => JSON.stringify((await client.callTool({ name: 'search_code', arguments: { query: 'brand_new_thing' } })).structuredContent))
    .toContain('fresh.py::brand_new_thing');
  await client.close();
});

test('only the chosen tools are offered', async () => {
  const { client } = await connect({ mode: 'auto' }, ['--tools', 'code_explain,search_code']);
  expect((await client.listTools()).tools.map(tool => tool.name)).toEqual(['search_code', 'code_explain']);
  await expect(client.callTool({ name: 'impact_analyze', arguments: { target: 'x' } })).rejects.toThrow(/--tools/);
  await client.close();
  expect(await lattice(place, 'mcp', '--tools', 'nonsense')).toMatchObject({ exit: 2, out: '' });
});

test('a folder that is allowed brings the tool that switches to it', async () => {
  const { client } = await connect({ mode: 'auto' }, ['--tools', 'agent', '--root', join(place.workspace, 'worker')]);
  const names = (await client.listTools()).tools.map(tool => tool.name);
  expect(names).toEqual(expect.arrayContaining(['agent_claim', 'graph_set_workspace']));
  expect(names).not.toContain('graph_query');
  const refused = await client.callTool({ name: 'graph_set_workspace', arguments: { workspaceRoot: dirname(place.workspace) } });
  expect(refused).toMatchObject({ isError: true, structuredContent: { errorCode: 'FORBIDDEN' } });
  await client.close();
});

test('raw lines as the evaluation writes them are answered, stdout carries nothing else, and the end of stdin ends it', async () => {
  const child = start(place, 'mcp.js', ['--workspace', place.workspace, '--tools', 'full']);
  const lines: {
    readonly id?: number;
    readonly result?: { readonly structuredContent?: { readonly data?: { readonly results?: readonly { readonly chunk_id: string }[] } } };
  }[] = [];
  const reader = createInterface({ input: child.stdout });
  const answers = new Promise<void>(resolve => {
    reader.on('line', line => {
      lines.push(JSON.parse(line));
      if (lines.some(message => message.id === 2)) resolve();
    });
  });
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'eval', version: '1' } } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'search_code', arguments: { query: 'invoice', k: 50, profile: 'debug', output_format: 'verbose' } } });
  await answers;
  expect(lines.find(message => message.id === 2)?.result?.structuredContent?.data?.results?.map(hit => hit.chunk_id)).toContain(
    'worker/bookshop/invoices.py::Invoice',
  );
  const exit = new Promise(resolve => child.once('exit', resolve));
  child.stdin.end();
  expect(await exit).toBe(0);
});

test('malformed lines are answered and the process lives', async () => {
  const child = start(place, 'mcp.js', ['--workspace', place.workspace]);
  const end = finished(child);
  for (const line of ['nonsense', '[]', '{"jsonrpc":"2.0","id":7,"method":"no/such"}', '{"jsonrpc":"2.0","id":8,"method":"ping"}'])
    child.stdin.write(`${line}\n`);
  child.stdin.end();
  const { out, exit } = await end;
  expect(exit).toBe(0);
  const messages = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(messages).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
      expect.objectContaining({ id: 7, error: expect.objectContaining({ code: -32601 }) }),
      expect.objectContaining({ id: 8, result: {} }),
    ]),
  );
});

function hook(sessionId: string, event: Readonly<Record<string, unknown>>): Promise<Finished> {
  const child = start(place, 'hook.js', []);
  child.stdin.end(JSON.stringify({ session_id: sessionId, cwd: place.workspace, ...event }));
  return finished(child);
}

const START = { hook_event_name: 'SessionStart', source: 'startup' };

test('a hook finds the server that runs, and is silent without one', async () => {
  const { client, transport } = await connect({ mode: 'auto' });
  await client.listTools();
  const told = await hook('abcdef12-3456', START);
  expect(told).toMatchObject({ exit: 0, err: '' });
  expect(JSON.parse(told.out)).toMatchObject({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: expect.stringContaining('claude-code:abcdef12') },
  });
  await leave(client, transport);
  expect(await hook('abcdef12-3456', START)).toMatchObject({ exit: 0, out: '', err: '' });
});

/** The owner goes with its only client. */
async function leave(client: Client, transport: StdioClientTransport): Promise<void> {
  const { pid } = transport;
  await client.close();
  await gone(pid ?? 0);
}

async function claimed(client: Client, targetId: string): Promise<string> {
  const answer = await client.callTool({ name: 'agent_claim', arguments: { targetId, claimType: 'file', intent: 'round amounts' } });
  return JSON.parse(JSON.stringify(answer.structuredContent)).data.claimId;
}

test('claims of a session are released at its end, also when its server has gone before; those of others stay', async () => {
  const first = await connect({ mode: 'auto' }, ['--tools', 'agent']);
  const own = await claimed(first.client, 'worker/bookshop/invoices.py');
  await hook('11111111-0001', { hook_event_name: 'PostToolUse', tool_name: 'mcp__lattice__agent_claim', tool_input: {}, tool_response: own });
  await leave(first.client, first.transport);
  const second = await connect({ mode: 'auto' }, ['--tools', 'full']);
  const others = await claimed(second.client, 'worker/bookshop/layout.py');
  await leave(second.client, second.transport);
  expect(await hook('11111111-0001', { hook_event_name: 'SessionEnd', reason: 'other' })).toMatchObject({ exit: 0, out: '', err: '' });
  const third = await connect({ mode: 'auto' }, ['--tools', 'full']);
  const overview = await third.client.callTool({ name: 'coordination_overview', arguments: { profile: 'debug' } });
  const { activeClaims } = JSON.parse(JSON.stringify(overview.structuredContent)).data;
  expect(activeClaims.map((claim: { readonly id: string }) => claim.id)).toEqual([others]);
  await leave(third.client, third.transport);
});
