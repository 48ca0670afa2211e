import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import type { Clock, YieldTurn } from '../../base/ports';
import { type Failure, ok, type Result } from '../../base/result';
import { Turn } from '../../base/yield';
import type { Change } from '../../code/files/batcher';
import type { PathFilter } from '../../code/files/filter';
import { absoluteOf, decodeText, type FileHost, type FileProblem as HostProblem } from '../../code/files/host';
import type { ScannedFile } from '../../code/files/scan';
import { changesRules, inspectPaths, type Scan, type ScanOptions, scan } from '../../code/files/scan';
import type { GraphView } from '../../code/graph/graphView';
import { isManifest, type ResolverColumns } from '../../code/resolve/resolver';
import type { FileFacts } from '../../model/facts';
import type { WorkspaceSettings } from '../../model/settings';
import type { FileProblem, IndexProgress } from '../../workspace/snapshot';
import type { CurrentFile, PreciseFiles } from '../precise/preciseFiles';
import type { FileLoader, LoadedFile } from './fileLoader';
import type { TrackedFile } from './fileTable';
import type { IndexDraft, IndexState } from './indexState';

export interface IndexingOptions {
  readonly root: string;
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
  readonly state: IndexState;
  readonly loader: FileLoader;
  /** What a resolver of the saved graph knew, by its key. */
  readonly links: (key: number) => Promise<ResolverColumns | undefined>;
  readonly precise: PreciseFiles;
  readonly clock: Clock;
  readonly yieldTurn: YieldTurn;
  readonly settings: () => WorkspaceSettings;
  /** The host is the tree of a commit. */
  readonly isCommit?: boolean;
  readonly onProgress: (progress: IndexProgress) => void;
  /** Told of facts while they are at hand: later they are read from the disk. */
  readonly onFacts?: (tracked: TrackedFile, facts: FileFacts) => void;
}

/** Smaller runs are over before anybody could read of them. */
const WORTH_SHOWING = 20;

/** What one run did. */
export interface RunResult {
  /** Files that look different now, dependents included. */
  readonly changed: readonly WorkspacePath[];
  /** Files whose own content changed, came or went. */
  readonly affected: readonly WorkspacePath[];
  /** Those that came from the folder as they were before; `undefined` for new ones. */
  readonly previous: ReadonlyMap<WorkspacePath, TrackedFile | undefined>;
  /** There was no index before. */
  readonly isFirst: boolean;
  readonly filesParsed: number;
  readonly filesFromCache: number;
  readonly nodeDelta: number;
  readonly edgeDelta: number;
}

export const NOTHING_CHANGED: RunResult = {
  changed: [],
  affected: [],
  previous: new Map(),
  isFirst: false,
  filesParsed: 0,
  filesFromCache: 0,
  nodeDelta: 0,
  edgeDelta: 0,
};

export interface WholeRun {
  /** Parse everything again. */
  readonly force: boolean;
  /** Compare by hash although size and time are the same. */
  readonly distrustSignatures: boolean;
  /** Limits the run; undefined means everything. */
  readonly within: ((path: WorkspacePath) => boolean) | undefined;
}

/**
 * The phases from files to a revision: scan, load (cache or parse), resolve, apply.
 * Knows no watcher, no transactions and no clients; `engine.ts` says when to run what.
 */
export class Indexing {
  readonly #options: IndexingOptions;
  #filter: PathFilter | undefined;
  #scanProblems: readonly FileProblem[] = [];
  #skipped = { ignored: 0 };

  constructor(options: IndexingOptions) {
    this.#options = options;
  }

  /** By the rules of the last scan; false before it. */
  ignores(path: WorkspacePath, isFolder: boolean): boolean {
    return this.#filter?.ignores(path, isFolder) ?? false;
  }

  get scanProblems(): readonly FileProblem[] {
    return this.#scanProblems;
  }

  get ignoredCount(): number {
    return this.#skipped.ignored;
  }

