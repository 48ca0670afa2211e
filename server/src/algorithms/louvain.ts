import type { Steps } from '../base/steps';
import type { SimpleGraph } from './simpleGraph';

/** How large communities become, and where the search starts. */
export interface LouvainOptions {
  /** Below 1 gives larger groups, above 1 smaller ones. */
  readonly resolution: number;
  /** By place: those with less move first. Unsigned 32-bit numbers without a pattern, so that an edit leaves the order of all others as it is. */
  readonly priorities: ArrayLike<number>;
}

export interface Grouping {
  /** Group of each place. Groups are numbered by their first place. */
  readonly of: Int32Array;
  readonly count: number;
}

/** A graph between groups: like the simple graph, with the weight that stays inside each group. */
interface Level extends SimpleGraph {
  /** Twice the weight of the links inside. */
  readonly inner: Float64Array;
  readonly priorities: ArrayLike<number>;
}

const MOVES_PER_STEP = 1024;
/** Places gone through between two steps where little is done for each. */
const PLACES_PER_STEP = 16_384;
/** Gains below this are rounding. */
const EPSILON = 1e-9;

/**
 * Groups by modularity: Louvain (Blondel et al. 2008), moving only nodes whose surroundings changed (Traag et al. 2019).
 * A group that is not connected inside is split into its parts, so every group is connected. Places without links are groups of their own.
 */
export function* louvainSteps(graph: SimpleGraph, options: LouvainOptions): Steps<Grouping> {
  let level: Level = { ...graph, inner: new Float64Array(graph.starts.length - 1), priorities: options.priorities };
  const of = new Int32Array(graph.starts.length - 1);
  for (let place = 0; place < of.length; place++) of[place] = place;
  for (;;) {
    const moved = yield* moveAll(level, options.resolution);
    if (moved.count === moved.of.length) break;
    for (let place = 0; place < of.length; place++) of[place] = moved.of[of[place] ?? 0] ?? 0;
    yield;
    level = yield* condensed(level, moved);
  }
  return yield* connectedParts(graph, of);
}

/** Moves each node to the neighboring group that gains most, until none gains. */
function* moveAll(level: Level, resolution: number): Steps<Grouping> {
  const { starts, targets, inner } = level;
  const size = inner.length;
  const group = new Int32Array(size);
  for (let place = 0; place < size; place++) group[place] = place;
  const degrees = yield* degreesOf(level);
  let all = 0;
  for (let place = 0; place < size; place++) all += degrees[place] ?? 0;
  if (all === 0) return { of: group, count: size };
  const choice: Choice = { group, degrees, totals: degrees.slice(), pull: resolution / all, links: new Float64Array(size), near: [] };
  yield;
  const queue = yield* inOrder(level.priorities, size);
  yield;
  const waits = new Uint8Array(size).fill(1);
  let head = 0;
  for (let waiting = size, moves = 1; waiting > 0; waiting--, moves++) {
    if (moves % MOVES_PER_STEP === 0) yield;
    const node = queue[head] ?? 0;
    head = head + 1 === size ? 0 : head + 1;
    waits[node] = 0;
    if (!moveOne(level, choice, node)) continue;
    const end = starts[node + 1] ?? 0;
    for (let link = starts[node] ?? 0; link < end; link++) {
      const other = targets[link] ?? 0;
      if (waits[other] === 1 || group[other] === group[node]) continue;
      waits[other] = 1;
      queue[(head + waiting - 1) % size] = other;
      waiting++;
    }
  }
  return numbered(group);
}

/** Places below this fit into a number beside a priority of 32 bits. */
const MAX_PLACES = 2 ** 21;

