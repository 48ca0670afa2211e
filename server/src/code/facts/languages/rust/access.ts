/** Ways to a member or a function that are written alike where it is read and where it is called. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { lastSegment, pathRow, typeArguments } from './paths';
import type { Frame, Walk } from './walk';

/** `f::<T>` and `x.f::<T>` as a generic row. */
export function genericPath(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const inner = file.child(node, 'function');
  const base = file.is(inner, 'field_expression') ? memberRow(walk, inner, frame) : pathRow(walk, inner, frame);
  return file.row('generic', base, NONE, NO_TEXT, typeArguments(walk, file.child(node, 'type_arguments'), frame));
}

/** The type in front of a path's last name (`Type::f`) is used too. */
export function typePrefix(walk: Walk, before: SyntaxNode, row: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  if (before === NO_NODE) return;
  const { name } = lastSegment(file, before);
  if (!file.is(name, 'identifier', 'type_identifier') || !file.isCapital(name) || file.text(name) === 'Self') return;
  const { expressions } = file.builder;
  const at = operandOf.receiver(expressions, row);
  if (at !== NONE) file.use('type', at, frame.owner, file.word(name), file.reader.start(name));
}

/** `a.b`, without a use of `b`. */
export function memberRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.child(node, 'field');
  return file.row('member', walk.operand(file.child(node, 'value'), frame), NONE, name === NO_NODE ? NO_TEXT : file.word(name));
}
