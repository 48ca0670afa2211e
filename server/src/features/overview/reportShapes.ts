import { z } from 'zod';
import { sceneDtoShape } from '../scene/sceneShapes';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { activityShape } from './activity';

export const reportHotspotShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    file: z.string(),
    line: z.number(),
    /** See `hotspotShape`. */
    score: z.number(),
    callers: z.number(),
    dependents: z.number(),
    tests: z.number(),
    /** How many of these are only possible. */
    possibleTests: z.number(),
    /** Commits of the last year of history that changed it; absent where past commits are not known. */
    changes: optional(z.number()),
    complexity: z.number(),
    summary: z.string(),
  }),
);
export type ReportHotspot = Shaped<typeof reportHotspotShape>;

export const reportNodeShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    kind: z.string(),
    file: z.string(),
    line: z.number(),
    signature: z.string(),
    summary: z.string(),
    isTest: z.boolean(),
    score: z.number(),
  }),
);
export type ReportNode = Shaped<typeof reportNodeShape>;

/** The best-connected part of the graph, bounded so that the page stays small. */
export const reportGraphShape = shape(() =>
  object({
    nodes: z.array(reportNodeShape()),
    /** `source` and `target` are positions in `nodes`. */
    edges: z.array(
      object({
        source: z.number(),
        target: z.number(),
        relation: z.string(),
        confidence: z.number(),
      }),
    ),
    omittedNodes: z.number(),
  }),
);
export type ReportGraph = Shaped<typeof reportGraphShape>;

/** What the HTML report shows; written into the page as JSON. */
export const reportDataShape = shape(() =>
  object({
    name: z.string(),
    version: z.string(),
    /** ISO-8601. */
    madeAt: z.string(),
    head: z.string(),
    totals: object({
      files: z.number(),
      symbols: z.number(),
      edges: z.number(),
      lines: z.number(),
    }),
    languages: z.array(
      object({
        language: z.string(),
        files: z.number(),
        symbols: z.number(),
        lines: z.number(),
        errorShare: z.number(),
      }),
    ),
    kinds: z.array(
      object({
        kind: z.string(),
        count: z.number(),
      }),
    ),
    relations: z.array(
      object({
        relation: z.string(),
        facts: z.number(),
        maybes: z.number(),
      }),
    ),
    resolution: object({
      resolved: z.number(),
      unresolved: z.number(),
      external: z.number(),
      rate: z.number(),
    }),
    /** Files of each import cycle, longest first. */
    cycles: z.array(z.array(z.string())),
    hotspots: z.array(reportHotspotShape()),
    /** Empty where past commits are not known. */
    activity: z.array(activityShape()),
    problems: z.array(
      object({
        code: z.string(),
        count: z.number(),
      }),
    ),
    /** The folders and files of the code, as the editor's graph shows them first. */
    overview: sceneDtoShape(),
    /** Map of the services, absent where there is one at most. */
    services: optional(sceneDtoShape()),
    graph: reportGraphShape(),
  }),
);
