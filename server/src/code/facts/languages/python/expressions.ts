import { type ExpressionRow, NO_TEXT, NONE, type SomeRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { countDecision } from '../../walk/frames';
import { callValue } from './calls';
import { guardsOf, narrow } from './flow/narrowing';
import type { KindName } from './grammar';
import { useOfElement, useOfIteration, useOfMembership } from './protocols';
import { plainString } from './texts';
import { subscriptsOf } from './types/typeForm';
import type { Frame, ValueHandler, Walk } from './walk';

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: (walk, node, frame) => {
    const { file } = walk;
    const row = nameRow(walk, node, frame);
    file.readName(row, frame.owner, file.word(node), file.reader.start(node), frame.scope);
    return row;
  },
  attribute: (walk, node, frame) => {
    const { file } = walk;
    const row = memberRow(walk, node, frame);
    const name = file.child(node, 'attribute');
    if (name !== NO_NODE) file.use('read', row, frame.owner, file.word(name), file.reader.start(name));
    return row;
  },
  call: callValue,
  subscript: subscriptValue,
  parenthesized_expression: (walk, node, frame) => walk.value(walk.file.reader.firstNamedChild(node), frame),
  keyword_argument: keywordArgument,
  list: (walk, node, frame) => arrayRow(walk, node, frame, ''),
  tuple: (walk, node, frame) => arrayRow(walk, node, frame, 'tuple'),
  expression_list: (walk, node, frame) => arrayRow(walk, node, frame, 'tuple'),
  pattern_list: (walk, node, frame) => arrayRow(walk, node, frame, 'tuple'),
  set: (walk, node, frame) => arrayRow(walk, node, frame, 'set'),
  dictionary: dictionaryValue,
  list_splat: (walk, node, frame) => walk.file.row('spread', firstValue(walk, node, frame)),
  parenthesized_list_splat: (walk, node, frame) => walk.file.row('spread', firstValue(walk, node, frame)),
  dictionary_splat: (walk, node, frame) => walk.file.row('spread', firstValue(walk, node, frame), NONE, walk.file.builder.intern('**')),
  lambda: (walk, node, frame) => walk.lambda(node, frame, NONE),
  list_comprehension: (walk, node, frame) => comprehension(walk, node, frame, ''),
  set_comprehension: (walk, node, frame) => comprehension(walk, node, frame, 'set'),
  generator_expression: (walk, node, frame) => comprehension(walk, node, frame, ''),
  dictionary_comprehension: (walk, node, frame) => comprehension(walk, node, frame, 'dict'),
  conditional_expression: conditionalValue,
  boolean_operator: booleanValue,
  not_operator: (walk, node, frame) => operation(walk, 'not', walk.value(walk.file.child(node, 'argument'), frame)),
  unary_operator: (walk, node, frame) =>
    operation(walk, walk.file.text(walk.file.child(node, 'operator')), walk.value(walk.file.child(node, 'argument'), frame)),
  comparison_operator: (walk, node, frame) => {
    const operands = walk.file.children(node).map(child => walk.value(child, frame));
    if (operands.length === 2) useOfMembership(walk, node, operands[1] ?? NONE, frame);
    return operation(walk, walk.file.text(walk.file.child(node, 'operators')), operands[0] ?? NONE, operands[1]);
  },
  binary_operator: binaryValue,
  await: (walk, node, frame) => walk.file.row('await', firstValue(walk, node, frame)),
  yield: (walk, node, frame) => {
    const child = walk.file.reader.firstNamedChild(node);
    const row = child === NO_NODE ? walk.file.literal('null') : walk.value(child, frame);
    const isFrom = walk.file.text(node).startsWith('yield from') || /^yield\s+from\b/.test(walk.file.text(node).slice(0, 80));
    frame.body?.yields.push(isFrom ? walk.file.row('iterate', row) : row);
    return walk.file.unknown();
  },
  named_expression: (walk, node, frame) => {
    const value = walk.value(walk.file.child(node, 'value'), frame);
    walk.bind(walk.file.child(node, 'name'), value, frame, { node, type: NONE, makesSymbol: false });
    return value;
  },
  string: stringValue,
  concatenated_string: (walk, node, frame) => {
    const rows = walk.file.children(node).map(child => walk.value(child, frame));
    return rows[0] ?? walk.file.literal('string');
  },
  integer: (walk, node) => walk.file.row('literal', NONE, walk.file.word(node), walk.file.builder.intern('number')),
  float: walk => walk.file.literal('number'),
  true: walk => walk.file.literal('boolean'),
  false: walk => walk.file.literal('boolean'),
  none: walk => walk.file.literal('null'),
};

/** Handlers for what is used in another way than being read. */
export const QUIET_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: nameRow,
  attribute: memberRow,
  parenthesized_expression: (walk, node, frame) => walk.quiet(walk.file.reader.firstNamedChild(node), frame),
};

function nameRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.file.row('name', frame.scope, NONE, walk.file.word(node));
}

function memberRow(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.child(node, 'attribute');
  return file.row('member', walk.value(file.child(node, 'object'), frame), NONE, name === NO_NODE ? NO_TEXT : file.word(name));
}

function firstValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  return walk.value(walk.file.reader.firstNamedChild(node), frame);
}

