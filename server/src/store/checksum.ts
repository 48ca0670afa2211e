import { crc32 as nativeCrc32 } from 'node:zlib';

/** CRC-32 (IEEE 802.3, reflected). Detects damage, not malice. Node has it from 20.15 on, ten times as fast; before that by slicing four bytes at a time. */
export function crc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const native = nativeCrc32 as typeof nativeCrc32 | undefined;
  return native === undefined ? slicedCrc32(bytes, start, end) : native(bytes.subarray(start, end));
}

/** For Node before 20.15. */
export function slicedCrc32(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const [first, second, third, fourth] = TABLES;
  let crc = 0xffffffff;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    crc ^= (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    crc = (fourth[crc & 0xff] as number) ^ (third[(crc >>> 8) & 0xff] as number) ^ (second[(crc >>> 16) & 0xff] as number) ^ (first[crc >>> 24] as number);
  }
  for (; at < end; at++) crc = (first[(crc ^ (bytes[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The checksum as eight lower-case hex digits. */
export function crcHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return crc32(bytes, start, end).toString(16).padStart(8, '0');
}

const TABLES = tables();

function tables(): readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array] {
  const first = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    first[byte] = crc;
  }
  const after = (previous: Uint32Array): Uint32Array => previous.map(crc => (first[crc & 0xff] as number) ^ (crc >>> 8));
  const second = after(first);
  const third = after(second);
  return [first, second, third, after(third)];
}
