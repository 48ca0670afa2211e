import { type CancellationToken, neverCancelled } from '../base/cancellation';
import type { Turn } from '../base/yield';

/** Steps between two checks of the clock. */
const STEPS_PER_CHECK = 512;

/** Looks at the clock now and then; without a turn it never waits. */
export class Yielder {
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

/** Entries that are gone through between two checks of the clock: well below a millisecond. */
const BLOCK = 4096;

/** Calls `work` with one stretch of `0 … length` after the other and yields between them. */
export async function inBlocks(length: number, yielder: Yielder, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += BLOCK) {
    work(from, Math.min(length, from + BLOCK));
    const pause = yielder.step(BLOCK);
    if (pause !== undefined) await pause;
  }
}

/** The texts in order of UTF-16 code units. They must be distinct. Sorted in blocks that are then merged, so that a large list does not block other work. */
export async function sortedTexts(texts: readonly string[], yielder: Yielder): Promise<readonly string[]> {
  let runs: (readonly string[])[] = [];
  await inBlocks(texts.length, yielder, (from, to) => runs.push(texts.slice(from, to).sort()));
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(await unionOf(runs[at] ?? [], runs[at + 1] ?? [], yielder));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Of two sorted lists without duplicates one such list. */
export async function unionOf(a: readonly string[], b: readonly string[], yielder: Yielder): Promise<readonly string[]> {
  if (a.length === 0) return b;
  const merged: string[] = [];
  let left = 0;
  let right = 0;
  await inBlocks(a.length + b.length, yielder, (from, to) => {
    for (let step = from; step < to && (left < a.length || right < b.length); step++) {
      const first = a[left];
      const second = b[right];
      if (second === undefined || (first !== undefined && first <= second)) {
        merged.push(first as string);
        left++;
        if (first === second) right++;
      } else {
        merged.push(second);
        right++;
      }
    }
  });
  return merged;
}
