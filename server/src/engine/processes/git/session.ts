import { CancellationSource, type CancellationToken, orCancelled, throwIfCancelled } from '../../../base/cancellation';
import type { Disposable } from '../../../base/disposable';
import type { Timers } from '../../../base/ports';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { GitPlace } from '../../../code/files/git';
import { mirrorSignature } from './mirror';
import { type GitRepository, readRepository } from './repository';

/** What the user has set counts as it was when the session began. */
const MAX_IDLE_MS = 2000;

type Opening = Promise<Result<GitRepository, Failure>>;

interface Open {
  /** What it was opened for, and what it said then. */
  readonly key: string;
  readonly repository: Opening;
  /** Lets it close. */
  readonly end: () => void;
  /** Ends what git is reading. */
  readonly stop: () => void;
  /** Resolves when nothing of it is left. */
  readonly closed: Promise<unknown>;
  readers: number;
}

/**
 * A repository that stays open from one reading to the next, as texts are wanted one by one: opening it takes a folder of links and a process.
 * It is closed when nothing was read for a while, and opened anew when HEAD was moved or references were packed.
 */
export class GitSession {
  #open: Open | undefined;
  #expiry: Disposable | undefined;

  constructor(private readonly timers: Timers) {}

  /** Failures as of `readRepository`. Rejects with `Cancelled` at once; what git is reading then is read to its end. */
  async read<T>(
    folder: string,
    place: GitPlace,
    token: CancellationToken,
    use: (git: GitRepository) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    throwIfCancelled(token);
    const key = JSON.stringify([folder, place, await mirrorSignature(place)]);
    throwIfCancelled(token);
    const open = this.#opened(key, folder, place);
    open.readers++;
    this.#expiry?.dispose();
    const reading = open.repository.then(repository => {
      if (repository.ok) return use(repository.value);
      if (this.#open === open) this.#open = undefined;
      return repository;
    });
    const left = (): void => this.#leave(open);
    reading.then(left, left);
    return orCancelled(reading, token);
  }

  /** Readings under way reject with `Cancelled`. What is read after that opens it again. */
  async close(): Promise<void> {
    const open = this.#forget();
    open?.stop();
    open?.end();
    await open?.closed;
  }

  #opened(key: string, folder: string, place: GitPlace): Open {
    if (this.#open?.key === key) return this.#open;
    const other = this.#forget();
    if (other?.readers === 0) other.end();
    this.#open = begin(key, folder, place);
    return this.#open;
  }

  #forget(): Open | undefined {
    this.#expiry?.dispose();
    const open = this.#open;
    this.#open = undefined;
    return open;
  }

  #leave(open: Open): void {
    open.readers--;
    if (open.readers > 0) return;
    if (this.#open === open) this.#expiry = this.timers.after(MAX_IDLE_MS, () => void this.close());
    else open.end();
  }
}

function begin(key: string, folder: string, place: GitPlace): Open {
  const cancellation = new CancellationSource();
  let end = (): void => undefined;
  const ended = new Promise<Result<undefined, Failure>>(resolve => {
    end = () => resolve(ok(undefined));
  });
  let closed: Promise<unknown> = Promise.resolve();
  const repository: Opening = new Promise(resolve => {
    closed = readRepository(folder, place, cancellation.token, async git => {
      resolve(ok(git));
      return ended;
    }).then(
      outcome => resolve(outcome.ok ? err({ code: 'UNAVAILABLE', message: 'The repository was closed.' }) : outcome),
      error => resolve(err({ code: 'UNAVAILABLE', message: `git cannot be used: ${error instanceof Error ? error.message : String(error)}` })),
    );
  });
  return { key, repository, end, stop: () => cancellation.cancel(), closed, readers: 0 };
}
