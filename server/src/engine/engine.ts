/**
 * Door of the engine room: one engine keeps the index of one checkout in step with its folder and hands out snapshots of it.
 *
 * It drives every arrow from files to snapshots and owns time and order: all writes go through one lane, readers hold immutable snapshots.
 * It does not know who asks, nor over what; it never writes into the folder.
 * Invariants: a snapshot never changes and its revision only grows; a change is visible as a whole or not at all;
 * a file that cannot be read or parsed is named in `health` and never stops the rest; the main loop is not held for more than about 10 ms.
 */
import { Cancelled, type CancellationToken } from '../base/cancellation';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { assertNever } from '../base/never';
import type { WorkspacePath } from '../base/path';
import type { Clock, Log, Timers, YieldTurn } from '../base/ports';
import { err, type Failure, ok, type Result } from '../base/result';
import { ChangeBatcher, type Change, DEFAULT_BATCHING } from '../code/files/batcher';
import { type GitPlace, isGitBusy } from '../code/files/git';
import type { FileHost } from '../code/files/host';
import { changesRules } from '../code/files/scan';
import { createFileWatcher, type FileWatcher } from '../code/files/watch';
import type { WorkspaceSettings } from '../model/settings';
import type { Disk } from '../store/disk';
import type { PackFile } from '../store/packs';
import type { ProjectStore } from '../store/projectStore';
import type { GraphTxStart, GraphTxType } from '../store/transactions';
import type { EngineHealth, IndexProgress, RebuildRequest, Snapshot, Workspace } from '../workspace/snapshot';
import { Checkpoint } from './checkpoint';
import { healthOf } from './engineHealth';
import { makeWorkspace } from './engineWorkspace';
import { type EngineEvent, URGENT } from './events';
import { FileLoader } from './fileLoader';
import { FolderTimes } from './folderTimes';
import { Freshness } from './freshness';
import { HeadWatch } from './headWatch';
import { Indexing, notReady, NOTHING_CHANGED, type RunResult, type WholeRun } from './indexing';
import { IndexState } from './indexState';
import { Lane } from './lane';
import type { Parsing } from './parsing';
import { Unsaved, type UnsavedChange } from './unsaved';

export interface EngineOptions {
  /** Real path of the checkout. */
  readonly root: string;
  readonly git: GitPlace | undefined;
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
  readonly settings: WorkspaceSettings;
  readonly parsing: Parsing;
  readonly factsPack: PackFile | undefined;
  readonly store: ProjectStore;
  readonly disk: Disk;
  readonly graphPackPath: string;
  readonly dataFolder: string;
  readonly packBytes: () => Promise<number>;
  readonly recovered: readonly string[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly yieldTurn: YieldTurn;
  readonly newId: () => string;
  /** False once another process owns the project: nothing may be written any more. */
  readonly mayWrite: () => boolean;
  readonly engineVersion: string;
  /** Settings were changed by a client: to be kept for the next start. */
  readonly onSettings: (settings: WorkspaceSettings) => void;
}

export type EngineWatchMode = 'none' | 'files' | 'editor';

/** The saved state is renewed this long after a change; until then a restart finds the difference by itself. */
const SAVE_AFTER_MS = 60_000;
/** An edit in the editor is taken up this long after it, unless somebody asks before. */
const UNSAVED_AFTER_MS = 150;
const HEAD_SETTLES_MS = 150;

export class CheckoutEngine {
  readonly state: IndexState;
  readonly indexing: Indexing;
  readonly unsaved: Unsaved;
  readonly headWatch: HeadWatch;
  readonly freshness: Freshness;
  readonly batcher: ChangeBatcher;
  readonly recovered: string[];
  progress: IndexProgress = { phase: 'starting', done: 0, total: 0 };
  lastIndex: EngineHealth['lastIndex'];
  storeBytes: EngineHealth['storeBytes'] = { journal: 0, view: 0, packs: 0 };
  watchProblem: string | undefined;

  readonly #lane = new Lane();
  readonly #checkpoint: Checkpoint;
  readonly #progress = new Emitter<IndexProgress>();
  readonly #revision = new Emitter<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>();
  readonly #unsavedTimers = new Map<string, Disposable>();
  #settings: WorkspaceSettings;
  #watcher: FileWatcher | undefined;
  #watchMode: EngineWatchMode = 'none';
  #current: Snapshot | undefined;
  #firstRevision = deferred<Result<void, Failure>>();
  #inStep = deferred<Result<void, Failure>>();
  #saveTimer: Disposable | undefined;
  #unsavedState = false;
  /** Told before the first run was over. */
  #early: Change[] = [];
  #closing: Promise<void> | undefined;

