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
  const restart = [...new Set(seeds)].filter(seed => live[seed] === 1);
  if (restart.length === 0) return { nodes: new Int32Array(0), scores: new Float64Array(0) };
  const size = live.length;
  let rank = new Float64Array(size);
  let next = new Float64Array(size);
  const strength = new Float64Array(size).fill(-1);
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
      if (strength[node] === -1) strength[node] = strengthOf(halves, live, node, options.weights);
      const total = strength[node] ?? 0;
      if (total === 0) dead += moving;
      else if (moving > TOO_LITTLE * total) for (const rows of halves) passOn(rows, live, node, moving / total, options.weights, { next, reached, isReached });
    }
    const back = (1 - options.damping + dead) / restart.length;
    for (const seed of restart) next[seed] = (next[seed] ?? 0) + back;
    [rank, next] = [next, rank];
    for (const node of reached) next[node] = 0;
  }
  for (const node of reached) rank[node] = Math.round((rank[node] ?? 0) * STEPS) / STEPS;
  const top = reached.reduce((max, node) => Math.max(max, rank[node] ?? 0), 0);
  const least = top * options.cut;
  const best = reached.filter(node => (rank[node] ?? 0) >= least).sort((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0) || compare(a, b));
  const nodes = Int32Array.from(best.slice(0, options.limit));
  return { nodes, scores: Float64Array.from(nodes, node => rank[node] ?? 0) };
}

interface Frontier {
  readonly next: Float64Array;
  readonly reached: number[];
  readonly isReached: Uint8Array;
}

function passOn(rows: Rows, live: Uint8Array, node: number, share: number, weights: Readonly<Float64Array>, { next, reached, isReached }: Frontier): void {
  const { targets, relations } = rows;
  const end = rows.ends[node] ?? 0;
  for (let link = rows.starts[node] ?? 0; link < end; link++) {
    const target = targets[link] ?? 0;
    const weight = weights[relations[link] ?? 0] ?? 0;
    if (weight === 0 || live[target] !== 1) continue;
    next[target] = (next[target] ?? 0) + share * weight;
    if (isReached[target] === 1) continue;
    isReached[target] = 1;
    reached.push(target);
  }
}

function strengthOf(halves: readonly Rows[], live: Uint8Array, node: number, weights: Readonly<Float64Array>): number {
  let total = 0;
  for (const { starts, ends, targets, relations } of halves) {
    const end = ends[node] ?? 0;
    for (let link = starts[node] ?? 0; link < end; link++) if (live[targets[link] ?? 0] === 1) total += weights[relations[link] ?? 0] ?? 0;
  }
  return total;
}
