import type { ServerState } from './serverState';

/**
 * Settings on their way to the server. A server is given all of them when it starts; what changes between then and its first answer is sent once
 * it runs, only the newest.
 */
export class SettingsOutbox {
  #isPending = false;

  constructor(private readonly send: () => void) {}

  changed(state: ServerState): void {
    if (state === 'running') this.send();
    else this.#isPending = state === 'starting';
  }

  running(): void {
    if (!this.#isPending) return;
    this.#isPending = false;
    this.send();
  }
}
