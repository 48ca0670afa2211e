import { operandOf } from '../../../../../model/expressions';
import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, operatorCode, type SomeRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { typeRow } from '../types';
import { elementType, type Frame, identifierOf, lastNameNode, type Walk } from '../walk';

/** `new T<A>(args) { initializer }` */
export function objectCreation(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const typeNode = file.child(node, 'type');
  const applied = typeRow(walk, typeNode, frame, 'none');
  const name = lastNameNode(file, typeNode);
  const rows = file.children(file.child(node, 'arguments')).map(argument => walk.value(argument, frame));
  const row = created(walk, applied, rows);
  if (name !== NO_NODE) file.use('new', row, frame.owner, file.word(name), file.reader.start(name));
  initialize(walk, file.child(node, 'initializer'), row, frame, typeNode);
  return row;
}

/** The class stands in `a`, with its type arguments in `b`. */
function created(walk: Walk, type: ExpressionRow, args: readonly ExpressionRow[]): ExpressionRow {
  const { file } = walk;
  const { expressions } = file.builder;
  if (type === NONE) return file.row('new', file.unknown(), NONE, NO_TEXT, args);
  if (expressions.operator[type] !== operatorCode.generic) return file.row('new', type, NONE, NO_TEXT, args);
  return file.row('new', operandOf.inner(expressions, type), type, NO_TEXT, args);
}

/** `new(args)`: what its place asks for where that is written nearby, the type of what it is assigned to (`target`); else the resolver looks at the place. */
export function targetTypedCreation(walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode, target: ExpressionRow): ExpressionRow {
  const { file } = walk;
  const rows = file.children(file.childOf(node, 'argument_list')).map(argument => walk.value(argument, frame));
  const row = created(walk, placeType(walk, node, frame, expected, target), rows);
  const { expressions } = file.builder;
  const place = operandOf.callee(expressions, row);
  if (target === NONE && expressions.operator[place] === operatorCode.expected) file.builder.set('expressions', 'a', place, row);
  file.use('new', row, frame.owner, file.builder.intern('new'), file.reader.start(node));
  initialize(walk, file.childOf(node, 'initializer_expression'), row, frame, expected);
  return row;
}

function placeType(walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode, target: ExpressionRow): ExpressionRow {
  const { file } = walk;
  if (file.is(file.reader.parent(node), 'throw_expression', 'throw_statement')) return file.row('name', MODULE_SCOPE, NONE, file.builder.intern('Exception'));
  const isKnown = lastNameNode(file, expected) !== NO_NODE && !file.is(expected, 'array_type');
  return isKnown ? typeRow(walk, expected, frame, 'none') : file.row('expected', NONE, target);
}

/** `{ A = x, [k] = y, z }`: assigns members and adds elements. */
function initialize(walk: Walk, node: SyntaxNode, object: ExpressionRow, frame: Frame, type: SyntaxNode): void {
  if (node === NO_NODE) return;
  const { file } = walk;
  const element = elementType(file, type);
  for (const child of file.children(node)) {
    const left = file.is(child, 'assignment_expression') ? file.child(child, 'left') : NO_NODE;
    if (!file.is(left, 'identifier')) {
      addElement(walk, child, left, frame, element, object);
      continue;
    }
    const right = file.child(child, 'right');
    const member = file.row('member', object, NONE, file.word(left));
    file.use('write', member, frame.owner, file.word(left), file.reader.start(left));
    if (file.is(right, 'initializer_expression')) initialize(walk, right, member, frame, NO_NODE);
    else if (file.is(right, 'implicit_object_creation_expression')) targetTypedCreation(walk, right, frame, NO_NODE, member);
    else file.builder.addAssignment({ target: object, name: file.word(left), value: walk.value(right, frame), owner: frame.owner });
  }
}

/** `x`, `{ k, x }` or `[k] = x` in an initializer. A function is what `Add` of the object asks for. */
function addElement(walk: Walk, node: SyntaxNode, left: SyntaxNode, frame: Frame, element: SyntaxNode, object: ExpressionRow): void {
  const { file } = walk;
  if (left !== NO_NODE) {
    walk.value(left, frame);
    walk.value(file.child(node, 'right'), frame, element);
  } else if (file.is(node, 'initializer_expression')) for (const part of file.children(node)) walk.value(part, frame, element);
  else if (file.is(node, 'lambda_expression', 'anonymous_method_expression'))
    file.row('call', file.row('member', object, NONE, file.builder.intern('Add')), NONE, NO_TEXT, [walk.value(node, frame, element)]);
  else walk.value(node, frame, element);
}

/** `new T[n] { … }` */
export function arrayCreation(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const type = file.child(node, 'type');
  const row = typeRow(walk, type, frame);
  for (const size of file.children(file.childOf(type, 'array_rank_specifier'))) walk.value(size, frame);
  const initializer = file.childOf(node, 'initializer_expression');
  if (initializer !== NO_NODE) elements(walk, initializer, frame, file.child(type, 'type'));
  return file.row('valueOfType', row);
}

/** List of the elements of an initializer or a collection expression. */
export function elements(walk: Walk, node: SyntaxNode, frame: Frame, expected: SyntaxNode): ExpressionRow {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  for (const child of file.children(node)) {
    const inner = file.is(child, 'collection_element') ? file.first(child) : child;
    const isSpread = file.is(inner, 'spread_element');
    const value = isSpread || file.is(inner, 'expression_element') ? file.first(inner) : inner;
    const row = walk.value(value, frame, expected);
    rows.push(isSpread ? file.row('spread', row) : row);
  }
  return file.row('array', NONE, NONE, NO_TEXT, rows);
}

/** `new { A = x, y.B }` */
export function anonymousObject(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file, token } = walk;
  const list: SomeRow[] = [];
  let name = NO_NODE;
  for (const child of file.children(node)) {
    const next = file.reader.nextSibling(child);
    if (file.is(child, 'identifier') && next !== NO_NODE && file.reader.kind(next) === token.assign) {
      name = child;
      continue;
    }
    const own = name === NO_NODE ? lastNameNode(file, child) : name;
    list.push(own === NO_NODE ? NO_TEXT : file.word(identifierOf(file, own)), walk.value(child, frame));
    name = NO_NODE;
  }
  return file.row('object', NONE, NONE, NO_TEXT, list);
}

/** `r with { A = x }` is an r. */
export function withValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const [subject, ...initializers] = file.children(node);
  if (subject === undefined) return file.unknown();
  const row = walk.value(subject, frame);
  for (const initializer of initializers) {
    const [name, value] = file.children(initializer);
    if (!file.is(initializer, 'with_initializer') || name === undefined || value === undefined) continue;
    walk.value(value, frame);
    file.use('write', file.row('member', row, NONE, file.word(name)), frame.owner, file.word(name), file.reader.start(name));
  }
  return row;
}
