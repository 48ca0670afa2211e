import { hashText } from '../../../base/hash';
import type { SomeRow } from '../../../model/facts';

const KINDS = ['symbol', 'wholeSymbol', 'function', 'binding', 'expression'] as const;

/** More than the rows of any table of a file. */
const ROWS = 2 ** 40;

/** Around the key of a row whose hash is still open. */
const OPEN = /\u0001(?<key>\d+)\u0002/g;

/** A row whose hash is not known yet, in the terms of Tarjan. */
interface OpenRow {
  readonly key: number;
  readonly index: number;
  low: number;
  text: string;
}

/**
 * Hashes of rows that are told by texts, in which the hashes of other rows stand. Each text is made once. Rows that lead to each other (a strongly connected
 * component, found as R. Tarjan does in "Depth-first search and linear graph algorithms", 1972) share one hash over all their texts, in which they are called
 * by their order: it does not matter from which of them one begins, nor where in the file they are. Time and memory are linear in the size of all texts.
 */
export class RecursiveHashes {
  readonly #known = new Map<number, string>();
  readonly #open = new Map<number, OpenRow>();
  readonly #stack: OpenRow[] = [];
  /** Rows whose texts are being made, the innermost last. */
  readonly #making: OpenRow[] = [];
  #count = 0;

  /** `tell` may ask for hashes itself; what it gets is only good to be part of its text. */
  of(kind: (typeof KINDS)[number], row: SomeRow, tell: () => string): string {
    const key = KINDS.indexOf(kind) * ROWS + row;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const open = this.#open.get(key);
    if (open !== undefined) return this.#cycle(key, open.index);
    const own: OpenRow = { key, index: this.#count, low: this.#count++, text: '' };
    this.#open.set(key, own);
    this.#stack.push(own);
    this.#making.push(own);
    own.text = tell();
    this.#making.pop();
    if (own.low < own.index) return this.#cycle(key, own.low);
    this.#close(own);
    return this.#known.get(key) ?? '';
  }

  #cycle(key: number, index: number): string {
    const around = this.#making.at(-1);
    if (around !== undefined) around.low = Math.min(around.low, index);
    return `\u0001${key}\u0002`;
  }

  /** Hashes the rows that lead to this one and back. */
  #close(first: OpenRow): void {
    const cycle = this.#stack.splice(this.#stack.lastIndexOf(first)).sort((left, right) => left.key - right.key);
    for (const { key } of cycle) this.#open.delete(key);
    if (cycle.length === 1 && !first.text.includes('\u0001')) {
      this.#known.set(first.key, hashText(first.text));
      return;
    }
    const places = new Map(cycle.map(({ key }, place) => [`${key}`, place]));
    const texts = cycle.map(({ text }) => text.replace(OPEN, (whole, key: string) => (places.has(key) ? `~${places.get(key)}` : whole)));
    const shared = hashText(texts.join('\n'));
    cycle.forEach(({ key }, place) => {
      this.#known.set(key, hashText(`${shared} ${place}`));
    });
  }
}
