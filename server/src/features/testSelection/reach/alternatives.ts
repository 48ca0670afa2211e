/** Calls that may run one of several methods of a name. */
import type { GraphView } from '../../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import { NO_NODE, type NodeHandle, nodeHandle } from '../../../model/ids';
import { relationCode } from '../../../model/relations';
import { nameOf } from './cases';

const FULL = 200;

/** By how much less each target of a possible call counts for one test, which seldom has the call run all of them; 1 for certain calls. */
export function alternatives(graph: GraphView, link: number, caller: NodeHandle, target: NodeHandle): number {
  if (!isPossible(graph.adjacency.backward.confidences[link])) return 1;
  let known = COUNTS.get(graph);
  if (known === undefined) COUNTS.set(graph, (known = new Map()));
  let count = known.get(link);
  if (count === undefined) known.set(link, (count = countOf(graph, caller, nameOf(graph, target))));
  return Math.sqrt(Math.max(1, count));
}

/** By link: walks over one graph come to the same calls again and again. */
const COUNTS = new WeakMap<GraphView, Map<number, number>>();

function countOf(graph: GraphView, caller: NodeHandle, name: string): number {
  const { forward, live } = graph.adjacency;
  let count = 0;
  const end = forward.ends[caller] ?? 0;
  for (let other = forward.starts[caller] ?? 0; other < end; other++) {
    const node = nodeHandle(forward.targets[other] ?? NO_NODE);
    if (forward.relations[other] !== relationCode.CALLS || !isPossible(forward.confidences[other]) || live[node] !== 1) continue;
    if (nameOf(graph, node) === name) count++;
  }
  return count;
}

function isPossible(confidence = 0): boolean {
  return confidence / FULL < FACT_CONFIDENCE;
}
