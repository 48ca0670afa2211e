import type { Steps } from '../base/steps';
import { seeded, shuffled } from './random';
import type { SimpleGraph } from './simpleGraph';

/** Two centralities from the same shortest paths, by place of the node. */
export interface PathCentrality {
  /** Share of the shortest paths between two others that pass through, 0 to 1. */
  readonly betweenness: Float32Array;
  /** Nearness to what can be reached, 0 to 1; scaled by the share that can be reached (Wasserman and Faust 1994). */
  readonly closeness: Float32Array;
}

export interface SampleOptions {
  /** Graphs of more places than this are measured from that many starting places, drawn by `seed`. */
  readonly maxSources: number;
  readonly seed: number;
}

/** Places walked through between two yields. */
const PLACES_PER_STEP = 2048;

/** The same where little is done for each. */
const CLEARED_PER_STEP = 32_768;

/**
 * Betweenness (Brandes 2001) and closeness, both from one breadth-first walk per source; lengths count hops.
 * Exact when all places are sources, else estimated from sampled ones (Brandes and Pich 2007).
 */
export function* pathCentralitySteps(graph: SimpleGraph, options: SampleOptions): Steps<PathCentrality> {
  const size = graph.starts.length - 1;
  const sources = shuffled(size, seeded(options.seed)).subarray(0, Math.min(size, options.maxSources));
  yield;
  const walk = new SourceWalk(graph);
  for (const source of sources) yield* walk.from(source);
  const scale = sources.length === 0 ? 0 : size / sources.length;
  const pairs = (size - 1) * (size - 2);
  const betweenness = new Float32Array(size);
  const closeness = new Float32Array(size);
  for (let place = 0; place < size; place++) {
    if (place % CLEARED_PER_STEP === CLEARED_PER_STEP - 1) yield;
    betweenness[place] = pairs <= 0 ? 0 : ((walk.through[place] ?? 0) * scale) / pairs;
    const length = walk.lengths[place] ?? 0;
    const others = Math.max(0, (walk.reached[place] ?? 0) * scale - 1);
    closeness[place] = length === 0 || size < 2 ? 0 : (others / (length * scale)) * (others / (size - 1));
  }
  return { betweenness, closeness };
}

/** Columns of one breadth-first walk, used again for each source. */
class SourceWalk {
  /** Sums over the sources walked from. */
  readonly through: Float64Array;
  readonly lengths: Float64Array;
  readonly reached: Int32Array;
  readonly #depths: Int32Array;
  readonly #paths: Float64Array;
  readonly #shares: Float64Array;
  readonly #order: Int32Array;

  constructor(private readonly graph: SimpleGraph) {
    const size = graph.starts.length - 1;
    this.through = new Float64Array(size);
    this.lengths = new Float64Array(size);
    this.reached = new Int32Array(size);
    this.#depths = new Int32Array(size).fill(-1);
    this.#paths = new Float64Array(size);
    this.#shares = new Float64Array(size);
    this.#order = new Int32Array(size);
  }

  /** Adds what one source tells. */
  *from(source: number): Steps<void> {
    const found = yield* this.#spread(source);
    for (let at = found - 1; at >= 0; at--) {
      if (at % PLACES_PER_STEP === 0) yield;
      const node = this.#order[at] ?? 0;
      this.#gather(node);
      if (node !== source) this.through[node] = (this.through[node] ?? 0) + (this.#shares[node] ?? 0);
    }
    for (let at = 0; at < found; at++) {
      if (at % CLEARED_PER_STEP === CLEARED_PER_STEP - 1) yield;
      const node = this.#order[at] ?? 0;
      this.lengths[node] = (this.lengths[node] ?? 0) + (this.#depths[node] ?? 0);
      this.reached[node] = (this.reached[node] ?? 0) + 1;
      this.#depths[node] = -1;
      this.#paths[node] = 0;
      this.#shares[node] = 0;
    }
  }

  /** Depths and numbers of shortest paths; returns how many places were reached, which `#order` lists. */
  *#spread(source: number): Steps<number> {
    const { starts, targets } = this.graph;
    const depths = this.#depths;
    const paths = this.#paths;
    depths[source] = 0;
    paths[source] = 1;
    this.#order[0] = source;
    let found = 1;
    for (let head = 0; head < found; head++) {
      if (head % PLACES_PER_STEP === PLACES_PER_STEP - 1) yield;
      const node = this.#order[head] ?? 0;
      const next = (depths[node] ?? 0) + 1;
      const count = paths[node] ?? 0;
      const end = starts[node + 1] ?? 0;
      for (let link = starts[node] ?? 0; link < end; link++) {
        const target = targets[link] ?? 0;
        if (depths[target] === -1) {
          depths[target] = next;
          this.#order[found++] = target;
        }
        if (depths[target] === next) paths[target] = (paths[target] ?? 0) + count;
      }
    }
    return found;
  }

  /** Hands the dependence of a place on to those one hop nearer to the source. */
  #gather(node: number): void {
    const { starts, targets } = this.graph;
    const depths = this.#depths;
    const before = (depths[node] ?? 0) - 1;
    const share = (1 + (this.#shares[node] ?? 0)) / (this.#paths[node] ?? 1);
    const end = starts[node + 1] ?? 0;
    for (let link = starts[node] ?? 0; link < end; link++) {
      const nearer = targets[link] ?? 0;
      if (depths[nearer] === before) this.#shares[nearer] = (this.#shares[nearer] ?? 0) + (this.#paths[nearer] ?? 0) * share;
    }
  }
}

/** Number of neighbors over the most there could be, 0 to 1. */
export function degreeCentrality({ starts }: SimpleGraph): Float32Array {
  const others = starts.length - 2;
  const degrees = new Float32Array(starts.length - 1);
  for (let node = 0; node < degrees.length; node++) degrees[node] = others < 1 ? 0 : ((starts[node + 1] ?? 0) - (starts[node] ?? 0)) / others;
  return degrees;
}
