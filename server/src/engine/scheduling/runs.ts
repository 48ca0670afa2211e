import type { Clock } from '../../base/ports';
import { type Failure, ok, type Result } from '../../base/result';
import type { ProjectStore } from '../../store/projectStore';
import type { GraphTxEnd, GraphTxStart, GraphTxType } from '../../store/transactions';
import type { RebuildRequest } from '../../workspace/snapshot';
import type { RunResult } from '../indexing/indexing';
import type { DirtyCheckout } from '../watching/dirtyCheckout';
import type { HeadWatch } from '../watching/headWatch';

export interface RunsOptions {
  readonly checkout: string;
  readonly store: ProjectStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly headWatch: HeadWatch;
  readonly dirty: DirtyCheckout;
  readonly mayWrite: () => boolean;
  /** Makes what a run changed visible to readers. */
  readonly publish: (result: RunResult) => Promise<void>;
  /** Makes facts durable; with `whole` also the saved graph. */
  readonly save: (whole: boolean) => Promise<void>;
}

export type Run = () => Promise<Result<RunResult, Failure>>;

/** Runs of the indexing and their transactions. */
export class Runs {
  constructor(private readonly options: RunsOptions) {}

  /** A run that leaves a transaction only when it changed something, or `always`. Answers with its id. */
  async recorded(type: GraphTxType, always: boolean, run: Run): Promise<Result<{ readonly result: RunResult; readonly txId: string | undefined }, Failure>> {
    const { clock, publish, save, store } = this.options;
    const began = clock.monotonic();
    const outcome = await run();
    if (!outcome.ok) return outcome;
    const result = outcome.value;
    const isEffective = result.affected.length > 0;
    if (isEffective) await publish(result);
    if (!isEffective && !always) return ok({ result, txId: undefined });
    await save(false);
    const recorded = await store.transactions.record({ ...(await this.describe(type, undefined)), ...this.#end(result, began) });
    return ok({ result, txId: recorded.ok ? recorded.value.id : undefined });
  }

  /** Writes a transaction before its run. */
  async begin(type: GraphTxType, by: Pick<RebuildRequest, 'agentId' | 'sessionId'> | undefined): Promise<Result<string>> {
    const begun = await this.options.store.transactions.begin(await this.describe(type, by));
    return begun.ok ? ok(begun.value.id) : begun;
  }

  /** The run of a transaction that was begun: committed when everything is durable, else aborted. */
  async committed(txId: string, run: Run, isFirst: () => boolean): Promise<Result<RunResult, Failure>> {
    const { clock, mayWrite, publish, save, store } = this.options;
    const began = clock.monotonic();
    try {
      const outcome = await run();
      if (!outcome.ok) {
        await store.transactions.abort(txId);
        return outcome;
      }
      if (outcome.value.affected.length > 0 || isFirst()) await publish(outcome.value);
      await save(true);
      await store.transactions.commit(txId, this.#end(outcome.value, began));
      return outcome;
    } catch (error) {
      if (mayWrite()) await store.transactions.abort(txId);
      throw error;
    }
  }

  async describe(type: GraphTxType, by: Pick<RebuildRequest, 'agentId' | 'sessionId'> | undefined): Promise<GraphTxStart> {
    const { checkout, dirty, headWatch, newId } = this.options;
    const { branch, commit } = headWatch.head;
    return {
      id: newId(),
      checkout,
      type,
      agentId: by?.agentId ?? null,
      sessionId: by?.sessionId ?? null,
      gitCommit: commit ?? null,
      gitBranch: branch ?? null,
      gitDirty: await dirty.ask(),
    };
  }

  #end(result: RunResult, began: number): GraphTxEnd {
    const durationMs = Math.round(this.options.clock.monotonic() - began);
    return { filesAffected: result.affected, nodeCount: result.nodeDelta, edgeCount: result.edgeDelta, filesParsed: result.filesParsed, durationMs };
  }
}
