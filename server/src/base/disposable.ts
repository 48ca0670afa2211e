/** Something that holds a resource. `dispose` gives it back; a second call does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Disposes in reverse order of registration; what is created is disposed by its creator. */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) item.dispose();
  }
}
