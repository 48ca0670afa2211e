/** Value expressions other than calls, literals of objects and assignments. */
import { nameBeginningWith } from '../../../../../model/expressions';
import { type ExpressionRow, NONE, operatorCode, type StringIndex } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { readClass } from '../declarations/classes';
import { functionValue, memberModifiers, readFunction } from '../declarations/functions';
import { addSymbol, containerOf } from '../declarations/symbols';
import { declaredType } from '../jsdoc/comments';
import { handlersByKind, type Kinds } from '../kinds';
import { operand, stringText } from '../literals';
import { guarded } from '../statements/narrowing';
import { visitTypeArguments } from '../types';
import type { ValueHandler, Walk } from '../walk';
import { assignment, augmentedAssignment, update } from './assignments';
import { call, construct } from './calls';
import { jsxElement, jsxParts } from './jsx';
import { listedKeys } from './listedKeys';
import { objectRow, readMember } from './members';
import { objectLiteral } from './objects';

export function valueHandlers(kinds: Kinds): (ValueHandler | undefined)[] {
  return handlersByKind<ValueHandler>(kinds, [
    [identifier, 'identifier', 'shorthand_property_identifier'],
    [readMember, 'member_expression'],
    [subscript, 'subscript_expression'],
    [call, 'call_expression'],
    [construct, 'new_expression'],
    [walk => walk.row(operatorCode.this, walk.thisScope), 'this'],
    [walk => walk.row(operatorCode.super, walk.thisScope), 'super'],
    [awaited, 'await_expression'],
    [yielded, 'yield_expression'],
    [walk => walk.literal('string'), 'string'],
    [template, 'template_string'],
    [walk => walk.literal('number'), 'number'],
    [walk => walk.literal('boolean'), 'true', 'false'],
    [walk => walk.literal('null'), 'null'],
    [walk => walk.literal('undefined'), 'undefined'],
    [walk => walk.literal('regexp'), 'regex'],
    [array, 'array'],
    [objectLiteral, 'object'],
    [functionExpression, 'function_expression', 'generator_function', 'arrow_function'],
    [classExpression, 'class'],
    [ternary, 'ternary_expression'],
    [binary, 'binary_expression'],
    [unary, 'unary_expression'],
    [update, 'update_expression'],
    [assignment, 'assignment_expression'],
    [augmentedAssignment, 'augmented_assignment_expression'],
    [sequence, 'sequence_expression'],
    [spread, 'spread_element'],
    [parenthesised, 'parenthesized_expression'],
    [inner, 'non_null_expression'],
    [instantiation, 'instantiation_expression'],
    [cast, 'as_expression'],
    [satisfies, 'satisfies_expression'],
    [assertion, 'type_assertion'],
    [jsxElement, 'jsx_element', 'jsx_self_closing_element'],
    [jsxParts, 'jsx_expression', 'jsx_attribute'],
    [walk => walk.unknown, 'comment', 'meta_property'],
  ]);
}

function identifier(walk: Walk, node: SyntaxNode): ExpressionRow {
  const name = walk.nameOf(node);
  const row = walk.name(name);
  walk.uses.push({ kind: 'read', row, scope: walk.scope, owner: walk.owner, name, at: walk.reader.start(node), isObject: false });
  return row;
}

function subscript(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  const object = walk.child(node, field.object);
  const index = walk.child(node, field.index);
  const base = object === NO_NODE ? walk.unknown : objectRow(walk, object);
  if (index === NO_NODE) return walk.row(operatorCode.index, base);
  const isPlain = walk.kind[index] === kinds.template_string && !walk.reader.hasChild(index, kinds.template_substitution);
  if (walk.kind[index] === kinds.string || isPlain) return readKey(walk, base, index);
  if (walk.kind[index] === kinds.number) return walk.row(operatorCode.index, base, NONE, walk.nameOf(index));
  const key = walk.value(index);
  const listed = listedKeys(walk, index);
  if (listed.length > 0) return listedMembers(walk, base, listed, index);
  const known = nameBeginningWith(beginningOf(walk, index));
  return known === undefined ? walk.row(operatorCode.index, base, key) : memberRow(walk, base, walk.builder.intern(known), walk.reader.start(index));
}

/** The text that an expression begins with which something is added to (`'on' + event`, `` `on${event}` ``); `''` for others. */
function beginningOf(walk: Walk, node: SyntaxNode): string {
  const { field, node: kinds } = walk.kinds;
  let first = node;
  while (walk.kind[first] === kinds.binary_expression) first = walk.child(first, field.left);
  if (walk.kind[first] === kinds.string) return walk.builder.strings[stringText(walk, first)] ?? '';
  const text = walk.kind[first] === kinds.template_string ? walk.reader.firstNamedChild(first) : NO_NODE;
  return text !== NO_NODE && walk.kind[text] === kinds.string_fragment ? walk.reader.text(text) : '';
}

