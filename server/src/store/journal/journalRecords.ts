import { crcHex } from '../checksum';

/** One line of a journal segment. `payload`, `key` and `result` are plain JSON. */
export interface JournalRecord {
  readonly seq: number;
  /** Epoch milliseconds; strictly increasing per project, also when the clock is set back. */
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
  readonly records: readonly JournalRecord[];
  /** Bytes of the intact records at the start. */
  readonly goodBytes: number;
  /** `torn`: the last write did not end, so nobody was told it succeeded. `damaged`: something that was acknowledged may be lost. */
  readonly state: 'whole' | 'torn' | 'damaged';
}

/** Reads records up to the first that is not intact. Total: any bytes give an answer. */
export function readSegment(bytes: Uint8Array): SegmentContent {
  const records: JournalRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0) return { records, goodBytes: start, state: 'torn' };
    const record = decodeRecord(bytes, start, newline);
    if (record === undefined) return { records, goodBytes: start, state: 'damaged' };
    records.push(record);
    start = newline + 1;
  }
  return { records, goodBytes: start, state: 'whole' };
}
