import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { blockRow } from '../declarations/blocks';
import { declareAssignedType } from '../declarations/classes';
import { fieldOf } from '../declarations/members';
import { docAnchor, yardOf, yardType } from '../docs/yard';
import { constantOf, literalText } from '../names';
import type { Frame, Walk } from '../walk';
import { callOperator } from './collections';

export function assignment(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const right = file.child(node, 'right');
  if (file.is(left, 'constant', 'scope_resolution')) {
    const type = declareAssignedType(walk, node, left, right, frame);
    if (type !== undefined) return type;
  }
  if (file.is(left, 'identifier')) {
    const lambda = lambdaOf(walk, right);
    if (lambda !== NO_NODE) return assignLambda(walk, node, left, lambda, frame);
    frame.locals.add(file.text(left), frame.home);
  }
  if (file.is(left, 'left_assignment_list')) return assignMany(walk, node, left, right, frame);
  const value = right === NO_NODE ? file.unknown() : file.nested(file.unknown(), () => walk.value(right, frame));
  bindTarget(walk, left, value, node, frame);
  return value;
}

/** `->(x) { … }`, `lambda { |x| … }`, `proc { … }`. */
function lambdaOf(walk: Walk, node: SyntaxNode): SyntaxNode {
  const { file } = walk;
  if (file.is(node, 'lambda')) return node;
  if (!file.is(node, 'call') || file.child(node, 'receiver') !== NO_NODE || !/^(?:lambda|proc)$/.test(file.text(file.child(node, 'method')))) return NO_NODE;
  return file.child(node, 'block');
}

/** A lambda bound to a variable is a function of that name. */
function assignLambda(walk: Walk, node: SyntaxNode, left: SyntaxNode, lambda: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const scope = frame.locals.add(file.text(left), frame.home);
  const symbol = file.declare({ node, nameNode: left, kind: 'function', parent: frame.owner, body: file.child(lambda, 'body') });
  file.builder.addBinding({ scope, name: file.word(left), kind: 'symbol', symbol });
  return file.row('function', blockRow(walk, lambda, frame, { symbol, method: '' }));
}

function assignMany(walk: Walk, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const targets = file.children(left);
  for (const target of targets) if (file.is(target, 'identifier')) frame.locals.add(file.text(target), frame.home);
  if (file.is(right, 'right_assignment_list', 'array') && !file.children(right).some(child => file.is(child, 'splat_argument'))) {
    const rows = file.children(right).map(child => walk.value(child, frame));
    bindMany(walk, targets, at => rows[at] ?? file.literal('null'), node, frame);
    return file.row('array', NONE, NONE, NO_TEXT, rows);
  }
  const value = right === NO_NODE ? file.unknown() : walk.value(right, frame);
  bindMany(walk, targets, at => file.row('index', value, NONE, file.builder.intern(String(at))), node, frame, value);
  return value;
}

function bindMany(
  walk: Walk,
  targets: readonly SyntaxNode[],
  part: (at: number) => ExpressionRow,
  node: SyntaxNode,
  frame: Frame,
  whole?: ExpressionRow,
): void {
  const { file } = walk;
  targets.forEach((target, at) => {
    if (file.is(target, 'rest_assignment')) {
      const inner = file.reader.firstNamedChild(target);
      if (inner !== NO_NODE) bindTarget(walk, inner, whole ?? file.row('array', NONE, NONE, NO_TEXT, [part(at)]), node, frame);
    } else if (file.is(target, 'destructured_left_assignment')) {
      const value = part(at);
      bindMany(walk, file.children(target), index => file.row('index', value, NONE, file.builder.intern(String(index))), node, frame, value);
    } else bindTarget(walk, target, part(at), node, frame);
  });
}

/** Binds a variable, constant, attribute or element to a value. */
export function bindTarget(walk: Walk, target: SyntaxNode, value: ExpressionRow, statement: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  if (target === NO_NODE) return;
  const { kind } = file.grammar;
  switch (file.reader.kind(target)) {
    case kind.identifier:
      return bindLocal(walk, target, value, statement, frame);
    case kind.instance_variable:
    case kind.class_variable:
      return assignField(walk, target, value, statement, frame);
    case kind.global_variable:
      return assignGlobal(walk, target, value, statement, frame);
    case kind.constant:
      return declareConstant(walk, target, value, statement, frame);
    case kind.call:
      return assignAttribute(walk, target, value, frame);
    case kind.element_reference:
      return assignElement(walk, target, value, frame);
    case kind.scope_resolution:
      constantOf(walk, target, frame);
      return;
    default:
      walk.value(target, frame);
  }
}

