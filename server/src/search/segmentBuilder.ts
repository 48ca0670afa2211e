import type { StableId } from '../model/ids';
import { SEARCH_FIELDS, type SearchDocument } from './searchView';
import { BESIDE_BIT, FIELD_COUNT, noTotals, OWN_FIELD_COUNT, type Postings, type Segment } from './segment';
import { nameKey } from './tokenizer';
import { TermBuffer, WordTable } from './wordTable';
import { inBlocks, sortedTexts, type Yielder } from './yielder';

/** Fields of prose and code, where stop words only cost. */
const WITHOUT_STOP_WORDS: ReadonlySet<string> = new Set(['doc', 'body', 'remarks', 'text', 'history']);

/** Collects documents and makes one segment of them. An id must not be added twice. */
export class SegmentBuilder {
  readonly #ids: StableId[] = [];
  readonly #names = new Map<string, number[]>();
  readonly #words = new WordTable();
  readonly #lengths = new GrowingLengths();
  readonly #weights: number[] = [];
  readonly #fields = SEARCH_FIELDS.map(() => new FieldEntries());
  /** As `totalsOf` would count them in the segment. */
  readonly totals: number[] = noTotals();

  get size(): number {
    return this.#ids.length;
  }

  add(document: SearchDocument): void {
    const position = this.#ids.length;
    this.#ids.push(document.id);
    const key = nameKey(document.name);
    const named = this.#names.get(key);
    if (named === undefined) this.#names.set(key, [position]);
    else named.push(position);
    const { isBeside = false, weight = 1 } = document;
    this.#weights.push(Math.round(weight * 100) + (isBeside ? BESIDE_BIT : 0));
    const ownOnly = isPartOfFile(document.id);
    for (const [field, name] of SEARCH_FIELDS.entries()) {
      const text = ownOnly && field >= OWN_FIELD_COUNT ? '' : (document[name] ?? '');
      this.#addField(position, field, text, WITHOUT_STOP_WORDS.has(name));
    }
  }

