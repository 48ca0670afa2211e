/**
 * Door of the engine room: one engine keeps the index of one checkout in step with its folder and hands out snapshots of it.
 *
 * It drives every arrow from files to snapshots and owns time and order: all writes go through one lane, readers hold immutable snapshots.
 * It does not know who asks, nor over what; it never writes into the folder.
 * Invariants: a snapshot never changes and its revision only grows; a change is visible as a whole or not at all;
 * a file that cannot be read or parsed is named in `health` and never stops the rest; the main loop is not held for more than about 10 ms.
 */
import { type CancellationToken, Cancelled, neverCancelled, orCancelled } from '../base/cancellation';
import { deferred } from '../base/deferred';
import { extname, type WorkspacePath } from '../base/path';
import { assertNever, err, type Failure, ok, type Result } from '../base/result';
import type { Change } from '../code/files/batcher';
import { findGit } from '../code/files/git';
import { absoluteOf } from '../code/files/host';
import type { FileFacts } from '../model/facts';
import { type LanguageId, languageOfExtension } from '../model/languages';
import type { WorkspaceSettings } from '../model/settings';
import type { ChangeSet, VersionFailure } from '../workspace/changes';
import type { EngineHealth, IndexProgress, RebuildRequest, SearchHealth, Snapshot, Workspace } from '../workspace/snapshot';
import { changesSince } from './changes/changes';
import type { ChangeTracer } from './changes/history/changeTracer';
import type { ParseAhead } from './changes/past/parseAhead';
import type { PastViews } from './changes/past/pastViews';
import type { ResolveAhead } from './changes/past/resolveAhead';
import { recordedEdges, recordedVersions } from './changes/versions/recorded';
import type { VersionLog } from './changes/versions/versionLog';
import type { VersionUpkeep } from './changes/versions/versionUpkeep';
import type { ContentIndexer } from './content/contentIndexer';
import type { Checkpoint } from './indexing/checkpoint';
import type { Durability } from './indexing/durability';
import type { EngineOptions } from './indexing/engineOptions';
import { logIndexEnd } from './indexing/indexEnds';
import { type Indexing, notReady, type RunResult, type WholeRun } from './indexing/indexing';
import type { IndexState } from './indexing/indexState';
import type { LiveSettings } from './indexing/liveSettings';
import type { MetricsPrecomputer } from './indexing/metricsPrecomputer';
import type { ServiceIndex } from './indexing/services/serviceIndex';
import type { UnsavedServices } from './indexing/services/unsavedServices';
import type { Unsaved, UnsavedChange } from './indexing/unsaved';
import type { UnsavedUpdates } from './indexing/unsavedUpdates';
import type { PreciseFiles } from './precise/preciseFiles';
import type { TestProcesses } from './processes/tests/testProcesses';
import type { Background } from './scheduling/background';
import type { LogError } from './scheduling/errorLog';
import type { EventQueue } from './scheduling/eventQueue';
import type { EngineEvent } from './scheduling/events';
import type { FairQueue } from './scheduling/fairQueue';
import type { Runs } from './scheduling/runs';
import type { VectorIndexer } from './vectors/vectorIndexer';
import { backgroundOf, healthOf, searchHealthOf } from './view/engineHealth';
import { makeWorkspace } from './view/engineWorkspace';
import type { Progress } from './view/progress';
import type { Snapshots } from './view/snapshots';
import type { Freshness } from './watching/freshness';
import type { HeadWatch } from './watching/headWatch';
import type { EngineWatchMode, Watching } from './watching/watching';

/** What an engine works with, already joined (`main/composeEngine`). The engine disposes of them. */
export interface EngineParts {
  readonly answers: FairQueue;
  /** Goes on behind a readable index, the most important first. */
  readonly background: Background<'content' | 'vectors' | 'past' | 'communities' | 'centralities' | 'parseAhead' | 'resolveAhead'>;
  readonly checkpoint: Checkpoint;
  readonly changeTracer: ChangeTracer;
  readonly content: ContentIndexer;
  readonly durability: Durability;
  readonly freshness: Freshness;
  readonly headWatch: HeadWatch;
  readonly indexing: Indexing;
  readonly logError: LogError;
  readonly metrics: MetricsPrecomputer;
  readonly parseAhead: ParseAhead;
  readonly resolveAhead: ResolveAhead;
  readonly past: PastViews;
  readonly precise: PreciseFiles;
  readonly progress: Progress;
  readonly queue: EventQueue;
  readonly runs: Runs;
  readonly services: ServiceIndex;
  readonly settings: LiveSettings;
  readonly snapshots: Snapshots;
  readonly state: IndexState;
  readonly tests: TestProcesses;
  readonly unsaved: Unsaved;
  readonly unsavedServices: UnsavedServices;
  readonly unsavedUpdates: UnsavedUpdates;
  readonly upkeep: VersionUpkeep;
  readonly vectors: VectorIndexer;
  readonly versions: VersionLog;
  readonly watching: Watching;
}

