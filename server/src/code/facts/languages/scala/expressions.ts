import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { bindPattern, declareFunction, declareType, declareValue, enumCases, lambda, typeAlias } from './declarations';
import type { ScalaKind } from './grammar';
import { declareImport, packageClause } from './packages';
import { addType, typeName } from './types';
import type { Handler, Place, ScalaWalk } from './walk';

export const HANDLERS: Partial<Record<ScalaKind, Handler>> = {
  package_clause: packageClause,
  import_declaration: declareImport,
  class_definition: declareType,
  trait_definition: declareType,
  object_definition: declareType,
  package_object: declareType,
  enum_definition: declareType,
  enum_case_definitions: enumCases,
  function_definition: declareFunction,
  function_declaration: declareFunction,
  val_definition: declareValue,
  var_definition: declareValue,
  val_declaration: declareValue,
  var_declaration: declareValue,
  given_definition: declareFunction,
  type_definition: typeAlias,
  lambda_expression: lambda,
  block: (walk, node, place) => walk.run(node, walk.inside(place)),
  identifier: (walk, node, place) => {
    const row = nameRow(walk, node, place);
    if (walk.file.text(node) !== 'this' && walk.file.text(node) !== 'super')
      walk.file.readName(row, place.owner, walk.file.word(node), walk.file.reader.start(node), place.scope);
    return row;
  },
  field_expression: (walk, node, place) => {
    const row = memberRow(walk, node, place);
    const field = walk.file.child(node, 'field');
    walk.file.use('read', row, place.owner, walk.file.word(field), walk.file.reader.start(field));
    return row;
  },
  call_expression: callValue,
  generic_function: (walk, node, place) => genericCallee(walk, node, place, false),
  instance_expression: instance,
  infix_expression: (walk, node, place) => {
    const operator = walk.file.text(walk.file.child(node, 'operator'));
    if (operator === '&&' || operator === '||') place.body.decisions++;
    const left = walk.value(walk.file.child(node, 'left'), place);
    return walk.file.row('operation', left, walk.value(walk.file.child(node, 'right'), place), walk.file.builder.intern(operator));
  },
  assignment_expression: assign,
  ascription_expression: (walk, node, place) => {
    const [value, type] = walk.file.children(node);
    if (value !== undefined) walk.value(value, place);
    return walk.file.row('valueOfType', addType(walk, type ?? NO_NODE, place));
  },
  if_expression: decide,
  while_expression: decide,
  for_expression: (walk, node, place) => {
    place.body.decisions++;
    return walk.run(node, walk.inside(place));
  },
  enumerator: (walk, node, place) => {
    const [pattern, ...rest] = walk.file.children(node);
    const rows = rest.map(child => walk.value(child, place));
    if (pattern !== undefined) bindPattern(walk, pattern, NONE, rows[0] === undefined ? NONE : walk.file.row('iterate', rows[0]), place);
    return walk.file.unknown();
  },
  case_clause: (walk, node, place) => {
    place.body.decisions++;
    const inside = walk.inside(place);
    bindPattern(walk, walk.file.child(node, 'pattern'), NONE, NONE, inside);
    const pattern = walk.file.child(node, 'pattern');
    let last = walk.file.unknown();
    for (const child of walk.file.children(node)) if (child !== pattern) last = walk.value(child, inside);
    return last;
  },
  throw_expression: (walk, node, place) => {
    const thrown = walk.file.reader.firstNamedChild(node);
    const row = walk.value(thrown, place);
    const nameNode = walk.file.is(thrown, 'instance_expression') ? typeName(walk, walk.file.reader.firstNamedChild(thrown)) : thrown;
    if (walk.file.is(nameNode, 'type_identifier', 'identifier'))
      walk.file.use('raise', row, place.owner, walk.file.word(nameNode), walk.file.reader.start(nameNode));
    return walk.file.unknown();
  },
  parenthesized_expression: (walk, node, place) => walk.value(walk.file.reader.firstNamedChild(node), place),
  string: walk => walk.file.literal('string'),
  interpolated_string_expression: (walk, node, place) => {
    for (const child of walk.file.children(node)) if (!walk.file.is(child, 'identifier')) walk.value(child, place);
    return walk.file.literal('string');
  },
  integer_literal: walk => walk.file.literal('number'),
  floating_point_literal: walk => walk.file.literal('number'),
  character_literal: walk => walk.file.literal('number'),
  boolean_literal: walk => walk.file.literal('boolean'),
  null_literal: walk => walk.file.literal('null'),
};

