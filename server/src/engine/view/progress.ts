import { Emitter } from '../../base/emitter';
import type { IndexProgress } from '../../workspace/snapshot';

/** How far the engine is, as last reported. A run beside a readable index is not reported as starting over. */
export class Progress {
  readonly #reported = new Emitter<IndexProgress>();
  #current: IndexProgress = { phase: 'starting', done: 0, total: 0 };

  readonly onReport = this.#reported.event;

  get current(): IndexProgress {
    return this.#current;
  }

  report(progress: IndexProgress): void {
    this.#current = progress;
    this.#reported.fire(progress);
  }

  /** What goes on behind a readable index, in words; `undefined` for nothing. */
  reportBackground(background: string | undefined): void {
    if (this.#current.phase !== 'ready' || this.#current.background === background) return;
    const { background: _, ...before } = this.#current;
    this.report({ ...before, ...(background === undefined ? {} : { background }) });
  }

  dispose(): void {
    this.#reported.dispose();
  }
}
