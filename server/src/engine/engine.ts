/**
 * Door of the engine room: one engine keeps the index of one checkout in step with its folder and hands out snapshots of it.
 *
 * It drives every arrow from files to snapshots and owns time and order: all writes go through one lane, readers hold immutable snapshots.
 * It does not know who asks, nor over what; it never writes into the folder.
 * Invariants: a snapshot never changes and its revision only grows; a change is visible as a whole or not at all;
 * a file that cannot be read or parsed is named in `health` and never stops the rest; the main loop is not held for more than about 10 ms.
 */
import { type CancellationToken, Cancelled, neverCancelled } from '../base/cancellation';
import { deferred } from '../base/deferred';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import { assertNever } from '../base/never';
import type { WorkspacePath } from '../base/path';
import { err, type Failure, ok, type Result } from '../base/result';
import type { Change, ChangeBatcher } from '../code/files/batcher';
import { findGit } from '../code/files/git';
import { absoluteOf } from '../code/files/host';
import { LayerStack } from '../layers/layerStack';
import type { FileFacts } from '../model/facts';
import type { LanguageId } from '../model/languages';
import type { KnowledgeSettings, PatternSettings, RetrievalSettings, WorkspaceSettings } from '../model/settings';
import type { ChangeSet } from '../workspace/changes';
import type { EngineHealth, IndexProgress, RebuildRequest, Snapshot, Workspace } from '../workspace/snapshot';
import { changesSince } from './changes/changes';
import { ContentIndexer } from './content/contentIndexer';
import { ContentSource } from './content/contentSource';
import { backgroundOf, healthOf } from './engineHealth';
import { makeWorkspace } from './engineWorkspace';
import { Checkpoint } from './indexing/checkpoint';
import type { EngineOptions } from './indexing/engineOptions';
import { FileLoader } from './indexing/fileLoader';
import { tellIndexEnd } from './indexing/indexEnds';
import { Indexing, notReady, type RunResult, type WholeRun } from './indexing/indexing';
import { IndexState } from './indexing/indexState';
import { MetricsAhead } from './indexing/metricsAhead';
import { Unsaved, type UnsavedChange } from './indexing/unsaved';
import { PreciseFiles } from './precise/preciseFiles';
import { TestProcesses } from './processes/tests/testProcesses';
import { Background } from './scheduling/background';
import { type EngineEvent, URGENT } from './scheduling/events';
import { FairQueue } from './scheduling/fairQueue';
import { Lane } from './scheduling/lane';
import { Runs } from './scheduling/runs';
import { trainInThread } from './vectors/trainInThread';
import { VectorIndexer } from './vectors/vectorIndexer';
import { VectorPack } from './vectors/vectorPack';
import { DirtyCheckout } from './watching/dirtyCheckout';
import { FolderTimes } from './watching/folderTimes';
import { Freshness } from './watching/freshness';
import { HeadWatch } from './watching/headWatch';
import { type EngineWatchMode, Watching } from './watching/watching';

/** The saved state is renewed this long after a change; until then a restart finds the difference by itself. */
const SAVE_AFTER_MS = 60_000;
/** An edit in the editor is taken up this long after it, unless somebody asks before. */
const UNSAVED_AFTER_MS = 150;

export class CheckoutEngine {
  readonly state: IndexState;
  readonly precise: PreciseFiles;
  readonly indexing: Indexing;
  readonly unsaved: Unsaved;
  readonly headWatch: HeadWatch;
  readonly freshness: Freshness;
  readonly watching: Watching;
  readonly tests: TestProcesses;
  readonly answers: FairQueue;
  progress: IndexProgress = { phase: 'starting', done: 0, total: 0 };
  lastIndex: EngineHealth['lastIndex'];
  storeBytes: EngineHealth['storeBytes'] = { journal: 0, view: 0, packs: 0 };

  readonly #layers: LayerStack;
  readonly #lane = new Lane();
  readonly #checkpoint: Checkpoint;
  readonly #runs: Runs;
  readonly #content: ContentIndexer;
  readonly #vectors: VectorIndexer;
  readonly #metrics: MetricsAhead;
  readonly #background: Background<'content' | 'vectors'>;
  readonly #progress = new Emitter<IndexProgress>();
  readonly #revision = new Emitter<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>();
  readonly #unsavedTimers = new Map<string, Disposable>();
  #settings: WorkspaceSettings;
  #current: Snapshot | undefined;
  #firstRevision = deferred<Result<void, Failure>>();
  #inStep = deferred<Result<void, Failure>>();
  #saveTimer: Disposable | undefined;
  #unsavedState = false;
  /** Why the index is not on disk, if the last attempt to save it failed. */
  #saveProblem: string | undefined;
  #closing: Promise<void> | undefined;
  /** When graph, lexical index and packs of the last full index were on disk. */
  #durableAt = 0;

