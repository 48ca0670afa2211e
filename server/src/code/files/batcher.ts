import { CancellationSource, type CancellationToken } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import { Emitter, type Event } from '../../base/emitter';
import type { Clock } from '../../base/ports';

export type WatcherState = 'not_started' | 'idle' | 'detecting' | 'debouncing' | 'rebuilding';

/** What happened to a path; the path is whatever the source of events uses. */
export type ChangeKind = 'changed' | 'removed';

/** One event of the file system; the path is relative to the root, with `/`. */
export interface Change {
  readonly path: string;
  readonly kind: ChangeKind;
}

/** Timers as a port, so that tests turn the clock by hand. */
export interface Timers {
  after(milliseconds: number, action: () => void): Disposable;
}

export interface BatcherOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Quiet time that ends a batch. */
  readonly debounceMs: number;
  /** Longest wait from the first change of a batch, however steady the changes are. */
  readonly maxWaitMs: number;
  readonly retryDelayMs: number;
  readonly retries: number;
  /** Longest time that `isHeld` may keep a batch back. */
  readonly holdMs: number;
  /** Drops what is not to be indexed; keeps order. */
  detect(changes: readonly Change[]): Promise<readonly Change[]> | readonly Change[];
  /** True while the folder is in the middle of something (a git operation). */
  isHeld(): Promise<boolean>;
  /** Takes one batch into the graph, all or nothing. A rejection returns the batch. The answer names the transaction, if one was made. */
  rebuild(changes: readonly Change[], token: CancellationToken): Promise<{ readonly txId?: string }>;
}

/** Times in milliseconds: quiet before a batch, longest wait for quiet, pause before a retry, longest time to hold a batch while Git is busy. */
export const DEFAULT_BATCHING = { debounceMs: 500, maxWaitMs: 3000, retryDelayMs: 5000, retries: 3, holdMs: 30_000 } as const;

export interface BatchEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: 'started' | 'changed' | 'rebuilt' | 'failed' | 'gave_up' | 'held' | 'stopped';
  readonly files: number;
  readonly txId?: string;
}

const RECENT_EVENTS = 10;

/**
 * Turns single changes into few rebuilds: `not_started → idle → detecting → debouncing → rebuilding`.
 * The pending set is swapped for an empty one before a run, so that a change during the run is in the next one; it is never cleared after it.
 * A later change of a path replaces an earlier one. One rebuild runs at a time.
 */
export class ChangeBatcher {
  #state: WatcherState = 'not_started';
  #pending = new Map<string, ChangeKind>();
  #running: ReadonlyMap<string, ChangeKind> = new Map();
  #firstAt = 0;
  #newestAt = 0;
  #attempts = 0;
  #holdStartedAt: number | undefined;
  #holdSpent = false;
  #timer: Disposable | undefined;
  #source = new CancellationSource();
  #run: Promise<void> = Promise.resolve();
  /** A rebuild is under way; the state `rebuilding` also covers the quiet time between two runs. */
  #active = false;
  #detection: Promise<void> = Promise.resolve();
  #lastError: string | undefined;
  /** Raised by `stop`, so that work begun before it cannot touch what comes after. */
  #epoch = 0;
  readonly #recent: BatchEvent[] = [];
  readonly #changedState = new Emitter<WatcherState>();

  readonly onStateChanged: Event<WatcherState> = this.#changedState.event;

  constructor(private readonly options: BatcherOptions) {}

  get state(): WatcherState {
    return this.#state;
  }

