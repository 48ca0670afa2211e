/** Tables of more slots than this are made anew by `clear` instead of wiped. */
const KEPT_SLOTS = 1 << 16;

const NO_ITEMS: readonly never[] = [];

/** Numbers for lists of integers, equal for equal lists; 0 is the empty list. They are valid until `clear()`. */
export class NumberedLists<Id extends number, Item extends number> {
  #lists: (readonly Item[])[] = [[]];
  /** Open addressing over lists: number, 0 for free. */
  #table = new Int32Array(1024);

  clear(): void {
    this.#lists = [[]];
    if (this.#table.length > KEPT_SLOTS) this.#table = new Int32Array(1024);
    else this.#table.fill(0);
  }

  list(number: Id): readonly Item[] {
    return this.#lists[number] ?? NO_ITEMS;
  }

  /** The list is kept: it must not change. */
  number(list: readonly Item[]): Id {
    if (list.length === 0) return 0 as Id;
    const mask = this.#table.length - 1;
    let slot = hashOfList(list) & mask;
    for (let found = (this.#table[slot] ?? 0) as Id; found !== 0; found = (this.#table[slot] ?? 0) as Id) {
      if (areEqual(this.list(found), list)) return found;
      slot = (slot + 1) & mask;
    }
    const id = this.#lists.length as Id;
    this.#lists.push(list);
    this.#table[slot] = id;
    if (id * 2 > this.#table.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2);
    const mask = table.length - 1;
    for (let id = 1; id < this.#lists.length; id++) {
      let slot = hashOfList(this.#lists[id] ?? NO_ITEMS) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = id;
    }
    this.#table = table;
  }
}

function hashOfList(list: readonly number[]): number {
  let hash = list.length;
  for (let index = 0; index < list.length; index++) hash = Math.imul(hash ^ (list[index] ?? 0), 0x9e3779b1) ^ (hash >>> 13);
  return hash ^ (hash >>> 15);
}

function areEqual(left: readonly number[], right: readonly number[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}
