import { CancellationSource } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { Timers } from '../../base/ports';
import type { Indexing } from './indexing';

export interface MetricsAheadOptions {
  readonly indexing: Pick<Indexing, 'prepareMetrics' | 'prepareCommunities'>;
  readonly timers: Timers;
  readonly onError: (what: string, error: unknown) => void;
}

/** Communities are computed anew when nothing has changed for so long; answers that need them earlier have them computed. */
const COMMUNITIES_AFTER_MS = 2_000;

/** Computes communities and centralities ahead of the first question: beside the lane, so that no change waits for figures. */
export class MetricsAhead {
  #running = new CancellationSource();
  #timer: Disposable | undefined;

  constructor(private readonly options: MetricsAheadOptions) {}

  /** Everything, for a graph that is new. */
  all(): void {
    this.#running.cancel();
    this.#running = new CancellationSource();
    const { indexing, onError } = this.options;
    indexing.prepareMetrics(this.#running.token).catch((error: unknown) => onError('computing metrics', error));
  }

  /** Communities, when changes have come to rest. */
  communitiesLater(): void {
    const { indexing, onError, timers } = this.options;
    this.#timer?.dispose();
    this.#timer = timers.after(COMMUNITIES_AFTER_MS, () => {
      indexing.prepareCommunities(this.#running.token).catch((error: unknown) => onError('computing communities', error));
    });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#running.cancel();
  }
}
