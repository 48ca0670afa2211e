import type { PreciseSymbols } from '../../model/preciseIndex';

/** Numbers symbol texts straight from the bytes of an index: each is named hundreds of times, and only its first occurrence makes a string. */
export class SymbolTable implements PreciseSymbols {
  readonly #texts: string[] = [];
  readonly #bytes: Buffer[] = [];
  #hashes = new Int32Array(1024);
  #slots = new Int32Array(4096).fill(-1);

  get count(): number {
    return this.#bytes.length;
  }

  text(symbol: number): string {
    const known = this.#texts[symbol];
    if (known !== undefined) return known;
    const text = this.#bytes[symbol]?.toString('utf8') ?? '';
    this.#texts[symbol] = text;
    return text;
  }

  add(bytes: Buffer, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
    hash = (hash ^ (hash >>> 15)) | 0;
    let slot = hash & (this.#slots.length - 1);
    for (;;) {
      const known = this.#slots[slot] ?? -1;
      if (known < 0) break;
      if (this.#hashes[known] === hash && this.#isSame(known, bytes, start, end)) return known;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    const symbol = this.#bytes.length;
    // A copy: the index itself is not kept.
    this.#bytes.push(Buffer.from(bytes.subarray(start, end)));
    if (symbol >= this.#hashes.length) this.#hashes = grown(this.#hashes);
    this.#hashes[symbol] = hash;
    this.#slots[slot] = symbol;
    if (this.#bytes.length * 2 > this.#slots.length) this.#rehash();
    return symbol;
  }

  #isSame(symbol: number, bytes: Buffer, start: number, end: number): boolean {
    const known = this.#bytes[symbol];
    return known !== undefined && known.length === end - start && known.compare(bytes, start, end) === 0;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let symbol = 0; symbol < this.#bytes.length; symbol++) {
      let slot = (this.#hashes[symbol] ?? 0) & (slots.length - 1);
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = symbol;
    }
    this.#slots = slots;
  }
}

function grown(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
}
