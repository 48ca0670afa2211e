import { type Reach, reach } from '../algorithms/reach';
import type { GraphView, NodeHandle } from '../code/graph/graphView';
import type { StableId } from '../model/ids';
import type { Relation } from '../model/relations';
import { countsOf, filesOf, type PartCounts, partition, type Risk, riskOf, withMembers } from './impactParts';
import { dependencyLinks } from './links';

/** What hovers and code lenses say of an impact. */
export interface ImpactFigures {
  readonly counts: PartCounts & { readonly maybe: number; readonly fartherTests: number };
  /** False when more depends on the node than was walked: the counts are then of the nearest ones, and too low. */
  readonly complete: boolean;
  /** The nearest test, one whose file imports the changed file first. */
  readonly firstTest: StableId | undefined;
  readonly blastRadius: number;
  readonly risk: Risk;
  /** Nodes that the walks came to: what the figures cost. */
  readonly visited: number;
}

/** Most nodes that a walk for figures comes to, and most links that it looks at; exact counts end there. Together they keep figures below some 10 ms on any graph. */
export const MOST_NODES = 20_000;
const MOST_LINKS = 200_000;
/** As many steps as a walk may go. */
const FARTHEST = 6;

/** The counts of an impact alone, without order, rows and evidence, and within bounds however much depends on the node. */
export function impactFigures(graph: GraphView, node: NodeHandle, maxDepth: number): ImpactFigures {
  const changed = new Set(withMembers(graph, node));
  const facts = walk(graph, changed, maxDepth, 'facts');
  const all = walk(graph, changed, maxDepth, 'all');
  const parts = partition(graph, facts, reachedBy(facts), filesOf(graph, changed));
  const tests = parts.directTests.length + parts.transitiveTests.length;
  const candidates = parts.directTests.length > 0 ? parts.directTests : parts.transitiveTests;
  const nearest = (a: NodeHandle, b: NodeHandle): NodeHandle => {
    const nearer = (facts.depths[a] ?? 0) - (facts.depths[b] ?? 0) || graph.orderOf(a) - graph.orderOf(b);
    return nearer <= 0 ? a : b;
  };
  const [first] = candidates;
  const blastRadius = parts.files.length + tests;
  const farther = tests > 0 ? undefined : fartherTests(graph, changed, maxDepth, undefined, BOUNDS);
  let maybe = 0;
  for (const other of all.nodes) if ((all.depths[other] ?? 0) > 0 && facts.depths[other] === -1) maybe++;
  return {
    counts: { ...countsOf(parts), maybe: facts.complete ? maybe : 0, fartherTests: farther?.tests ?? 0 },
    complete: facts.complete && all.complete,
    firstTest: first === undefined ? undefined : graph.idOf(candidates.reduce(nearest, first)),
    blastRadius,
    risk: riskOf(blastRadius),
    visited: facts.nodes.length + all.nodes.length + (farther?.visited ?? 0),
  };
}

/** Tests as many steps away as a walk may go, for a change that no nearer test reaches. */
export function fartherTests(
  graph: GraphView,
  changed: ReadonlySet<NodeHandle>,
  maxDepth: number,
  relations: readonly Relation[] | undefined,
  bounds?: typeof BOUNDS,
): { readonly tests: number; readonly visited: number } {
  if (maxDepth >= FARTHEST) return { tests: 0, visited: 0 };
  const { backward, live } = graph.adjacency;
  const found = reach([backward], live, changed, FARTHEST, dependencyLinks('facts', relations), bounds);
  const { directTests, transitiveTests } = partition(
    graph,
    found,
    reachedBy(found).filter(node => graph.isTest(node)),
    new Set(),
  );
  return { tests: directTests.length + transitiveTests.length, visited: found.nodes.length };
}

const BOUNDS = { nodes: MOST_NODES, links: MOST_LINKS };

function walk(graph: GraphView, changed: ReadonlySet<NodeHandle>, maxDepth: number, certainty: 'facts' | 'all'): Reach {
  const { backward, live } = graph.adjacency;
  return reach([backward], live, changed, maxDepth, dependencyLinks(certainty), BOUNDS);
}

function reachedBy({ nodes, depths }: Reach): NodeHandle[] {
  return Array.from(nodes.filter(node => (depths[node] ?? 0) > 0));
}
