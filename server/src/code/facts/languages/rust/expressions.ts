import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { countDecision } from '../../walk/frames';
import { genericPath, memberRow, typePrefix } from './access';
import { callValue } from './calls';
import { closureValue } from './functions';
import type { KindName } from './grammar';
import { macroValue } from './macros/tokens';
import { lastSegment, pathRow, selfRow } from './paths';
import { bindPattern } from './patterns';
import { addType } from './types';
import { type Frame, innerScope, type ValueHandler, type Walk } from './walk';

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: nameValue,
  self: nameValue,
  metavariable: nameValue,
  scoped_identifier: pathValue,
  generic_function: pathValue,
  field_expression: fieldValue,
  call_expression: callValue,
  macro_invocation: macroValue,
  struct_expression: structValue,
  closure_expression: closureValue,
  parenthesized_expression: firstValue,
  reference_expression: (walk, node, frame) => walk.value(walk.file.child(node, 'value'), frame),
  unary_expression: (walk, node, frame) => {
    const row = firstValue(walk, node, frame);
    if (walk.file.reader.charCode(node) === STAR) return row;
    const at = walk.file.reader.start(node);
    return operation(walk, walk.file.table.text[at] ?? '', row, NONE, frame, at);
  },
  try_expression: (walk, node, frame) => {
    countDecision(frame);
    return walk.file.row('unwrap', operandOfFirst(walk, node, frame));
  },
  await_expression: (walk, node, frame) => walk.file.row('await', operandOfFirst(walk, node, frame)),
  binary_expression: binaryValue,
  assignment_expression: assignmentValue,
  compound_assignment_expr: assignmentValue,
  type_cast_expression: (walk, node, frame) => {
    walk.value(walk.file.child(node, 'value'), frame);
    return walk.file.row('valueOfType', addType(walk, walk.file.child(node, 'type'), frame));
  },
  index_expression: (walk, node, frame) => indexValue(walk, node, frame),
  tuple_expression: (walk, node, frame) => arrayRow(walk, node, frame, 'tuple'),
  array_expression: (walk, node, frame) => {
    const length = walk.file.child(node, 'length');
    if (length === NO_NODE) return arrayRow(walk, node, frame, '');
    const element = operandOfFirst(walk, node, frame);
    walk.value(length, frame);
    return walk.file.row('array', NONE, NONE, NO_TEXT, [element]);
  },
  range_expression: (walk, node, frame) => {
    const [first] = walk.file.children(node).map(child => walk.operand(child, frame));
    const range = walk.file.fixedName('Range');
    return walk.file.row('valueOfType', first === undefined ? range : walk.file.row('generic', range, NONE, NO_TEXT, [walk.file.literal('number')]));
  },
  return_expression: returnValue,
  break_expression: jumpValue,
  continue_expression: () => NONE,
  yield_expression: jumpValue,
  block: (walk, node, frame) => walk.block(node, frame),
  unsafe_block: innerBlock,
  const_block: (walk, node, frame) => walk.block(walk.file.child(node, 'body'), frame),
  try_block: innerBlock,
  async_block: innerBlock,
  if_expression: ifValue,
  match_expression: matchValue,
  while_expression: whileValue,
  loop_expression: (walk, node, frame) => {
    countDecision(frame);
    walk.block(walk.file.child(node, 'body'), frame);
    return NONE;
  },
  for_expression: forValue,
  string_literal: walk => walk.file.literal('string'),
  raw_string_literal: walk => walk.file.literal('string'),
  char_literal: walk => walk.file.literal('char'),
  boolean_literal: walk => walk.file.literal('boolean'),
  integer_literal: walk => walk.file.literal('number'),
  float_literal: walk => walk.file.literal('float'),
  negative_literal: walk => walk.file.literal('number'),
  unit_expression: walk => walk.file.literal('null'),
};

const STAR = 42;

function firstValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.value(firstExpression(walk, node), frame);
}

function operandOfFirst(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.operand(firstExpression(walk, node), frame);
}

function firstExpression(walk: Walk, node: SyntaxNode): SyntaxNode {
  return walk.file.children(node).find(child => !walk.file.is(child, 'attribute_item', 'label', 'mutable_specifier')) ?? NO_NODE;
}

