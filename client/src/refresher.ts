/** Keeps what a view shows in step: one question at a time, asked again when something has changed meanwhile. */
export class Refresher {
  private stale = true;
  private asking: Promise<void> | undefined;

  constructor(private readonly ask: () => Promise<void>) {}

  /** Something has changed since the last question began. */
  get isStale(): boolean {
    return this.stale;
  }

  get isAsking(): boolean {
    return this.asking !== undefined;
  }

  /** Something has changed. */
  changed(): void {
    this.stale = true;
  }

  /** Asks now; resolves when nothing has changed since the last question began. Rejects as the question does, and is stale then. */
  async refresh(): Promise<void> {
    this.stale = true;
    while (this.stale) {
      this.asking ??= this.askOnce();
      await this.asking;
    }
  }

  private async askOnce(): Promise<void> {
    this.stale = false;
    try {
      await this.ask();
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
