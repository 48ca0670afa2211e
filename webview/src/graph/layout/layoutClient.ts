import workerText from 'worker:layout';
import { arrange } from './arrangement';
import type { LayoutRequest, LayoutResult } from './layoutTypes';

/** Has scenes arranged off the page's thread; where no worker can be started, on it. A newer request overtakes older ones. */
export class LayoutClient {
  #worker: Worker | undefined;
  #number = 0;
  #waiting: { readonly number: number; readonly resolve: (arrangement: LayoutResult | undefined) => void; readonly request: LayoutRequest } | undefined;

  constructor() {
    try {
      this.#worker = new Worker(URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' })));
      this.#worker.addEventListener('message', event => this.#answered(event.data as { readonly number: number; readonly arrangement: LayoutResult }));
      this.#worker.addEventListener('error', () => this.#giveUp());
    } catch {
      this.#worker = undefined;
    }
  }

  /** Whether layouts are computed in a worker. */
  get isInWorker(): boolean {
    return this.#worker !== undefined;
  }

  /** `undefined` when a newer request came before the answer. */
  arrange(request: LayoutRequest): Promise<LayoutResult | undefined> {
    this.#waiting?.resolve(undefined);
    this.#waiting = undefined;
    const worker = this.#worker;
    if (worker === undefined) return Promise.resolve(arrange(request));
    const number = ++this.#number;
    return new Promise(resolve => {
      this.#waiting = { number, resolve, request };
      worker.postMessage({ number, request });
    });
  }

  #answered({ number, arrangement }: { readonly number: number; readonly arrangement: LayoutResult }): void {
    if (this.#waiting?.number !== number) return;
    this.#waiting.resolve(arrangement);
    this.#waiting = undefined;
  }

  #giveUp(): void {
    this.#worker = undefined;
    this.#waiting?.resolve(arrange(this.#waiting.request));
    this.#waiting = undefined;
  }
}