/** Places by priority, then as they are: sorted piece by piece, then merged. */
function* inOrder(priorities: ArrayLike<number>, size: number): Steps<Int32Array> {
  const order = new Int32Array(size);
  if (size > MAX_PLACES) {
    for (let place = 0; place < size; place++) order[place] = place;
    return order;
  }
  let keys = new Float64Array(size);
  for (let from = 0; from < size; from += PLACES_PER_STEP) {
    const end = Math.min(size, from + PLACES_PER_STEP);
    for (let place = from; place < end; place++) keys[place] = (priorities[place] ?? 0) * MAX_PLACES + place;
    keys.subarray(from, end).sort();
    yield;
  }
  let other = new Float64Array(size);
  for (let width = PLACES_PER_STEP; width < size; width *= 2) {
    yield* mergeRuns(keys, other, width);
    [keys, other] = [other, keys];
  }
  for (let place = 0; place < size; place++) order[place] = (keys[place] ?? 0) % MAX_PLACES;
  return order;
}

/** One pass of a merge sort: runs of `width` that are sorted become runs of twice as many. */
function* mergeRuns(keys: Float64Array, into: Float64Array, width: number): Steps<void> {
  for (let from = 0; from < keys.length; from += 2 * width) {
    const middle = Math.min(keys.length, from + width);
    const end = Math.min(keys.length, middle + width);
    let left = from;
    let right = middle;
    for (let at = from; at < end; at++) {
      if (at % PLACES_PER_STEP === 0) yield;
      const takesLeft = left < middle && (right >= end || (keys[left] ?? 0) <= (keys[right] ?? 0));
      into[at] = takesLeft ? (keys[left++] ?? 0) : (keys[right++] ?? 0);
    }
  }
}

interface Choice {
  readonly group: Int32Array;
  readonly degrees: Float64Array;
  /** Sum of the degrees in each group. */
  readonly totals: Float64Array;
  /** Resolution over the sum of all degrees. */
  readonly pull: number;
  /** Zero between uses: weight from one node to each group. */
  readonly links: Float64Array;
  readonly near: number[];
}

/** Moves one node where it gains most; false when it stays. */
function moveOne({ starts, targets, weights }: Level, { group, degrees, totals, pull, links, near }: Choice, node: number): boolean {
  const own = group[node] ?? 0;
  const end = starts[node + 1] ?? 0;
  for (let link = starts[node] ?? 0; link < end; link++) {
    const other = group[targets[link] ?? 0] ?? 0;
    if (links[other] === 0) near.push(other);
    links[other] = (links[other] ?? 0) + (weights[link] ?? 0);
  }
  const degree = degrees[node] ?? 0;
  totals[own] = (totals[own] ?? 0) - degree;
  let best = own;
  let gain = (links[own] ?? 0) - pull * degree * (totals[own] ?? 0);
  for (const other of near) {
    const better = (links[other] ?? 0) - pull * degree * (totals[other] ?? 0);
    if (better <= gain + EPSILON) continue;
    best = other;
    gain = better;
  }
  for (const other of near) links[other] = 0;
  near.length = 0;
  totals[best] = (totals[best] ?? 0) + degree;
  group[node] = best;
  return best !== own;
}

function* degreesOf({ starts, weights, inner }: Level): Steps<Float64Array> {
  const degrees = inner.slice();
  for (let node = 0; node < degrees.length; node++) {
    if (node % PLACES_PER_STEP === 0) yield;
    let degree = degrees[node] ?? 0;
    const end = starts[node + 1] ?? 0;
    for (let link = starts[node] ?? 0; link < end; link++) degree += weights[link] ?? 0;
    degrees[node] = degree;
  }
  return degrees;
}

