import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { genericPath, memberRow, typePrefix } from './access';
import { lastSegment, pathRow } from './paths';
import type { Frame, Walk } from './walk';

/** Variants of the standard library that every file sees: built-in functions here, which know what they hold. */
const WRAPPING: ReadonlySet<string> = new Set(['Some', 'Ok', 'Err']);

/** Row of a call, with one use for the call. */
export function callValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const callee = file.child(node, 'function');
  const parts = file.children(file.child(node, 'arguments')).filter(child => !file.is(child, 'attribute_item'));
  const isPath = file.is(callee, 'identifier', 'scoped_identifier', 'generic_function', 'field_expression', 'self');
  if (!isPath) {
    const calleeRow = walk.operand(callee, frame);
    const row = file.row('call', calleeRow, NONE, NO_TEXT, argumentRows(walk, parts, frame));
    file.use('call', row, frame.owner, NO_TEXT, file.reader.start(callee));
    return row;
  }
  const calleeRow = calleeOf(walk, callee, frame);
  const rows = argumentRows(walk, parts, frame);
  return addCall(walk, callee, calleeRow, rows, frame);
}

function argumentRows(walk: Walk, parts: readonly SyntaxNode[], frame: Frame): ExpressionRow[] {
  return parts.map(part => walk.operand(part, frame));
}

function calleeOf(walk: Walk, callee: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (file.is(callee, 'field_expression')) return memberRow(walk, callee, frame);
  return file.is(callee, 'generic_function') ? genericPath(walk, callee, frame) : pathRow(walk, callee, frame);
}

function addCall(walk: Walk, callee: SyntaxNode, calleeRow: ExpressionRow, rows: readonly ExpressionRow[], frame: Frame): ExpressionRow {
  const { file } = walk;
  const inner = file.is(callee, 'generic_function') ? file.child(callee, 'function') : callee;
  const isMember = file.is(inner, 'field_expression');
  const { name, before } = isMember ? { name: file.child(inner, 'field'), before: NO_NODE } : lastSegment(file, inner);
  const word = file.word(name);
  const at = file.reader.start(name === NO_NODE ? callee : name);
  const plain = file.is(callee, 'generic_function') ? operandOf.inner(file.builder.expressions, calleeRow) : calleeRow;
  if (isMember || !file.isCapital(name)) {
    const row = file.row('call', plain, plain === calleeRow ? NONE : calleeRow, NO_TEXT, rows);
    file.use('call', row, frame.owner, word, at);
    typePrefix(walk, before, plain, frame);
    return row;
  }
  if (before === NO_NODE && file.text(name) === 'Err' && rows[0] !== undefined) file.use('raise', rows[0], frame.owner, word, at);
  if (before === NO_NODE && WRAPPING.has(file.text(name))) return file.row('call', file.fixedName(file.text(name)), NONE, NO_TEXT, rows);
  if (before === NO_NODE || !file.isCapital(before)) file.use('type', plain, frame.owner, word, at);
  if (before !== NO_NODE) file.use('read', plain, frame.owner, word, at);
  typePrefix(walk, before, plain, frame);
  return file.row('call', plain, NONE, NO_TEXT, rows);
}
