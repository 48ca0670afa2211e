/**
 * 53-bit non-cryptographic hash of a string (two murmur-style 32-bit lanes, "cyrb53" construction), as 14 hex digits.
 * For change detection inside one process and its caches only; file contents are hashed with SHA-256 in the Node rooms.
 */
export function hashText(text: string): string {
  return hashRange(text, 0, text.length);
}

/** The same, as an unsigned 32-bit number. */
export function hashNumber(text: string): number {
  return Number.parseInt(hashText(text).slice(-8), 16);
}

/** `hashText` of `text.slice(start, end)` without the slice. */
export function hashRange(text: string, start: number, end: number): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return ((high >>> 0) & 0x1fffff).toString(16).padStart(6, '0') + (low >>> 0).toString(16).padStart(8, '0');
}
