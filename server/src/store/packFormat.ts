import { runAtOnce, type Steps } from '../base/steps';
import { crc32 } from './checksum';

/**
 * A pack is a first line `lattice-pack 1 <version>\n`, then records:
 * magic (4 bytes), key length (2), value length (4), CRC of the value (4), CRC of the 14 bytes before and the key (4), key in UTF-8, value.
 * All numbers are little-endian. A later record of a key replaces an earlier one.
 */
export interface PackRecord {
  /** Of the value, in bytes from the start of the file. */
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

export const PACK_HEADER_BYTES = 18;
const MAGIC = 0x4b50_544c;
/** Some milliseconds of work. */
const RECORDS_PER_STEP = 1000;
const MAGIC_BYTES = Buffer.from('LTPK', 'latin1');

export function packFileHeader(version: string): Uint8Array {
  return Buffer.from(`lattice-pack 1 ${version}\n`);
}

export function encodePackRecord(key: string, value: Uint8Array): { readonly head: Uint8Array; readonly value: Uint8Array; readonly crc: number } {
  const name = Buffer.from(key, 'utf8');
  const head = Buffer.alloc(PACK_HEADER_BYTES + name.length);
  const crc = crc32(value);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt16LE(name.length, 4);
  head.writeUInt32LE(value.length, 6);
  head.writeUInt32LE(crc, 10);
  name.copy(head, PACK_HEADER_BYTES);
  head.writeUInt32LE(headCrc(head, 0, name.length), 14);
  return { head, value, crc };
}

export interface PackScan {
  readonly index: Map<string, PackRecord>;
  readonly problems: readonly string[];
  /** There is no pack of this version: start with `packFileHeader`. */
  readonly hopeless: boolean;
  /** Damaged bytes lie between sound records. */
  readonly hasHoles: boolean;
  /** Where the next record goes; what lies behind it is unusable. */
  readonly endBytes: number;
}

/** Finds the records by their heads; values are checked when they are read. Total: any bytes give an answer. */
export function* scanPack(bytes: Uint8Array | undefined, version: string): Steps<PackScan> {
  const header = packFileHeader(version);
  const fresh = (problems: readonly string[]): PackScan => ({ index: new Map(), problems, hopeless: true, hasHoles: false, endBytes: header.length });
  if (bytes === undefined) return fresh([]);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!view.subarray(0, header.length).equals(header)) {
    return fresh(view.toString('latin1', 0, 15) === 'lattice-pack 1 ' ? [] : ['it is not a pack. It was deleted and will be rebuilt.']);
  }
  return yield* scanRecords(view, header.length);
}

/** What is wrong with a pack of any version, values included. */
export function checkPack(bytes: Uint8Array): readonly string[] {
  const version = /^lattice-pack 1 ([^\n]*)\n/.exec(Buffer.from(bytes.subarray(0, 200)).toString('utf8'))?.[1];
  if (version === undefined) return ['it is not a pack.'];
  const { index, problems } = runAtOnce(scanPack(bytes, version));
  const damaged = [...index].filter(([, { offset, length, crc }]) => crc32(bytes, offset, offset + length) !== crc);
  return [...problems, ...damaged.map(([key]) => `the value of ${key} is damaged.`)];
}

function* scanRecords(view: Buffer, start: number): Steps<PackScan> {
  const index = new Map<string, PackRecord>();
  const problems: string[] = [];
  let hasHoles = false;
  let at = start;
  while (at < view.length) {
    const record = recordAt(view, at);
    if (record !== undefined) {
      index.set(record.key, record);
      at = record.offset + record.length;
      if (index.size % RECORDS_PER_STEP === 0) yield undefined;
      continue;
    }
    const next = nextRecord(view, at + 1);
    if (next === undefined) {
      problems.push(`its last ${view.length - at} bytes are incomplete and were dropped.`);
      break;
    }
    hasHoles = true;
    problems.push(`${next - at} bytes at ${at} are damaged; they were skipped.`);
    at = next;
  }
  return { index, problems, hopeless: false, hasHoles, endBytes: at };
}

function recordAt(view: Buffer, at: number): (PackRecord & { readonly key: string }) | undefined {
  if (at + PACK_HEADER_BYTES > view.length || view.readUInt32LE(at) !== MAGIC) return undefined;
  const keyLength = view.readUInt16LE(at + 4);
  const length = view.readUInt32LE(at + 6);
  const offset = at + PACK_HEADER_BYTES + keyLength;
  if (offset + length > view.length || view.readUInt32LE(at + 14) !== headCrc(view, at, keyLength)) return undefined;
  return { key: view.toString('utf8', at + PACK_HEADER_BYTES, offset), offset, length, crc: view.readUInt32LE(at + 10) };
}

function nextRecord(view: Buffer, from: number): number | undefined {
  for (let at = view.indexOf(MAGIC_BYTES, from); at >= 0; at = view.indexOf(MAGIC_BYTES, at + 1)) if (recordAt(view, at) !== undefined) return at;
  return undefined;
}

function headCrc(bytes: Uint8Array, at: number, keyLength: number): number {
  return (crc32(bytes, at, at + 14) ^ crc32(bytes, at + PACK_HEADER_BYTES, at + PACK_HEADER_BYTES + keyLength)) >>> 0;
}
