import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { countDecision, inBlock, typePlace } from '../../walk/frames';
import { addCall, callValue } from './calls';
import { catchClause, ifValue, whenValue } from './control';
import { objectLiteral } from './declarations';
import { functionValue, lambdaValue } from './functions';
import { hasToken, type KindName } from './grammar';
import { narrowed } from './narrowing';
import { testBlockBetween, testBlockCall } from './testBlocks';
import { addType } from './types';
import { type Frame, type ValueHandler, type Walk } from './walk';

const literal =
  (text: string): ValueHandler =>
  walk =>
    walk.file.literal(text);

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: (walk, node, frame) => {
    const { file } = walk;
    const text = WORDS.get(file.text(node));
    if (text !== undefined) return file.literal(text);
    const word = file.word(node);
    const row = file.row('name', frame.scope, NONE, word);
    file.readName(row, frame.owner, word, file.reader.start(node), frame.scope);
    return row;
  },
  navigation_expression: navigation,
  call_expression: (walk, node, frame) => testBlockCall(walk, node, frame) ?? callValue(walk, node, frame),
  parenthesized_expression: (walk, node, frame) => walk.value(walk.file.reader.firstNamedChild(node), frame),
  annotated_expression: (walk, node, frame) => walk.value(walk.file.reader.lastNamedChild(node), frame),
  labeled_expression: (walk, node, frame) => {
    const inner = walk.file.reader.lastNamedChild(node);
    const isJump = /^(?:break|continue)@/.test(walk.file.text(node));
    return isJump ? NONE : walk.value(inner, frame);
  },
  this_expression: (walk, node, frame) => {
    const { file } = walk;
    const label = file.childOf(node, 'identifier');
    if (label === NO_NODE || !/^[A-Z]/.test(file.text(label))) return file.row('this', frame.scope);
    return file.row('valueOfType', file.row('name', frame.scope, NONE, file.word(label)));
  },
  super_expression: (walk, node, frame) => {
    const { file } = walk;
    const type = file.childOf(node, 'user_type');
    return type === NO_NODE ? file.row('super', frame.scope) : file.row('valueOfType', addType(file, type, typePlace(frame)));
  },
  index_expression: (walk, node, frame) => {
    const [object, ...keys] = walk.file.children(node).map(child => walk.value(child, frame));
    walk.file.useImplicit(object ?? NONE, 'get', frame.owner, '[', walk.file.reader.end(walk.file.reader.firstNamedChild(node)));
    return walk.file.row('index', object ?? NONE, keys[0] ?? NONE);
  },
  binary_expression: (walk, node, frame) =>
    testBlockBetween(walk, node, walk.file.text(walk.file.child(node, 'operator')), frame) ?? binaryValue(walk, node, frame),
  infix_expression: infixValue,
  unary_expression: (walk, node, frame) => {
    const { file } = walk;
    const operand = walk.value(file.child(node, 'argument'), frame);
    const operator = file.text(file.child(node, 'operator'));
    const method = UNARY[operator];
    if (method !== undefined && file.text(node).startsWith(operator)) file.useImplicit(operand, method, frame.owner, operator, file.reader.start(node));
    return operator === '!!' ? operand : file.row('operation', operand, NONE, file.builder.intern(operator));
  },
  in_expression: (walk, node, frame) => {
    const { file } = walk;
    const [subject, container] = [file.child(node, 'left'), file.child(node, 'right')];
    const left = walk.value(subject, frame);
    const right = walk.value(container, frame);
    const between = file.table.text.slice(file.reader.end(subject), file.reader.start(container));
    file.useImplicit(right, 'contains', frame.owner, between.trim(), file.reader.end(subject) + between.search(/\S/));
    return file.row('operation', left, right, file.builder.intern('in'));
  },
  is_expression: (walk, node, frame) => {
    const { file } = walk;
    const subject = walk.value(file.child(node, 'left'), frame);
    addType(file, file.child(node, 'right'), typePlace(frame, 'assertType'));
    return file.row('operation', subject, NONE, file.builder.intern('is'));
  },
  as_expression: (walk, node, frame) => {
    const { file } = walk;
    walk.value(file.child(node, 'left'), frame);
    return file.row('valueOfType', addType(file, file.child(node, 'right'), typePlace(frame)));
  },
  range_expression: (walk, node, frame) => {
    for (const child of walk.file.children(node)) walk.value(child, frame);
    const { file } = walk;
    return file.row('valueOfType', file.row('name', frame.scope, NONE, file.builder.intern('IntRange')));
  },
  spread_expression: (walk, node, frame) => walk.file.row('spread', walk.value(walk.file.reader.firstNamedChild(node), frame)),
  collection_literal: (walk, node, frame) =>
    walk.file.row(
      'array',
      NONE,
      NONE,
      NO_TEXT,
      walk.file.children(node).map(child => walk.value(child, frame)),
    ),
  if_expression: ifValue,
  when_expression: whenValue,
  try_expression: tryValue,
  lambda_literal: lambdaValue,
  anonymous_function: functionValue,
  object_literal: objectLiteral,
  callable_reference: referenceValue,
  throw_expression: (walk, node, frame) => {
    const { file } = walk;
    const thrown = file.reader.firstNamedChild(node);
    const row = walk.value(thrown, frame);
    const at = file.is(thrown, 'call_expression') ? file.reader.firstNamedChild(thrown) : thrown;
    const nameNode = file.is(at, 'navigation_expression') ? file.reader.lastNamedChild(at) : at;
    if (file.is(nameNode, 'identifier')) file.use('raise', row, frame.owner, file.word(nameNode), file.reader.start(nameNode));
    return NONE;
  },
  return_expression: (walk, node, frame) => {
    const { file } = walk;
    const label = file.child(node, 'label');
    const inner = file.reader.lastNamedChild(node);
    if (inner === NO_NODE || inner === label) return NONE;
    const row = walk.value(inner, frame);
    frame.body?.returns.push(row);
    return NONE;
  },
  string_literal: textValue,
  multiline_string_literal: textValue,
  character_literal: literal('character'),
  number_literal: (walk, node) => walk.file.literal(/[lL]$/.test(walk.file.text(node)) ? 'long' : 'number'),
  float_literal: literal('double'),
};

