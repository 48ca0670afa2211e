import { PERSONAL_RANK, personalRankSteps } from '../../algorithms/personalRank';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { SearchHit } from '../../search/searchView';
import { STEP_WEIGHTS } from '../shared/links';
import { byRank } from '../shared/rows';
import { isSymbol } from './relevance';

/** Hits that the walk restarts at, and nodes that are ranked. */
const SEEDS = 10;
const MAX_RANKED = 300;

/**
 * How near code is to the best hits over all links, 0 to 1 over the nearest, best first: what several of them lead to, also over several steps, through files,
 * types and tests (personalized PageRank).
 */
export async function linkedToHits(graph: GraphView, hits: readonly SearchHit[], pause: () => Promise<void>): Promise<ReadonlyMap<NodeHandle, number>> {
  const seeds: NodeHandle[] = [];
  for (const { id } of hits) {
    const node = graph.find(id);
    if (seeds.length < SEEDS && node !== undefined && isSymbol(graph, node) && !graph.isTest(node)) seeds.push(node);
  }
  const { backward, forward, live } = graph.adjacency;
  const options = { ...PERSONAL_RANK, limit: MAX_RANKED, weights: STEP_WEIGHTS };
  const steps = personalRankSteps([forward, backward], live, seeds, options, byRank(graph));
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await pause();
  const { nodes, scores } = step.value;
  const most = scores[0] ?? 1;
  const linked = new Map<NodeHandle, number>();
  nodes.forEach((node, at) => linked.set(node, (scores[at] ?? 0) / most));
  return linked;
}