/** Any of the members that a key may name. */
function listedMembers(walk: Walk, base: ExpressionRow, names: readonly string[], key: SyntaxNode): ExpressionRow {
  const [name, at] = [walk.nameOf(key), walk.reader.start(key)];
  const rows = names.map(each => walk.row(operatorCode.member, base, NONE, walk.builder.intern(each)));
  for (const row of rows) walk.uses.push({ kind: 'read', row, scope: walk.scope, owner: walk.owner, name, at, isObject: false });
  return walk.either(rows);
}

/** `a['b']`, `` a[`b`] `` */
function readKey(walk: Walk, base: ExpressionRow, key: SyntaxNode): ExpressionRow {
  return memberRow(walk, base, stringText(walk, key), walk.reader.start(key) + 1);
}

function memberRow(walk: Walk, base: ExpressionRow, name: StringIndex, at: number): ExpressionRow {
  const row = walk.row(operatorCode.member, base, NONE, name);
  walk.uses.push({ kind: 'read', row, scope: walk.scope, owner: walk.owner, name, at, isObject: false });
  return row;
}

function awaited(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.row(operatorCode.await, inner(walk, node));
}

function yielded(walk: Walk, node: SyntaxNode): ExpressionRow {
  const child = operand(walk, node);
  if (child === NO_NODE) return walk.unknown;
  const value = walk.value(child);
  if (walk.functionRow !== NONE) walk.returns.push(value);
  return walk.unknown;
}

function template(walk: Walk, node: SyntaxNode): ExpressionRow {
  for (const child of walk.reader.namedChildren(node)) if (walk.kind[child] === walk.kinds.node.template_substitution) walk.parts(child);
  return walk.literal('string');
}

function array(walk: Walk, node: SyntaxNode): ExpressionRow {
  const items: ExpressionRow[] = [];
  const { reader } = walk;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (reader.isNamed(child) && walk.kind[child] !== walk.kinds.node.comment) items.push(walk.value(child));
  }
  return walk.list(operatorCode.array, items);
}

/** A function in the middle of an expression: a symbol only when it names itself. */
export function functionExpression(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  const isArrow = walk.kind[node] === kinds.arrow_function;
  const nameNode = isArrow ? NO_NODE : walk.child(node, field.name);
  if (nameNode === NO_NODE) return functionValue(walk, readFunction(walk, { node, symbol: NONE, isArrow }));
  const name = walk.nameOf(nameNode);
  const symbol = addSymbol(walk, {
    node,
    nameNode,
    name,
    kind: 'function',
    parent: containerOf(walk),
    modifiers: memberModifiers(walk, node),
    body: walk.child(node, field.body),
  });
  return functionValue(walk, readFunction(walk, { node, symbol, selfName: name }));
}

/** A class expression is a symbol under its own name; without one its members go to the container it stands in. */
function classExpression(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field } = walk.kinds;
  const nameNode = walk.child(node, field.name);
  const name = nameNode === NO_NODE ? walk.builder.intern('class') : walk.nameOf(nameNode);
  const symbol = addSymbol(walk, { node, nameNode, name, kind: 'class', parent: containerOf(walk), body: walk.child(node, field.body) });
  readClass(walk, node, symbol, nameNode === NO_NODE ? undefined : name);
  return walk.row(operatorCode.class, symbol);
}

function ternary(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field } = walk.kinds;
  walk.complexity++;
  const condition = walk.child(node, field.condition);
  const yes = walk.child(node, field.consequence);
  const no = walk.child(node, field.alternative);
  if (condition !== NO_NODE) walk.value(condition);
  const left = yes === NO_NODE ? walk.unknown : guarded(walk, condition, true, () => walk.value(yes));
  const right = no === NO_NODE ? walk.unknown : guarded(walk, condition, false, () => walk.value(no));
  return walk.either([left, right]);
}

/** Long chains of one operator nest to the left: the left spine is read in a loop. */
function binary(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { kinds } = walk;
  const spine: SyntaxNode[] = [];
  let left = node;
  while (left !== NO_NODE && walk.kind[left] === kinds.node.binary_expression) {
    spine.push(left);
    left = walk.child(left, kinds.field.left);
  }
  let row = left === NO_NODE ? walk.unknown : walk.value(left);
  for (let i = spine.length - 1; i >= 0; i--) row = binaryStep(walk, spine[i] ?? node, row);
  return row;
}