/** An operator, which stands at `at`, with its operands. */
function operation(walk: Walk, operator: string, a: ExpressionRow, b: ExpressionRow, frame: Frame, at: number): ExpressionRow {
  const row = walk.file.row('operation', a, b, walk.file.builder.intern(operator));
  if (!LOGICAL.has(operator)) walk.file.useOperator(row, frame.owner, operator, at);
  return row;
}

function arrayRow(walk: Walk, node: SyntaxNode, frame: Frame, text: string): ExpressionRow {
  const { file } = walk;
  const items = file.children(node).filter(child => !file.is(child, 'attribute_item'));
  return file.row(
    'array',
    NONE,
    NONE,
    file.builder.intern(text),
    items.map(child => walk.operand(child, frame)),
  );
}

function nameValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = pathRow(walk, node, frame);
  if (file.is(node, 'identifier') && file.text(node) !== 'None') file.readName(row, frame.owner, file.word(node), file.reader.start(node), frame.scope);
  return row;
}

/** `a::B`, `f::<T>`: a constant, a variant, a function passed on. */
function pathValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const { name, before } = lastSegment(file, node);
  const row = file.is(node, 'generic_function') ? genericPath(walk, node, frame) : pathRow(walk, node, frame);
  file.use('read', row, frame.owner, file.word(name), file.reader.start(name));
  typePrefix(walk, before, row, frame);
  return row;
}

function fieldValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = memberRow(walk, node, frame);
  const name = file.child(node, 'field');
  if (name !== NO_NODE) file.use('read', row, frame.owner, file.word(name), file.reader.start(name));
  return row;
}

/** `Type { field: value, ..base }`: runs no code of the type, so it counts as a use of the type. */
function structValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const path = file.child(node, 'name');
  const { name, before } = lastSegment(file, path);
  const isSelf = file.text(path) === 'Self';
  const type = isSelf ? selfRow(walk, frame) : pathRow(walk, path, frame);
  if (!isSelf) {
    file.use(before === NO_NODE || !file.isCapital(before) ? 'type' : 'read', type, frame.owner, file.word(name), file.reader.start(name));
    typePrefix(walk, before, type, frame);
  }
  for (const field of file.children(file.child(node, 'body'))) {
    if (file.is(field, 'field_initializer')) walk.value(file.child(field, 'value'), frame);
    else if (file.is(field, 'shorthand_field_initializer')) walk.value(file.reader.lastNamedChild(field), frame);
    else walk.value(file.reader.firstNamedChild(field), frame);
  }
  return file.row('new', type);
}

const LOGICAL: ReadonlySet<string> = new Set(['&&', '||']);

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; file.is(left, 'binary_expression'); left = file.child(left, 'left')) chain.push(left);
  let row = walk.operand(left, frame);
  for (const each of chain.reverse()) {
    const operator = file.text(file.child(each, 'operator'));
    if (LOGICAL.has(operator)) countDecision(frame);
    row = operation(walk, operator, row, walk.operand(file.child(each, 'right'), frame), frame, file.reader.start(file.child(each, 'operator')));
  }
  return row;
}

/** `a = b`, `a += b`: fields are written; a local that was declared without a value gets this one. */
function assignmentValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const value = walk.operand(file.child(node, 'right'), frame);
  let target: ExpressionRow;
  if (file.is(left, 'identifier')) {
    const name = file.word(left);
    target = file.nameRow(frame, name);
    file.readName(target, frame.owner, name, file.reader.start(left), frame.scope);
    const scope = frame.body?.unset.get(name);
    if (scope !== undefined && file.is(node, 'assignment_expression')) file.builder.addBinding({ scope, name, kind: 'variable', value });
  } else if (file.is(left, 'field_expression')) {
    const field = file.child(left, 'field');
    target = memberRow(walk, left, frame);
    file.use('write', target, frame.owner, file.word(field), file.reader.start(field));
  } else target = file.is(left, 'index_expression') ? indexValue(walk, left, frame, 'index_mut') : walk.value(left, frame);
  const operator = file.child(node, 'operator');
  if (operator !== NO_NODE && target !== NONE) operation(walk, file.text(operator), target, value, frame, file.reader.start(operator));
  return NONE;
}

