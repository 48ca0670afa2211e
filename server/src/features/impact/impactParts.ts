import { accepts, kindsOf } from '../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import { relationCode } from '../../model/relations';
import type { CaseReach } from '../testSelection/reach/caseReach';
import type { TestReach } from '../testSelection/reach/reachedTests';

/** What a walk from a change reached, tests apart. */
export interface Dependents {
  /** One hop away and further. */
  readonly direct: NodeHandle[];
  readonly transitive: NodeHandle[];
  /** Files with the depth of what was reached first in them. */
  readonly files: { readonly node: NodeHandle; readonly depth: number }[];
}

/** What depends on a change and which tests reach it, by what it means for the change. */
export interface Parts extends Dependents {
  /** Tests whose file imports a changed file or uses what changed at first hand, and the others; nearest first, facts before what is possible. */
  readonly directTests: NodeHandle[];
  readonly transitiveTests: NodeHandle[];
  /** How many of the tests some step on the way to is only possible for. */
  readonly possibleTests: number;
}

export function dependentsIn(graph: GraphView, depths: Int32Array, reached: Iterable<NodeHandle>): Dependents {
  const parts: Dependents = { direct: [], transitive: [], files: [] };
  const seen = new Set<NodeHandle>();
  for (const node of reached) {
    if (graph.isTest(node)) continue;
    const file = graph.fileNodeOf(node) ?? node;
    const depth = depths[node] ?? 0;
    (depth === 1 ? parts.direct : parts.transitive).push(node);
    if (!seen.has(file)) parts.files.push({ node: file, depth });
    seen.add(file);
  }
  return parts;
}

/** Tests by whether their file names a changed one: it imports it, or, as inside a Go or Java package, uses what is in it without an import. */
export function testParts(
  graph: GraphView,
  { tests, walk }: TestReach,
  changedFiles: ReadonlySet<NodeHandle>,
): Pick<Parts, 'directTests' | 'transitiveTests' | 'possibleTests'> {
  const directTests: NodeHandle[] = [];
  const transitiveTests: NodeHandle[] = [];
  const naming = usingAtFirstHand(graph, walk);
  let possibleTests = 0;
  for (const { node, end } of tests) {
    const file = graph.fileNodeOf(node) ?? node;
    let isDirect = naming.get(file);
    if (isDirect === undefined) naming.set(file, (isDirect = importsAny(graph, file, changedFiles)));
    (isDirect ? directTests : transitiveTests).push(node);
    if (walk.certain[end] !== 1) possibleTests++;
  }
  return { directTests, transitiveTests, possibleTests };
}

function usingAtFirstHand(graph: GraphView, { nodes, depths, certain }: CaseReach): Map<NodeHandle, boolean> {
  const files = new Map<NodeHandle, boolean>();
  for (const node of nodes) if (depths[node] === 1 && certain[node] === 1 && graph.isTest(node)) files.set(graph.fileNodeOf(node) ?? node, true);
  return files;
}

function importsAny(graph: GraphView, file: NodeHandle, changed: ReadonlySet<NodeHandle>): boolean {
  const { forward } = graph.adjacency;
  const end = forward.ends[file] ?? 0;
  for (let link = forward.starts[file] ?? 0; link < end; link++) {
    if (accepts(forward, link, FACT_IMPORTS) && changed.has(forward.targets[link] ?? NO_NODE)) return true;
  }
  return false;
}

const FACT_IMPORTS = { kinds: kindsOf([relationCode.IMPORTS]), minConfidence: encodeConfidence(FACT_CONFIDENCE) };

export interface PartCounts {
  readonly direct: number;
  readonly transitive: number;
  readonly directTests: number;
  readonly transitiveTests: number;
  readonly possibleTests: number;
  readonly files: number;
}

export function countsOf({ direct, transitive, directTests, transitiveTests, possibleTests, files }: Parts): PartCounts {
  return {
    direct: direct.length,
    transitive: transitive.length,
    directTests: directTests.length,
    transitiveTests: transitiveTests.length,
    possibleTests,
    files: files.length,
  };
}

export function filesOf(graph: GraphView, nodes: Iterable<NodeHandle>): ReadonlySet<NodeHandle> {
  return new Set([...nodes].map(node => graph.fileNodeOf(node)).filter(file => file !== undefined));
}
