import type { Steps } from '../base/steps';
import type { Rows } from './rows';

/**
 * An undirected graph without loops or parallel links over a few nodes of a larger one, which it numbers 0, 1, 2… in the order given.
 * Row of place `p` is `starts[p]` to `starts[p + 1]`, ascending by target.
 */
export interface SimpleGraph {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
  /** Sum of the parallel links, both directions together; whole numbers, so that sums do not depend on their order. */
  readonly weights: Float64Array;
}

const NODES_PER_STEP = 512;
/** Weights are counted in thousandths. */
const UNIT = 1000;

/** The undirected simple projection of `nodes`. Links whose kind weighs nothing are left out. In steps of a few milliseconds. */
export function* simpleGraphSteps(halves: readonly Rows[], nodes: Int32Array, size: number, weights: Float64Array): Steps<SimpleGraph> {
  const place = new Int32Array(size).fill(-1);
  yield;
  for (let at = 0; at < nodes.length; at++) place[nodes[at] ?? 0] = at;
  const whole = weights.map(weight => Math.round(weight * UNIT));
  const starts = new Int32Array(nodes.length + 1);
  const sums = new Float64Array(nodes.length);
  let targets = new Int32Array(Math.max(16, nodes.length * 8));
  let length = 0;
  let strengths = new Float64Array(targets.length);
  for (let at = 0; at < nodes.length; at++) {
    if (at % NODES_PER_STEP === NODES_PER_STEP - 1) yield;
    const node = nodes[at] ?? 0;
    const first = length;
    for (const rows of halves) {
      const end = rows.ends[node] ?? 0;
      for (let link = rows.starts[node] ?? 0; link < end; link++) {
        const other = place[rows.targets[link] ?? 0] ?? -1;
        const weight = whole[rows.relations[link] ?? 0] ?? 0;
        if (other < 0 || other === at || weight === 0) continue;
        if (sums[other] === 0) {
          if (length === targets.length) targets = grown(targets, new Int32Array(length * 2));
          targets[length++] = other;
        }
        sums[other] = (sums[other] ?? 0) + weight;
      }
    }
    if (strengths.length < targets.length) strengths = grown(strengths, new Float64Array(targets.length));
    targets.subarray(first, length).sort();
    for (let link = first; link < length; link++) {
      const other = targets[link] ?? 0;
      strengths[link] = sums[other] ?? 0;
      sums[other] = 0;
    }
    starts[at + 1] = length;
  }
  yield;
  return { starts, targets: targets.subarray(0, length), weights: strengths.subarray(0, length) };
}

function grown<T extends Int32Array | Float64Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
