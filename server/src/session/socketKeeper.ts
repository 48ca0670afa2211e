import type { Log } from '../base/ports';
import { messageOf, type SocketPlace, socketAddress, usablePlace } from './addresses';
import type { OwnerLease } from './ownerLock';
import type { OwnerServer } from './ownerServer';

const CHECK_INTERVAL_MS = 1_000;

export interface SocketKeeping {
  readonly server: OwnerServer;
  readonly lease: OwnerLease;
  readonly place: SocketPlace;
  readonly projectKey: string;
  readonly log: Log;
  /** No socket can be made: nobody would find this owner. */
  readonly onUnreachable: () => void;
}

/** Sees to it that others find the owner: a socket that was cleaned away is made anew, elsewhere if need be. `stop` ends it. */
export class SocketKeeper {
  readonly #keeping: SocketKeeping;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;
  #stopped = false;

  constructor(keeping: SocketKeeping) {
    this.#keeping = keeping;
    this.#timer = setInterval(() => void this.#look(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (await this.#keeping.server.isReachable()) return;
      const problem = this.#stopped ? undefined : await this.#listenAnew();
      if (problem === undefined || this.#stopped) return;
      this.#keeping.log.write('warn', `The owner socket was removed and could not be created again: ${problem}`);
      this.stop();
      this.#keeping.onUnreachable();
    } finally {
      this.#isLooking = false;
    }
  }

  /** The problem, if there is one. */
  async #listenAnew(): Promise<string | undefined> {
    const { lease, log, place, projectKey, server } = this.#keeping;
    const usable = await usablePlace(place);
    if (!usable.ok) return usable.error.message;
    const address = socketAddress(usable.value, projectKey);
    const listening = await server.listenAt(address);
    if (!listening.ok) return listening.error.message;
    try {
      await lease.tell({ address });
    } catch (error) {
      return messageOf(error);
    }
    log.write('info', `The owner socket was removed. Created again at ${address}`);
    return undefined;
  }
}
