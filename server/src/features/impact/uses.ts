import { accepts } from '../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import { dependencyLinks } from '../shared/links';
import { withMembers } from '../shared/members';

/** How many nodes a symbol or its members use directly, themselves and, where they are no tests, tests left out; the same in hovers, the explanation and the graph. */
export interface UseCounts {
  readonly certain: number;
  /** How many of the certain ones are outside the workspace. */
  readonly outside: number;
  readonly possible: number;
}

const ALL = dependencyLinks('all');
const FACT = encodeConfidence(FACT_CONFIDENCE);

export function usesOf(graph: GraphView, node: NodeHandle): UseCounts {
  const { forward, live } = graph.adjacency;
  const own = new Set(withMembers(graph, node));
  const inTest = [...own].some(part => graph.isTest(part));
  const surest = new Map<NodeHandle, number>();
  for (const part of own) {
    const end = forward.ends[part] ?? 0;
    for (let link = forward.starts[part] ?? 0; link < end; link++) {
      const other = forward.targets[link] ?? NO_NODE;
      if (live[other] !== 1 || own.has(other) || !accepts(forward, link, ALL) || (!inTest && graph.isTest(other))) continue;
      surest.set(other, Math.max(surest.get(other) ?? 0, forward.confidences[link] ?? 0));
    }
  }
  const certain = [...surest].filter(([, confidence]) => confidence >= FACT).map(([other]) => other);
  return { certain: certain.length, outside: certain.filter(other => graph.kindOf(other) === 'external').length, possible: surest.size - certain.length };
}
