import { crcHex } from '../checksum';

/** One line of a journal segment. `payload`, `key` and `result` are plain JSON. */
export interface JournalRecord {
  readonly seq: number;
  /** Epoch milliseconds; see `nextTimestamp`. */
  readonly ts: number;
  readonly kind: string;
  readonly payload: unknown;
  /** Idempotency key: a record whose key is known already is not carried out again. */
  readonly key?: string;
  /** What a retry with the same key is answered. */
  readonly result?: unknown;
}

/** Kind of a record whose payload is a list of `{ kind, payload }`, carried out whole or not at all. */
export const BATCH_KIND = 'batch';

const CHECKSUM_START = ',"crc":"';
const CHECKSUM_BYTES = CHECKSUM_START.length + 8 + 2;
const NEWLINE = 10;

export function encodeRecord(record: JournalRecord): Uint8Array {
  const body = Buffer.from(JSON.stringify(record).slice(0, -1), 'utf8');
  return Buffer.concat([body, Buffer.from(`${CHECKSUM_START}${crcHex(body)}"}\n`, 'latin1')]);
}

/** The record of `bytes[start, end)` (without its line break), or `undefined` when it is not intact. */
export function decodeRecord(bytes: Uint8Array, start: number, end: number): JournalRecord | undefined {
  const bodyEnd = end - CHECKSUM_BYTES;
  if (bodyEnd <= start) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.toString('latin1', bodyEnd, end) !== `${CHECKSUM_START}${crcHex(bytes, start, bodyEnd)}"}`) return undefined;
  return JSON.parse(`${view.toString('utf8', start, bodyEnd)}}`) as JournalRecord;
}

export interface SegmentContent {
  /** Every intact record, in order of place. */
  readonly records: readonly JournalRecord[];
  /** First byte of each stretch that is no record and is followed by a line break or a record. */
  readonly damagedAt: readonly number[];
  /** Where the file ends in something unfinished: as a write leaves it that did not end. */
  readonly tornAt?: number;
  /** Lines that the damage at the end of the file may have been, the unfinished one included; 0 when a record comes last. */
  readonly linesAtEnd: number;
}

/** Reads every intact record, also behind damage: each carries its own checksum and number. Total: any bytes give an answer. */
export function readSegment(bytes: Uint8Array): SegmentContent {
  const records: JournalRecord[] = [];
  const damagedAt: number[] = [];
  let start = 0;
  while (start < bytes.length) {
    const found = recordAt(bytes, start);
    if (found !== undefined) {
      records.push(found.record);
      start = Math.min(found.end, bytes.length);
      continue;
    }
    const next = nextIntact(bytes, start);
    if (next === undefined) return { records, ...endOf(bytes, start, damagedAt) };
    damagedAt.push(start);
    start = next;
  }
  return { records, damagedAt, linesAtEnd: 0 };
}

/** What follows the last intact record. */
function endOf(bytes: Uint8Array, start: number, damagedAt: readonly number[]): Omit<SegmentContent, 'records'> {
  const isTorn = bytes.indexOf(NEWLINE, start) < 0;
  const linesAtEnd = linesFrom(bytes, start);
  return isTorn ? { damagedAt, tornAt: start, linesAtEnd } : { damagedAt: [...damagedAt, start], linesAtEnd };
}

function linesFrom(bytes: Uint8Array, start: number): number {
  let lines = 0;
  for (let at = start; at >= 0 && at < bytes.length; lines++) at = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
  return lines;
}

/** The record that begins here, and where the next one does. Its checksum ends it, also where the line break was damaged. */
function recordAt(bytes: Uint8Array, start: number): { readonly record: JournalRecord; readonly end: number } | undefined {
  const newline = bytes.indexOf(NEWLINE, start);
  const record = newline < 0 ? undefined : decodeRecord(bytes, start, newline);
  if (record !== undefined) return { record, end: newline + 1 };
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, newline < 0 ? bytes.length : newline);
  for (let checksum = view.indexOf(CHECKSUM_START, start); checksum >= 0; checksum = view.indexOf(CHECKSUM_START, checksum + 1)) {
    const end = checksum + CHECKSUM_BYTES;
    const intact = end <= view.length ? decodeRecord(bytes, start, end) : undefined;
    if (intact !== undefined) return { record: intact, end: end + 1 };
  }
  return undefined;
}

/** Where the first intact record after the line in which `start` stands begins. */
function nextIntact(bytes: Uint8Array, start: number): number | undefined {
  for (let newline = bytes.indexOf(NEWLINE, start); newline >= 0; newline = bytes.indexOf(NEWLINE, newline + 1)) {
    if (recordAt(bytes, newline + 1) !== undefined) return newline + 1;
  }
  return undefined;
}
