import { accepts } from '../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';
import { KIND_GROUPS } from '../../model/nodes';
import { anyLinks } from './links';

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const CONTAINED = anyLinks(['CONTAINS']);

/** What stands in a node, and the members of a type that stand outside of it, in any file: all methods of Go do. */
export function membersOf(graph: GraphView, node: NodeHandle): readonly NodeHandle[] {
  const inside = graph.childrenOf(node);
  if (!CLASSES.has(graph.kindOf(node))) return inside;
  const { forward, live } = graph.adjacency;
  const members = new Set(inside);
  const end = forward.ends[node] ?? 0;
  for (let link = forward.starts[node] ?? 0; link < end; link++) {
    const other = forward.targets[link] ?? NO_NODE;
    if (live[other] === 1 && accepts(forward, link, CONTAINED)) members.add(other);
  }
  return [...members];
}

/** A file with its symbols, a container with its members, wherever they stand: who uses a member depends on the whole. */
export function withMembers(graph: GraphView, node: NodeHandle): NodeHandle[] {
  const file = graph.fileNodeOf(node);
  if (file === undefined) return [node];
  if (file === node) return [node, ...graph.symbolsOf(file)];
  // The set grows while it is walked, down to what stands in members.
  const all = new Set([node]);
  for (const part of all) for (const member of membersOf(graph, part)) all.add(member);
  return [...all];
}

/** What a test framework runs by itself: a test, or a class with tests. A function that tests call is none, nor is one in which they stand as callbacks. */
export function isRunnable(graph: GraphView, node: NodeHandle): boolean {
  if (graph.kindOf(node) === 'class') return graph.childrenOf(node).some(member => graph.runsAsTest(member));
  return graph.runsAsTest(node);
}

const HOLDERS: ReadonlySet<string> = new Set<string>(['class', 'interface', 'struct', 'trait', 'enum', 'type', 'module', 'namespace']);
/** What may hold an object literal, and so its members. */
const OBJECTS: ReadonlySet<string> = new Set<string>(['constant', 'variable', 'property', 'field']);

/** Whether code elsewhere may use a symbol: it is exported, or a member that nothing hides, and so is the type or object that holds it. Files may be imported. */
export function isPublic(view: GraphView, node: NodeHandle): boolean {
  const { isExported, modifiers, name, nodeType } = view.node(node);
  if (nodeType === 'file') return true;
  const holder = holderOf(view, node);
  const holderKind = holder === undefined ? '' : (view.node(holder).kind ?? '');
  const isInType = holder !== undefined && HOLDERS.has(holderKind);
  if (isExported) return !isInType || isPublic(view, holder);
  const isMember = isInType || (holder !== undefined && OBJECTS.has(holderKind));
  return isMember && !/^[#_]/.test(name) && !modifiers.includes('private') && isPublic(view, holder);
}

/** What holds a member; also the type of one that stands outside of it, as Go's methods do. */
export function holderOf(view: GraphView, node: NodeHandle): NodeHandle | undefined {
  const parent = view.parentOf(node);
  if (parent === undefined || parent !== view.fileNodeOf(node)) return parent;
  return view.in(node, undefined, CONTAINED.kinds).find(({ relation }) => relation === 'CONTAINS')?.source ?? parent;
}