  turn(): Turn {
    return new Turn(this.#options.clock, this.#options.yieldTurn);
  }

  /** Brings the index in step with the whole folder. */
  async whole(run: WholeRun, token: CancellationToken): Promise<Result<RunResult, Failure>> {
    const { onProgress, state } = this.#options;
    onProgress({ phase: 'scanning', done: 0, total: 0 });
    const scanned = await scan(this.#scanOptions(), token, (done: number) => onProgress({ phase: 'scanning', done, total: 0 }));
    if (!scanned.ok) return scanned;
    this.#adopt(scanned.value);
    const within = run.within ?? (() => true);
    const files = scanned.value.files.filter(file => within(file.path));
    const present = new Set(scanned.value.files.map(file => file.path));
    const removed = [...state.table.paths()].filter(path => !present.has(path) && within(path));
    return ok(await this.#take(files, removed, run, token));
  }

  /** Brings the named files and folders in step with the disk. `trustSignatures`: equal size and time mean equal content. */
  async some(changes: readonly Change[], trustSignatures: boolean, token: CancellationToken): Promise<Result<RunResult, Failure>> {
    const filter = this.#filter;
    const whole: WholeRun = { force: false, distrustSignatures: false, within: undefined };
    if (filter === undefined || changes.some(change => changesRules(change.path))) return this.whole(whole, token);
    const paths = changes.map(change => change.path);
    const found = await inspectPaths(this.#scanOptions(), filter, paths, token);
    if (!found.ok) return found;
    const { files, folders, gone } = found.value;
    const known = [...this.#options.state.table.paths()];
    // A folder may have been replaced by another of its name.
    const present = new Set(files.map(file => file.path));
    const replaced = folders.length === 0 ? [] : goneFrom(known, folders).filter(path => !present.has(path));
    const removed = [...new Set([...goneFrom(known, gone), ...replaced])];
    return ok(await this.#take(files, removed, { force: false, distrustSignatures: !trustSignatures }, token));
  }

  /** Makes the resolver ready for changes after a warm start. Returns files whose facts are lost and must be parsed again. */
  async prime(token: CancellationToken): Promise<readonly WorkspacePath[]> {
    const { loader, state } = this.#options;
    if (state.resolver !== undefined) return [];
    const turn = this.turn();
    const upserts: { record: LoadedFile['tracked']['record']; facts: FileFacts | undefined }[] = [];
    const lost: WorkspacePath[] = [];
    const manifests: WorkspacePath[] = [];
    for (const tracked of state.table.values()) {
      if (isManifest(tracked.record.path)) manifests.push(tracked.record.path);
      const facts = await loader.factsOf(tracked);
      if (facts === undefined && tracked.factsKey !== undefined) lost.push(tracked.record.path);
      upserts.push({ record: tracked.record, facts });
      await turn.check(token);
    }
    const precise = await this.#options.precise.settle([], path => this.#now(path, new Map()), turn, token);
    const update = { upserts, removed: [], manifests: await this.#read(manifests), precise };
    const { linksKey } = state;
    const isTold = lost.length === 0 && precise.documents.size === 0 && linksKey !== undefined;
    const columns = isTold ? await this.#options.links(linksKey) : undefined;
    if (columns === undefined) await state.prime(update, turn, token);
    else await state.primeWith(columns, update, turn, token);
    loader.release();
    return lost;
  }

  /** Does ahead of the first question and the first change what they would have to wait for. Returns files whose facts are lost. */
  async prepare(token: CancellationToken): Promise<readonly WorkspacePath[]> {
    const { loader, state } = this.#options;
    const turn = this.turn();
    await state.graph.view.preparePageRank(() => turn.check(token));
    const lost = await this.prime(token);
    await loader.warmUp(state.table.languages(), token);
    return lost;
  }

  /** Centralities, which answers can do without at first. Only reads; goes on with a newer revision when that one knows no communities. */
  async prepareMetrics(turn: Turn, token: CancellationToken): Promise<void> {
    let view: GraphView | undefined;
    while (view === undefined || !this.#options.state.graph.view.hasQuickCommunities) {
      view = this.#options.state.graph.view;
      await view.prepareMetrics(() => turn.check(token));
    }
  }

  /** Communities of the newest revision. Only reads. */
  async prepareCommunities(turn: Turn, token: CancellationToken): Promise<void> {
    await this.#options.state.graph.view.prepareCommunities(() => turn.check(token));
  }

  async #take(
    files: readonly ScannedFile[],
    removed: readonly WorkspacePath[],
    how: { readonly force: boolean; readonly distrustSignatures: boolean },
    token: CancellationToken,
  ): Promise<RunResult> {
    const { loader, state } = this.#options;
    const total = files.length;
    const onProgress = total < WORTH_SHOWING ? (): void => undefined : this.#options.onProgress;
    onProgress({ phase: 'parsing', done: 0, total });
    const draft = state.startDraft();
    if (draft !== undefined) state.primeEmpty();
    const loaded = await loader.load(
      {
        files,
        previous: path => state.table.get(path),
        rare: () => state.table.rareLanguages(files),
        force: how.force,
        distrustSignatures: how.distrustSignatures,
        onDone: done => onProgress({ phase: 'parsing', done, total }),
        onLoaded: file => {
          draft?.add(file);
          if (file.facts !== undefined) this.#options.onFacts?.(file.tracked, file.facts);
        },
        turn: this.turn(),
      },
      token,
    );
    const effective = loaded.filter(file => file.change === 'content');
    const isPreciseNew = await this.#options.precise.hasChanged();
    if (effective.length === 0 && removed.length === 0 && !isPreciseNew) {
      for (const { tracked } of loaded) state.table.set(tracked);
      return NOTHING_CHANGED;
    }
    onProgress({ phase: 'resolving', done: 0, total: effective.length });
    return this.#apply(loaded, removed, { draft, isPreciseNew }, token);
  }

  async #apply(
    loaded: readonly LoadedFile[],
    removed: readonly WorkspacePath[],
    { draft, isPreciseNew }: { readonly draft: IndexDraft | undefined; readonly isPreciseNew: boolean },
    token: CancellationToken,
  ): Promise<RunResult> {
    const { precise, state } = this.#options;
    let all = loaded;
    if (state.table.size === 0) state.primeEmpty();
    // What a saved graph took from an index that is another now can only be told by resolving everything.
    if (isPreciseNew && state.resolver === undefined) all = await this.#everything(loaded, removed, token);
    const lost = await this.prime(token);
    const missing = lost.filter(path => !loaded.some(file => file.tracked.record.path === path) && !removed.includes(path));
    if (missing.length > 0) all = [...loaded, ...(await this.#reparse(missing, token))];
    const touched = all.filter(file => file.change === 'content').map(file => file.tracked.record.path);
    const byPath = new Map(all.map(file => [file.tracked.record.path, file]));
    const preciseState = await precise.settle(touched, path => this.#now(path, byPath), this.turn(), token);
    const manifests = [...(await this.#read(touched.filter(isManifest))), ...removed.filter(isManifest).map(path => ({ path, text: undefined }))];
    const before = { nodes: state.graph.view.nodeCount, edges: state.graph.view.edgeCount };
    const own = [...loaded.filter(file => file.change === 'content').map(file => file.tracked.record.path), ...removed];
    const previous = new Map(own.map(path => [path, state.table.get(path)]));
    const isFirst = state.table.size === 0;
    const changed = await state.apply({ loaded: all, removed, manifests, draft, precise: preciseState }, this.turn(), token);
    precise.applied(path => state.table.get(path)?.record.language !== undefined);
    this.#options.loader.release();
    return {
      changed,
      affected: [...own, ...(isPreciseNew ? precise.paths : [])].sort(),
      previous,
      isFirst,
      filesParsed: all.filter(file => file.parsed).length,
      filesFromCache: all.filter(file => !file.parsed && file.facts !== undefined).length,
      nodeDelta: Math.abs(state.graph.view.nodeCount - before.nodes),
      edgeDelta: Math.abs(state.graph.view.edgeCount - before.edges),
    };
  }

  /** All files of the table as if they had changed, with those that did; the resolver starts over. */
  async #everything(loaded: readonly LoadedFile[], removed: readonly WorkspacePath[], token: CancellationToken): Promise<LoadedFile[]> {
    const { loader, state } = this.#options;
    const known = new Set([...removed, ...loaded.filter(file => file.change === 'content').map(file => file.tracked.record.path)]);
    const changed = loaded.filter(file => file.change === 'content');
    const lost: WorkspacePath[] = [];
    const turn = this.turn();
    const others: LoadedFile[] = [];
    for (const tracked of state.table.values()) {
      if (known.has(tracked.record.path)) continue;
      const facts = await loader.factsOf(tracked);
      if (facts === undefined && tracked.factsKey !== undefined) lost.push(tracked.record.path);
      else others.push({ tracked, facts, change: 'content', parsed: false });
      await turn.check(token);
    }
    state.primeEmpty();
    return [...changed, ...others, ...(await this.#reparse(lost, token))];
  }

  /** A file as the coming revision has it. */
  #now(path: WorkspacePath, loaded: ReadonlyMap<WorkspacePath, LoadedFile>): CurrentFile | undefined {
    const { loader, state } = this.#options;
    const file = loaded.get(path);
    const tracked = file?.tracked ?? state.table.get(path);
    if (tracked === undefined) return undefined;
    return { tracked, facts: async () => file?.facts ?? (await loader.factsOf(tracked)) };
  }

  async #reparse(paths: readonly WorkspacePath[], token: CancellationToken): Promise<LoadedFile[]> {
    const filter = this.#filter;
    if (filter === undefined) return [];
    const found = await inspectPaths(this.#scanOptions(), filter, paths, token);
    if (!found.ok) return [];
    const { loader, state } = this.#options;
    const { files } = found.value;
    return loader.load(
      { files, previous: () => undefined, rare: () => state.table.rareLanguages(files), force: true, distrustSignatures: true, onDone: () => undefined },
      token,
    );
  }

  async #read(paths: readonly WorkspacePath[]): Promise<{ path: WorkspacePath; text: string | undefined }[]> {
    const { host, root } = this.#options;
    return Promise.all(
      paths.map(async path => ({
        path,
        text: await host.read(absoluteOf(root, path)).then(
          bytes => decodeText(bytes),
          () => undefined,
        ),
      })),
    );
  }

  #scanOptions(): ScanOptions {
    const { caseInsensitive, host, isCommit = false, root, settings } = this.#options;
    const { excludes, ignorePatterns, maxFileSizeKb, respectGitignore } = settings();
    const own = this.#options.precise.paths.map(path => `/${path}`);
    return {
      root,
      host,
      caseInsensitive,
      respectGitignore,
      isAllTracked: isCommit,
      maxFileSizeKb,
      ignorePatterns: [...ignorePatterns, ...own],
      excludeGlobs: excludes,
    };
  }

  #adopt(found: Scan): void {
    this.#filter = found.filter;
    this.#scanProblems = found.problems.map(fromHostProblem);
    const { builtIn, excluded, ignored, secret } = found.skipped;
    this.#skipped = { ignored: ignored + builtIn + excluded + secret };
  }
}

/** Paths of the table that a watcher's `gone` speaks of: the file itself, or everything below a folder. */
function goneFrom(known: readonly WorkspacePath[], gone: readonly WorkspacePath[]): WorkspacePath[] {
  if (gone.length === 0) return [];
  const exact = new Set(gone);
  const folders = gone.map(path => `${path}/`);
  return known.filter(path => exact.has(path) || folders.some(folder => path.startsWith(folder)));
}

const PROBLEM_CODES: Readonly<Record<HostProblem['code'], FileProblem['code']>> = {
  FOLDER_UNREADABLE: 'unreadable',
  FILE_UNREADABLE: 'unreadable',
  FILE_VANISHED: 'vanished',
  LINK_LEAVES_ROOT: 'symlink_outside',
  LINK_CYCLE: 'symlink_cycle',
  LINK_DANGLING: 'symlink_outside',
  IGNORE_FILE_UNREADABLE: 'unreadable',
  BAD_PATTERN: 'bad_pattern',
  NAME_UNUSABLE: 'unreadable',
  WATCH_LIMIT: 'unreadable',
  WATCH_FAILED: 'unreadable',
};

export function fromHostProblem(problem: HostProblem): FileProblem {
  return { path: problem.path, code: PROBLEM_CODES[problem.code], message: problem.message };
}

export function notReady(progress: IndexProgress): Failure {
  const share = progress.total > 0 ? ` (${progress.done} of ${progress.total} files)` : '';
  return progress.phase === 'failed'
    ? { code: 'UNAVAILABLE', message: `The workspace could not be indexed: ${progress.problem ?? 'unknown reason'}` }
    : { code: 'NOT_READY', message: `The first index is not complete: ${progress.phase}${share}. Try again in a few seconds.` };
}
