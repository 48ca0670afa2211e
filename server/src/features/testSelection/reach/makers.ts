import { accepts, kindsOf } from '../../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import { NO_NODE } from '../../../model/ids';
import { KIND_GROUPS } from '../../../model/nodes';
import { RELATIONS, relationCode } from '../../../model/relations';
import { anyLinks, dependencyLinks } from '../../shared/links';
import { type CaseReach, caseReach } from './caseReach';
import { subtypesOf, typeAround } from './cases';

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);

const VARIABLES: ReadonlySet<string> = new Set(['variable', 'constant']);
const USES = dependencyLinks('all', ['CALLS', 'INSTANTIATES', 'USES_TYPE', 'READS_FROM', 'DECORATES', 'USES_GLOBAL', 'USES_CONSTANT']);
const RUNS = kindsOf([relationCode.CALLS, relationCode.INSTANTIATES, relationCode.DECORATES]);

/** Most types of which one walk is asked who makes them; ways through others are taken as they are. */
const MAX_TYPES = 8;
/** As far as tests are looked for. */
const MAX_STEPS = 40;
/** Most links that are looked at to find who makes a type. */
const MAX_LINKS = 100_000;
/** Makers that are kept, of all types together, for the next walks over the same graph; each type counts as one more. */
const MAX_KEPT = 250_000;

type Makers = ReadonlySet<NodeHandle> | undefined;
interface Kept {
  readonly byType: Map<NodeHandle, Makers>;
  size: number;
}
const known = new WeakMap<GraphView, Kept>();

/**
 * Whether a way to a test can be gone: a method that an unknown receiver may have, or that may run in place of the one that is called, runs only where
 * somebody names its type or one that extends it. Of a type that no test is seen to name, nothing is known.
 */
export function reachabilityOfTests(graph: GraphView, walk: CaseReach): (test: NodeHandle) => boolean {
  const makers = new Map<NodeHandle, Makers>();
  const isMade = (type: NodeHandle | undefined, test: NodeHandle): boolean => {
    if (type === undefined) return true;
    if (!makers.has(type)) makers.set(type, makers.size < MAX_TYPES ? keptMakers(graph, type) : undefined);
    return makers.get(type)?.has(test) !== false;
  };
  const choices = new Map<NodeHandle, readonly (NodeHandle | undefined)[]>();
  return test => {
    if (walk.certain[test] === 1) return true;
    for (let at = test, from = walk.towards[at] ?? NO_NODE; from !== NO_NODE; at = from, from = walk.towards[at] ?? NO_NODE) {
      if (!isDispatched(walk, from, at) || isMade(typeOf(graph, from), test)) continue;
      // What is called may be any of several that lead here.
      const types = choices.get(at) ?? choicesAt(graph, walk, at);
      choices.set(at, types);
      if (!types.some(type => isMade(type, test))) return false;
    }
    return true;
  };
}

/** Types of the methods on ways that a call may run, or that may run in place of a method. */
function choicesAt(graph: GraphView, walk: CaseReach, at: NodeHandle): readonly (NodeHandle | undefined)[] {
  const isOverridden = walk.relations[at] === relationCode.OVERRIDES;
  const rows = isOverridden ? graph.adjacency.backward : graph.adjacency.forward;
  const links = isOverridden ? OVERRIDES : CALLS;
  const types = new Set<NodeHandle | undefined>();
  const end = rows.ends[at] ?? 0;
  for (let link = rows.starts[at] ?? 0; link < end; link++) {
    const other = rows.targets[link] ?? NO_NODE;
    if (accepts(rows, link, links) && walk.depths[other] !== -1) types.add(typeOf(graph, other));
  }
  return [...types];
}

const OVERRIDES = anyLinks(['OVERRIDES']);
const CALLS = anyLinks(['CALLS']);

/** Whether what is called need not be the method that a step comes from. */
function isDispatched(walk: CaseReach, from: NodeHandle, to: NodeHandle): boolean {
  const relation = walk.relations[to];
  const worth = (walk.confidences[to] ?? 0) / (walk.confidences[from] ?? 1);
  return relation === relationCode.OVERRIDES || (relation === relationCode.CALLS && worth < FACT_CONFIDENCE);
}

function typeOf(graph: GraphView, method: NodeHandle): NodeHandle | undefined {
  if (graph.isTest(method)) return undefined;
  const parent = graph.parentOf(method);
  return parent !== undefined && CLASSES.has(graph.kindOf(parent)) ? parent : typeAround(graph, method);
}

function keptMakers(graph: GraphView, type: NodeHandle): Makers {
  const kept = known.get(graph) ?? { byType: new Map<NodeHandle, Makers>(), size: 0 };
  known.set(graph, kept);
  if (!kept.byType.has(type)) {
    const makers = makersOf(graph, type);
    kept.size += 1 + (makers?.size ?? 0);
    if (kept.size > MAX_KEPT) {
      kept.byType.clear();
      kept.size = 1 + (makers?.size ?? 0);
    }
    kept.byType.set(type, makers);
  }
  return kept.byType.get(type);
}

/**
 * The tests that lead to the name of a type, or of one that extends it; `undefined` when there are none, or when one is made as a file is loaded and kept
 * where no name shows it.
 */
function makersOf(graph: GraphView, type: NodeHandle): Makers {
  const types = subtypesOf(graph, type);
  const kept = types.map(each => keptIn(graph, each));
  if (kept.includes(undefined)) return undefined;
  const seeds = [...types, ...kept.flatMap(names => names ?? [])];
  const walk = caseReach(graph, seeds, { maxDepth: MAX_STEPS, nodes: Number.POSITIVE_INFINITY, links: MAX_LINKS });
  const tests = new Set<NodeHandle>();
  for (const node of walk.nodes) {
    const isFile = graph.fileNodeOf(node) === node;
    const relation = walk.relations[node] ?? 0;
    if (graph.isTest(node)) {
      tests.add(node);
      // What a file of tests names outside of its cases, any of them may be given.
      if (isFile && relation !== relationCode.IMPORTS) for (const test of graph.symbolsOf(node)) if (graph.runsAsTest(test)) tests.add(test);
    } else if (isFile && (walk.depths[node] ?? 0) > 1 && RUNS[relation] === 1) return undefined;
  }
  return walk.complete && tests.size > 0 ? tests : undefined;
}

/** Variables that hold a value of a type, or its class, from when their file is loaded; `undefined` where such a value is kept elsewhere. */
function keptIn(graph: GraphView, type: NodeHandle): readonly NodeHandle[] | undefined {
  const { backward, live } = graph.adjacency;
  const found: NodeHandle[] = [];
  const end = backward.ends[type] ?? 0;
  for (let link = backward.starts[type] ?? 0; link < end; link++) {
    const file = backward.targets[link] ?? NO_NODE;
    const relation = RELATIONS[backward.relations[link] ?? 0]?.name;
    if (live[file] !== 1 || relation === undefined || !accepts(backward, link, USES) || graph.fileNodeOf(file) !== file) continue;
    const variables = graph.childrenOf(file).filter(child => VARIABLES.has(graph.kindOf(child)));
    for (const line of graph.edge(file, relation, type)?.lines ?? []) {
      const holding = variables.filter(variable => graph.node(variable).startLine <= line && line <= graph.node(variable).endLine);
      if (holding.length === 0 && relation === 'USES_TYPE') continue;
      if (holding.length === 0 && !graph.isTest(file)) return undefined;
      found.push(...holding);
    }
  }
  return found;
}
