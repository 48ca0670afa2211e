import { type ExpressionRow, NO_TEXT, NONE, type SomeRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { countDecision, inBlock } from '../../../walk/frames';
import type { KindName } from '../grammar';
import { pushMember, typeArguments, typeRow } from '../types';
import { elementType, type Frame, identifierOf, lastNameNode, type ValueHandler, type Walk } from '../walk';
import { assign, writeTo } from './assignments';
import { bindName } from './bindings';
import { callValue } from './calls';
import { anonymousObject, arrayCreation, elements, objectCreation, targetTypedCreation, withValue } from './creation';
import { anonymousMethod, lambdaValue } from './lambdas';
import { indexRow, memberRow, useIndexer } from './members';
import { bindPattern } from './patterns';
import { queryValue } from './queries';

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: (walk, node, frame) => {
    const { file } = walk;
    const word = file.word(node);
    const row = file.row('name', frame.scope, NONE, word);
    file.readName(row, frame.owner, word, file.reader.start(node), frame.scope);
    return row;
  },
  generic_name: (walk, node, frame) => typeRow(walk, node, frame, 'none'),
  predefined_type: (walk, node, frame) => typeRow(walk, node, frame),
  this: (walk, _node, frame) => walk.file.row('this', frame.scope),
  base: (walk, _node, frame) => walk.file.row('super', frame.scope),
  alias_qualified_name: (walk, node, frame) => typeRow(walk, node, frame, 'none'),
  qualified_name: (walk, node, frame) => typeRow(walk, node, frame, 'none'),
  member_access_expression: readMember,
  conditional_access_expression: readMember,
  invocation_expression: callValue,
  object_creation_expression: objectCreation,
  implicit_object_creation_expression: (walk, node, frame, expected) => targetTypedCreation(walk, node, frame, expected, NONE),
  array_creation_expression: arrayCreation,
  implicit_array_creation_expression: (walk, node, frame) => elements(walk, walk.file.childOf(node, 'initializer_expression'), frame, NO_NODE),
  implicit_stackalloc_expression: (walk, node, frame) => elements(walk, walk.file.childOf(node, 'initializer_expression'), frame, NO_NODE),
  initializer_expression: (walk, node, frame, expected) => elements(walk, node, frame, elementType(walk.file, expected)),
  collection_expression: (walk, node, frame, expected) => elements(walk, node, frame, elementType(walk.file, expected)),
  anonymous_object_creation_expression: anonymousObject,
  with_expression: withValue,
  cast_expression: (walk, node, frame) => {
    walk.value(walk.file.child(node, 'value'), frame);
    return walk.file.row('valueOfType', typeRow(walk, walk.file.child(node, 'type'), frame, 'assertType'));
  },
  as_expression: (walk, node, frame) => {
    walk.value(walk.file.child(node, 'left'), frame);
    return walk.file.row('valueOfType', typeRow(walk, walk.file.child(node, 'right'), frame, 'assertType'));
  },
  is_expression: (walk, node, frame) => {
    walk.value(walk.file.child(node, 'left'), frame);
    typeRow(walk, walk.file.child(node, 'right'), frame, 'assertType');
    return walk.file.literal('boolean');
  },
  is_pattern_expression: (walk, node, frame) => {
    const { file } = walk;
    bindPattern(walk, file.child(node, 'pattern'), walk.value(file.child(node, 'expression'), frame), frame);
    return file.literal('boolean');
  },
  assignment_expression: assign,
  binary_expression: binaryValue,
  conditional_expression: conditionalValue,
  switch_expression: switchValue,
  lambda_expression: lambdaValue,
  anonymous_method_expression: anonymousMethod,
  await_expression: (walk, node, frame) => walk.file.row('await', firstValue(walk, node, frame)),
  element_access_expression: elementAccess,
  postfix_unary_expression: unaryValue,
  prefix_unary_expression: unaryValue,
  parenthesized_expression: (walk, node, frame, expected) => walk.value(walk.file.first(node), frame, expected),
  checked_expression: (walk, node, frame) => firstValue(walk, node, frame),
  ref_expression: (walk, node, frame) => firstValue(walk, node, frame),
  argument: (walk, node, frame) => {
    const { file } = walk;
    const name = file.child(node, 'name');
    return walk.value(file.children(node).findLast(child => child !== name) ?? NO_NODE, frame);
  },
  attribute_argument: (walk, node, frame) => walk.value(walk.file.children(node).at(-1) ?? NO_NODE, frame),
  declaration_expression: (walk, node, frame) => {
    const { file } = walk;
    const type = typeRow(walk, file.child(node, 'type'), frame);
    const row = type === NONE ? file.row('expected') : file.row('valueOfType', type);
    bindName(walk, file.child(node, 'name'), row, type, frame);
    return row;
  },
  tuple_expression: tupleValue,
  interpolated_string_expression: (walk, node, frame) => {
    const { file } = walk;
    for (const part of file.children(node)) if (file.is(part, 'interpolation')) for (const child of file.children(part)) walk.value(child, frame);
    return file.literal('string');
  },
  throw_expression: (walk, node, frame) => {
    raise(walk, walk.file.first(node), frame);
    return walk.file.unknown();
  },
  default_expression: (walk, node, frame) => {
    const type = walk.file.child(node, 'type');
    return type === NO_NODE ? walk.file.literal('null') : walk.file.row('valueOfType', typeRow(walk, type, frame));
  },
  typeof_expression: (walk, node, frame) => {
    typeRow(walk, walk.file.child(node, 'type'), frame);
    return walk.file.literal('type');
  },
  sizeof_expression: (walk, node, frame) => {
    typeRow(walk, walk.file.child(node, 'type'), frame);
    return walk.file.literal('number');
  },
  query_expression: queryValue,
  string_literal: walk => walk.file.literal('string'),
  verbatim_string_literal: walk => walk.file.literal('string'),
  raw_string_literal: walk => walk.file.literal('string'),
  character_literal: walk => walk.file.literal('char'),
  integer_literal: walk => walk.file.literal('number'),
  real_literal: walk => walk.file.literal('real'),
  boolean_literal: walk => walk.file.literal('boolean'),
  null_literal: walk => walk.file.literal('null'),
};

