import { accepts, kindsOf, type LinkFilter } from '../../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import { NO_NODE, type NodeColumn, nodeHandle } from '../../../model/ids';
import { KIND_GROUPS } from '../../../model/nodes';
import { RELATIONS, type Relation, relationCode } from '../../../model/relations';
import { dependencyLinks } from '../../shared/links';
import { alternatives } from './alternatives';
import { filesBeside, inheritsCases, isBlock, nameOf, packageRunners, storedFunctions, suiteRunners, testSubclassesOf, traitsOfNode } from './cases';
import { type MentionedMembers, mentionedIn } from './mentionedMembers';
import { IS, LEADS, type NodeFlags, nodeFlags } from './nodeFlags';
import { inSpareColumns, newColumns, type ReachColumns } from './reachColumns';

/** What running a changed piece of code may begin at: everything that leads to it, tests among it. Columns are by node handle. */
export interface CaseReach {
  /** What certain ways lead to, nearest first, seeds before; then what only possible ones lead to, nearest first. */
  readonly nodes: readonly NodeHandle[];
  /** Steps; -1 when not reached. */
  readonly depths: Int32Array;
  /** The node one step nearer; -1 for seeds. */
  readonly towards: NodeColumn;
  /** Relation code of the link to it; CONTAINS and OVERRIDES for steps that no link of dependence stands for. */
  readonly relations: Uint8Array;
  /** Product of the confidences of the steps, 0 to 1. */
  readonly confidences: Float64Array;
  /** 1 where each step of the way is a fact. */
  readonly certain: Uint8Array;
  /** For files: whether loading them runs what changed, a code of `LOADS`. */
  readonly loading: Uint8Array;
  /** 1 where a step of the way only names what runs: it runs later, not when a file on the way is loaded. */
  readonly named: Uint8Array;
  /** For classes of tests that inherit cases: those that were reached; absent where all of them are, by a helper or what is set up. */
  readonly inherited: ReadonlyMap<NodeHandle, ReadonlySet<NodeHandle>>;
  /** False when a bound ended the walk. */
  readonly complete: boolean;
}

/** Whether loading a file runs what changed. */
export const LOADS = { not: 0, possibly: 1, certainly: 2 } as const;

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
  /** What is kept in a variable or a table when a file is loaded may be called by importers. */
  kept: 0.5,
  /** A function in a literal is handed on with it, and may be called by the code that gets it. */
  handed: 0.6,
  /** A method that nothing calls by name, and that the language or a library has a name for, is called by it on objects that somebody made. */
  protocol: 0.3,
} as const;

const OVERRIDES = { kinds: kindsOf([relationCode.OVERRIDES]), minConfidence: 0 };
const RUNS = kindsOf([relationCode.CALLS, relationCode.INSTANTIATES, relationCode.DECORATES, relationCode.INHERITS]);
const MAKES = kindsOf([relationCode.INSTANTIATES, relationCode.INHERITS, relationCode.DECORATES, relationCode.CALLS]);
const NAMES = kindsOf([relationCode.READS_FROM, relationCode.USES_TYPE]);
const OF_TYPE = kindsOf([relationCode.INSTANTIATES, relationCode.USES_TYPE]);
const FULL = 200;

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);
export interface CaseBounds {
  readonly maxDepth: number;
  /** Most nodes that are reached. */
  readonly nodes: number;
  /** Most links that are looked at; any number when absent. */
  readonly links?: number;
  /** Ends the walk as soon as a node like this is reached. */
  readonly until?: (node: NodeHandle) => boolean;
  /** Links to follow; all of dependence when absent. */
  readonly relations?: readonly Relation[] | undefined;
}

/**
 * Everything that may run some code: breadth-first along steps that are facts, then from all of that along the others.
 * Of several ways of one length the surest counts, then the one through what comes first.
 */
export function caseReach(graph: GraphView, seeds: Iterable<NodeHandle>, bounds: CaseBounds): CaseReach {
  return reachIn(newColumns(graph.adjacency.live.length), graph, seeds, bounds);
}

