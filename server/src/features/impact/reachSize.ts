import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { calledFromOutside, publicEntryPoints } from './calledFromOutside';

/** How far a change reaches, by the files and tests that a walk came to; `unknown` where a framework, a library or the language calls some of it. */
export type KnownReach = 'small' | 'medium' | 'large';
export type ReachSize = KnownReach | 'unknown';

/** From more files and tests than these on a reach is medium, and large. */
const MEDIUM = 10;
const LARGE = 50;

/** Who may use something from outside of the workspace: a framework, a library or the language calls it, or it is public and nobody else uses it. */
export type OutsideUser = 'framework' | 'anyone';

export interface ReachEvidence {
  readonly reach: ReachSize;
  /** The nearest of what changes that something outside of the workspace calls, or may call; at most a few. Empty where the reach is known. */
  readonly outside: readonly NodeHandle[];
  readonly outsideUser: OutsideUser | undefined;
}

/**
 * Tests that are only possible do not count: thousands of them would make a small reach look large. `nodes`: what changes and what depends on it, nearest
 * first. A reach that is large as it is stays large, whether or not something outside uses what is public.
 */
export function reachSize(graph: GraphView, certain: number, nodes: Iterable<NodeHandle>): ReachEvidence {
  const called = calledFromOutside(graph, nodes);
  if (called.length > 0) return { reach: 'unknown', outside: called, outsideUser: 'framework' };
  const reach = reachOf(certain);
  const offered = reach === 'large' ? [] : publicEntryPoints(graph, nodes);
  return offered.length > 0 ? { reach: 'unknown', outside: offered, outsideUser: 'anyone' } : { reach, outside: [], outsideUser: undefined };
}

/** By the files, and the tests that certainly reach it. */
export function reachOf(certain: number): KnownReach {
  return certain > LARGE ? 'large' : certain > MEDIUM ? 'medium' : 'small';
}
