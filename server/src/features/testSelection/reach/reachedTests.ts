import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { type CaseBounds, type CaseReach, caseReach, representsInheritedCase, wayTo } from './caseReach';
import { reachabilityOfTests } from './makers';
import { IS, nodeFlags } from './nodeFlags';
import { isBenchmark, isCalledAsTest } from './testNames';

/** Longer ways exist, and no test is further away in practice. */
export const MAX_TEST_DISTANCE = 40;

/** A test that a walk came to: a case, or a file that was reached but none of its cases. */
export interface ReachedTest {
  readonly node: NodeHandle;
  /** Where the walk came to it: itself, or a helper in the file. */
  readonly end: NodeHandle;
}

/**
 * The tests among what a walk came to, in its order, files without cases last: the same for hovers, lenses, impact, test selection and whatever else counts
 * *tests*. A file that only helps tests (no case in it, no name of a test) is none. Where the walk began counts `withSeeds` only.
 */
export function testsIn(graph: GraphView, walk: CaseReach, keep: (node: NodeHandle) => boolean = () => true, withSeeds = false): readonly ReachedTest[] {
  const cases: ReachedTest[] = [];
  const others: NodeHandle[] = [];
  const files = new Set<NodeHandle>();
  const canRun = reachabilityOfTests(graph, walk);
  const flags = nodeFlags(graph);
  for (const node of walk.nodes) {
    const is = flags.of(node);
    if ((walk.depths[node] === 0 && !withSeeds) || (is & IS.test) === 0 || !keep(node) || !canRun(node)) continue;
    if ((is & IS.case) === 0 && !representsInheritedCase(graph, walk, node)) {
      if (!isBenchmark(graph.idOf(node))) others.push(node);
      continue;
    }
    cases.push({ node, end: node });
    files.add(graph.fileNodeOf(node) ?? node);
  }
  // What is reached of a file in which no case is: it is one test.
  const whole = new Map<NodeHandle, NodeHandle>();
  for (const node of others) {
    const file = graph.fileNodeOf(node) ?? node;
    if (!files.has(file) && (!whole.has(file) || node === file) && !isTestSupport(graph, file)) whole.set(file, node);
  }
  return [...cases, ...[...whole].map(([node, end]) => ({ node, end }))];
}

/** Nodes from what changed to the test. */
export function pathToTest(walk: CaseReach, { node, end }: ReachedTest): NodeHandle[] {
  return node === end ? wayTo(walk, node) : [...wayTo(walk, end), node];
}

/** A file among tests that nothing runs by itself: `conftest.py`, an application made for tests. */
export function isTestSupport(graph: GraphView, file: NodeHandle): boolean {
  return !isCalledAsTest(graph.idOf(file)) && !graph.symbolsOf(file).some(symbol => graph.runsAsTest(symbol));
}

/** Tests of some code, and the walk to them. */
export interface TestReach {
  readonly walk: CaseReach;
  readonly tests: readonly ReachedTest[];
}

type TestBounds = Omit<CaseBounds, 'maxDepth'>;

const UNBOUNDED: TestBounds = { nodes: Number.POSITIVE_INFINITY };

/** The tests that reach some code, whatever lies between. Tests that changed themselves count when they reach the rest of what changed. */
export function testsReaching(graph: GraphView, changed: ReadonlySet<NodeHandle>, maxDepth = MAX_TEST_DISTANCE, bounds: TestBounds = UNBOUNDED): TestReach {
  const walk = caseReach(graph, withoutTests(graph, changed), { ...bounds, maxDepth });
  return { walk, tests: testsIn(graph, walk) };
}

/** Where walks from a change begin: tests that changed are there to be reached, unless nothing else changed. */
export function withoutTests(graph: GraphView, changed: ReadonlySet<NodeHandle>): ReadonlySet<NodeHandle> {
  const isTestItself = (node: NodeHandle): boolean => graph.isTest(node) && (graph.runsAsTest(node) || graph.fileNodeOf(node) === node);
  const code = [...changed].filter(node => !isTestItself(node));
  return code.length === 0 ? changed : new Set(code);
}
