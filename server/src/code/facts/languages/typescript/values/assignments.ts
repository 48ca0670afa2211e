/** Assignments: new values of names, fields through `this`, CommonJS exports, members of prototypes and functions. */
import { operandOf } from '../../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { symbolKindCode } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { readClass } from '../declarations/classes';
import { functionValue, memberModifiers, readFunction } from '../declarations/functions';
import { addSymbol, containerOf, knownSymbol } from '../declarations/symbols';
import { declaredType } from '../jsdoc/comments';
import { bareValue, isFunctionKind, ownName } from '../literals';
import { defineData, exportedData, expose, isAtTop, listExport } from '../modules/exposed';
import { readPattern } from '../patterns';
import { reassign } from '../statements/statements';
import { declaredKey, type Walk } from '../walk';
import { listedKeys } from './listedKeys';
import { memberRow, objectRow, useMember } from './members';

export function assignment(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  const left = walk.child(node, field.left);
  const right = walk.child(node, field.right);
  if (left === NO_NODE || right === NO_NODE) return walk.parts(node);
  const kind = walk.kind[left];
  if (kind === kinds.member_expression) return assignMember(walk, node, left, right);
  if (kind === kinds.identifier) return assignName(walk, node, left, right);
  if (kind === kinds.subscript_expression) return assignIndex(walk, node, left, right);
  const value = walk.value(right);
  readPattern(walk, left, value, (leaf, part) => reassign(walk, leaf, part));
  return value;
}

function assignName(walk: Walk, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode): ExpressionRow {
  const name = walk.nameOf(left);
  const known = walk.declared.get(declaredKey(walk.container, name)) ?? NONE;
  const holds = known !== NONE && walk.builder.symbols.kind[known] === symbolKindCode.variable ? known : NONE;
  const value = heldValue(walk, right, { node, nameNode: left, name, parent: containerOf(walk), holds, isMethod: false });
  if (walk.reader.text(left) !== 'exports') reassign(walk, left, value);
  return value;
}

/** Name of the assignments whose name is only known at run time: `app[method] = function …` in a loop over methods. */
const COMPUTED_MEMBERS = '[computed]';

/** `a[k] = function …` is named after `a`, as far as it can be named. */
function assignIndex(walk: Walk, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode): ExpressionRow {
  const { field } = walk.kinds;
  const key = walk.child(left, field.index);
  const keys = key === NO_NODE || !isFunctionKind(walk, walk.kind[bareValue(walk, right)] ?? 0) ? [] : listedKeys(walk, key);
  if (keys.length > 0) return assignListed(walk, node, left, right, keys);
  const target = walk.value(left);
  const object = walk.child(left, field.object);
  const isNamed = object !== NO_NODE && walk.kind[object] === walk.kinds.node.identifier;
  const name = isNamed ? walk.nameOf(object) : NO_TEXT;
  const value =
    name === 0 ? walk.value(right) : heldValue(walk, right, { node, nameNode: object, name, parent: containerOf(walk), holds: NONE, isMethod: false });
  const symbol = symbolOfFunction(walk, value);
  walk.builder.addAssignment({ target, name: NO_TEXT, value, symbol, owner: walk.owner });
  const index = walk.child(left, field.index);
  const isComputed = symbol !== NONE && index !== NO_NODE && walk.kind[index] !== walk.kinds.node.string && walk.kind[index] !== walk.kinds.node.number;
  const holder = operandOf.receiver(walk.builder.expressions, target);
  if (isComputed && holder !== NONE) walk.builder.addAssignment({ target: holder, name: walk.builder.intern(COMPUTED_MEMBERS), value, owner: walk.owner });
  return value;
}

/** `a[k] = function …` where all that `k` may be is written out: the function has each of these names. */
function assignListed(walk: Walk, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode, keys: readonly string[]): ExpressionRow {
  const { field } = walk.kinds;
  const object = walk.child(left, field.object);
  const index = walk.child(left, field.index);
  const target = objectRow(walk, object);
  walk.value(index);
  const name = walk.builder.intern(`[${walk.reader.text(index)}]`);
  const value = heldValue(walk, right, memberDestination(walk, node, object, index, name));
  const symbol = symbolOfFunction(walk, value);
  for (const key of keys) walk.builder.addAssignment({ target, name: walk.builder.intern(key), value, symbol, owner: walk.owner });
  return value;
}

