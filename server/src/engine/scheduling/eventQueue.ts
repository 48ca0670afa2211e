import { type CancellationToken, Cancelled } from '../../base/cancellation';
import { type EngineEvent, URGENT } from './events';
import { SerialQueue } from './serialQueue';

/** Answers with the transaction that was written, if one was. */
export type EventHandler = (event: EngineEvent, token: CancellationToken) => Promise<string | undefined>;

/** All that changes an index, one after the other, as long as this process may write. Every promise rejects with `Cancelled` afterwards and once the queue is closed. */
export class EventQueue {
  readonly #jobs = new SerialQueue();
  #handler: EventHandler = () => Promise.reject(new Cancelled());

  constructor(private readonly mayWrite: () => boolean) {}

  /** Who carries events out; set before the first is posted. */
  handleWith(handler: EventHandler): void {
    this.#handler = handler;
  }

  post(event: EngineEvent): Promise<{ readonly txId?: string }> {
    return this.#jobs.run(URGENT.has(event.kind), async token => {
      this.#mustWrite();
      const txId = await this.#handler(event, token);
      return txId === undefined ? {} : { txId };
    });
  }

  /** Work as in `run` that nobody waits for: its token is cancelled as soon as anything waits behind it. */
  runIdle<T>(work: (token: CancellationToken) => Promise<T>): Promise<T> {
    const jobs = this.#jobs;
    return this.run(closing =>
      work({
        get isCancellationRequested(): boolean {
          return jobs.isAwaited || closing.isCancellationRequested;
        },
        onCancellationRequested: closing.onCancellationRequested,
      }),
    );
  }

  /** Work that is no event of its own, after all that waits. */
  run<T>(work: (token: CancellationToken) => Promise<T>): Promise<T> {
    return this.#jobs.run(false, async token => {
      this.#mustWrite();
      return work(token);
    });
  }

  /** Resolves when nothing runs. */
  close(): Promise<void> {
    return this.#jobs.close();
  }

  #mustWrite(): void {
    if (!this.mayWrite()) throw new Cancelled();
  }
}
