import { type NodeHandle, type NodeIds, nodeHandle, shortNameOf } from '../../model/ids';

/** Handles by short name, over everything the interner ever named: readers keep what is live in their view. Catches up when asked. */
export class NameIndex {
  readonly #exact = new Map<string, NodeHandle[]>();
  readonly #folded = new Map<string, NodeHandle[]>();
  #done = 0;

  constructor(private readonly interner: NodeIds) {}

  exact(name: string): readonly NodeHandle[] {
    this.#catchUp();
    return this.#exact.get(name) ?? [];
  }

  /** Whatever the case of letters. */
  folded(name: string): readonly NodeHandle[] {
    this.#catchUp();
    return this.#folded.get(name.toLowerCase()) ?? [];
  }

  #catchUp(): void {
    for (; this.#done < this.interner.size; this.#done++) {
      const node = nodeHandle(this.#done);
      const name = shortNameOf(this.interner.text(node));
      push(this.#exact, name, node);
      push(this.#folded, name.toLowerCase(), node);
    }
  }
}

function push(index: Map<string, NodeHandle[]>, name: string, handle: NodeHandle): void {
  const list = index.get(name);
  if (list === undefined) index.set(name, [handle]);
  else list.push(handle);
}
