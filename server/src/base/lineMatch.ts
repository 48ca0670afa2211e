/** Pairs of equal lines, in order, as `[index in a, index in b]`. */
export type LinePairs = readonly (readonly [number, number])[];

/** Edits beyond which the middle of two texts counts as rewritten: a merge then sees more conflicts, never fewer. */
const MAX_EDITS = 2_000;

/**
 * Longest common subsequence of lines after E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with common ends cut off first.
 * Memory and time grow with the square of the edits, which are bounded.
 */
export function matchLines(a: readonly string[], b: readonly string[]): LinePairs {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < start; i++) pairs.push([i, i]);
  for (const [i, j] of myers(a.slice(start, a.length - tail), b.slice(start, b.length - tail))) pairs.push([i + start, j + start]);
  for (let i = tail; i > 0; i--) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

function myers(a: readonly string[], b: readonly string[]): [number, number][] {
  const bound = Math.min(a.length + b.length, MAX_EDITS);
  const offset = bound + 1;
  const reach = new Int32Array(2 * bound + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= bound; edits++) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reach, offset + k - 1) < at(reach, offset + k + 1));
      let x = down ? at(reach, offset + k + 1) : at(reach, offset + k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[offset + k] = x;
      if (x >= a.length && x - k >= b.length) return backtrack(trace, offset, a.length, b.length);
    }
  }
  return [];
}

function backtrack(trace: readonly Int32Array[], offset: number, aLength: number, bLength: number): [number, number][] {
  const pairs: [number, number][] = [];
  let x = aLength;
  let y = bLength;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] ?? new Int32Array();
    const k = x - y;
    const down = k === -edits || (k !== edits && at(reach, offset + k - 1) < at(reach, offset + k + 1));
    const before = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : at(reach, offset + before);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    x = fromX;
    y = fromY;
  }
  return pairs.reverse();
}

function at(column: Int32Array, index: number): number {
  return column[index] ?? 0;
}
