import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { countDecision, inBlock, typePlace } from '../../walk/frames';
import { anonymousClass } from './declarations';
import { lambdaValue, methodReference } from './functions';
import type { KindName } from './grammar';
import { bindRecordPattern } from './patterns';
import { isLookUp, useLookedUp } from './reflection';
import { switchValue } from './switches';
import { addType, lastTypeName, typeArguments } from './types';
import { type Frame, type ValueHandler, type Walk } from './walk';

const literal =
  (text: string): ValueHandler =>
  walk =>
    walk.file.literal(text);

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: (walk, node, frame) => {
    const { file } = walk;
    const word = file.word(node);
    const row = file.row('name', frame.scope, NONE, word);
    file.readName(row, frame.owner, word, file.reader.start(node), frame.scope);
    return row;
  },
  field_access: (walk, node, frame) => {
    const { file } = walk;
    const row = fieldRow(walk, node, frame);
    const name = file.child(node, 'field');
    if (file.is(name, 'identifier')) file.use('read', row, frame.owner, file.word(name), file.reader.start(name));
    return row;
  },
  method_invocation: invocation,
  object_creation_expression: creation,
  parenthesized_expression: (walk, node, frame) => walk.value(walk.file.reader.firstNamedChild(node), frame),
  this: (walk, _node, frame) => walk.file.row('this', frame.scope),
  super: (walk, _node, frame) => walk.file.row('super', frame.scope),
  array_access: (walk, node, frame) =>
    walk.file.row('index', walk.value(walk.file.child(node, 'array'), frame), walk.value(walk.file.child(node, 'index'), frame)),
  assignment_expression: assignment,
  binary_expression: binaryValue,
  unary_expression: (walk, node, frame) => operation(walk, node, walk.value(walk.file.child(node, 'operand'), frame)),
  update_expression: (walk, node, frame) => {
    const { file } = walk;
    const operand = file.reader.firstNamedChild(node);
    const row = writeTarget(walk, operand, frame);
    return file.row('operation', row, NONE, file.builder.intern('++'));
  },
  ternary_expression: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const inner = withPatterns(walk, node, frame);
    walk.value(file.child(node, 'condition'), inner);
    const consequence = walk.value(file.child(node, 'consequence'), inner);
    return file.either([consequence, walk.value(file.child(node, 'alternative'), inner)]);
  },
  cast_expression: (walk, node, frame) => {
    const { file } = walk;
    const rows = file.childrenOf(node, 'type').map(type => addType(file, type, typePlace(frame)));
    const value = walk.value(file.child(node, 'value'), frame);
    const type = rows.length < 2 ? (rows[0] ?? NONE) : file.row('intersection', NONE, NONE, NO_TEXT, rows);
    if (file.is(file.child(node, 'value'), 'lambda_expression')) {
      file.builder.addBinding({ scope: inBlock(walk.file, frame).scope, name: NO_TEXT, kind: 'variable', type, value });
    }
    return file.row('valueOfType', type === NONE ? file.unknown() : type);
  },
  instanceof_expression: typeTest,
  lambda_expression: lambdaValue,
  method_reference: methodReference,
  array_creation_expression: arrayCreation,
  array_initializer: arrayRow,
  element_value_array_initializer: arrayRow,
  class_literal: (walk, node, frame) => {
    const { file } = walk;
    const type = addType(file, file.reader.firstNamedChild(node), typePlace(frame));
    const base = file.row('name', frame.scope, NONE, file.builder.intern('Class'));
    return file.row('valueOfType', type === NONE ? base : file.row('generic', base, NONE, NO_TEXT, [type]));
  },
  switch_expression: switchValue,
  annotation: () => NONE,
  marker_annotation: () => NONE,
  string_literal: literal('string'),
  character_literal: literal('character'),
  decimal_integer_literal: integerValue,
  hex_integer_literal: integerValue,
  octal_integer_literal: integerValue,
  binary_integer_literal: integerValue,
  decimal_floating_point_literal: literal('double'),
  hex_floating_point_literal: literal('double'),
  true: literal('boolean'),
  false: literal('boolean'),
  null_literal: literal('null'),
};

function integerValue(walk: Walk, node: SyntaxNode): ExpressionRow {
  const last = walk.file.table.text.charCodeAt(walk.file.reader.end(node) - 1);
  return walk.file.literal(last === 76 || last === 108 ? 'long' : 'number');
}