/** Symbol of the function that a row is, or `NONE`. */
function symbolOfFunction(walk: Walk, row: ExpressionRow): SymbolRow {
  const { expressions, functions } = walk.builder;
  return expressions.operator[row] === operatorCode.function ? (functions.symbol[operandOf.function(expressions, row)] ?? NONE) : NONE;
}

/** Where the value of an assignment goes. */
interface Destination {
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly name: StringIndex;
  /** Container of a symbol made for a function or class. */
  readonly parent: SymbolRow;
  /** Symbol that is there already and takes the functions of a literal, or `NONE`. */
  readonly holds: SymbolRow;
  readonly isMethod: boolean;
  readonly isUnnamed?: boolean;
}

/** Row of the assigned value. A function or class becomes a symbol at the destination, functions in a literal go below it. */
function heldValue(walk: Walk, right: SyntaxNode, to: Destination): ExpressionRow {
  const { node: kinds } = walk.kinds;
  const held = bareValue(walk, right);
  const kind = walk.kind[held] ?? 0;
  if (isFunctionKind(walk, kind)) return heldFunction(walk, held, to);
  if (kind === kinds.class) {
    const symbol = addSymbol(walk, { ...to, kind: 'class', name: nameFor(walk, held, to), body: walk.child(held, walk.kinds.field.body) });
    readClass(walk, held, symbol, ownName(walk, held), walk.reader.start(to.node));
    return walk.row(operatorCode.class, symbol);
  }
  const { holder } = walk;
  if (kind === kinds.object) {
    walk.holder =
      to.isUnnamed === true
        ? undefined
        : { outer: holder, name: to.name, node: to.node, nameNode: to.nameNode, isProperty: true, binding: NONE, symbol: to.holds };
  }
  const value = walk.value(right);
  walk.holder = holder;
  return value;
}

function heldFunction(walk: Walk, node: SyntaxNode, to: Destination): ExpressionRow {
  const { kinds, builder } = walk;
  const isArrow = walk.kind[node] === kinds.node.arrow_function;
  const selfName = isArrow ? undefined : ownName(walk, node);
  const symbol =
    to.holds !== NONE && builder.symbols.function[to.holds] === NONE
      ? to.holds
      : addSymbol(walk, {
          node: to.node,
          nameNode: to.nameNode,
          name: nameFor(walk, node, to),
          kind: to.isMethod ? 'method' : 'function',
          parent: to.parent,
          modifiers: memberModifiers(walk, node),
          body: walk.child(node, kinds.field.body),
        });
  const docAnchor = walk.reader.start(to.node);
  return functionValue(walk, readFunction(walk, { node, symbol, isArrow, docAnchor, ...(selfName === undefined ? {} : { selfName }) }));
}

/** `module.exports = function f() {}` is called `f`; everything else after its destination. */
function nameFor(walk: Walk, node: SyntaxNode, to: Destination): StringIndex {
  return to.isUnnamed === true ? (ownName(walk, node) ?? to.name) : to.name;
}

function assignMember(walk: Walk, node: SyntaxNode, left: SyntaxNode, right: SyntaxNode): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  const object = walk.child(left, field.object);
  const property = walk.child(left, field.property);
  if (object === NO_NODE || property === NO_NODE) return walk.parts(node);
  const name = walk.nameOf(property);
  const path = walk.reader.text(object);
  if (path === 'module' && walk.reader.text(property) === 'exports') return exportWhole(walk, node, property, right);
  if (path === 'exports' || path === 'module.exports') return exportNamed(walk, node, left, property, right);
  if (walk.kind[object] === kinds.this) return assignField(walk, node, property, right);
  const row = memberRow(walk, left);
  const target = operandOf.receiver(walk.builder.expressions, row);
  const destination = memberDestination(walk, node, object, property, name);
  const value = heldValue(walk, right, destination);
  walk.builder.addAssignment({ target, name, value, symbol: symbolOfFunction(walk, value), owner: walk.owner });
  useMember(walk, 'write', row, property);
  return value;
}