function bindLocal(walk: Walk, node: SyntaxNode, value: ExpressionRow, statement: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const scope = frame.locals.add(file.text(node), frame.home);
  const form = file.is(file.reader.previousSibling(statement), 'comment') ? yardOf(file, statement).type : undefined;
  const type = form === undefined || form.is === 'unknown' ? NONE : yardType(file, form, frame, frame.owner);
  file.builder.addBinding({ scope, name: file.word(node), kind: 'variable', type, value });
}

/** `@x = …`: a field of the class; at the top of a script, a variable. */
function assignField(walk: Walk, node: SyntaxNode, value: ExpressionRow, statement: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const name = file.word(node);
  if (frame.class === undefined) {
    file.builder.addBinding({ scope: frame.fields, name, kind: 'variable', value });
    return;
  }
  const target = file.row('this', frame.scope);
  const symbol = fieldOf(walk, node, statement, value, frame);
  file.builder.addAssignment({ target, name, value, symbol, owner: frame.owner });
  file.use('write', file.row('member', target, NONE, name), frame.owner, name, file.reader.start(node));
}

function assignGlobal(walk: Walk, node: SyntaxNode, value: ExpressionRow, statement: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const text = file.text(node);
  const name = file.word(node);
  if (!/^\$[A-Za-z_]\w+$/.test(text)) return;
  let symbol = walk.globals.get(text);
  if (symbol === undefined) {
    symbol = file.declare({ node: statement, nameNode: node, kind: 'variable', parent: NONE, value });
    walk.globals.set(text, symbol);
    file.builder.addBinding({ scope: MODULE_SCOPE, name, kind: 'symbol', symbol });
    return;
  }
  file.builder.addBinding({ scope: MODULE_SCOPE, name, kind: 'symbol', symbol, value });
  file.use('write', file.row('name', frame.scope, NONE, name), frame.owner, name, file.reader.start(node));
}

function declareConstant(walk: Walk, node: SyntaxNode, value: ExpressionRow, statement: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const owner = frame.class;
  const modifiers = MODIFIERS.readonly | MODIFIERS.static;
  const symbol = file.declare({
    node: statement,
    nameNode: node,
    kind: 'constant',
    parent: owner?.symbol ?? NONE,
    modifiers,
    value,
    docNode: docAnchor(file, statement),
  });
  file.builder.addBinding({ scope: owner?.inside ?? MODULE_SCOPE, name: file.word(node), kind: 'symbol', symbol });
}

/** `obj.name = v` calls `name=`, which mostly sets `@name`. */
function assignAttribute(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const receiver = file.child(node, 'receiver');
  const nameNode = file.child(node, 'method');
  if (receiver === NO_NODE || nameNode === NO_NODE) return;
  const object = walk.value(receiver, frame);
  const text = file.text(nameNode);
  const name = file.builder.intern(`${text}=`);
  const row = file.row('call', file.row('member', object, NONE, name), NONE, NO_TEXT, [value]);
  file.use('call', row, frame.owner, file.word(nameNode), file.reader.start(nameNode));
  const isOwn = file.is(receiver, 'self');
  const symbol = isOwn ? (frame.class?.fields.get(`@${text}`) ?? NONE) : NONE;
  const given = isOwn ? frame.class?.accessors.given : undefined;
  given?.set(text, [...(given.get(text) ?? []), value]);
  file.builder.addAssignment({ target: object, name: file.builder.intern(`@${text}`), value, symbol, owner: frame.owner });
}

function assignElement(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const objectNode = file.child(node, 'object');
  const [key] = file.children(node).filter(child => child !== objectNode);
  const object = walk.value(objectNode, frame);
  callOperator(walk, object, '[]=', file.reader.end(objectNode), frame);
  const text = key === undefined ? undefined : literalText(file, key);
  if (key !== undefined && text === undefined) walk.value(key, frame);
  if (text !== undefined) file.builder.addAssignment({ target: object, name: file.builder.intern(text), value, owner: frame.owner });
  file.builder.addAssignment({ target: object, name: NO_TEXT, value, owner: frame.owner });
}

/** `x += v`, `@x ||= v`, `a.b ||= v`. */
export function operatorAssignment(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const left = file.child(node, 'left');
  const operator = file.text(file.child(node, 'operator'));
  if (file.is(left, 'identifier')) frame.locals.add(file.text(left), frame.home);
  const value = walk.value(file.child(node, 'right'), frame);
  if (file.is(left, 'constant')) {
    if (operator === '||=') bindTarget(walk, left, value, node, frame);
    return value;
  }
  const before = walk.value(left, frame);
  if (operator === '||=' || operator === '&&=') {
    bindTarget(walk, left, value, node, frame);
    return operator === '||=' ? file.either([before, value]) : value;
  }
  const row = file.row('operation', before, value, file.builder.intern(operator.slice(0, -1)));
  if (!file.is(left, 'identifier')) bindTarget(walk, left, row, node, frame);
  return row;
}