/** One node per group. */
function* condensed(level: Level, { of, count }: Grouping): Steps<Level> {
  const members = membersOf(of, count);
  const inner = new Float64Array(count);
  const starts = new Int32Array(count + 1);
  const targets: number[] = [];
  const weights: number[] = [];
  const sums = new Float64Array(count);
  const priorities = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (let place = 0; place < of.length; place++) {
    if (place % PLACES_PER_STEP === PLACES_PER_STEP - 1) yield;
    const group = of[place] ?? 0;
    priorities[group] = Math.min(priorities[group] ?? 0, level.priorities[place] ?? 0);
  }
  for (let group = 0; group < count; group++) {
    if (group % MOVES_PER_STEP === MOVES_PER_STEP - 1) yield;
    const first = targets.length;
    let inside = 0;
    for (let at = members.starts[group] ?? 0; at < (members.starts[group + 1] ?? 0); at++) {
      const node = members.places[at] ?? 0;
      inside += level.inner[node] ?? 0;
      for (let link = level.starts[node] ?? 0; link < (level.starts[node + 1] ?? 0); link++) {
        const other = of[level.targets[link] ?? 0] ?? 0;
        const weight = level.weights[link] ?? 0;
        if (other === group) inside += weight;
        else {
          if (sums[other] === 0) targets.push(other);
          sums[other] = (sums[other] ?? 0) + weight;
        }
      }
    }
    inner[group] = inside;
    for (let link = first; link < targets.length; link++) {
      const other = targets[link] ?? 0;
      weights.push(sums[other] ?? 0);
      sums[other] = 0;
    }
    starts[group + 1] = targets.length;
  }
  yield;
  const targetColumn = Int32Array.from(targets);
  yield;
  return { starts, targets: targetColumn, weights: Float64Array.from(weights), inner, priorities };
}

/** Splits groups into what is connected inside them. */
function* connectedParts({ starts, targets }: SimpleGraph, of: Int32Array): Steps<Grouping> {
  const part = new Int32Array(of.length).fill(-1);
  const queue = new Int32Array(of.length);
  let count = 0;
  let visited = 0;
  for (let seed = 0; seed < of.length; seed++) {
    if (part[seed] !== -1) continue;
    part[seed] = count;
    queue[0] = seed;
    for (let head = 0, tail = 1; head < tail; head++) {
      if (++visited % PLACES_PER_STEP === 0) yield;
      const node = queue[head] ?? 0;
      for (let link = starts[node] ?? 0; link < (starts[node + 1] ?? 0); link++) {
        const other = targets[link] ?? 0;
        if (part[other] !== -1 || of[other] !== of[node]) continue;
        part[other] = count;
        queue[tail++] = other;
      }
    }
    count++;
  }
  return { of: part, count };
}

/** Groups renumbered by their first place. */
function numbered(of: Int32Array): Grouping {
  const numbers = new Int32Array(of.length).fill(-1);
  let count = 0;
  const renamed = new Int32Array(of.length);
  for (let place = 0; place < of.length; place++) {
    const group = of[place] ?? 0;
    if (numbers[group] === -1) numbers[group] = count++;
    renamed[place] = numbers[group] ?? 0;
  }
  return { of: renamed, count };
}

/** Places by group, ascending. */
function membersOf(of: Int32Array, count: number): { readonly starts: Int32Array; readonly places: Int32Array } {
  const starts = new Int32Array(count + 1);
  for (const group of of) starts[group + 1] = (starts[group + 1] ?? 0) + 1;
  for (let group = 0; group < count; group++) starts[group + 1] = (starts[group + 1] ?? 0) + (starts[group] ?? 0);
  const next = starts.slice();
  const places = new Int32Array(of.length);
  for (let place = 0; place < of.length; place++) {
    const group = of[place] ?? 0;
    const at = next[group] ?? 0;
    places[at] = place;
    next[group] = at + 1;
  }
  return { starts, places };
}

/** Modularity of a grouping at a resolution (Newman 2004; Reichardt and Bornholdt 2006): 0 without links. */
export function modularity({ starts, targets, weights }: SimpleGraph, of: Int32Array, resolution = 1): number {
  const totals = new Float64Array(of.length);
  let inside = 0;
  let all = 0;
  for (let node = 0; node < of.length; node++) {
    const group = of[node] ?? 0;
    for (let link = starts[node] ?? 0; link < (starts[node + 1] ?? 0); link++) {
      const weight = weights[link] ?? 0;
      all += weight;
      totals[group] = (totals[group] ?? 0) + weight;
      if (of[targets[link] ?? 0] === group) inside += weight;
    }
  }
  if (all === 0) return 0;
  return totals.reduce((sum, total) => sum - resolution * (total / all) ** 2, inside / all);
}
