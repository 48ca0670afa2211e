import type { Disposable } from '../../base/disposable';
import type { Timers } from '../../base/ports';
import type { Background } from '../scheduling/background';

/** Communities are computed anew when nothing has changed for so long; answers that need them earlier have them computed. */
const COMMUNITIES_AFTER_MS = 2_000;

/** Has communities and centralities computed ahead of the first question. */
export class MetricsPrecomputer implements Disposable {
  #timer: Disposable | undefined;

  constructor(
    private readonly background: Pick<Background<'communities' | 'centralities'>, 'request'>,
    private readonly timers: Timers,
  ) {}

  /** Everything, for a graph that is new. */
  all(): void {
    void this.background.request('communities');
    void this.background.request('centralities');
  }

  /** Communities, when changes have come to rest. */
  communitiesLater(): void {
    this.#timer?.dispose();
    this.#timer = this.timers.after(COMMUNITIES_AFTER_MS, () => void this.background.request('communities'));
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
