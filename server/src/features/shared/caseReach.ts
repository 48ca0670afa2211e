import { accepts, kindsOf } from '../../algorithms/rows';
import type { GraphView, HalfAdjacency, NodeHandle } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import { relationCode } from '../../model/relations';
import { dependencyLinks } from './links';
import { isRunnable } from './members';

/** What running a changed piece of code may begin at: everything that leads to it, tests among it. Columns are by node handle. */
export interface CaseReach {
  /** In breadth-first order, seeds first. */
  readonly nodes: readonly NodeHandle[];
  /** Steps; -1 when not reached. */
  readonly depths: Int32Array;
  /** The node one step nearer; -1 for seeds. */
  readonly towards: Int32Array;
  /** Product of the confidences of the steps, 0 to 1. */
  readonly confidences: Float64Array;
  /** False when a bound ended the walk. */
  readonly complete: boolean;
}

/** Steps beside the links of dependence, with what they are worth: each is taken at run time, though nothing in the text says so. */
const STEPS = {
  /** Making an object runs its constructor. */
  made: 1,
  /** A function inside a function runs through what that gives away. */
  nested: 0.95,
  /** A call of an overridden method may run the overriding one. */
  dispatched: 0.6,
  /** What a group of tests sets up, each case in it runs. */
  grouped: 1,
  /** A file that imports something need not use it. */
  imported: 0.3,
  /** What is kept in a variable or a table when a file is loaded may be called by whoever imports that. */
  kept: 0.5,
  /** A method that nothing calls by name is called by the language or a library on objects that somebody made. */
  protocol: 0.3,
} as const;

const LINKS = dependencyLinks('all');
const OVERRIDES = { kinds: kindsOf([relationCode.OVERRIDES]), minConfidence: 0 };
const CALLS = { kinds: kindsOf([relationCode.CALLS, relationCode.READS_FROM]), minConfidence: 0 };
const RUNS = kindsOf([relationCode.CALLS, relationCode.INSTANTIATES, relationCode.DECORATES, relationCode.INHERITS]);
const MAKES = kindsOf([relationCode.INSTANTIATES, relationCode.INHERITS, relationCode.DECORATES, relationCode.CALLS]);
const FULL = 200;

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);
/** Methods that making an object runs, by language. */
const CONSTRUCTORS: ReadonlySet<string> = new Set([
  '__init__',
  '__new__',
  '__post_init__',
  '__init_subclass__',
  '__set_name__',
  'constructor',
  'initialize',
  '__construct',
  '<init>',
]);

export interface CaseBounds {
  readonly maxDepth: number;
  /** Most nodes that are reached. */
  readonly nodes: number;
}

/** Everything that may run some code, breadth-first. Of several ways of one length the surest counts, then the one through what comes first. */
export function caseReach(graph: GraphView, seeds: Iterable<NodeHandle>, { maxDepth, nodes: most }: CaseBounds): CaseReach {
  const { live, backward, forward } = graph.adjacency;
  const size = live.length;
  const walk: Draft = {
    graph,
    depths: new Int32Array(size).fill(-1),
    towards: new Int32Array(size).fill(-1),
    confidences: new Float64Array(size),
    onlyMade: new Uint8Array(size),
    loading: new Uint8Array(size),
    nodes: [],
  };
  for (const seed of seeds) {
    if (live[seed] !== 1 || walk.depths[seed] !== -1) continue;
    walk.depths[seed] = 0;
    walk.confidences[seed] = 1;
    if (graph.fileNodeOf(seed) === seed) walk.loading[seed] = 1;
    walk.nodes.push(seed);
  }
  for (let head = 0; head < walk.nodes.length; head++) {
    const node = walk.nodes[head] ?? 0;
    if ((walk.depths[node] ?? 0) >= maxDepth) break;
    if (walk.nodes.length > most) return { ...walk, complete: false };
    const isMade = walk.onlyMade[node] === 1;
    const found = alongLinks(walk, node, backward, live, isMade);
    alongSteps(walk, node, forward, live, found);
  }
  return { ...walk, complete: true };
}

interface Draft {
  readonly graph: GraphView;
  readonly depths: Int32Array;
  readonly towards: Int32Array;
  readonly confidences: Float64Array;
  /** 1 for classes reached by a constructor alone: only who makes or inherits one leads there. */
  readonly onlyMade: Uint8Array;
  /** 1 for files whose loading runs what changed. */
  readonly loading: Uint8Array;
  readonly nodes: NodeHandle[];
}