/** Words that the grammar takes for names. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['null', 'null'],
  ['true', 'boolean'],
  ['false', 'boolean'],
]);

/** `a.b`, `a?.b`, `A::b`, `A::class`. */
function navigation(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const object = file.reader.firstNamedChild(node);
  const name = file.reader.lastNamedChild(node);
  const isReference = hasToken(file, node, '::');
  if (isReference && file.text(name) === 'class') {
    const row = walk.value(object, frame);
    return file.row('valueOfType', file.row('generic', file.row('name', frame.scope, NONE, file.builder.intern('KClass')), NONE, NO_TEXT, [row]));
  }
  const row = file.row('member', walk.value(object, frame), NONE, file.word(name));
  if (name === object || !file.is(name, 'identifier')) return row;
  useMember(walk, { row, name, isReference }, frame);
  return row;
}

function useMember(walk: Walk, member: { readonly row: ExpressionRow; readonly name: SyntaxNode; readonly isReference: boolean }, frame: Frame): void {
  const { file } = walk;
  const at = file.reader.start(member.name);
  if (member.isReference) file.use('call', file.row('call', member.row), frame.owner, file.word(member.name), at);
  else file.use('read', member.row, frame.owner, file.word(member.name), at);
}

/** `::f`, `A::f`: passing a function on counts as calling it. */
function referenceValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.reader.lastNamedChild(node);
  const type = file.children(node).find(child => child !== name);
  if (!file.is(name, 'identifier')) return file.unknown();
  const word = file.word(name);
  const row =
    type === undefined ? file.row('name', frame.type?.scope ?? frame.scope, NONE, word) : file.row('member', addType(file, type, typePlace(frame)), NONE, word);
  const call = file.row('call', row);
  file.use('call', call, frame.owner, word, file.reader.start(name));
  return row;
}

