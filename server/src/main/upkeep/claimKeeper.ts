import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/emitter';
import type { Log } from '../../base/ports';
import { endChangedClaims } from '../../features/memory/claims';
import type { IndexProgress, Workspace } from '../../workspace/snapshot';

/** What the keeper looks at of an engine. */
export interface ClaimedCode {
  readonly onRevision: Event<unknown>;
  readonly onProgress: Event<IndexProgress>;
  readonly progress: IndexProgress;
  workspace(viewer: string | undefined): Workspace;
}

/** Ends claims whose code has changed, with each revision of a checkout; also what changed while nobody looked. */
export class ClaimKeeper implements Disposable {
  readonly #listening: readonly Disposable[];
  /** The look that goes on; one more follows when something happened meanwhile. */
  #running: Promise<void> | undefined;
  #again = false;
  #closed = false;

  constructor(
    private readonly code: ClaimedCode,
    private readonly log: Log,
  ) {
    this.#listening = [code.onRevision(() => this.#look()), code.onProgress(() => this.#look())];
  }

  /** Resolves when all that happened so far was looked at. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Resolves when nothing is being written any more. What was not looked at yet, the next owner sees. */
  async close(): Promise<void> {
    this.dispose();
    await this.settled();
  }

  dispose(): void {
    this.#closed = true;
    for (const listener of this.#listening) listener.dispose();
  }

  /** A graph that is still being read lacks files that are there. */
  #look(): void {
    if (this.#closed || this.code.progress.phase !== 'ready') return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#running = this.#end().finally(() => {
      this.#running = undefined;
      if (this.#again) this.#look();
    });
  }

  async #end(): Promise<void> {
    try {
      const ended = await endChangedClaims(this.code.workspace(undefined));
      if (!ended.ok) this.log.write('warn', `Claims on changed code could not be ended: ${ended.error.message}`);
    } catch (error) {
      this.log.write('error', `looking for claims on changed code: ${String(error)}`);
    }
  }
}
