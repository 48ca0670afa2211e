import { z } from 'zod';
import { ok } from '../../base/result';
import { type HealthAnswer, health } from '../../features/overview/health';
import type { EngineHealth, Stamp } from '../../workspace/snapshot';
import { defineTool } from '../tool';
import { block, count, failure, rowsIn, textIn } from './outcome';

export const graphHealth = defineTool({
  name: 'graph_health',
  title: 'Show index health',
  description:
    'Show whether the index is complete and up to date: counts by language and relation, share of resolved references, import cycles, hotspots, problem files, watcher. Use when answers look stale or empty, or to get an overview of a codebase.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'compact',
  input: z.object({}),
  fields: [
    { key: 'watcherState', priority: 'required', description: 'State of the watcher' },
    { key: 'pendingChanges', priority: 'required', description: 'Changed files that are not in this revision yet' },
    { key: 'txCount', priority: 'required', description: 'Number of transactions' },
    { key: 'latestTxId', priority: 'required', description: 'Last transaction' },
    { key: 'latestTxTimestamp', priority: 'required', description: 'Time, in epoch ms' },
    { key: 'degraded', priority: 'high', description: 'What does not fully work' },
    { key: 'nodeCount', priority: 'medium', description: 'Nodes' },
    { key: 'edgeCount', priority: 'medium', description: 'Edges' },
    { key: 'engine', priority: 'medium', description: 'Version, role, progress' },
    {
      key: 'resolution',
      priority: 'medium',
      description: 'Number of resolved, unresolved and external references; refused: targets whose kind does not fit the relation',
    },
    { key: 'languages', priority: 'medium', description: 'Files, symbols, resolution and syntax errors by language' },
    { key: 'hotspots', priority: 'medium', description: 'Symbols by score (changes in a year × complexity × users); without Git the most central' },
    { key: 'cycles', priority: 'medium', description: 'Files that import each other' },
    { key: 'problems', priority: 'medium', description: 'Skipped or incomplete files, by reason' },
    { key: 'problemFiles', priority: 'medium', description: 'Those files and why, at most 200' },
    { key: 'preciseIndexes', priority: 'medium', description: 'SCIP indexes and the files they cover' },
    { key: 'search', priority: 'medium', description: 'Files with searchable content, and vectors: state, source, cost' },
    { key: 'relations', priority: 'low', description: 'Edges by relation, certain and possible' },
    { key: 'historyHorizon', priority: 'low', description: 'Since when states between commits are kept, in epoch ms; 0 if none are' },
    { key: 'historyBytes', priority: 'low', description: 'Size of these states on disk' },
    { key: 'lastCompaction', priority: 'low', description: 'When they were last compacted, in epoch ms; 0 if never' },
    { key: 'storeBytes', priority: 'low', description: 'Size on disk' },
    { key: 'recentEvents', priority: 'low', description: 'Last ten events' },
  ],

  async handle(context, _input, token) {
    const found = await health(context.workspace, {}, token);
    if (!found.ok) return failure(found.error);
    const { engine, graph } = found.value;
    const stamp: Stamp = 'stamp' in found.value ? found.value.stamp : { revision: 0, head: '', pendingFiles: engine.pendingFiles };
    return ok({
      summary: summaryOf(found.value),
      data: {
        watcherState: engine.watcherState,
        pendingChanges: engine.pendingFiles,
        txCount: engine.txCount,
        latestTxId: engine.latestTxId,
        latestTxTimestamp: engine.latestTxTimestamp,
        degraded: degradedOf(engine),
        ...graphData(graph),
        engine: { version: engine.engineVersion, role: engine.role, phase: engine.progress.phase },
        problems: engine.problemCounts,
        problemFiles: engine.problems.map(({ path, code }) => ({ path, code })),
        ...(engine.precise === undefined || engine.precise.length === 0 ? {} : { preciseIndexes: engine.precise }),
        ...(engine.search === undefined ? {} : { search: engine.search }),
        ...(engine.history === undefined
          ? {}
          : { historyHorizon: engine.history.horizon, historyBytes: engine.history.bytes, lastCompaction: engine.history.compactedAt }),
        storeBytes: engine.storeBytes,
        recentEvents: engine.recentEvents,
      },
      stamp,
      ...(engine.progress.phase === 'ready' ? {} : { hint: 'The index is not complete. Try again in a few seconds.' }),
    });
  },

  render(data) {
    const hotspots = rowsIn(data, 'hotspots').map(row => {
      const users = count(Number(row['users']), 'user');
      return `${textIn(row, 'id')} (${Number(row['score']) === 0 ? users : `${String(row['score'])}: ${count(Number(row['changes']), 'change')} × complexity ${String(row['complexity'])} × ${users}`})`;
    });
    const languages = rowsIn(data, 'languages').map(
      row =>
        `${textIn(row, 'language')}: ${count(Number(row['files']), 'file')}, ${count(Number(row['symbols']), 'symbol')}${row['resolved'] === '–' ? '' : `, ${textIn(row, 'resolved')} of references resolved`}`,
    );
    const degraded = Array.isArray(data['degraded']) ? data['degraded'].map(String) : [];
    const problems = Object.entries((data['problems'] as Readonly<Record<string, number>> | undefined) ?? {}).map(([code, number]) => `${code}: ${number}`);
    const precise = rowsIn(data, 'preciseIndexes').map(
      row =>
        `${textIn(row, 'path')}: ${count(Number(row['covered']), 'file')} covered, ${textIn(row, 'stale')} changed since, ${textIn(row, 'unknown')} not found`,
    );
    return [
      ...block('Degraded', degraded),
      ...block('Languages', languages),
      ...block('Hotspots', hotspots),
      ...block('Precise indexes', precise),
      ...block('Search', searchLines(data['search'] as EngineHealth['search'])),
      ...block('Skipped or incomplete', problems),
      ...block(
        'Problem files',
        rowsIn(data, 'problemFiles').map(row => `${textIn(row, 'path')}: ${textIn(row, 'code').replaceAll('_', ' ')}`),
      ),
    ].join('\n');
  },
});

