import { getHeapStatistics } from 'node:v8';
import type { CancellationToken } from '../../../base/cancellation';
import type { Disposable } from '../../../base/disposable';
import type { WorkspacePath } from '../../../base/path';
import type { YieldTurn } from '../../../base/ports';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { GitPlace } from '../../../code/files/git';
import { absoluteOf, type FileHost } from '../../../code/files/host';
import type { WorkspaceSettings } from '../../../model/settings';
import type { VersionFailure } from '../../../workspace/changes';
import { LaterSearch } from '../../../workspace/laterSearch';
import type { Snapshot } from '../../../workspace/snapshot';
import type { PackedSurfaces } from '../../indexing/services/savedSurface';
import { blobsOf } from '../../processes/git/blobs';
import { GitSession } from '../../processes/git/session';
import type { LogError } from '../../scheduling/errorLog';
import type { TransactionLog } from '../changes';
import { named } from '../revisions';
import type { ReadBlobs } from './blobs';
import { type CommitIndex, indexCommit, type LiveIndex, type ServicesParts } from './commitIndex';
import { KnownBlobs } from './commitParsing';
import { contentsIn, textIn, treeOf } from './commitTree';
import { type Moment, momentOf, type PastGit, type RecordedStates } from './moment';
import { NamedCommits } from './namedCommits';
import type { PastSources } from './pastSources';
import { recordedContents, recordedContentsBeside, recordedFiles, recordedTexts } from './recordedFiles';
import { sameContents } from './sameContents';

export interface PastOptions extends PastSources {
  /** Looked for with each question: the repository may be younger than the engine. */
  readonly git: () => Promise<GitPlace | undefined>;
  readonly transactions: TransactionLog;
  readonly versions: RecordedStates;
  readonly live: LiveIndex;
  readonly yieldTurn: YieldTurn;
  /** What is being read, in words; `undefined` when nothing is. */
  readonly onProgress: (doing: string | undefined) => void;
  /** The folder as it is. */
  readonly host: FileHost;
  readonly newServices: () => Pick<ServicesParts, 'layer' | 'reader' | 'workspaceName'>;
  readonly surfaces: PackedSurfaces;
  readonly logError: LogError;
}

/** The code at a moment, to read. */
export interface PastView {
  readonly moment: Moment;
  readonly snapshot: Snapshot;
  readonly host: CommitIndex['host'];
  readonly services: CommitIndex['services'];
  readonly searchesContents: boolean;
}

/** How many numbers a report of files goes through; each is sent to all who listen. */
const PROGRESS_STEPS = 50;
/** Views that are kept, the newest asked for. */
const KEPT_VIEWS = 2;
/** A view that nobody asked for goes after this long. */
const KEPT_MS = 10 * 60_000;
/** Above this share of the memory that the process may have no view is kept. */
const TIGHT_SHARE = 0.75;

/** The code of past commits as graphs to read; made when asked for, one at a time, beside the live index and without touching it. */
export class PastViews {
  readonly #known: KnownBlobs;
  readonly #kept = new Map<string, PastView>();
  readonly #times = new Map<string, number>();
  readonly #commits: NamedCommits;
  #making: Promise<unknown> = Promise.resolve();
  #expiry: Disposable | undefined;
  /** For questions, and for texts of views that are kept, which are read one by one. */
  readonly #session: GitSession;

  constructor(private readonly options: PastOptions) {
    this.#session = new GitSession(options.timers);
    this.#known = new KnownBlobs(options.pack);
    this.#commits = new NamedCommits(options.host);
  }

