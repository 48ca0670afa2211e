import { type Reach, reach } from '../../algorithms/reach';
import { basename, dirname, extname, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { nodeColumn } from '../../model/ids';
import { dependencyLinks } from '../shared/links';
import { withMembers } from '../shared/members';
import { referrersOf } from '../shared/walk';
import { MAX_TEST_DISTANCE, type TestReach, testsReaching } from '../testSelection/reach/reachedTests';
import { countsOf, dependentsIn, filesOf, type PartCounts, testParts } from './impactParts';
import { type ReachEvidence, reachSize } from './reachSize';

/** Steps that figures of a symbol look along, wherever they are shown. */
export const FIGURES_DEPTH = 3;

/**
 * The figures of a symbol, the same in hovers, code lenses, the report and the tools: *users* (`direct`: what depends on it or its members directly, tests
 * apart), *dependents* (users and what depends on those, within some steps) and *tests* (cases that reach it, however far away).
 */
export interface ImpactFigures extends ReachEvidence {
  readonly counts: PartCounts & { readonly maybe: number };
  /** False when more depends on the node than was walked: the counts are then of the nearest ones, and too low. */
  readonly complete: boolean;
  /** The nearest test, a certain one first, one whose file imports or directly uses the changed file first; of several, one in the file that is named after the changed file or stands beside it. */
  readonly firstTest: NodeHandle | undefined;
  readonly blastRadius: number;
  /** Nodes that the walks came to: what the figures cost. */
  readonly visited: number;
}

/** Most nodes that a walk for figures comes to, and most links that it looks at; exact counts end there. Together they keep figures below some 10 ms on any graph. */
export const MAX_NODES = 20_000;
const MAX_LINKS = 200_000;

/** How far walks for figures go; `EXACT` for a picture of the node, which stands beside that of its impact. */
export interface FigureBounds {
  readonly nodes: number;
  readonly links: number;
}
const BOUNDS: FigureBounds = { nodes: MAX_NODES, links: MAX_LINKS };
export const EXACT: FigureBounds = { nodes: Number.POSITIVE_INFINITY, links: Number.POSITIVE_INFINITY };

/** The counts of an impact alone, without order, rows and evidence, and within bounds however much depends on the node. */
export function impactFigures(graph: GraphView, node: NodeHandle, maxDepth: number, bounds = BOUNDS): ImpactFigures {
  const changed = new Set(withMembers(graph, node));
  const facts = walk(graph, changed, { maxDepth, bounds }, 'facts');
  const all = walk(graph, changed, { maxDepth, bounds }, 'all');
  const reached = testsReaching(graph, changed, MAX_TEST_DISTANCE, bounds);
  const parts = { ...dependentsIn(graph, facts.depths, reachedBy(facts)), ...testParts(graph, reached, filesOf(graph, changed)) };
  const candidates = parts.directTests.length > 0 ? parts.directTests : parts.transitiveTests;
  const blastRadius = parts.files.length + parts.directTests.length + parts.transitiveTests.length;
  let maybe = 0;
  for (const other of all.nodes) if ((all.depths[other] ?? 0) > 0 && facts.depths[other] === -1 && !graph.isTest(other)) maybe++;
  return {
    counts: { ...countsOf(parts), maybe: facts.complete ? maybe : 0 },
    complete: facts.complete && all.complete && reached.walk.complete,
    firstTest: nearestTest(graph, node, candidates, reached),
    blastRadius,
    ...reachSize(graph, blastRadius - parts.possibleTests, facts.nodes),
    visited: facts.nodes.length + all.nodes.length + reached.walk.nodes.length,
  };
}

/** *Users* alone, the same number: without the tests, which cost most of the figures. */
export function usersOf(graph: GraphView, node: NodeHandle): number {
  const facts = walk(graph, new Set(withMembers(graph, node)), { maxDepth: 1, bounds: BOUNDS }, 'facts');
  return dependentsIn(graph, facts.depths, reachedBy(facts)).direct.length;
}

/** Of the users, the files that import or re-export the node or one of its members by name, and do nothing else with it. */
export function namersOf(graph: GraphView, node: NodeHandle): ReadonlySet<NodeHandle> {
  const { backward, live } = graph.adjacency;
  const links = dependencyLinks('facts');
  const reached = reach([backward], live, new Set(withMembers(graph, node)), 1, links, EXACT);
  return new Set(referrersOf(graph, reached, links.minConfidence).map(({ file }) => file));
}

function nearestTest(graph: GraphView, node: NodeHandle, candidates: readonly NodeHandle[], { tests, walk }: TestReach): NodeHandle | undefined {
  const ends = new Map(tests.map(({ node: test, end }) => [test, end]));
  let best: { readonly test: NodeHandle; readonly depth: number; readonly kinship: number } | undefined;
  const changed = pathOf(graph, node);
  for (const test of candidates) {
    const end = ends.get(test) ?? test;
    // What is only possible comes after all that is certain.
    const depth = (walk.depths[end] ?? 0) + (walk.certain[end] === 1 ? 0 : MAX_TEST_DISTANCE);
    if (best !== undefined && depth > best.depth) continue;
    const kinship = kinshipOf(changed, pathOf(graph, test)) + (graph.runsAsTest(test) ? 1 : 0) - (graph.idOf(test).includes(COMPUTED) ? 0.5 : 0);
    const better =
      best === undefined || depth < best.depth || kinship > best.kinship || (kinship === best.kinship && graph.orderOf(test) < graph.orderOf(best.test));
    if (better) best = { test, depth, kinship };
  }
  return best?.test;
}

/** Part of a test's name that only a run knows. */
const COMPUTED = '${';

const TEST_MARKS = /^(?:test|spec)[._-]|[._-](?:tests?|spec|unittest)$|(?<=[a-z0-9])(?:Tests?|Spec|IT)$/g;

/** How much a file of tests looks like that of a file: the name counts for two, the folder for two. */
function kinshipOf(path: WorkspacePath, test: WorkspacePath): number {
  const stemOf = (each: WorkspacePath): string => basename(each).slice(0, basename(each).length - extname(each).length);
  const isNamesake = stemOf(test).replaceAll(TEST_MARKS, '').toLowerCase() === stemOf(path).toLowerCase();
  return (isNamesake ? 2 : 0) + (dirname(test) === dirname(path) ? 2 : 0);
}

function pathOf(graph: GraphView, node: NodeHandle): WorkspacePath {
  return graph.idOf(graph.fileNodeOf(node) ?? node);
}

interface WalkRange {
  readonly maxDepth: number;
  readonly bounds: FigureBounds;
}

function walk(graph: GraphView, changed: ReadonlySet<NodeHandle>, { bounds, maxDepth }: WalkRange, certainty: 'facts' | 'all'): Reach<NodeHandle> {
  const { backward, live } = graph.adjacency;
  const links = dependencyLinks(certainty);
  const reached = reach([backward], live, changed, maxDepth, links, bounds);
  const namers = maxDepth > 0 ? referrersOf(graph, reached, links.minConfidence) : [];
  const added = namers.filter(({ file }) => reached.depths[file] === -1).map(({ file }) => file);
  for (const { file } of namers) reached.depths[file] = 1;
  return added.length === 0 ? reached : { ...reached, nodes: nodeColumn(Int32Array.from([...reached.nodes, ...added])) };
}

function reachedBy({ nodes, depths }: Reach<NodeHandle>): NodeHandle[] {
  return [...nodes].filter(node => (depths[node] ?? 0) > 0);
}
