import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { callValue, conversionValue } from './calls';
import type { GoKind } from './grammar';
import { compositeValue } from './literals';
import { nameRow, typeOrValue } from './names';
import { addType, typeArguments } from './types';
import { type Block, lastName, type ValueHandler, type Walk } from './walk';

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<GoKind, ValueHandler>> = {
  identifier: (walk, node, block) => {
    const { file } = walk;
    const row = nameRow(walk, node, block);
    file.readName(row, block.owner, file.word(node), file.reader.start(node), block.scope);
    return row;
  },
  selector_expression: (walk, node, block) => {
    const { file } = walk;
    const row = memberRow(walk, node, block);
    const field = file.child(node, 'field');
    if (field !== NO_NODE) file.use('read', row, block.owner, file.word(field), file.reader.start(field));
    return row;
  },
  call_expression: callValue,
  type_conversion_expression: conversionValue,
  composite_literal: compositeValue,
  func_literal: (walk, node, block) => walk.literalFunction(node, block),
  index_expression: indexValue,
  slice_expression: (walk, node, block) => {
    const [operand, ...bounds] = walk.file.children(node);
    for (const bound of bounds) walk.value(bound, block);
    return operand === undefined ? walk.file.unknown() : walk.value(operand, block);
  },
  type_assertion_expression: assertionValue,
  type_instantiation_expression: instantiation,
  parenthesized_expression: firstValue,
  variadic_argument: (walk, node, block) => walk.file.row('spread', firstValue(walk, node, block)),
  literal_element: firstValue,
  unary_expression: unaryValue,
  binary_expression: binaryValue,
  interpreted_string_literal: walk => walk.file.literal('string'),
  raw_string_literal: walk => walk.file.literal('string'),
  int_literal: walk => walk.file.literal('number'),
  float_literal: walk => walk.file.literal('number'),
  imaginary_literal: walk => walk.file.literal('number'),
  rune_literal: walk => walk.file.literal('number'),
  iota: walk => walk.file.literal('number'),
  true: walk => walk.file.literal('boolean'),
  false: walk => walk.file.literal('boolean'),
  nil: walk => walk.file.literal('null'),
};

/** Handlers for what is used in another way than being read: called, assigned. */
export const QUIET_HANDLERS: Partial<Record<GoKind, ValueHandler>> = {
  identifier: nameRow,
  selector_expression: memberRow,
  parenthesized_expression: (walk, node, block) => walk.quiet(walk.file.reader.firstNamedChild(node), block),
};

/** What stands before the dot is read only when it is more than a name: packages and receivers are everywhere. */
export function memberRow(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const operand = file.child(node, 'operand');
  const owner = walk.value(operand, block);
  const field = file.child(node, 'field');
  return file.row('member', owner, NONE, file.word(field));
}

function firstValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  return walk.value(walk.file.reader.firstNamedChild(node), block);
}

/** `a[i]`; also `f[int]`, a generic function with its type arguments, which only the resolver can tell. */
function indexValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const operand = walk.value(file.child(node, 'operand'), block);
  const index = file.child(node, 'index');
  const key = walk.value(index, block);
  if (file.is(index, 'int_literal')) return file.row('index', operand, key, file.word(index));
  return file.row('index', operand, key);
}

/** `x.(T)`. */
function assertionValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  walk.value(file.child(node, 'operand'), block);
  return file.row('valueOfType', assertedType(walk, file.child(node, 'type'), block));
}

/** A type that is tested for: a reference of its own kind. */
export function assertedType(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const type = addType(file, node, { scope: block.scope, owner: block.owner, counts: false });
  const { name, at } = lastName(file, node);
  if (name !== 0 && type !== NONE) file.use('assertType', type, block.owner, name, at);
  return type;
}

function instantiation(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const [base, ...rest] = file.children(node);
  if (base === undefined) return file.unknown();
  const place = { scope: block.scope, owner: block.owner, counts: true };
  const args = rest.flatMap(child => (file.is(child, 'type_arguments') ? typeArguments(file, child, place) : [addType(file, child, place)]));
  return file.row('generic', typeOrValue(walk, base, block), NONE, NO_TEXT, args);
}

/** Pointers are transparent; a received value is what its channel carries. */
function unaryValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const operand = walk.value(file.child(node, 'operand'), block);
  const operator = file.text(file.child(node, 'operator'));
  if (operator === '&' || operator === '*') return operand;
  if (operator === '<-') return file.row('iterate', operand);
  return file.row('operation', operand, NONE, file.builder.intern(operator));
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: Walk, node: SyntaxNode, block: Block): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; file.is(left, 'binary_expression'); left = file.child(left, 'left')) chain.push(left);
  let row = walk.value(left, block);
  for (let index = chain.length - 1; index >= 0; index--) {
    const each = chain[index] ?? node;
    const operator = file.text(file.child(each, 'operator'));
    if ((operator === '&&' || operator === '||') && block.body !== undefined) block.body.decisions++;
    const right = walk.value(file.child(each, 'right'), block);
    row = file.row('operation', row, right, file.builder.intern(operator));
  }
  return row;
}
