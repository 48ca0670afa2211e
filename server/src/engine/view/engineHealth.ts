import type { ProjectStore } from '../../store/projectStore';
import type { EngineHealth, SearchHealth } from '../../workspace/snapshot';
import type { ChangeTracer } from '../changes/history/changeTracer';
import type { VersionLog } from '../changes/versions/versionLog';
import type { ContentIndexer } from '../content/contentIndexer';
import type { FileTable } from '../indexing/fileTable';
import type { Indexing } from '../indexing/indexing';
import type { IndexState } from '../indexing/indexState';
import type { PreciseFiles } from '../precise/preciseFiles';
import type { VectorIndexer } from '../vectors/vectorIndexer';
import type { Freshness } from '../watching/freshness';
import type { Watching } from '../watching/watching';

/** What the engine knows of its own state. */
export interface HealthSource {
  readonly options: { readonly root: string; readonly store: ProjectStore; readonly dataFolder: string; readonly engineVersion: string };
  readonly state: { readonly table: FileTable };
  readonly indexing: Pick<Indexing, 'scanProblems' | 'ignoredCount'>;
  readonly watching: Watching;
  readonly precise: Pick<PreciseFiles, 'summary'>;
  readonly versions: Pick<VersionLog, 'health'>;
  searchHealth(): SearchHealth;
  readonly progress: EngineHealth['progress'];
  readonly lastIndex: EngineHealth['lastIndex'];
  readonly storeBytes: EngineHealth['storeBytes'];
  readonly freshness: Pick<Freshness, 'pendingPaths'>;
}

/** State of the machinery of one checkout at this instant. */
export function healthOf(engine: HealthSource): EngineHealth {
  const { indexing, options, state, watching } = engine;
  const { batcher } = watching;
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
    pendingFiles: engine.freshness.pendingPaths.size,
    languages: state.table.languages(),
    problems: listed,
    problemCounts: counts,
    skipped: { ignored: indexing.ignoredCount, generated, minified },
    precise: engine.precise.summary.indexes,
    search: engine.searchHealth(),
    latestTxId: latest?.id ?? '',
    latestTxTimestamp: latest?.timestamp ?? 0,
    txCount: transactions.count(options.root),
    history: engine.versions.health,
    recentEvents: batcher.recentEvents,
    storeBytes: engine.storeBytes,
    recovered: options.store.recovered,
    lastIndex: engine.lastIndex,
    dataFolder: options.dataFolder,
    role: 'owner',
    ownerPid: process.pid,
    engineVersion: options.engineVersion,
  };
}

/** What search knows so far of the files. */
export function searchHealthOf({ changeTracer, content, state, vectors }: SearchParts): SearchHealth {
  const { pendingContent, table } = state;
  const history = content.history === 'current' && changeTracer.state === 'pending' ? 'pending' : content.history;
  return { words: { done: table.size - pendingContent.withoutContent, total: table.size }, history, vectors: vectors.health };
}

interface SearchParts {
  readonly changeTracer: Pick<ChangeTracer, 'state'>;
  readonly content: Pick<ContentIndexer, 'history'>;
  readonly state: Pick<IndexState, 'pendingContent' | 'table'>;
  readonly vectors: Pick<VectorIndexer, 'health'>;
}

/** What is being done for search, in words; `undefined` when nothing is. */
export function backgroundOf({ history, vectors, words }: SearchHealth): string | undefined {
  if (words.done < words.total) return `reading file contents: ${words.done} of ${words.total} files`;
  if (history === 'pending') return 'reading Git history';
  if (vectors.state === 'training') return 'training the model for semantic search';
  return vectors.state === 'embedding' ? `computing embeddings: ${vectors.done} of ${vectors.documents}` : undefined;
}