/** `A.prototype.m`, `A.prototype = {…}` and `A.m` of a known `A` go into `A`; other members are called by their whole path. */
function memberDestination(walk: Walk, node: SyntaxNode, object: SyntaxNode, property: SyntaxNode, name: StringIndex): Destination {
  const { field, node: kinds } = walk.kinds;
  const base = { node, nameNode: property, holds: NONE };
  let owner = object;
  let isMethod = false;
  if (walk.kind[object] === kinds.member_expression && walk.reader.text(walk.child(object, field.property)) === 'prototype') {
    owner = walk.child(object, field.object);
    isMethod = true;
  }
  const isPrototype = walk.reader.text(property) === 'prototype';
  if (owner !== NO_NODE && walk.kind[owner] === kinds.identifier) {
    const symbol = knownSymbol(walk, walk.nameOf(owner));
    if (symbol !== NONE) return isPrototype ? { ...base, name, parent: symbol, holds: symbol, isMethod } : { ...base, name, parent: symbol, isMethod };
  }
  const path = walk.reader.text(object).replace(/\s+/g, '');
  const isPath = /^[\w$.]+$/.test(path);
  const full = isPath && !path.startsWith('this') ? `${path}.${walk.builder.strings[name] ?? ''}` : (walk.builder.strings[name] ?? '');
  return { ...base, name: walk.builder.intern(full), parent: containerOf(walk), isMethod };
}

/** The type that a doc comment says an export is of is used, whatever the export shows of itself. */
function readComment(walk: Walk, node: SyntaxNode): void {
  if (!walk.isTyped) declaredType(walk, walk.reader.start(walk.reader.parent(node)));
}

/** `exports.name = value` */
function exportNamed(walk: Walk, node: SyntaxNode, left: SyntaxNode, property: SyntaxNode, right: SyntaxNode): ExpressionRow {
  readComment(walk, node);
  const name = walk.nameOf(property);
  const symbol = exportedData(walk, node, property, name, right);
  if (symbol !== NONE) expose(walk, right, symbol);
  const value = heldValue(walk, right, { node, nameNode: property, name, parent: walk.container, holds: symbol, isMethod: false });
  if (isAtTop(walk)) listExport(walk, value);
  walk.builder.addExport({ kind: 'value', exportedName: name, value });
  if (symbol !== NONE) defineData(walk, symbol, operandOf.receiver(walk.builder.expressions, memberRow(walk, left)), name, value);
  return value;
}

function exportWhole(walk: Walk, node: SyntaxNode, property: SyntaxNode, right: SyntaxNode): ExpressionRow {
  readComment(walk, node);
  const name = walk.builder.intern('default');
  if (isAtTop(walk)) expose(walk, right, NONE);
  const value = heldValue(walk, right, { node, nameNode: property, name, parent: walk.container, holds: NONE, isMethod: false, isUnnamed: true });
  if (isAtTop(walk)) listExport(walk, value);
  walk.builder.addExport({ kind: 'whole', value });
  return value;
}

/** `this.x = v` declares a field of the class it is in, unless the class has the name already. */
function assignField(walk: Walk, node: SyntaxNode, property: SyntaxNode, right: SyntaxNode): ExpressionRow {
  const { builder, reader } = walk;
  const name = walk.nameOf(property);
  const target = walk.row(operatorCode.this, walk.thisScope);
  const owner = thisOwner(walk);
  const symbolName = builder.intern(`${pathOfPrototype(walk)}${builder.strings[name] ?? ''}`);
  const known = owner === NONE ? undefined : walk.declared.get(declaredKey(owner, symbolName));
  const isMember = owner !== NONE && walk.memberNames.get(owner)?.has(symbolName) === true;
  let symbol = known ?? NONE;
  if (owner !== NONE && known === undefined && !isMember) {
    const statement = reader.parent(node);
    const anchor = reader.start(statement);
    const isFunction = isFunctionKind(walk, walk.kind[bareValue(walk, right)] ?? 0);
    const kind = isFunction ? 'method' : 'field';
    symbol = addSymbol(walk, { node, nameNode: property, name: symbolName, kind, parent: owner, body: right, docAnchor: anchor });
    if (!walk.isTyped) builder.set('symbols', 'type', symbol, declaredType(walk, anchor));
  }
  const isNew = known === undefined && symbol !== NONE;
  const parent = owner === NONE ? containerOf(walk) : owner;
  const value = heldValue(walk, right, { node, nameNode: property, name: symbolName, parent, holds: symbol, isMethod: true });
  if (isNew) builder.set('symbols', 'value', symbol, value);
  const type = isNew ? (builder.symbols.type[symbol] ?? NONE) : NONE;
  builder.addAssignment({ target, name, value, type, symbol, owner: walk.owner });
  const row = walk.row(operatorCode.member, target, NONE, name);
  useMember(walk, 'write', row, property);
  return value;
}