/** Handlers for what is called. */
export const QUIET_HANDLERS: Partial<Record<ScalaKind, Handler>> = {
  identifier: nameRow,
  field_expression: memberRow,
  generic_function: (walk, node, place) => genericCallee(walk, node, place, true),
};

function nameRow(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const text = walk.file.text(node);
  if (text === 'this') return walk.file.row('this', place.scope);
  return text === 'super' ? walk.file.row('super', place.scope) : walk.file.row('name', place.scope, NONE, walk.file.word(node));
}

function memberRow(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  return walk.file.row('member', walk.value(walk.file.child(node, 'value'), place), NONE, walk.file.word(walk.file.child(node, 'field')));
}

function genericCallee(walk: ScalaWalk, node: SyntaxNode, place: Place, isQuiet: boolean): ExpressionRow {
  const callee = walk.file.child(node, 'function');
  for (const argument of walk.file.children(walk.file.child(node, 'type_arguments'))) addType(walk, argument, place);
  return isQuiet ? walk.quiet(callee, place) : walk.value(callee, place);
}

function callValue(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const callee = walk.file.child(node, 'function');
  const calleeRow = walk.quiet(callee, place);
  const list = walk.file.child(node, 'arguments');
  const nodes = walk.file.is(list, 'arguments') ? walk.file.children(list) : list === NO_NODE ? [] : [list];
  const row = walk.file.row(
    'call',
    calleeRow,
    NONE,
    NO_TEXT,
    nodes.map(argument => argumentValue(walk, argument, place)),
  );
  const nameNode = lastName(walk, callee);
  if (nameNode !== NO_NODE) walk.file.use('call', row, place.owner, walk.file.word(nameNode), walk.file.reader.start(nameNode));
  return row;
}

/** `f(a = 1)` names a parameter. */
function argumentValue(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  return walk.value(walk.file.is(node, 'assignment_expression') ? walk.file.child(node, 'right') : node, place);
}

function lastName(walk: ScalaWalk, callee: SyntaxNode): SyntaxNode {
  let at = callee;
  for (let steps = 0; at !== NO_NODE && steps < 20; steps++) {
    if (walk.file.is(at, 'identifier')) return at;
    if (walk.file.is(at, 'field_expression')) at = walk.file.child(at, 'field');
    else if (walk.file.is(at, 'generic_function', 'call_expression')) at = walk.file.child(at, 'function');
    else return NO_NODE;
  }
  return NO_NODE;
}

/** `new T(x)`, `new T { … }`. */
function instance(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const [typeNode, ...rest] = walk.file.children(node);
  if (typeNode === undefined) return walk.file.unknown();
  if (walk.file.is(typeNode, 'template_body')) return walk.run(typeNode, walk.inside(place));
  const type = addType(walk, typeNode, place, false);
  const args: ExpressionRow[] = [];
  for (const part of rest) {
    if (walk.file.is(part, 'arguments')) for (const argument of walk.file.children(part)) args.push(argumentValue(walk, argument, place));
    else walk.run(part, walk.inside(place));
  }
  const row = walk.file.row('new', type, NONE, NO_TEXT, args);
  const nameNode = typeName(walk, typeNode);
  walk.file.use('new', row, place.owner, walk.file.word(nameNode), walk.file.reader.start(nameNode));
  return row;
}

function assign(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const left = walk.file.child(node, 'left');
  const value = walk.value(walk.file.child(node, 'right'), place);
  const target = walk.quiet(left, place);
  const nameNode = lastName(walk, left);
  if (walk.file.is(left, 'field_expression')) {
    const object = operandOf.receiver(walk.file.builder.expressions, target);
    walk.file.builder.addAssignment({ target: object, name: walk.file.word(nameNode), value, owner: place.owner });
  }
  if (nameNode !== NO_NODE && walk.file.is(left, 'field_expression', 'identifier'))
    walk.file.use('write', target, place.owner, walk.file.word(nameNode), walk.file.reader.start(nameNode));
  return walk.file.unknown();
}

function decide(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  place.body.decisions++;
  return walk.run(node, place);
}
