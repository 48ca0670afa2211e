import { basename } from 'node:path';
import type { Disposable } from '../base/disposable';
import { findGit } from '../code/files/git';
import { ChangeTracer } from '../engine/changes/history/changeTracer';
import { KeptLinks } from '../engine/changes/past/keptLinks';
import { ParseAhead } from '../engine/changes/past/parseAhead';
import type { PastSources } from '../engine/changes/past/pastSources';
import { type PastOptions, PastViews } from '../engine/changes/past/pastViews';
import { ResolveAhead } from '../engine/changes/past/resolveAhead';
import { VersionLog } from '../engine/changes/versions/versionLog';
import { VersionUpkeep } from '../engine/changes/versions/versionUpkeep';
import { ContentIndexer } from '../engine/content/contentIndexer';
import { ContentSource } from '../engine/content/contentSource';
import { CheckoutEngine } from '../engine/engine';
import { Checkpoint } from '../engine/indexing/checkpoint';
import { Durability } from '../engine/indexing/durability';
import type { EngineOptions } from '../engine/indexing/engineOptions';
import { FACTS_VERSION, FileLoader } from '../engine/indexing/fileLoader';
import { Indexing } from '../engine/indexing/indexing';
import { IndexState } from '../engine/indexing/indexState';
import { LiveSettings } from '../engine/indexing/liveSettings';
import { MetricsPrecomputer } from '../engine/indexing/metricsPrecomputer';
import { PackedSurfaces, SavedSurface } from '../engine/indexing/services/savedSurface';
import { ServiceFileReader } from '../engine/indexing/services/serviceFileReader';
import { ServiceFiles } from '../engine/indexing/services/serviceFiles';
import { ServiceIndex } from '../engine/indexing/services/serviceIndex';
import { UnsavedServices } from '../engine/indexing/services/unsavedServices';
import { Unsaved } from '../engine/indexing/unsaved';
import { UnsavedUpdates } from '../engine/indexing/unsavedUpdates';
import { tellingRare } from '../engine/parse/rareLanguages';
import { PreciseFiles } from '../engine/precise/preciseFiles';
import { TestProcesses } from '../engine/processes/tests/testProcesses';
import { Background } from '../engine/scheduling/background';
import { errorLog } from '../engine/scheduling/errorLog';
import { EventQueue } from '../engine/scheduling/eventQueue';
import { FairQueue } from '../engine/scheduling/fairQueue';
import { Runs } from '../engine/scheduling/runs';
import { trainInThread } from '../engine/vectors/trainInThread';
import { VectorIndexer } from '../engine/vectors/vectorIndexer';
import { VectorPack } from '../engine/vectors/vectorPack';
import { backgroundOf, searchHealthOf } from '../engine/view/engineHealth';
import { Progress } from '../engine/view/progress';
import { Snapshots } from '../engine/view/snapshots';
import { DirtyCheckout } from '../engine/watching/dirtyCheckout';
import { FolderTimes } from '../engine/watching/folderTimes';
import { Freshness } from '../engine/watching/freshness';
import { HeadWatch } from '../engine/watching/headWatch';
import { Watching } from '../engine/watching/watching';
import { LayerStack } from '../layers/layerStack';
import { SURFACE_VERSION } from '../services/surface';
import { RESOLVER_VERSION } from './resolverVersion';

/** A model of the services is made this long after the last change, unless somebody asks before. */
const SERVICES_AFTER_MS = 400;

/** Background work in the log. */
const WORK_NAMES = {
  content: 'content and history of files',
  vectors: 'vectors',
  past: 'changes of past commits',
  communities: 'computing communities',
  centralities: 'computing centralities',
  parseAhead: 'files of past commits',
  resolveAhead: 'references of past commits',
};

/**
 * Makes the parts of one engine and joins them: the one file outside the engine that sees its sub-folders (`.dependency-cruiser.cjs`).
 * Nothing runs before `start`.
 */
