import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { gone, lattice, newPlace, type Place, start } from './bundles';

interface Status {
  readonly folders: readonly { readonly phase: string; readonly uri: string }[];
}

let place: Place;
let child: ChildProcessWithoutNullStreams;
let client: MessageConnection;
let file: string;
let uri: string;

beforeEach(() => {
  place = newPlace();
  file = join(place.workspace, 'worker', 'bookshop', 'invoices.py');
  uri = pathToFileURL(file).href;
  child = start(place, 'server.js', ['--stdio']);
  client = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
});

afterEach(() => {
  client.dispose();
  child.kill('SIGKILL');
  place.remove();
});

/** Resolves when the first index is done. */
async function open(): Promise<void> {
  const indexed = new Promise<void>(resolve => {
    client.onNotification('lattice/statusChanged', (status: Status) => {
      if (status.folders.length > 0 && status.folders.every(folder => folder.phase === 'ready')) resolve();
    });
  });
  client.listen();
  const folder = pathToFileURL(place.workspace).href;
  await client.sendRequest('initialize', { processId: process.pid, capabilities: {}, rootUri: folder, workspaceFolders: [{ uri: folder, name: 'sample' }] });
  await client.sendNotification('initialized', {});
  await indexed;
}

test('hover, workspace symbols and call hierarchy answer about the sample', async () => {
  await open();
  const hover = await client.sendRequest<{ contents: { value: string } }>('textDocument/hover', {
    textDocument: { uri },
    position: { line: 27, character: 8 },
  });
  expect(hover.contents.value).toContain('write_invoice');
  expect(hover.contents.value.split('\n').length).toBeLessThanOrEqual(8);
  const symbols = await client.sendRequest<{ name: string; location: { uri: string } }[]>('workspace/symbol', { query: 'write_invoice' });
  expect(symbols[0]).toMatchObject({ name: 'write_invoice', location: { uri, range: { start: { line: 27, character: 4 } } } });
  const [item] = await client.sendRequest<object[]>('textDocument/prepareCallHierarchy', { textDocument: { uri }, position: { line: 27, character: 8 } });
  const calls = await client.sendRequest<{ to: { name: string } }[]>('callHierarchy/outgoingCalls', { item });
  expect(calls.map(call => call.to.name)).toContain('render');
});

test('an unsaved function is known at once to the editor, and forgotten when the document is closed', async () => {
  await open();
  const text = readFileSync(file, 'utf8');
  await client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: 1, text } });
  const end = { line: text.split('\n').length, character: 0 };
  await client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: end, end }, text: '\ndef unsaved_thing():\n    return write_invoice(1, [])\n' }],
  });
  const ask = async (): Promise<string[]> =>
    (await client.sendRequest<{ name: string }[]>('workspace/symbol', { query: 'unsaved_thing' })).map(symbol => symbol.name);
  await expect.poll(ask).toContain('unsaved_thing');
  const elsewhere = await lattice(place, 'search', 'unsaved_thing', '--json');
  expect(elsewhere.out).not.toContain('::unsaved_thing');
  await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await expect.poll(ask).not.toContain('unsaved_thing');
});

test('shutdown and exit end the process', async () => {
  await open();
  const exit = new Promise(resolve => child.once('exit', resolve));
  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  expect(await exit).toBe(0);
});

test('the end of stdin ends the process', async () => {
  await open();
  child.stdin.end();
  await gone(child.pid ?? 0);
});

test('the end of the editor ends the process', async () => {
  client.listen();
  const editor = start(place, 'cli.js', ['mcp']);
  await client.sendRequest('initialize', { processId: editor.pid, capabilities: {}, rootUri: null, workspaceFolders: [] });
  editor.kill('SIGKILL');
  await gone(child.pid ?? 0);
});
