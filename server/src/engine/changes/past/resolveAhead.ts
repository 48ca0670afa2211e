import { createHash } from 'node:crypto';
import { type CancellationToken, Cancelled, eitherCancelled, onCancelled, throwIfCancelled } from '../../../base/cancellation';
import type { YieldTurn } from '../../../base/ports';
import { type Failure, ok, type Result } from '../../../base/result';
import { Turn } from '../../../base/yield';
import type { GitPlace } from '../../../code/files/git';
import type { PackedSurfaces } from '../../indexing/services/savedSurface';
import { blobsOf } from '../../processes/git/blobs';
import { type GitRepository, readRepository } from '../../processes/git/repository';
import type { LogError } from '../../scheduling/errorLog';
import { forkPoint } from '../revisions';
import type { ReadBlobs } from './blobs';
import { type LiveIndex, resolveCommit, type ServicesParts } from './commitIndex';
import { KnownBlobs } from './commitParsing';
import { treeOf } from './commitTree';
import type { PastSources } from './pastSources';
import { sameContents } from './sameContents';

export interface ResolveAheadOptions extends PastSources {
  readonly git: GitPlace | undefined;
  /** The commit that HEAD is at. */
  readonly commit: () => string | undefined;
  /** `inLane`: work that is cancelled as soon as anything waits for it. */
  readonly live: LiveIndex;
  /** Lets questions go first. */
  readonly yieldTurn: YieldTurn;
  /** Whether somebody waits for an answer. */
  readonly isAnswering: () => boolean;
  /** A superseded owner must not touch the files of its successor. */
  readonly mayWrite: () => boolean;
  readonly surfaces: PackedSurfaces;
  /** Whether comparisons look for dependencies between services. */
  readonly hasSeveralServices: () => Promise<boolean>;
  readonly newServices: () => Pick<ServicesParts, 'layer' | 'reader' | 'workspaceName'>;
  readonly logError: LogError;
}

/** Commits along first parents that are resolved ahead, HEAD among them. */
const MAX_COMMITS = 60;
/** For one position of HEAD: the rest is resolved when somebody asks. */
const MAX_MS = 120_000;
const MAX_BYTES = 32 << 20;
/** After it was interrupted it waits, twice as long each time, and starts again from the first commit that is missing. */
const PAUSE_MS = 15_000;
const MAX_TRIES = 4;
/** How often it looks whether answers have been found. */
const LOOK_MS = 20;

/**
 * Finds out ahead where the references of the newest commits lead, so that the first question about one of them need not, and where there are several services what
 * the code offered and used when the branch began, because comparisons begin there. One commit after the other, from the current code back: each differs in few files from the one before.
 */
export class ResolveAhead {
  readonly #known: KnownBlobs;
  #names: readonly string[] = [];
  /** The commit where the branch began, by its name for what is kept. */
  #base: string | undefined;
  #done: string | undefined;
  /** The disk did not take what was found out: another try would end the same. */
  #isFull = false;

  constructor(private readonly options: ResolveAheadOptions) {
    this.#known = new KnownBlobs(options.pack);
  }

