import { operandOf } from '../../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { countDecision } from '../../../walk/frames';
import { typeRow } from '../types';
import { type Frame, lastNameNode, type Walk } from '../walk';
import { bindName } from './bindings';
import { targetTypedCreation } from './creation';
import { indexRow, memberRow, useIndexer } from './members';

/** `a = v`, `a.b += v`, `(a, var b) = v`: gives the row of what is assigned. */
export function assign(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const right = file.child(node, 'right');
  const operator = file.text(file.child(node, 'operator'));
  if (operator === '??=') countDecision(frame);
  if (file.is(left, 'tuple_expression')) {
    const parts = walk.value(right, frame);
    deconstruct(walk, left, parts, frame);
    return parts;
  }
  const row = writeTo(walk, left, frame, operator !== '=');
  if (file.is(right, 'implicit_object_creation_expression')) return targetTypedCreation(walk, right, frame, NO_NODE, row);
  const value = walk.value(right, frame);
  if (operator !== '=' && operator !== '??=') {
    const word = operator.slice(0, -1);
    file.useOperator(file.row('operation', row, value, file.builder.intern(word)), frame.owner, word, file.reader.start(file.child(node, 'operator')));
  }
  if (file.is(right, 'lambda_expression', 'anonymous_method_expression')) noteAssigned(walk, left, row, value, frame);
  return value;
}

/** Says what a member is given, so that lambdas know what is asked for. */
function noteAssigned(walk: Walk, left: SyntaxNode, row: ExpressionRow, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const { expressions } = file.builder;
  const isName = file.is(left, 'identifier');
  if (!isName && !file.is(left, 'member_access_expression')) return;
  const target = isName ? file.row('this', frame.scope) : operandOf.receiver(expressions, row);
  file.builder.addAssignment({ target, name: expressions.text[row] ?? NO_TEXT, value, owner: frame.owner });
}

/** Writes the use of what stands left of `=`, which may be read too; gives its row. */
export function writeTo(walk: Walk, left: SyntaxNode, frame: Frame, isRead = false): ExpressionRow {
  const { file } = walk;
  if (file.is(left, 'parenthesized_expression')) return writeTo(walk, file.first(left), frame, isRead);
  if (file.is(left, 'identifier')) {
    const word = file.word(left);
    const row = file.row('name', frame.scope, NONE, word);
    if (isRead) file.readName(row, frame.owner, word, file.reader.start(left), frame.scope);
    file.writeName(row, frame.owner, word, file.reader.start(left), frame.scope);
    return row;
  }
  if (file.is(left, 'element_access_expression')) {
    const object = walk.value(file.child(left, 'expression'), frame);
    if (isRead) useIndexer(walk, left, object, frame, false);
    useIndexer(walk, left, object, frame, true);
    return indexRow(walk, object, file.children(file.child(left, 'subscript')), frame);
  }
  if (!file.is(left, 'member_access_expression', 'conditional_access_expression')) return walk.value(left, frame);
  const row = memberRow(walk, left, frame);
  const name = lastNameNode(file, left);
  if (name === NO_NODE) return row;
  if (isRead) file.use('read', row, frame.owner, file.word(name), file.reader.start(name));
  file.use('write', row, frame.owner, file.word(name), file.reader.start(name));
  return row;
}

/** Parts by position: declared ones are bound, others written to. */
function deconstruct(walk: Walk, tuple: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  file.children(tuple).forEach((part, index) => {
    const target = file.children(part).at(-1) ?? NO_NODE;
    const row = file.row('index', value, NONE, file.builder.intern(String(index)));
    if (file.is(target, 'tuple_expression')) file.nested(undefined, () => deconstruct(walk, target, row, frame));
    else if (!file.is(target, 'declaration_expression')) writeTo(walk, target, frame);
    else bindName(walk, file.child(target, 'name'), row, typeRow(walk, file.child(target, 'type'), frame), frame);
  });
}
