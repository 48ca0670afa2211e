import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { ok } from '../../../server/src/base/result';
import { serveLsp } from '../../../server/src/transports/languageServer';
import { pathToUri } from '../../../server/src/transports/lsp/uri';
import { connectStreams } from '../../../server/src/transports/lspConnection';
import { removeFolder } from '../../helpers/removeFolder.mjs';
import { FakeHost } from '../fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-lsp-arch-')));
const shop = join(folder, 'shop');
mkdirSync(join(shop, 'src'), { recursive: true });
writeFileSync(join(shop, 'src', 'a.ts'), 'x\n');
afterAll(() => removeFolder(folder));

const uri = pathToUri(join(shop, 'src', 'a.ts'), 'posix');
const BREACH = {
  ruleId: 'pure',
  severity: 'error',
  from: { id: 'src/a.ts', file: 'src/a.ts', line: 2 },
  to: 'express',
  edge: 'imports',
  message: 'Rule pure forbids this.',
  suggestion: 'Move it.',
  baseline: false,
  ruleLine: 7,
};
const COMMANDS = ['lattice.architecture.acceptViolation', 'lattice.architecture.addException', 'lattice.architecture.goToRule'];

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly object[];
}

let host: FakeHost;
let client: MessageConnection;
let close: () => Promise<void>;
let published: Published[];
let arrived: (() => void)[];
let answer: { violations: readonly object[]; rulesSource: string };

beforeEach(() => {
  host = new FakeHost(folder);
  host.prepare = gateway => {
    gateway.answers = { architecture: () => answer };
  };
  answer = { violations: [BREACH, { ...BREACH, baseline: true }], rulesSource: '.lattice/architecture.yaml' };
  published = [];
  arrived = [];
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = serveLsp({
    host,
    connection: connectStreams(toServer, toClient, () => undefined),
    platform: 'linux',
    writeLauncher: async () => ok({ command: 'lattice-mcp', args: [], env: {} }),
  });
  close = () => server.close();
  client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  client.onNotification('textDocument/publishDiagnostics', (params: Published) => {
    published.push(params);
    for (const resolve of arrived.splice(0)) resolve();
  });
  client.listen();
});

afterEach(async () => {
  await close();
  client.dispose();
});

async function initialize(options: { readonly trusted?: boolean; readonly diagnostics?: string } = {}): Promise<void> {
  const settings = options.diagnostics === undefined ? {} : { 'lattice.architecture.diagnostics': options.diagnostics };
  await client.sendRequest('initialize', {
    processId: null,
    capabilities: {},
    rootUri: null,
    workspaceFolders: [{ uri: pathToUri(shop, 'posix'), name: 'shop' }],
    initializationOptions: { settings: {}, folders: [{ uri: pathToUri(shop, 'posix'), settings }], trusted: options.trusted ?? true, commands: COMMANDS },
  });
  await client.sendNotification('initialized', {});
  await client.sendRequest('lattice/query', { feature: 'none', params: {} }).catch(() => undefined);
}

/** The next diagnostics after a revision. */
async function afterRevision(): Promise<Published | undefined> {
  const next = new Promise<void>(resolve => arrived.push(resolve));
  host.gateways.get(shop)?.revisions.fire({ revision: 8, changed: ['src/a.ts'] });
  await next;
  return published.at(-1);
}

const actions = (
  diagnostic: object | undefined,
): Promise<readonly { readonly title: string; readonly command: { readonly command: string; readonly arguments: unknown } }[]> =>
  client.sendRequest('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } },
    context: { diagnostics: [diagnostic] },
  });

test('violations that are not accepted stand at their line', async () => {
  await initialize();
  await client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text: "a;\n  import e from 'express';  \n" },
  });
  expect(await afterRevision()).toMatchObject({
    uri,
    diagnostics: [
      {
        range: { start: { line: 1, character: 2 }, end: { line: 1, character: 26 } },
        severity: 1,
        source: 'Lattice',
        code: 'pure',
        message: 'Rule pure forbids this.\nMove it.',
      },
    ],
  });
  expect(host.gateways.get(shop)?.queries.find(asked => asked.feature === 'architecture')?.params).toEqual({ declaredOnly: true });
});

test('they go when nothing is wrong any more', async () => {
  await initialize();
  expect((await afterRevision())?.diagnostics).toHaveLength(1);
  answer = { ...answer, violations: [] };
  expect(await afterRevision()).toMatchObject({ uri, diagnostics: [] });
});

test.each([
  ['a changed rule file', join('.lattice', 'architecture.yaml')],
  ['a folder of rules that appears', '.lattice'],
])('%s leads to another check', async (_, path) => {
  await initialize();
  await afterRevision();
  answer = { ...answer, violations: [] };
  const next = new Promise<void>(resolve => arrived.push(resolve));
  await client.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: pathToUri(join(shop, path), 'posix'), type: 2 }],
  });
  await next;
  expect(published.at(-1)?.diagnostics).toEqual([]);
});

test('each violation can be accepted, excepted, and traced to its rule', async () => {
  await initialize();
  const offered = await actions((await afterRevision())?.diagnostics[0]);
  expect(offered.map(action => action.command.command)).toEqual(COMMANDS);
  expect(offered.map(action => action.title)).toEqual([
    'Accept this violation of pure in the architecture baseline',
    'Add exception to pure for src/a.ts...',
    'Go to rule pure',
  ]);
  expect(offered[0]?.command.arguments).toEqual([
    {
      folder: pathToUri(shop, 'posix'),
      rule: 'pure',
      from: 'src/a.ts',
      file: 'src/a.ts',
      to: 'express',
      edge: 'imports',
      rulesSource: '.lattice/architecture.yaml',
      ruleLine: 7,
    },
  ]);
});

test('in a workspace that is not trusted nothing is offered that writes', async () => {
  await initialize({ trusted: false });
  expect((await actions((await afterRevision())?.diagnostics[0])).map(action => action.command.command)).toEqual(['lattice.architecture.goToRule']);
});

test('the built-in rule is shown on request and has no place', async () => {
  answer = { ...answer, rulesSource: 'builtin' };
  await initialize({ diagnostics: 'always' });
  const shown = await afterRevision();
  expect(host.gateways.get(shop)?.queries.find(asked => asked.feature === 'architecture')?.params).toEqual({ declaredOnly: false });
  expect((await actions(shown?.diagnostics[0])).map(action => action.command.command)).toEqual(['lattice.architecture.acceptViolation']);
});

test('diagnostics of others get no actions', async () => {
  await initialize();
  await afterRevision();
  expect(await actions({ range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } }, message: 'x', source: 'ts' })).toEqual([]);
});
