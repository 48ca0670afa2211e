import type { StableId } from '../model/ids';
import { type LiveSegment, lowerBound, prefixEnd, type Segment } from './segment';
import { nameKey } from './tokenizer';

/** Of names with like letters and length the nearest are compared letter by letter: the answer stays below some milliseconds. */
const MAX_COMPARED = 4000;
/** More slips of the finger than this are another name. */
const MAX_DISTANCE = 3;

/** Letter sets of the names of a segment, made once. */
export type NameLetters = WeakMap<Segment, Int32Array>;

interface Candidate {
  readonly name: string;
  /** 0 equal, 1 one begins with the other, 2 close in spelling. */
  readonly rank: number;
  readonly distance: number;
}

/**
 * Ids of documents with a name like the given one, best first: equal but for case, then by common beginning,
 * then by edit distance (at most a quarter of its length, at most 3).
 */
export function suggestNames(segments: readonly LiveSegment[], letters: NameLetters, name: string, limit: number): readonly StableId[] {
  const key = nameKey(name);
  if (key === '' || limit <= 0) return [];
  const found = new Map<string, Candidate>();
  for (const { segment } of segments) addPrefixed(found, segment.names, key);
  const most = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(key.length / 4)));
  for (const other of similar(segments, letters, key, most)) {
    if (found.has(other)) continue;
    const distance = editDistance(key, other, most);
    if (distance <= most) found.set(other, { name: other, rank: 2, distance });
  }
  const ordered = [...found.values()].sort((a, b) => a.rank - b.rank || a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return idsOf(segments, ordered, limit);
}

/** Names whose letters and length allow the distance, those with the most common letters first. */
function similar(segments: readonly LiveSegment[], letters: NameLetters, key: string, most: number): readonly string[] {
  const wanted = lettersOf(key);
  const byDifference: string[][] = Array.from({ length: most * 2 + 1 }, () => []);
  for (const { segment } of segments) {
    const sets = lettersIn(segment, letters);
    for (let at = 0; at < sets.length; at++) {
      const difference = bitCount(wanted ^ (sets[at] as number));
      if (difference > most * 2) continue;
      const other = segment.names[at] as string;
      if (Math.abs(other.length - key.length) <= most) byDifference[difference]?.push(other);
    }
  }
  return byDifference.flatMap(names => [...new Set(names)].sort()).slice(0, MAX_COMPARED);
}

function lettersIn(segment: Segment, letters: NameLetters): Int32Array {
  let sets = letters.get(segment);
  if (sets === undefined) {
    sets = Int32Array.from(segment.names, lettersOf);
    letters.set(segment, sets);
  }
  return sets;
}

function addPrefixed(found: Map<string, Candidate>, names: readonly string[], key: string): void {
  const start = lowerBound(names, key);
  const end = prefixEnd(names, start, key);
  for (let at = start; at < end && at < start + MAX_COMPARED; at++) {
    const name = names[at] as string;
    found.set(name, { name, rank: name === key ? 0 : 1, distance: name.length - key.length });
  }
  for (let length = key.length - 1; length >= Math.max(3, key.length >> 1); length--) {
    const shorter = key.slice(0, length);
    if (names[lowerBound(names, shorter)] === shorter) found.set(shorter, { name: shorter, rank: 1, distance: key.length - length });
  }
}

function idsOf(segments: readonly LiveSegment[], candidates: readonly Candidate[], limit: number): readonly StableId[] {
  const ids: StableId[] = [];
  for (const { name } of candidates) {
    if (ids.length >= limit) break;
    const same: StableId[] = [];
    for (const { segment, dead } of segments) {
      const at = lowerBound(segment.names, name);
      if (segment.names[at] !== name) continue;
      for (let entry = segment.nameOffsets[at] as number; entry < (segment.nameOffsets[at + 1] as number); entry++) {
        const document = segment.nameDocuments[entry] as number;
        if (dead?.[document] !== 1) same.push(segment.ids[document] as StableId);
      }
    }
    ids.push(...same.sort());
  }
  return ids.slice(0, limit);
}

/** Which letters a key has, as bits. */
function lettersOf(key: string): number {
  let bits = 0;
  for (let at = 0; at < key.length; at++) bits |= 1 << (key.charCodeAt(at) & 31);
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Optimal string alignment distance (swapped neighbors count once), or more than `most` as soon as that is certain. */
export function editDistance(a: string, b: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const change = a.charCodeAt(row - 1) === b.charCodeAt(column - 1) ? 0 : 1;
      let cost = Math.min((last[column] as number) + 1, (current[column - 1] as number) + 1, (last[column - 1] as number) + change);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most + 1) return most + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] as number;
}
