import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { anonymousType, isConst, memberDeclaration } from './classes';
import { type Declarator, declaratorOf, declaredType, typeDescriptor } from './declarators';
import { declareFunction, functionDeclarator, specifierModifiers, templateAround } from './functions';
import { assignInitializers } from './initializers';
import { nameParts, simpleName } from './names';
import { bindTemplateParameters } from './types';
import type { CppWalk, Place } from './walk';

/** Variables, prototypes and types, at any level. */
export function declaration(walk: CppWalk, node: SyntaxNode): void {
  if (walk.body !== undefined) localDeclaration(walk, node);
  else if (walk.place.kind === 'class') memberDeclaration(walk, node);
  else fileDeclaration(walk, node);
}

function fileDeclaration(walk: CppWalk, node: SyntaxNode): void {
  const typeNode = walk.file.child(node, 'type');
  if (walk.isCpp && /^(?:export|import|module)$/.test(walk.file.text(typeNode))) return;
  const specifiers = specifierModifiers(walk, node);
  let base: ExpressionRow | undefined;
  for (const child of walk.file.childrenOf(node, 'declarator')) {
    const declarator = functionDeclarator(walk, child);
    if (declarator.function !== NO_NODE && !walk.file.is(child, 'init_declarator')) {
      if (nameParts(walk, declarator.name).length === 1) declareFunction(walk, { node, declarator, body: NO_NODE, modifiers: specifiers });
      continue;
    }
    base ??= variableType(walk, typeNode);
    declareVariable(walk, node, child, base, specifiers);
  }
  if (walk.file.child(node, 'declarator') === NO_NODE) walk.type(typeNode);
  walk.takeTemplates();
}

function variableType(walk: CppWalk, node: SyntaxNode): ExpressionRow {
  const isUnnamed = walk.file.is(node, 'struct_specifier', 'union_specifier') && walk.file.child(node, 'name') === NO_NODE;
  return isUnnamed ? anonymousType(walk, node) : walk.type(node);
}

function declareVariable(walk: CppWalk, node: SyntaxNode, child: SyntaxNode, base: ExpressionRow, specifiers: number): void {
  const declarator = declaratorOf(walk, child);
  const type = declaredType(walk, base, declarator);
  const valueNode = walk.file.is(child, 'init_declarator') ? walk.file.child(child, 'value') : NO_NODE;
  if (!walk.file.is(declarator.name, 'identifier', 'type_identifier')) {
    if (valueNode !== NO_NODE) initial(walk, valueNode, type, base, declarator);
    return;
  }
  const isExtern =
    valueNode === NO_NODE && walk.file.children(node).some(each => walk.file.is(each, 'storage_class_specifier') && walk.file.text(each) === 'extern');
  const isHidden = walk.place.isAnonymous || (specifiers & MODIFIERS.static) !== 0;
  const name = walk.file.word(declarator.name);
  const symbol = walk.file.declare({
    node,
    nameNode: declarator.name,
    kind: isConst(walk, node) && !declarator.isPointer ? 'constant' : 'variable',
    parent: walk.place.symbol,
    modifiers: specifiers | (isHidden ? 0 : MODIFIERS.exported) | (isExtern ? MODIFIERS.declared : 0),
    type: NONE,
  });
  const { owner } = walk;
  walk.owner = symbol;
  const value = initial(walk, valueNode, type, base, declarator);
  walk.owner = owner;
  walk.file.builder.set('symbols', 'type', symbol, isCallable(walk, type) && value !== NONE ? NONE : type);
  walk.file.builder.set('symbols', 'value', symbol, value);
  walk.file.builder.addBinding({ scope: walk.place.scope, name, kind: 'symbol', symbol });
}

/** What a pointer to a function holds says more than its type. */
function isCallable(walk: CppWalk, type: ExpressionRow): boolean {
  return type !== NONE && walk.file.builder.expressions.operator[type] === operatorCode.functionType;
}

