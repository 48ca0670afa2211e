import { accepts, kindsOf } from '../../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { externalId, NO_NODE, type NodeColumn, nodeColumn } from '../../../model/ids';
import { KIND_GROUPS } from '../../../model/nodes';
import { relationCode } from '../../../model/relations';
import { anyLinks, countLinks, dependencyLinks } from '../../shared/links';
import { isRunnable, membersOf } from '../../shared/members';
import { isBlock, isGroupOfCases, nameOf, storedFunctions, traitsOfNode, typeAround } from './cases';

/** What a node is. */
export const IS = { file: 1, class: 2, function: 4, test: 8, case: 16 } as const;

/** Steps beside links that a function leads on by. */
export const LEADS = {
  /** To the code around: it is in a literal, and no name leads to it. */
  handed: 1,
  /** To its file, which runs it when it is loaded. */
  onLoad: 2,
  /** To the function around. */
  nested: 4,
  /** To methods that it overrides. */
  overrides: 8,
  /** To its type, whose making runs it. */
  made: 16,
  /** To its type, because the language or a library calls it. */
  protocol: 32,
  /** To tests that name its type. */
  ofType: 64,
} as const;

const KNOWN = 128;
const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);
/** Methods that making an object runs, by language. */
const CONSTRUCTORS: ReadonlySet<string> = new Set(['__init__', '__new__', '__post_init__', 'constructor', 'initialize', '__construct', '<init>']);
const CALLED = anyLinks(['CALLS']);
const BASES = anyLinks(['INHERITS', 'IMPLEMENTS']);
const USED = dependencyLinks('all', undefined);
const EXTERNAL = externalId('');
const OVERRIDES = { kinds: kindsOf([relationCode.OVERRIDES]), minConfidence: 0 };

const known = new WeakMap<GraphView, NodeFlags>();

/** Those of a graph, kept for all walks over it. */
export function nodeFlags(graph: GraphView): NodeFlags {
  const flags = known.get(graph) ?? new NodeFlags(graph);
  known.set(graph, flags);
  return flags;
}

/** A function that others can name as a member of an exported literal, though no reference leads to it. */
export function isNamelessMember(graph: GraphView, node: NodeHandle): boolean {
  const flags = nodeFlags(graph);
  return (flags.of(node) & IS.function) !== 0 && (flags.leads(node) & LEADS.handed) !== 0 && graph.node(node).isExported;
}

/** What walks ask of each node that they come to, found out once: many walks over one graph come to most of it. */
export class NodeFlags {
  readonly #is: Uint8Array;
  readonly #leads: Uint8Array;
  readonly #owners: NodeColumn;
  /** One more than the number; 0 where it is not known. */
  readonly #overriders: Int32Array;
  readonly #keeps: Uint8Array;
  readonly #blocks = new Map<NodeHandle, readonly NodeHandle[]>();

  constructor(private readonly graph: GraphView) {
    const size = graph.adjacency.live.length;
    this.#is = new Uint8Array(size);
    this.#leads = new Uint8Array(size);
    this.#owners = nodeColumn(new Int32Array(size));
    this.#overriders = new Int32Array(size);
    this.#keeps = new Uint8Array(size);
  }

  /** Values of `IS`, added up. */
  of(node: NodeHandle): number {
    let flags = this.#is[node] ?? 0;
    if (flags === 0) this.#is[node] = flags = KNOWN | this.#kindOf(node);
    return flags;
  }

  /** Values of `LEADS` for a function, added up. */
  leads(node: NodeHandle): number {
    let flags = this.#leads[node] ?? 0;
    if (flags === 0) this.#leads[node] = flags = KNOWN | this.#stepsFrom(node);
    return flags;
  }

  /** The type that a function is a member of; to be asked after `leads`. */
  ownerOf(node: NodeHandle): NodeHandle | undefined {
    const owner = this.#owners[node] ?? NO_NODE;
    return owner === NO_NODE ? undefined : owner;
  }

