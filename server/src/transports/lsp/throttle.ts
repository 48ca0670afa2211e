import type { Disposable } from '../../base/disposable';

/** Calls `action` soon after `request`, at most once per interval, and always once after the last request. */
export class Throttle implements Disposable {
  #timer: NodeJS.Timeout | undefined;
  #again = false;
  #disposed = false;

  constructor(
    private readonly intervalMs: number,
    private readonly action: () => void,
    /** Waits one interval before the first call too, to gather what comes together. */
    private readonly gather = false,
  ) {}

  request(): void {
    if (this.#disposed) return;
    if (this.#timer !== undefined) {
      this.#again = true;
      return;
    }
    if (this.gather) this.#again = true;
    else this.action();
    this.#timer = setTimeout(() => this.#elapsed(), this.intervalMs);
  }

  /** Calls `action` now if a call is due. */
  flush(): void {
    if (!this.#again) return;
    this.#again = false;
    this.action();
  }

  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#timer);
  }

  #elapsed(): void {
    this.#timer = undefined;
    if (!this.#again) return;
    this.#again = false;
    this.action();
    if (!this.#disposed && this.#timer === undefined) this.#timer = setTimeout(() => this.#elapsed(), this.intervalMs);
  }
}