  /** Paths queued and not yet committed: those pending and those in the running batch. */
  get pendingChanges(): number {
    let count = this.#pending.size;
    for (const path of this.#running.keys()) if (!this.#pending.has(path)) count++;
    return count;
  }

  get pendingPaths(): readonly string[] {
    return [...new Set([...this.#running.keys(), ...this.#pending.keys()])];
  }

  /** Why the last batch was given up, until a rebuild succeeds. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Newest last, at most ten. */
  get recentEvents(): readonly BatchEvent[] {
    return [...this.#recent];
  }

  /** `differences` between disk and store become the first rebuild. Does nothing when already started. */
  start(differences: readonly Change[]): void {
    if (this.#state !== 'not_started') return;
    this.#source = new CancellationSource();
    this.#record('started', differences.length);
    for (const change of differences) this.#pending.set(change.path, change.kind);
    if (this.#pending.size > 0) this.#launch();
    else this.#enter('idle');
  }

  /** Changes seen before `start` or after `stop` are dropped. */
  add(changes: readonly Change[]): void {
    if (this.#state === 'not_started' || changes.length === 0) return;
    if (this.#state === 'idle') this.#enter('detecting');
    const epoch = this.#epoch;
    const at = this.options.clock.monotonic();
    const detected = this.options.detect(changes);
    if (detected instanceof Promise) {
      this.#detection = Promise.all([detected.catch(() => changes), this.#detection]).then(([found]) => this.#take(found, at, epoch));
    } else this.#take(detected, at, epoch);
  }

  /** Runs what is pending without waiting for quiet, and resolves when nothing is pending or a rebuild failed. */
  async flush(): Promise<void> {
    await this.#detection;
    for (let guard = 0; guard < 100 && this.#state !== 'not_started'; guard++) {
      if (this.#active) await this.#run;
      else if (this.#pending.size === 0) return;
      else this.#launch();
      if (this.#attempts > 0) return;
    }
  }

  /** Asks the running rebuild to stop, waits for it, and forgets what was pending. */
  async stop(): Promise<void> {
    if (this.#state === 'not_started') return;
    this.#epoch++;
    this.#source.cancel();
    this.#setTimer(undefined);
    await this.#run;
    this.#record('stopped', this.#pending.size);
    this.#pending = new Map();
    this.#running = new Map();
    this.#attempts = 0;
    this.#enter('not_started');
  }

  #take(changes: readonly Change[], at: number, epoch: number): void {
    if (epoch !== this.#epoch) return;
    if (changes.length === 0) {
      if (this.#state === 'detecting') this.#enter('idle');
      return;
    }
    const wasEmpty = this.#pending.size === 0 || this.#state === 'detecting';
    for (const change of changes) {
      this.#pending.delete(change.path);
      this.#pending.set(change.path, change.kind);
    }
    if (wasEmpty) this.#firstAt = at;
    this.#newestAt = Math.max(this.#newestAt, at);
    this.#record('changed', changes.length);
    if (this.#active) return;
    if (this.#state !== 'rebuilding') this.#enter('debouncing');
    this.#waitForQuiet();
  }

  #waitForQuiet(): void {
    const { clock, debounceMs, maxWaitMs } = this.options;
    const due = Math.min(this.#newestAt + debounceMs, this.#firstAt + maxWaitMs);
    this.#setTimer(Math.max(0, due - clock.monotonic()));
  }

  #setTimer(milliseconds: number | undefined): void {
    this.#timer?.dispose();
    this.#timer = milliseconds === undefined ? undefined : this.options.timers.after(milliseconds, () => this.#fire());
  }

  #fire(): void {
    this.#timer = undefined;
    if (!this.#isWaiting()) return;
    const epoch = this.#epoch;
    void this.options.isHeld().then(
      held => this.#launchUnlessHeld(held, epoch),
      () => this.#launchUnlessHeld(false, epoch),
    );
  }

  /** A hold that ran out is not taken up again before the folder was free once, so that a long merge costs one wait only. */
  #launchUnlessHeld(held: boolean, epoch: number): void {
    if (epoch !== this.#epoch || !this.#isWaiting() || this.#timer !== undefined) return;
    const now = this.options.clock.monotonic();
    if (!held) {
      this.#holdStartedAt = undefined;
      this.#holdSpent = false;
    } else if (!this.#holdSpent) {
      if (this.#holdStartedAt === undefined) this.#record('held', this.#pending.size);
      this.#holdStartedAt ??= now;
      if (now - this.#holdStartedAt < this.options.holdMs) return this.#setTimer(this.options.debounceMs);
      this.#holdSpent = true;
      this.#holdStartedAt = undefined;
    }
    this.#launch();
  }

  #launch(): void {
    this.#setTimer(undefined);
    const batch = this.#pending;
    this.#pending = new Map();
    this.#running = batch;
    this.#active = true;
    this.#enter('rebuilding');
    const changes = [...batch].map(([path, kind]): Change => ({ path, kind }));
    this.#run = this.#runOnce(changes, batch, this.#epoch);
  }

  async #runOnce(changes: readonly Change[], batch: ReadonlyMap<string, ChangeKind>, epoch: number): Promise<void> {
    try {
      const { txId } = await this.options.rebuild(changes, this.#source.token);
      this.#settle();
      if (epoch !== this.#epoch) return;
      this.#attempts = 0;
      this.#lastError = undefined;
      this.#record('rebuilt', changes.length, txId);
      this.#afterSuccess();
    } catch (error) {
      this.#settle();
      if (epoch !== this.#epoch) return;
      this.#pending = new Map([...batch, ...this.#pending]);
      this.#afterFailure(changes.length, error instanceof Error ? error.message : String(error));
    }
  }

  #afterSuccess(): void {
    if (this.#pending.size === 0) return this.#enter('idle');
    const quietFor = this.options.clock.monotonic() - this.#newestAt;
    if (quietFor >= this.options.debounceMs) return this.#launch();
    this.#waitForQuiet();
  }

  #afterFailure(files: number, message: string): void {
    this.#attempts++;
    if (this.#attempts > this.options.retries) {
      this.#attempts = 0;
      this.#lastError = message;
      this.#record('gave_up', files);
      return this.#enter('idle');
    }
    this.#record('failed', files);
    this.#firstAt = this.options.clock.monotonic();
    this.#enter('debouncing');
    this.#setTimer(this.options.retryDelayMs);
  }

  #settle(): void {
    this.#running = new Map();
    this.#active = false;
  }

  /** Something is pending and only time keeps it from running. */
  #isWaiting(): boolean {
    return !this.#active && (this.#state === 'debouncing' || this.#state === 'rebuilding');
  }

  #record(kind: BatchEvent['kind'], files: number, txId?: string): void {
    this.#recent.push({ at: this.options.clock.now(), kind, files, ...(txId === undefined ? {} : { txId }) });
    if (this.#recent.length > RECENT_EVENTS) this.#recent.shift();
  }

  #enter(state: WatcherState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#changedState.fire(state);
  }
}
