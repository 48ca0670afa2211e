const WINDOW_MS = 3 * 60_000;
const MAX_RESTARTS = 4;

/** Counts the deaths of the server: more than four in three minutes means that another start would not help. */
export class RestartLimiter {
  private readonly deaths: number[] = [];

  /** Records a death at `nowMs`; true when the server may be started again. */
  mayRestart(nowMs: number): boolean {
    this.deaths.push(nowMs);
    while (this.deaths.length > 0 && nowMs - (this.deaths[0] ?? 0) > WINDOW_MS) this.deaths.shift();
    return this.deaths.length <= MAX_RESTARTS;
  }
}