function binaryStep(walk: Walk, node: SyntaxNode, left: ExpressionRow): ExpressionRow {
  const { field, token } = walk.kinds;
  const operator = walk.kind[walk.child(node, field.operator)] ?? 0;
  const rightNode = walk.child(node, field.right);
  if (rightNode === NO_NODE) return walk.unknown;
  if (operator === token['&&']) {
    walk.complexity++;
    return guarded(walk, walk.child(node, field.left), true, () => walk.value(rightNode));
  }
  if (operator === token['||'] || operator === token['??']) {
    walk.complexity++;
    return walk.either([left, guarded(walk, walk.child(node, field.left), false, () => walk.value(rightNode))]);
  }
  const right = walk.value(rightNode);
  if (operator === token.instanceof) assertsType(walk, rightNode, right);
  return walk.row(operatorCode.operation, NONE, NONE, walk.nameOf(walk.child(node, field.operator)));
}

/** `x instanceof C` */
function assertsType(walk: Walk, node: SyntaxNode, row: ExpressionRow): void {
  const { kinds } = walk;
  let named = node;
  if (walk.kind[named] === kinds.node.member_expression) named = walk.child(named, kinds.field.property);
  if (named === NO_NODE || (walk.kind[named] !== kinds.node.identifier && walk.kind[named] !== kinds.node.property_identifier)) return;
  walk.uses.pop();
  walk.builder.addReference('assertType', row, walk.owner, walk.nameOf(named), walk.reader.start(named));
}

function unary(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field, token } = walk.kinds;
  const argument = walk.child(node, field.argument);
  if (argument !== NO_NODE) walk.value(argument);
  const operator = walk.child(node, field.operator);
  const kind = operator === NO_NODE ? 0 : walk.kind[operator];
  if (kind === token['!']) return walk.literal('boolean');
  if (kind === token.typeof) return walk.literal('string');
  return walk.literal(kind === token.void ? 'undefined' : 'number');
}

function sequence(walk: Walk, node: SyntaxNode): ExpressionRow {
  let row = walk.unknown;
  for (const child of walk.reader.namedChildren(node)) if (walk.kind[child] !== walk.kinds.node.comment) row = walk.value(child);
  return row;
}

function spread(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.row(operatorCode.spread, inner(walk, node));
}

function inner(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (reader.isNamed(child) && walk.kind[child] !== kinds.node.comment && walk.kind[child] !== kinds.node.type_annotation) return walk.value(child);
  }
  return walk.unknown;
}

/** `/** @type {T} *\/ (x)` is JavaScript's cast. */
function parenthesised(walk: Walk, node: SyntaxNode): ExpressionRow {
  const value = inner(walk, node);
  if (walk.isTyped || !endsComment(walk.text, walk.reader.start(node))) return value;
  const type = declaredType(walk, walk.reader.start(node));
  return type === NONE ? value : walk.row(operatorCode.valueOfType, type);
}

/** Whether the last character before `at` that is no space ends a block comment. */
function endsComment(text: string, at: number): boolean {
  let before = at - 1;
  while (before > 0 && text.charCodeAt(before) <= 32) before--;
  return text.charCodeAt(before) === 47 && text.charCodeAt(before - 1) === 42;
}

function instantiation(walk: Walk, node: SyntaxNode): ExpressionRow {
  visitTypeArguments(walk, node);
  const target = walk.child(node, walk.kinds.field.function);
  return target === NO_NODE ? inner(walk, node) : walk.value(target);
}

/** `x as T`; `x as const` is `x`. */
function cast(walk: Walk, node: SyntaxNode): ExpressionRow {
  const [value, type] = walk.reader.namedChildren(node);
  if (value === undefined) return walk.unknown;
  const row = walk.value(value);
  return type === undefined ? row : valueOfType(walk, type, row);
}

function valueOfType(walk: Walk, typeNode: SyntaxNode, value: ExpressionRow): ExpressionRow {
  const type = walk.type(typeNode);
  return type === walk.unknown ? value : walk.row(operatorCode.valueOfType, type);
}

function satisfies(walk: Walk, node: SyntaxNode): ExpressionRow {
  const [value, type] = walk.reader.namedChildren(node);
  if (value === undefined) return walk.unknown;
  const row = walk.value(value);
  if (type !== undefined) walk.type(type);
  return row;
}

/** `<T>x` */
function assertion(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  const types = visitTypeArguments(walk, node);
  const value = reader.lastNamedChild(node);
  const row = value === NO_NODE || walk.kind[value] === kinds.node.type_arguments ? walk.unknown : walk.value(value);
  const type = types[0];
  return type === undefined || type === walk.unknown ? row : walk.row(operatorCode.valueOfType, type);
}