/** Row of what a variable starts with: `= v`, `(args)`, `{args}`; `NONE` for none. Objects of class type are made. */
function initial(walk: CppWalk, node: SyntaxNode, type: ExpressionRow, base: ExpressionRow, declarator: Declarator): ExpressionRow {
  const isObject = walk.isCpp && base !== NONE && declarator.wrappers.length === 0 && isNamed(walk, base);
  if (node === NO_NODE) return NONE;
  if (walk.file.is(node, 'argument_list')) {
    const args = walk.file.children(node).map(argument => walk.value(argument));
    return isObject ? made(walk, base, args, declarator.name) : NONE;
  }
  const row = walk.value(node);
  if (!walk.file.is(node, 'initializer_list')) return row;
  assignInitializers(walk, node, row, type);
  return isObject && !hasEquals(walk, node)
    ? made(
        walk,
        base,
        walk.file.children(node).map(() => walk.file.unknown()),
        declarator.name,
      )
    : row;
}

/** `T x{…}` makes an object where `T x = {…}` may be an aggregate. */
function hasEquals(walk: CppWalk, node: SyntaxNode): boolean {
  return /=\s*$/.test(walk.file.table.text.slice(Math.max(0, walk.file.reader.start(node) - 8), walk.file.reader.start(node)));
}

/** False for built-in types: they are not made. */
function isNamed(walk: CppWalk, row: ExpressionRow): boolean {
  const { expressions } = walk.file.builder;
  const operator = expressions.operator[row];
  if (operator === operatorCode.generic || operator === operatorCode.member) return true;
  return operator === operatorCode.name && operandOf.scope(expressions, row) !== 0;
}

/** `new` row and use for an object that is a variable. */
function made(walk: CppWalk, type: ExpressionRow, args: readonly ExpressionRow[], nameNode: SyntaxNode): ExpressionRow {
  const { expressions } = walk.file.builder;
  const isGeneric = expressions.operator[type] === operatorCode.generic;
  const plain = isGeneric ? operandOf.inner(expressions, type) : type;
  const row = walk.file.row('new', plain, isGeneric ? type : NONE, NO_TEXT, args);
  walk.file.use('new', row, walk.owner, expressions.text[plain] ?? NO_TEXT, walk.file.reader.start(nameNode));
  return row;
}

function localDeclaration(walk: CppWalk, node: SyntaxNode): void {
  const base = variableType(walk, walk.file.child(node, 'type'));
  const direct = walk.file.child(node, 'value');
  for (const child of walk.file.childrenOf(node, 'declarator')) {
    const declarator = declaratorOf(walk, child);
    if (declarator.function !== NO_NODE) {
      localFunction(walk, declarator, base);
      continue;
    }
    const type = declaredType(walk, base, declarator);
    const valueNode = walk.file.is(child, 'init_declarator') ? walk.file.child(child, 'value') : direct;
    const isObject = valueNode === NO_NODE && walk.isCpp && declarator.wrappers.length === 0 && base !== NONE && isNamed(walk, base);
    const value = isObject ? made(walk, base, [], declarator.name) : initial(walk, valueNode, type, base, declarator);
    bindVariable(walk, declarator.name, type, value);
  }
}

/** `T x(a, b)` may read as a prototype: with names of variables for types it makes an object. */
function localFunction(walk: CppWalk, declarator: Declarator, base: ExpressionRow): void {
  const parameters = walk.file.children(walk.file.child(declarator.function, 'parameters'));
  const isObject =
    parameters.length > 0 &&
    parameters.every(each => walk.file.child(each, 'declarator') === NO_NODE && walk.file.is(walk.file.child(each, 'type'), 'type_identifier'));
  if (!walk.isCpp || !isObject || !isNamed(walk, base) || !walk.file.is(declarator.name, 'identifier')) return;
  const args = parameters.map(each => {
    const name = walk.file.word(each);
    const row = walk.name(name);
    walk.file.readName(row, walk.owner, name, walk.file.reader.start(each), walk.scope);
    return row;
  });
  bindVariable(walk, declarator.name, base, made(walk, base, args, declarator.name));
}