/** `a.b`; `Outer.this` is an instance of the class around of that name. */
function fieldRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.child(node, 'field');
  const object = file.child(node, 'object');
  if (file.is(name, 'this')) return file.row('valueOfType', file.row('name', frame.scope, NONE, file.word(object)));
  const isSuper = !file.is(object, 'super') && file.childOf(node, 'super') !== NO_NODE;
  const before = isSuper ? outerSuper(walk, object, frame) : walk.value(object, frame);
  return file.row('member', before, NONE, file.word(name));
}

/** `Interface.super`: what the interface itself gives. */
function outerSuper(walk: Walk, object: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.file.row('valueOfType', walk.file.row('name', frame.scope, NONE, walk.file.word(object)));
}

/** Bare names of methods are looked up from the class on: locals do not hide them. */
function invocation(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  const object = file.child(node, 'object');
  const word = file.word(nameNode);
  let callee: ExpressionRow;
  if (object === NO_NODE) callee = file.row('name', frame.type?.scope ?? frame.scope, NONE, word);
  else {
    const isSuper = !file.is(object, 'super') && file.childOf(node, 'super') !== NO_NODE;
    callee = file.row('member', isSuper ? outerSuper(walk, object, frame) : walk.value(object, frame), NONE, word);
  }
  const given = typeArguments(file, file.child(node, 'type_arguments'), typePlace(frame));
  const generic = given.length === 0 ? NONE : file.row('generic', callee, NONE, NO_TEXT, given);
  const row = file.row('call', callee, generic, NO_TEXT, argumentRows(walk, file.child(node, 'arguments'), frame));
  file.use('call', row, frame.owner, word, file.reader.start(nameNode));
  if (isLookUp(file.builder.strings[word] ?? '')) useLookedUp(walk, node, frame, type => calleeRow(walk, type, frame));
  return row;
}

export function argumentRows(walk: Walk, list: SyntaxNode, frame: Frame): ExpressionRow[] {
  if (list === NO_NODE) return [];
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  const end = file.reader.after(list);
  for (let child = syntaxNode(list + 1); child < end; child = file.reader.after(child)) {
    if (file.reader.isNamed(child) && !file.grammar.comments.has(file.reader.kind(child))) rows.push(walk.value(child, frame));
  }
  return rows;
}

/** `new T<X>(…) { … }`, `outer.new Inner()`. */
function creation(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const typeNode = file.child(node, 'type');
  const body = file.childOf(node, 'class_body');
  const first = file.reader.firstNamedChild(node);
  const outer = first !== NO_NODE && first !== typeNode && file.reader.start(first) < file.reader.start(typeNode) && isOuter(walk, first) ? first : NO_NODE;
  const { name, at } = lastTypeName(file, typeNode);
  let callee: ExpressionRow;
  let generic: ExpressionRow = NONE;
  if (outer !== NO_NODE) callee = file.row('member', walk.value(outer, frame), NONE, name);
  else {
    const place = typePlace(frame);
    const base = file.is(typeNode, 'generic_type') ? file.reader.firstNamedChild(typeNode) : typeNode;
    callee = calleeRow(walk, base, frame);
    const given = file.is(typeNode, 'generic_type') ? typeArguments(file, file.childOf(typeNode, 'type_arguments'), place) : [];
    if (given.length > 0) generic = file.row('generic', callee, NONE, NO_TEXT, given);
  }
  const row = file.row('new', callee, generic, NO_TEXT, argumentRows(walk, file.child(node, 'arguments'), frame));
  file.use('new', row, frame.owner, name, at);
  if (body !== NO_NODE) anonymousClass(walk, { node, body, nameNode: typeNode, name, base: generic === NONE ? callee : generic, at }, frame);
  return row;
}

function isOuter(walk: Walk, node: SyntaxNode): boolean {
  return !walk.file.is(node, 'annotation', 'marker_annotation', 'type_arguments');
}

/** Name of a class without a use: the `new` itself is the use. */
function calleeRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (!file.is(node, 'scoped_type_identifier')) return file.row('name', frame.scope, NONE, file.word(node));
  return file.nested(file.unknown(), () => {
    const [before, last] = file.children(node).filter(child => isOuter(walk, child));
    if (before === undefined || last === undefined) return file.unknown();
    const base = file.is(before, 'generic_type') ? file.reader.firstNamedChild(before) : before;
    return file.row('member', calleeRow(walk, base, frame), NONE, file.word(last));
  });
}

