import type { Clock } from '../../base/ports';
import { type Failure, ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import type { ProjectStore } from '../../store/projectStore';
import type { GraphTxEnd, GraphTxStart, GraphTxType } from '../../store/transactions';
import type { RebuildRequest } from '../../workspace/snapshot';
import type { VersionLog } from '../changes/versions/versionLog';
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
  /** The newest revision. */
  readonly view: () => GraphView;
  readonly versions: Pick<VersionLog, 'note'>;
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
    const { clock, publish, save, store, view } = this.options;
    const began = clock.monotonic();
    const before = view();
    const outcome = await run();
    if (!outcome.ok) return outcome;
    const result = outcome.value;
    const isEffective = result.affected.length > 0;
    if (isEffective) await publish(result);
    if (!isEffective && !always) return ok({ result, txId: undefined });
    await save(false);
    const start = await this.describe(type, undefined);
    const end = await this.#end(start.id, before, result, began);
    const recorded = await store.transactions.record({ ...start, ...end });
    return ok({ result, txId: recorded.ok ? recorded.value.id : undefined });
  }

  /** Writes a transaction before its run. */
  async begin(type: GraphTxType, by: Pick<RebuildRequest, 'agentId' | 'sessionId'> | undefined): Promise<Result<string>> {
    const begun = await this.options.store.transactions.begin(await this.describe(type, by));
    return begun.ok ? ok(begun.value.id) : begun;
  }

  /** The run of a transaction that was begun: committed when everything is durable, else aborted. */
  async committed(txId: string, run: Run, isFirst: () => boolean): Promise<Result<RunResult, Failure>> {
    const { clock, mayWrite, publish, save, store, view } = this.options;
    const began = clock.monotonic();
    const before = view();
    try {
      const outcome = await run();
      if (!outcome.ok) {
        await store.transactions.abort(txId);
        return outcome;
      }
      if (outcome.value.affected.length > 0 || isFirst()) await publish(outcome.value);
      await save(true);
      await store.transactions.commit(txId, { ...(await this.#end(txId, before, outcome.value, began)), git: await this.#git() });
      return outcome;
    } catch (error) {
      if (mayWrite()) await store.transactions.abort(txId);
      throw error;
    }
  }

  /** A transaction that changes nothing: a point in time. Answers with its id. */
  async mark(): Promise<Result<string>> {
    const nothing = { filesAffected: [], nodeCount: 0, edgeCount: 0, filesParsed: 0, durationMs: 0 };
    const recorded = await this.options.store.transactions.record({ ...(await this.describe('file_change', undefined)), ...nothing });
    return recorded.ok ? ok(recorded.value.id) : recorded;
  }

  async describe(type: GraphTxType, by: Pick<RebuildRequest, 'agentId' | 'sessionId'> | undefined): Promise<GraphTxStart> {
    const { checkout, newId } = this.options;
    return {
      id: newId(),
      checkout,
      type,
      agentId: by?.agentId ?? null,
      sessionId: by?.sessionId ?? null,
      ...(await this.#git()),
    };
  }

  /** Of the files as they are indexed: HEAD may have moved since it was last looked at. */
  async #git(): Promise<Pick<GraphTxStart, 'gitCommit' | 'gitBranch' | 'gitDirty'>> {
    const { dirty, headWatch } = this.options;
    const { branch, commit } = await headWatch.now();
    return { gitCommit: commit ?? null, gitBranch: branch ?? null, gitDirty: await dirty.ask() };
  }

  /** Notes the versions that the run started and ended; the log has them before the journal has the transaction. */
  async #end(txId: string, before: GraphView, result: RunResult, began: number): Promise<GraphTxEnd> {
    const { changed, edgeDelta, isFirst, nodeDelta, previous } = result;
    const counts = await this.options.versions.note(txId, { before, after: this.options.view(), previous, changed, isFirst });
    return {
      filesAffected: result.affected,
      nodeCount: counts?.nodes ?? nodeDelta,
      edgeCount: counts?.edges ?? edgeDelta,
      filesParsed: result.filesParsed,
      durationMs: Math.round(this.options.clock.monotonic() - began),
    };
  }
}