  readonly onProgress = this.#progress.event;
  readonly onRevision = this.#revision.event;

  constructor(readonly options: EngineOptions) {
    const { clock, disk, engineVersion, factsPack, git, graphPackPath, host, parsing, root, store, timers, yieldTurn } = options;
    this.#settings = options.settings;
    const commit = (): string | undefined => this.headWatch.head.commit;
    const source = new ContentSource({ root, host, git, commit });
    this.state = new IndexState(store.transactions.count(root), source);
    this.#layers = new LayerStack(this.state.interner, options.layers, () => this.#tellLayers());
    const loader = new FileLoader(parsing, factsPack);
    const { caseInsensitive } = options;
    this.precise = new PreciseFiles({ root, host, caseInsensitive, paths: () => this.#settings.preciseIndexes });
    this.indexing = new Indexing({
      precise: this.precise,
      root,
      host,
      caseInsensitive,
      state: this.state,
      loader,
      links: key => this.#checkpoint.links.load(key),
      clock,
      yieldTurn,
      settings: () => ({ ...this.#settings, ignorePatterns: [...this.#settings.ignorePatterns, ...options.ownIgnorePatterns] }),
      onProgress: progress => this.#report(progress),
    });
    this.#background = new Background({
      works: { content: { run: () => this.#content.complete() }, vectors: { run: () => this.#vectors.complete() } },
      clock,
      yieldTurn,
      questions: () => this.answers.drained(),
      onError: (name, error) => this.#complain(BACKGROUND_WORDS[name], error),
    });
    this.#metrics = new MetricsAhead({ indexing: this.indexing, timers, onError: (what, error) => this.#complain(what, error) });
    this.unsaved = new Unsaved(root, host, loader, this.state);
    this.answers = new FairQueue(yieldTurn);
    this.tests = new TestProcesses({ root, caseInsensitive, settings: () => this.#settings.tests });
    this.#content = new ContentIndexer({
      state: this.state,
      loader,
      source,
      commit,
      indexBatch: () => this.#post({ kind: 'content' }),
      save: () => this.#post({ kind: 'save' }),
    });
    this.#vectors = new VectorIndexer({
      state: this.state,
      settings: () => this.#settings.retrieval,
      train: trainInThread(options.vectors.workerFile),
      openPack: () => VectorPack.open(disk, options.vectors.packPath),
      variable: name => process.env[name],
      turn: () => this.#background.turn(),
      onChange: () => this.#tellBackground(),
      inLane: work => this.#lane.run(false, token => (options.mayWrite() ? work(token) : Promise.reject(new Cancelled()))),
    });
    this.headWatch = new HeadWatch(git, host);
    this.#checkpoint = new Checkpoint(disk, graphPackPath, engineVersion);
    this.watching = new Watching({
      root,
      git,
      host,
      caseInsensitive,
      clock,
      timers,
      log: options.log,
      headWatch: this.headWatch,
      ignores: (path, isFolder) => !this.precise.isIndex(path) && (this.indexing.filter?.ignores(path, isFolder) ?? false),
      rebuild: changes => this.#post({ kind: 'changes', changes }),
      rescan: () => this.#post({ kind: 'rescan', cause: 'settings' }),
      lookAtHead: () => this.freshness.lookAtHead(true),
    });
    this.#runs = new Runs({
      checkout: root,
      store,
      clock,
      newId: options.newId,
      headWatch: this.headWatch,
      dirty: new DirtyCheckout(git, host, this.state.table, root),
      mayWrite: options.mayWrite,
      publish: result => this.#publish(result.changed),
      save: whole => this.#makeDurable(whole),
    });
    this.freshness = new Freshness({
      root,
      host,
      clock,
      table: this.state.table,
      batcher: this.watching.batcher,
      headWatch: this.headWatch,
      folders: new FolderTimes(root, host),
      isIgnored: path => this.isIgnored(path),
      precise: this.precise,
      revision: () => this.state.published,
      reindex: paths => this.#post({ kind: 'touched', paths }).then(() => undefined),
      onHeadMoved: () => void this.#post({ kind: 'rescan', cause: 'head' }).catch(() => undefined),
    });
  }