function assignment(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const right = file.child(node, 'right');
  const isPlain = file.text(file.child(node, 'operator')) === '=';
  const target = isPlain ? NONE : walk.value(left, frame);
  const value = walk.value(right, frame);
  const row = writeTarget(walk, left, frame);
  if (isPlain && file.is(right, 'lambda_expression')) expectedBy(walk, left, row, value, frame);
  return isPlain ? value : file.row('operation', target, value, file.builder.intern('+'));
}

/** What a lambda is assigned to says what its parameters are. */
function expectedBy(walk: Walk, left: SyntaxNode, row: ExpressionRow, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const isName = file.is(left, 'identifier');
  if (!isName && !file.is(left, 'field_access')) return;
  const target = isName ? file.row('this', frame.scope) : operandOf.receiver(file.builder.expressions, row);
  const name = isName ? file.word(left) : file.word(file.child(left, 'field'));
  file.builder.addAssignment({ target, name, value, owner: frame.owner });
}

/** Row of what is assigned to, with a use as written. */
function writeTarget(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (file.is(node, 'identifier')) {
    const word = file.word(node);
    const row = file.row('name', frame.scope, NONE, word);
    file.writeName(row, frame.owner, word, file.reader.start(node), frame.scope);
    return row;
  }
  if (!file.is(node, 'field_access')) return walk.value(node, frame);
  const row = fieldRow(walk, node, frame);
  const name = file.child(node, 'field');
  file.use('write', row, frame.owner, file.word(name), file.reader.start(name));
  return row;
}

function operation(walk: Walk, node: SyntaxNode, a: ExpressionRow, b: ExpressionRow = NONE): ExpressionRow {
  return walk.file.row('operation', a, b, walk.file.word(walk.file.child(node, 'operator')));
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; file.is(left, 'binary_expression'); left = file.child(left, 'left')) chain.push(left);
  let row = walk.value(left, frame);
  for (let i = chain.length - 1; i >= 0; i--) {
    const each = chain[i] ?? NO_NODE;
    const operator = file.text(file.child(each, 'operator'));
    if (operator === '&&' || operator === '||') countDecision(frame);
    row = file.row('operation', row, walk.value(file.child(each, 'right'), frame), file.builder.intern(operator));
  }
  return row;
}

/** `x instanceof T`, `x instanceof T t`, `x instanceof R(var a, B b)`. */
function typeTest(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const subject = walk.value(file.child(node, 'left'), frame);
  const pattern = file.child(node, 'pattern');
  const typeNode = file.child(node, 'right');
  const type = addType(file, typeNode, typePlace(frame, 'assertType'));
  const name = file.child(node, 'name');
  if (name !== NO_NODE) file.builder.addBinding({ scope: frame.scope, name: file.word(name), kind: 'variable', type });
  if (pattern !== NO_NODE) bindRecordPattern(walk, pattern, frame);
  return file.row('operation', subject, NONE, file.builder.intern('instanceof'));
}

/** A scope for the names that type tests below `node` bind, where there are some. */
export function withPatterns(walk: Walk, node: SyntaxNode, frame: Frame): Frame {
  return hasPattern(walk, node) ? inBlock(walk.file, frame) : frame;
}

export function hasPattern(walk: Walk, node: SyntaxNode): boolean {
  const { file } = walk;
  const { kind, field } = file.grammar;
  const end = node === NO_NODE ? NO_NODE : file.reader.after(node);
  for (let at = node; at < end; at++) {
    if (file.reader.kind(at) !== kind.instanceof_expression) continue;
    if (file.reader.childByField(at, field.name) !== NO_NODE || file.reader.childByField(at, field.pattern) !== NO_NODE) return true;
  }
  return false;
}

function arrayRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.file.row('array', NONE, NONE, NO_TEXT, argumentRows(walk, node, frame));
}

function arrayCreation(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  let type = addType(file, file.child(node, 'type'), typePlace(frame));
  for (const each of file.childrenOf(node, 'dimensions')) {
    const depth = file.is(each, 'dimensions_expr') ? 1 : Math.max(1, file.text(each).split('[').length - 1);
    for (let i = 0; i < depth; i++) type = file.row('arrayType', type);
    if (file.is(each, 'dimensions_expr')) walk.value(file.reader.firstNamedChild(each), frame);
  }
  const values = file.child(node, 'value');
  if (values !== NO_NODE) walk.value(values, frame);
  return file.row('valueOfType', type);
}
