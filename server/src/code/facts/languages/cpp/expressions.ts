import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { calleeOf, callValue, castValue, compoundLiteral, fieldOf, newValue, qualified } from './calls';
import { typeDescriptor } from './declarators';
import { lambda } from './functions';
import type { KindName } from './grammar';
import { initializerList } from './initializers';
import type { CppWalk, ValueHandler } from './walk';

/** Operators whose result is a truth value. */
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||', 'and', 'or']);

/** How each kind of expression becomes a row. What is not listed has its children visited and is unknown. */
export const VALUE_HANDLERS: Partial<Record<KindName, ValueHandler>> = {
  identifier: (walk, node) => {
    const name = walk.file.word(node);
    const row = walk.name(name);
    walk.file.readName(row, walk.owner, name, walk.file.reader.start(node), walk.scope);
    return row;
  },
  field_expression: (walk, node) => {
    const { row, name, at } = fieldOf(walk, node);
    walk.file.use('read', row, walk.owner, name, at);
    return row;
  },
  qualified_identifier: (walk, node) => {
    const { row, name, at } = qualified(walk, node);
    walk.file.use('read', row, walk.owner, name, at);
    return row;
  },
  template_function: (walk, node) => qualified(walk, node).row,
  call_expression: callValue,
  new_expression: newValue,
  delete_expression: (walk, node) => {
    inner(walk, node);
    return walk.file.unknown();
  },
  cast_expression: castValue,
  compound_literal_expression: compoundLiteral,
  lambda_expression: lambda,
  initializer_list: initializerList,
  initializer_pair: (walk, node) => walk.value(walk.file.child(node, 'value')),
  conditional_expression: (walk, node) => {
    walk.decision();
    walk.value(walk.file.child(node, 'condition'));
    const consequence = walk.file.child(node, 'consequence');
    const yes = walk.value(consequence === NO_NODE ? walk.file.child(node, 'condition') : consequence);
    return walk.file.either([yes, walk.value(walk.file.child(node, 'alternative'))]);
  },
  binary_expression: binaryValue,
  comma_expression: (walk, node) => {
    walk.value(walk.file.child(node, 'left'));
    return walk.value(walk.file.child(node, 'right'));
  },
  unary_expression: (walk, node) => {
    const operator = walk.file.text(walk.file.child(node, 'operator'));
    const row = walk.value(walk.file.child(node, 'argument'));
    return operator === '!' || operator === 'not' ? walk.file.literal('boolean') : walk.file.row('operation', row, NONE, walk.file.builder.intern(operator));
  },
  update_expression: (walk, node) => walk.value(walk.file.child(node, 'argument')),
  assignment_expression: assignment,
  subscript_expression: subscript,
  parenthesized_expression: inner,
  pointer_expression: (walk, node) => {
    const row = walk.value(walk.file.child(node, 'argument'));
    return walk.file.text(walk.file.child(node, 'operator')) === '*' ? walk.file.row('unwrap', row) : row;
  },
  sizeof_expression: (walk, node) => {
    const type = walk.file.child(node, 'type');
    if (type === NO_NODE) walk.value(walk.file.child(node, 'value'));
    else typeDescriptor(walk, type);
    return walk.file.literal('number');
  },
  offsetof_expression: (walk, node) => {
    typeDescriptor(walk, walk.file.child(node, 'type'));
    return walk.file.literal('number');
  },
  type_descriptor: (walk, node) => {
    typeDescriptor(walk, node);
    return walk.file.unknown();
  },
  co_await_expression: (walk, node) => walk.file.row('await', walk.value(walk.file.child(node, 'argument'))),
  parameter_pack_expansion: inner,
  user_defined_literal: walk => walk.file.unknown(),
  this: walk => walk.file.row('this', walk.scope),
  string_literal: walk => walk.file.literal('string'),
  raw_string_literal: walk => walk.file.literal('string'),
  concatenated_string: walk => walk.file.literal('string'),
  char_literal: walk => walk.file.literal('character'),
  number_literal: walk => walk.file.literal('number'),
  true: walk => walk.file.literal('boolean'),
  false: walk => walk.file.literal('boolean'),
  null: walk => walk.file.literal('null'),
  preproc_arg: walk => walk.file.unknown(),
  preproc_defined: walk => walk.file.unknown(),
};

function inner(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  return walk.value(walk.file.children(node)[0] ?? NO_NODE);
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; walk.file.is(left, 'binary_expression'); left = walk.file.child(left, 'left')) chain.push(left);
  let row = walk.value(left);
  for (let at = chain.length - 1; at >= 0; at--) {
    const each = chain[at] ?? node;
    const operatorNode = walk.file.child(each, 'operator');
    const operator = walk.file.text(operatorNode);
    const right = walk.value(walk.file.child(each, 'right'));
    if (operator === '&&' || operator === '||') walk.decision();
    row = operated(walk, { operator, at: walk.file.reader.start(operatorNode), left: row, right });
  }
  return row;
}

interface Operation {
  readonly operator: string;
  readonly at: number;
  readonly left: ExpressionRow;
  readonly right: ExpressionRow;
}

/** An operator that a class may define is a call of it; calls that lead nowhere are no calls. */
function operated(walk: CppWalk, operation: Operation): ExpressionRow {
  const { operator, at, left, right } = operation;
  if (operator === '&&' || operator === '||') return walk.file.literal('boolean');
  if (!walk.isCpp)
    return COMPARISONS.has(operator) ? walk.file.literal('boolean') : walk.file.row('operation', left, right, walk.file.builder.intern(operator));
  const name = walk.file.builder.intern(`operator${operator}`);
  const row = walk.file.row('operation', left, right, walk.file.builder.intern(operator));
  const call = walk.file.row('call', walk.file.row('member', left, NONE, name), NONE, NO_TEXT, [right]);
  walk.file.use('call', call, walk.owner, name, at);
  return COMPARISONS.has(operator) ? walk.file.literal('boolean') : row;
}

function assignment(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const left = walk.file.child(node, 'left');
  const valueNode = walk.file.child(node, 'right');
  const isPlain = walk.file.text(walk.file.child(node, 'operator')) === '=';
  if (walk.file.is(left, 'identifier')) {
    const value = walk.value(valueNode);
    const name = walk.file.word(left);
    walk.file.writeName(walk.name(name), walk.owner, name, walk.file.reader.start(left), walk.scope);
    return value;
  }
  if (walk.file.is(left, 'field_expression', 'qualified_identifier')) {
    const { row, name, at } = calleeOf(walk, left);
    const value = walk.value(valueNode);
    walk.file.use('write', row, walk.owner, name, at);
    const target = operandOf.receiver(walk.file.builder.expressions, row);
    if (isPlain && walk.file.is(left, 'field_expression')) walk.file.builder.addAssignment({ target, name, value, owner: walk.owner });
    return value;
  }
  walk.value(left);
  return walk.value(valueNode);
}

function subscript(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const object = walk.value(walk.file.child(node, 'argument'));
  const list = walk.file.child(node, 'indices');
  const keys = list === NO_NODE ? [walk.file.child(node, 'index')] : walk.file.children(list);
  const [first] = keys.map(key => walk.value(key));
  return walk.file.row('index', object, first ?? NONE);
}
