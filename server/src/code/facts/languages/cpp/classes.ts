import { type ExpressionRow, NO_TEXT, NONE, type SomeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { declaratorOf, declaredType } from './declarators';
import { declareFunction, functionDeclarator, specifierModifiers, templateAround } from './functions';
import { nameParts, simpleName } from './names';
import { bindTemplateParameters, namedType } from './types';
import type { CppWalk, Place } from './walk';

/** Symbol of a type with a body; `NONE` for mentions, forward declarations and types without any name. */
export function declareType(walk: CppWalk, node: SyntaxNode, nameNode: SyntaxNode): SymbolRow {
  const body = walk.file.child(node, 'body');
  if (body === NO_NODE) return NONE;
  const own = walk.file.child(node, 'name');
  const named = own === NO_NODE ? nameNode : own;
  if (walk.file.is(node, 'enum_specifier')) return declareEnum(walk, node, body, named);
  return named === NO_NODE ? NONE : declareClass(walk, node, body, named);
}

function declareClass(walk: CppWalk, node: SyntaxNode, body: SyntaxNode, nameNode: SyntaxNode): SymbolRow {
  const { place } = walk,
    { builder } = walk.file;
  const templates = walk.takeTemplates();
  const parts = nameParts(walk, nameNode);
  const name = parts.at(-1)?.text ?? '';
  const container = parts
    .slice(0, -1)
    .map(part => part.text)
    .filter(text => text !== '')
    .join('::');
  const isLocal = walk.body !== undefined;
  const kind: SymbolKind = walk.file.is(node, 'class_specifier') ? 'class' : 'struct';
  const symbol = walk.file.declare({
    node: templateAround(walk, node),
    nameNode: parts.at(-1)?.node ?? nameNode,
    name: builder.intern(name),
    kind,
    parent: isLocal ? walk.owner : place.symbol,
    container: container === '' ? NO_TEXT : builder.intern(container),
    modifiers: visibility(walk),
    body,
  });
  if (isLocal || (place.kind !== 'class' && !walk.file.is(nameNode, 'template_type'))) bind(walk, builder.intern(name), symbol);
  const before = { scope: walk.scope, owner: walk.owner, body: walk.body, place: walk.place, access: walk.access };
  const scope = builder.addScope('class', walk.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  const path = walk.pathOf(container === '' ? name : `${container}::${name}`);
  walk.types.set(path, symbol);
  walk.scope = scope;
  walk.owner = symbol;
  walk.body = undefined;
  walk.place = { kind: 'class', symbol, scope, hidden: scope, isAnonymous: place.isAnonymous || isLocal, path, className: name };
  walk.access = kind === 'class' ? MODIFIERS.private : MODIFIERS.exported;
  bindTemplateParameters(walk, templates, scope);
  addBases(walk, symbol, walk.file.childOf(node, 'base_class_clause'));
  walk.run(body);
  Object.assign(walk, before);
  walk.file.hashContainer(symbol, node, body);
  return symbol;
}

function addBases(walk: CppWalk, symbol: SymbolRow, clause: SyntaxNode): void {
  for (const base of walk.file.children(clause)) {
    if (!walk.file.is(base, 'type_identifier', 'qualified_identifier', 'template_type', 'dependent_type')) continue;
    const row = walk.file.is(base, 'dependent_type') ? walk.type(base) : namedType(walk, base, false);
    walk.file.builder.addHeritage(symbol, 'extends', row, walk.file.reader.start(nameParts(walk, base).at(-1)?.node ?? base));
  }
}

function visibility(walk: CppWalk): number {
  if (walk.body !== undefined || walk.place.isAnonymous) return 0;
  return walk.place.kind === 'class' ? walk.access : MODIFIERS.exported;
}

/** Binds a symbol where it is declared: not in classes, whose members are found as such. */
function bind(walk: CppWalk, name: StringIndex, symbol: SymbolRow): void {
  const scope = walk.body === undefined ? walk.place.scope : walk.scope;
  walk.file.builder.addBinding({ scope, name, kind: 'symbol', symbol });
}

/** Enumerators of unscoped enumerations are bound around them too; those without a name are constants on their own. */
function declareEnum(walk: CppWalk, node: SyntaxNode, body: SyntaxNode, nameNode: SyntaxNode): SymbolRow {
  const isLocal = walk.body !== undefined;
  const outer = isLocal ? walk.owner : walk.place.symbol;
  const isScoped = /^enum\s+(?:class|struct)\b/.test(walk.file.text(node).slice(0, 40));
  walk.type(walk.file.child(node, 'base'));
  let symbol: SymbolRow = NONE;
  if (nameNode !== NO_NODE) {
    const name = walk.file.builder.intern(simpleName(walk, nameParts(walk, nameNode).at(-1)?.node ?? nameNode));
    symbol = walk.file.declare({ node, nameNode, name, kind: 'enum', parent: outer, modifiers: visibility(walk), body });
    const scope = walk.file.builder.addScope('class', walk.scope, symbol);
    walk.file.builder.set('symbols', 'scope', symbol, scope);
    if (isLocal || walk.place.kind !== 'class') bind(walk, name, symbol);
  }
  enumerators(walk, body, { symbol, outer, isBound: !isScoped });
  if (symbol !== NONE) walk.file.hashContainer(symbol, node, body);
  return symbol;
}

interface Enumeration {
  readonly symbol: SymbolRow;
  readonly outer: SymbolRow;
  readonly isBound: boolean;
}

function enumerators(walk: CppWalk, list: SyntaxNode, enumeration: Enumeration): void {
  const { symbol, outer, isBound } = enumeration;
  for (const child of walk.file.children(list)) {
    if (!walk.file.is(child, 'enumerator')) {
      if (walk.file.is(child, 'preproc_if', 'preproc_ifdef', 'preproc_else', 'preproc_elif', 'preproc_elifdef')) enumerators(walk, child, enumeration);
      continue;
    }
    const nameNode = walk.file.child(child, 'name');
    const valueNode = walk.file.child(child, 'value');
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode);
    const name = walk.file.word(nameNode);
    const kind = symbol === NONE ? 'constant' : 'enum_member';
    const type = symbol === NONE ? walk.primitive('int') : walk.file.row('class', symbol);
    const member = walk.file.declare({
      node: child,
      nameNode,
      kind,
      parent: symbol === NONE ? outer : symbol,
      modifiers: visibility(walk) | MODIFIERS.static,
      type,
      value,
    });
    if (isBound) walk.file.builder.addBinding({ scope: walk.body === undefined ? walk.place.scope : walk.scope, name, kind: 'symbol', symbol: member });
  }
}

/** Members declared in a class body: fields, prototypes, nested types. */
export function memberDeclaration(walk: CppWalk, node: SyntaxNode): void {
  const typeNode = walk.file.child(node, 'type');
  const declarators = walk.file.childrenOf(node, 'declarator');
  if (declarators.length === 0) {
    nestedType(walk, typeNode);
    return;
  }
  const specifiers = specifierModifiers(walk, node);
  let base: ExpressionRow | undefined;
  for (const child of declarators) {
    const declarator = functionDeclarator(walk, child);
    if (declarator.function !== NO_NODE) {
      const isPure = /=\s*0\s*;?$/.test(walk.file.text(node).slice(-12));
      declareFunction(walk, { node, declarator, body: NO_NODE, modifiers: specifiers | (isPure ? MODIFIERS.abstract : 0) });
      continue;
    }
    base ??= typeNode === NO_NODE ? NONE : memberType(walk, typeNode);
    const plain = declaratorOf(walk, child);
    if (!walk.file.is(plain.name, 'field_identifier', 'identifier', 'type_identifier')) continue;
    const isConstant = (specifiers & MODIFIERS.static) !== 0 && isConst(walk, node);
    const symbol = walk.file.declare({
      node,
      nameNode: plain.name,
      kind: isConstant ? 'constant' : 'field',
      parent: walk.place.symbol,
      modifiers: walk.access | specifiers,
      type: declaredType(walk, base, plain),
    });
    const value = initialValue(walk, child);
    if (value !== NO_NODE) inOwner(walk, symbol, () => walk.file.builder.set('symbols', 'value', symbol, walk.value(value)));
  }
}

function inOwner(walk: CppWalk, symbol: SymbolRow, visit: () => void): void {
  const { owner } = walk;
  walk.owner = symbol;
  visit();
  walk.owner = owner;
}

/** What stands behind the `=` of a member, the next sibling that is an initial value. */
function initialValue(walk: CppWalk, declarator: SyntaxNode): SyntaxNode {
  const inside = walk.file.is(declarator, 'init_declarator') ? walk.file.child(declarator, 'value') : NO_NODE;
  if (inside !== NO_NODE) return inside;
  for (let next = walk.file.reader.nextSibling(declarator); next !== NO_NODE; next = walk.file.reader.nextSibling(next)) {
    const field = walk.file.reader.field(next);
    if (field === walk.file.grammar.field.default_value) return next;
    if (field === walk.file.grammar.field.declarator) return NO_NODE;
  }
  return NO_NODE;
}

/** `const` or `constexpr` among the specifiers. */
export function isConst(walk: CppWalk, node: SyntaxNode): boolean {
  return walk.file.children(node).some(child => walk.file.is(child, 'type_qualifier') && /^const(?:expr|init)?$/.test(walk.file.text(child)));
}

/** Type of a field; a struct or union without a name is spelled out. */
function memberType(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  if (!walk.file.is(node, 'struct_specifier', 'union_specifier', 'class_specifier') || walk.file.child(node, 'name') !== NO_NODE) return walk.type(node);
  return anonymousType(walk, node);
}

/** A struct without a name as an object type, which has no symbol. */
export function anonymousType(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const list: SomeRow[] = [];
  for (const field of walk.file.children(walk.file.child(node, 'body'))) {
    if (!walk.file.is(field, 'field_declaration')) continue;
    const base = memberType(walk, walk.file.child(field, 'type'));
    for (const child of walk.file.childrenOf(field, 'declarator')) {
      const declarator = declaratorOf(walk, child);
      if (declarator.name !== NO_NODE) list.push(walk.file.word(declarator.name), declaredType(walk, base, declarator));
    }
  }
  return walk.file.row('objectType', NONE, NONE, NO_TEXT, list);
}

/** `struct { … };` and `union { … };` give their members to the class around. */
function nestedType(walk: CppWalk, node: SyntaxNode): void {
  const isUnnamed = walk.file.is(node, 'struct_specifier', 'union_specifier') && walk.file.child(node, 'name') === NO_NODE;
  if (isUnnamed) walk.run(walk.file.child(node, 'body'));
  else if (walk.file.child(node, 'body') !== NO_NODE) walk.declareType(node);
}

const ACCESS: Readonly<Record<string, number>> = { public: MODIFIERS.exported, protected: MODIFIERS.protected, private: MODIFIERS.private };

export function accessSpecifier(walk: CppWalk, node: SyntaxNode): void {
  walk.access = ACCESS[walk.file.text(node).replace(/\s*:$/, '')] ?? walk.access;
}

/** Functions defined in a friend declaration belong to the namespace around the class. */
export function friendDeclaration(walk: CppWalk, node: SyntaxNode): void {
  for (const child of walk.file.children(node)) {
    if (walk.file.is(child, 'type_identifier', 'qualified_identifier', 'template_type')) namedType(walk, child);
    else if (walk.file.is(child, 'function_definition')) {
      const { place } = walk;
      walk.place = surrounding(walk, place);
      walk.statement(child);
      walk.place = place;
    } else if (walk.file.is(child, 'declaration')) walk.type(walk.file.child(child, 'type'));
  }
  walk.takeTemplates();
}

/** Nearest place around a class that is none. */
function surrounding(walk: CppWalk, place: Place): Place {
  let path = place.path;
  while (path !== '') {
    path = path.includes('::') ? path.slice(0, path.lastIndexOf('::')) : '';
    const found = walk.namespaces.get(path);
    if (found !== undefined) return found;
  }
  return walk.namespaces.get('') ?? place;
}
