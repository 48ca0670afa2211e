import { type ExpressionRow, NO_TEXT, NONE, type StringIndex } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { countDecision } from '../../../walk/frames';
import { closureRow } from '../declarations/functions';
import { includeFile } from '../declarations/imports';
import { classRow, lastPart, nameRow, qualifierRow, variableRow } from '../names';
import type { KindName } from '../phpGrammar';
import { guardsOf, narrow } from '../statements/narrowing';
import { wordType } from '../types/nativeTypes';
import { type Frame, type ValueHandler, type Walk } from '../walk';
import { arrayValue, elementValue } from './arrays';
import { assign, augment } from './assignments';
import { callFunction, callMember, callStatic, createObject } from './calls';
import { matchValue } from './matching';
import { useAsText } from './protocols';

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  variable_name: (walk, node, frame) => {
    const { file } = walk;
    const row = variableRow(walk, node, frame);
    if (file.text(node) !== '$this') file.readName(row, frame.owner, file.word(node), file.reader.start(node), frame.scope);
    return row;
  },
  dynamic_variable_name: (walk, node, frame) => {
    const { file } = walk;
    const inner = file.reader.firstNamedChild(node);
    if (!file.is(inner, 'name')) return inner === NO_NODE ? file.unknown() : walk.value(inner, frame);
    const name = file.builder.intern(`$${file.text(inner)}`);
    const row = file.row('name', frame.scope, NONE, name);
    file.readName(row, frame.owner, name, file.reader.start(inner), frame.scope);
    return row;
  },
  name: readConstant,
  qualified_name: readConstant,
  relative_name: readConstant,
  member_access_expression: readMember,
  nullsafe_member_access_expression: readMember,
  scoped_property_access_expression: readMember,
  class_constant_access_expression: readClassConstant,
  function_call_expression: callFunction,
  member_call_expression: callMember,
  nullsafe_member_call_expression: callMember,
  scoped_call_expression: callStatic,
  object_creation_expression: createObject,
  subscript_expression: (walk, node, frame) => elementValue(walk, node, frame),
  array_creation_expression: arrayValue,
  assignment_expression: (walk, node, frame) => assign(walk, node, NONE, frame),
  reference_assignment_expression: (walk, node, frame) => assign(walk, node, NONE, frame),
  augmented_assignment_expression: augment,
  parenthesized_expression: firstValue,
  error_suppression_expression: firstValue,
  clone_expression: (walk, node, frame) => {
    const row = firstValue(walk, node, frame);
    walk.file.useImplicit(row, '__clone', frame.owner, 'clone', walk.file.reader.start(node));
    return row;
  },
  by_ref: firstValue,
  argument: (walk, node, frame) => walk.value(walk.file.reader.lastNamedChild(node), frame),
  variadic_unpacking: (walk, node, frame) => walk.file.row('spread', firstValue(walk, node, frame)),
  anonymous_function: (walk, node, frame) => closureRow(walk, node, frame),
  arrow_function: (walk, node, frame) => closureRow(walk, node, frame),
  binary_expression: binaryValue,
  unary_op_expression: (walk, node, frame) => {
    const { file } = walk;
    const operator = file.builder.intern(file.text(file.child(node, 'operator')) || '-');
    const argument = file.child(node, 'argument');
    return file.row('operation', argument === NO_NODE ? file.literal('number') : walk.value(argument, frame), NONE, operator);
  },
  conditional_expression: conditionalValue,
  match_expression: matchValue,
  cast_expression: (walk, node, frame) => {
    const { file } = walk;
    const value = walk.value(file.child(node, 'value'), frame);
    const type = file.text(file.child(node, 'type')).trim().toLowerCase();
    if (type === 'array' || type === 'object') return value;
    if (type === 'string') useAsText(walk, node, value, frame);
    return wordType(file, type, frame) ?? file.literal('string');
  },
  throw_expression: (walk, node, frame) => {
    const { file } = walk;
    const thrown = file.reader.firstNamedChild(node);
    if (thrown === NO_NODE) return file.unknown();
    const row = walk.value(thrown, frame);
    const { name, at } = thrownName(walk, thrown);
    if (name !== 0) file.use('raise', row, frame.owner, name, at);
    return file.literal('null');
  },
  yield_expression: yieldValue,
  include_expression: includeFile,
  include_once_expression: includeFile,
  require_expression: includeFile,
  require_once_expression: includeFile,
  string: walk => walk.file.literal('string'),
  nowdoc: walk => walk.file.literal('string'),
  integer: walk => walk.file.literal('number'),
  float: walk => walk.file.literal('number'),
  boolean: walk => walk.file.literal('boolean'),
  null: walk => walk.file.literal('null'),
  encapsed_string: stringValue,
  heredoc: stringValue,
};

/** Handlers for what is used in another way than being read. */
export const QUIET_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  variable_name: variableRow,
  member_access_expression: memberRow,
  nullsafe_member_access_expression: memberRow,
  scoped_property_access_expression: memberRow,
  parenthesized_expression: (walk, node, frame) => walk.quiet(walk.file.reader.firstNamedChild(node), frame),
};

function firstValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const child = walk.file.reader.firstNamedChild(node);
  return child === NO_NODE ? walk.file.unknown() : walk.value(child, frame);
}

const MAGIC = /^__(?:DIR|FILE|LINE|CLASS|TRAIT|FUNCTION|METHOD|NAMESPACE)__$/;

