import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { UnresolvedCounts } from '../../code/graph/graphView';
import type { PastChanges } from '../../workspace/pastChanges';
import type { EngineHealth, Snapshot, Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import type { Stamped } from '../shared/fresh';
import { importCycles } from '../shared/links';
import { noParams } from '../shared/params';
import { object, optional, type Shaped, shape, stampShape, symbolKindShape, unresolvedCountsShape, unset } from '../shared/shape';
import { engineHealthShape, languageTallyShape, relationTallyShape } from './engineShapes';
import { hotspotShape, hotspotsOf } from './hotspots';

export const languageHealthRowShape = shape(() =>
  object({
    ...languageTallyShape().shape,
    /** Resolved of resolved and unresolved, 0 to 1; undefined without references. */
    resolutionRate: unset(z.number()),
    /** ERROR nodes of all syntax nodes, 0 to 1; undefined when unknown. */
    errorShare: unset(z.number()),
  }),
);

export const graphFiguresShape = shape(() =>
  object({
    files: z.number(),
    symbols: z.number(),
    externals: z.number(),
    nodes: z.number(),
    edges: z.number(),
    symbolsByKind: z.partialRecord(symbolKindShape(), z.number()),
    languages: z.array(languageHealthRowShape()),
    relations: z.array(relationTallyShape()),
    references: object({ ...unresolvedCountsShape().shape, resolutionRate: unset(z.number()) }),
    /** Targets of references that are no edges, because their relation may not end at them. */
    refusedTargets: z.number(),
    /** Groups of files that import each other, largest first, at most ten with at most ten files each. */
    cycles: z.array(
      object({
        size: z.number(),
        files: z.array(z.string()),
      }),
    ),
    cycleCount: z.number(),
    /** At most ten. */
    hotspots: z.array(hotspotShape()),
  }),
);
export type GraphFigures = Shaped<typeof graphFiguresShape>;

export const healthAnswerShape = shape(() =>
  object({
    workspace: z.string(),
    /** Absent until the first index is done. */
    graph: optional(graphFiguresShape()),
    engine: engineHealthShape(),
  }),
);
export type HealthAnswer = Shaped<typeof healthAnswerShape>;
/** Stamped once there is a graph. */
const healthFeatureShape = shape(() => object({ ...healthAnswerShape().shape, stamp: optional(stampShape()) }));

/** State of the index and of the engine. Answers while indexing too. */
export async function health(
  workspace: Workspace,
  _params: object,
  _token: CancellationToken,
): Promise<Result<HealthAnswer | Stamped<HealthAnswer>, FeatureFailure>> {
  const snapshot = workspace.current();
  const base = { workspace: workspace.name, engine: workspace.health() };
  return ok(snapshot === undefined ? base : { ...base, graph: figuresOf(snapshot, base.engine, workspace.pastChanges?.()), stamp: snapshot.stamp });
}

function figuresOf({ graph }: Snapshot, engine: EngineHealth, changes: PastChanges | undefined): GraphFigures {
  const tally = graph.tally();
  const sum = (key: keyof UnresolvedCounts): number => tally.languages.reduce((total, row) => total + row.sites[key], 0);
  const references = { resolved: sum('resolved'), unresolved: sum('unresolved'), external: sum('external') };
  const groups = importCycles(graph);
  return {
    files: graph.fileCount,
    symbols: tally.languages.reduce((total, row) => total + row.symbols, 0),
    externals: tally.externals,
    nodes: graph.nodeCount,
    edges: graph.edgeCount,
    symbolsByKind: tally.symbolsByKind,
    languages: tally.languages.map(row => ({ ...row, resolutionRate: rateOf(row.sites), errorShare: errorShareOf(row.language, engine) })),
    relations: tally.relations,
    references: { ...references, resolutionRate: rateOf(references) },
    refusedTargets: tally.refused,
    cycles: groups.slice(0, MAX_ROWS).map(files => ({ size: files.length, files: files.slice(0, MAX_ROWS) })),
    cycleCount: groups.length,
    hotspots: hotspotsOf(graph, MAX_ROWS, changes),
  };
}

const MAX_ROWS = 10;

function rateOf({ resolved, unresolved }: UnresolvedCounts): number | undefined {
  return resolved + unresolved === 0 ? undefined : Math.round((resolved / (resolved + unresolved)) * 1e4) / 1e4;
}

function errorShareOf(language: string, engine: EngineHealth): number | undefined {
  const row = engine.languages.find(candidate => candidate.language === language);
  return row === undefined || row.nodes === 0 ? undefined : row.errorNodes / row.nodes;
}

export const healthFeature = feature({
  name: 'health',
  about: 'State of the index and the engine: counts, freshness and problems.',
  params: noParams,
  answer: healthFeatureShape,
  run: health,
});