/** Dependents; how many call or read the node by name. */
function alongLinks(walk: Draft, node: NodeHandle, backward: HalfAdjacency, live: Uint8Array, isMade: boolean): number {
  const { graph } = walk;
  let named = 0;
  const end = backward.ends[node] ?? 0;
  for (let link = backward.starts[node] ?? 0; link < end; link++) {
    const other = backward.targets[link] ?? 0;
    if (live[other] !== 1 || !accepts(backward, link, LINKS)) continue;
    if (accepts(backward, link, CALLS)) named++;
    const relation = backward.relations[link] ?? 0;
    if (isMade && MAKES[relation] !== 1) continue;
    const confidence = (backward.confidences[link] ?? 0) / FULL;
    if (graph.fileNodeOf(other) === other) addFile(walk, node, other, relation, confidence);
    else add(walk, node, other, confidence);
  }
  return named;
}

/** What a file does outside of its functions happens when it is loaded, and so to everybody who imports it. */
function addFile(walk: Draft, from: NodeHandle, file: NodeHandle, relation: number, confidence: number): void {
  const isLoading = relation === relationCode.IMPORTS ? walk.loading[from] === 1 : RUNS[relation] === 1;
  if (isLoading) walk.loading[file] = 1;
  add(walk, from, file, confidence * (isLoading ? 1 : relation === relationCode.IMPORTS ? STEPS.imported : STEPS.kept));
}

function alongSteps(walk: Draft, node: NodeHandle, forward: HalfAdjacency, live: Uint8Array, callers: number): void {
  const { graph } = walk;
  const kind = graph.kindOf(node);
  if (kind === 'file' && walk.loading[node] === 1 && graph.isTest(node)) addBlocks(walk, node);
  if (!FUNCTIONS.has(kind)) return;
  const parent = graph.parentOf(node);
  const parentKind = parent === undefined ? undefined : graph.kindOf(parent);
  if (parent !== undefined && parentKind !== undefined && FUNCTIONS.has(parentKind) && !isRunnable(graph, node)) add(walk, node, parent, STEPS.nested);
  if (parent !== undefined && parentKind !== undefined && CLASSES.has(parentKind)) memberSteps(walk, node, parent, forward, live, callers);
  if (graph.isTest(node) && !graph.runsAsTest(node)) addBlocks(walk, node);
}

function memberSteps(walk: Draft, node: NodeHandle, owner: NodeHandle, forward: HalfAdjacency, live: Uint8Array, callers: number): void {
  const { graph } = walk;
  let overridden = 0;
  const end = forward.ends[node] ?? 0;
  for (let link = forward.starts[node] ?? 0; link < end; link++) {
    const base = forward.targets[link] ?? 0;
    if (live[base] !== 1 || !accepts(forward, link, OVERRIDES)) continue;
    overridden++;
    add(walk, node, base, STEPS.dispatched);
  }
  const isConstructor = CONSTRUCTORS.has(graph.node(node).name) || graph.kindOf(node) === 'constructor';
  if (isConstructor) addMade(walk, node, owner, STEPS.made);
  else if (callers === 0 && overridden === 0) addMade(walk, node, owner, STEPS.protocol);
}

function addMade(walk: Draft, node: NodeHandle, owner: NodeHandle, worth: number): void {
  if (walk.depths[owner] === -1) walk.onlyMade[owner] = 1;
  add(walk, node, owner, worth);
}

function addBlocks(walk: Draft, node: NodeHandle): void {
  for (const child of walk.graph.childrenOf(node)) if (isBlock(walk.graph, child)) add(walk, node, child, STEPS.grouped);
}

/** A case, or a group that stands in another. */
function isBlock(graph: GraphView, node: NodeHandle): boolean {
  return (
    graph.runsAsTest(node) ||
    ((FUNCTIONS.has(graph.kindOf(node)) || CLASSES.has(graph.kindOf(node))) && graph.childrenOf(node).some(child => isBlock(graph, child)))
  );
}

function add(walk: Draft, from: NodeHandle, to: NodeHandle, worth: number): void {
  const depth = (walk.depths[from] ?? 0) + 1;
  const confidence = (walk.confidences[from] ?? 0) * worth;
  const known = walk.depths[to] ?? -1;
  if (known !== -1 && (known < depth || (walk.confidences[to] ?? 0) >= confidence)) return;
  walk.confidences[to] = confidence;
  walk.towards[to] = from;
  walk.depths[to] = depth;
  if (known === -1) walk.nodes.push(to);
}

/** Nodes from the seed to `node`. */
export function wayTo(walk: Pick<CaseReach, 'towards'>, node: NodeHandle): NodeHandle[] {
  const way = [node];
  for (let at = walk.towards[node] ?? -1; at !== -1; at = walk.towards[at] ?? -1) way.push(at);
  return way.reverse();
}