  /** `now` for a time to come. Throws `Cancelled`. */
  async at(asked: string, token: CancellationToken): Promise<Result<PastView | 'now', VersionFailure>> {
    const place = await this.options.git();
    const name = await this.#commits.keyOf(asked, place);
    const kept = this.#keptAt(asked, this.#commits.get(name));
    if (kept !== undefined) return ok(kept);
    return this.#inRepository<PastView | 'now'>(token, async git => {
      const moment = await this.#momentOf(asked, git);
      if (!moment.ok || moment.value === 'now') return moment.ok ? ok('now') : moment;
      const found = moment.value;
      if (found.recorded === undefined && found.commit !== undefined) await this.#commits.note(asked, place, name, found.commit);
      const made = this.#making.then(() => this.#view(found, git, token));
      this.#making = made.catch(() => undefined);
      return made;
    });
  }

  /** The text of a file alone; `undefined` where the commit has no such file. */
  async textAt(path: WorkspacePath, asked: string, token: CancellationToken): Promise<Result<string | undefined, VersionFailure>> {
    return this.#inRepository(token, async git => {
      const moment = await this.#momentOf(asked, git);
      if (!moment.ok) return moment;
      if (moment.value !== 'now' && moment.value.recorded !== undefined)
        return err({ code: 'UNAVAILABLE', message: `The text of ${path} at ${moment.value.name} is not kept.` });
      const commit = moment.value === 'now' ? 'HEAD' : moment.value.commit;
      return git === undefined || commit === undefined ? ok(undefined) : textIn(git.repository, commit, git.folder, path);
    });
  }

  /** One repository for all that a question asks of git, and for those that follow soon. */
  async #inRepository<T>(token: CancellationToken, read: (git: PastGit | undefined) => Promise<Result<T, VersionFailure>>): Promise<Result<T, VersionFailure>> {
    const place = await this.options.git();
    if (place === undefined) return read(undefined);
    return this.#session.read(this.options.root, place, token, repository => read({ repository, folder: place.folderInCheckout }));
  }

  #momentOf(asked: string, git: PastGit | undefined): ReturnType<typeof momentOf> {
    const { clock, root, transactions, versions } = this.options;
    return momentOf({ root, git, transactions, versions, times: this.#times, now: () => clock.now() }, asked);
  }

  /** Gives memory back. Answers under way keep what they have. */
  drop(): void {
    this.#kept.clear();
    this.#expiry?.dispose();
    this.#expiry = undefined;
  }

  dropWhenTight(): void {
    const { heap_size_limit: most, used_heap_size: used } = getHeapStatistics();
    if (this.#kept.size > 0 && used > most * TIGHT_SHARE) this.drop();
  }

  async close(): Promise<void> {
    for (const { services } of this.#kept.values()) void services.close();
    this.drop();
    await this.#session.close();
  }

  /** The view of a commit that is named as it was before. */
  #keptAt(asked: string, commit: string | undefined): PastView | undefined {
    const at = commit === undefined ? undefined : this.#times.get(commit);
    return commit === undefined || at === undefined ? undefined : this.#keptOf({ commit, name: named(asked.trim(), commit), at });
  }

  #keptOf(moment: Moment): PastView | undefined {
    const key = this.#keyOf(moment);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#keep(key, kept);
    return { ...kept, moment };
  }

  #keyOf({ commit, recorded }: Moment): string {
    return JSON.stringify([commit, recorded?.txId, this.options.settings()]);
  }

  async #view(moment: Moment, git: PastGit | undefined, token: CancellationToken): Promise<Result<PastView, Failure>> {
    const settings = this.options.settings();
    const key = this.#keyOf(moment);
    const kept = this.#keptOf(moment);
    if (kept !== undefined) return ok(kept);
    const index = await this.#index(moment, git, settings, token);
    if (!index.ok) return index;
    const { graph, host, missingFiles, search, searchesContents, services } = index.value;
    const { revision } = graph;
    const stamp = { revision, head: moment.commit?.slice(0, 12) ?? '', pendingFiles: 0, asOf: moment.at, ...(missingFiles > 0 ? { missingFiles } : {}) };
    const view: PastView = { moment, host, searchesContents, services, snapshot: { revision, graph, search: new LaterSearch(search), stamp } };
    this.#keep(key, view);
    this.dropWhenTight();
    return ok(view);
  }

  async #index(moment: Moment, git: PastGit | undefined, settings: WorkspaceSettings, token: CancellationToken): Promise<Result<CommitIndex, Failure>> {
    const { caseInsensitive, checkedOut, clock, live, onProgress, pack, parsing, root, yieldTurn } = this.options;
    const { commit } = moment;
    const { recorded } = moment;
    const files =
      recorded !== undefined
        ? ok(recordedFiles(recorded))
        : git === undefined || commit === undefined
          ? ok([])
          : await treeOf(git.repository, commit, git.folder);
    if (!files.ok) return files;
    let open = git?.repository;
    const tell = (doing: string): void => onProgress(`reading ${moment.name}: ${doing}`);
    const inSteps = (done: number, total: number): number => (done === total ? total : done - (done % Math.max(1, Math.floor(total / PROGRESS_STEPS))));
    try {
      return await indexCommit(
        {
          root,
          caseInsensitive,
          files: files.value,
          hasTexts: recorded === undefined,
          readBlobs: async (blobs, asking) => {
            if (recorded !== undefined) {
              const found = await this.#besideCode(moment, blobs, token);
              return found.ok ? found : ok(await recordedTexts(recorded, blobs));
            }
            // Texts of the view are read as long as it is kept, long after the repository of this question is closed.
            return open === undefined ? this.#contents(blobs, asking) : blobsOf(open, blobs);
          },
          services: {
            ...this.options.newServices(),
            saved: this.options.surfaces,
            logError: this.options.logError,
            readBlobs: (blobs, asking) => this.#besideCode(moment, blobs, asking),
          },
          known: recorded === undefined ? this.#known.with(sameContents(files.value, await checkedOut(), live.state.table)) : recordedContents(recorded),
          live,
          kept: this.options.links,
          parsing,
          pack,
          settings,
          clock,
          yieldTurn,
          onProgress: ({ done, phase, total }) => tell(phase === 'parsing' ? `${inSteps(done, total)} of ${total} files` : phase),
        },
        token,
      );
    } finally {
      open = undefined;
      onProgress(undefined);
      // Kept for the next question; nobody waits for it, and what fails is parsed again.
      void pack?.flush();
    }
  }

  async #contents(blobs: readonly string[], token: CancellationToken): ReturnType<ReadBlobs> {
    const place = await this.options.git();
    return place === undefined ? ok(new Map()) : this.#session.read(this.options.root, place, token, git => blobsOf(git, blobs));
  }

  /** Asked for later than the rest, if at all. */
  async #besideCode({ commit, recorded }: Moment, blobs: readonly string[], token: CancellationToken): ReturnType<ReadBlobs> {
    const { host, root } = this.options;
    if (recorded === undefined) return this.#contents(blobs, token);
    const base = commit ?? recorded.commit;
    return recordedContentsBeside(recorded, blobs, {
      onDisk: path => host.read(absoluteOf(root, path)).catch(() => undefined),
      inCommit: paths =>
        this.#inRepository<ReadonlyMap<WorkspacePath, Uint8Array>>(token, async git =>
          git === undefined || base === undefined ? ok(new Map()) : contentsIn(git.repository, base, git.folder, paths),
        ),
    });
  }

  #keep(key: string, view: PastView): void {
    this.#kept.delete(key);
    this.#kept.set(key, view);
    for (const oldest of [...this.#kept.keys()].slice(0, Math.max(0, this.#kept.size - KEPT_VIEWS))) this.#kept.delete(oldest);
    this.#expiry?.dispose();
    this.#expiry = this.options.timers.after(KEPT_MS, () => this.drop());
  }
}