/** Whether running `node` may begin at something that is wanted. */
export function leadsTo(graph: GraphView, node: NodeHandle, isWanted: (node: NodeHandle) => boolean, maxDepth: number): boolean {
  const bounds = { maxDepth, nodes: Number.POSITIVE_INFINITY, until: isWanted };
  return inSpareColumns(graph, columns => reachIn(columns, graph, [node], bounds).nodes).some(isWanted);
}

function reachIn(columns: ReachColumns, graph: GraphView, seeds: Iterable<NodeHandle>, bounds: CaseBounds): CaseReach {
  const { live } = graph.adjacency;
  const walk: Draft = {
    ...columns,
    graph,
    flags: nodeFlags(graph),
    mentioned: mentionedIn(graph),
    bounds,
    links: dependencyLinks('all', bounds.relations),
    inherited: new Map(),
    inheritedAll: new Set(),
    nodes: [],
    levels: [],
    level: 0,
    isCertain: true,
    left: bounds.links ?? Number.POSITIVE_INFINITY,
    isFull: false,
  };
  for (const seed of seeds) {
    if (live[seed] !== 1 || walk.depths[seed] !== -1) continue;
    walk.depths[seed] = 0;
    walk.confidences[seed] = 1;
    walk.certain[seed] = 1;
    if ((walk.flags.of(seed) & IS.file) !== 0) walk.loading[seed] = LOADS.possibly;
    walk.nodes.push(seed);
  }
  let complete = pass(walk);
  walk.isCertain = false;
  complete = complete && pass(walk);
  for (const type of walk.inheritedAll) walk.inherited.delete(type);
  return { ...walk, complete };
}

interface Draft extends ReachColumns {
  readonly graph: GraphView;
  readonly flags: NodeFlags;
  readonly mentioned: MentionedMembers;
  readonly bounds: CaseBounds;
  readonly links: LinkFilter;
  readonly inherited: Map<NodeHandle, Set<NodeHandle>>;
  /** Classes of tests of which all inherited cases are reached. */
  readonly inheritedAll: Set<NodeHandle>;
  readonly nodes: NodeHandle[];
  /** Nodes to go on from: by depth along facts, by how unsure they are along all. */
  levels: NodeHandle[][];
  /** The one that is followed. */
  level: number;
  /** Whether only facts are followed. */
  isCertain: boolean;
  /** Links that may still be looked at. */
  left: number;
  /** More was found than may be reached. */
  isFull: boolean;
}

/** Goes on from all that was reached, the nearest first along facts, the surest first along all; false when a bound ended it. */
function pass(walk: Draft): boolean {
  const { bounds, depths, nodes } = walk;
  walk.levels = [];
  walk.followed.fill(0);
  for (const node of nodes) push(walk, node);
  for (let at = 0; at < walk.levels.length; at++) {
    const level = walk.levels[at] ?? [];
    walk.level = at;
    for (let head = 0; head < level.length; head++) {
      if (walk.isFull || walk.left < 0) return false;
      const node = level[head] ?? NO_NODE;
      if (walk.followed[node] === 1 || (depths[node] ?? 0) >= bounds.maxDepth) continue;
      walk.followed[node] = 1;
      alongLinks(walk, node);
      alongSteps(walk, node);
    }
  }
  return !walk.isFull;
}

/** Nodes of which the confidences differ by less are followed in the order that they were reached in. */
const LEVELS = 100;

function push(walk: Draft, node: NodeHandle): void {
  const level = walk.isCertain ? (walk.depths[node] ?? 0) : Math.floor((1 - (walk.confidences[node] ?? 0)) * LEVELS);
  while (walk.levels.length <= level) walk.levels.push([]);
  walk.levels[level]?.push(node);
}

