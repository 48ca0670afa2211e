import { type CancellationToken, throwIfCancelled } from './cancellation';
import type { Clock, YieldTurn } from './ports';

/** Longest stretch, in milliseconds, that a loop on the main thread may run before it yields. */
export const MAX_TURN_MS = 10;

/** Lets a long loop yield: call `check()` in each step, and await its result if it is a promise. */
export class Turn {
  #started: number;

  constructor(
    private readonly clock: Clock,
    private readonly yieldTurn: YieldTurn,
  ) {
    this.#started = clock.monotonic();
  }

  /** Throws `Cancelled`. Returns a promise only when the budget is used up, so that quick steps stay synchronous. */
  check(token: CancellationToken): Promise<void> | undefined {
    throwIfCancelled(token);
    if (this.clock.monotonic() - this.#started < MAX_TURN_MS) return undefined;
    return this.yieldTurn().then(() => {
      this.#started = this.clock.monotonic();
      throwIfCancelled(token);
    });
  }
}
