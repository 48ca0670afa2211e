import { type ExpressionRow, expressionRow, NONE, type StringIndex } from '../../model/facts';

/** The columns that say which row it is. */
export interface RowKeys {
  readonly operator: ArrayLike<number>;
  readonly a: ArrayLike<number>;
  readonly text: ArrayLike<number>;
}

const FIRST_SLOTS = 256;

/**
 * Finds the expression row of an operator, an operand and a text, to make each once per file. Open addressing over row numbers, with the rows
 * themselves as keys: in a `Map`, the three as one key would be a number too large for anything but an object of its own, and a file has thousands.
 */
export class RowTable {
  /** Row plus one; 0: free. At least half of them are free. */
  #slots = new Int32Array(FIRST_SLOTS);
  #count = 0;

  /** Row that `add` was given, or `NONE`. */
  find(keys: RowKeys, operator: number, a: number, text: StringIndex): ExpressionRow {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = spread(operator, a, text) & mask; ; slot = (slot + 1) & mask) {
      const row = expressionRow((slots[slot] as number) - 1);
      if (row < 0) return NONE;
      if (keys.text[row] === text && keys.a[row] === a && keys.operator[row] === operator) return row;
    }
  }

  /** Adds a row that is not there yet; its cells stay as they are from now on. Returns it. */
  add(keys: RowKeys, row: ExpressionRow): ExpressionRow {
    if (++this.#count * 2 > this.#slots.length) this.#grow(keys);
    place(this.#slots, keys, row);
    return row;
  }

  #grow(keys: RowKeys): void {
    const larger = new Int32Array(this.#slots.length * 2);
    for (const taken of this.#slots) if (taken !== 0) place(larger, keys, expressionRow(taken - 1));
    this.#slots = larger;
  }
}

function place(slots: Int32Array, keys: RowKeys, row: ExpressionRow): void {
  const mask = slots.length - 1;
  let slot = spread(keys.operator[row] as number, keys.a[row] as number, keys.text[row] as number) & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = row + 1;
}

function spread(operator: number, a: number, text: number): number {
  const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(text, 0x85ebca6b) ^ Math.imul(operator, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}
