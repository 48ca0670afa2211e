import { type CancellationToken, throwIfCancelled } from './cancellation';

/** Items (links, nodes, violations) between two looks at what else waits: some milliseconds of work. */
const STEP = 2000;

/** Work that can be interrupted: whoever runs it may let others run at each `undefined`. */
export type Steps<T> = Generator<undefined, T>;

/** The items one by one, with a stop after every `STEP` of them; `each` says what becomes of an item. */
export function* eachInSteps<T>(items: Iterable<T>, each: (item: T) => void): Steps<void> {
  let done = 0;
  for (const item of items) {
    each(item);
    if (++done % STEP === 0) yield undefined;
  }
}

/** Runs all steps, calling `pause` between them. Throws `Cancelled`. */
export async function runSteps<T>(steps: Steps<T>, pause: () => Promise<void> | undefined, token: CancellationToken): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await pause();
    throwIfCancelled(token);
  }
}

/** Runs all steps at once, for small graphs and short lists. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}
