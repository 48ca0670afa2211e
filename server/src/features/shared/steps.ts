import type { Workspace } from '../../workspace/snapshot';

/** Work that can be left between its steps, each of some milliseconds. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Lets others run after each step. */
export async function inSteps<T>(steps: Steps<T>, workspace: Pick<Workspace, 'pause'>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await workspace.pause?.();
  }
}
