import type { Disposable } from '../../base/disposable';
import type { Timers } from '../../base/ports';
import type { Records } from '../../model/records';

const FIRST_LOOK_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Has the daily backup made soon after the start, at the first write after its hour, and within an hour of it in a process that stays. */
export class DailyBackup implements Disposable {
  readonly #listening: Disposable;
  #timer: Disposable | undefined;

  constructor(
    private readonly backups: { createIfDue(): Promise<void> },
    records: Pick<Records, 'onWritten'>,
    private readonly timers: Timers,
  ) {
    this.#listening = records.onWritten(() => void backups.createIfDue());
    this.#again(FIRST_LOOK_MS);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #again(ms: number): void {
    this.#timer = this.timers.after(ms, () => {
      void this.backups.createIfDue();
      this.#again(HOUR_MS);
    });
  }
}
