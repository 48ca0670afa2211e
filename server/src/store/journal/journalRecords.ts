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
  /** Bytes from the start up to which everything is known: intact, or damaged in records that are covered. */
  readonly goodBytes: number;
  /** `torn`: the last write did not end, so nobody was told it succeeded. `damaged`: something that was acknowledged may be lost. */
  readonly state: 'whole' | 'torn' | 'damaged';
  /** First byte of damage that cost nothing, since what it hit is covered; absent when there is none. */
  readonly coveredDamageAt?: number;
}

/**
 * Reads records up to the first that is not intact. Damage in records up to `coveredSeq`, which a saved view contains, is passed over.
 * Total: any bytes give an answer.
 */
export function readSegment(bytes: Uint8Array, coveredSeq = 0): SegmentContent {
  const records: JournalRecord[] = [];
  let coveredDamageAt: number | undefined;
  let start = 0;
  const content = (state: SegmentContent['state']): SegmentContent => ({
    records,
    goodBytes: start,
    state,
    ...(coveredDamageAt === undefined ? {} : { coveredDamageAt }),
  });
  while (start < bytes.length) {
    const found = recordAt(bytes, start);
    if (found === undefined) {
      const next = nextIntact(bytes, start);
      const isCovered = next === undefined ? linesFrom(bytes, start) <= coveredAfter(records, coveredSeq) : next.seq <= coveredSeq + 1;
      if (!isCovered) return content(next === undefined && bytes.indexOf(NEWLINE, start) < 0 ? 'torn' : 'damaged');
      coveredDamageAt ??= start;
      start = next?.start ?? bytes.length;
      continue;
    }
    records.push(found.record);
    start = Math.min(found.end, bytes.length);
  }
  return content('whole');
}

function linesFrom(bytes: Uint8Array, start: number): number {
  let lines = 0;
  for (let at = start; at >= 0 && at < bytes.length; lines++) at = bytes.indexOf(NEWLINE, at) + 1 || bytes.length;
  return lines;
}

/** How many records after the intact ones are covered; of a segment without an intact one it is known of a single record only. */
function coveredAfter(records: readonly JournalRecord[], coveredSeq: number): number {
  const last = records.at(-1);
  return last === undefined ? Math.min(1, coveredSeq) : coveredSeq - last.seq;
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

/** The first intact record after the line in which `start` stands. */
function nextIntact(bytes: Uint8Array, start: number): { readonly start: number; readonly seq: number } | undefined {
  for (let newline = bytes.indexOf(NEWLINE, start); newline >= 0; newline = bytes.indexOf(NEWLINE, newline + 1)) {
    const found = recordAt(bytes, newline + 1);
    if (found !== undefined) return { start: newline + 1, seq: found.record.seq };
  }
  return undefined;
}

/** Records are numbered without a gap: the numbers after `lastSeq` that are missing between these were there once. */
export function missingBetween(lastSeq: number, records: readonly JournalRecord[]): readonly { readonly first: number; readonly last: number }[] {
  const missing: { readonly first: number; readonly last: number }[] = [];
  let newest = lastSeq;
  for (const { seq } of records) {
    if (seq > newest + 1) missing.push({ first: newest + 1, last: seq - 1 });
    newest = Math.max(newest, seq);
  }
  return missing;
}
