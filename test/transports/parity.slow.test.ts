import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { CLI, lattice, newPlace, type Place, start } from './bundles';

let place: Place;
let mcp: Client;
let lsp: MessageConnection;
let stop: () => void;

beforeAll(async () => {
  place = newPlace();
  await lattice(place, 'index', '--json');
  const env = Object.fromEntries(Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  mcp = new Client({ name: 'parity', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await mcp.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--workspace', place.workspace, '--tools', 'full'], env, stderr: 'pipe' }),
  );
  const server = start(place, 'server.js', ['--stdio']);
  stop = () => server.kill();
  lsp = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  lsp.listen();
  const uri = pathToFileURL(place.workspace).href;
  await lsp.sendRequest('initialize', { processId: process.pid, capabilities: {}, rootUri: uri, workspaceFolders: [{ uri, name: 'sample' }] });
  await lsp.sendNotification('initialized', {});
});

afterAll(async () => {
  await mcp.close();
  lsp.dispose();
  stop();
  place.remove();
});

/** The editor also has the parts of hints and summaries, to put them in its own words. */
function withoutParts({ hintParts: _hint, summaryParts: _summary, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

test.each([
  ['search_code', { query: 'invoice', k: 5, profile: 'debug' }],
  ['search_code', { query: 'invoice' }],
  ['code_explain', { target: 'write_invoice', profile: 'debug' }],
  ['impact_analyze', { target: 'worker/bookshop/invoices.py::Document::render', profile: 'debug' }],
  ['semantic_slice', { symbol: 'write_invoice', profile: 'balanced' }],
  ['query_graph_neighborhood', { node_id: 'worker/bookshop/invoices.py', profile: 'debug' }],
  ['code_explain', { target: 'zzqqxx' }],
] as const)('%s %j is answered alike through every door', async (name, input) => {
  const cli = JSON.parse((await lattice(place, 'tool', name, '--json', '--input', JSON.stringify(input))).out);
  const viaMcp = await mcp.callTool({ name, arguments: { ...input } });
  const viaLsp = await lsp.sendRequest<{ envelope: Record<string, unknown>; text: string }>('lattice/callTool', { name, input });
  expect(viaMcp.structuredContent).toEqual(cli);
  expect(withoutParts(viaLsp.envelope)).toEqual(cli);
  expect(viaMcp.isError).toBe(cli.ok === false);
  expect(viaMcp.content).toEqual([{ type: 'text', text: viaLsp.text }]);
});

test('a call that is wrong in any workspace is refused alike; the command line opens none for it and has no stamp to show', async () => {
  const cli = JSON.parse((await lattice(place, 'tool', 'code_explain', '--json', '--input', '{}')).out);
  const viaMcp = await mcp.callTool({ name: 'code_explain', arguments: {} });
  const { envelope } = await lsp.sendRequest<{ envelope: Record<string, unknown> }>('lattice/callTool', { name: 'code_explain', input: {} });
  expect(cli).toMatchObject({ ok: false, errorCode: 'VALIDATION_ERROR' });
  expect(envelope).toHaveProperty('hintParts');
  const { stamp, ...answer } = withoutParts(envelope);
  expect(stamp).toMatchObject({ pendingFiles: 0 });
  expect(viaMcp).toMatchObject({ isError: true, structuredContent: { ...answer, stamp } });
  expect(answer).toEqual(cli);
});
