import { rmSync } from 'node:fs';

/** How long a folder may go on filling, in milliseconds, before its removal fails. */
const MAX_WAIT_MS = 60_000;
const PAUSE_MS = 50;
/** What the file system says while another process still writes into the folder or holds a file of it open (Windows). */
const BUSY = new Set(['ENOTEMPTY', 'EBUSY', 'EPERM', 'EACCES']);

/**
 * Removes a folder with everything in it, or nothing when it is not there. A process that has been told to end may write its last
 * file while the folder is being emptied: the retries of Node's `rmSync` repeat the last `rmdir` alone and never see that file, so
 * the removal is made anew as a whole.
 * @param {string} folder
 */
export function removeFolder(folder) {
  const began = performance.now();
  for (;;) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === undefined || !BUSY.has(code) || performance.now() - began > MAX_WAIT_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