function operation(walk: Walk, operator: string, a: ExpressionRow, b: ExpressionRow = NONE): ExpressionRow {
  return walk.file.row('operation', a, b, walk.file.builder.intern(operator));
}

function arrayRow(walk: Walk, node: SyntaxNode, frame: Frame, text: string): ExpressionRow {
  const { file } = walk;
  return file.row(
    'array',
    NONE,
    NONE,
    file.builder.intern(text),
    file.children(node).map(child => walk.value(child, frame)),
  );
}

function subscriptValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const object = walk.value(file.child(node, 'value'), frame);
  useOfElement(walk, node, object, frame, '__getitem__');
  const keys = subscriptsOf(file, node);
  const [key] = keys;
  if (key === undefined || keys.length > 1 || file.is(key, 'slice')) {
    for (const each of keys) walk.value(each, frame);
    const isSlice = keys.some(each => file.is(each, 'slice'));
    return isSlice ? object : file.row('index', object);
  }
  const text = plainString(walk, key);
  if (text !== undefined) return file.row('member', object, NONE, file.builder.intern(text));
  const row = walk.value(key, frame);
  return file.row('index', object, row, /^-?\d+$/.test(file.text(key)) ? file.word(key) : NO_TEXT);
}

/** `name=value` keeps its name: it fills the parameter so called. */
function keywordArgument(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const value = walk.value(file.child(node, 'value'), frame);
  return file.row('spread', value, NONE, file.builder.intern(`${file.text(file.child(node, 'name'))}=`));
}

function dictionaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const list: SomeRow[] = [];
  for (const child of file.children(node)) {
    if (!file.is(child, 'pair')) {
      list.push(NO_TEXT, walk.value(child, frame));
      continue;
    }
    const key = file.child(child, 'key');
    const text = plainString(walk, key) ?? (file.is(key, 'integer') ? `[${file.text(key)}]` : undefined);
    if (text === undefined) walk.value(key, frame);
    list.push(text === undefined ? NO_TEXT : file.builder.intern(text), walk.value(file.child(child, 'value'), frame));
  }
  return file.row('object', NONE, NONE, NO_TEXT, list);
}

/** A scope of its own; the body is evaluated after the clauses that come behind it. */
function comprehension(walk: Walk, node: SyntaxNode, frame: Frame, shape: string): ExpressionRow {
  const { file } = walk;
  const inner: Frame = { ...frame, scope: file.builder.addScope('block', frame.scope) };
  const local: Frame = { ...inner, home: inner.scope, kind: 'function', declared: new Map() };
  const body = file.child(node, 'body');
  for (const clause of file.children(node)) {
    if (file.is(clause, 'for_in_clause')) {
      countDecision(frame);
      const isAsync = file.reader.hasChild(clause, file.grammar.asyncToken);
      const source = walk.value(file.child(clause, 'right'), inner);
      useOfIteration(walk, clause, source, inner, isAsync);
      const item = file.row('iterate', source, NONE, isAsync ? file.builder.intern('async') : NO_TEXT);
      walk.bind(file.child(clause, 'left'), item, local, { node: clause, type: NONE, makesSymbol: false });
    } else if (file.is(clause, 'if_clause')) {
      countDecision(frame);
      walk.value(file.reader.firstNamedChild(clause), inner);
    }
  }
  if (shape !== 'dict') return file.row('array', NONE, NONE, file.builder.intern(shape), [walk.value(body, inner)]);
  walk.value(file.child(body, 'key'), inner);
  return file.row('object', NONE, NONE, NO_TEXT, [NO_TEXT, walk.value(file.child(body, 'value'), inner)]);
}

function conditionalValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const [yes, condition, no] = walk.file.children(node);
  countDecision(frame);
  if (yes === undefined || condition === undefined || no === undefined) return walk.file.unknown();
  walk.value(condition, frame);
  const whenTrue = walk.value(yes, narrow(walk.file, guardsOf(walk.file, condition, true), frame));
  return walk.file.either([whenTrue, walk.value(no, narrow(walk.file, guardsOf(walk.file, condition, false), frame))]);
}

/** `a or b` may be either; `a and b` is taken as `b`. */
function booleanValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  countDecision(frame);
  const isAnd = file.text(file.child(node, 'operator')) === 'and';
  const left = file.child(node, 'left');
  const leftRow = walk.value(left, frame);
  const rightRow = walk.value(file.child(node, 'right'), narrow(file, guardsOf(file, left, isAnd), frame));
  return isAnd ? rightRow : file.either([leftRow, rightRow]);
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; file.is(left, 'binary_operator'); left = file.child(left, 'left')) chain.push(left);
  let row = walk.value(left, frame);
  for (const each of chain.reverse()) {
    row = operation(walk, file.text(file.child(each, 'operator')), row, walk.value(file.child(each, 'right'), frame));
  }
  return row;
}

function stringValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  let isFormatted = false;
  for (const child of file.children(node)) {
    if (!file.is(child, 'interpolation')) continue;
    isFormatted = true;
    for (const part of file.children(child)) walk.value(part, frame);
  }
  if (isFormatted) return file.literal('fstring');
  return file.literal(/b/i.test(file.text(file.childOf(node, 'string_start'))) ? 'bytes' : 'string');
}
