import type { Workspace } from '../../workspace/snapshot';

/** Work that can be left between its steps, each of some milliseconds. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Without a pause: for callers that cannot wait. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Lets others run after each step. */
export async function inSteps<T>(steps: Steps<T>, workspace: Pick<Workspace, 'pause'>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await workspace.pause?.();
  }
}
