/**
 * The language server as the rest of the client sees it: started when wanted, restarted after a crash, asked by typed requests.
 * Invariant: at most one `LanguageClient` runs; every request waits for its start.
 */

import {
  type CancellationToken,
  CancellationTokenSource,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  type Uri,
  workspace,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { AnswerOf, FeatureName, ParamsOf } from '../../../server/protocol/features';
import { settingsChanged } from '../../../server/protocol/initialization';
import type { NotificationMethod, RequestMethod } from '../../../server/protocol/method';
import {
  type AnswerDto,
  callTool,
  type DataOf,
  type FolderStatus,
  languagesWithoutProvider,
  query,
  recordsChanged,
  revisionPublished,
  statusChanged,
  type ToolData,
  type ToolInput,
  type ToolName,
} from '../../../server/protocol/requests';
import { showError } from '../messages';
import { Refusal, refusalIn } from '../refusal';
import { indexedFolders, readEmbedder, readSettings, setting } from '../settings';
import { ThrottleByKey } from '../throttleByKey';
import { EmbedderKeys } from './embedderKeys';
import { findLanguagesWithoutProvider } from './languagesWithoutProvider';
import { RestartLimiter } from './restartLimiter';
import type { ServerState } from './serverState';
import { SettingsOutbox } from './settingsOutbox';
import { createLanguageClient } from './start';

interface Revision {
  readonly folder: string;
  readonly revision: number;
}

/** Views that show the index ask anew after each revision, while somebody types: at most so often, in milliseconds. */
const REVISIONS_MS = 1000;

export interface LatticeServerOptions {
  readonly context: ExtensionContext;
  readonly version: string;
  readonly log: LogOutputChannel;
}

export class LatticeServer implements Disposable {
  private readonly changed = new EventEmitter<void>();
  private readonly published = new EventEmitter<Revision>();
  private readonly throttled = new ThrottleByKey<Revision>(
    REVISIONS_MS,
    ({ folder }) => folder,
    revision => this.published.fire(revision),
  );
  private readonly recorded = new EventEmitter<{ readonly uri: string; readonly areas: readonly string[] }>();
  /** The editor leaves out what `files.watcherExclude` names. */
  private readonly watcher = workspace.createFileSystemWatcher('**/*');
  private readonly outbox = new SettingsOutbox(() => this.sendSettingsNow());
  private client: Promise<LanguageClient> | undefined;
  private current: ServerState = 'off';
  private folderStatus: readonly FolderStatus[] = [];
  private sentLanguages = '';

  /** Fires when `state` or `folders` changed. */
  readonly onDidChange = this.changed.event;
  /** Fires after each new revision of a folder. */
  readonly onRevision = this.published.event;
  /** Fires after somebody wrote something that people and agents keep; `areas` are `knowledge`, `work`. */
  readonly onRecords = this.recorded.event;

  readonly keys: EmbedderKeys;

  constructor(private readonly options: LatticeServerOptions) {
    this.keys = new EmbedderKeys(options.context.secrets, readEmbedder);
  }

  get state(): ServerState {
    return this.current;
  }

  get folders(): readonly FolderStatus[] {
    return this.folderStatus;
  }

  /** Every folder is indexed. */
  get isReady(): boolean {
    return this.folderStatus.length > 0 && this.folderStatus.every(folder => folder.phase === 'ready');
  }

  /** Every folder is indexed, or cannot be. */
  get isSettled(): boolean {
    return this.folderStatus.length > 0 && this.folderStatus.every(folder => folder.phase === 'ready' || folder.phase === 'failed');
  }

  get log(): LogOutputChannel {
    return this.options.log;
  }

  /** Starts the server if Lattice is on and a folder is open, stops it otherwise. */
  async startWhenWanted(): Promise<void> {
    if (this.obstacle() === undefined) await this.started();
    else await this.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.startWhenWanted();
  }

  async stop(): Promise<void> {
    const stopping = this.client;
    this.client = undefined;
    this.folderStatus = [];
    this.setState('off');
    if (stopping === undefined) return;
    try {
      await (await stopping).stop(5000);
    } catch (error) {
      this.options.log.warn(`The language server did not stop cleanly: ${String(error)}`);
    }
  }

  async request<Params, Answer>(descriptor: RequestMethod<Params, Answer>, params: Params, token?: CancellationToken): Promise<Answer> {
    const client = await this.started();
    try {
      return await client.sendRequest<Answer>(descriptor.method, params, token ?? new CancellationTokenSource().token);
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  }

  /** Asks a feature in the folder of `where`. */
  async ask<Name extends FeatureName>(
    feature: Name,
    params: ParamsOf<Name> & { readonly asOf?: string },
    where: Uri,
    token?: CancellationToken,
  ): Promise<AnswerOf<Name>> {
    return (await this.request(query, { feature, params, uri: where.toString() }, token)) as AnswerOf<Name>;
  }

  /** Runs a tool; a refused call is an answer with `ok: false`, not an error. */
  callTool<Name extends ToolName>(
    name: Name,
    input: ToolInput<Name>,
    where: { readonly uri?: string } = {},
    token?: CancellationToken,
  ): Promise<AnswerDto<DataOf<Name>>> {
    return this.callNamedTool(name, input, where, token) as Promise<AnswerDto<DataOf<Name>>>;
  }

  /** The same for a model's call, whose name and input only the server can judge. */
  callNamedTool(name: string, input: ToolData, where: { readonly uri?: string } = {}, token?: CancellationToken): Promise<AnswerDto> {
    return this.request(callTool, { name, input, ...where }, token);
  }

  sendSettings(): void {
    this.outbox.changed(this.current);
  }

  private sendSettingsNow(): void {
    // A server that holds the key of one service must not hear of another.
    if (this.keys.mustRestart) return this.restartQuietly();
    this.notify(settingsChanged, readSettings());
    void this.keys.isMissing().then(isMissing => isMissing && this.restartQuietly());
  }

  private restartQuietly(): void {
    this.restart().catch((error: unknown) => this.options.log.error(error instanceof Error ? error : String(error)));
  }

  /** Tells for which languages nobody else gives hierarchies, symbols and hovers, unless nothing of that has changed. */
  async sendLanguages(): Promise<void> {
    const now = findLanguagesWithoutProvider();
    const text = JSON.stringify(now);
    if (text === this.sentLanguages || this.client === undefined) return;
    this.sentLanguages = text;
    await (await this.client).sendNotification(languagesWithoutProvider.method, now);
  }

  sendLanguagesQuietly(): void {
    this.sendLanguages().catch((error: unknown) => this.options.log.warn(`${languagesWithoutProvider.method} was not sent: ${String(error)}`));
  }

  /** Resolves after the next time that every folder has a new revision and is ready again. */
  rebuilt(): Promise<void> {
    const waiting = new Set(this.folderStatus.map(folder => folder.folder));
    return this.until(
      () => waiting.size === 0 && this.isSettled,
      this.published.event(({ folder }) => waiting.delete(folder)),
    );
  }

  async whenIndexed(): Promise<readonly FolderStatus[]> {
    await this.started();
    await this.until(() => this.isSettled);
    return this.folderStatus;
  }

  dispose(): void {
    this.watcher.dispose();
    this.throttled.dispose();
    this.changed.dispose();
    this.published.dispose();
    this.recorded.dispose();
  }

  /** Why the server must not run, for people; `undefined` when it may. */
  private obstacle(): string | undefined {
    if (!setting<boolean>('lattice.enable')) return 'Lattice is disabled. To enable it, turn on "lattice.enable" in the settings.';
    if (indexedFolders().length === 0) return 'Open a folder first. Lattice indexes the folders of the workspace.';
    return undefined;
  }

  /** Resolves when `reached` holds, looked at after every change; rejects when the server stops. */
  private async until(reached: () => boolean, listener?: Disposable): Promise<void> {
    try {
      if (reached()) return;
      await new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (this.current === 'stopped' || this.current === 'off') reject(new Refusal('The language server stopped before the index was ready.'));
          else if (reached()) resolve();
          else return;
          for (const subscription of subscriptions) subscription.dispose();
        };
        const subscriptions = [this.onDidChange(look), this.onRevision(look)];
      });
    } finally {
      listener?.dispose();
    }
  }

  private started(): Promise<LanguageClient> {
    const obstacle = this.obstacle();
    if (obstacle !== undefined) return Promise.reject(new Refusal(obstacle));
    this.client ??= this.launch();
    return this.client;
  }

  private async launch(): Promise<LanguageClient> {
    this.setState('starting');
    try {
      const client = await createLanguageClient({
        ...this.options,
        watcher: this.watcher,
        restarts: new RestartLimiter(),
        env: await this.keys.environment(),
        onStopped: message => this.failed(message),
        onRunning: running => {
          this.setState(running ? 'running' : 'starting');
          this.sentLanguages = '';
          if (!running) return;
          this.outbox.running();
          this.sendLanguagesQuietly();
        },
        beforeSymbols: () => this.sendLanguages(),
      });
      client.onNotification(statusChanged.method, (status: { readonly folders: readonly FolderStatus[] }) => {
        this.folderStatus = status.folders;
        this.changed.fire();
      });
      client.onNotification(revisionPublished.method, (revision: Revision) => this.throttled.add(revision));
      client.onNotification(recordsChanged.method, (written: { readonly uri: string; readonly areas: readonly string[] }) => this.recorded.fire(written));
      await client.start();
      return client;
    } catch (error) {
      this.failed(`The Lattice language server could not be started: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  }

  private failed(message: string): void {
    this.client = undefined;
    this.folderStatus = [];
    this.setState('stopped');
    this.options.log.error(message);
    void showError(message, 'Restart', 'Show Log').then(choice => {
      if (choice === 'Restart') return this.restart();
      if (choice === 'Show Log') this.options.log.show();
      return undefined;
    });
  }

  private notify<Params>(descriptor: NotificationMethod<Params>, params: Params): void {
    this.client
      ?.then(client => client.sendNotification(descriptor.method, params))
      .catch((error: unknown) => this.options.log.warn(`${descriptor.method} was not sent: ${String(error)}`));
  }

  private setState(state: ServerState): void {
    if (this.current === state) return;
    this.current = state;
    this.changed.fire();
  }
}

/** The folder whose index should answer for `uri`: the one that holds it, else the first. */
export function folderUriFor(uri: Uri | undefined): Uri | undefined {
  const folders = indexedFolders();
  const holding = uri === undefined ? undefined : folders.find(folder => uri.path === folder.uri.path || uri.path.startsWith(`${folder.uri.path}/`));
  return (holding ?? folders[0])?.uri;
}
