import { type ExpressionRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { countDecision } from '../../../walk/frames';
import { blockRow, implicitParameter } from '../declarations/blocks';
import { declareType, singletonClass } from '../declarations/classes';
import { aliasOf, VISIBILITY_WORDS } from '../declarations/macros';
import { declareMethod } from '../declarations/methods';
import { bodyValue, caseMatch, caseValue, ifValue, matchValue, modifierValue, ternaryValue } from '../flow/branches';
import { guardsOf, narrow } from '../flow/narrowing';
import { bareCall, constantOf, lastPart, selfRow } from '../names';
import type { KindName } from '../rubyGrammar';
import { type Frame, methodBodyOf, type ValueHandler, type Walk } from '../walk';
import { argumentRows } from './arguments';
import { assignment, bindTarget, operatorAssignment } from './assignments';
import { bareNew, callValue, superCall } from './calls';
import { arrayValue, elementValue, hashValue } from './collections';

/** How each kind of node becomes a row. What is not listed has its children visited and gives the last of them. */
const HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: identifierValue,
  constant: constantValue,
  scope_resolution: constantValue,
  instance_variable: fieldValue,
  class_variable: fieldValue,
  global_variable: (walk, node, frame) => {
    const { file } = walk;
    const row = file.row('name', frame.scope, NONE, file.word(node));
    file.readName(row, frame.owner, file.word(node), file.reader.start(node), frame.scope);
    return row;
  },
  self: (walk, _node, frame) => selfRow(walk.file, frame),
  call: callValue,
  super: superCall,
  element_reference: elementValue,
  array: arrayValue,
  hash: hashValue,
  pair: (walk, node, frame) => walk.value(walk.file.child(node, 'value'), frame),
  splat_argument: (walk, node, frame) => walk.file.row('spread', firstValue(walk, node, frame)),
  hash_splat_argument: (walk, node, frame) => walk.file.row('spread', firstValue(walk, node, frame), NONE, walk.file.builder.intern('**')),
  assignment,
  operator_assignment: operatorAssignment,
  class: declareType,
  module: declareType,
  singleton_class: singletonClass,
  method: declareMethod,
  singleton_method: declareMethod,
  alias: (walk, node, frame) => {
    const { file } = walk;
    return aliasOf(walk, node, file.child(node, 'name'), file.child(node, 'alias'), frame) ?? file.unknown();
  },
  undef: walk => walk.file.unknown(),
  lambda: (walk, node, frame) => walk.file.row('function', blockRow(walk, node, frame)),
  body_statement: bodyValue,
  block_body: bodyValue,
  begin: bodyValue,
  program: bodyValue,
  else: bodyValue,
  do: bodyValue,
  ensure: bodyValue,
  parenthesized_statements: bodyValue,
  interpolation: bodyValue,
  begin_block: bodyValue,
  end_block: bodyValue,
  if: ifValue,
  unless: ifValue,
  if_modifier: modifierValue,
  unless_modifier: modifierValue,
  conditional: ternaryValue,
  case: caseValue,
  case_match: caseMatch,
  match_pattern: matchValue,
  test_pattern: matchValue,
  while: loopValue,
  until: loopValue,
  while_modifier: loopValue,
  until_modifier: loopValue,
  for: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const source = firstValue(walk, file.child(node, 'value'), frame);
    bindTarget(walk, file.child(node, 'pattern'), file.row('iterate', source), node, frame);
    walk.run(file.child(node, 'body'), frame);
    return source;
  },
  rescue_modifier: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    return file.either([walk.value(file.child(node, 'body'), frame), walk.value(file.child(node, 'handler'), frame)]);
  },
  return: (walk, node, frame) => {
    methodBodyOf(frame)?.returns.push(returned(walk, node, frame));
    return walk.file.literal('null');
  },
  next: (walk, node, frame) => {
    frame.body?.returns.push(returned(walk, node, frame));
    return walk.file.literal('null');
  },
  break: (walk, node, frame) => {
    returned(walk, node, frame);
    return walk.file.literal('null');
  },
  yield: (walk, node, frame) => {
    const { file } = walk;
    const list = file.reader.firstNamedChild(node);
    const { rows } = argumentRows(walk, list === NO_NODE ? [] : file.children(list), frame);
    methodBodyOf(frame)?.yields.push(rows);
    return file.unknown();
  },
  binary: binaryValue,
  unary: (walk, node, frame) => {
    const { file } = walk;
    const operator = file.text(file.child(node, 'operator'));
    const row = walk.value(file.child(node, 'operand'), frame);
    return operator === 'defined?' ? file.literal('string') : file.row('operation', row, NONE, file.builder.intern(operator));
  },
  range: (walk, node, frame) => {
    for (const child of walk.file.children(node)) walk.value(child, frame);
    return walk.file.row('array', NONE, NONE, NO_TEXT, [walk.file.literal('number')]);
  },
  string: stringValue,
  chained_string: stringValue,
  subshell: stringValue,
  heredoc_body: stringValue,
  heredoc_beginning: walk => walk.file.literal('string'),
  regex: (walk, node, frame) => {
    stringValue(walk, node, frame);
    return walk.file.literal('regexp');
  },
  delimited_symbol: (walk, node, frame) => {
    stringValue(walk, node, frame);
    return walk.file.literal('symbol');
  },
  simple_symbol: walk => walk.file.literal('symbol'),
  hash_key_symbol: walk => walk.file.literal('symbol'),
  string_array: walk => walk.file.row('array', NONE, NONE, NO_TEXT, [walk.file.literal('string')]),
  symbol_array: walk => walk.file.row('array', NONE, NONE, NO_TEXT, [walk.file.literal('symbol')]),
  character: walk => walk.file.literal('string'),
  integer: walk => walk.file.literal('number'),
  float: walk => walk.file.literal('float'),
  rational: walk => walk.file.literal('float'),
  complex: walk => walk.file.literal('float'),
  true: walk => walk.file.literal('boolean'),
  false: walk => walk.file.literal('boolean'),
  nil: walk => walk.file.literal('null'),
};

