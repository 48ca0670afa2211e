import { tokenize } from '../../search/tokenizer';

/** A short text that is found by its words: some lines that somebody wrote, with the names of what they are about. */
export interface TextDocument {
  readonly id: string;
  /** What is said, weighted by field; absent fields are empty. */
  readonly fields: readonly { readonly text: string; readonly weight: number }[];
}

export interface TextHit {
  readonly id: string;
  /** BM25; comparable within one answer only. */
  readonly score: number;
  /** Words of the query that are in it. */
  readonly words: number;
}

interface Entry {
  readonly length: number;
  readonly terms: ReadonlyMap<string, number>;
}

const K1 = 1.2;
const B = 0.75;

/**
 * Words of many short texts, kept in memory and changed one by one: the same words as those of the code search (`tokenizer`), ranked by BM25 over
 * weighted term frequencies (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM 2004).
 */
export class TextIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #postings = new Map<string, Set<string>>();
  #totalLength = 0;

  get size(): number {
    return this.#entries.size;
  }

  clear(): void {
    this.#entries.clear();
    this.#postings.clear();
    this.#totalLength = 0;
  }

  /** Takes the place of a document with the same id. */
  put({ fields, id }: TextDocument): void {
    this.remove(id);
    const terms = new Map<string, number>();
    let length = 0;
    for (const { text, weight } of fields) {
      for (const term of tokenize(text)) {
        terms.set(term, (terms.get(term) ?? 0) + weight);
        length += weight;
      }
    }
    this.#entries.set(id, { length, terms });
    this.#totalLength += length;
    for (const term of terms.keys()) {
      const ids = this.#postings.get(term);
      if (ids === undefined) this.#postings.set(term, new Set([id]));
      else ids.add(id);
    }
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#totalLength -= entry.length;
    for (const term of entry.terms.keys()) {
      const ids = this.#postings.get(term);
      ids?.delete(id);
      if (ids?.size === 0) this.#postings.delete(term);
    }
  }

  /** Every document with a word of the query, best first; ties by id. */
  search(query: string): readonly TextHit[] {
    const average = this.#totalLength / Math.max(1, this.#entries.size);
    const scores = new Map<string, { score: number; words: number }>();
    for (const term of new Set(tokenize(query))) {
      const ids = this.#postings.get(term);
      if (ids === undefined) continue;
      const idf = Math.log(1 + (this.#entries.size - ids.size + 0.5) / (ids.size + 0.5));
      for (const id of ids) {
        const entry = this.#entries.get(id);
        const times = entry?.terms.get(term) ?? 0;
        const damped = (times * (K1 + 1)) / (times + K1 * (1 - B + (B * (entry?.length ?? 0)) / average));
        const known = scores.get(id) ?? { score: 0, words: 0 };
        scores.set(id, { score: known.score + idf * damped, words: known.words + 1 });
      }
    }
    return [...scores].map(([id, found]) => ({ id, ...found })).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  }
}
