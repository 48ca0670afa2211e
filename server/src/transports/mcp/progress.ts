import type { IndexProgress } from '../../workspace/snapshot';

/** Shortest time between two progress notifications, in milliseconds. */
const INTERVAL_MS = 200;
/** Steps of one phase; a whole index is `PHASES.length` times as many. */
const PHASE_STEPS = 100;
const PHASES: readonly IndexProgress['phase'][] = ['starting', 'scanning', 'parsing', 'resolving', 'saving'];

export interface ProgressReport {
  readonly progress: number;
  /** Left out where nobody knows how much there is. */
  readonly total?: number;
  readonly message: string;
}

/** Turns an index's progress into values that only ever grow, as MCP demands, and not too often. */
export class ProgressSteps {
  #last = -1;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly now: () => number) {}

  next(progress: IndexProgress): ProgressReport | undefined {
    if (progress.phase === 'ready') return this.#background(progress.background);
    const phase = PHASES.indexOf(progress.phase);
    if (phase < 0) return undefined;
    const share = progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
    const value = phase * PHASE_STEPS + Math.floor(share * (PHASE_STEPS - 1));
    const now = this.now();
    if (value <= this.#last || now - this.#lastAt < INTERVAL_MS) return undefined;
    this.#last = value;
    this.#lastAt = now;
    const counted = progress.total > 0 ? ` (${progress.done} of ${progress.total})` : '';
    return { progress: value, total: PHASES.length * PHASE_STEPS, message: `Indexing: ${progress.phase}${counted}` };
  }

  /** What goes on behind a readable index, in words: a past state that is read. */
  #background(doing: string | undefined): ProgressReport | undefined {
    const now = this.now();
    if (doing === undefined || now - this.#lastAt < INTERVAL_MS) return undefined;
    this.#last = Math.max(this.#last, 0) + 1;
    this.#lastAt = now;
    return { progress: this.#last, message: `${doing.slice(0, 1).toUpperCase()}${doing.slice(1)}` };
  }
}
