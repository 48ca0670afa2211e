/**
 * Map from a pair of integers to an integer that is not negative: open addressing in one typed array, nothing allocated for a look-up.
 * A `Map` with both packed into one key boxes each key that does not fit 31 bits, which costs more than everything else in a look-up.
 */
export class PairTable<Left extends number = number, Right extends number = number, Value extends number = number> {
  /** Four integers per slot: both keys, the value plus one (0: free), and one unused that keeps slots within a cache line. */
  #slots: Int32Array;
  #mask: number;
  #count = 0;

  /** `expected`: number of pairs that fit without growing. */
  constructor(expected = 8) {
    let size = 8;
    while (size * 3 < expected * 4) size *= 2;
    this.#slots = new Int32Array(size * 4);
    this.#mask = size - 1;
  }

  /** Value of a pair, or -1. */
  get(left: Left, right: Right): Value {
    const slots = this.#slots;
    for (let slot = hashPair(left, right) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * 4;
      const value = slots[at + 2] ?? 0;
      if (value === 0) return -1 as Value;
      if (slots[at] === left && slots[at + 1] === right) return (value - 1) as Value;
    }
  }

  set(left: Left, right: Right, value: Value): void {
    if ((this.#count + 1) * 4 > (this.#mask + 1) * 3) this.#grow();
    const slots = this.#slots;
    for (let slot = hashPair(left, right) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = slot * 4;
      const isFree = slots[at + 2] === 0;
      if (!isFree && (slots[at] !== left || slots[at + 1] !== right)) continue;
      if (isFree) this.#count++;
      slots[at] = left;
      slots[at + 1] = right;
      slots[at + 2] = value + 1;
      return;
    }
  }

  /** Calls back with both keys and the value of each pair, in no order. */
  each(visit: (left: Left, right: Right, value: Value) => void): void {
    const slots = this.#slots;
    for (let at = 0; at < slots.length; at += 4) {
      const value = slots[at + 2] ?? 0;
      if (value !== 0) visit((slots[at] ?? 0) as Left, (slots[at + 1] ?? 0) as Right, (value - 1) as Value);
    }
  }

  clear(): void {
    if (this.#count === 0) return;
    this.#count = 0;
    if (this.#mask > 65535) {
      this.#slots = new Int32Array(32);
      this.#mask = 7;
    } else this.#slots.fill(0);
  }

  #grow(): void {
    const before = this.#slots;
    const size = (this.#mask + 1) * 2;
    const slots = new Int32Array(size * 4);
    const mask = size - 1;
    for (let from = 0; from < before.length; from += 4) {
      if (before[from + 2] === 0) continue;
      const left = before[from] ?? 0;
      const right = before[from + 1] ?? 0;
      let slot = hashPair(left, right) & mask;
      while (slots[slot * 4 + 2] !== 0) slot = (slot + 1) & mask;
      slots[slot * 4] = left;
      slots[slot * 4 + 1] = right;
      slots[slot * 4 + 2] = before[from + 2] ?? 0;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

/** Hash of a pair; its low bits differ also when keys differ in high ones only. */
export function hashPair(left: number, right: number): number {
  const mixed = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
