import { diffArrays } from 'diff';

/** Pairs of equal lines, in order, as `[index in a, index in b]`. */
export type LinePairs = readonly (readonly [number, number])[];

/** Edits beyond which the middle of two texts counts as rewritten: a merge then sees more conflicts, never fewer. */
const MAX_EDITS = 2_000;

/** A longest common subsequence of lines, with common ends cut off first. Time grows with the edits, which are bounded, times the lines. */
export function matchLines(a: readonly string[], b: readonly string[]): LinePairs {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < start; i++) pairs.push([i, i]);
  for (const [i, j] of matchMiddle(a.slice(start, a.length - tail), b.slice(start, b.length - tail))) pairs.push([i + start, j + start]);
  for (let i = tail; i > 0; i--) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

function matchMiddle(a: string[], b: string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  for (const { added, count, removed } of diffArrays(a, b, { maxEditLength: MAX_EDITS }) ?? []) {
    for (let row = 0; !added && !removed && row < count; row++) pairs.push([i + row, j + row]);
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}
