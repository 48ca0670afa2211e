import type { Disposable } from '../../../base/disposable';
import type { Folder } from '../folders';
import { Throttle } from '../throttle';

/** Checks folders anew after what they hold has changed: one at a time, at most once in so many milliseconds. */
export class FolderChecks implements Disposable {
  readonly #check: Throttle;
  readonly #waiting = new Set<Folder>();
  #running = false;
  #disposed = false;
  /** The next check must not wait for its time. */
  #isUrgent = false;

  constructor(
    intervalMs: number,
    private readonly check: (folder: Folder) => Promise<void>,
  ) {
    this.#check = new Throttle(intervalMs, () => void this.#run(), true);
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** A folder has a new revision, other rules or other settings. */
  outdated(folder: Folder): void {
    this.#waiting.add(folder);
    this.#check.request();
  }

  /** The same, checked at once: somebody is waiting for it. */
  outdatedNow(folder: Folder): void {
    this.#waiting.add(folder);
    this.#isUrgent = true;
    void this.#run();
  }

  dispose(): void {
    this.#disposed = true;
    this.#check.dispose();
  }

  async #run(): Promise<void> {
    if (this.#running || this.#disposed) return;
    this.#running = true;
    this.#isUrgent = false;
    try {
      for (const folder of this.#waiting) {
        this.#waiting.delete(folder);
        await this.check(folder);
      }
    } finally {
      this.#running = false;
    }
    if (this.#waiting.size === 0) return;
    if (this.#isUrgent) void this.#run();
    else this.#check.request();
  }
}
