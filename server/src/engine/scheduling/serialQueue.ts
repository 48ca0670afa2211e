import { CancellationSource, type CancellationToken, Cancelled } from '../../base/cancellation';

interface Job {
  readonly urgent: boolean;
  run(): Promise<void>;
}

/** Runs jobs one at a time: all writes of a checkout go through one queue, which is what makes them atomic for each other. */
export class SerialQueue {
  readonly #queue: Job[] = [];
  readonly #source = new CancellationSource();
  #running: Promise<void> | undefined;

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Whether a job waits for the running one. */
  get isAwaited(): boolean {
    return this.#queue.length > 0;
  }

  /** Urgent jobs go before others that have not begun. Rejects with `Cancelled` once the queue is closed, else as the job does. */
  run<T>(urgent: boolean, job: (token: CancellationToken) => Promise<T>): Promise<T> {
    if (this.#source.token.isCancellationRequested) return Promise.reject(new Cancelled());
    return new Promise<T>((resolve, reject) => {
      const entry: Job = { urgent, run: () => job(this.#source.token).then(resolve, reject) };
      const at = urgent ? this.#queue.findIndex(other => !other.urgent) : -1;
      if (at < 0) this.#queue.push(entry);
      else this.#queue.splice(at, 0, entry);
      this.#running ??= this.#drain();
    });
  }

  /** Asks the running job to stop, lets the queued ones find that they were, and resolves when none runs. */
  async close(): Promise<void> {
    this.#source.cancel();
    await this.#running;
  }

  async #drain(): Promise<void> {
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) await job.run();
    this.#running = undefined;
  }
}