  readonly onProgress = this.#progress.event;
  readonly onRevision = this.#revision.event;

  constructor(readonly options: EngineOptions) {
    const { clock, disk, engineVersion, factsPack, git, graphPackPath, host, parsing, root, store, timers, yieldTurn } = options;
    this.#settings = options.settings;
    this.recovered = [...options.recovered];
    this.state = new IndexState(store.transactions.count(root));
    const loader = new FileLoader(parsing, factsPack);
    const { caseInsensitive } = options;
    this.indexing = new Indexing({
      root,
      host,
      caseInsensitive,
      state: this.state,
      loader,
      clock,
      yieldTurn,
      settings: () => this.#settings,
      onProgress: progress => this.#report(progress),
    });
    this.unsaved = new Unsaved(root, loader, this.state);
    this.headWatch = new HeadWatch(git, host);
    this.#checkpoint = new Checkpoint(disk, graphPackPath, engineVersion);
    this.batcher = new ChangeBatcher({
      clock,
      timers,
      ...DEFAULT_BATCHING,
      detect: changes => changes.filter(change => changesRules(change.path) || !this.isIgnored(change.path)),
      isHeld: () => (git === undefined ? Promise.resolve(false) : isGitBusy(git, host)),
      rebuild: changes => this.#post({ kind: 'changes', changes }),
    });
    this.freshness = new Freshness({
      root,
      host,
      clock,
      table: this.state.table,
      batcher: this.batcher,
      headWatch: this.headWatch,
      folders: new FolderTimes(root, host),
      isIgnored: path => this.isIgnored(path),
      revision: () => this.state.published,
      reindex: paths => this.#post({ kind: 'touched', paths }).then(() => undefined),
      onHeadMoved: () => void this.#post({ kind: 'rescan', cause: 'head' }).catch(() => undefined),
    });
  }

  get root(): string {
    return this.options.root;
  }

  get watchMode(): EngineWatchMode {
    return this.#watchMode;
  }

