import { z } from 'zod';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { PastChanges } from '../../workspace/pastChanges';
import type { Coverage } from '../shared/coverage';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { type KnownReach, type ReachSize, reachOf } from './reachSize';

/** What the risk of a change is made of. */
export const riskPartsShape = shape(() =>
  object({
    /** By the files and tests that can be seen: low, medium or high by this alone. */
    reach: z.enum(['small', 'medium', 'large']),
    /** Cases that reach what changed, possible ones included. */
    tests: z.number(),
    /** Commits of the year before the newest one that changed it. Absent where past commits are not known (yet). */
    changes: optional(z.number()),
    /** Share of its lines that no test ran, 0 to 1. Absent without a coverage report that knows it. */
    uncovered: optional(z.number()),
    /**
     * What raised the risk by one level: something outside of the workspace calls it, no test reaches it although something depends on it, it changes often (12
     * commits or more), or no test ran half of its lines or more.
     */
    raisedBy: z.array(z.enum(['outside', 'tests', 'changes', 'coverage'])),
  }),
);
export type RiskParts = Shaped<typeof riskPartsShape>;

const LEVELS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof LEVELS)[number];

const YEAR_S = 365 * 86_400;
/** From this number of changes a year on code changes often: about once a month. */
const MIN_OFTEN = 12;
/** From this share of lines that no test ran on, most are not covered. */
const MIN_UNCOVERED = 0.5;

/** What is known of a change before its risk is assessed. */
export interface RiskFacts {
  /** The files that depend on it and the tests that certainly reach it. */
  readonly certain: number;
  readonly reach: ReachSize;
  readonly tests: number;
  readonly changes: number | undefined;
  readonly coverage: Pick<Coverage, 'lines' | 'uncovered'> | undefined;
}

/** The risk of a change: the level of the reach that can be seen, one higher where anything gives a reason. */
export function riskOf({ certain, changes, coverage, reach, tests }: RiskFacts): { readonly risk: Risk; readonly riskParts: RiskParts } {
  const uncovered = coverage === undefined || coverage.lines === 0 ? undefined : Math.round((coverage.uncovered / coverage.lines) * 100) / 100;
  const raisedBy: RiskParts['raisedBy'] = [
    ...(reach === 'unknown' ? (['outside'] as const) : []),
    ...(tests === 0 && certain > 0 ? (['tests'] as const) : []),
    ...((changes ?? 0) >= MIN_OFTEN ? (['changes'] as const) : []),
    ...((uncovered ?? 0) >= MIN_UNCOVERED ? (['coverage'] as const) : []),
  ];
  const seen = reachOf(certain);
  return {
    risk: LEVELS[Math.min(LEVELS.length - 1, LEVEL_OF[seen] + (raisedBy.length > 0 ? 1 : 0))] ?? 'high',
    riskParts: { reach: seen, tests, ...(changes === undefined ? {} : { changes }), ...(uncovered === undefined ? {} : { uncovered }), raisedBy },
  };
}

const LEVEL_OF: Readonly<Record<KnownReach, number>> = { small: 0, medium: 1, large: 2 };

/** Commits of the year before the newest one that changed any of these; `undefined` where past commits are not known. */
export function changesInYear(past: PastChanges | undefined, graph: GraphView, changed: Iterable<NodeHandle>): number | undefined {
  if (past === undefined) return undefined;
  const since = (past.commits[0]?.time ?? 0) - YEAR_S;
  const places = new Set<number>();
  for (const node of changed) for (const place of past.of(graph.idOf(node))) if ((past.commits[place]?.time ?? 0) >= since) places.add(place);
  return places.size;
}