/** Handlers for what is used in another way than being read. */
export const QUIET_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: (walk, node, frame) => walk.file.row('name', frame.scope, NONE, walk.file.word(node)),
  generic_name: (walk, node, frame) => walk.file.row('name', frame.scope, NONE, walk.file.word(identifierOf(walk.file, node))),
  member_access_expression: (walk, node, frame) => memberRow(walk, node, frame),
  conditional_access_expression: (walk, node, frame) => memberRow(walk, node, frame),
  parenthesized_expression: (walk, node, frame) => walk.quiet(walk.file.first(node), frame),
};

function readMember(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = memberRow(walk, node, frame);
  const name = lastNameNode(file, node);
  if (name === NO_NODE || file.builder.expressions.text[row] !== file.word(name)) return row;
  file.use('read', row, frame.owner, file.word(name), file.reader.start(name));
  const generic = file.reader.parent(name);
  if (file.is(generic, 'generic_name')) {
    const list = typeArguments(walk, generic, frame);
    return file.row('generic', row, NONE, NO_TEXT, list);
  }
  return row;
}

function elementAccess(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const object = walk.value(file.child(node, 'expression'), frame);
  useIndexer(walk, node, object, frame, false);
  return indexRow(walk, object, file.children(file.child(node, 'subscript')), frame);
}

function firstValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.value(walk.file.first(node), frame);
}

