import type { Rows } from './rows';

export interface PersonalRankOptions {
  /** Weight of a step by the kind of link (indexed by code); 0 leaves it out. Parallel links add up. */
  readonly weights: Readonly<Float64Array>;
  readonly damping: number;
  readonly iterations: number;
  /** Share of the highest score below which nodes are left out. */
  readonly cut: number;
  readonly limit: number;
}

/** Graph spec section 7. */
export const PERSONAL_RANK = { damping: 0.85, iterations: 20, cut: 0.01, limit: 50 } as const;

export interface PersonalRank {
  /** Highest score first, then by `compare`. */
  readonly nodes: Int32Array;
  readonly scores: Float64Array;
}

/** Scores are told in steps of this fraction, so that the order in which sums were made does not decide. */
const STEPS = 1e9;
/** Rank that would give each neighbour less than this is not passed on, which keeps the walk near its seeds; it is far below the cut. */
const TOO_LITTLE = 5e-6;

/**
 * Personalised PageRank (Page et al. 1999) along all given halves, restarting uniformly on the seeds; dead ends return to them.
 * Only nodes that rank reaches are looked at, so the cost follows the surroundings of the seeds, not the graph.
 */
export function personalRank(
  halves: readonly Rows[],
  live: Uint8Array,
  seeds: Iterable<number>,
  options: PersonalRankOptions,
  compare: (a: number, b: number) => number,
): PersonalRank {
  const steps = personalRankSteps(halves, live, seeds, options, compare);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** `personalRank` in steps of about a millisecond, for callers that must let others run in between. */
export function* personalRankSteps(
  halves: readonly Rows[],
  live: Uint8Array,
  seeds: Iterable<number>,
  options: PersonalRankOptions,
  compare: (a: number, b: number) => number,
): Generator<undefined, PersonalRank, undefined> {
  const restart = [...new Set(seeds)].filter(seed => live[seed] === 1);
  if (restart.length === 0) return { nodes: new Int32Array(0), scores: new Float64Array(0) };
  const size = live.length;
  let rank = new Float64Array(size);
  let next = new Float64Array(size);
  const links = new CountingLinks(halves, live, options.weights);
  const reached = restart.slice();
  const isReached = new Uint8Array(size);
  for (const seed of restart) {
    rank[seed] = 1 / restart.length;
    isReached[seed] = 1;
  }
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    let dead = 0;
    for (let at = 0, known = reached.length; at < known; at++) {
      const node = reached[at] ?? 0;
      const moving = options.damping * (rank[node] ?? 0);
      const total = links.strengthOf(node);
      if (total === 0) dead += moving;
      else if (moving > TOO_LITTLE * total) links.passOn(node, moving / total, next, reached, isReached);
    }
    const back = (1 - options.damping + dead) / restart.length;
    for (const seed of restart) next[seed] = (next[seed] ?? 0) + back;
    [rank, next] = [next, rank];
    for (let at = 0; at < reached.length; at++) next[reached[at] ?? 0] = 0;
    yield;
  }
  for (const node of reached) rank[node] = Math.round((rank[node] ?? 0) * STEPS) / STEPS;
  const top = reached.reduce((max, node) => Math.max(max, rank[node] ?? 0), 0);
  const least = top * options.cut;
  const best = reached.filter(node => (rank[node] ?? 0) >= least).sort((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0) || compare(a, b));
  const nodes = Int32Array.from(best.slice(0, options.limit));
  return { nodes, scores: Float64Array.from(nodes, node => rank[node] ?? 0) };
}

/** The links that carry rank, with their weights: found out once for each node that rank reaches, since all iterations pass over the same ones. */
class CountingLinks {
  readonly #targets: number[] = [];
  readonly #weights: number[] = [];
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  /** -1 as long as it is not known. */
  readonly #strength: Float64Array;

  constructor(
    private readonly halves: readonly Rows[],
    private readonly live: Uint8Array,
    private readonly weights: Readonly<Float64Array>,
  ) {
    this.#starts = new Int32Array(live.length).fill(-1);
    this.#ends = new Int32Array(live.length);
    this.#strength = new Float64Array(live.length).fill(-1);
  }

  /** Sum of the weights of a node's links. */
  strengthOf(node: number): number {
    const known = this.#strength[node] ?? 0;
    if (known !== -1) return known;
    let total = 0;
    for (const { ends, relations, starts, targets } of this.halves) {
      const end = ends[node] ?? 0;
      for (let link = starts[node] ?? 0; link < end; link++) if (this.live[targets[link] ?? 0] === 1) total += this.weights[relations[link] ?? 0] ?? 0;
    }
    this.#strength[node] = total;
    return total;
  }

  passOn(node: number, share: number, next: Float64Array, reached: number[], isReached: Uint8Array): void {
    if (this.#starts[node] === -1) this.#collect(node);
    const targets = this.#targets;
    const weights = this.#weights;
    const end = this.#ends[node] ?? 0;
    for (let link = this.#starts[node] ?? 0; link < end; link++) {
      const target = targets[link] as number;
      next[target] = (next[target] as number) + share * (weights[link] as number);
      if (isReached[target] === 1) continue;
      isReached[target] = 1;
      reached.push(target);
    }
  }

  #collect(node: number): void {
    this.#starts[node] = this.#targets.length;
    for (const { ends, relations, starts, targets } of this.halves) {
      const end = ends[node] ?? 0;
      for (let link = starts[node] ?? 0; link < end; link++) {
        const target = targets[link] ?? 0;
        const weight = this.weights[relations[link] ?? 0] ?? 0;
        if (weight === 0 || this.live[target] !== 1) continue;
        this.#targets.push(target);
        this.#weights.push(weight);
      }
    }
    this.#ends[node] = this.#targets.length;
  }
}
