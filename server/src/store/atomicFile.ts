import { basename, dirname, join } from 'node:path';
import type { Disk } from './disk';

/** Ends the name of a file that is being written; one that is found at start was never finished. */
export const TEMPORARY_ENDING = '.new';

/** Replaces a whole file so that a reader, also after a crash at any point, finds the old content or the new. Rejects as the disk does. */
export async function replaceFile(disk: Disk, path: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = `${path}${TEMPORARY_ENDING}`;
  try {
    await disk.write(temporary, parts);
    await disk.rename(temporary, path);
  } catch (error) {
    // Half a file on a full disk takes the room that the next try needs.
    await disk.remove(temporary).catch(() => undefined);
    throw error;
  }
  await disk.syncFolder(dirname(path));
}

/** Renames what cannot be trusted to `<name>.damaged-<n>` beside it, so that nothing is deleted; gives the new path. */
export async function setAside(disk: Disk, path: string): Promise<string> {
  const target = await unusedDamagedPath(disk, path);
  await disk.rename(path, target);
  return target;
}

/** First path of the form `<path>.damaged-<n>` that is not taken. */
export async function unusedDamagedPath(disk: Disk, path: string): Promise<string> {
  const taken = new Set(await disk.list(dirname(path)));
  for (let n = 1; ; n++) {
    const name = `${basename(path)}.damaged-${n}`;
    if (!taken.has(name)) return join(dirname(path), name);
  }
}
