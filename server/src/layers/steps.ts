/** Work in short steps; the result comes at the end. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps at once. */
export function finished<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** Does the steps with `pause` after each. */
export async function inTurns<T>(steps: Steps<T>, pause: () => Promise<void> | undefined): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await pause();
  }
}