/** Dependents. */
function alongLinks(walk: Draft, node: NodeHandle): void {
  const { flags, graph } = walk;
  const { backward, live } = graph.adjacency;
  const isMade = walk.onlyMade[node] === 1 && (flags.of(node) & IS.class) !== 0;
  // Making what holds one makes it.
  const holdsValues = isMade && traitsOfNode(graph, node).fieldsAreValues === true;
  const end = backward.ends[node] ?? 0;
  for (let link = backward.starts[node] ?? 0; link < end; link++) {
    walk.left--;
    const other = backward.targets[link] ?? NO_NODE;
    if (live[other] !== 1) continue;
    const relation = backward.relations[link] ?? 0;
    if (!accepts(backward, link, walk.links)) continue;
    // Who overrides a method runs in place of it.
    if (relation === relationCode.OVERRIDES && walk.depths[node] !== 0) continue;
    const atBest = (backward.confidences[link] ?? 0) / FULL;
    if (!isTaken(walk, atBest) || isUseless(walk, node, other, relation, atBest)) continue;
    const confidence = relation === relationCode.CALLS ? atBest / alternatives(graph, link, other, node) : atBest;
    if (!isMade || MAKES[relation] === 1) addDependent(walk, node, other, relation, confidence);
    else if (holdsValues && relation === relationCode.USES_TYPE) {
      if ((flags.of(other) & IS.class) !== 0) addMade(walk, node, other, confidence);
      else addDependent(walk, node, other, relation, confidence);
    }
  }
}

function addDependent(walk: Draft, node: NodeHandle, other: NodeHandle, relation: number, confidence: number): void {
  const { flags } = walk;
  if (flags.keepsFunctions(other) && addKept(walk, node, other, relation, confidence)) return;
  if ((flags.of(other) & IS.file) !== 0) addFile(walk, node, other, relation, confidence);
  else add(walk, node, other, relation, confidence);
  if (walk.named[node] === 0 && (relation === relationCode.DECORATES || isInClassBody(walk, other, relation))) addWithFile(walk, other, confidence);
}

/** Whether a link can only reach the node at its other end, and reaches that by a way that is as good already. */
function isUseless(walk: Draft, node: NodeHandle, other: NodeHandle, relation: number, atBest: number): boolean {
  const { flags, onlyMade } = walk;
  if (relation === relationCode.DECORATES || onlyMade[other] === 1 || (flags.of(other) & (IS.file | IS.class)) !== 0 || flags.keepsFunctions(other))
    return false;
  return !isBetter(walk, node, other, atBest);
}

/** To variables that are declared with functions which use something: true when nothing else in the file or class does. */
function addKept(walk: Draft, from: NodeHandle, holder: NodeHandle, relation: number, worth: number): boolean {
  const { graph } = walk;
  const functions = storedFunctions(graph, holder);
  if (relation === relationCode.IMPORTS || from === holder) return false;
  const lines = graph.edge(holder, RELATIONS[relation]?.name ?? 'CALLS', from)?.lines ?? [];
  let isOutside = lines.length === 0;
  for (const line of lines) {
    const kept = functions.find(({ start, end }) => start <= line && line <= end);
    if (kept === undefined) isOutside = true;
    else if (kept.node !== from) add(walk, from, kept.node, relation, worth);
  }
  return !isOutside;
}

/** What a file does outside of its functions happens when it is loaded, and so to everybody who imports it. */
function addFile(walk: Draft, from: NodeHandle, file: NodeHandle, relation: number, confidence: number): void {
  const isLoading = relation === relationCode.IMPORTS ? walk.loading[from] !== LOADS.not : RUNS[relation] === 1 && walk.named[from] === 0;
  if (isLoading) addLoaded(walk, from, file, relation, confidence);
  else add(walk, from, file, relation, confidence * (relation === relationCode.IMPORTS ? STEPS.imported : STEPS.kept));
}

/** The body of a class makes or calls something, in languages where it runs like any other code. */
function isInClassBody({ flags, graph }: Draft, node: NodeHandle, relation: number): boolean {
  return (
    (relation === relationCode.CALLS || relation === relationCode.INSTANTIATES) &&
    (flags.of(node) & IS.class) !== 0 &&
    traitsOfNode(graph, node).classBodyRuns === true
  );
}