export function composeEngine(options: EngineOptions): CheckoutEngine {
  const { caseInsensitive, clock, disk, factsPack, git, host, log, mayWrite, root, store, timers, yieldTurn } = options;
  const logError = errorLog(log);
  const settings = new LiveSettings(options.settings, options.ownIgnorePatterns);
  const progress = new Progress();
  const queue = new EventQueue(mayWrite);
  const answers = new FairQueue(yieldTurn);
  const tests = new TestProcesses({ root, caseInsensitive, settings: () => settings.current.tests });
  const headWatch = new HeadWatch(git, host);
  const commit = (): string | undefined => headWatch.head.commit;

  const source = new ContentSource({ root, host, git, commit });
  const state = new IndexState(store.transactions.count(root), source);
  const layers = new LayerStack(state.interner, options.layers, () => snapshots.layersChanged());
  const parsing = tellingRare(options.parsing, language => state.table.isRare(language));
  const loader = new FileLoader(parsing, factsPack);
  // What is kept is used by those who would come to the same.
  const engineVersion = `${options.engineVersion}.${RESOLVER_VERSION}`;
  const checkpoint = new Checkpoint(disk, options.graphPackPath, engineVersion);
  const precise = new PreciseFiles({ root, host, caseInsensitive, paths: () => settings.current.preciseIndexes });
  const indexing = new Indexing({
    precise,
    root,
    host,
    caseInsensitive,
    state,
    loader,
    links: key => checkpoint.links.load(key),
    clock,
    yieldTurn,
    settings: () => settings.forIndexing,
    onProgress: report => progress.report(report),
    onFacts: (tracked, facts) => services.note(tracked, facts),
  });
  const unsaved = new Unsaved(root, host, loader, state);
  const unsavedUpdates = new UnsavedUpdates({ unsaved, state, queue, timers, logError });

  const background: Background<keyof typeof WORK_NAMES> = new Background({
    works: {
      content: { run: () => content.complete() },
      vectors: { run: () => vectors.complete() },
      past: { run: (turn, token) => changeTracer.complete(turn, token) },
      communities: { run: (turn, token) => indexing.prepareCommunities(turn, token) },
      centralities: { run: (turn, token) => indexing.prepareMetrics(turn, token) },
      parseAhead: { run: (turn, token) => parseAhead.complete(turn, token) },
      resolveAhead: { run: (_turn, token) => resolveAhead.complete(token) },
    },
    clock,
    yieldTurn,
    questions: () => answers.drained(),
    onError: (name, error) => logError(WORK_NAMES[name], error),
  });
  const content = new ContentIndexer({
    state,
    loader,
    source,
    commit,
    indexBatch: () => queue.post({ kind: 'content' }),
    save: () => queue.post({ kind: 'save' }),
  });
  const vectors: VectorIndexer = new VectorIndexer({
    state,
    settings: () => settings.current.retrieval,
    train: trainInThread(options.vectors.workerFile),
    openPack: () => VectorPack.open(disk, options.vectors.packPath),
    variable: name => process.env[name],
    turn: () => background.turn(),
    aside: answer => background.aside('vectors', answer),
    onChange: () => progress.reportBackground(backgroundOf(searchHealthOf({ state, content, changeTracer, vectors }))),
    inLane: work => queue.run(work),
  });
  const changeTracer = new ChangeTracer({ root, git, commit, graph: () => state.published?.graph, disk, packPath: options.pastChangesPack, mayWrite });
  const parseAhead = new ParseAhead({
    root,
    git,
    commit,
    ignores: path => indexing.ignores(path, false),
    maxFileSizeKb: () => settings.forIndexing.maxFileSizeKb,
    parsing,
    pack: factsPack,
    clock,
    mayWrite,
  });
  const versions = new VersionLog({
    root,
    host,
    disk,
    packPath: options.versionsPack,
    table: state.table,
    clock,
    transactions: store.transactions,
    settings: () => settings.current.history,
    pins: options.pins,
    hasCommit: () => commit() !== undefined,
    mayWrite,
  });
  const metrics = new MetricsPrecomputer(background, timers);
  const surfaceVersion = `${options.engineVersion}.${FACTS_VERSION}.${SURFACE_VERSION}`;
  const newServiceFileReader = (): ServiceFileReader => new ServiceFileReader({ workerFile: options.serviceFileWorker, timers });
  const savedSurface = new SavedSurface({ disk, packPath: options.servicesPack, version: surfaceVersion, mayWrite });
  const surfaces = new PackedSurfaces(factsPack, surfaceVersion, savedSurface);
  const newServices: PastOptions['newServices'] = () => ({
    workspaceName: basename(root),
    layer: options.newServicesLayer(),
    reader: newServiceFileReader(),
  });
  const dirty = new DirtyCheckout(git, host, state.table, root);
  const links = new KeptLinks(factsPack, state.interner, `${engineVersion}.${FACTS_VERSION}`);
  const pastSources: PastSources = {
    root,
    caseInsensitive,
    checkedOut: () => dirty.unchanged(),
    links,
    parsing,
    pack: factsPack,
    settings: () => settings.forIndexing,
    clock,
    timers,
  };
  const resolveAhead = new ResolveAhead({
    ...pastSources,
    git,
    commit,
    live: { state, inLane: work => queue.runIdle(work), prime: token => indexing.prime(token) },
    yieldTurn: () => yieldTurn().then(() => answers.drained()),
    isAnswering: () => answers.isAnswering,
    mayWrite,
    newServices,
    surfaces,
    hasSeveralServices: async () => ((await services.model())?.services.length ?? 0) > 1,
    logError,
  });
  const past = new PastViews({
    ...pastSources,
    git: () => findGit(root, host),
    transactions: store.transactions,
    versions: {
      // In the lane: what a run has changed and what it has noted are then one.
      stateAt: seq => queue.run(() => versions.stateAt(seq)),
      get health() {
        return versions.health;
      },
    },
    live: { state, inLane: work => queue.run(work), prime: token => indexing.prime(token) },
    yieldTurn,
    host,
    newServices,
    surfaces,
    logError,
    onProgress: doing => progress.reportBackground(doing ?? backgroundOf(searchHealthOf({ state, content, changeTracer, vectors }))),
  });
  const services = new ServiceIndex({
    workspaceName: basename(root),
    table: state.table,
    files: new ServiceFiles({ root, host, table: state.table, reader: newServiceFileReader() }),
    saved: savedSurface,
    signature: () => precise.summary.signature,
    graph: () => state.published?.graph,
    digestOf: tracked => loader.digestOf(tracked),
    sink: options.services,
    settings: () => settings.current.services,
    clock,
    turn: () => indexing.turn(),
    logError,
  });
  const unsavedServices = new UnsavedServices({ root, host, services, unsaved, updates: unsavedUpdates });

  const watching: Watching = new Watching({
    root,
    git,
    host,
    caseInsensitive,
    clock,
    timers,
    log,
    headWatch,
    ignores: (path, isFolder) => !precise.isIndex(path) && indexing.ignores(path, isFolder),
    rebuild: changes => queue.post({ kind: 'changes', changes }),
    rescan: () => queue.post({ kind: 'rescan', cause: 'settings' }),
    lookAtHead: () => freshness.lookAtHead(true),
  });
  const freshness: Freshness = new Freshness({
    root,
    host,
    clock,
    table: state.table,
    batcher: watching.batcher,
    headWatch,
    folders: new FolderTimes(root, host),
    isIgnored: path => indexing.ignores(path, false),
    precise,
    revision: () => state.published,
    reindex: paths => queue.post({ kind: 'touched', paths }).then(() => undefined),
    onHeadMoved: () => void queue.post({ kind: 'rescan', cause: 'head' }).catch(() => undefined),
  });
  let soon: Disposable | undefined;
  const servicesSoon = (): void => {
    soon?.dispose();
    soon = timers.after(SERVICES_AFTER_MS, () => {
      if (mayWrite() && !services.isClosed) void services.model();
    });
  };
  const snapshots = new Snapshots({
    state,
    layers,
    unsaved,
    headWatch,
    freshness,
    onPublish: graph => {
      past.dropWhenTight();
      if (!graph.hasQuickCommunities && watching.mode !== 'none') metrics.communitiesLater();
      if (watching.mode !== 'none') servicesSoon();
    },
  });
  const durability = new Durability({ state, precise, indexing, checkpoint, factsPack, vectors, queue, progress, timers, mayWrite, logError });
  const runs = new Runs({
    checkout: root,
    store,
    clock,
    newId: options.newId,
    headWatch,
    dirty,
    view: () => state.graph.view,
    versions,
    mayWrite,
    publish: ({ changed }) => snapshots.publish(changed, indexing.turn()),
    save: whole => durability.saveRun(whole),
  });

  const upkeep = new VersionUpkeep({
    root,
    log: versions,
    inLane: work => queue.run(work),
    transactions: store.transactions,
    turn: () => indexing.turn(),
    timers,
    mark: () => runs.mark(),
    logError,
  });

  return new CheckoutEngine(
    { ...options, parsing },
    {
      answers,
      background,
      changeTracer,
      checkpoint,
      content,
      durability,
      freshness,
      headWatch,
      indexing,
      logError,
      metrics,
      parseAhead,
      past,
      precise,
      progress,
      queue,
      resolveAhead,
      runs,
      settings,
      services,
      snapshots,
      state,
      tests,
      unsaved,
      unsavedServices,
      unsavedUpdates,
      upkeep,
      vectors,
      versions,
      watching,
    },
  );
}
