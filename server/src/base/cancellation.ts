import type { Disposable } from './disposable';
import { Emitter, type Event } from './emitter';

/** Tokens of `vscode` and `vscode-languageserver` are assignable to this. */
export interface CancellationToken {
  readonly isCancellationRequested: boolean;
  /** Fires at most once. Whether it fires for a listener that comes too late depends on whose token it is: `onCancelled` always calls it. */
  readonly onCancellationRequested: Event<unknown>;
}

const NOTHING: Disposable = Object.freeze({ dispose: () => undefined });

/** A token for work that nobody cancels. */
export const neverCancelled: CancellationToken = Object.freeze({ isCancellationRequested: false, onCancellationRequested: () => NOTHING });

/** The one throw that callers expect: the work was asked to stop. */
export class Cancelled extends Error {
  constructor() {
    super('The operation was cancelled.');
    this.name = 'Cancelled';
  }
}

/** Throws `Cancelled` when the token is cancelled. */
export function throwIfCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested) throw new Cancelled();
}

/** Calls `listener` when the token is cancelled: at once if it already is. Dispose of the result when it is no longer needed. */
export function onCancelled(token: CancellationToken, listener: () => void): Disposable {
  if (!token.isCancellationRequested) return token.onCancellationRequested(listener);
  listener();
  return NOTHING;
}

/** A token that is cancelled as soon as either is. */
export function eitherCancelled(one: CancellationToken, other: CancellationToken): CancellationToken {
  return {
    get isCancellationRequested(): boolean {
      return one.isCancellationRequested || other.isCancellationRequested;
    },
    onCancellationRequested: listener => {
      let isTold = false;
      const once = (event: unknown): void => {
        if (!isTold) listener(event);
        isTold = true;
      };
      const listening = [one.onCancellationRequested(once), other.onCancellationRequested(once)];
      return { dispose: () => listening.forEach(each => each.dispose()) };
    },
  };
}

/** Settles as `promise` does; rejects with `Cancelled` as soon as the token is cancelled. */
export async function orCancelled<T>(promise: Promise<T>, token: CancellationToken): Promise<T> {
  let listening: Disposable | undefined;
  const cancelled = new Promise<never>((_, reject) => {
    listening = onCancelled(token, () => reject(new Cancelled()));
  });
  try {
    return await Promise.race([promise, cancelled]);
  } finally {
    listening?.dispose();
  }
}

/** A token that its owner can cancel. */
export class CancellationSource {
  readonly #cancelled = new Emitter<undefined>();
  #requested = false;

  readonly token: CancellationToken;

  constructor() {
    const isRequested = (): boolean => this.#requested;
    this.token = {
      get isCancellationRequested(): boolean {
        return isRequested();
      },
      onCancellationRequested: this.#cancelled.event,
    };
  }

  cancel(): void {
    if (this.#requested) return;
    this.#requested = true;
    this.#cancelled.fire(undefined);
    this.#cancelled.dispose();
  }
}