/** What is decorated, and the bodies of classes, outside of functions: that happens when the file is loaded. */
function addWithFile(walk: Draft, node: NodeHandle, worth: number): void {
  const file = walk.graph.fileNodeOf(node);
  if (file === undefined || file === node) return;
  for (let at = walk.graph.parentOf(node); at !== undefined && at !== file; at = walk.graph.parentOf(at)) if (FUNCTIONS.has(walk.graph.kindOf(at))) return;
  addLoaded(walk, node, file, relationCode.DECORATES, worth);
}

function addLoaded(walk: Draft, from: NodeHandle, file: NodeHandle, relation: number, worth: number): void {
  if (isTaken(walk, worth) && walk.loading[file] === LOADS.not) {
    walk.loading[file] = walk.isCertain ? LOADS.certainly : LOADS.possibly;
    again(walk, file);
  }
  add(walk, from, file, relation, worth);
}

/** Files of one package are loaded together, its tests among them: they need not import one another. */
function addPackage(walk: Draft, file: NodeHandle): void {
  const { graph } = walk;
  if (traitsOfNode(graph, file).folderIsPackage !== true) return;
  // What runs when tests are loaded, runs for nobody else.
  const isForTests = graph.isTest(file);
  for (const other of filesBeside(graph, file))
    if (other !== file && (graph.isTest(other) || !isForTests)) addLoaded(walk, file, other, relationCode.IMPORTS, 1);
}

function alongSteps(walk: Draft, node: NodeHandle): void {
  const { flags, graph } = walk;
  const is = flags.of(node);
  const isTest = (is & IS.test) !== 0;
  const isFile = (is & IS.file) !== 0;
  if (isTest && (isFile ? runsInFile(walk, node) : (is & IS.class) !== 0 && setsUpCases(walk, node))) addBlocks(walk, node);
  if (isFile && walk.loading[node] !== LOADS.not) addPackage(walk, node);
  if ((is & IS.function) === 0) return;
  const leads = flags.leads(node);
  if ((leads & LEADS.handed) !== 0) handOn(walk, node);
  if ((leads & LEADS.onLoad) !== 0) addLoaded(walk, node, graph.fileNodeOf(node) ?? node, relationCode.CALLS, 1);
  const owner = flags.ownerOf(node);
  if (isTest || (leads & LEADS.nested) !== 0) {
    const parent = graph.parentOf(node);
    if (parent !== undefined && (leads & LEADS.nested) !== 0) add(walk, node, parent, relationCode.CONTAINS, STEPS.nested);
    if (isTest) testSteps(walk, node, parent, owner);
  }
  if (owner !== undefined) memberSteps(walk, node, owner, leads);
}

/** From a member of a literal that no reference leads to: to code that mentions its name, where that is known, else to everybody who loads the literal. */
function handOn(walk: Draft, node: NodeHandle): void {
  const users = walk.mentioned.usersOf(node);
  if (users === undefined) addLoaded(walk, node, walk.graph.fileNodeOf(node) ?? node, relationCode.CALLS, STEPS.handed);
  else for (const user of users) add(walk, node, user, relationCode.CALLS, STEPS.handed);
}

/** Of a function among tests: to what it sets up, to classes that inherit it, to the tests that run it, and to the cases in it. */
function testSteps(walk: Draft, node: NodeHandle, parent: NodeHandle | undefined, owner: NodeHandle | undefined): void {
  const { graph } = walk;
  if (owner !== undefined) {
    if (traitsOfNode(graph, node).setUps?.test(nameOf(graph, node)) === true) add(walk, node, owner, relationCode.CALLS, STEPS.grouped);
    addInheriting(walk, node, owner);
  }
  addRunners(walk, node, parent, owner);
  // What only fails with a case in it leads to no other one.
  if (walk.onlyMade[node] === 0) addBlocks(walk, node);
}

/** Whether all cases of a class run what it was reached by: not so for what is there for cases that it inherits. */
function setsUpCases(walk: Draft, node: NodeHandle): boolean {
  return walk.relations[node] === relationCode.CALLS || !representsInheritedCase(walk.graph, walk, node);
}

