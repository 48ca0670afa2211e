import { Cancelled } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { Timers } from '../../base/ports';
import type { PackFile } from '../../store/packs';
import type { PreciseFiles } from '../precise/preciseFiles';
import type { LogError } from '../scheduling/errorLog';
import type { EventQueue } from '../scheduling/eventQueue';
import type { VectorIndexer } from '../vectors/vectorIndexer';
import type { Progress } from '../view/progress';
import type { Checkpoint } from './checkpoint';
import type { Indexing } from './indexing';
import type { IndexState } from './indexState';

export interface DurabilityOptions {
  readonly state: IndexState;
  readonly precise: Pick<PreciseFiles, 'summary'>;
  readonly indexing: Pick<Indexing, 'turn'>;
  readonly checkpoint: Checkpoint;
  readonly factsPack: PackFile | undefined;
  readonly vectors: Pick<VectorIndexer, 'save'>;
  readonly queue: EventQueue;
  readonly progress: Progress;
  readonly timers: Timers;
  readonly mayWrite: () => boolean;
  readonly logError: LogError;
}

/** The saved state is renewed this long after a change; until then a restart finds the difference by itself. */
const SAVE_AFTER_MS = 60_000;

/** Brings the index to disk: facts after each run, the graph after a whole run and some time after a change. */
export class Durability {
  readonly #options: DurabilityOptions;
  #timer: Disposable | undefined;
  #isOwed = false;
  #problem: string | undefined;

  constructor(options: DurabilityOptions) {
    this.#options = options;
  }

  /** Why the index is not on disk, if the last attempt to save it failed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Facts now; the graph with `whole` now, else later. Runs in the queue. */
  async saveRun(whole: boolean): Promise<void> {
    const { factsPack, logError, mayWrite, progress } = this.#options;
    // A superseded owner must not touch the files of its successor.
    if (!mayWrite()) throw new Cancelled();
    if (whole) progress.report({ phase: 'saving', done: 0, total: 0 });
    const flushed = await factsPack?.flush();
    this.#problem = flushed?.ok === false ? flushed.error.message : undefined;
    if (flushed?.ok === false) logError('saving parsed files', flushed.error.message);
    if (whole) await this.saveGraph();
    else this.#saveLater();
  }

  /** Graph, search index, table of files and vectors. Runs in the queue. */
  async saveGraph(): Promise<void> {
    const { checkpoint, indexing, logError, precise, state, vectors } = this.#options;
    const saved = await checkpoint.save(state, precise.summary, indexing.turn());
    if (saved.ok) {
      this.#isOwed = false;
      await vectors.save().catch((error: unknown) => logError('saving vectors', error));
    } else {
      this.#problem = saved.error.message;
      logError('saving the graph', saved.error.message);
    }
  }

  /** What is owed is saved, when nothing runs any more. */
  async close(): Promise<void> {
    this.#timer?.dispose();
    if (this.#isOwed && this.#options.mayWrite()) await this.saveGraph();
  }

  #saveLater(): void {
    const { logError, queue, timers } = this.#options;
    this.#isOwed = true;
    if (this.#timer !== undefined) return;
    this.#timer = timers.after(SAVE_AFTER_MS, () => {
      this.#timer = undefined;
      queue.post({ kind: 'save' }).catch((error: unknown) => logError('saving', error));
    });
  }
}