function graphData(graph: HealthAnswer['graph']): Record<string, unknown> {
  if (graph === undefined) return {};
  return {
    nodeCount: graph.nodes,
    edgeCount: graph.edges,
    resolution: { ...graph.references, ...(graph.refusedTargets === 0 ? {} : { refused: graph.refusedTargets }) },
    languages: graph.languages.map(row => ({
      language: row.language,
      files: row.files,
      symbols: row.symbols,
      resolved: percent(row.resolutionRate),
      ...(row.errorShare === undefined ? {} : { syntaxErrors: percent(row.errorShare) }),
    })),
    hotspots: graph.hotspots.map(({ centrality, changes, complexity, dependents, id, score }) => ({
      id,
      users: dependents,
      score,
      ...(changes === undefined ? {} : { changes }),
      complexity,
      centrality,
    })),
    cycles: graph.cycles,
    relations: Object.fromEntries(graph.relations.map(row => [row.relation.toLowerCase(), { facts: row.facts, maybes: row.maybes }])),
  };
}

function searchLines(search: EngineHealth['search']): string[] {
  if (search === undefined) return [];
  const { history, vectors, words } = search;
  const cost = vectors.cpuMs === 0 ? '' : `, trained in ${vectors.cpuMs} ms`;
  return [
    `contents of ${words.done} of ${count(words.total, 'file')}`,
    ...(history === undefined || history === 'current' ? [] : [`Git history ${history === 'pending' ? 'is being read' : 'not available'}`]),
    `vectors ${vectors.state}${vectors.embedder === '' ? '' : ` (${vectors.embedder})`}: ${vectors.done} of ${vectors.documents}${cost}`,
  ];
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${Math.round(share * 1000) / 10}%`;
}

function degradedOf(engine: EngineHealth): string[] {
  const degraded: string[] = [];
  if (engine.progress.phase === 'failed') degraded.push(`index failed: ${engine.progress.problem ?? 'unknown reason'}`);
  for (const index of engine.precise ?? []) if (index.problem !== undefined) degraded.push(`precise index ${index.path}: ${index.problem}`);
  if (engine.search?.history === 'unreadable') degraded.push('Git history could not be read, so search does not include past commits');
  const vectors = engine.search?.vectors;
  if (vectors?.problem !== undefined) degraded.push(`vectors ${vectors.state} (${vectors.embedder}): ${vectors.problem}`);
  degraded.push(...engine.recovered);
  return degraded;
}

function summaryOf({ graph, engine }: HealthAnswer): string {
  const { progress, watcherState, pendingFiles } = engine;
  const state = progress.phase === 'ready' ? 'ready' : `${progress.phase} ${progress.done}/${progress.total}`;
  if (graph === undefined) return `Index ${state}. Answers are not available yet.`;
  const rate = percent(graph.references.resolutionRate);
  return `Index ${state}: ${count(graph.files, 'file')}, ${count(graph.symbols, 'symbol')}, ${count(graph.edges, 'edge')}, ${rate} of references resolved, ${count(graph.cycleCount, 'import cycle')}. Watcher ${watcherState.replaceAll('_', ' ')}, ${pendingFiles} pending.`;
}
