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
    const name = walk.word(node);
    const row = walk.name(name);
    walk.readName(row, walk.owner, name, walk.reader.start(node), walk.scope);
    return row;
  },
  field_expression: (walk, node) => {
    const { row, name, at } = fieldOf(walk, node);
    walk.use('read', row, walk.owner, name, at);
    return row;
  },
  qualified_identifier: (walk, node) => {
    const { row, name, at } = qualified(walk, node);
    walk.use('read', row, walk.owner, name, at);
    return row;
  },
  template_function: (walk, node) => qualified(walk, node).row,
  call_expression: callValue,
  new_expression: newValue,
  delete_expression: (walk, node) => {
    inner(walk, node);
    return walk.unknown();
  },
  cast_expression: castValue,
  compound_literal_expression: compoundLiteral,
  lambda_expression: lambda,
  initializer_list: initializerList,
  initializer_pair: (walk, node) => walk.value(walk.child(node, 'value')),
  conditional_expression: (walk, node) => {
    walk.decision();
    walk.value(walk.child(node, 'condition'));
    const consequence = walk.child(node, 'consequence');
    const yes = walk.value(consequence === NO_NODE ? walk.child(node, 'condition') : consequence);
    return walk.either([yes, walk.value(walk.child(node, 'alternative'))]);
  },
  binary_expression: binaryValue,
  comma_expression: (walk, node) => {
    walk.value(walk.child(node, 'left'));
    return walk.value(walk.child(node, 'right'));
  },
  unary_expression: (walk, node) => {
    const operator = walk.text(walk.child(node, 'operator'));
    const row = walk.value(walk.child(node, 'argument'));
    return operator === '!' || operator === 'not' ? walk.literal('boolean') : walk.row('operation', row, NONE, walk.builder.intern(operator));
  },
  update_expression: (walk, node) => walk.value(walk.child(node, 'argument')),
  assignment_expression: assignment,
  subscript_expression: subscript,
  parenthesized_expression: inner,
  pointer_expression: (walk, node) => {
    const row = walk.value(walk.child(node, 'argument'));
    return walk.text(walk.child(node, 'operator')) === '*' ? walk.row('unwrap', row) : row;
  },
  sizeof_expression: (walk, node) => {
    const type = walk.child(node, 'type');
    if (type === NO_NODE) walk.value(walk.child(node, 'value'));
    else typeDescriptor(walk, type);
    return walk.literal('number');
  },
  offsetof_expression: (walk, node) => {
    typeDescriptor(walk, walk.child(node, 'type'));
    return walk.literal('number');
  },
  type_descriptor: (walk, node) => {
    typeDescriptor(walk, node);
    return walk.unknown();
  },
  co_await_expression: (walk, node) => walk.row('await', walk.value(walk.child(node, 'argument'))),
  parameter_pack_expansion: inner,
  user_defined_literal: walk => walk.unknown(),
  this: walk => walk.row('this', walk.scope),
  string_literal: walk => walk.literal('string'),
  raw_string_literal: walk => walk.literal('string'),
  concatenated_string: walk => walk.literal('string'),
  char_literal: walk => walk.literal('character'),
  number_literal: walk => walk.literal('number'),
  true: walk => walk.literal('boolean'),
  false: walk => walk.literal('boolean'),
  null: walk => walk.literal('null'),
  preproc_arg: walk => walk.unknown(),
  preproc_defined: walk => walk.unknown(),
};

function inner(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  return walk.value(walk.children(node)[0] ?? NO_NODE);
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; walk.is(left, 'binary_expression'); left = walk.child(left, 'left')) chain.push(left);
  let row = walk.value(left);
  for (let at = chain.length - 1; at >= 0; at--) {
    const each = chain[at] ?? node;
    const operatorNode = walk.child(each, 'operator');
    const operator = walk.text(operatorNode);
    const right = walk.value(walk.child(each, 'right'));
    if (operator === '&&' || operator === '||') walk.decision();
    row = operated(walk, { operator, at: walk.reader.start(operatorNode), left: row, right });
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
  if (operator === '&&' || operator === '||') return walk.literal('boolean');
  if (!walk.isCpp) return COMPARISONS.has(operator) ? walk.literal('boolean') : walk.row('operation', left, right, walk.builder.intern(operator));
  const name = walk.builder.intern(`operator${operator}`);
  const row = walk.row('operation', left, right, walk.builder.intern(operator));
  const call = walk.row('call', walk.row('member', left, NONE, name), NONE, NO_TEXT, [right]);
  walk.use('call', call, walk.owner, name, at);
  return COMPARISONS.has(operator) ? walk.literal('boolean') : row;
}

function assignment(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const left = walk.child(node, 'left');
  const valueNode = walk.child(node, 'right');
  const isPlain = walk.text(walk.child(node, 'operator')) === '=';
  if (walk.is(left, 'identifier')) {
    const value = walk.value(valueNode);
    const name = walk.word(left);
    walk.writeName(walk.name(name), walk.owner, name, walk.reader.start(left), walk.scope);
    return value;
  }
  if (walk.is(left, 'field_expression', 'qualified_identifier')) {
    const { row, name, at } = calleeOf(walk, left);
    const value = walk.value(valueNode);
    walk.use('write', row, walk.owner, name, at);
    const target = walk.builder.expressions.a[row] ?? NONE;
    if (isPlain && walk.is(left, 'field_expression')) walk.builder.addAssignment({ target, name, value, owner: walk.owner });
    return value;
  }
  walk.value(left);
  return walk.value(valueNode);
}

function subscript(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const object = walk.value(walk.child(node, 'argument'));
  const list = walk.child(node, 'indices');
  const keys = list === NO_NODE ? [walk.child(node, 'index')] : walk.children(list);
  const [first] = keys.map(key => walk.value(key));
  return walk.row('index', object, first ?? NONE);
}
