import { OWN_FIELDS } from '../searchView';
import { FIELD_COUNT, type LiveSegment } from '../segment';
import type { SearchSettings } from '../settings';

const NAME = OWN_FIELDS.indexOf('name');
const DOC = OWN_FIELDS.indexOf('doc');

/**
 * How much of what the query says is said by the comment of a document, or by its name where it has no comment.
 *
 * A comment that shares some words with the query is no sign that the document is meant: the comment of what is meant says nearly all of it.
 * So what has no comment is not to fall behind what has one; its name says what it does. Working memory of 9 bytes per document.
 */
export class QueryCoverage {
  /** Words of the name that the query has, or says in another way. */
  readonly names: Uint8Array;
  /** Inverse document frequencies, as one, of the query's terms that are in the comment. */
  readonly comments: Float64Array;

  constructor(size: number) {
    this.names = new Uint8Array(size);
    this.comments = new Float64Array(size);
  }

  /** Notes a term of the query as it stands in the index. */
  note(live: LiveSegment, row: number, idf: number): void {
    if (row < 0) return;
    this.noteName(live, row);
    const { dead, segment } = live;
    const { documents, offsets } = segment.postings[DOC] as (typeof segment.postings)[number];
    const end = offsets[row + 1] as number;
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const document = documents[entry] as number;
      if (dead?.[document] !== 1) this.comments[document] = (this.comments[document] as number) + idf;
    }
  }

  /** Notes a word that names use for one of the query's. */
  noteName({ dead, segment }: LiveSegment, row: number): void {
    if (row < 0) return;
    const { counts, documents, offsets } = segment.postings[NAME] as (typeof segment.postings)[number];
    const end = offsets[row + 1] as number;
    for (let entry = offsets[row] as number; entry < end; entry++) {
      const document = documents[entry] as number;
      if (dead?.[document] !== 1) this.names[document] = Math.min(255, (this.names[document] as number) + (counts[entry] as number));
    }
  }

  /** What the document's own score is multiplied by, 1 at least; `queryWeight` is the sum of the inverse document frequencies of the query's terms. */
  worth(document: number, lengths: Uint16Array, queryWeight: number, { commentWorth, nameWorth }: SearchSettings): number {
    const fields = document * FIELD_COUNT;
    if ((lengths[fields + DOC] as number) > 0) {
      const share = queryWeight === 0 ? 0 : (this.comments[document] as number) / queryWeight;
      return 1 + commentWorth * share * share * share * share;
    }
    // A name of several parts is in the index as a whole as well.
    const parts = Math.max(1, (lengths[fields + NAME] as number) - 1);
    return 1 + nameWorth * Math.min(1, (this.names[document] as number) / parts);
  }
}
