import { accepts, kindsOf } from '../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { KIND_GROUPS } from '../../model/nodes';
import { relationCode } from '../../model/relations';
import { isRunnable } from '../shared/members';
import type { Walk } from '../shared/walk';

/** What a walk from a change reached, by what it means for the change. */
export interface Parts {
  /** Dependents that are no tests, one hop away and further. */
  readonly direct: NodeHandle[];
  readonly transitive: NodeHandle[];
  /** Tests whose file imports a changed file, and the others. */
  readonly directTests: NodeHandle[];
  readonly transitiveTests: NodeHandle[];
  /** Files, other than tests, with the depth of what was reached first in them. */
  readonly files: { readonly node: NodeHandle; readonly depth: number }[];
}

const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);

/**
 * A test is what a framework runs by itself; where none is reached, the file counts as one test: tests that are callbacks have no node.
 * Helpers, types and variables of a test file are no tests; the first stands for its file when nothing else of it is reached. What a test declares inside itself is part of it.
 */
export function partition(graph: GraphView, walk: Pick<Walk, 'depths'>, reached: readonly NodeHandle[], changedFiles: ReadonlySet<NodeHandle>): Parts {
  const parts: Parts = { direct: [], transitive: [], directTests: [], transitiveTests: [], files: [] };
  const tests: NodeHandle[] = [];
  const withRunnables = new Set<NodeHandle>();
  const seen = new Set<NodeHandle>();
  for (const node of reached) {
    const file = graph.fileNodeOf(node) ?? node;
    const depth = walk.depths[node] ?? 0;
    if (graph.isTest(node)) {
      tests.push(node);
      if (isRunnable(graph, node)) withRunnables.add(file);
      continue;
    }
    (depth === 1 ? parts.direct : parts.transitive).push(node);
    if (!seen.has(file)) parts.files.push({ node: file, depth });
    seen.add(file);
  }
  const direct = new Map<NodeHandle, boolean>();
  for (const test of tests) {
    const file = graph.fileNodeOf(test) ?? test;
    const isFileReached = file !== test && (walk.depths[file] ?? 0) > 0;
    if (!isRunnable(graph, test) && (withRunnables.has(file) || isFileReached || direct.has(file))) continue;
    if (isInsideReached(graph, test, walk)) continue;
    let isDirect = direct.get(file);
    if (isDirect === undefined) direct.set(file, (isDirect = importsAny(graph, file, changedFiles)));
    (isDirect ? parts.directTests : parts.transitiveTests).push(test);
  }
  return parts;
}

/** Whether a function around this is reached too. */
function isInsideReached(graph: GraphView, test: NodeHandle, walk: Pick<Walk, 'depths'>): boolean {
  for (let outer = graph.parentOf(test); outer !== undefined && graph.fileNodeOf(outer) !== outer; outer = graph.parentOf(outer)) {
    if ((walk.depths[outer] ?? 0) > 0 && FUNCTIONS.has(graph.kindOf(outer))) return true;
  }
  return false;
}

function importsAny(graph: GraphView, file: NodeHandle, changed: ReadonlySet<NodeHandle>): boolean {
  const { forward } = graph.adjacency;
  const end = forward.ends[file] ?? 0;
  for (let link = forward.starts[file] ?? 0; link < end; link++) {
    if (accepts(forward, link, FACT_IMPORTS) && changed.has(forward.targets[link] ?? 0)) return true;
  }
  return false;
}

const FACT_IMPORTS = { kinds: kindsOf([relationCode.IMPORTS]), minConfidence: encodeConfidence(FACT_CONFIDENCE) };

export interface PartCounts {
  readonly direct: number;
  readonly transitive: number;
  readonly directTests: number;
  readonly transitiveTests: number;
  readonly files: number;
}

export function countsOf({ direct, transitive, directTests, transitiveTests, files }: Parts): PartCounts {
  return {
    direct: direct.length,
    transitive: transitive.length,
    directTests: directTests.length,
    transitiveTests: transitiveTests.length,
    files: files.length,
  };
}

/** From this blast radius on a change is of medium and of high risk. */
const MEDIUM_RISK = 10;
const HIGH_RISK = 50;

export type Risk = 'low' | 'medium' | 'high';

/** What something outside calls is never of low risk: who depends on it is not known. */
export function riskOf(blastRadius: number, outside: readonly NodeHandle[] = []): Risk {
  if (outside.length > 0 && blastRadius <= HIGH_RISK) return 'medium';
  return blastRadius > HIGH_RISK ? 'high' : blastRadius > MEDIUM_RISK ? 'medium' : 'low';
}

export function filesOf(graph: GraphView, nodes: Iterable<NodeHandle>): ReadonlySet<NodeHandle> {
  return new Set([...nodes].map(node => graph.fileNodeOf(node)).filter(file => file !== undefined));
}
