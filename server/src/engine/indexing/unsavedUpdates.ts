import type { Disposable } from '../../base/disposable';
import type { Timers } from '../../base/ports';
import type { LogError } from '../scheduling/errorLog';
import type { EventQueue } from '../scheduling/eventQueue';
import type { IndexState } from './indexState';
import type { Unsaved, UnsavedChange } from './unsaved';

export interface UnsavedUpdatesOptions {
  readonly unsaved: Unsaved;
  readonly state: IndexState;
  readonly queue: EventQueue;
  readonly timers: Timers;
  readonly logError: LogError;
}

/** An edit in the editor is taken up this long after it, unless somebody asks before. */
const UPDATE_DELAY_MS = 150;

/** Brings the unsaved documents of editor sessions into their views: soon after an edit, and before an answer. */
export class UnsavedUpdates {
  readonly #options: UnsavedUpdatesOptions;
  readonly #timers = new Map<string, Disposable>();

  constructor(options: UnsavedUpdatesOptions) {
    this.#options = options;
  }

  set(viewer: string, changes: readonly UnsavedChange[]): void {
    const { logError, timers, unsaved } = this.#options;
    unsaved.set(viewer, changes);
    this.#timers.get(viewer)?.dispose();
    const later = (): void => {
      this.#timers.delete(viewer);
      this.bringIn(viewer).catch((error: unknown) => logError('unsaved documents', error));
    };
    this.#timers.set(viewer, timers.after(UPDATE_DELAY_MS, later));
  }

  /** Resolves when the session's unsaved documents are in its view. */
  async bringIn(viewer: string): Promise<void> {
    const { queue, state, unsaved } = this.#options;
    const { published } = state;
    if (published === undefined || unsaved.fresh(viewer, published) !== undefined) return;
    await queue.post({ kind: 'unsaved', viewer });
  }

  /** The session has ended. */
  drop(viewer: string): void {
    this.#timers.get(viewer)?.dispose();
    this.#timers.delete(viewer);
    this.#options.unsaved.drop(viewer);
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
  }
}