/** Tests that fail with a case, or a group of cases, because they run it. */
function addRunners(walk: Draft, node: NodeHandle, parent: NodeHandle | undefined, owner: NodeHandle | undefined): void {
  const { graph } = walk;
  const { runsOwnCases, runsPackageCases } = traitsOfNode(graph, node);
  if (runsOwnCases !== true || !isBlock(graph, node)) return;
  const isInside = parent !== undefined && FUNCTIONS.has(graph.kindOf(parent));
  if (isInside) addMade(walk, node, parent, STEPS.grouped);
  if (graph.runsAsTest(node)) {
    if (owner !== undefined) for (const { test, worth } of suiteRunners(graph, owner)) add(walk, node, test, relationCode.INSTANTIATES, worth);
  } else if (!isInside && runsPackageCases !== undefined) {
    for (const test of packageRunners(graph, node, runsPackageCases)) add(walk, node, test, relationCode.CALLS, STEPS.grouped);
  }
}

/** Whether what changed runs when the file is loaded, or may be kept there for its cases. */
function runsInFile(walk: Draft, file: NodeHandle): boolean {
  return walk.loading[file] !== LOADS.not || RUNS[walk.relations[file] ?? 0] === 1;
}

/** Cases run in every class of tests that inherits them; with helpers of that class, which may run in place of inherited ones, any of them may. */
function addInheriting(walk: Draft, node: NodeHandle, owner: NodeHandle): void {
  const { graph } = walk;
  if (graph.runsAsTest(node)) {
    for (const heir of testSubclassesOf(graph, owner)) {
      addMade(walk, node, heir, STEPS.grouped);
      walk.inherited.set(heir, (walk.inherited.get(heir) ?? new Set()).add(node));
    }
  } else if (inheritsCases(graph, owner)) {
    addMade(walk, node, owner, STEPS.grouped);
    walk.inheritedAll.add(owner);
  }
}

function memberSteps(walk: Draft, node: NodeHandle, owner: NodeHandle, leads: number): void {
  const { forward, live } = walk.graph.adjacency;
  const start = forward.starts[node] ?? 0;
  const end = forward.ends[node] ?? 0;
  walk.left -= end - start;
  if ((leads & LEADS.overrides) !== 0)
    for (let link = start; link < end; link++) {
      const base = forward.targets[link] ?? NO_NODE;
      if (live[base] !== 1 || !accepts(forward, link, OVERRIDES)) continue;
      add(walk, node, base, relationCode.OVERRIDES, STEPS.dispatched / Math.sqrt(walk.flags.overridersOf(base)));
    }
  if ((leads & LEADS.made) !== 0) addMade(walk, node, owner, STEPS.made);
  else if ((leads & LEADS.protocol) !== 0) addMade(walk, node, owner, STEPS.protocol);
  else if ((leads & LEADS.ofType) !== 0) addTestsOfType(walk, node, owner);
}

/**
 * A test that makes an object itself, or names its type, has it do what it is for: often by calls that no way of known ones leads through. So do those that
 * use a class of the tests whose body makes it.
 */
function addTestsOfType(walk: Draft, node: NodeHandle, owner: NodeHandle): void {
  const { flags, graph } = walk;
  const { backward, live } = graph.adjacency;
  const end = backward.ends[owner] ?? 0;
  for (let link = backward.starts[owner] ?? 0; link < end; link++) {
    const [test, relation] = [nodeHandle(backward.targets[link] ?? NO_NODE), backward.relations[link] ?? 0];
    walk.left--;
    if (OF_TYPE[relation] !== 1 || live[test] !== 1) continue;
    const is = flags.of(test);
    if ((is & IS.case) !== 0 || ((is & IS.test) !== 0 && isInClassBody(walk, test, relation))) add(walk, node, test, relation, STEPS.protocol);
  }
}

/** A way less sure than this says nothing: everything leads to everything in the end. */
const MIN_CONFIDENCE = 0.05;

function addMade(walk: Draft, node: NodeHandle, owner: NodeHandle, worth: number): void {
  if (walk.depths[owner] !== -1 || !isTaken(walk, worth)) return;
  walk.onlyMade[owner] = 1;
  reached(walk, node, owner, relationCode.CONTAINS, worth);
}