/** Beginning of the names of methods that are given to the prototype of something unknown (`Request.prototype.url = function …`), inside one of them; else empty. */
function pathOfPrototype(walk: Walk): string {
  const { scopes, functions, symbols, strings } = walk.builder;
  const symbol = functions.symbol[scopes.function[walk.thisScope] ?? NONE] ?? NONE;
  const name = symbol === NONE ? '' : (strings[symbols.name[symbol] ?? NO_TEXT] ?? '');
  const at = name.lastIndexOf(PROTOTYPE);
  return at < 0 ? '' : name.slice(0, at + PROTOTYPE.length);
}

const PROTOTYPE = '.prototype.';

/** Class, or constructor function, whose instance `this` is here; `NONE` when it is not known. */
function thisOwner(walk: Walk): SymbolRow {
  const { scopes, functions, symbols, strings } = walk.builder;
  const scope = walk.thisScope;
  const functionRow = scopes.function[scope] ?? NONE;
  if (functionRow === NONE) return scopes.symbol[scope] ?? NONE;
  const outer = scopes.parent[scope] ?? NONE;
  if (outer !== NONE && walk.memberNames.has(scopes.symbol[outer] ?? NONE) && (scopes.function[outer] ?? NONE) === NONE) return scopes.symbol[outer] ?? NONE;
  const symbol = functions.symbol[functionRow] ?? NONE;
  if (symbol === NONE) return NONE;
  const first = (strings[symbols.name[symbol] ?? NO_TEXT] ?? '').charCodeAt(0);
  const isFunction = symbols.kind[symbol] === symbolKindCode.function;
  if (isFunction && first >= 65 && first <= 90) return symbol;
  const parent = symbols.parent[symbol] ?? NONE;
  return symbols.kind[symbol] === symbolKindCode.method && parent !== NONE ? parent : NONE;
}

export function augmentedAssignment(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { field, node: kinds } = walk.kinds;
  const left = walk.child(node, field.left);
  const right = walk.child(node, field.right);
  if (left === NO_NODE || right === NO_NODE) return walk.parts(node);
  const value = walk.value(right);
  if (walk.kind[left] === kinds.identifier) reassign(walk, left, value);
  else if (walk.kind[left] === kinds.member_expression) {
    const row = memberRow(walk, left);
    const property = walk.child(left, field.property);
    const name = property === NO_NODE ? NO_TEXT : walk.nameOf(property);
    walk.builder.addAssignment({ target: operandOf.receiver(walk.builder.expressions, row), name, value, owner: walk.owner });
    if (property !== NO_NODE) useMember(walk, 'write', row, property);
  } else walk.value(left);
  return value;
}

/** `x++` */
export function update(walk: Walk, node: SyntaxNode): ExpressionRow {
  const argument = walk.child(node, walk.kinds.field.argument);
  if (argument !== NO_NODE) {
    const kind = walk.kind[argument];
    const property = kind === walk.kinds.node.member_expression ? walk.child(argument, walk.kinds.field.property) : NO_NODE;
    if (kind === walk.kinds.node.identifier) reassign(walk, argument, walk.literal('number'));
    else if (property === NO_NODE) walk.value(argument);
    else useMember(walk, 'write', memberRow(walk, argument), property);
  }
  return walk.literal('number');
}
