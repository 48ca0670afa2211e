import { type ExpressionRow, NONE, operatorCode } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { Walk } from '../walk';

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

/** Row of the left side of a member: a name here is a use only of a variable, not of a class or namespace. */
export function objectRow(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { node: kinds } = walk.kinds;
  const kind = walk.kind[node];
  if (kind === kinds.member_expression) return memberRow(walk, node);
  if (kind !== kinds.identifier) return walk.value(node);
  const name = walk.nameOf(node);
  const row = walk.name(name);
  walk.uses.push({ kind: 'read', row, scope: walk.scope, owner: walk.owner, name, at: walk.reader.start(node), isObject: true });
  return row;
}