/** Keeps the graph and the search index of one checkout in step with its files. Given its parts, it decides what runs when. */
export class CheckoutEngine {
  readonly #parts: EngineParts;
  readonly #inStep = deferred<Result<void, Failure>>();
  /** Rebuilds that were asked for and have not ended. */
  readonly #rebuilds = new Map<string, Promise<void>>();
  #lastIndex: EngineHealth['lastIndex'];
  #storeBytes: EngineHealth['storeBytes'] = { journal: 0, view: 0, packs: 0 };
  #closing: Promise<void> | undefined;
  /** When graph, lexical index and packs of the last full index were on disk. */
  #durableAt = 0;

  readonly onProgress: Progress['onReport'];
  readonly onRevision: Snapshots['onRevision'];

  constructor(
    private readonly options: EngineOptions,
    parts: EngineParts,
  ) {
    this.#parts = parts;
    this.onProgress = parts.progress.onReport;
    this.onRevision = parts.snapshots.onRevision;
    parts.queue.handleWith((event, token) => this.#carryOut(event, token));
  }

  get root(): string {
    return this.options.root;
  }

  get progress(): IndexProgress {
    return this.#parts.progress.current;
  }

  get settings(): WorkspaceSettings {
    return this.#parts.settings.current;
  }

  /** Keys of the cached facts that the index, its recorded past and the newest commits are made of. */
  async factsKeys(): Promise<readonly string[]> {
    const { parseAhead, resolveAhead, state, versions } = this.#parts;
    const past = await versions.factsKeys();
    return [...[...state.table.values()].flatMap(({ factsKey }) => factsKey ?? []), ...past, ...parseAhead.keys, ...(await resolveAhead.keys())];
  }

  /** Begins to load or build the index; `ready` tells when it can be asked. */
  start(): void {
    const { logError, progress, queue, snapshots } = this.#parts;
    queue.post({ kind: 'start' }).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const failure = err({ code: error instanceof Cancelled ? 'UNAVAILABLE' : 'INTERNAL', message });
      logError('the first index', error);
      if (!(error instanceof Cancelled)) progress.report({ phase: 'failed', done: 0, total: 0, problem: message });
      snapshots.fail(failure);
      this.#inStep.resolve(failure);
    });
  }

  /**
   * Resolves with the first revision; with `inStep`, when folder and graph have been compared, search knows all content, and the result is durable.
   * Waiting for everything includes content: answers must not depend on when they are requested.
   */
  async ready(inStep: boolean): Promise<Result<void, Failure>> {
    if (!inStep) return this.#parts.snapshots.first;
    const done = await this.#inStep.promise;
    if (done.ok) await Promise.all([this.#completeSearch(), this.#parts.services.model()]);
    return done;
  }

  /** `viewer` names an editor session that sees its own unsaved documents. */
  /** Finds an answer. Work that nobody waits for stands back until it is there. */
  answering<T>(find: () => Promise<T>): Promise<T> {
    return this.#parts.answers.answering(find);
  }

  workspace(viewer: string | undefined): Workspace {
    const { parsing, root } = this.options;
    const { changeTracer, upkeep, vectors, versions } = this.#parts;
    return makeWorkspace(
      {
        ...this.#parts,
        root,
        options: this.options,
        current: session => this.current(session),
        failure: () => notReady(this.progress),
        health: () => this.health(),
        searchHealth: () => this.#searchHealth(),
        changes: (since, token) => this.#changes(since, token),
        parse: async (path: WorkspacePath, language: LanguageId, text: string): Promise<FileFacts | undefined> =>
          (await parsing.run({ path, absolutePath: absoluteOf(root, path), language, text }, neverCancelled)).facts,
        codeText: async (path, text) => {
          const language = languageOfExtension(extname(path));
          if (language === undefined) return undefined;
          return (await parsing.run({ path, absolutePath: absoluteOf(root, path), language, text, codeOnly: true }, neverCancelled)).code;
        },
        pastChanges: () => changeTracer.changes,
        embedQuery: text => vectors.queries.of(text),
        versionsOf: (id, path) => recordedVersions(versions, this.options.store.transactions, id, path),
        edgeVersionsOf: id => recordedEdges(versions, this.options.store.transactions, id),
        clearHistory: () => upkeep.clear(),
        rebuild: request => this.rebuild(request),
        rebuildEnd: (txId, token) => this.rebuildEnd(txId, token),
        catchUp: token => this.catchUp(token),
      },
      viewer,
    );
  }

  current(viewer: string | undefined): Snapshot | undefined {
    return this.#parts.snapshots.current(viewer);
  }

  health(): EngineHealth {
    return healthOf({
      ...this.#parts,
      options: this.options,
      progress: this.progress,
      lastIndex: this.#lastIndex,
      storeBytes: this.#storeBytes,
      searchHealth: () => this.#searchHealth(),
    });
  }

  notifyFiles(events: readonly { readonly path: WorkspacePath; readonly kind: 'created' | 'changed' | 'deleted' }[]): void {
    this.#parts.watching.add(events.map(({ path, kind }): Change => ({ path, kind: kind === 'deleted' ? 'removed' : 'changed' })));
  }

  overlay(viewer: string, changes: readonly UnsavedChange[]): void {
    this.#parts.unsavedUpdates.set(viewer, changes);
  }

  dropViewer(viewer: string): void {
    this.#parts.unsavedUpdates.drop(viewer);
    this.#parts.unsavedServices.drop(viewer);
  }

  configure(changed: Partial<WorkspaceSettings>): void {
    const { logError, queue, settings } = this.#parts;
    if (!settings.change(changed)) return;
    this.options.onSettings(settings.current);
    if (this.progress.phase !== 'starting') queue.post({ kind: 'rescan', cause: 'settings' }).catch((error: unknown) => logError('new settings', error));
  }

  /** Where changes are heard of from now on. Takes effect when the first run is over. */
  watch(mode: EngineWatchMode): void {
    const { watching } = this.#parts;
    if (watching.mode !== mode) watching.mode = mode;
  }

  async rebuild(request: RebuildRequest): Promise<Result<{ readonly txId: string }, Failure>> {
    const { logError, queue, runs } = this.#parts;
    const begun = await runs.begin(request.mode === 'full' ? 'full_rebuild' : 'incremental_rebuild', request);
    if (!begun.ok) return begun;
    const txId = begun.value;
    const done = queue.post({ kind: 'rebuild', txId, request }).then(() => undefined);
    this.#rebuilds.set(txId, done);
    done.catch((error: unknown) => logError('rebuild', error)).finally(() => this.#rebuilds.delete(txId));
    return ok({ txId });
  }

  /** See `Commands.catchUp`. */
  async catchUp(token: CancellationToken): Promise<Result<void, Failure>> {
    const { durability, freshness, queue, watching } = this.#parts;
    try {
      await freshness.lookAtHead(true);
      await orCancelled(watching.batcher.flush(), token);
      await orCancelled(queue.post({ kind: 'rescan', cause: 'asked' }), token);
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      return err({ code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) });
    }
    const { problem } = durability;
    return problem === undefined ? ok(undefined) : err({ code: 'UNAVAILABLE', message: `The index could not be saved. ${problem}` });
  }

  /** See `Commands.rebuildEnd`. A rebuild that is not under way here was ended by an earlier owner, or by its end. */
  async rebuildEnd(txId: string, token: CancellationToken): Promise<Result<void, Failure>> {
    try {
      await orCancelled(this.#rebuilds.get(txId) ?? Promise.resolve(), token);
    } catch (error) {
      if (token.isCancellationRequested) throw error;
      if (!(error instanceof Cancelled)) return err({ code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) });
    }
    const status = this.options.store.transactions.find(txId)?.status;
    if (status === 'committed') return ok(undefined);
    return status === 'aborted'
      ? err({ code: 'UNAVAILABLE', message: `The rebuild ${txId} was interrupted before it was done.` })
      : err({ code: 'NOT_FOUND', message: `${txId} is not a rebuild of this workspace.` });
  }

  /** Everything acknowledged is durable when it resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { background, changeTracer, durability, metrics, past, progress, queue, services, snapshots, unsavedUpdates, upkeep, vectors, versions, watching } =
      this.#parts;
    metrics.dispose();
    upkeep.dispose();
    background.dispose();
    unsavedUpdates.dispose();
    watching.dispose();
    await Promise.all([queue.close(), watching.stop()]);
    await durability.close();
    await past.close();
    await vectors.close();
    await changeTracer.close();
    await versions.close();
    await services.close();
    snapshots.dispose();
    progress.dispose();
  }

  async #carryOut(event: EngineEvent, token: CancellationToken): Promise<string | undefined> {
    try {
      return await this.#handle(event, token);
    } finally {
      // A run that failed or had nothing to do leaves a readable index readable.
      if (this.#parts.snapshots.hasAny && event.kind !== 'start' && this.progress.phase !== 'ready') this.#becomeReady();
      if (event.kind === 'rescan' || event.kind === 'rebuild' || event.kind === 'changes') void this.#completeSearch();
    }
  }

  /** Answers with the transaction that was written, if one was. */
  async #handle(event: EngineEvent, token: CancellationToken): Promise<string | undefined> {
    const { background, content, durability, indexing, unsaved } = this.#parts;
    switch (event.kind) {
      case 'start':
        await this.#start(token);
        return undefined;
      case 'changes':
        return this.#update('file_change', false, () => indexing.some(event.changes, false, token));
      case 'touched': {
        const changes = event.paths.map((path): Change => ({ path, kind: 'changed' }));
        return this.#update('file_change', false, () => indexing.some(changes, false, token));
      }
      case 'rescan':
        return this.#update('file_change', event.cause === 'head', () => indexing.whole(LIGHT, token));
      case 'rebuild':
        return this.#carryOutRebuild(event.txId, event.request, token);
      case 'unsaved':
        await indexing.prime(token);
        await unsaved.make(event.viewer, path => indexing.ignores(path, false), indexing.turn(), token);
        return undefined;
      case 'content':
        await content.indexBatch(background.turn());
        this.#tellBackground();
        return undefined;
      case 'save':
        await durability.saveGraph();
        return undefined;
      default:
        return assertNever(event);
    }
  }

  async #start(token: CancellationToken): Promise<void> {
    const { clock, store } = this.options;
    const { changeTracer, checkpoint, headWatch, indexing, logError, metrics, precise, progress, queue, snapshots, state, vectors, watching } = this.#parts;
    const began = clock.monotonic();
    await headWatch.refresh();
    await changeTracer.restore().catch((error: unknown) => logError('saved changes of past commits', error));
    const restored = await checkpoint.load(state, indexing.turn());
    if (!restored.ok) await store.noteRecovered([restored.error.message]);
    const isWarm = restored.ok && restored.value !== undefined;
    if (isWarm) precise.summary = restored.value;
    if (isWarm) await vectors.restore().catch((error: unknown) => logError('saved vectors', error));
    if (isWarm) await snapshots.publish([], indexing.turn());
    const whole: WholeRun = { force: false, distrustSignatures: store.needsHashCheck, within: undefined };
    const done = isWarm ? await this.#catchUp(whole, token) : await this.#firstRun(whole, token);
    if (!done.ok) {
      progress.report({ phase: 'failed', done: 0, total: 0, problem: done.error.message });
      snapshots.fail(done);
      this.#inStep.resolve(done);
      return;
    }
    state.ensurePublished();
    if (!snapshots.hasAny) await snapshots.publish([], indexing.turn());
    this.#noteIndex(began, done.value);
    this.#becomeReady();
    await this.#measure();
    this.#inStep.resolve(ok(undefined));
    void this.#completeSearch();
    watching.begin();
    this.#parts.upkeep.afterStart();
    void this.#parts.versions.open().catch((error: unknown) => logError('recorded history', error));
    if (watching.mode !== 'none')
      queue
        .run(prepare => indexing.prepare(prepare))
        .then(() => metrics.all())
        .catch((error: unknown) => logError('getting ready for changes', error));
  }

  /** Content and history of files come after the first revision, and again when HEAD has moved. Never rejects. */
  async #completeSearch(): Promise<void> {
    const { background, content, watching } = this.#parts;
    await Promise.all([background.request('content'), background.request('vectors'), background.request('past')]);
    if (watching.mode !== 'none') void background.request('parseAhead').then(() => background.request('resolveAhead'));
    const lastIndex = this.#lastIndex;
    if (lastIndex === undefined || lastIndex.backgroundMs !== undefined || !content.isComplete()) return;
    this.#lastIndex = { ...lastIndex, backgroundMs: Math.round(this.options.clock.monotonic() - this.#durableAt) };
    logIndexEnd('complete', this.root);
  }

  async #catchUp(whole: WholeRun, token: CancellationToken): Promise<Result<RunResult, Failure>> {
    const { indexing, runs } = this.#parts;
    const caught = await runs.recorded('incremental_rebuild', false, () => indexing.whole(whole, token));
    return caught.ok ? ok(caught.value.result) : caught;
  }

  async #firstRun(whole: WholeRun, token: CancellationToken): Promise<Result<RunResult, Failure>> {
    const { indexing, runs } = this.#parts;
    const begun = await runs.begin('full_rebuild', undefined);
    if (!begun.ok) return begun;
    return runs.committed(
      begun.value,
      () => indexing.whole(whole, token),
      () => true,
    );
  }

  /** A run beside a readable index: readers keep the last snapshot until it is done. */
  async #update(type: 'file_change', always: boolean, run: () => Promise<Result<RunResult, Failure>>): Promise<string | undefined> {
    const outcome = await this.#parts.runs.recorded(type, always, run);
    if (!outcome.ok) throw new Error(outcome.error.message);
    this.#parts.upkeep.afterRun();
    return outcome.value.txId;
  }

  async #carryOutRebuild(txId: string, request: RebuildRequest, token: CancellationToken): Promise<string> {
    const { indexing, metrics, progress, runs, snapshots } = this.#parts;
    const began = this.options.clock.monotonic();
    const { mode, paths } = request;
    const within =
      paths.length === 0 ? undefined : (path: WorkspacePath): boolean => paths.some(one => path === one || path.startsWith(`${one}/`) || one === '');
    const whole: WholeRun = { force: mode === 'full', distrustSignatures: true, within };
    const done = await runs.committed(
      txId,
      () => indexing.whole(whole, token),
      () => !snapshots.hasAny,
    );
    if (!done.ok) {
      if (!snapshots.hasAny) progress.report({ phase: 'failed', done: 0, total: 0, problem: done.error.message });
      throw new Error(done.error.message);
    }
    if (mode === 'full') {
      this.#noteIndex(began, done.value);
      metrics.all();
      void this.#parts.upkeep.compact();
    }
    return txId;
  }

  #noteIndex(began: number, { filesFromCache, filesParsed }: RunResult): void {
    this.#durableAt = this.options.clock.monotonic();
    this.#lastIndex = { durationMs: Math.round(this.#durableAt - began), filesParsed, filesFromCache };
    logIndexEnd('durable', this.root);
  }

  #becomeReady(): void {
    const { durability, progress, state } = this.#parts;
    const { problem } = durability;
    progress.report({ phase: 'ready', done: state.table.size, total: state.table.size, ...(problem === undefined ? {} : { problem }) });
    void this.#measure();
  }

  #tellBackground(): void {
    this.#parts.progress.reportBackground(backgroundOf(this.#searchHealth()));
  }

  #searchHealth(): SearchHealth {
    return searchHealthOf(this.#parts);
  }

  /** Looks for git anew: the repository may be younger than this engine. */
  async #changes(since: string | undefined, token: CancellationToken): Promise<Result<ChangeSet, VersionFailure>> {
    const { host, parsing, root, store } = this.options;
    const { indexing, versions } = this.#parts;
    await versions.open();
    const isIgnored = (path: string): boolean => indexing.ignores(path, false);
    const git = await findGit(root, host);
    return changesSince({ root, git, parsing, transactions: store.transactions, horizon: versions.health.horizon, isIgnored }, since, token);
  }

  async #measure(): Promise<void> {
    const [{ journal, view }, packs] = await Promise.all([this.options.store.sizes(), this.options.packBytes()]);
    this.#storeBytes = { journal, view, packs };
  }
}

const LIGHT: WholeRun = { force: false, distrustSignatures: false, within: undefined };
