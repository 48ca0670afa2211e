import promises, { open } from 'node:fs/promises';

type Operation = (...parts: unknown[]) => Promise<unknown>;

/** Operations of this process that change the disk, from now on. `at` runs something before the one of that number. */
export interface DiskOperations {
  readonly count: number;
  at(number: number, run: () => void): void;
}

/** Counts what goes through open files, and what is renamed, linked and removed. */
export async function countDiskOperations(): Promise<DiskOperations> {
  let count = 0;
  let due = Number.POSITIVE_INFINITY;
  let whenDue = (): void => undefined;
  const counted = (target: object, names: readonly string[]): void => {
    const operations = target as Record<string, Operation>;
    for (const name of names) {
      const original = operations[name];
      if (original === undefined) continue;
      operations[name] = function (this: unknown, ...parts) {
        if (++count >= due) whenDue();
        return original.apply(this, parts);
      };
    }
  };
  const handle = await open(process.execPath, 'r');
  counted(Object.getPrototypeOf(handle) as object, ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate']);
  await handle.close();
  counted(promises, ['rename', 'link', 'rm', 'truncate']);
  return {
    get count() {
      return count;
    },
    at(number, run) {
      due = number;
      whenDue = run;
    },
  };
}
