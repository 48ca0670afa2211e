import type { Disposable } from '../../base/disposable';

/** Calls `action` when nothing was requested for a while, and at the latest so long after the first request. */
export class Debouncer implements Disposable {
  #quiet: NodeJS.Timeout | undefined;
  #latest: NodeJS.Timeout | undefined;
  #disposed = false;
  #waiting: (() => void)[] = [];

  constructor(
    private readonly options: { readonly quietMs: number; readonly latestMs: number },
    private readonly action: () => void,
  ) {}

  request(): void {
    if (this.#disposed) return;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.flush(), this.options.quietMs);
    this.#latest ??= setTimeout(() => this.flush(), this.options.latestMs);
  }

  /** Calls `action` now if a call is due. */
  flush(): void {
    if (this.#quiet === undefined) return;
    this.action();
    this.#clear();
  }

  /** Resolves when no call is due. */
  async over(): Promise<void> {
    if (this.#quiet !== undefined) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  dispose(): void {
    this.#disposed = true;
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#latest);
    this.#quiet = undefined;
    this.#latest = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
