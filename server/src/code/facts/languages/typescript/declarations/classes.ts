/** Classes, interfaces and enums with their members. */
import { type ExpressionRow, NONE, operatorCode, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { type ClassDoc, classDoc, declaredType } from '../jsdoc/comments';
import { bareValue, isFunctionKind, memberName } from '../literals';
import { readBlock } from '../statements/blocks';
import { annotation, bindTypeParameters, indexSignature, qualifier, signatureType, visitTypeArguments } from '../types';
import type { Walk } from '../walk';
import { readDecorator, readDecorators } from './decorators';
import { functionValue, memberModifiers, readBodiless, readFunction, readOverloaded } from './functions';
import { addSymbol, hashAsContainer } from './symbols';

/** Reads heritage and members of a class whose symbol is there. `selfName` is bound inside the class; its doc comment ends at `docAnchor`, by default the node's start. */
export function readClass(walk: Walk, node: SyntaxNode, symbol: SymbolRow, selfName: StringIndex | undefined, docAnchor?: number): void {
  const { builder, kinds } = walk;
  const scope = builder.addScope('class', walk.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  walk.within(() => {
    walk.enter(scope);
    walk.enterSymbol(symbol);
    walk.thisScope = scope;
    walk.functionRow = NONE;
    walk.returns = [];
    if (selfName !== undefined) builder.addBinding({ scope, name: selfName, kind: 'symbol', symbol });
    bindTypeParameters(walk, node);
    readDecorators(walk, node, symbol);
    const heritage = walk.reader.childByKind(node, kinds.node.class_heritage);
    const doc = walk.isTyped ? undefined : classDoc(walk, docAnchor ?? walk.reader.start(node));
    if (heritage !== NO_NODE) readHeritage(walk, heritage, symbol, doc);
    for (const { type, at } of doc?.implements ?? []) builder.addHeritage(symbol, 'implements', type, at);
    const body = walk.child(node, kinds.field.body);
    if (body !== NO_NODE) readMembers(walk, body, symbol);
  });
  hashAsContainer(walk, symbol);
}

function readHeritage(walk: Walk, node: SyntaxNode, symbol: SymbolRow, doc: ClassDoc | undefined): void {
  const { reader, kinds } = walk;
  for (const clause of reader.namedChildren(node)) {
    const kind = walk.kind[clause] ?? 0;
    if (kind === kinds.node.implements_clause && kind !== 0) {
      for (const type of reader.namedChildren(clause)) walk.builder.addHeritage(symbol, 'implements', walk.type(type), lastNameStart(walk, type));
    } else if (kind === kinds.node.extends_clause && kind !== 0) {
      const value = walk.child(clause, kinds.field.value);
      if (value !== NO_NODE) extendsValue(walk, value, symbol, visitTypeArguments(walk, clause));
    } else if (kind !== kinds.node.comment) extendsValue(walk, clause, symbol, doc?.typeArguments ?? []);
  }
}

function extendsValue(walk: Walk, value: SyntaxNode, symbol: SymbolRow, typeArguments: readonly ExpressionRow[]): void {
  const { node: kinds } = walk.kinds;
  const isNamed = walk.kind[value] === kinds.identifier || walk.kind[value] === kinds.member_expression;
  const base = isNamed ? qualifier(walk, value) : walk.value(value);
  const row = typeArguments.length === 0 ? base : walk.list(operatorCode.generic, typeArguments, base);
  walk.builder.addHeritage(symbol, 'extends', row, lastNameStart(walk, value));
}

/** Where the last name of `a.b.C<T>` starts. */
function lastNameStart(walk: Walk, node: SyntaxNode): number {
  const { reader, kinds } = walk;
  let at = node;
  for (;;) {
    const kind = walk.kind[at] ?? 0;
    let inner = NO_NODE;
    if (kind === kinds.node.generic_type && kind !== 0) inner = walk.child(at, kinds.field.name);
    else if (kind === kinds.node.member_expression || (kind !== 0 && (kind === kinds.node.nested_type_identifier || kind === kinds.node.nested_identifier))) {
      inner = reader.lastNamedChild(at);
    } else if (kind === kinds.node.call_expression) inner = walk.child(at, kinds.field.function);
    if (inner === NO_NODE) return reader.start(at);
    at = inner;
  }
}

/** Members declared so far by name, to join overloads and accessor pairs. */
type Members = Map<string, SymbolRow>;

function readMembers(walk: Walk, body: SyntaxNode, symbol: SymbolRow): void {
  const { reader } = walk;
  const { node: kinds } = walk.kinds;
  const members: Members = new Map();
  const children = reader.namedChildren(body);
  walk.memberNames.set(symbol, namesOf(walk, children));
  let decorators: SyntaxNode[] = [];
  children.forEach((child, index) => {
    const kind = walk.kind[child] ?? 0;
    if (kind === kinds.comment) return;
    if (kind === kinds.decorator) {
      decorators.push(child);
      return;
    }
    const anchor = decorators[0] === undefined ? reader.start(child) : reader.start(decorators[0]);
    let member: SymbolRow = NONE;
    if (kind === kinds.method_definition) member = readMethod(walk, child, symbol, anchor, members);
    else if (kind !== 0 && (kind === kinds.public_field_definition || kind === kinds.field_definition)) member = readField(walk, child, anchor);
    else if (kind !== 0 && (kind === kinds.method_signature || kind === kinds.abstract_method_signature)) {
      if (kind === kinds.abstract_method_signature || !isImplemented(walk, child, children.slice(index + 1)))
        member = readMethodSignature(walk, child, anchor, members);
      else walk.overloads.push(child);
    } else if (kind === kinds.class_static_block) readStaticBlock(walk, child);
    else if (kind === kinds.index_signature && kind !== 0) indexSignature(walk, child);
    else walk.part(child);
    if (member !== NONE) {
      for (const decorator of decorators) readDecorator(walk, decorator, member);
      readDecorators(walk, child, member);
    }
    decorators = [];
  });
}

/** Names of all members, known before any body is read, so that `this.m = …` is not taken for a new field. */
function namesOf(walk: Walk, members: readonly SyntaxNode[]): ReadonlySet<StringIndex> {
  const { field } = walk.kinds;
  const names = new Set<StringIndex>();
  for (const member of members) {
    const named = walk.child(member, field.name);
    const node = named === NO_NODE ? walk.child(member, field.property) : named;
    if (node !== NO_NODE) names.add(walk.nameOf(node));
  }
  return names;
}

/** A signature whose next sibling declares the same name: the implementation, or the last signature, stands for all. */
export function isOverload(walk: Walk, node: SyntaxNode, following: SyntaxNode | undefined): boolean {
  if (following === undefined) return false;
  const { node: kinds, field } = walk.kinds;
  const kind = walk.kind[following];
  if (kind !== kinds.method_definition && kind !== kinds.function_declaration && kind !== kinds.generator_function_declaration) return false;
  const name = walk.child(node, field.name);
  const next = walk.child(following, field.name);
  return name !== NO_NODE && next !== NO_NODE && walk.reader.text(name) === walk.reader.text(next);
}

/** Whether the signatures of this name that follow end in an implementation. */
function isImplemented(walk: Walk, node: SyntaxNode, following: readonly SyntaxNode[]): boolean {
  const { node: kinds, field } = walk.kinds;
  const name = walk.reader.text(walk.child(node, field.name));
  for (const member of following) {
    if (walk.kind[member] === kinds.comment || walk.kind[member] === kinds.decorator) continue;
    if (isOverload(walk, node, member)) return true;
    if (walk.kind[member] !== kinds.method_signature || walk.reader.text(walk.child(member, field.name)) !== name) return false;
  }
  return false;
}

function keyOf(name: StringIndex, modifiers: number): string {
  return `${modifiers & MODIFIERS.static}:${name}`;
}

function readMethod(walk: Walk, node: SyntaxNode, classSymbol: SymbolRow, anchor: number, members: Members): SymbolRow {
  const { builder, kinds } = walk;
  const nameNode = walk.child(node, kinds.field.name);
  const name = memberName(walk, nameNode);
  const modifiers = memberModifiers(walk, node);
  if (name === 0) {
    readFunction(walk, { node, symbol: NONE });
    return NONE;
  }
  const isConstructor = builder.strings[name] === 'constructor' && (modifiers & MODIFIERS.static) === 0;
  const isAccessor = (modifiers & MODIFIERS.property) !== 0;
  const known = members.get(keyOf(name, modifiers));
  let symbol = isAccessor && known !== undefined ? known : NONE;
  if (symbol === NONE) {
    const kind: SymbolKind = isConstructor ? 'constructor' : 'method';
    symbol = addSymbol(walk, { node, nameNode, name, kind, modifiers, body: walk.child(node, kinds.field.body), docAnchor: anchor });
    members.set(keyOf(name, modifiers), symbol);
  } else builder.set('symbols', 'modifiers', symbol, (builder.symbols.modifiers[symbol] ?? 0) | modifiers);
  readOverloaded(walk, { node, symbol, docAnchor: anchor, ...(isConstructor ? { constructorOf: classSymbol } : {}) });
  return symbol;
}

function readMethodSignature(walk: Walk, node: SyntaxNode, anchor: number, members: Members): SymbolRow {
  const { kinds } = walk;
  const nameNode = walk.child(node, kinds.field.name);
  const name = memberName(walk, nameNode);
  const modifiers = memberModifiers(walk, node) | (walk.kind[node] === kinds.node.abstract_method_signature ? MODIFIERS.abstract : 0);
  const known = members.get(keyOf(name, modifiers));
  const isConstructor = walk.builder.strings[name] === 'constructor';
  const symbol = known ?? addSymbol(walk, { node, nameNode, name, kind: isConstructor ? 'constructor' : 'method', modifiers, docAnchor: anchor });
  members.set(keyOf(name, modifiers), symbol);
  readBodiless(walk, node, symbol);
  return symbol;
}

function readField(walk: Walk, node: SyntaxNode, anchor: number): SymbolRow {
  const { builder, kinds } = walk;
  const named = walk.child(node, kinds.field.name);
  const nameNode = named === NO_NODE ? walk.child(node, kinds.field.property) : named;
  const name = memberName(walk, nameNode);
  const valueNode = walk.child(node, kinds.field.value);
  if (name === 0) {
    walk.parts(node);
    return NONE;
  }
  const held = bareValue(walk, valueNode);
  const holdsFunction = held !== NO_NODE && isFunctionKind(walk, walk.kind[held] ?? 0);
  let modifiers = memberModifiers(walk, node);
  if (holdsFunction) modifiers |= memberModifiers(walk, held) & (MODIFIERS.async | MODIFIERS.generator);
  const symbol = addSymbol(walk, {
    node,
    nameNode,
    name,
    kind: holdsFunction ? 'method' : 'field',
    modifiers,
    body: holdsFunction ? walk.child(held, kinds.field.body) : NO_NODE,
    docAnchor: anchor,
  });
  let type = memberType(walk, node, symbol);
  if (type === NONE && !walk.isTyped) type = declaredType(walk, anchor);
  builder.set('symbols', 'type', symbol, type);
  if (holdsFunction) {
    const isArrow = walk.kind[held] === kinds.node.arrow_function;
    builder.set('symbols', 'value', symbol, functionValue(walk, readFunction(walk, { node: held, symbol, isArrow, docAnchor: anchor })));
  } else if (valueNode !== NO_NODE) {
    const isLiteral = held !== NO_NODE && walk.kind[held] === kinds.node.object;
    walk.holder = isLiteral ? { outer: undefined, name, node, nameNode, isProperty: true, binding: NONE, symbol } : undefined;
    builder.set('symbols', 'value', symbol, walk.value(valueNode));
    walk.holder = undefined;
  }
  return symbol;
}

function readStaticBlock(walk: Walk, node: SyntaxNode): void {
  const body = walk.child(node, walk.kinds.field.body);
  if (body === NO_NODE) return;
  walk.inScope('block', () =>
    walk.within(() => {
      walk.hoisting = walk.scope;
      readBlock(walk, body);
    }),
  );
}

/** `interface I<T> extends A, B { … }` */
export function readInterface(walk: Walk, node: SyntaxNode, symbol: SymbolRow): void {
  const { builder, kinds, reader } = walk;
  const scope = builder.addScope('type', walk.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  walk.within(() => {
    walk.enter(scope);
    walk.enterSymbol(symbol);
    walk.thisScope = scope;
    bindTypeParameters(walk, node);
    const heritage = reader.childByKind(node, kinds.node.extends_type_clause);
    if (heritage !== NO_NODE) {
      for (const type of reader.namedChildren(heritage)) builder.addHeritage(symbol, 'extends', walk.type(type), lastNameStart(walk, type));
    }
    const body = walk.child(node, kinds.field.body);
    const signatures = body === NO_NODE ? [] : readInterfaceMembers(walk, body);
    if (signatures.length > 0) builder.set('symbols', 'type', symbol, walk.either(signatures));
  });
  hashAsContainer(walk, symbol);
}

/** Rows of the call and construct signatures. */
function readInterfaceMembers(walk: Walk, body: SyntaxNode): ExpressionRow[] {
  const { builder, kinds, reader } = walk;
  const members: Members = new Map();
  const signatures: ExpressionRow[] = [];
  for (const child of reader.namedChildren(body)) {
    const kind = walk.kind[child];
    if (kind === kinds.node.property_signature) {
      const nameNode = walk.child(child, kinds.field.name);
      const name = memberName(walk, nameNode);
      const symbol = addSymbol(walk, { node: child, nameNode, name, kind: 'property', modifiers: memberModifiers(walk, child) });
      builder.set('symbols', 'type', symbol, memberType(walk, child, symbol));
    } else if (kind === kinds.node.method_signature) readMethodSignature(walk, child, reader.start(child), members);
    else if (kind === kinds.node.index_signature) indexSignature(walk, child);
    else if (kind !== kinds.node.comment) signatures.push(signatureType(walk, child));
  }
  return signatures;
}

export function readEnum(walk: Walk, node: SyntaxNode, symbol: SymbolRow): void {
  const { builder, kinds, reader } = walk;
  const scope = builder.addScope('object', walk.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  const body = walk.child(node, kinds.field.body);
  if (body === NO_NODE) return;
  walk.within(() => {
    walk.enter(scope);
    walk.container = symbol;
    walk.holder = undefined;
    for (const member of reader.namedChildren(body)) {
      if (walk.kind[member] === kinds.node.comment) continue;
      const isAssigned = walk.kind[member] === kinds.node.enum_assignment;
      const nameNode = isAssigned ? walk.child(member, kinds.field.name) : member;
      const name = memberName(walk, nameNode);
      const row = addSymbol(walk, { node: member, nameNode, name, kind: 'enum_member', modifiers: MODIFIERS.readonly });
      builder.addBinding({ scope, name, kind: 'symbol', symbol: row });
      const value = isAssigned ? walk.child(member, kinds.field.value) : NO_NODE;
      if (value !== NO_NODE) builder.set('symbols', 'value', row, walk.value(value));
    }
  });
  hashAsContainer(walk, symbol);
}

/** Declared type of a field or property; methods of an object type written there are its members. */
function memberType(walk: Walk, node: SyntaxNode, symbol: SymbolRow): ExpressionRow {
  const outer = walk.typeHolder;
  walk.typeHolder = symbol;
  const type = annotation(walk, node, walk.kinds.field.type);
  walk.typeHolder = outer;
  return type;
}
