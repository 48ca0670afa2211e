import { SEARCH_FIELDS, type SearchField } from '../searchView';
import type { Postings } from '../segment';
import { inBlocks, Yielder } from '../yielder';
import type { TermRows } from './lsa';

/** What counts of a document when its meaning is made of its words. Its comment does not: what code does is told by the code. */
const MEANING_BOOSTS: Readonly<Record<SearchField, number>> = { name: 2, scope: 1, signature: 1, doc: 0, body: 1, remarks: 0, path: 1, text: 1, history: 1 };

/** The columns of a segment that say which document holds which term. */
export interface TermColumns {
  readonly terms: readonly string[];
  readonly postings: readonly Postings[];
  readonly documentCount: number;
}

/**
 * Terms of each document with their boosted frequencies over all fields.
 * `numberOf` gives a row of the segment's terms the number it has in the result, or -1 to leave it out. `isWanted` may leave out documents.
 */
export async function termRowsOf(
  columns: TermColumns,
  numberOf: (row: number) => number,
  isWanted: (document: number) => boolean,
  yielder: Yielder = new Yielder(undefined),
): Promise<TermRows> {
  const entries = new Entries();
  const frequencies = new Float32Array(columns.documentCount);
  const holders: number[] = [];
  for (let row = 0; row < columns.terms.length; row++) {
    const number = numberOf(row);
    if (number < 0) continue;
    forEachHolder(columns, row, (document, frequency) => {
      if (!isWanted(document)) return;
      if (frequencies[document] === 0) holders.push(document);
      frequencies[document] = (frequencies[document] as number) + frequency;
    });
    for (const document of holders) {
      entries.push(document, number, frequencies[document] as number);
      frequencies[document] = 0;
    }
    const pause = yielder.step(1 + holders.length);
    holders.length = 0;
    if (pause !== undefined) await pause;
  }
  return entries.byDocument(columns.documentCount, yielder);
}

/** A document that holds the term in several fields is visited for each. */
export function forEachHolder({ postings }: TermColumns, row: number, visit: (document: number, frequency: number) => void): void {
  for (const [field, name] of SEARCH_FIELDS.entries()) {
    const boost = MEANING_BOOSTS[name];
    const list = postings[field];
    if (boost === 0 || list === undefined) continue;
    for (let at = list.offsets[row] as number; at < (list.offsets[row + 1] as number); at++)
      visit(list.documents[at] as number, boost * (list.counts[at] as number));
  }
}

/** (document, term, frequency) in any order. */
class Entries {
  #length = 0;
  #documents = new Int32Array(4096);
  #terms = new Int32Array(4096);
  #frequencies = new Float32Array(4096);

  push(document: number, term: number, frequency: number): void {
    if (this.#length === this.#documents.length) {
      this.#documents = enlarged(this.#documents, new Int32Array(this.#length * 2));
      this.#terms = enlarged(this.#terms, new Int32Array(this.#length * 2));
      this.#frequencies = enlarged(this.#frequencies, new Float32Array(this.#length * 2));
    }
    this.#documents[this.#length] = document;
    this.#terms[this.#length] = term;
    this.#frequencies[this.#length++] = frequency;
  }

  /** Counting sort: terms of one document stay in the order of being added. */
  async byDocument(documentCount: number, yielder: Yielder): Promise<TermRows> {
    const starts = new Int32Array(documentCount + 1);
    for (let at = 0; at < this.#length; at++) {
      const next = (this.#documents[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let document = 0; document < documentCount; document++) starts[document + 1] = (starts[document + 1] as number) + (starts[document] as number);
    const places = starts.slice();
    const terms = new Int32Array(this.#length);
    const weights = new Float32Array(this.#length);
    await inBlocks(this.#length, yielder, (from, to) => {
      for (let at = from; at < to; at++) {
        const document = this.#documents[at] as number;
        const place = places[document] as number;
        places[document] = place + 1;
        terms[place] = this.#terms[at] as number;
        weights[place] = this.#frequencies[at] as number;
      }
    });
    return { starts, terms, weights };
  }
}

function enlarged<T extends Int32Array | Float32Array>(items: T, larger: T): T {
  larger.set(items);
  return larger;
}
