import type { StableId } from '../model/ids';
import { OWN_FIELDS, SEARCH_FIELDS } from './searchView';

export const FIELD_COUNT = SEARCH_FIELDS.length;
/** Fields from this one on are those of files. */
export const OWN_FIELD_COUNT = OWN_FIELDS.length;
/** Bit of `weights` for tests and the like; the others are hundredths. */
export const BESIDE_BIT = 128;

/** Which documents hold a term in one field, as compressed rows: row `t` of term `t`, documents ascending. */
export interface Postings {
  readonly offsets: Int32Array;
  readonly documents: Int32Array;
  /** How often the document holds the term, at most 255. */
  readonly counts: Uint8Array;
}

/** Immutable part of the index. A document is its position in `ids`. */
export interface Segment {
  readonly ids: readonly StableId[];
  /** Sorted by UTF-16 code units, each once. */
  readonly terms: readonly string[];
  /** Name keys, sorted by UTF-16 code units, each once. */
  readonly names: readonly string[];
  /** Documents of name `n`: `nameDocuments` from `nameOffsets[n]` to `nameOffsets[n + 1]`, ascending. */
  readonly nameOffsets: Int32Array;
  readonly nameDocuments: Int32Array;
  /** Tokens per document and field, `FIELD_COUNT` per document, at most 65,535. */
  readonly lengths: Uint16Array;
  /** What each document counts in hundredths, with `BESIDE_BIT`. */
  readonly weights: Uint8Array;
  /** By field. */
  readonly postings: readonly Postings[];
}

/** Vectors of unit length of the documents of one segment. */
export interface SegmentVectors {
  readonly model: string;
  readonly dimension: number;
  /** `dimension` numbers per document, in steps of the document's scale. */
  readonly rows: Int8Array;
  /** 0 for a document that has no vector (yet). */
  readonly scales: Float32Array;
}

/** A segment and which of its documents are no longer there. Immutable: a removal makes a new one. */
export interface LiveSegment {
  readonly segment: Segment;
  /** 1 for dead documents; absent while all live. */
  readonly dead: Uint8Array | undefined;
  readonly liveCount: number;
  /** Absent as long as no model was given. */
  readonly vectors?: SegmentVectors | undefined;
}

/** By field the sum of lengths; after them, by field, the number of documents that have it. */
export function noTotals(): number[] {
  return Array.from({ length: 2 * FIELD_COUNT }, () => 0);
}

/** Position of `text` in a sorted list, or of the first that follows it. */
export function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** `-1` when it is not there. */
export function positionOf(sorted: readonly string[], text: string): number {
  const at = lowerBound(sorted, text);
  return sorted[at] === text ? at : -1;
}

/** End of the run of entries from `start` on that begin with `prefix`. */
export function prefixEnd(sorted: readonly string[], start: number, prefix: string): number {
  let low = start;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string).startsWith(prefix)) low = middle + 1;
    else high = middle;
  }
  return low;
}