  /** How many methods override one. */
  overridersOf(method: NodeHandle): number {
    const { backward, live } = this.graph.adjacency;
    if (this.#overriders[method] === 0) this.#overriders[method] = countLinks(backward, live, method, OVERRIDES) + 1;
    return (this.#overriders[method] ?? 0) - 1;
  }

  /** Whether variables in a file or class are declared with functions. */
  keepsFunctions(holder: NodeHandle): boolean {
    if (this.#keeps[holder] === 0) this.#keeps[holder] = storedFunctions(this.graph, holder).length > 0 ? 2 : 1;
    return this.#keeps[holder] === 2;
  }

  /** Cases and groups of cases that stand in a node. */
  blocksIn(node: NodeHandle): readonly NodeHandle[] {
    let blocks = this.#blocks.get(node);
    if (blocks === undefined) this.#blocks.set(node, (blocks = membersOf(this.graph, node).filter(child => isBlock(this.graph, child))));
    return blocks;
  }

  #kindOf(node: NodeHandle): number {
    const { graph } = this;
    const kind = graph.kindOf(node);
    return (
      (graph.fileNodeOf(node) === node ? IS.file : 0) |
      (CLASSES.has(kind) ? IS.class : 0) |
      (FUNCTIONS.has(kind) ? IS.function : 0) |
      (graph.isTest(node) ? IS.test : 0) |
      (graph.runsAsTest(node) ? IS.case : 0)
    );
  }

  #stepsFrom(node: NodeHandle): number {
    const { graph } = this;
    const parent = graph.parentOf(node);
    const ofParent = parent === undefined ? 0 : this.of(parent);
    const owner = (ofParent & IS.class) !== 0 ? parent : typeAround(graph, node);
    this.#owners[node] = owner ?? NO_NODE;
    const isNested = parent !== undefined && (ofParent & IS.function) !== 0 && !isRunnable(graph, node) && !isGroupOfCases(graph, parent);
    return (
      (isHanded(graph, node) ? LEADS.handed : 0) |
      (traitsOfNode(graph, node).runsOnLoad?.test(nameOf(graph, node)) === true ? LEADS.onLoad : 0) |
      (isNested ? LEADS.nested : 0) |
      (owner === undefined ? 0 : this.#memberSteps(node, owner))
    );
  }

  #memberSteps(node: NodeHandle, owner: NodeHandle): number {
    const { graph } = this;
    const { backward, forward, live } = graph.adjacency;
    let isOverride = false;
    let isUncalled = false;
    const end = forward.ends[node] ?? 0;
    for (let link = forward.starts[node] ?? 0; link < end; link++) {
      const base = forward.targets[link] ?? NO_NODE;
      if (live[base] !== 1 || !accepts(forward, link, OVERRIDES)) continue;
      isOverride = true;
      // What nobody is seen to call, a library may.
      isUncalled ||= countLinks(backward, live, base, CALLED) === 0;
    }
    const overrides = isOverride ? LEADS.overrides : 0;
    if (CONSTRUCTORS.has(nameOf(graph, node)) || graph.kindOf(node) === 'constructor') return overrides | LEADS.made;
    // A case runs by itself, and leads to no other case of its class.
    if (isBlock(graph, node)) return overrides;
    const dispatches = traitsOfNode(graph, node).fieldsAreValues !== true;
    if ((isUncalled && dispatches) || isProtocol(graph, node, owner)) return overrides | LEADS.protocol;
    return isOverride && dispatches ? overrides | LEADS.ofType : overrides;
  }
}

/** A function in a literal that no name leads to: it belongs to the code around, as functions without a name do. */
function isHanded(graph: GraphView, node: NodeHandle): boolean {
  const { backward, live } = graph.adjacency;
  return isLiteralMember(graph, node) && countLinks(backward, live, node, USED) === 0;
}

/** A function in a literal that is no variable's. */
export function isLiteralMember(graph: GraphView, node: NodeHandle): boolean {
  const { literalMember } = traitsOfNode(graph, node);
  const parent = graph.parentOf(node);
  return literalMember !== undefined && (parent === undefined || parent === graph.fileNodeOf(node)) && literalMember.test(graph.signatureOf(node));
}

/**
 * Methods that the language or its library has a name for, and all of a type that extends or implements one of a library: that calls what it knows, whoever
 * else calls them by name.
 */
function isProtocol(graph: GraphView, node: NodeHandle, owner: NodeHandle): boolean {
  const { backward, forward, live } = graph.adjacency;
  const { calledByRuntime, fieldsAreValues, passiveBases, runtimeSignature, seldomByRuntime } = traitsOfNode(graph, node);
  const name = nameOf(graph, node);
  if (seldomByRuntime?.test(name) === true && countLinks(backward, live, node, CALLED) > 0) return false;
  if (calledByRuntime?.test(name) === true && runtimeSignature?.test(graph.signatureOf(node)) !== false) return true;
  if (fieldsAreValues === true) return false;
  const calls = (base: NodeHandle): boolean => graph.kindOf(base) === 'external' && passiveBases?.test(graph.idOf(base).slice(EXTERNAL.length)) !== true;
  return countLinks(forward, live, owner, BASES, calls) > 0;
}
