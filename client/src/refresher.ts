/** What is kept in step: how it is asked, when it may be, and who hears of a failure. */
export interface Refreshing {
  /** Asks, and shows the answer. */
  readonly ask: () => Promise<void>;
  /** Whether to ask without being told to: the view is seen, and the server can answer. */
  readonly isWanted: () => boolean;
  /** Shows that what is seen is out of date. */
  readonly failed: (message: string) => void;
  /** Shortest time between two questions that nobody asked for, in milliseconds; 0 when absent. */
  readonly restMs?: number;
}

/** Keeps what a view shows in step: one question at a time, asked again when something has changed meanwhile. */
export class Refresher {
  private stale = true;
  private asking: Promise<void> | undefined;
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly of: Refreshing) {}

  /** Something has changed since the last question began. */
  get isStale(): boolean {
    return this.stale;
  }

  get isAsking(): boolean {
    return this.asking !== undefined;
  }

  /** Something has changed: asks when that is wanted, after the rest, or `atOnce`. */
  changed(atOnce = false): void {
    this.stale = true;
    if (atOnce) this.endRest();
    this.refreshIfWanted();
  }

  /** Asks if something has changed and an answer is wanted: to be called when it may have become so. */
  refreshIfWanted(): void {
    if (!this.stale || this.asking !== undefined || this.rest !== undefined || !this.of.isWanted()) return;
    const { restMs = 0 } = this.of;
    if (restMs > 0)
      this.rest = setTimeout(() => {
        this.rest = undefined;
        this.refreshIfWanted();
      }, restMs);
    this.askOnce().then(
      () => this.refreshIfWanted(),
      (error: unknown) => this.of.failed(notRefreshed(error)),
    );
  }

  /** Asks now; resolves when nothing has changed since the last question began. Rejects as the question does, and is stale then. */
  async refresh(): Promise<void> {
    this.stale = true;
    // What was being asked may be asked again by itself once it is answered: that is waited for, too.
    while (this.stale || this.asking !== undefined) await (this.asking ?? this.askOnce());
  }

  dispose(): void {
    this.endRest();
  }

  private endRest(): void {
    clearTimeout(this.rest);
    this.rest = undefined;
  }

  private askOnce(): Promise<void> {
    this.asking = this.ask();
    return this.asking;
  }

  private async ask(): Promise<void> {
    this.stale = false;
    try {
      await this.of.ask();
    } catch (error) {
      this.stale = true;
      throw error;
    } finally {
      this.asking = undefined;
    }
  }
}

/** What a view says when it could not be refreshed. */
export function notRefreshed(error: unknown): string {
  return `Could not be refreshed: ${error instanceof Error ? error.message : String(error)}`;
}