/** Binds a local variable, or the names of a structured binding to the parts of the value. */
export function bindVariable(walk: CppWalk, name: SyntaxNode, type: ExpressionRow, value: ExpressionRow): void {
  if (walk.file.is(name, 'structured_binding_declarator')) {
    walk.file.children(name).forEach((part, at) => {
      const row = walk.file.row('index', value === NONE ? walk.file.unknown() : value, NONE, walk.file.builder.intern(String(at)));
      walk.file.builder.addBinding({ scope: walk.scope, name: walk.file.word(part), kind: 'variable', value: row });
    });
    return;
  }
  if (!walk.file.is(name, 'identifier', 'type_identifier', 'field_identifier')) return;
  const kept = isCallable(walk, type) && value !== NONE ? NONE : type;
  walk.file.builder.addBinding({ scope: walk.scope, name: walk.file.word(name), kind: 'variable', type: kept, value });
}

/** `typedef … name`. A struct without a name takes that of its typedef. */
export function typeDefinition(walk: CppWalk, node: SyntaxNode): void {
  const typeNode = walk.file.child(node, 'type');
  const declarators = walk.file.childrenOf(node, 'declarator').map(child => declaratorOf(walk, child));
  const isType = walk.file.is(typeNode, 'struct_specifier', 'union_specifier', 'class_specifier', 'enum_specifier');
  const own = isType ? walk.file.text(walk.file.child(typeNode, 'name')) : '';
  const hasBody = isType && walk.file.child(typeNode, 'body') !== NO_NODE;
  const namesake = hasBody && own === '' ? declarators.find(each => each.wrappers.length === 0 && each.function === NO_NODE) : undefined;
  const symbol = hasBody ? walk.declareType(typeNode, namesake?.name ?? NO_NODE) : NONE;
  const base = symbol === NONE ? walk.type(typeNode) : walk.file.row('class', symbol);
  for (const declarator of declarators) {
    if (declarator === namesake || declarator.name === NO_NODE) continue;
    if (declarator.wrappers.length === 0 && declarator.function === NO_NODE && walk.file.text(declarator.name) === own) continue;
    const wrappers = declarator.function === NO_NODE ? declarator.wrappers : [...declarator.wrappers, declarator.function];
    declareAlias(walk, node, declarator.name, declaredType(walk, base, { ...declarator, wrappers }), []);
  }
}

/** `using Name = Type`. */
export function aliasDeclaration(walk: CppWalk, node: SyntaxNode): void {
  declareAlias(walk, node, walk.file.child(node, 'name'), NONE, walk.takeTemplates(), walk.file.child(node, 'type'));
}

