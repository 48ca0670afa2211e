import type { HistorySettings } from '../../../model/settings';

/** A transaction of which something is kept. */
export interface KeptStep {
  readonly txId: string;
  /** When it was committed, in epoch milliseconds. */
  readonly at: number;
  readonly bytes: number;
}

/** Transactions that survive every limit. */
const ALWAYS_KEPT = 20;
const DAY_MS = 24 * 3_600_000;

/**
 * Where history begins when the limits are met: the place of the oldest of `steps` (oldest first) from which on all stay. A step stays if it meets all limits;
 * the newest 20 always do. A limit of 0 is none.
 */
export function horizonOf(steps: readonly KeptStep[], limits: HistorySettings, now: number): number {
  const { keepDays, keepTransactions, maxMegabytes } = limits;
  let place = steps.length;
  let bytes = 0;
  for (let next = place - 1; next >= 0; next--) {
    const step = steps[next] as KeptStep;
    bytes += step.bytes;
    const count = steps.length - next;
    const isWithin =
      (keepDays === 0 || now - step.at <= keepDays * DAY_MS) &&
      (keepTransactions === 0 || count <= keepTransactions) &&
      (maxMegabytes === 0 || bytes <= maxMegabytes * 1024 * 1024);
    if (!isWithin && count > ALWAYS_KEPT) break;
    place = next;
  }
  return place;
}

/**
 * Which steps become one, oldest first: a step before the horizon stays as a point of its own only where it is pinned. Each group ends in the step whose state
 * it leads to.
 */
export function groupsOf(steps: readonly KeptStep[], horizon: number, pins: ReadonlySet<string>): (readonly KeptStep[])[] {
  const groups: KeptStep[][] = [];
  let open: KeptStep[] = [];
  for (const [place, step] of steps.entries()) {
    open.push(step);
    if (place < horizon && !pins.has(step.txId)) continue;
    groups.push(open);
    open = [];
  }
  return groups;
}
