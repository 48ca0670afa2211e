import { isStopWord, isWordCode, tokensOfWord } from './tokenizer';

/**
 * Splits texts into words and each distinct word into terms once. Words and terms are numbers in order of first appearance.
 *
 * Open addressing over two hashes made while scanning: cutting a string out of the text and hashing it for a `Map`, for each of some thirty words
 * per document, took two thirds of the time of building an index. Two words of one length and 64 equal bits of hash would count as one.
 */
export class WordTable {
  readonly #terms = new Map<string, number>();
  #wordCount = 0;
  #first: Int32Array<ArrayBuffer> = new Int32Array(1024);
  #second: Int32Array<ArrayBuffer> = new Int32Array(1024);
  #lengths: Int32Array<ArrayBuffer> = new Int32Array(1024);
  #isStopWord: Int32Array<ArrayBuffer> = new Int32Array(1024);
  /** Terms of word `w`: `termList` from `termEnds[w - 1]` to `termEnds[w]`. */
  #termEnds: Int32Array<ArrayBuffer> = new Int32Array(1024);
  #termList: Int32Array<ArrayBuffer> = new Int32Array(4096);
  /** Word number plus one, by hash. */
  #slots = new Int32Array(4096);

  /** Number by term. */
  get terms(): ReadonlyMap<string, number> {
    return this.#terms;
  }

  /** Appends the terms of a text, in order and with duplicates. */
  read(text: string, withoutStopWords: boolean, into: TermBuffer): void {
    let start = -1;
    let first = 0;
    let second = 0;
    const end = text.length;
    for (let at = 0; at <= end; at++) {
      const code = at < end ? text.charCodeAt(at) : 32;
      if (isWordCode(code)) {
        if (start < 0) {
          start = at;
          first = 0x811c9dc5 | 0;
          second = 0x2545f491;
        }
        first = Math.imul(first ^ code, 0x01000193);
        second = Math.imul(second + code, 0x5bd1e995) ^ (second >>> 13);
      } else if (start >= 0) {
        const word = this.#find(text, start, at, first, second);
        start = -1;
        if (withoutStopWords && this.#isStopWord[word] === 1) continue;
        const termEnd = this.#termEnds[word] as number;
        for (let term = word === 0 ? 0 : (this.#termEnds[word - 1] as number); term < termEnd; term++) into.push(this.#termList[term] as number);
      }
    }
  }

  #find(text: string, start: number, end: number, first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = (first ^ (first >>> 15)) & mask;
    for (;;) {
      const word = (this.#slots[slot] as number) - 1;
      if (word < 0) return this.#learn(text.slice(start, end), first, second, slot);
      if (this.#first[word] === first && this.#second[word] === second && this.#lengths[word] === end - start) return word;
      slot = (slot + 1) & mask;
    }
  }

  #learn(text: string, first: number, second: number, slot: number): number {
    const word = this.#wordCount++;
    if (word >= this.#first.length) this.#enlargeWords();
    this.#first[word] = first;
    this.#second[word] = second;
    this.#lengths[word] = text.length;
    this.#isStopWord[word] = isStopWord(text) ? 1 : 0;
    let end = word === 0 ? 0 : (this.#termEnds[word - 1] as number);
    for (const token of tokensOfWord(text)) {
      if (end === this.#termList.length) this.#termList = enlarged(this.#termList);
      this.#termList[end++] = this.#termNumber(token);
    }
    this.#termEnds[word] = end;
    this.#slots[slot] = word + 1;
    if (this.#wordCount * 2 > this.#slots.length) this.#enlargeSlots();
    return word;
  }

  #termNumber(token: string): number {
    const known = this.#terms.get(token);
    if (known !== undefined) return known;
    const number = this.#terms.size;
    this.#terms.set(token, number);
    return number;
  }

  #enlargeWords(): void {
    this.#first = enlarged(this.#first);
    this.#second = enlarged(this.#second);
    this.#lengths = enlarged(this.#lengths);
    this.#isStopWord = enlarged(this.#isStopWord);
    this.#termEnds = enlarged(this.#termEnds);
  }

  #enlargeSlots(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let word = 0; word < this.#wordCount; word++) {
      const first = this.#first[word] as number;
      let slot = (first ^ (first >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = word + 1;
    }
    this.#slots = slots;
  }
}

/** A list of term numbers that is used again and again. */
export class TermBuffer {
  items: Int32Array<ArrayBuffer> = new Int32Array(1024);
  length = 0;

  push(term: number): void {
    if (this.length === this.items.length) this.items = enlarged(this.items);
    this.items[this.length++] = term;
  }
}

function enlarged(items: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(items.length * 2);
  larger.set(items);
  return larger;
}
