import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { ok } from '../../../server/src/base/result';
import { serveLsp } from '../../../server/src/transports/languageServer';
import { pathToUri } from '../../../server/src/transports/lsp/uri';
import { connectStreams } from '../../../server/src/transports/lspConnection';
import { removeFolder } from '../../helpers/removeFolder.mjs';
import { FakeHost } from '../fakeHost';

export interface LspDoor {
  readonly host: FakeHost;
  readonly client: MessageConnection;
  /** URI of the one workspace folder, and of the document `src/a.ts` in it. */
  readonly folder: string;
  readonly file: string;
  initialize(initializationOptions?: object, capabilities?: object): Promise<void>;
  /** Sends settings of the folder. */
  settings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

/** A language server over one folder whose answers `answers` gives. */
export function lspDoor(answers: FakeHost['gateway']['answers']): LspDoor {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-lsp-')));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src', 'a.ts'), 'export function a() {}\n');
  const host = new FakeHost(root);
  host.prepare = gateway => {
    gateway.answers = answers;
  };
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const server = serveLsp({
    host,
    connection: connectStreams(toServer, toClient, () => undefined),
    platform: 'linux',
    writeLauncher: async () => ok({ command: 'lattice-mcp', args: [], env: {} }),
  });
  const client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  client.listen();
  const folder = pathToUri(root, 'posix');
  return {
    host,
    client,
    folder,
    file: pathToUri(join(root, 'src', 'a.ts'), 'posix'),
    async initialize(initializationOptions = {}, capabilities = {}) {
      await client.sendRequest('initialize', {
        processId: null,
        capabilities,
        rootUri: null,
        workspaceFolders: [{ uri: folder, name: 'shop' }],
        initializationOptions,
      });
      await client.sendNotification('initialized', {});
      await client.sendRequest('lattice/query', { feature: 'none', params: {} }).catch(() => undefined);
    },
    settings: settings => client.sendNotification('lattice/settingsChanged', { settings: {}, folders: [{ uri: folder, settings, exclude: [] }] }),
    async close() {
      await server.close();
      client.dispose();
      removeFolder(root);
    },
  };
}
