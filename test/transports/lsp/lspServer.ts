import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { ok } from '../../../server/src/base/result';
import { serveLsp } from '../../../server/src/transports/languageServer';
import { pathToUri } from '../../../server/src/transports/lsp/uri';
import { connectStreams } from '../../../server/src/transports/lspConnection';
import { removeFolder } from '../../helpers/removeFolder.mjs';
import { FakeHost } from '../fakeHost';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-lsp-')));
export const shop = join(folder, 'shop');
/** A workspace folder inside the other. */
export const inner = join(shop, 'inner');
for (const name of [inner, join(shop, 'src')]) mkdirSync(name, { recursive: true });
export const file = join(shop, 'src', 'a b.ts');
writeFileSync(file, 'export function a() {}\n');

export const uriOf = (path: string): string => pathToUri(path, 'posix');
export const SYMBOL = { id: 'src/a b.ts::a', name: 'a', kind: 'function', path: 'src/a b.ts', startLine: 1, endLine: 1, nameLine: 1, nameColumn: 16 };
/** The name of the symbol in its file. */
export const place = { textDocument: { uri: uriOf(file) }, position: { line: 0, character: 16 } };

/** A language server over a host whose answers the test gives, anew for each test of a file. */
export class LspServer {
  host = new FakeHost(folder);
  notified: { readonly method: string; readonly params: unknown }[] = [];
  logged: string[] = [];
  readonly toServer = new PassThrough();
  readonly client: MessageConnection;
  #waiting: { readonly method: string; readonly resolve: (params: unknown) => void }[] = [];
  readonly #server: ReturnType<typeof serveLsp>;

  constructor() {
    const toClient = new PassThrough();
    this.#server = serveLsp({
      host: this.host,
      connection: connectStreams(this.toServer, toClient, () => undefined),
      platform: 'linux',
      writeLauncher: async () => ok({ command: 'lattice-mcp', args: [], env: {} }),
    });
    const log = (message: string): void => void this.logged.push(message);
    this.client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(this.toServer), { error: log, warn: log, info: log, log });
    this.client.onNotification((method, params) => {
      this.notified.push({ method, params });
      for (const each of this.#waiting.filter(other => other.method === method)) each.resolve(params);
      this.#waiting = this.#waiting.filter(each => each.method !== method);
    });
    this.client.listen();
  }

  /** The next notification of a method. */
  notification<Params>(method: string): Promise<Params> {
    return new Promise(resolve => this.#waiting.push({ method, resolve: params => resolve(params as Params) }));
  }

  async initialize(
    folders: readonly string[] = [shop],
    more: { readonly capabilities?: object; readonly initializationOptions?: object } = {},
  ): Promise<Record<string, unknown>> {
    const answer = await this.client.sendRequest<Record<string, unknown>>('initialize', {
      processId: null,
      capabilities: { workspace: { workspaceFolders: true } },
      rootUri: null,
      workspaceFolders: folders.map(path => ({ uri: uriOf(path), name: path.slice(path.lastIndexOf('/') + 1) })),
      ...more,
    });
    await this.client.sendNotification('initialized', {});
    await this.client.sendRequest('lattice/query', { feature: 'none', params: {} }).catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.client.dispose();
  }
}

/** Begins and ends a server with each test of the file; `current` is that of the running one. */
export function lspServer(): { readonly current: LspServer } {
  let current: LspServer | undefined;
  beforeEach(() => {
    current = new LspServer();
  });
  afterEach(() => current?.close());
  afterAll(() => removeFolder(folder));
  return {
    get current() {
      if (current === undefined) throw new Error('no test is running');
      return current;
    },
  };
}
