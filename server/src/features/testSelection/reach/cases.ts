/** What cases are, what they stand in, and what runs them. */

import { accepts } from '../../../algorithms/rows';
import { dirname, extname } from '../../../base/path';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { decodeConfidence } from '../../../model/evidence';
import { NO_NODE } from '../../../model/ids';
import { type LanguageRow, languageOfExtension, traitsOf } from '../../../model/languages';
import { KIND_GROUPS } from '../../../model/nodes';
import { anyLinks, countLinks } from '../../shared/links';
import { membersOf } from '../../shared/members';

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);
const INHERITED = anyLinks(['INHERITS']);
const CONTAINED = anyLinks(['CONTAINS']);
const HANDED = anyLinks(['INSTANTIATES', 'USES_TYPE']);

export function traitsOfNode(graph: GraphView, node: NodeHandle): Partial<LanguageRow> {
  const file = graph.fileNodeOf(node) ?? node;
  const known = TRAITS.get(graph) ?? new Map<NodeHandle, Partial<LanguageRow>>();
  TRAITS.set(graph, known);
  let traits = known.get(file);
  if (traits === undefined) known.set(file, (traits = traitsOf(languageOfExtension(extname(graph.idOf(file))))));
  return traits;
}

/** The name of a symbol, kept: making a whole row of each node for it is most of what a long walk costs. */
export function nameOf(graph: GraphView, node: NodeHandle): string {
  const known = NAMES.get(graph) ?? new Map<NodeHandle, string>();
  NAMES.set(graph, known);
  let name = known.get(node);
  if (name === undefined) known.set(node, (name = graph.node(node).name));
  return name;
}

const NAMES = new WeakMap<GraphView, Map<NodeHandle, string>>();

/** By file: walks ask for each node that they come to. */
const TRAITS = new WeakMap<GraphView, Map<NodeHandle, Partial<LanguageRow>>>();

/** A case, or a group that stands in another. */
export function isBlock(graph: GraphView, node: NodeHandle): boolean {
  return (
    graph.runsAsTest(node) ||
    ((FUNCTIONS.has(graph.kindOf(node)) || CLASSES.has(graph.kindOf(node))) && membersOf(graph, node).some(child => isBlock(graph, child)))
  );
}

/** A group only holds its helpers and what it sets up by name: who uses one says so. */
export function isGroupOfCases(graph: GraphView, node: NodeHandle): boolean {
  return graph.isTest(node) && !graph.runsAsTest(node) && isBlock(graph, node);
}

/** Whether a class has cases of a class that it extends. */
export function inheritsCases(graph: GraphView, type: NodeHandle): boolean {
  const { forward, live } = graph.adjacency;
  return countLinks(forward, live, type, INHERITED, base => graph.isTest(base) && membersOf(graph, base).some(child => graph.runsAsTest(child))) > 0;
}

/** Classes of tests that extend another one. */
export function testSubclassesOf(graph: GraphView, type: NodeHandle): readonly NodeHandle[] {
  const { backward, live } = graph.adjacency;
  const found: NodeHandle[] = [];
  const end = backward.ends[type] ?? 0;
  for (let link = backward.starts[type] ?? 0; link < end; link++) {
    const heir = backward.targets[link] ?? NO_NODE;
    if (live[heir] === 1 && accepts(backward, link, INHERITED) && graph.isTest(heir)) found.push(heir);
  }
  return found;
}

/** The type of a method that stands outside of it, as all do in Go. */
export function typeAround(graph: GraphView, node: NodeHandle): NodeHandle | undefined {
  if (graph.kindOf(node) !== 'method') return undefined;
  const { backward, live } = graph.adjacency;
  const end = backward.ends[node] ?? 0;
  for (let link = backward.starts[node] ?? 0; link < end; link++) {
    const other = backward.targets[link] ?? NO_NODE;
    if (live[other] === 1 && accepts(backward, link, CONTAINED) && CLASSES.has(graph.kindOf(other))) return other;
  }
  return undefined;
}

/** A variable or constant that is declared with a function as its value. */
interface StoredFunction {
  readonly node: NodeHandle;
  readonly start: number;
  readonly end: number;
}

const KEPT = new WeakMap<GraphView, Map<NodeHandle, readonly StoredFunction[]>>();
const VARIABLES: ReadonlySet<string> = new Set(['variable', 'constant', 'property', 'field']);
const NONE_KEPT: readonly StoredFunction[] = [];

/** Variables of a file or class that hold functions from when they are declared. */
export function storedFunctions(graph: GraphView, holder: NodeHandle): readonly StoredFunction[] {
  if (graph.fileNodeOf(holder) !== holder && !CLASSES.has(graph.kindOf(holder))) return NONE_KEPT;
  const { functionValue } = traitsOfNode(graph, holder);
  if (functionValue === undefined) return NONE_KEPT;
  const known = KEPT.get(graph) ?? new Map<NodeHandle, readonly StoredFunction[]>();
  KEPT.set(graph, known);
  let found = known.get(holder);
  if (found === undefined) {
    found = graph.childrenOf(holder).flatMap(node => {
      if (!VARIABLES.has(graph.kindOf(node))) return [];
      const { signature, startLine, endLine } = graph.node(node);
      return functionValue.test(signature) ? [{ node, start: startLine, end: endLine }] : [];
    });
    known.set(holder, found);
  }
  return found;
}

const FOLDERS = new WeakMap<GraphView, ReadonlyMap<string, readonly NodeHandle[]>>();

