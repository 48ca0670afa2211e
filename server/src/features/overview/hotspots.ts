import { z } from 'zod';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { nodeHandle } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import type { PastChanges } from '../../workspace/pastChanges';
import { churnOf } from '../impact/churn';
import { usersOf } from '../impact/impactFigures';
import { centralityOf, rowOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape } from '../shared/shape';

export const hotspotShape = shape(() =>
  object({
    ...symbolRowShape().shape,
    centrality: z.number(),
    /** Changes in the last year × complexity × users: the number that hotspots are in order of. 0 for what no commit changed. */
    score: z.number(),
    /** *Users*: what depends on it or its members directly, tests apart. */
    dependents: z.number(),
    /** Commits of the last year of history that changed it; absent where past commits are not known. */
    changes: optional(z.number()),
    /** Decisions in its body, and 1 (McCabe 1976); 0 for what has no body. */
    complexity: z.number(),
  }),
);
export type Hotspot = Shaped<typeof hotspotShape>;

const YEAR_S = 365 * 24 * 3600;
/** Candidates whose users are counted, for each row. */
const LOOKED_AT = 4;

interface Candidate {
  readonly node: NodeHandle;
  readonly heat: number;
}

/**
 * Where a change costs most: symbols by changes in the last year of history × complexity × users. What no commit changed comes after, most used of the
 * central ones first; without history that is all. Functions and types only: no tests, no constructors, no values.
 */
export function hotspotsOf(graph: GraphView, limit: number, changes: PastChanges | undefined): Hotspot[] {
  const since = (changes?.commits[0]?.time ?? 0) - YEAR_S;
  const hot = changes === undefined ? [] : hotOnes(graph, changes, since, limit);
  const row = ({ dependents, heat, node }: Spot): Hotspot => ({
    ...rowOf(graph.node(node)),
    score: heat * dependents,
    centrality: Math.round(centralityOf(graph, node) * 1e4) / 1e4,
    dependents,
    ...(changes === undefined ? {} : { changes: churnOf(changes, graph.idOf(node), since) }),
    complexity: graph.node(node).complexity,
  });
  const listed = new Set(hot.map(({ node }) => node));
  const central = centralOnes(graph, limit).filter(({ node }) => !listed.has(node));
  return [...hot, ...central].slice(0, limit).map(row);
}

interface Spot extends Candidate {
  readonly dependents: number;
}

function hotOnes(graph: GraphView, changes: PastChanges, since: number, limit: number): Spot[] {
  const candidates: Candidate[] = [];
  for (const id of changes.ids) {
    const node = graph.find(id);
    if (node === undefined || !isCandidate(graph, node)) continue;
    const heat = churnOf(changes, id, since) * graph.node(node).complexity;
    if (heat > 0) candidates.push({ node, heat });
  }
  // Each dependent has an edge to it, so that the product with their number is hardly ever more than this.
  const bounds = candidates.map(({ heat, node }) => ({ node, heat, most: heat * countOf(graph.in(node)) }));
  return bounds
    .sort((a, b) => b.most - a.most || compareText(graph.idOf(a.node), graph.idOf(b.node)))
    .slice(0, limit * LOOKED_AT)
    .map(({ heat, node }) => ({ node, heat, dependents: usersOf(graph, node) }))
    .filter(spot => spot.dependents > 0)
    .sort((a, b) => b.heat * b.dependents - a.heat * a.dependents || compareText(graph.idOf(a.node), graph.idOf(b.node)))
    .slice(0, limit);
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _ of items) count++;
  return count;
}

/** The most central symbols that are used; those with most users first. */
function centralOnes(graph: GraphView, limit: number): Spot[] {
  const ranks = graph.pageRank();
  const top: NodeHandle[] = [];
  const before = (a: NodeHandle, b: NodeHandle): number => (ranks[b] ?? 0) - (ranks[a] ?? 0) || compareText(graph.idOf(a), graph.idOf(b));
  let floor = 0;
  for (let handle = 0; handle < ranks.length; handle++) {
    const node = nodeHandle(handle);
    const rank = ranks[node] ?? 0;
    if (rank <= floor || !graph.isLive(node) || !isCandidate(graph, node)) continue;
    top.push(node);
    if (top.length >= limit * 4) {
      top.sort(before).splice(limit);
      floor = ranks[top[limit - 1] ?? 0] ?? 0;
    }
  }
  return top
    .sort(before)
    .map(node => ({ node, heat: 0, dependents: usersOf(graph, node) }))
    .filter(spot => spot.dependents > 0)
    .slice(0, limit)
    .sort((a, b) => b.dependents - a.dependents || before(a.node, b.node));
}

const HOT: ReadonlySet<string> = new Set([...KIND_GROUPS.FUNCTION, ...KIND_GROUPS.CLASS]);

/** Code that creates an instance uses the class: its constructor would be counted twice. */
function isCandidate(graph: GraphView, node: NodeHandle): boolean {
  const { isTest, kind, nodeType } = graph.node(node);
  return nodeType === 'symbol' && !isTest && kind !== 'constructor' && HOT.has(kind ?? '');
}
