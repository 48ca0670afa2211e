import { type CancellationToken, neverCancelled, throwIfCancelled } from './cancellation';

/** Items (links, nodes, violations) between two yields: a few milliseconds of work. */
const STEP = 2000;

/** Work in steps of a few milliseconds: its caller can let other work run at each `yield`. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Calls `each` for all items, and yields after every `STEP` of them. */
export function* eachInSteps<T>(items: Iterable<T>, each: (item: T) => void): Steps<void> {
  let done = 0;
  for (const item of items) {
    each(item);
    if (++done % STEP === 0) yield undefined;
  }
}

/** Runs all steps, and calls `pause` after each. Throws `Cancelled`. */
export async function runSteps<T>(steps: Steps<T>, pause: () => Promise<void> | undefined, token: CancellationToken = neverCancelled): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await pause();
    throwIfCancelled(token);
  }
}

/** Runs all steps without a pause, for small graphs and short lists. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
