import type { Steps } from '../base/steps';
import type { Rows } from './rows';

/** Weights and bounds of a PageRank. */
export interface PageRankOptions {
  /** Weight of a link by its kind (indexed by code); 0 leaves it out. Parallel links add up. */
  readonly weights: Float64Array;
  /** Share of rank that follows links; the rest restarts. */
  readonly damping: number;
  readonly maxIterations: number;
  /** Stops when the scores move by less than this in sum. */
  readonly tolerance: number;
  /** The live nodes, when the caller has them: work is in proportion to these. */
  readonly nodes?: Int32Array;
  /** Scores to start from instead of the restart; may be shorter, is scaled to sum to 1. */
  readonly initial?: Float64Array;
}

const NODES_PER_STEP = 8192;

/**
 * PageRank (Brin and Page 1998) by power iteration. Scores of live nodes sum to 1; dead ends give their rank to the restart.
 * `seeds` undefined restarts anywhere (global), else uniformly on the seeds (personalized). All zero without live nodes or seeds.
 */
export function pageRank(halves: readonly Rows[], live: Uint8Array, seeds: readonly number[] | undefined, options: PageRankOptions): Float64Array {
  const steps = pageRankSteps(halves, live, seeds, options);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** `pageRank` in steps of about a millisecond, for callers that must yield in between. */
export function* pageRankSteps(halves: readonly Rows[], live: Uint8Array, seeds: readonly number[] | undefined, options: PageRankOptions): Steps<Float64Array> {
  const size = live.length;
  const nodes = options.nodes ?? liveNodes(live);
  const restart = seeds === undefined ? nodes : Int32Array.from(new Set(seeds)).filter(seed => live[seed] === 1);
  let rank = new Float64Array(size);
  if (restart.length === 0) return rank;
  const within = options.nodes === undefined ? halves : halves.map(rows => linksAmong(rows, live, nodes, options.weights));
  yield;
  const strength = yield* outgoingWeight(within, live, nodes, options.weights);
  start(rank, nodes, restart, options.initial);
  let next = new Float64Array(size);
  for (let iteration = 0; iteration < options.maxIterations; iteration++) {
    for (let at = 0; at < nodes.length; at++) next[nodes[at] ?? 0] = 0;
    let kept = 0;
    for (const rows of within) {
      for (let from = 0; from < nodes.length; from += NODES_PER_STEP) {
        kept = spread(rows, live, nodes.subarray(from, from + NODES_PER_STEP), options, { rank, next, strength }, kept);
        yield;
      }
    }
    const base = (1 - kept) / restart.length;
    for (let at = 0; at < restart.length; at++) {
      const node = restart[at] ?? 0;
      next[node] = (next[node] ?? 0) + base;
    }
    let moved = 0;
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at] ?? 0;
      moved += Math.abs((next[node] ?? 0) - (rank[node] ?? 0));
    }
    yield;
    [rank, next] = [next, rank];
    if (moved < options.tolerance) break;
  }
  return rank;
}

function start(rank: Float64Array, nodes: Int32Array, restart: Int32Array, initial: Float64Array | undefined): void {
  let sum = 0;
  for (const node of nodes) sum += initial?.[node] ?? 0;
  if (initial === undefined || sum === 0) for (const node of restart) rank[node] = 1 / restart.length;
  else for (const node of nodes) rank[node] = (initial[node] ?? 0) / sum;
}

interface Vectors {
  readonly rank: Float64Array;
  readonly next: Float64Array;
  readonly strength: Float64Array;
}

/** One step along the links of some nodes in one half; adds to `before` how much rank followed them. */
function spread(rows: Rows, live: Uint8Array, nodes: Int32Array, options: PageRankOptions, { rank, next, strength }: Vectors, before: number): number {
  const { weights, damping } = options;
  const { starts, ends, targets, relations } = rows;
  let kept = before;
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] ?? 0;
    const total = strength[node] ?? 0;
    const own = rank[node] ?? 0;
    if (total === 0 || own === 0) continue;
    const share = (damping * own) / total;
    const end = ends[node] ?? 0;
    for (let link = starts[node] ?? 0; link < end; link++) {
      const target = targets[link] ?? 0;
      if (live[target] !== 1) continue;
      const part = share * (weights[relations[link] ?? 0] ?? 0);
      next[target] = (next[target] ?? 0) + part;
      kept += part;
    }
  }
  return kept;
}

/** The links of some nodes that count and lead to live ones, in their order: a hub's other links are then passed over once, not in each iteration. */
function linksAmong(rows: Rows, live: Uint8Array, nodes: Int32Array, weights: Float64Array): Rows {
  const starts = new Int32Array(live.length);
  const ends = new Int32Array(live.length);
  const kept: number[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] ?? 0;
    starts[node] = kept.length;
    const end = rows.ends[node] ?? 0;
    for (let link = rows.starts[node] ?? 0; link < end; link++) {
      if (live[rows.targets[link] ?? 0] === 1 && (weights[rows.relations[link] ?? 0] ?? 0) > 0) kept.push(link);
    }
    ends[node] = kept.length;
  }
  const targets = Int32Array.from(kept, link => rows.targets[link] ?? 0);
  const relations = Uint8Array.from(kept, link => rows.relations[link] ?? 0);
  return { starts, ends, targets, relations, confidences: new Uint8Array(0) };
}

function liveNodes(live: Uint8Array): Int32Array {
  const nodes = new Int32Array(live.length);
  let count = 0;
  for (let node = 0; node < live.length; node++) if (live[node] === 1) nodes[count++] = node;
  return nodes.subarray(0, count);
}

function* outgoingWeight(halves: readonly Rows[], live: Uint8Array, nodes: Int32Array, weights: Float64Array): Steps<Float64Array> {
  const strength = new Float64Array(live.length);
  for (const { starts, ends, targets, relations } of halves) {
    for (let at = 0; at < nodes.length; at++) {
      if (at % NODES_PER_STEP === NODES_PER_STEP - 1) yield;
      const node = nodes[at] ?? 0;
      let total = strength[node] ?? 0;
      const end = ends[node] ?? 0;
      for (let link = starts[node] ?? 0; link < end; link++) {
        if (live[targets[link] ?? 0] === 1) total += weights[relations[link] ?? 0] ?? 0;
      }
      strength[node] = total;
    }
  }
  return strength;
}