/** Files of the package that a node is in. */
export function filesBeside(graph: GraphView, node: NodeHandle): readonly NodeHandle[] {
  const folders = FOLDERS.get(graph) ?? filesByFolder(graph);
  FOLDERS.set(graph, folders);
  return folders.get(dirname(graph.idOf(graph.fileNodeOf(node) ?? node))) ?? [];
}

function filesByFolder(graph: GraphView): ReadonlyMap<string, readonly NodeHandle[]> {
  const found = new Map<string, NodeHandle[]>();
  for (const file of graph.files()) {
    if (traitsOfNode(graph, file).folderIsPackage !== true) continue;
    const folder = dirname(graph.idOf(file));
    const known = found.get(folder);
    if (known === undefined) found.set(folder, [file]);
    else known.push(file);
  }
  return found;
}

/** Tests that make a type whose methods are cases: they hand it to a runner, which reports to them. */
export function suiteRunners(graph: GraphView, type: NodeHandle): readonly { readonly test: NodeHandle; readonly worth: number }[] {
  const { backward, live } = graph.adjacency;
  const found: { test: NodeHandle; worth: number }[] = [];
  const end = backward.ends[type] ?? 0;
  for (let link = backward.starts[type] ?? 0; link < end; link++) {
    const test = backward.targets[link] ?? NO_NODE;
    if (live[test] === 1 && graph.runsAsTest(test) && graph.kindOf(test) === 'function' && accepts(backward, link, HANDED))
      found.push({ test, worth: decodeConfidence(backward.confidences[link] ?? 0) });
  }
  return found;
}

const RUNNERS = new WeakMap<GraphView, Map<string, readonly NodeHandle[]>>();

/** Cases of the package of a node that stand for all of it outside of functions, by their signature. */
export function packageRunners(graph: GraphView, node: NodeHandle, signature: RegExp): readonly NodeHandle[] {
  const known = RUNNERS.get(graph) ?? new Map<string, readonly NodeHandle[]>();
  RUNNERS.set(graph, known);
  const folder = dirname(graph.idOf(graph.fileNodeOf(node) ?? node));
  const found =
    known.get(folder) ??
    filesBeside(graph, node).flatMap(file =>
      graph.isTest(file) ? graph.symbolsOf(file).filter(symbol => graph.runsAsTest(symbol) && signature.test(graph.node(symbol).signature ?? '')) : [],
    );
  known.set(folder, found);
  return found;
}

/** Tests that a runner knows by name, for a case that it has none for: those that run it. The case itself where it has one. */
export function knownTests(graph: GraphView, node: NodeHandle): readonly NodeHandle[] {
  const { runsOwnCases, runsPackageCases } = traitsOfNode(graph, node);
  if (runsOwnCases !== true) return groupsOfSharedCase(graph, node);
  let outermost = node;
  for (let at = graph.parentOf(node); at !== undefined && FUNCTIONS.has(graph.kindOf(at)); at = graph.parentOf(at)) outermost = at;
  if (graph.kindOf(outermost) === 'function' && graph.runsAsTest(outermost)) return [node];
  const type = typeAround(graph, outermost);
  const runners =
    type === undefined
      ? packageRunners(graph, node, runsPackageCases ?? NOTHING).flatMap(runner => graph.parentOf(runner) ?? [])
      : [type, ...testSubclassesOf(graph, type)].flatMap(suite => suiteRunners(graph, suite).map(({ test }) => test));
  return runners.length === 0 ? [node] : runners;
}

const NOTHING = /(?!)/;
const CALLED = anyLinks(['CALLS']);

/** The groups that call the function in which a case is declared; the case itself where it is in none. */
export function groupsOfSharedCase(graph: GraphView, node: NodeHandle): readonly NodeHandle[] {
  const title = traitsOfNode(graph, node).titledBlock;
  if (title === undefined || !graph.runsAsTest(node)) return [node];
  let helper: NodeHandle | undefined;
  for (let at: NodeHandle | undefined = node; at !== undefined && FUNCTIONS.has(graph.kindOf(at)); at = graph.parentOf(at))
    if (!title.test(graph.node(at).signature)) helper = at;
  if (helper === undefined || helper === node) return [node];
  const { backward, live } = graph.adjacency;
  const groups = new Set<NodeHandle>();
  const end = backward.ends[helper] ?? 0;
  for (let link = backward.starts[helper] ?? 0; link < end; link++) {
    const caller = backward.targets[link] ?? NO_NODE;
    const isGroup = live[caller] === 1 && FUNCTIONS.has(graph.kindOf(caller)) && !graph.runsAsTest(caller) && title.test(graph.node(caller).signature);
    if (isGroup && accepts(backward, link, CALLED)) groups.add(caller);
  }
  return groups.size === 0 ? [node] : [...groups];
}

/** A type with all that extend or implement it. */
export function subtypesOf(graph: GraphView, type: NodeHandle): readonly NodeHandle[] {
  const { backward, live } = graph.adjacency;
  const found = new Set([type]);
  for (const base of found) {
    const end = backward.ends[base] ?? 0;
    for (let link = backward.starts[base] ?? 0; link < end; link++) {
      const other = backward.targets[link] ?? NO_NODE;
      if (live[other] === 1 && accepts(backward, link, EXTENDED)) found.add(other);
    }
  }
  return [...found];
}

const EXTENDED = anyLinks(['INHERITS', 'IMPLEMENTS']);
