import type { Rows } from './rows';

export interface PageRankOptions {
  /** Weight of a link by its kind (indexed by code); 0 leaves it out. Parallel links add up. */
  readonly weights: Float64Array;
  /** Share of rank that follows links; the rest restarts. */
  readonly damping: number;
  readonly maxIterations: number;
  /** Stops when the scores move by less than this in sum. */
  readonly tolerance: number;
}

/**
 * PageRank (Brin and Page 1998) by power iteration. Scores of live nodes sum to 1; dead ends give their rank to the restart.
 * `seeds` undefined restarts anywhere (global), else uniformly on the seeds (personalised). All zero without live nodes or seeds.
 */
export function pageRank(halves: readonly Rows[], live: Uint8Array, seeds: readonly number[] | undefined, options: PageRankOptions): Float64Array {
  const size = live.length;
  const restart = restartOf(live, seeds);
  if (restart.length === 0) return new Float64Array(size);
  const strength = outgoingWeight(halves, live, options.weights);
  let rank = new Float64Array(size);
  for (const node of restart) rank[node] = 1 / restart.length;
  let next = new Float64Array(size);
  for (let iteration = 0; iteration < options.maxIterations; iteration++) {
    next.fill(0);
    const kept = spread(halves, live, options, { rank, next, strength });
    const base = (1 - kept) / restart.length;
    for (const node of restart) next[node] = (next[node] ?? 0) + base;
    let moved = 0;
    for (let node = 0; node < size; node++) moved += Math.abs((next[node] ?? 0) - (rank[node] ?? 0));
    [rank, next] = [next, rank];
    if (moved < options.tolerance) break;
  }
  return rank;
}

interface Vectors {
  readonly rank: Float64Array;
  readonly next: Float64Array;
  readonly strength: Float64Array;
}

/** One step along the links; returns how much rank followed them. */
function spread(halves: readonly Rows[], live: Uint8Array, options: PageRankOptions, { rank, next, strength }: Vectors): number {
  const { weights, damping } = options;
  let kept = 0;
  for (let node = 0; node < live.length; node++) {
    const total = strength[node] ?? 0;
    const own = rank[node] ?? 0;
    if (total === 0 || own === 0) continue;
    const share = (damping * own) / total;
    kept += damping * own;
    for (const rows of halves) {
      const end = rows.ends[node] ?? 0;
      for (let link = rows.starts[node] ?? 0; link < end; link++) {
        const target = rows.targets[link] ?? 0;
        if (live[target] === 1) next[target] = (next[target] ?? 0) + share * (weights[rows.relations[link] ?? 0] ?? 0);
      }
    }
  }
  return kept;
}

function restartOf(live: Uint8Array, seeds: readonly number[] | undefined): number[] {
  if (seeds !== undefined) return [...new Set(seeds)].filter(seed => live[seed] === 1);
  const all: number[] = [];
  for (let node = 0; node < live.length; node++) if (live[node] === 1) all.push(node);
  return all;
}

function outgoingWeight(halves: readonly Rows[], live: Uint8Array, weights: Float64Array): Float64Array {
  const strength = new Float64Array(live.length);
  for (let node = 0; node < live.length; node++) {
    if (live[node] !== 1) continue;
    let total = 0;
    for (const rows of halves) {
      const end = rows.ends[node] ?? 0;
      for (let link = rows.starts[node] ?? 0; link < end; link++) {
        if (live[rows.targets[link] ?? 0] === 1) total += weights[rows.relations[link] ?? 0] ?? 0;
      }
    }
    strength[node] = total;
  }
  return strength;
}
