import { Cancelled } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { WorkspacePath } from '../../base/path';
import type { Clock, Log, Timers } from '../../base/ports';
import { type Change, ChangeBatcher, DEFAULT_BATCHING } from '../../code/files/batcher';
import { type GitPlace, isGitBusy } from '../../code/files/git';
import type { FileHost } from '../../code/files/host';
import { changesRules } from '../../code/files/scan';
import { createFileWatcher, type FileWatcher } from '../../code/files/watch';
import type { HeadWatch } from './headWatch';

/** Nobody looks, a watcher of our own does, or an editor tells. */
export type EngineWatchMode = 'none' | 'files' | 'editor';

export interface WatchingOptions {
  readonly root: string;
  readonly git: GitPlace | undefined;
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly headWatch: HeadWatch;
  readonly ignores: (path: WorkspacePath, isFolder: boolean) => boolean;
  readonly rebuild: (changes: readonly Change[]) => Promise<{ readonly txId?: string }>;
  /** Compares the whole folder again. */
  readonly rescan: () => Promise<unknown>;
  readonly lookAtHead: () => Promise<void>;
}

/** Git writes several files when it moves HEAD. */
const HEAD_SETTLES_MS = 150;

/** Hears of changes, from where the mode says, and hands them on in batches. Begins when the first run is over; what is told before waits. */
export class Watching implements Disposable {
  readonly batcher: ChangeBatcher;
  readonly #options: WatchingOptions;
  #mode: EngineWatchMode = 'none';
  #begun = false;
  #disposed = false;
  #watcher: FileWatcher | undefined;
  #problem: string | undefined;
  #early: Change[] = [];

  constructor(options: WatchingOptions) {
    this.#options = options;
    const { clock, git, host, ignores, rebuild, timers } = options;
    this.batcher = new ChangeBatcher({
      clock,
      timers,
      ...DEFAULT_BATCHING,
      detect: changes => changes.filter(change => changesRules(change.path) || !ignores(change.path, false)),
      isHeld: () => (git === undefined ? Promise.resolve(false) : isGitBusy(git, host)),
      rebuild,
    });
  }

  /** Why watching is degraded, if it is. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get mode(): EngineWatchMode {
    return this.#mode;
  }

  set mode(mode: EngineWatchMode) {
    this.#mode = mode;
    if (this.#begun) this.#follow();
  }

  /** The index is in step with the folder: from here on changes count. */
  begin(): void {
    this.#begun = true;
    this.#follow();
  }

  add(changes: readonly Change[]): void {
    if (this.batcher.state === 'not_started') this.#early.push(...changes);
    else this.batcher.add(changes);
  }

  dispose(): void {
    this.#disposed = true;
    this.#options.headWatch.dispose();
  }

  async stop(): Promise<void> {
    this.dispose();
    await this.#watcher?.stop();
    await this.batcher.stop();
  }

  #follow(): void {
    if (this.#disposed || this.#mode === 'none') return;
    this.#options.headWatch.watch(() => this.#headTouched());
    this.#headTouched();
    this.batcher.start([]);
    this.batcher.add(this.#early.splice(0));
    if (this.#mode === 'files') this.#startWatcher();
    else {
      void this.#watcher?.stop();
      this.#watcher = undefined;
    }
  }

  #headTouched(): void {
    const look = (): void => void this.#options.lookAtHead().catch(() => undefined);
    look();
    this.#options.timers.after(HEAD_SETTLES_MS, look);
  }

  #startWatcher(): void {
    if (this.#watcher !== undefined) return;
    const { caseInsensitive, ignores, log, rescan, root } = this.#options;
    const watcher = createFileWatcher({ caseInsensitive });
    this.#watcher = watcher;
    watcher.onEvents(changes => this.batcher.add(changes));
    watcher.onProblem(problem => {
      this.#problem = problem.message;
      log.write('warn', problem.message);
    });
    // What changed between the scan and the first event is found by a second look.
    watcher
      .start(root, ignores)
      .then(rescan)
      .catch((error: unknown) => {
        if (!(error instanceof Cancelled)) log.write('warn', `watching: ${String(error)}`);
      });
  }
}
