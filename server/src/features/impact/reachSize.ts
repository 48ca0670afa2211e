import type { NodeHandle } from '../../code/graph/graphView';

/** How far a change reaches, by the files and tests that a walk came to; `unknown` where a framework, a library or the language calls some of it. */
export type KnownReach = 'small' | 'medium' | 'large';
export type ReachSize = KnownReach | 'unknown';

/** From more files and tests than these on a reach is medium, and large. */
const MEDIUM = 10;
const LARGE = 50;

/** Tests that are only possible do not count: thousands of them would make a small reach look large. */
export function reachSize(certain: number, outside: readonly NodeHandle[]): ReachSize {
  return outside.length > 0 ? 'unknown' : reachOf(certain);
}

/** By the files, and the tests that certainly reach it. */
export function reachOf(certain: number): KnownReach {
  return certain > LARGE ? 'large' : certain > MEDIUM ? 'medium' : 'small';
}