/** `a[k]`; `method`: what it runs where a type declares it. */
function indexValue(walk: Walk, node: SyntaxNode, frame: Frame, method: 'index' | 'index_mut' = 'index'): ExpressionRow {
  const { file } = walk;
  const [object, key] = file.children(node);
  const objectRow = object === undefined ? file.unknown() : walk.operand(object, frame);
  if (object !== undefined) file.useImplicit(objectRow, method, frame.owner, '[', file.reader.end(object));
  if (key === undefined) return file.row('index', objectRow);
  const keyRow = walk.operand(key, frame);
  if (file.is(key, 'range_expression')) return objectRow;
  return file.row('index', objectRow, keyRow, file.is(key, 'integer_literal') ? file.word(key) : NO_TEXT);
}

function returnValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const row = firstValue(walk, node, frame);
  if (row !== NONE && frame.body?.isClosure === true) frame.body.returns.push(row);
  return NONE;
}

function jumpValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const child = firstExpression(walk, node);
  if (child !== NO_NODE) walk.value(child, frame);
  return NONE;
}

function innerBlock(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.block(walk.file.childOf(node, 'block'), frame);
}

function ifValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  countDecision(frame);
  const inside = condition(walk, file.child(node, 'condition'), frame);
  const yes = walk.block(file.child(node, 'consequence'), inside);
  const otherwise = file.child(node, 'alternative');
  return otherwise === NO_NODE ? NONE : file.anyOf([yes, firstValue(walk, otherwise, frame)]);
}

/** Evaluates a condition; the frame that sees what `let` patterns in it bind. */
export function condition(walk: Walk, node: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  if (file.is(node, 'let_condition')) {
    const value = walk.operand(file.child(node, 'value'), frame);
    return bindPattern(walk, file.child(node, 'pattern'), { value, type: NONE }, innerScope(walk, frame));
  }
  const isChain = file.is(node, 'let_chain') || (file.is(node, 'binary_expression') && file.text(file.child(node, 'operator')) === '&&');
  if (isChain && hasLet(walk, node)) {
    return file.nested(frame, () =>
      file.children(node).reduce((current, child) => {
        countDecision(frame);
        return condition(walk, child, current);
      }, frame),
    );
  }
  walk.value(node, frame);
  return frame;
}

function hasLet(walk: Walk, node: SyntaxNode): boolean {
  const { file } = walk;
  const end = file.reader.after(node);
  for (let at = node; at < end; at++) if (file.is(at, 'let_condition')) return true;
  return false;
}

function whileValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  countDecision(frame);
  const inside = condition(walk, walk.file.child(node, 'condition'), frame);
  walk.block(walk.file.child(node, 'body'), inside);
  return NONE;
}

function forValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  countDecision(frame);
  const iterated = walk.operand(file.child(node, 'value'), frame);
  for (const method of ['into_iter', 'next']) file.useImplicit(iterated, method, frame.owner, 'for', file.reader.start(node));
  const item = file.row('iterate', iterated);
  const inside = bindPattern(walk, file.child(node, 'pattern'), { value: item, type: NONE }, innerScope(walk, frame));
  walk.block(file.child(node, 'body'), inside);
  return NONE;
}

function matchValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const value = walk.operand(file.child(node, 'value'), frame);
  const rows: ExpressionRow[] = [];
  for (const arm of file.children(file.child(node, 'body'))) {
    if (!file.is(arm, 'match_arm')) continue;
    if (rows.length > 0) countDecision(frame);
    const pattern = file.child(arm, 'pattern');
    let inside = bindPattern(walk, pattern, { value, type: NONE }, innerScope(walk, frame));
    const guard = file.child(pattern, 'condition');
    if (guard !== NO_NODE) {
      countDecision(frame);
      inside = condition(walk, guard, inside);
    }
    rows.push(walk.value(file.child(arm, 'value'), inside));
  }
  return file.anyOf(rows);
}
