import type { EngineHealth } from '../workspace/snapshot';
import type { CheckoutEngine } from './engine';

/** State of the machinery of one checkout at this instant. */
export function healthOf(engine: CheckoutEngine): EngineHealth {
  const { batcher, indexing, options, state } = engine;
  const { transactions } = options.store;
  const watchProblem = engine.watching.problem === undefined ? [] : [{ path: '', code: 'unreadable' as const, message: engine.watching.problem }];
  const { listed, counts } = state.table.problems([...watchProblem, ...indexing.scanProblems]);
  const latest = transactions.latest(options.root);
  let generated = 0;
  let minified = 0;
  for (const { isMinified, record } of state.table.values()) {
    if (record.isGenerated) generated++;
    if (isMinified) minified++;
  }
  return {
    progress: engine.progress,
    watcherState: batcher.state,
    pendingFiles: engine.pendingFiles(),
    languages: state.table.languages(),
    problems: listed,
    problemCounts: counts,
    skipped: { ignored: indexing.ignoredCount, generated, minified },
    latestTxId: latest?.id ?? '',
    latestTxTimestamp: latest?.timestamp ?? 0,
    txCount: transactions.count(options.root),
    recentEvents: batcher.recentEvents,
    storeBytes: engine.storeBytes,
    recovered: [...engine.recovered],
    lastIndex: engine.lastIndex,
    dataFolder: options.dataFolder,
    role: 'owner',
    ownerPid: process.pid,
    engineVersion: options.engineVersion,
  };
}
