/** Type expressions: rows for what a type says, and one reference for each type named. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type SomeRow, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { addSymbol } from './declarations/symbols';
import { handlersByKind, type Kinds } from './kinds';
import { memberName } from './literals';
import { type ValueHandler, type Walk } from './walk';

const PREDEFINED: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  bigint: 'bigint',
  void: 'undefined',
  undefined: 'undefined',
  null: 'null',
};

export function typeHandlers(kinds: Kinds): (ValueHandler | undefined)[] {
  return handlersByKind<ValueHandler>(kinds, [
    [typeName, 'type_identifier', 'identifier'],
    [nestedName, 'nested_type_identifier', 'nested_identifier', 'member_expression'],
    [generic, 'generic_type'],
    [predefined, 'predefined_type'],
    [literalType, 'literal_type'],
    [union, 'union_type'],
    [intersection, 'intersection_type'],
    [arrayType, 'array_type'],
    [tuple, 'tuple_type'],
    [functionType, 'function_type', 'constructor_type'],
    [objectType, 'object_type', 'interface_body'],
    [typeQuery, 'type_query'],
    [computed, 'index_type_query', 'lookup_type', 'conditional_type'],
    [inner, 'parenthesized_type', 'readonly_type', 'optional_type', 'rest_type', 'type_annotation', 'flow_maybe_type', 'constraint', 'default_type'],
    [thisType, 'this_type', 'this'],
    [predicate, 'asserts', 'asserts_annotation', 'type_predicate', 'type_predicate_annotation'],
    [inferred, 'infer_type'],
    [tupleMember, 'required_parameter', 'optional_parameter'],
  ]);
}

/** Row of an annotation's type, `NONE` without annotation. */
export function annotation(walk: Walk, node: SyntaxNode, field: number): ExpressionRow {
  const child = walk.child(node, field);
  return child === NO_NODE ? NONE : walk.type(child);
}

/** Visits type arguments that are kept in no row. */
export function visitTypeArguments(walk: Walk, node: SyntaxNode): ExpressionRow[] {
  const list = walk.reader.childByKind(node, walk.kinds.node.type_arguments);
  return list === NO_NODE ? [] : walk.reader.namedChildren(list).map(child => walk.type(child));
}

function typeName(walk: Walk, node: SyntaxNode): ExpressionRow {
  const name = walk.nameOf(node);
  const row = walk.name(name);
  walk.builder.addReference('type', row, walk.owner, name, walk.reader.start(node));
  return row;
}

/** `a.b.C`: only the whole is a type, its qualifiers are namespaces. */
function nestedName(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, builder } = walk;
  const last = reader.lastNamedChild(node);
  if (last === NO_NODE) return walk.unknown;
  const name = walk.nameOf(last);
  const row = walk.row(operatorCode.member, qualifier(walk, reader.firstNamedChild(node)), NONE, name);
  builder.addReference('type', row, walk.owner, name, reader.start(last));
  return row;
}

/** Row of the names before the last dot, without references. */
export function qualifier(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  const kind = walk.kind[node];
  if (kind === kinds.node.nested_identifier || kind === kinds.node.member_expression || kind === kinds.node.nested_type_identifier) {
    const first = reader.firstNamedChild(node);
    const last = reader.lastNamedChild(node);
    if (first !== last && first !== NO_NODE) {
      if (!walk.file.descend()) return walk.unknown;
      const base = qualifier(walk, first);
      walk.file.ascend();
      return walk.row(operatorCode.member, base, NONE, walk.nameOf(last));
    }
  }
  return walk.name(walk.nameOf(node));
}

function generic(walk: Walk, node: SyntaxNode): ExpressionRow {
  const name = walk.child(node, walk.kinds.field.name);
  const base = name === NO_NODE ? walk.unknown : walk.type(name);
  return walk.list(operatorCode.generic, visitTypeArguments(walk, node), base);
}

function predefined(walk: Walk, node: SyntaxNode): ExpressionRow {
  const type = PREDEFINED[walk.reader.text(node)];
  return type === undefined ? walk.unknown : walk.literal(type);
}

function literalType(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  const kind = walk.kind[reader.firstNamedChild(node)];
  const { string, number, unary_expression, null: nothing, undefined: missing } = kinds.node;
  if (kind === string) return walk.literal('string');
  if (kind === number || kind === unary_expression) return walk.literal('number');
  if (kind === nothing) return walk.literal('null');
  return walk.literal(kind === missing ? 'undefined' : 'boolean');
}

function parts(walk: Walk, node: SyntaxNode): ExpressionRow[] {
  return walk.reader.namedChildren(node).map(child => walk.type(child));
}