/** A constant by its name. */
function readConstant(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const text = file.text(node);
  if (MAGIC.test(text)) return file.literal(text === '__LINE__' ? 'number' : 'string');
  const row = nameRow(file, text, frame);
  const { name, at } = lastPart(file, node);
  if (file.is(node, 'name')) file.readName(row, frame.owner, name, at, frame.scope);
  else file.use('read', row, frame.owner, name, at);
  return row;
}

/** `$o->p`, `$o?->p`, `A::$p`: properties have their `$` in their names. */
export function memberRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const isStatic = file.is(node, 'scoped_property_access_expression');
  const object = isStatic ? qualifierRow(walk, file.child(node, 'scope'), frame) : walk.value(file.child(node, 'object'), frame);
  const name = propertyName(walk, node);
  if (name === 0) {
    const dynamic = file.child(node, 'name');
    if (dynamic !== NO_NODE) walk.value(dynamic, frame);
    return file.row('index', object);
  }
  return file.row('member', object, NONE, name);
}

function propertyName(walk: Walk, node: SyntaxNode): StringIndex {
  const { file } = walk;
  const name = file.child(node, 'name');
  if (file.is(node, 'scoped_property_access_expression')) return file.is(name, 'variable_name') ? file.word(name) : NO_TEXT;
  return file.is(name, 'name') ? file.builder.intern(`$${file.text(name)}`) : NO_TEXT;
}

function readMember(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = memberRow(walk, node, frame);
  const name = propertyName(walk, node);
  if (name !== 0) file.use('read', row, frame.owner, name, file.reader.start(file.child(node, 'name')));
  return row;
}

/** `A::B`; `A::class` is the class itself. */
function readClassConstant(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const [owner, name] = file.children(node);
  if (owner === undefined) return file.unknown();
  const row = qualifierRow(walk, owner, frame);
  if (name === undefined || !file.is(name, 'name') || file.text(name).toLowerCase() === 'class') return row;
  const member = file.row('member', row, NONE, file.word(name));
  file.use('read', member, frame.owner, file.word(name), file.reader.start(name));
  return member;
}

function operation(walk: Walk, operator: string, a: ExpressionRow, b: ExpressionRow = NONE): ExpressionRow {
  return walk.file.row('operation', a, b, walk.file.builder.intern(operator));
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; file.is(left, 'binary_expression'); left = file.child(left, 'left')) chain.push(left);
  let row = walk.value(left, frame);
  let inside = frame;
  let before = '';
  let last = left;
  for (const each of chain.reverse()) {
    const operator = file.text(file.child(each, 'operator')).toLowerCase();
    const right = file.child(each, 'right');
    if (operator === 'instanceof') {
      row = operation(walk, operator, row, testedClass(walk, right, inside));
      continue;
    }
    const isAnd = operator === '&&' || operator === 'and';
    const isOr = operator === '||' || operator === 'or';
    if (isAnd || isOr || operator === '??') countDecision(frame);
    if (isAnd || isOr) {
      const isSame = operator === before;
      inside = narrow(file, guardsOf(file, isSame ? last : file.child(each, 'left'), isAnd), isSame ? inside : frame);
    } else inside = frame;
    before = operator;
    last = right;
    const value = right === NO_NODE ? NONE : walk.value(right, inside);
    if (operator === '.') {
      useAsText(walk, file.child(each, 'left'), row, frame);
      useAsText(walk, right, value, frame);
    }
    row = operator === '??' ? file.either([row, value]) : operation(walk, operator, row, value);
  }
  return row;
}

function testedClass(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (node === NO_NODE) return NONE;
  if (!file.is(node, 'name', 'qualified_name', 'relative_name')) return walk.value(node, frame);
  const row = classRow(walk, node, frame);
  const { name, at } = lastPart(file, node);
  if (!/^(?:self|static|parent)$/i.test(file.text(node))) file.use('assertType', row, frame.owner, name, at);
  return row;
}

function conditionalValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  countDecision(frame);
  const condition = file.child(node, 'condition');
  const tested = walk.value(condition, frame);
  const body = file.child(node, 'body');
  const yes = body === NO_NODE ? tested : walk.value(body, narrow(file, guardsOf(file, condition, true), frame));
  return file.either([yes, walk.value(file.child(node, 'alternative'), narrow(file, guardsOf(file, condition, false), frame))]);
}

function yieldValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const child = file.reader.firstNamedChild(node);
  if (child === NO_NODE) {
    frame.body?.yields.push(file.literal('null'));
    return file.unknown();
  }
  if (file.is(child, 'array_element_initializer')) {
    const parts = file.children(child).map(part => walk.value(part, frame));
    frame.body?.yields.push(parts.at(-1) ?? file.unknown());
    return file.unknown();
  }
  const row = walk.value(child, frame);
  frame.body?.yields.push(file.row('iterate', row));
  return file.unknown();
}

/** The values inside a string. */
function stringValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const body = file.is(node, 'heredoc') ? file.child(node, 'value') : node;
  if (body !== NO_NODE) for (const part of file.children(body)) if (!file.is(part, 'string_content')) useAsText(walk, part, walk.value(part, frame), frame);
  return file.literal('string');
}

/** Name of the class of `new X`, or of the variable or function that is thrown. */
function thrownName(walk: Walk, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  const { file } = walk;
  if (file.is(node, 'object_creation_expression')) return lastPart(file, file.reader.firstNamedChild(node));
  if (file.is(node, 'variable_name')) return lastPart(file, node);
  const name = file.child(node, 'name');
  return name === NO_NODE ? { name: NO_TEXT, at: 0 } : lastPart(file, name);
}