  async build(yielder: Yielder): Promise<Segment> {
    const numbers = this.#words.terms;
    const terms = await sortedTexts([...numbers.keys()], yielder);
    const rankOf = new Int32Array(terms.length);
    await inBlocks(terms.length, yielder, (from, to) => {
      for (let rank = from; rank < to; rank++) rankOf[numbers.get(terms[rank] as string) ?? 0] = rank;
    });
    const postings: Postings[] = [];
    for (const entries of this.#fields) postings.push(await entries.toPostings(rankOf, yielder));
    return {
      ids: this.#ids,
      terms,
      ...(await nameColumns(this.#names, this.#ids.length, yielder)),
      lengths: this.#lengths.take(),
      weights: Uint8Array.from(this.#weights),
      postings,
    };
  }

  #addField(position: number, field: number, text: string, withoutStopWords: boolean): void {
    const entries = this.#fields[field] as FieldEntries;
    const terms = entries.terms;
    if (text !== entries.text) {
      terms.length = 0;
      if (text !== '') this.#words.read(text, withoutStopWords, terms);
      entries.text = text;
    }
    const length = Math.min(terms.length, 65_535);
    this.#lengths.push(length);
    if (length === 0) return;
    entries.add(position, terms);
    this.totals[field] = (this.totals[field] as number) + length;
    this.totals[FIELD_COUNT + field] = (this.totals[FIELD_COUNT + field] as number) + 1;
  }
}

/** Whether an id is that of something in a file, not of the file. */
export function isPartOfFile(id: StableId): boolean {
  return id.includes('::');
}

/** Name columns of a segment from documents by name key. */
export async function nameColumns(
  byName: ReadonlyMap<string, readonly number[]>,
  documentCount: number,
  yielder: Yielder,
): Promise<Pick<Segment, 'names' | 'nameOffsets' | 'nameDocuments'>> {
  const names = await sortedTexts([...byName.keys()], yielder);
  const nameOffsets = new Int32Array(names.length + 1);
  const nameDocuments = new Int32Array(documentCount);
  let end = 0;
  await inBlocks(names.length, yielder, (from, to) => {
    for (let rank = from; rank < to; rank++) {
      for (const document of byName.get(names[rank] as string) ?? []) nameDocuments[end++] = document;
      nameOffsets[rank + 1] = end;
    }
  });
  return { names, nameOffsets, nameDocuments };
}

/** (document, term, count) of one field in order of documents. */
class FieldEntries {
  /** The text read last and its terms: members of one class share their scope. */
  text = '';
  readonly terms = new TermBuffer();
  #length = 0;
  #documents: Int32Array<ArrayBuffer> = new Int32Array(4096);
  #terms: Int32Array<ArrayBuffer> = new Int32Array(4096);
  #counts: Uint8Array<ArrayBuffer> = new Uint8Array(4096);
  /** Last entry of each term, plus one. */
  #lastEntry: Int32Array<ArrayBuffer> = new Int32Array(4096);

  add(document: number, terms: TermBuffer): void {
    const start = this.#length;
    if (start + terms.length > this.#terms.length) this.#enlarge(start + terms.length);
    for (let at = 0; at < terms.length; at++) {
      const term = terms.items[at] as number;
      if (term >= this.#lastEntry.length) this.#lastEntry = enlarged(this.#lastEntry, new Int32Array(Math.max(term + 1, this.#lastEntry.length * 2)));
      const entry = (this.#lastEntry[term] as number) - 1;
      if (entry >= start) {
        const count = this.#counts[entry] as number;
        if (count < 255) this.#counts[entry] = count + 1;
        continue;
      }
      this.#terms[this.#length] = term;
      this.#documents[this.#length] = document;
      this.#counts[this.#length++] = 1;
      this.#lastEntry[term] = this.#length;
    }
  }

  #enlarge(least: number): void {
    const size = Math.max(least, this.#terms.length * 2);
    this.#terms = enlarged(this.#terms, new Int32Array(size));
    this.#documents = enlarged(this.#documents, new Int32Array(size));
    this.#counts = enlarged(this.#counts, new Uint8Array(size));
  }

  /** Counting sort by the rank of the term; documents stay ascending. */
  async toPostings(rankOf: Int32Array, yielder: Yielder): Promise<Postings> {
    const length = this.#length;
    const terms = this.#terms;
    const offsets = new Int32Array(rankOf.length + 1);
    await inBlocks(length, yielder, (from, to) => {
      for (let entry = from; entry < to; entry++) {
        const rank = rankOf[terms[entry] as number] as number;
        offsets[rank + 1] = (offsets[rank + 1] as number) + 1;
      }
    });
    for (let rank = 0; rank < rankOf.length; rank++) offsets[rank + 1] = (offsets[rank + 1] as number) + (offsets[rank] as number);
    const next = offsets.slice();
    const documents = new Int32Array(length);
    const counts = new Uint8Array(length);
    await inBlocks(length, yielder, (from, to) => {
      for (let entry = from; entry < to; entry++) {
        const rank = rankOf[terms[entry] as number] as number;
        const at = next[rank] as number;
        next[rank] = at + 1;
        documents[at] = this.#documents[entry] as number;
        counts[at] = this.#counts[entry] as number;
      }
    });
    return { offsets, documents, counts };
  }
}

class GrowingLengths {
  #items: Uint16Array<ArrayBuffer> = new Uint16Array(1024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#items.length) this.#items = enlarged(this.#items, new Uint16Array(this.#length * 2));
    this.#items[this.#length++] = value;
  }

  take(): Uint16Array {
    return this.#items.slice(0, this.#length);
  }
}

function enlarged<T extends Int32Array | Uint16Array | Uint8Array>(items: T, larger: T): T {
  larger.set(items);
  return larger;
}