/** Members of a chain of unions or intersections, which the grammar nests to the left. */
function flatParts(walk: Walk, node: SyntaxNode): ExpressionRow[] {
  const kind = walk.kind[node];
  const rights: SyntaxNode[] = [];
  let left = node;
  while (walk.kind[left] === kind) {
    const children = walk.reader.namedChildren(left);
    for (let i = children.length - 1; i > 0; i--) rights.push(children[i] ?? NO_NODE);
    const first = children[0];
    if (first === undefined) break;
    left = first;
  }
  const nodes = left === node ? [] : [left, ...rights.reverse()];
  return nodes.map(child => walk.type(child));
}

function union(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.list(operatorCode.either, flatParts(walk, node));
}

function intersection(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.list(operatorCode.intersection, flatParts(walk, node));
}

function arrayType(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.row(operatorCode.arrayType, inner(walk, node));
}

function tuple(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.list(operatorCode.arrayType, parts(walk, node), NONE, walk.builder.intern('tuple'));
}

function tupleMember(walk: Walk, node: SyntaxNode): ExpressionRow {
  return annotation(walk, node, walk.kinds.field.type);
}

/** `(a: T) => R`: the parameters are visited for their types only. */
function functionType(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.inScope('type', () => {
    const { reader, kinds } = walk;
    bindTypeParameters(walk, node);
    const parameters = walk.child(node, kinds.field.parameters);
    const types = parameters === NO_NODE ? [] : visitParameterTypes(walk, parameters);
    const returned = walk.kind[node] === kinds.node.constructor_type ? walk.child(node, kinds.field.type) : walk.child(node, kinds.field.return_type);
    const last = returned === NO_NODE ? reader.lastNamedChild(node) : returned;
    return walk.list(operatorCode.functionType, types, last === NO_NODE || last === parameters ? walk.unknown : walk.type(last));
  });
}

/** Types of a list of parameters that belong to no function body, `NONE` for one without. */
export function visitParameterTypes(walk: Walk, parameters: SyntaxNode): ExpressionRow[] {
  const written = walk.reader.namedChildren(parameters).filter(parameter => walk.kind[parameter] !== walk.kinds.node.comment);
  return written.map(parameter => annotation(walk, parameter, walk.kinds.field.type));
}

function objectType(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  const items: SomeRow[] = [];
  for (const member of reader.namedChildren(node)) {
    const kind = walk.kind[member];
    if (kind === kinds.node.property_signature) {
      const name = memberName(walk, walk.child(member, kinds.field.name));
      const type = annotation(walk, member, kinds.field.type);
      items.push(name, type === NONE ? walk.unknown : type);
    } else if (kind === kinds.node.method_signature) {
      const name = memberName(walk, walk.child(member, kinds.field.name));
      items.push(name, methodType(walk, member, name));
    } else if (kind === kinds.node.index_signature) items.push(NO_TEXT, indexSignature(walk, member));
    else if (kind !== kinds.node.comment) items.push(walk.builder.intern('()'), signatureType(walk, member));
  }
  return walk.list(operatorCode.objectType, items);
}

/** A method of an object type: a symbol when the type is that of a declared property, field or alias. */
function methodType(walk: Walk, node: SyntaxNode, name: StringIndex): ExpressionRow {
  const { typeHolder, owner, container } = walk;
  if (typeHolder === NONE || name === 0) return signatureType(walk, node);
  const nameNode = walk.child(node, walk.kinds.field.name);
  const symbol = addSymbol(walk, { node, nameNode, name, kind: 'method', parent: typeHolder });
  const functionRow = walk.builder.addFunction({ symbol, scope: NONE });
  const scope = walk.builder.addScope('function', walk.scope, symbol, functionRow);
  walk.builder.set('functions', 'scope', functionRow, scope);
  walk.builder.set('symbols', 'function', symbol, functionRow);
  walk.builder.set('symbols', 'scope', symbol, scope);
  walk.builder.set('symbols', 'complexity', symbol, 1);
  walk.owner = symbol;
  walk.container = symbol;
  walk.typeHolder = NONE;
  const type = signatureType(walk, node);
  walk.typeHolder = typeHolder;
  walk.owner = owner;
  walk.container = container;
  const { expressions, lists } = walk.builder;
  const returned = operandOf.result(expressions, type);
  const first = expressions.listStart[type] ?? 0;
  walk.builder.set('functions', 'returnType', functionRow, returned === walk.unknown ? NONE : returned);
  return walk.builder.addExpression(operatorCode.functionType, returned, functionRow, NO_TEXT, lists.slice(first, first + (expressions.listCount[type] ?? 0)));
}

