import { kindsOf } from '../../algorithms/rows';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { relationCode } from '../../model/relations';

const HOLDERS: ReadonlySet<string> = new Set<string>(['class', 'interface', 'struct', 'trait', 'enum', 'type', 'module', 'namespace']);

const CONTAINED = kindsOf([relationCode.CONTAINS]);

/** Whether code elsewhere may use a symbol: it is exported, or a member that nothing hides, and so is the type that holds it. Files may be imported. */
export function isPublic(view: GraphView, node: NodeHandle): boolean {
  const { isExported, modifiers, name, nodeType } = view.node(node);
  if (nodeType === 'file') return true;
  const holder = holderOf(view, node);
  const isInType = holder !== undefined && HOLDERS.has(view.node(holder).kind ?? '');
  if (isExported) return !isInType || isPublic(view, holder);
  return isInType && !/^[#_]/.test(name) && !modifiers.includes('private') && isPublic(view, holder);
}

/** What holds a member; also the type of one that stands outside of it, as Go's methods do. */
export function holderOf(view: GraphView, node: NodeHandle): NodeHandle | undefined {
  const parent = view.parentOf(node);
  if (parent === undefined || parent !== view.fileNodeOf(node)) return parent;
  return view.in(node, undefined, CONTAINED).find(({ relation }) => relation === 'CONTAINS')?.source ?? parent;
}
