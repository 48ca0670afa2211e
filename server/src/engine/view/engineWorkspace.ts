import { basename } from 'node:path';
import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import type { Clock, YieldTurn } from '../../base/ports';
import { err, type Failure, ok, type Result } from '../../base/result';
import { findGit } from '../../code/files/git';
import type { FileHost } from '../../code/files/host';
import type { Backups } from '../../model/backups';
import type { FileFacts } from '../../model/facts';
import type { StableId } from '../../model/ids';
import type { LanguageId } from '../../model/languages';
import type { Records } from '../../model/records';
import type { ChangeSet, VersionFailure } from '../../workspace/changes';
import type { PastChanges } from '../../workspace/pastChanges';
import type { RecordedEdge, RecordedVersion } from '../../workspace/recordedVersions';
import type { ServicesPort } from '../../workspace/services';
import type { EngineHealth, RebuildRequest, SearchHealth, Snapshot, Workspace } from '../../workspace/snapshot';
import type { TestRunner } from '../../workspace/testRunner';
import { architectureFiles } from '../architectureFiles';
import { authorsOf } from '../changes/authors';
import type { PastViews } from '../changes/past/pastViews';
import { pastWorkspace } from '../changes/past/pastWorkspace';
import { referencesOf } from '../changes/references';
import type { FileTable } from '../indexing/fileTable';
import type { LiveSettings } from '../indexing/liveSettings';
import type { Unsaved } from '../indexing/unsaved';
import type { UnsavedUpdates } from '../indexing/unsavedUpdates';
import { knowledgeFiles } from '../knowledgeFiles';
import type { FairQueue } from '../scheduling/fairQueue';
import { SourceTexts } from '../sourceTexts';
import type { Freshness } from '../watching/freshness';
import { type CoverageFilesOptions, coverageFiles } from './testCoverage/coverageFiles';

/** What a workspace is made of. */
export interface WorkspaceSource {
  readonly root: string;
  readonly options: {
    readonly host: FileHost;
    readonly caseInsensitive: boolean;
    readonly yieldTurn: YieldTurn;
    readonly records: Records;
    readonly backups?: Backups;
    readonly clock: Clock;
    readonly openDatabase: CoverageFilesOptions['openDatabase'];
  };
  readonly state: { readonly table: FileTable };
  readonly unsaved: Unsaved;
  readonly unsavedUpdates: Pick<UnsavedUpdates, 'bringIn'>;
  readonly freshness: Freshness;
  current(viewer: string | undefined): Snapshot | undefined;
  failure(): Failure;
  health(): EngineHealth;
  searchHealth(): SearchHealth;
  changes(since: string | undefined, token: CancellationToken): Promise<Result<ChangeSet, VersionFailure>>;
  readonly past: PastViews;
  readonly tests: TestRunner;
  readonly settings: Pick<LiveSettings, 'current'>;
  readonly services: ServicesPort;
  readonly unsavedServices: { portFor(session: string): ServicesPort };
  readonly answers: FairQueue;
  /** Facts of a text; undefined when it cannot be parsed. */
  parse(path: WorkspacePath, language: LanguageId, text: string): Promise<FileFacts | undefined>;
  /** A text with its comments blank; undefined when it cannot be parsed. */
  codeText(path: WorkspacePath, text: string): Promise<string | undefined>;
  pastChanges(): PastChanges | undefined;
  versionsOf(id: StableId, path: WorkspacePath): Promise<readonly RecordedVersion[]>;
  edgeVersionsOf(id: StableId): Promise<readonly RecordedEdge[]>;
  clearHistory(): Promise<Result<void, Failure>>;
  embedQuery(text: string): Promise<Float32Array | undefined>;
  rebuild(request: RebuildRequest): ReturnType<Workspace['commands']['rebuild']>;
  rebuildEnd: Workspace['commands']['rebuildEnd'];
  catchUp: Workspace['commands']['catchUp'];
}

/** Longest that an answer waits for the unsaved text of its own window; then it speaks of a slightly older one. */
const UNSAVED_WAIT_MS = 1_000;

/** The engine as features see it. `viewer` names an editor session whose unsaved documents count. */
export function makeWorkspace(engine: WorkspaceSource, viewer: string | undefined): Workspace {
  const { caseInsensitive, host } = engine.options;
  const texts = new SourceTexts({
    root: engine.root,
    host,
    caseInsensitive,
    unsavedText: path => engine.unsaved.textOf(viewer, path),
    isIndexed: path => engine.state.table.get(path) !== undefined,
    parse: (path, language, text) => engine.parse(path, language, text),
  });
  const workspace: Workspace = {
    root: engine.root,
    name: basename(engine.root),
    async snapshot(touching, token, patienceMs) {
      if (engine.current(viewer) === undefined) return err(engine.failure());
      await engine.freshness.check(touching, patienceMs);
      throwIfCancelled(token);
      if (viewer !== undefined) await Promise.race([engine.unsavedUpdates.bringIn(viewer).catch(() => undefined), pause(UNSAVED_WAIT_MS)]);
      const snapshot = engine.current(viewer);
      return snapshot === undefined ? err(engine.failure()) : ok(snapshot);
    },
    current: () => engine.current(viewer),
    readText: path => texts.readText(path),
    readSymbol: (symbol, fileHash) => texts.readSymbol(symbol, fileHash),
    changes: (since, token) => engine.changes(since, token),
    textAt: (path, when, token) => engine.past.textAt(path, when, token),
    codeText: (path, text) => engine.codeText(path, text),
    health: () => engine.health(),
    searchHealth: () => engine.searchHealth(),
    get retrieval() {
      return engine.settings.current.retrieval;
    },
    pastChanges: () => engine.pastChanges(),
    versionsOf: (id, path) => engine.versionsOf(id, path),
    edgeVersionsOf: id => engine.edgeVersionsOf(id),
    references: async token => referencesOf(engine.root, await findGit(engine.root, host), token),
    authorsOf: async (commits, token) => authorsOf(engine.root, await findGit(engine.root, host), commits, token),
    embedQuery: text => engine.embedQuery(text),
    tests: engine.tests,
    architecture: architectureFiles({
      root: engine.root,
      host,
      caseInsensitive,
      clock: engine.options.clock,
      unsavedText: path => engine.unsaved.textOf(viewer, path),
      thresholds: () => engine.settings.current.patterns,
    }),
    coverage: coverageFiles({
      root: engine.root,
      host,
      caseInsensitive,
      clock: engine.options.clock,
      openDatabase: engine.options.openDatabase,
      paths: () => engine.settings.current.coverageReports,
    }),
    records: engine.options.records,
    ...(engine.options.backups === undefined ? {} : { backups: engine.options.backups }),
    knowledgeFiles: knowledgeFiles(engine.root, () => engine.settings.current.knowledge),
    services: viewer === undefined ? engine.services : engine.unsavedServices.portFor(viewer),
    pause: () => engine.options.yieldTurn(),
    takeTurn: () => engine.answers.enter(),
    async asOf(when, token, { withServices = false } = {}) {
      const view = await engine.past.at(when, token);
      if (!view.ok) return view;
      if (view.value === 'now') return ok(workspace);
      return ok(pastWorkspace(workspace, view.value, { caseInsensitive, withServices, parse: (path, language, text) => engine.parse(path, language, text) }));
    },
    commands: {
      rebuild: request => engine.rebuild(request),
      rebuildEnd: (txId, token) => engine.rebuildEnd(txId, token),
      catchUp: token => engine.catchUp(token),
      clearHistory: () => engine.clearHistory(),
    },
  };
  return workspace;
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms).unref();
  });
}