  /** Records of the pack that the newest commits need. */
  async keys(): Promise<Iterable<string>> {
    const { links, surfaces } = this.options;
    return [...(await links.keysOf(this.#names)), ...(this.#base === undefined ? [] : await surfaces.keysOf(this.#base))];
  }

  /** Nothing when HEAD is where it was. Rejects with `Cancelled`. */
  async complete(token: CancellationToken): Promise<void> {
    const { clock, commit: head, git: place, mayWrite, pack, root } = this.options;
    const commit = head();
    if (place === undefined || pack === undefined || commit === undefined || commit === this.#done || !mayWrite()) return;
    const until = clock.monotonic() + MAX_MS;
    this.#isFull = false;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (tries > 0) await this.#pause(PAUSE_MS * 2 ** (tries - 1), token);
      const done = await this.#givingWay(token, () =>
        readRepository(root, place, token, git => this.#resolve(git, place.folderInCheckout, commit, until, token)),
      );
      if (done || this.#isFull) break;
    }
    this.#done = commit;
  }

  /** False where it was cancelled because somebody waited. */
  async #givingWay(token: CancellationToken, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Cancelled) || token.isCancellationRequested) throw error;
      return false;
    }
  }

  async #pause(ms: number, token: CancellationToken): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = this.options.timers.after(ms, () => {
        listening.dispose();
        resolve();
      });
      const listening = onCancelled(token, () => {
        timer.dispose();
        resolve();
      });
    });
    throwIfCancelled(token);
  }

  /** The newest first. */
  async #resolve(git: GitRepository, folder: string, head: string, until: number, token: CancellationToken): Promise<Result<void, Failure>> {
    const { live } = this.options;
    const listed = await git.ask('firstParents', ['-n', `${MAX_COMMITS}`, head]);
    if (!listed.ok) return listed;
    const commits = listed.value.toString('utf8').split('\n').filter(Boolean);
    const nameOf = this.#nameFor(folder);
    this.#names = commits.map(nameOf);
    const base = (await this.options.hasSeveralServices()) ? await forkPoint(git) : undefined;
    if (base?.ok === true && !commits.includes(base.value)) commits.push(base.value);
    this.#base = base?.ok === true ? nameOf(base.value) : undefined;
    const missing: string[] = [];
    for (const commit of commits) if (!(await this.#isKept(nameOf(commit)))) missing.push(commit);
    if (missing.length > 0) await live.inLane(closing => this.#walk(git, folder, missing, until, eitherCancelled(token, closing)));
    await this.options.links.prepare(live.state, new Turn(this.options.clock, () => this.#standBack(token)), token);
    return ok(undefined);
  }

  async #isKept(name: string): Promise<boolean> {
    const { links, surfaces } = this.options;
    return (await links.has(name)) && (name !== this.#base || (await surfaces.keysOf(name)).length > 0);
  }

  async #walk(git: GitRepository, folder: string, commits: readonly string[], until: number, token: CancellationToken): Promise<void> {
    const { checkedOut, clock, links, live, logError, mayWrite, newServices, pack, surfaces } = this.options;
    const readBlobs: ReadBlobs = blobs => blobsOf(git, blobs);
    const yieldTurn = (): Promise<void> => this.#standBack(token);
    await yieldTurn();
    throwIfCancelled(token);
    const { state } = live;
    if (state.published === undefined || state.table.size === 0 || (await live.prime(token)).length > 0 || state.hasPrecise) return;
    const nameOf = this.#nameFor(folder);
    const bytes = links.bytesKept + MAX_BYTES;
    let key: string | undefined;
    const copy = state.fork(undefined, fork => links.keeping(fork, kept => (key = kept)));
    try {
      const onDisk = await checkedOut();
      for (const commit of commits) {
        if (clock.monotonic() > until || links.bytesKept > bytes || !mayWrite()) return;
        const files = await treeOf(git, commit, folder);
        if (!files.ok) return;
        const known = this.#known.with(sameContents(files.value, onDisk, state.table));
        const settings = this.options.settings();
        const reached = await resolveCommit(
          { ...this.options, yieldTurn, files: files.value, known, settings, readBlobs, onProgress: () => undefined },
          copy,
          token,
          nameOf(commit) === this.#base ? { ...newServices(), readBlobs, saved: surfaces.named(this.#base), logError: () => undefined } : undefined,
        );
        if (!reached.ok || !reached.value) return;
        if (key !== undefined) links.note(nameOf(commit), key);
        // What was found out stays also when the process ends.
        const saved = await pack?.flush();
        if (saved?.ok === false) {
          this.#isFull = true;
          logError('references of past commits', saved.error.message);
          return;
        }
      }
    } finally {
      await state.rollback(new Turn(clock, this.options.yieldTurn));
    }
  }

  /** Waits until no answer is being found, unless one waits for the lane: then the token says so. */
  async #standBack(token: CancellationToken): Promise<void> {
    await this.options.yieldTurn();
    while (this.options.isAnswering() && !token.isCancellationRequested)
      await new Promise<void>(resolve => {
        this.options.timers.after(LOOK_MS, resolve);
      });
  }

  /** Names of states by their commits: what is indexed of one depends on the settings. */
  #nameFor(folder: string): (commit: string) => string {
    const { caseInsensitive, settings } = this.options;
    const others = createHash('sha256')
      .update(JSON.stringify([folder, caseInsensitive, settings()]))
      .digest('hex')
      .slice(0, 16);
    return commit => `${commit}:${others}`;
  }
}
