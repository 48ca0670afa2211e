import type { Steps } from '../base/steps';
import { FIELD_COUNT, type LiveSegment, type Postings, type Segment } from './segment';

/** Raised when the tokenizer, the documents or the layout change: older columns are then rebuilt. */
export const SEARCH_COLUMNS_VERSION = 5;

/** The index as strings and typed arrays, for any serializer that keeps typed arrays. */
export interface SearchColumns {
  readonly version: number;
  readonly segments: readonly SegmentColumns[];
}

export interface SegmentColumns {
  /** Lists of texts, each followed by U+0000, which none of them holds; cut up into strings of at most `TEXTS_PER_PIECE` texts. */
  readonly ids: readonly string[];
  readonly terms: readonly string[];
  readonly names: readonly string[];
  readonly nameOffsets: Int32Array;
  readonly nameDocuments: Int32Array;
  readonly lengths: Uint16Array;
  readonly weights: Uint8Array;
  readonly postings: readonly Postings[];
  readonly dead: Uint8Array | null;
}

const END = '\u0000';
const TEXTS_PER_PIECE = 8192;

export function* columnsOf(segments: readonly LiveSegment[]): Steps<SearchColumns> {
  const columns: SegmentColumns[] = [];
  for (const { segment, dead } of segments) {
    columns.push({
      ids: yield* joined(segment.ids),
      terms: yield* joined(segment.terms),
      names: yield* joined(segment.names),
      nameOffsets: segment.nameOffsets,
      nameDocuments: segment.nameDocuments,
      lengths: segment.lengths,
      weights: segment.weights,
      postings: segment.postings,
      dead: dead ?? null,
    });
  }
  return { version: SEARCH_COLUMNS_VERSION, segments: columns };
}

/** `undefined` when they are of another version or do not fit together. The arrays are shared, not copied. */
export function* segmentsOf(columns: unknown): Steps<readonly LiveSegment[] | undefined> {
  if (!isRecord(columns) || columns['version'] !== SEARCH_COLUMNS_VERSION || !Array.isArray(columns['segments'])) return undefined;
  const segments: LiveSegment[] = [];
  for (const part of columns['segments'] as readonly unknown[]) {
    const live = isRecord(part) ? yield* liveSegmentOf(part) : undefined;
    if (live === undefined) return undefined;
    segments.push(live);
  }
  return segments;
}

function* liveSegmentOf(part: Readonly<Record<string, unknown>>): Steps<LiveSegment | undefined> {
  const { nameOffsets, nameDocuments, lengths, weights, postings, dead } = part;
  const ids = yield* textsOf(part['ids']);
  const terms = yield* textsOf(part['terms']);
  const names = yield* textsOf(part['names']);
  if (ids === undefined || ids.length === 0 || terms === undefined || names === undefined) return undefined;
  if (
    !(
      nameOffsets instanceof Int32Array &&
      nameDocuments instanceof Int32Array &&
      lengths instanceof Uint16Array &&
      weights instanceof Uint8Array &&
      Array.isArray(postings)
    )
  )
    return undefined;
  const rows = (postings as readonly unknown[]).map(row => postingsOf(row, terms.length));
  const isSound =
    nameOffsets.length === names.length + 1 &&
    nameDocuments.length === ids.length &&
    lengths.length === ids.length * FIELD_COUNT &&
    weights.length === ids.length &&
    rows.length === FIELD_COUNT;
  if (!isSound || rows.includes(undefined)) return undefined;
  if (dead !== null && !(dead instanceof Uint8Array && dead.length === ids.length)) return undefined;
  const segment: Segment = { ids, terms, names, nameOffsets, nameDocuments, lengths, weights, postings: rows.filter(row => row !== undefined) };
  return { segment, dead: dead ?? undefined, liveCount: ids.length - (dead?.reduce((sum, flag) => sum + flag, 0) ?? 0) };
}

function postingsOf(row: unknown, termCount: number): Postings | undefined {
  if (!isRecord(row)) return undefined;
  const { offsets, documents, counts } = row;
  if (!(offsets instanceof Int32Array && documents instanceof Int32Array && counts instanceof Uint8Array)) return undefined;
  const isSound = offsets.length === termCount + 1 && documents.length === counts.length && offsets[termCount] === documents.length;
  return isSound ? { offsets, documents, counts } : undefined;
}

function* joined(texts: readonly string[]): Steps<string[]> {
  const pieces: string[] = [];
  for (let from = 0; from < texts.length; from += TEXTS_PER_PIECE) {
    pieces.push(texts.slice(from, from + TEXTS_PER_PIECE).join(END) + END);
    yield undefined;
  }
  return pieces;
}

function* textsOf(pieces: unknown): Steps<readonly string[] | undefined> {
  if (!Array.isArray(pieces) || !pieces.every(piece => typeof piece === 'string')) return undefined;
  const texts: string[] = [];
  for (const piece of pieces) {
    for (const text of piece.slice(0, -1).split(END)) texts.push(text);
    yield undefined;
  }
  return texts;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