function declareAlias(
  walk: CppWalk,
  node: SyntaxNode,
  nameNode: SyntaxNode,
  type: ExpressionRow,
  templates: readonly SyntaxNode[],
  typeNode: SyntaxNode = NO_NODE,
): void {
  const { place } = walk,
    { builder } = walk.file;
  const isLocal = walk.body !== undefined;
  const symbol = walk.file.declare({
    node: templateAround(walk, node),
    nameNode,
    name: builder.intern(simpleName(walk, nameNode)),
    kind: 'type',
    parent: isLocal ? walk.owner : place.symbol,
    modifiers: place.kind === 'class' ? walk.access : MODIFIERS.exported,
  });
  const scope = builder.addScope('type', walk.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  bindTemplateParameters(walk, templates, scope);
  const before = { scope: walk.scope, owner: walk.owner };
  walk.scope = scope;
  walk.owner = symbol;
  builder.set('symbols', 'type', symbol, typeNode === NO_NODE ? type : typeDescriptor(walk, typeNode));
  Object.assign(walk, before);
  if (isLocal || place.kind !== 'class')
    builder.addBinding({
      scope: isLocal ? walk.scope : place.scope,
      name: builder.symbols.name[symbol] ?? NO_TEXT,
      kind: 'symbol',
      symbol,
    });
}

/** `template<…>` in front of a declaration. */
export function templateDeclaration(walk: CppWalk, node: SyntaxNode): void {
  const before = walk.templates;
  walk.templates = [...before, walk.file.child(node, 'parameters')];
  for (const child of walk.file.children(node)) if (!walk.file.is(child, 'template_parameter_list')) walk.statement(child);
  walk.templates = before;
}

/** Blocks of one namespace in one file share a symbol and a scope. What is in an inline namespace is in the one around. */
export function namespaceDefinition(walk: CppWalk, node: SyntaxNode): void {
  const before = { place: walk.place, scope: walk.scope, owner: walk.owner };
  const nameNode = walk.file.child(node, 'name');
  if (nameNode === NO_NODE) walk.place = { ...walk.place, scope: walk.place.hidden, isAnonymous: true };
  else {
    const names = walk.file.is(nameNode, 'nested_namespace_specifier') ? leaves(walk, nameNode) : [nameNode];
    const isInline = /^inline\b/.test(walk.file.text(node).slice(0, 10));
    for (const each of names) if (!isInline) walk.place = openNamespace(walk, node, each);
  }
  walk.scope = walk.place.hidden;
  walk.owner = walk.place.symbol;
  walk.run(walk.file.child(node, 'body'));
  Object.assign(walk, before);
}

/** Names in `a::b::c`. */
function leaves(walk: CppWalk, node: SyntaxNode): SyntaxNode[] {
  return walk.file.children(node).flatMap(child => (walk.file.is(child, 'nested_namespace_specifier') ? leaves(walk, child) : [child]));
}

function openNamespace(walk: CppWalk, node: SyntaxNode, nameNode: SyntaxNode): Place {
  const { place } = walk,
    { builder } = walk.file;
  const path = walk.pathOf(walk.file.text(nameNode));
  const key = place.isAnonymous ? `${path} hidden` : path;
  const known = walk.namespaces.get(key);
  if (known !== undefined) return known;
  const symbol = walk.file.declare({
    node,
    nameNode,
    kind: 'namespace',
    parent: place.symbol,
    modifiers: MODIFIERS.exported,
    body: walk.file.child(node, 'body'),
  });
  if (place.isAnonymous) builder.addBinding({ scope: place.scope, name: walk.file.word(nameNode), kind: 'symbol', symbol });
  const scope = builder.addScope(place.isAnonymous ? 'block' : 'namespace', place.hidden, symbol, NONE, builder.intern(path));
  builder.set('symbols', 'scope', symbol, scope);
  const hidden = builder.addScope('block', scope);
  const opened: Place = { kind: 'namespace', symbol, scope, hidden, isAnonymous: place.isAnonymous, path, className: '' };
  walk.namespaces.set(key, opened);
  return opened;
}

/** `using namespace a::b`, `using a::b`: rows of imports, the first without a name. */
export function usingDeclaration(walk: CppWalk, node: SyntaxNode): void {
  const target = walk.file.reader.lastNamedChild(node);
  if (target === NO_NODE || walk.place.kind === 'class') return;
  const { builder } = walk.file;
  const parts = nameParts(walk, target);
  const names = parts.map(part => part.text);
  const scope = walk.body === undefined ? walk.place.hidden : walk.scope;
  if (/^using\s+namespace\b/.test(walk.file.text(node))) {
    const specifier = builder.intern(names.join('::'));
    const row = builder.addImport({ kind: 'star', specifier, at: walk.file.reader.start(node) });
    builder.set(
      'imports',
      'binding',
      row,
      builder.addBinding({ scope, name: builder.intern(`using namespace ${names.join('::')}`), kind: 'import', import: row }),
    );
    return;
  }
  if (names.length < 2) return;
  const name = builder.intern(names.at(-1) ?? '');
  const specifier = builder.intern(names.slice(0, -1).join('::'));
  const at = walk.file.reader.start(parts.at(-1)?.node ?? target);
  const row = builder.addImport({ kind: 'named', specifier, importedName: name, localName: name, at });
  const binding = builder.addBinding({ scope: walk.body === undefined ? walk.place.scope : walk.scope, name, kind: 'import', import: row });
  builder.set('imports', 'binding', row, binding);
}

/** `namespace fs = std::filesystem`. */
export function namespaceAlias(walk: CppWalk, node: SyntaxNode): void {
  const { builder } = walk.file;
  const nameNode = walk.file.child(node, 'name');
  const target = walk.file.children(node).find(child => child !== nameNode);
  if (target === undefined) return;
  const name = walk.file.word(nameNode);
  const row = builder.addImport({
    kind: 'namespace',
    specifier: builder.intern(walk.file.text(target).replace(/\s+/g, '')),
    localName: name,
    at: walk.file.reader.start(node),
  });
  const binding = builder.addBinding({ scope: walk.body === undefined ? walk.place.scope : walk.scope, name, kind: 'import', import: row });
  builder.set('imports', 'binding', row, binding);
}
