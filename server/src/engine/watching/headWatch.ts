import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Disposable } from '../../base/disposable';
import { type GitHead, type GitPlace, headWatchPaths, readHead } from '../../code/files/git';
import type { FileHost } from '../../code/files/host';

/** Knows where HEAD of a checkout points, and says when it moves. Without git it says nothing. */
export class HeadWatch implements Disposable {
  #head: GitHead = { commit: undefined, branch: undefined };
  #watchers: FSWatcher[] = [];
  #reading: Promise<boolean> = Promise.resolve(false);

  constructor(
    private readonly place: GitPlace | undefined,
    private readonly host: FileHost,
  ) {}

  get head(): GitHead {
    return this.#head;
  }

  /** First 12 hex digits, `''` without git or before the first commit. */
  get short(): string {
    return this.#head.commit?.slice(0, 12) ?? '';
  }

  /** Where HEAD points at this moment; questions whether it moved are still answered. */
  async now(): Promise<GitHead> {
    return this.place === undefined ? this.#head : readHead(this.place, this.host);
  }

  /** Reads HEAD; true when the commit is another than before. Of several who ask at once one is told. */
  refresh(): Promise<boolean> {
    this.#reading = this.#reading.catch(() => false).then(() => this.#read());
    return this.#reading;
  }

  /** Calls `onTouch` when git may have moved HEAD. Folders that cannot be watched are passed over: answers look at HEAD themselves. */
  watch(onTouch: () => void): void {
    if (this.place === undefined || this.#watchers.length > 0) return;
    for (const folder of new Set(headWatchPaths(this.place).map(path => dirname(path)))) {
      try {
        const watcher = watch(folder, { persistent: false }, (_, name) => {
          if (name === null || name === 'HEAD' || name === 'packed-refs') onTouch();
        });
        watcher.on('error', () => watcher.close());
        this.#watchers.push(watcher);
      } catch {
        // Not there yet, or too many watchers.
      }
    }
  }

  dispose(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  async #read(): Promise<boolean> {
    if (this.place === undefined) return false;
    const before = this.#head;
    this.#head = await readHead(this.place, this.host);
    return before.commit !== this.#head.commit;
  }
}
