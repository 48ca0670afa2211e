import type { YieldTurn } from '../../base/ports';

/** Lets answers that take some milliseconds of the main loop begin one by one, with a look at everything else in between. */
export class AnswerTurns {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly yieldTurn: YieldTurn) {}

  /** Resolves in the order of being called, at most one per turn of the event loop. */
  take(): Promise<void> {
    this.#last = this.#last.then(this.yieldTurn);
    return this.#last;
  }
}