/** Methods that operators run. */
const UNARY: Readonly<Record<string, string>> = { '-': 'unaryMinus', '+': 'unaryPlus', '!': 'not', '++': 'inc', '--': 'dec' };
const BINARY: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'div',
  '%': 'rem',
  '==': 'equals',
  '!=': 'equals',
  '<': 'compareTo',
  '>': 'compareTo',
  '<=': 'compareTo',
  '>=': 'compareTo',
};

/** Long chains lean to the left; they are walked in a loop. `f<A>(x)` is read by the grammar as two comparisons. */
function binaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  while (file.is(left, 'binary_expression') && !isGenericCall(walk, left)) {
    chain.push(left);
    left = file.child(left, 'left');
  }
  let row = isGenericCall(walk, left) ? genericCall(walk, left, frame) : walk.value(left, frame);
  let current = frame;
  for (let i = chain.length - 1; i >= 0; i--) {
    const each = chain[i] ?? NO_NODE;
    const operator = file.text(file.child(each, 'operator'));
    const right = file.child(each, 'right');
    if (operator === '&&' || operator === '||') {
      countDecision(frame);
      current = narrowed(walk, file.child(each, 'left'), operator === '&&', current);
    } else if (operator === '?:') countDecision(frame);
    const value = walk.value(right, current);
    // A comparison with nothing runs no method.
    const method = [file.child(each, 'left'), right].some(side => file.text(side) === 'null') ? undefined : BINARY[operator];
    if (method !== undefined) file.useImplicit(row, method, frame.owner, operator, file.reader.start(file.child(each, 'operator')));
    if (operator === '?:') row = value === NONE ? row : file.either([row, value]);
    else row = file.row('operation', row, value, file.builder.intern(operator));
  }
  return row;
}

function isGenericCall(walk: Walk, node: SyntaxNode): boolean {
  const { file } = walk;
  if (!file.is(node, 'binary_expression') || file.text(file.child(node, 'operator')) !== '>') return false;
  const left = file.child(node, 'left');
  if (!file.is(left, 'binary_expression') || file.text(file.child(left, 'operator')) !== '<') return false;
  return file.is(file.child(node, 'right'), 'parenthesized_expression', 'lambda_literal') && file.is(file.child(left, 'left'), 'identifier');
}

function genericCall(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const right = file.child(node, 'right');
  const type = file.child(left, 'right');
  const types = file.is(type, 'identifier') ? [file.row('name', frame.scope, NONE, file.word(type))] : [];
  for (const row of types) file.use('type', row, frame.owner, file.word(type), file.reader.start(type));
  const nodes = file.is(right, 'lambda_literal') ? [right] : file.children(right);
  return addCall(walk, { callee: file.child(left, 'left'), types, nodes }, frame);
}

/** `a name b` calls a member or an extension of that name. */
function infixValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const [left, name, right] = file.children(node);
  if (left === undefined || name === undefined || !file.is(name, 'identifier')) return file.unknown();
  const block = testBlockBetween(walk, node, file.text(name), frame);
  if (block !== undefined) return block;
  const word = file.word(name);
  const callee = file.row('member', walk.value(left, frame), NONE, word);
  const row = file.row('call', callee, NONE, NO_TEXT, right === undefined ? [] : [walk.value(right, frame)]);
  file.use('call', row, frame.owner, word, file.reader.start(name));
  return row;
}

function tryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  for (const child of file.children(node)) {
    if (file.is(child, 'catch_block')) rows.push(catchClause(walk, child, frame));
    else if (file.is(child, 'finally_block')) walk.run(file.childOf(child, 'block'), inBlock(walk.file, frame));
    else rows.push(walk.run(child, inBlock(walk.file, frame)).last);
  }
  return file.either(rows.filter(row => row !== NONE));
}

function textValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  for (const part of file.children(node)) if (file.is(part, 'interpolation')) for (const inner of file.children(part)) walk.value(inner, frame);
  return file.literal('string');
}
