import { type CancellationToken, neverCancelled } from '../base/cancellation';
import type { Turn } from '../base/yield';

/** Steps between two looks at the clock. */
const STEPS_PER_CHECK = 512;

/** Looks at the clock now and then; without a turn it never waits. */
export class Pace {
  #steps = 0;

  constructor(
    private readonly turn: Turn | undefined,
    private readonly token: CancellationToken = neverCancelled,
  ) {}

  /** Costs nothing but an addition while the budget lasts. */
  step(weight: number): Promise<void> | undefined {
    this.#steps += weight;
    if (this.#steps < STEPS_PER_CHECK || this.turn === undefined) return undefined;
    this.#steps = 0;
    return this.turn.check(this.token);
  }
}

/** Distinct texts in order of UTF-16 code units. Sorted in groups of one beginning, so that a large list does not hold up others. */
export async function sortedTexts(texts: Iterable<string>, pace: Pace): Promise<string[]> {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const start = text.slice(0, 2);
    const group = groups.get(start);
    if (group === undefined) groups.set(start, [text]);
    else group.push(text);
  }
  const sorted: string[] = [];
  for (const start of [...groups.keys()].sort()) {
    const group = groups.get(start) ?? [];
    for (const text of group.sort()) sorted.push(text);
    const pause = pace.step(group.length);
    if (pause !== undefined) await pause;
  }
  return sorted;
}
