import type { Disposable } from '../../../base/disposable';
import type { Timers } from '../../../base/ports';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { Turn } from '../../../base/yield';
import type { GraphTx } from '../../../store/transactions';
import type { VersionLog } from './versionLog';

export interface VersionUpkeepOptions {
  readonly root: string;
  readonly log: VersionLog;
  /** In the lane of the engine: never while something is indexed. */
  readonly inLane: <T>(work: () => Promise<T>) => Promise<T>;
  readonly transactions: {
    list(filter: { readonly limit: number; readonly checkout?: string }): readonly GraphTx[];
    prune(checkout: string, ids: readonly string[]): Promise<Result<unknown>>;
  };
  readonly turn: () => Turn;
  readonly timers: Timers;
  /** Writes a transaction that changes nothing: where history starts over. Answers with its id. */
  readonly mark: () => Promise<Result<string>>;
  readonly logError: (what: string, error: unknown) => void;
}

const AFTER_START_MS = 60_000;

/** Keeps the log of versions within its limits: some time after the start, after each full rebuild, and after every 200 transactions. */
export class VersionUpkeep implements Disposable {
  readonly #options: VersionUpkeepOptions;
  #timer: Disposable | undefined;

  constructor(options: VersionUpkeepOptions) {
    this.#options = options;
  }

  afterStart(): void {
    this.#timer?.dispose();
    this.#timer = this.#options.timers.after(AFTER_START_MS, () => void this.compact());
  }

  afterRun(): void {
    if (this.#options.log.isCompactionDue) void this.compact();
  }

  /** Never rejects. */
  async compact(): Promise<void> {
    const { inLane, log, logError, root, transactions, turn } = this.#options;
    await inLane(async () => {
      const pruned = await log.compact(turn());
      if (pruned.length > 0) await transactions.prune(root, pruned);
    }).catch((error: unknown) => logError('compacting the history', error));
  }

  /** Forgets all states before now. */
  async clear(): Promise<Result<void, Failure>> {
    const { inLane, log, mark, root, transactions } = this.#options;
    return inLane(async () => {
      const older = transactions.list({ limit: 1000, checkout: root }).map(({ id }) => id);
      const marked = await mark();
      if (!marked.ok) return err(marked.error);
      await log.clear(marked.value);
      const pruned = await transactions.prune(root, older);
      return pruned.ok ? ok(undefined) : err(pruned.error);
    });
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
