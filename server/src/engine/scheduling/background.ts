import { CancellationSource, type CancellationToken } from '../../base/cancellation';
import { type Deferred, deferred } from '../../base/deferred';
import type { Disposable } from '../../base/disposable';
import type { Clock, YieldTurn } from '../../base/ports';
import { Turn } from '../../base/yield';

/** Something that goes on behind a readable index: content for search, vectors, figures. */
export interface BackgroundWork {
  /** Gives way at each `turn.check`. Whatever it rejects with is told to `onError`. The token is cancelled when the scheduler is disposed. */
  run(turn: Turn, token: CancellationToken): Promise<void>;
}

export interface BackgroundOptions<Name extends string> {
  /** The most important first. */
  readonly works: Readonly<Record<Name, BackgroundWork>>;
  readonly clock: Clock;
  readonly yieldTurn: YieldTurn;
  /** Resolves when the questions that wait now have begun to be answered. */
  readonly questions: () => Promise<void>;
  readonly onError: (name: Name, error: unknown) => void;
}

interface Entry {
  readonly work: BackgroundWork;
  isRunning: boolean;
  /** What it waits for outside this thread. */
  waitsFor: number;
  /** Of those who asked and for whom no run has begun. */
  waiting: Deferred<void> | undefined;
}

/**
 * Runs background work by importance. A work begins when none that is more important runs here or waits to; one that runs already goes on beside it.
 * Each yields every few milliseconds, and to all queries that wait.
 */
export class Background<Name extends string> implements Disposable {
  readonly #source = new CancellationSource();
  readonly #entries: ReadonlyMap<Name, Entry>;

  constructor(private readonly options: BackgroundOptions<Name>) {
    const works = Object.entries(options.works) as [Name, BackgroundWork][];
    this.#entries = new Map(works.map(([name, work]) => [name, { work, isRunning: false, waitsFor: 0, waiting: undefined }]));
  }

  /** Has a work run that begins after this call. Resolves when that run has ended, however it did. */
  request(name: Name): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return Promise.resolve();
    entry.waiting ??= deferred<void>();
    const { promise } = entry.waiting;
    this.#begin();
    return promise;
  }

  /** For a loop of background work: yields when its time is up, to queries first. */
  turn(): Turn {
    const { clock, questions, yieldTurn } = this.options;
    return new Turn(clock, () => yieldTurn().then(questions));
  }

  /** For a work that waits for a thread or a service: until that has answered, less important works may begin. */
  async aside<T>(name: Name, answer: Promise<T>): Promise<T> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return answer;
    entry.waitsFor++;
    this.#begin();
    try {
      return await answer;
    } finally {
      entry.waitsFor--;
    }
  }

  dispose(): void {
    this.#source.cancel();
  }

  #begin(): void {
    for (const [name, entry] of this.#entries) {
      if (!entry.isRunning && entry.waiting !== undefined) void this.#run(name, entry, entry.waiting);
      if (entry.isRunning && entry.waitsFor === 0) return;
    }
  }

  async #run(name: Name, entry: Entry, asked: Deferred<void>): Promise<void> {
    entry.isRunning = true;
    entry.waiting = undefined;
    try {
      await entry.work.run(this.turn(), this.#source.token);
    } catch (error) {
      this.options.onError(name, error);
    } finally {
      entry.isRunning = false;
      asked.resolve();
      this.#begin();
    }
  }
}
