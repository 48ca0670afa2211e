import type { Disposable } from './disposable';

export type Listener<T> = (event: T) => void;
/** Adds a listener; dispose of the result to remove it. */
export type Event<T> = (listener: Listener<T>) => Disposable;

/** Calls its listeners in order of registration. A listener added while firing is not called for that event. */
export class Emitter<T> implements Disposable {
  #listeners: readonly Listener<T>[] = [];

  readonly event: Event<T> = listener => {
    this.#listeners = [...this.#listeners, listener];
    return {
      dispose: () => {
        this.#listeners = this.#listeners.filter(other => other !== listener);
      },
    };
  };

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners = [];
  }
}