function addBlocks(walk: Draft, node: NodeHandle): void {
  const { flags, graph } = walk;
  const isAlone = (flags.of(node) & IS.class) !== 0 && traitsOfNode(graph, node).sharesSetUps !== true;
  for (const child of flags.blocksIn(node)) if (!(isAlone && (flags.of(child) & IS.class) !== 0)) add(walk, node, child, relationCode.CONTAINS, STEPS.grouped);
}

const isTaken = (walk: Draft, worth: number): boolean => !walk.isCertain || worth >= FACT_CONFIDENCE;

function add(walk: Draft, from: NodeHandle, to: NodeHandle, relation: number, worth: number): void {
  if (!isTaken(walk, worth)) return;
  if (walk.onlyMade[to] === 1) {
    walk.onlyMade[to] = 0;
    again(walk, to);
  }
  reached(walk, from, to, relation, worth);
}

/** More leads on from a node than was followed. */
function again(walk: Draft, node: NodeHandle): void {
  if (walk.depths[node] === -1) return;
  walk.followed[node] = 0;
  // A level that was followed is never come back to.
  walk.levels[walk.level]?.push(node);
}

/** Whether a step reaches a node that was not, or reaches it by a surer way. */
function isBetter(walk: Draft, from: NodeHandle, to: NodeHandle, worth: number): boolean {
  const confidence = (walk.confidences[from] ?? 0) * worth;
  if (!walk.isCertain && confidence < MIN_CONFIDENCE) return false;
  const known = walk.depths[to] ?? -1;
  if (known === -1) return true;
  const isOpen = walk.isCertain ? known === (walk.depths[from] ?? 0) + 1 : walk.followed[to] === 0;
  return walk.certain[to] === Number(walk.isCertain) && isOpen && (walk.confidences[to] ?? 0) < confidence;
}

function reached(walk: Draft, from: NodeHandle, to: NodeHandle, relation: number, worth: number): void {
  if (!isBetter(walk, from, to, worth)) return;
  const known = walk.depths[to] ?? -1;
  if (known === -1 && walk.nodes.length >= walk.bounds.nodes) {
    walk.isFull = true;
    return;
  }
  walk.confidences[to] = (walk.confidences[from] ?? 0) * worth;
  walk.towards[to] = from;
  walk.relations[to] = relation;
  walk.depths[to] = (walk.depths[from] ?? 0) + 1;
  walk.named[to] = walk.named[from] === 1 || isNamed(walk.flags, from, relation, worth) ? 1 : 0;
  if (known === -1) {
    walk.certain[to] = Number(walk.isCertain);
    walk.nodes.push(to);
    if (walk.bounds.until?.(to) === true) walk.isFull = true;
  }
  if (known === -1 || !walk.isCertain) push(walk, to);
}

/** Whether a step says that something is there to run, not that it runs. */
function isNamed(flags: NodeFlags, from: NodeHandle, relation: number, worth: number): boolean {
  if (relation === relationCode.CONTAINS) return worth === STEPS.protocol;
  return NAMES[relation] === 1 && (flags.of(from) & IS.function) !== 0;
}

/** A class that was come to by a case or a helper that it inherits, or by a helper or set-up of its own for cases that it inherits: they have no node of their own. */
export function representsInheritedCase(graph: GraphView, walk: Pick<CaseReach, 'relations' | 'towards'>, node: NodeHandle): boolean {
  const from = walk.towards[node] ?? NO_NODE;
  const relation = walk.relations[node];
  const isByMember = relation === relationCode.CONTAINS || relation === relationCode.CALLS;
  return CLASSES.has(graph.kindOf(node)) && isByMember && from !== NO_NODE && graph.isTest(from) && inheritsCases(graph, node);
}

/** Nodes from the seed to `node`. */
export function wayTo(walk: Pick<CaseReach, 'towards'>, node: NodeHandle): NodeHandle[] {
  const way = [node];
  for (let at = walk.towards[node] ?? NO_NODE; at !== -1; at = walk.towards[at] ?? NO_NODE) way.push(at);
  return way.reverse();
}