const DECIDING: ReadonlySet<string> = new Set(['&&', '||', '??']);

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; file.is(left, 'binary_expression'); left = file.child(left, 'left')) chain.push(left);
  let row = walk.value(left, frame, expected);
  for (const each of chain.reverse()) {
    const operator = file.text(file.child(each, 'operator'));
    const right = file.child(each, 'right');
    if (DECIDING.has(operator)) countDecision(frame);
    const rightRow = walk.value(right, frame, expected);
    if (operator !== '??') {
      row = file.row('operation', row, rightRow, file.builder.intern(operator));
      if (!DECIDING.has(operator)) file.useOperator(row, frame.owner, operator, file.reader.start(file.child(each, 'operator')));
    } else if (!file.is(right, 'throw_expression')) row = file.either([row, rightRow]);
  }
  return row;
}

function conditionalValue(walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode): ExpressionRow {
  const { file } = walk;
  countDecision(frame);
  walk.value(file.child(node, 'condition'), frame);
  const parts = [file.child(node, 'consequence'), file.child(node, 'alternative')];
  return eitherOf(walk, parts, frame, expected);
}

/** Any of the values; what throws gives none. */
function eitherOf(walk: Walk, parts: readonly SyntaxNode[], frame: Frame, expected: SyntaxNode): ExpressionRow {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  for (const part of parts) {
    const row = walk.value(part, frame, expected);
    if (!file.is(part, 'throw_expression')) rows.push(row);
  }
  return file.either(rows);
}

/** `x switch { pattern when guard => value, … }` */
function switchValue(walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode): ExpressionRow {
  const { file } = walk;
  const [subject, ...arms] = file.children(node);
  if (subject === undefined) return file.unknown();
  const value = walk.value(subject, frame);
  const rows: ExpressionRow[] = [];
  for (const arm of arms) {
    const parts = file.children(arm);
    const [pattern] = parts;
    const result = parts.at(-1);
    if (pattern === undefined || result === undefined || parts.length < 2) continue;
    countDecision(frame);
    const inner = inBlock(walk.file, frame);
    bindPattern(walk, pattern, value, inner);
    for (const part of parts.slice(1, -1)) walk.value(file.is(part, 'when_clause') ? file.first(part) : part, inner);
    const row = walk.value(result, inner, expected);
    if (!file.is(result, 'throw_expression')) rows.push(row);
  }
  return file.either(rows);
}

/** `x!` is x; `x++` writes; other operators give built-in values. */
function unaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file, token } = walk;
  const inner = file.first(node);
  const isPostfix = file.is(node, 'postfix_unary_expression');
  if (isPostfix && file.reader.hasChild(node, token.nullForgiving)) return walk.value(inner, frame);
  const operator = file.table.text.slice(
    isPostfix ? file.reader.end(inner) : file.reader.start(node),
    isPostfix ? file.reader.end(node) : file.reader.start(inner),
  );
  const value = /^\s*(?:\+\+|--)/.test(operator) ? writeTo(walk, inner, frame, true) : walk.value(inner, frame);
  const row = file.row('operation', value, NONE, file.builder.intern(operator.trim()));
  file.useOperator(row, frame.owner, operator.trim(), (isPostfix ? file.reader.end(inner) : file.reader.start(node)) + operator.search(/\S/));
  return row;
}

/** `(a, b)`; with names the elements are members too. */
function tupleValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const parts = file.children(node);
  const rows = parts.map(part => walk.value(part, frame));
  const tuple = file.row('array', NONE, NONE, file.builder.intern('tuple'), rows);
  if (parts.every(part => file.child(part, 'name') === NO_NODE)) return tuple;
  const members: SomeRow[] = [];
  parts.forEach((part, index) => {
    pushMember(file, members, index + 1, file.child(part, 'name'), rows[index] ?? NONE);
  });
  return file.either([tuple, file.row('object', NONE, NONE, NO_TEXT, members)]);
}

/** Something thrown: a use of its class beside whatever making it uses. */
export function raise(walk: Walk, node: SyntaxNode, frame: Frame): void {
  if (node === NO_NODE) return;
  const { file } = walk;
  const row = walk.value(node, frame);
  const name = lastNameNode(file, node);
  if (name !== NO_NODE) file.use('raise', row, frame.owner, file.word(name), file.reader.start(name));
}
