import type { YieldTurn } from '../../base/ports';

/**
 * Turns of the event loop between two answers. A connection hands over one message per turn, so a hover that arrives behind
 * a hundred searches is read after a few of them instead of after all; turns without work take microseconds.
 */
export const TURNS_BETWEEN = 64;

/** Lets answers that take some milliseconds of the main loop begin one by one, with a look at everything else in between. */
export class FairQueue {
  #last: Promise<void> = Promise.resolve();
  #answering = 0;

  constructor(private readonly yieldTurn: YieldTurn) {}

  /** Resolves in the order of being called, with `TURNS_BETWEEN` turns of the event loop before each. */
  enter(): Promise<void> {
    this.#last = this.#last.then(() => this.#wait());
    return this.#last;
  }

  /** Resolves when the answers that wait now have begun. */
  drained(): Promise<void> {
    return this.#last;
  }

  /** Whether somebody waits for an answer. */
  get isAnswering(): boolean {
    return this.#answering > 0;
  }

  /** Finds an answer; work that nobody waits for can stand back until it is there. */
  async answering<T>(find: () => Promise<T>): Promise<T> {
    this.#answering++;
    try {
      return await find();
    } finally {
      this.#answering--;
    }
  }

  async #wait(): Promise<void> {
    for (let turn = 0; turn < TURNS_BETWEEN; turn++) await this.yieldTurn();
  }
}