  /** Begins to load or build the index; `ready` tells when it can be asked. */
  start(): void {
    this.#post({ kind: 'start' }).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const failure = err({ code: error instanceof Cancelled ? 'UNAVAILABLE' : 'INTERNAL', message });
      if (!(error instanceof Cancelled)) this.#report({ phase: 'failed', done: 0, total: 0, problem: message });
      this.#firstRevision.resolve(failure);
      this.#inStep.resolve(failure);
    });
  }

  /** Resolves with the first revision; with `inStep`, when folder and graph have been compared and the result is durable. */
  ready(inStep: boolean): Promise<Result<void, Failure>> {
    return inStep ? this.#inStep.promise : this.#firstRevision.promise;
  }

  /** `viewer` names an editor session that sees its own unsaved documents. */
  workspace(viewer: string | undefined): Workspace {
    return makeWorkspace(this, viewer);
  }

  health(): EngineHealth {
    return healthOf(this);
  }

  current(viewer: string | undefined): Snapshot | undefined {
    const published = this.state.published;
    if (this.#current === undefined || published === undefined) return undefined;
    const unsavedFiles = viewer === undefined ? this.unsaved.countDiffering(this.state.table) : 0;
    const seen = viewer === undefined ? published : (this.unsaved.fresh(viewer, published) ?? this.unsaved.newest(viewer) ?? published);
    const stamp = {
      revision: this.#current.revision,
      head: this.headWatch.short,
      pendingFiles: this.pendingFiles(),
      ...(unsavedFiles > 0 ? { unsavedFiles } : {}),
    };
    return { revision: this.#current.revision, graph: seen.graph, search: seen.search, stamp };
  }

  /** Waits until the session's unsaved documents are in its view. */
  async bringUnsavedIn(viewer: string): Promise<void> {
    const published = this.state.published;
    if (published === undefined || this.unsaved.fresh(viewer, published) !== undefined) return;
    await this.#post({ kind: 'unsaved', viewer });
  }

  pendingFiles(): number {
    return new Set([...this.batcher.pendingPaths, ...this.freshness.stale]).size;
  }

  failure(): Failure {
    return notReady(this.progress);
  }

  isIgnored(path: WorkspacePath): boolean {
    return this.indexing.filter?.ignores(path, false) ?? false;
  }

  notifyFiles(events: readonly { readonly path: WorkspacePath; readonly kind: 'created' | 'changed' | 'deleted' }[]): void {
    const changes = events.map(({ path, kind }): Change => ({ path, kind: kind === 'deleted' ? 'removed' : 'changed' }));
    if (this.batcher.state === 'not_started') this.#early.push(...changes);
    else this.batcher.add(changes);
  }

  overlay(viewer: string, changes: readonly UnsavedChange[]): void {
    this.unsaved.set(viewer, changes);
    this.#unsavedTimers.get(viewer)?.dispose();
    const later = (): void => {
      this.#unsavedTimers.delete(viewer);
      this.bringUnsavedIn(viewer).catch((error: unknown) => this.#complain('unsaved documents', error));
    };
    this.#unsavedTimers.set(viewer, this.options.timers.after(UNSAVED_AFTER_MS, later));
  }

  dropViewer(viewer: string): void {
    this.#unsavedTimers.get(viewer)?.dispose();
    this.#unsavedTimers.delete(viewer);
    this.unsaved.drop(viewer);
  }

  configure(settings: Partial<WorkspaceSettings>): void {
    const next = { ...this.#settings, ...settings };
    if (JSON.stringify(next) === JSON.stringify(this.#settings)) return;
    this.#settings = next;
    this.options.onSettings(next);
    if (this.progress.phase !== 'starting') this.#post({ kind: 'rescan', cause: 'settings' }).catch((error: unknown) => this.#complain('new settings', error));
  }

  /** Where changes are heard of from now on. Takes effect when the first run is over. */
  watch(mode: EngineWatchMode): void {
    if (this.#watchMode === mode) return;
    this.#watchMode = mode;
    if (this.progress.phase === 'ready') this.#followMode();
  }

  async rebuild(request: RebuildRequest): Promise<Result<{ readonly txId: string; readonly done: Promise<void> }, Failure>> {
    const begun = await this.options.store.transactions.begin(this.#txStart(request.mode === 'full' ? 'full_rebuild' : 'incremental_rebuild', request));
    if (!begun.ok) return begun;
    const done = this.#post({ kind: 'rebuild', txId: begun.value.id, request }).then(() => undefined);
    done.catch((error: unknown) => this.#complain('rebuild', error));
    return ok({ txId: begun.value.id, done });
  }

  /** Everything acknowledged is durable when it resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#saveTimer?.dispose();
    for (const timer of this.#unsavedTimers.values()) timer.dispose();
    this.headWatch.dispose();
    await this.#watcher?.stop();
    await Promise.all([this.#lane.close(), this.batcher.stop()]);
    if (this.#unsavedState && this.options.mayWrite()) await this.#save();
    this.#progress.dispose();
    this.#revision.dispose();
  }

  #post(event: EngineEvent): Promise<{ readonly txId?: string }> {
    return this.#lane.run(URGENT.has(event.kind), async token => {
      if (!this.options.mayWrite()) throw new Cancelled();
      const txId = await this.#handle(event, token);
      return txId === undefined ? {} : { txId };
    });
  }

  /** Answers with the transaction that was written, if one was. */
  async #handle(event: EngineEvent, token: CancellationToken): Promise<string | undefined> {
    switch (event.kind) {
      case 'start':
        await this.#start(token);
        return undefined;
      case 'changes':
        return this.#recorded('file_change', false, () => this.indexing.some(event.changes, false, token));
      case 'touched': {
        const changes = event.paths.map((path): Change => ({ path, kind: 'changed' }));
        return this.#recorded('file_change', false, () => this.indexing.some(changes, false, token));
      }
      case 'rescan':
        return this.#recorded('file_change', event.cause === 'head', () => this.indexing.whole(LIGHT, token));
      case 'rebuild':
        return this.#carryOutRebuild(event.txId, event.request, token);
      case 'unsaved':
        await this.indexing.prime(token);
        await this.unsaved.make(event.viewer, path => this.isIgnored(path), this.indexing.turn(), token);
        return undefined;
      case 'save':
        await this.#save();
        return undefined;
      default:
        return assertNever(event);
    }
  }

  async #start(token: CancellationToken): Promise<void> {
    const { clock, store } = this.options;
    const began = clock.monotonic();
    await this.headWatch.refresh();
    const restored = await this.#checkpoint.load(this.state, this.indexing.turn());
    if (!restored.ok) this.#noteRecovered(restored.error.message);
    const isWarm = restored.ok && restored.value;
    if (isWarm) this.#publish([]);
    const run: WholeRun = { force: false, distrustSignatures: store.needsHashCheck, within: undefined };
    const done = isWarm
      ? await this.#catchUp(run, token)
      : await this.#transact(this.#txStart('full_rebuild', undefined), () => this.indexing.whole(run, token), true);
    if (!done.ok) {
      this.#report({ phase: 'failed', done: 0, total: 0, problem: done.error.message });
      this.#firstRevision.resolve(done);
      this.#inStep.resolve(done);
      return;
    }
    const { filesFromCache, filesParsed } = done.value;
    this.lastIndex = { durationMs: Math.round(clock.monotonic() - began), filesParsed, filesFromCache };
    this.#becomeReady();
    this.#inStep.resolve(ok(undefined));
    this.#followMode();
  }

  async #catchUp(run: WholeRun, token: CancellationToken): Promise<Result<RunResult, Failure>> {
    let result = NOTHING_CHANGED;
    let failed: Failure | undefined;
    await this.#recorded('incremental_rebuild', false, async () => {
      const outcome = await this.indexing.whole(run, token);
      if (outcome.ok) result = outcome.value;
      else failed = outcome.error;
      return outcome;
    });
    return failed === undefined ? ok(result) : err(failed);
  }

  /** A run that leaves a transaction only when it changed something (or `always`). */
  async #recorded(type: GraphTxType, always: boolean, run: () => Promise<Result<RunResult, Failure>>): Promise<string | undefined> {
    const began = this.options.clock.monotonic();
    const outcome = await run();
    if (!outcome.ok) throw new Error(outcome.error.message);
    const result = outcome.value;
    const quiet = this.progress.phase !== 'ready' && this.#current !== undefined;
    if (result.affected.length > 0) this.#publish(result.changed);
    let txId: string | undefined;
    if (result.affected.length > 0 || always) {
      const recorded = await this.options.store.transactions.record({ ...this.#txStart(type, undefined), ...this.#txEnd(result, began) });
      if (recorded.ok) txId = recorded.value.id;
      else this.#complain('the transaction log', recorded.error.message);
      await this.#flushFacts();
      this.#saveLater();
    }
    if (quiet) this.#becomeReady();
    return txId;
  }

  /** A run whose transaction exists before it: committed with everything durable, or aborted. */
  async #transact(start: GraphTxStart, run: () => Promise<Result<RunResult, Failure>>, begin: boolean): Promise<Result<RunResult, Failure>> {
    const { clock, store } = this.options;
    const began = clock.monotonic();
    if (begin) {
      const begun = await store.transactions.begin(start);
      if (!begun.ok) return begun;
    }
    try {
      const outcome = await run();
      if (!outcome.ok) {
        await store.transactions.abort(start.id);
        return outcome;
      }
      if (outcome.value.affected.length > 0 || this.#current === undefined) this.#publish(outcome.value.changed);
      this.#report({ phase: 'saving', done: 0, total: 0 });
      await this.#flushFacts();
      await this.#save();
      await store.transactions.commit(start.id, this.#txEnd(outcome.value, began));
      return outcome;
    } catch (error) {
      if (this.options.mayWrite()) await store.transactions.abort(start.id);
      throw error;
    }
  }

  async #carryOutRebuild(txId: string, request: RebuildRequest, token: CancellationToken): Promise<string> {
    const began = this.options.clock.monotonic();
    const { mode, paths } = request;
    const within =
      paths.length === 0 ? undefined : (path: WorkspacePath): boolean => paths.some(one => path === one || path.startsWith(`${one}/`) || one === '');
    const run: WholeRun = { force: mode === 'full', distrustSignatures: true, within };
    const start = { ...this.#txStart(mode === 'full' ? 'full_rebuild' : 'incremental_rebuild', request), id: txId };
    const done = await this.#transact(start, () => this.indexing.whole(run, token), false);
    if (!done.ok) {
      this.#report({ phase: this.#current === undefined ? 'failed' : 'ready', done: 0, total: 0, problem: done.error.message });
      throw new Error(done.error.message);
    }
    const { filesFromCache, filesParsed } = done.value;
    if (mode === 'full') this.lastIndex = { durationMs: Math.round(this.options.clock.monotonic() - began), filesParsed, filesFromCache };
    this.#becomeReady();
    return txId;
  }

  #publish(changed: readonly WorkspacePath[]): void {
    const published = this.state.published;
    if (published === undefined) return;
    const { revision } = published.graph;
    this.#current = { revision, ...published, stamp: { revision, head: this.headWatch.short, pendingFiles: 0 } };
    this.#firstRevision.resolve(ok(undefined));
    this.#revision.fire({ revision, changed });
  }

  #becomeReady(): void {
    this.#report({ phase: 'ready', done: this.state.table.size, total: this.state.table.size });
    void this.#measure();
  }

  #report(progress: IndexProgress): void {
    // A run beside a readable index is not shown as starting over.
    this.progress = progress;
    this.#progress.fire(progress);
  }

  #followMode(): void {
    if (this.#closing !== undefined || this.#watchMode === 'none') return;
    this.headWatch.watch(() => this.#headTouched());
    this.#headTouched();
    this.batcher.start([]);
    this.batcher.add(this.#early.splice(0));
    this.#lane.run(false, token => this.indexing.prime(token)).catch((error: unknown) => this.#complain('loading facts', error));
    if (this.#watchMode === 'files') this.#startWatcher();
    else {
      void this.#watcher?.stop();
      this.#watcher = undefined;
    }
  }

  /** Git writes several files: looks again a little later, too. */
  #headTouched(): void {
    const look = (): void => void this.freshness.lookAtHead(true).catch(() => undefined);
    look();
    this.options.timers.after(HEAD_SETTLES_MS, look);
  }

  #startWatcher(): void {
    if (this.#watcher !== undefined) return;
    const watcher = createFileWatcher({ caseInsensitive: this.options.caseInsensitive });
    this.#watcher = watcher;
    watcher.onEvents(changes => this.batcher.add(changes));
    watcher.onProblem(problem => {
      this.watchProblem = problem.message;
      this.options.log.write('warn', problem.message);
    });
    const ignores = (path: WorkspacePath, isFolder: boolean): boolean => this.indexing.filter?.ignores(path, isFolder) ?? false;
    const rescan = (): Promise<unknown> => this.#post({ kind: 'rescan', cause: 'settings' });
    // What changed between the scan and the first event is found by a second look.
    watcher
      .start(this.root, ignores)
      .then(rescan)
      .catch((error: unknown) => this.#complain('watching', error));
  }

  async #flushFacts(): Promise<void> {
    const flushed = await this.options.factsPack?.flush();
    if (flushed?.ok === false) this.#complain('saving parsed files', flushed.error.message);
  }

  #saveLater(): void {
    this.#unsavedState = true;
    if (this.#saveTimer !== undefined) return;
    this.#saveTimer = this.options.timers.after(SAVE_AFTER_MS, () => {
      this.#saveTimer = undefined;
      this.#post({ kind: 'save' }).catch((error: unknown) => this.#complain('saving', error));
    });
  }

  async #save(): Promise<void> {
    const saved = await this.#checkpoint.save(this.state, this.indexing.turn());
    if (saved.ok) this.#unsavedState = false;
    else this.#complain('saving the graph', saved.error.message);
  }

  async #measure(): Promise<void> {
    const [{ journal, view }, packs] = await Promise.all([this.options.store.sizes(), this.options.packBytes()]);
    this.storeBytes = { journal, view, packs };
  }

  #noteRecovered(message: string): void {
    this.recovered.push(message);
    this.options.log.write('warn', message);
  }

  #complain(what: string, error: unknown): void {
    if (error instanceof Cancelled) return;
    this.options.log.write('error', `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  #txStart(type: GraphTxType, by: Pick<RebuildRequest, 'agentId' | 'sessionId'> | undefined): GraphTxStart {
    const { commit, branch } = this.headWatch.head;
    return {
      id: this.options.newId(),
      checkout: this.root,
      type,
      agentId: by?.agentId ?? null,
      sessionId: by?.sessionId ?? null,
      gitCommit: commit ?? null,
      gitBranch: branch ?? null,
      gitDirty: null,
    };
  }

  #txEnd(result: RunResult, began: number): { filesAffected: string[]; nodeCount: number; edgeCount: number; filesParsed: number; durationMs: number } {
    const durationMs = Math.round(this.options.clock.monotonic() - began);
    return { filesAffected: [...result.affected], nodeCount: result.nodeDelta, edgeCount: result.edgeDelta, filesParsed: result.filesParsed, durationMs };
  }
}

const LIGHT: WholeRun = { force: false, distrustSignatures: false, within: undefined };

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function deferred<T>(): Deferred<T> {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>(resolve => {
    settle = resolve;
  });
  return { promise, resolve: value => settle(value) };
}
