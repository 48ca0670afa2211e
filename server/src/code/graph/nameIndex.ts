import type { Interner } from '../../base/interner';
import { shortNameOf } from '../../model/ids';

/** Handles by short name, over everything the interner ever named: readers keep what is live in their view. Catches up when asked. */
export class NameIndex {
  readonly #exact = new Map<string, number[]>();
  readonly #folded = new Map<string, number[]>();
  #done = 0;

  constructor(private readonly interner: Interner) {}

  exact(name: string): readonly number[] {
    this.#catchUp();
    return this.#exact.get(name) ?? [];
  }

  /** Whatever the case of letters. */
  folded(name: string): readonly number[] {
    this.#catchUp();
    return this.#folded.get(name.toLowerCase()) ?? [];
  }

  #catchUp(): void {
    for (; this.#done < this.interner.size; this.#done++) {
      const name = shortNameOf(this.interner.text(this.#done));
      push(this.#exact, name, this.#done);
      push(this.#folded, name.toLowerCase(), this.#done);
    }
  }
}

function push(index: Map<string, number[]>, name: string, handle: number): void {
  const list = index.get(name);
  if (list === undefined) index.set(name, [handle]);
  else list.push(handle);
}