/** Function type of a method, call or construct signature. */
export function signatureType(walk: Walk, node: SyntaxNode): ExpressionRow {
  return walk.inScope('type', () => {
    const { kinds } = walk;
    bindTypeParameters(walk, node);
    const parameters = walk.child(node, kinds.field.parameters);
    const types = parameters === NO_NODE ? [] : visitParameterTypes(walk, parameters);
    const returned = walk.child(node, kinds.field.return_type);
    const type = returned === NO_NODE ? walk.child(node, kinds.field.type) : returned;
    return walk.list(operatorCode.functionType, types, type === NO_NODE ? walk.unknown : walk.type(type));
  });
}

/** `[key: K]: V` and mapped types: the type of the values. */
export function indexSignature(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  return walk.inScope('type', () => {
    const clause = reader.childByKind(node, kinds.node.mapped_type_clause);
    if (clause !== NO_NODE) {
      const name = walk.child(clause, kinds.field.name);
      const constraint = annotation(walk, clause, kinds.field.type);
      if (name !== NO_NODE) walk.builder.addBinding({ scope: walk.scope, name: walk.nameOf(name), kind: 'typeParameter', type: constraint });
      const alias = walk.child(clause, kinds.field.alias);
      if (alias !== NO_NODE) walk.type(alias);
    }
    const indexType = walk.child(node, kinds.field.index_type);
    if (indexType !== NO_NODE) walk.type(indexType);
    const type = annotation(walk, node, kinds.field.type);
    return walk.row(operatorCode.computedType, type === NONE ? walk.unknown : type);
  });
}

function typeQuery(walk: Walk, node: SyntaxNode): ExpressionRow {
  const operand = walk.reader.firstNamedChild(node);
  if (operand === NO_NODE) return walk.unknown;
  const { identifier, member_expression } = walk.kinds.node;
  const kind = walk.kind[operand];
  if (kind !== identifier && kind !== member_expression) return walk.row(operatorCode.typeof, walk.value(operand));
  const last = kind === identifier ? operand : walk.reader.lastNamedChild(operand);
  const row = qualifier(walk, operand);
  walk.builder.addReference('type', row, walk.owner, walk.nameOf(last), walk.reader.start(last));
  return walk.row(operatorCode.typeof, row);
}

function computed(walk: Walk, node: SyntaxNode): ExpressionRow {
  const items = parts(walk, node);
  if (walk.kind[node] === walk.kinds.node.conditional_type) {
    return walk.builder.addExpression(operatorCode.computedType, items[2] ?? NONE, items[3] ?? NONE, walk.builder.intern('conditional'));
  }
  return walk.builder.addExpression(operatorCode.computedType, items[0] ?? NONE, items[1] ?? NONE, items.length > 1 ? NO_TEXT : walk.builder.intern('keyof'));
}

function inner(walk: Walk, node: SyntaxNode): ExpressionRow {
  const child = walk.reader.firstNamedChild(node);
  return child === NO_NODE ? walk.unknown : walk.type(child);
}

function thisType(walk: Walk): ExpressionRow {
  return walk.row(operatorCode.this, walk.thisScope);
}

function predicate(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  const end = reader.after(node);
  const guarded = walk.kind[node] === kinds.node.type_predicate ? walk.child(node, kinds.field.type) : NO_NODE;
  if (guarded !== NO_NODE) walk.type(guarded);
  else {
    for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
      const kind = walk.kind[child];
      if (kind === kinds.node.type_predicate || kind === kinds.node.asserts) walk.type(child);
    }
  }
  return walk.literal('boolean');
}

function inferred(walk: Walk, node: SyntaxNode): ExpressionRow {
  const children = walk.reader.namedChildren(node);
  const name = children[0];
  if (name === undefined) return walk.unknown;
  const constraint = children[1] === undefined ? NONE : walk.type(children[1]);
  walk.builder.addBinding({ scope: walk.scope, name: walk.nameOf(name), kind: 'typeParameter', type: constraint });
  return walk.unknown;
}

/** Binds `<T extends C = D>` of a declaration in the current scope. */
export function bindTypeParameters(walk: Walk, node: SyntaxNode): void {
  const { reader, kinds } = walk;
  const list = walk.child(node, kinds.field.type_parameters);
  if (list === NO_NODE) return;
  for (const parameter of reader.namedChildren(list)) {
    const name = walk.child(parameter, kinds.field.name);
    if (name === NO_NODE) continue;
    const binding = walk.builder.addBinding({ scope: walk.scope, name: walk.nameOf(name), kind: 'typeParameter' });
    const constraint = annotation(walk, parameter, kinds.field.constraint);
    const fallback = annotation(walk, parameter, kinds.field.value);
    walk.builder.set('bindings', 'type', binding, constraint === NONE ? fallback : constraint);
  }
}
