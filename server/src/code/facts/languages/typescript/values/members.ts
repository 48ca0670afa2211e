import { type ExpressionRow, NONE, operatorCode } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { Use, Walk } from '../walk';

/** Row of `a.b` without a use of the whole; `a` is visited. */
export function memberRow(walk: Walk, node: SyntaxNode): ExpressionRow {
  if (!walk.file.descend()) return walk.unknown;
  const { field } = walk.kinds;
  const object = walk.child(node, field.object);
  const property = walk.child(node, field.property);
  const base = object === NO_NODE ? walk.unknown : objectRow(walk, object);
  walk.file.ascend();
  return property === NO_NODE ? walk.unknown : walk.row(operatorCode.member, base, NONE, walk.nameOf(property));
}

/** Row of `a.b`, which is read. */
export function readMember(walk: Walk, node: SyntaxNode): ExpressionRow {
  const row = memberRow(walk, node);
  const property = walk.child(node, walk.kinds.field.property);
  if (property !== NO_NODE) useMember(walk, 'read', row, property);
  return row;
}

/** The member that a node names is read or written. */
export function useMember(walk: Walk, kind: Use['kind'], row: ExpressionRow, property: SyntaxNode): void {
  walk.uses.push({ kind, row, scope: walk.scope, owner: walk.owner, name: walk.nameOf(property), at: walk.reader.start(property), isObject: false });
}

/** Row of the left side of a member: a name here is a use only of a variable, not of a class or namespace. */
export function objectRow(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { node: kinds } = walk.kinds;
  const kind = walk.kind[node];
  if (kind === kinds.member_expression) return readMember(walk, node);
  if (kind !== kinds.identifier) return walk.value(node);
  const name = walk.nameOf(node);
  const row = walk.name(name);
  walk.uses.push({ kind: 'read', row, scope: walk.scope, owner: walk.owner, name, at: walk.reader.start(node), isObject: true });
  return row;
}