  get root(): string {
    return this.options.root;
  }

  get batcher(): ChangeBatcher {
    return this.watching.batcher;
  }

  /** Begins to load or build the index; `ready` tells when it can be asked. */
  start(): void {
    this.#post({ kind: 'start' }).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const failure = err({ code: error instanceof Cancelled ? 'UNAVAILABLE' : 'INTERNAL', message });
      this.#complain('the first index', error);
      if (!(error instanceof Cancelled)) this.#report({ phase: 'failed', done: 0, total: 0, problem: message });
      this.#firstRevision.resolve(failure);
      this.#inStep.resolve(failure);
    });
  }

  /**
   * Resolves with the first revision; with `inStep`, when folder and graph have been compared, search knows all content, and the result is durable.
   * Whoever waits for everything waits for content too: answers must not depend on when they are asked for.
   */
  async ready(inStep: boolean): Promise<Result<void, Failure>> {
    if (!inStep) return this.#firstRevision.promise;
    const done = await this.#inStep.promise;
    if (done.ok) await this.#completeWords();
    return done;
  }

  /** `viewer` names an editor session that sees its own unsaved documents. */
  workspace(viewer: string | undefined): Workspace {
    return makeWorkspace(this, viewer);
  }

  searchHealth(): NonNullable<EngineHealth['search']> {
    const { pendingContent, table } = this.state;
    return { words: { done: table.size - pendingContent.withoutContent, total: table.size }, history: this.#content.history, vectors: this.#vectors.health };
  }

  get retrieval(): RetrievalSettings {
    return this.#settings.retrieval;
  }

  embedQuery(text: string): Promise<Float32Array | undefined> {
    return this.#vectors.queries.of(text);
  }

  async parse(path: WorkspacePath, language: LanguageId, text: string): Promise<FileFacts | undefined> {
    const { parsing, root } = this.options;
    return (await parsing.run({ path, absolutePath: absoluteOf(root, path), language, text }, neverCancelled)).facts;
  }

  health(): EngineHealth {
    return healthOf(this);
  }

  /** Looks for git anew: the repository may be younger than this engine. */
  async changes(since: string | undefined, token: CancellationToken): Promise<Result<ChangeSet, Failure>> {
    const { host, parsing, root, store } = this.options;
    return changesSince({ root, git: await findGit(root, host), parsing, transactions: store.transactions }, since, token);
  }

  current(viewer: string | undefined): Snapshot | undefined {
    const published = this.state.published;
    if (this.#current === undefined || published === undefined) return undefined;
    const unsavedFiles = viewer === undefined ? this.unsaved.countDiffering(this.state.table) : 0;
    const staleFiles = viewer === undefined ? 0 : this.unsaved.countStale(viewer);
    const seen = viewer === undefined ? published : (this.unsaved.fresh(viewer, published) ?? this.unsaved.newest(viewer) ?? published);
    const revision = this.#current.revision + this.#layers.revision;
    const stamp = {
      revision,
      head: this.headWatch.short,
      pendingFiles: this.pendingFiles(),
      ...(unsavedFiles > 0 ? { unsavedFiles } : {}),
      ...(staleFiles > 0 ? { staleFiles } : {}),
    };
    return { revision, graph: this.#layers.over(seen.graph), search: seen.search, stamp };
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
    this.watching.add(events.map(({ path, kind }): Change => ({ path, kind: kind === 'deleted' ? 'removed' : 'changed' })));
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

  get knowledge(): KnowledgeSettings {
    return this.#settings.knowledge;
  }

  get patterns(): PatternSettings {
    return this.#settings.patterns;
  }

  /** Where changes are heard of from now on. Takes effect when the first run is over. */
  watch(mode: EngineWatchMode): void {
    if (this.watching.mode !== mode) this.watching.mode = mode;
  }

  async rebuild(request: RebuildRequest): Promise<Result<{ readonly txId: string; readonly done: Promise<void> }, Failure>> {
    const begun = await this.#runs.begin(request.mode === 'full' ? 'full_rebuild' : 'incremental_rebuild', request);
    if (!begun.ok) return begun;
    const done = this.#post({ kind: 'rebuild', txId: begun.value, request }).then(() => undefined);
    done.catch((error: unknown) => this.#complain('rebuild', error));
    return ok({ txId: begun.value, done });
  }

  /** Everything acknowledged is durable when it resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#saveTimer?.dispose();
    this.#metrics.dispose();
    for (const timer of this.#unsavedTimers.values()) timer.dispose();
    this.watching.dispose();
    await Promise.all([this.#lane.close(), this.watching.stop()]);
    if (this.#unsavedState && this.options.mayWrite()) await this.#save();
    await this.#vectors.close();
    this.#layers.dispose();
    this.#progress.dispose();
    this.#revision.dispose();
  }

  #post(event: EngineEvent): Promise<{ readonly txId?: string }> {
    return this.#lane.run(URGENT.has(event.kind), async token => {
      if (!this.options.mayWrite()) throw new Cancelled();
      try {
        const txId = await this.#handle(event, token);
        return txId === undefined ? {} : { txId };
      } finally {
        // A run that failed or had nothing to do leaves a readable index readable.
        if (this.#current !== undefined && event.kind !== 'start' && this.progress.phase !== 'ready') this.#becomeReady();
        if (event.kind === 'rescan' || event.kind === 'rebuild' || event.kind === 'changes') void this.#completeWords();
      }
    });
  }

  /** Answers with the transaction that was written, if one was. */
  async #handle(event: EngineEvent, token: CancellationToken): Promise<string | undefined> {
    switch (event.kind) {
      case 'start':
        await this.#start(token);
        return undefined;
      case 'changes':
        return this.#update('file_change', false, () => this.indexing.some(event.changes, false, token));
      case 'touched': {
        const changes = event.paths.map((path): Change => ({ path, kind: 'changed' }));
        return this.#update('file_change', false, () => this.indexing.some(changes, false, token));
      }
      case 'rescan':
        return this.#update('file_change', event.cause === 'head', () => this.indexing.whole(LIGHT, token));
      case 'rebuild':
        return this.#carryOutRebuild(event.txId, event.request, token);
      case 'unsaved':
        await this.indexing.prime(token);
        await this.unsaved.make(event.viewer, path => this.isIgnored(path), this.indexing.turn(), token);
        return undefined;
      case 'content':
        await this.#content.indexBatch(this.#background.turn());
        this.#tellBackground();
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
    if (!restored.ok) await store.noteRecovered([restored.error.message]);
    const isWarm = restored.ok && restored.value !== undefined;
    if (isWarm) this.precise.summary = restored.value;
    if (isWarm) await this.#vectors.restore().catch((error: unknown) => this.#complain('saved vectors', error));
    if (isWarm) this.#publish([]);
    const whole: WholeRun = { force: false, distrustSignatures: store.needsHashCheck, within: undefined };
    const done = isWarm ? await this.#catchUp(whole, token) : await this.#firstRun(whole, token);
    if (!done.ok) {
      this.#report({ phase: 'failed', done: 0, total: 0, problem: done.error.message });
      this.#firstRevision.resolve(done);
      this.#inStep.resolve(done);
      return;
    }
    this.state.ensurePublished();
    if (this.#current === undefined) this.#publish([]);
    this.#noteIndex(began, done.value);
    this.#becomeReady();
    await this.#measure();
    this.#inStep.resolve(ok(undefined));
    void this.#completeWords();
    this.watching.begin();
    if (this.watching.mode !== 'none')
      this.#lane
        .run(false, prepare => this.indexing.prepare(prepare))
        .then(() => this.#metrics.all())
        .catch((error: unknown) => this.#complain('getting ready for changes', error));
  }

  /** Content and history of files come after the first revision, and again when HEAD has moved. Never rejects. */
  async #completeWords(): Promise<void> {
    await Promise.all([this.#background.request('content'), this.#background.request('vectors')]);
    const { lastIndex } = this;
    if (lastIndex === undefined || lastIndex.backgroundMs !== undefined || !this.#content.isComplete()) return;
    this.lastIndex = { ...lastIndex, backgroundMs: Math.round(this.options.clock.monotonic() - this.#durableAt) };
    tellIndexEnd('complete', this.root);
  }

  async #catchUp(whole: WholeRun, token: CancellationToken): Promise<Result<RunResult, Failure>> {
    const caught = await this.#runs.recorded('incremental_rebuild', false, () => this.indexing.whole(whole, token));
    return caught.ok ? ok(caught.value.result) : caught;
  }

  async #firstRun(whole: WholeRun, token: CancellationToken): Promise<Result<RunResult, Failure>> {
    const begun = await this.#runs.begin('full_rebuild', undefined);
    if (!begun.ok) return begun;
    return this.#runs.committed(
      begun.value,
      () => this.indexing.whole(whole, token),
      () => true,
    );
  }

  /** A run beside a readable index: readers keep the last snapshot until it is done. */
  async #update(type: 'file_change', always: boolean, run: () => Promise<Result<RunResult, Failure>>): Promise<string | undefined> {
    const outcome = await this.#runs.recorded(type, always, run);
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value.txId;
  }

  async #carryOutRebuild(txId: string, request: RebuildRequest, token: CancellationToken): Promise<string> {
    const began = this.options.clock.monotonic();
    const { mode, paths } = request;
    const within =
      paths.length === 0 ? undefined : (path: WorkspacePath): boolean => paths.some(one => path === one || path.startsWith(`${one}/`) || one === '');
    const whole: WholeRun = { force: mode === 'full', distrustSignatures: true, within };
    const done = await this.#runs.committed(
      txId,
      () => this.indexing.whole(whole, token),
      () => this.#current === undefined,
    );
    if (!done.ok) {
      if (this.#current === undefined) this.#report({ phase: 'failed', done: 0, total: 0, problem: done.error.message });
      throw new Error(done.error.message);
    }
    if (mode === 'full') {
      this.#noteIndex(began, done.value);
      this.#metrics.all();
    }
    return txId;
  }

  #noteIndex(began: number, { filesFromCache, filesParsed }: RunResult): void {
    this.#durableAt = this.options.clock.monotonic();
    this.lastIndex = { durationMs: Math.round(this.#durableAt - began), filesParsed, filesFromCache };
    tellIndexEnd('durable', this.root);
  }

  #publish(changed: readonly WorkspacePath[]): void {
    const published = this.state.published;
    if (published === undefined) return;
    const { revision } = published.graph;
    this.#current = { revision, ...published, stamp: { revision, head: this.headWatch.short, pendingFiles: 0 } };
    this.#firstRevision.resolve(ok(undefined));
    this.#revision.fire({ revision: revision + this.#layers.revision, changed });
    if (!published.graph.hasQuickCommunities && this.watching.mode !== 'none') this.#metrics.communitiesLater();
  }

  /** What people and agents wrote is a revision like any other. */
  #tellLayers(): void {
    if (this.#current !== undefined) this.#revision.fire({ revision: this.#current.revision + this.#layers.revision, changed: [] });
  }

  #becomeReady(): void {
    const problem = this.#saveProblem;
    this.#report({ phase: 'ready', done: this.state.table.size, total: this.state.table.size, ...(problem === undefined ? {} : { problem }) });
    void this.#measure();
  }

  #tellBackground(): void {
    const background = backgroundOf(this.searchHealth());
    if (this.progress.phase !== 'ready' || this.progress.background === background) return;
    const { background: _, ...before } = this.progress;
    this.#report({ ...before, ...(background === undefined ? {} : { background }) });
  }

  #report(progress: IndexProgress): void {
    // A run beside a readable index is not shown as starting over.
    this.progress = progress;
    this.#progress.fire(progress);
  }

  async #makeDurable(whole: boolean): Promise<void> {
    // A superseded owner must not touch the files of its successor.
    if (!this.options.mayWrite()) throw new Cancelled();
    if (whole) this.#report({ phase: 'saving', done: 0, total: 0 });
    const flushed = await this.options.factsPack?.flush();
    this.#saveProblem = flushed?.ok === false ? flushed.error.message : undefined;
    if (flushed?.ok === false) this.#complain('saving parsed files', flushed.error.message);
    if (whole) await this.#save();
    else this.#saveLater();
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
    const saved = await this.#checkpoint.save(this.state, this.precise.summary, this.indexing.turn());
    if (saved.ok) {
      this.#unsavedState = false;
      await this.#vectors.save().catch((error: unknown) => this.#complain('saving vectors', error));
    } else {
      this.#saveProblem = saved.error.message;
      this.#complain('saving the graph', saved.error.message);
    }
  }

  async #measure(): Promise<void> {
    const [{ journal, view }, packs] = await Promise.all([this.options.store.sizes(), this.options.packBytes()]);
    this.storeBytes = { journal, view, packs };
  }

  #complain(what: string, error: unknown): void {
    if (error instanceof Cancelled) return;
    this.options.log.write('error', `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

const BACKGROUND_WORDS = { content: 'content and history of files', vectors: 'vectors' } as const;

const LIGHT: WholeRun = { force: false, distrustSignatures: false, within: undefined };