/** With the body of a branch, whose kind is a word that objects must not have for a key. */
export const VALUE_HANDLERS: readonly (readonly [KindName, ValueHandler])[] = [
  ...(Object.entries(HANDLERS) as [KindName, ValueHandler][]),
  ['then', bodyValue],
];

function firstValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const child = node === NO_NODE ? NO_NODE : walk.file.reader.firstNamedChild(node);
  return child === NO_NODE ? walk.file.unknown() : walk.value(child, frame);
}

const IMPLICIT = /^(?:it|_[1-9])$/;
const CONSTANT_WORDS: ReadonlySet<string> = new Set(['__FILE__', '__dir__', '__LINE__', '__method__', '__ENCODING__', 'block_given?', 'binding']);

/** A local variable, an argument of the block at hand, or a call. */
function identifierValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const text = file.text(node);
  if (frame.locals.scopeOf(text) !== undefined || (IMPLICIT.test(text) && implicitParameter(walk, text, frame))) {
    const row = file.row('name', frame.scope, NONE, file.word(node));
    file.readName(row, frame.owner, file.word(node), file.reader.start(node), frame.scope);
    return row;
  }
  if (CONSTANT_WORDS.has(text)) return file.literal('string');
  const flag = frame.isClassLevel ? VISIBILITY_WORDS.get(text) : undefined;
  if (flag !== undefined && frame.class !== undefined) {
    frame.class.state.visibility = flag;
    return file.literal('null');
  }
  if (text === 'raise' || text === 'fail') return file.literal('null');
  if (text === 'new' && frame.class !== undefined) return bareNew(walk, node, frame);
  return bareCall(walk, node, frame);
}

function constantValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = constantOf(walk, node, frame);
  const { name, at } = lastPart(file, node);
  file.use('read', row, frame.owner, name, at);
  return row;
}

/** `@x`, `@@x`: at the top of a script a variable, else a field. */
function fieldValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.word(node);
  if (frame.class === undefined) return file.row('name', frame.scope, NONE, name);
  const row = file.row('member', file.row('this', frame.scope), NONE, name);
  file.use('read', row, frame.owner, name, file.reader.start(node));
  return row;
}

function loopValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  countDecision(frame);
  walk.value(condition, frame);
  const truth = file.is(node, 'while', 'while_modifier');
  const inside = narrow(file, guardsOf(file, condition, truth), frame);
  const body = file.child(node, 'body');
  if (file.is(body, 'do')) walk.run(body, inside);
  else if (body !== NO_NODE) walk.value(body, inside);
  return file.literal('null');
}

/** Value handed back by `return`, `next` or `break`; several are an array. */
function returned(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const list = file.reader.firstNamedChild(node);
  if (list === NO_NODE) return file.literal('null');
  const { rows } = argumentRows(walk, file.children(list), frame);
  const [only] = rows;
  return rows.length === 1 && only !== undefined ? only : file.row('array', NONE, NONE, NO_TEXT, rows);
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; file.is(left, 'binary'); left = file.child(left, 'left')) chain.push(left);
  let row = walk.value(left, frame);
  let inside = frame;
  let before = '';
  let last = left;
  for (const each of chain.reverse()) {
    const operator = file.text(file.child(each, 'operator'));
    const isAnd = operator === '&&' || operator === 'and';
    const isOr = operator === '||' || operator === 'or';
    const right = file.child(each, 'right');
    if (isAnd || isOr) {
      countDecision(frame);
      const isSame = operator === before;
      inside = narrow(file, guardsOf(file, isSame ? last : file.child(each, 'left'), isAnd), isSame ? inside : frame);
    } else inside = frame;
    before = operator;
    last = right;
    const value = right === NO_NODE ? file.unknown() : walk.value(right, inside);
    if (isAnd || isOr) row = isAnd ? value : file.either([row, value]);
    else if (operator === '<<') row = appended(walk, each, row, value, inside);
    else row = file.row('operation', row, value, file.builder.intern(operator));
  }
  return row;
}

/** `a << b` is a call, and mostly puts b into a. */
function appended(walk: Walk, node: SyntaxNode, object: ExpressionRow, value: ExpressionRow, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.builder.intern('<<');
  const row = file.row('call', file.row('member', object, NONE, name), NONE, NO_TEXT, [value]);
  file.use('call', row, frame.owner, name, file.reader.start(file.child(node, 'operator')));
  return row;
}

/** The values inside a string. */
function stringValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  for (const part of file.children(node)) if (file.is(part, 'interpolation', 'string')) walk.value(part, frame);
  return file.literal('string');
}
