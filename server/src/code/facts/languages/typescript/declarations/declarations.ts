/** Declarations: functions, classes, interfaces, aliases, enums, namespaces. */
import { GLOBAL_NAMES, NONE, operatorCode, type StringIndex, type SymbolRow, symbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { KindName } from '../kinds';
import { stringText } from '../literals';
import { referToAugmented } from '../modules/augmentation';
import { readBlock } from '../statements/blocks';
import { bindTypeParameters, qualifier } from '../types';
import type { StatementHandler, Walk } from '../walk';
import { isOverload, readClass, readEnum, readInterface } from './classes';
import { functionValue, memberModifiers, readBodiless, readOverloaded } from './functions';
import { addSymbol, bindSymbol, hashAsContainer } from './symbols';
import { variableDeclaration } from './variables';

export const DECLARATIONS: readonly (readonly [StatementHandler, ...KindName[]])[] = [
  [variableDeclaration, 'lexical_declaration', 'variable_declaration', 'using_declaration'],
  [functionDeclaration, 'function_declaration', 'generator_function_declaration'],
  [functionSignature, 'function_signature'],
  [classDeclaration, 'class_declaration', 'abstract_class_declaration'],
  [interfaceDeclaration, 'interface_declaration'],
  [typeAlias, 'type_alias_declaration'],
  [enumDeclaration, 'enum_declaration'],
  [namespaceDeclaration, 'internal_module', 'module'],
  [ambient, 'ambient_declaration'],
  [importAlias, 'import_alias'],
];

/** Adds the symbol of a declaration that has its name in field `name`; an unnamed default export is called `default`. */
function declare(walk: Walk, node: SyntaxNode, kind: SymbolKind, modifiers = 0): { readonly symbol: SymbolRow; readonly name: StringIndex } {
  const { kinds, reader } = walk;
  const nameNode = walk.child(node, kinds.field.name);
  const name = nameNode === NO_NODE ? walk.builder.intern('default') : walk.nameOf(nameNode);
  const anchor = walk.docAnchor >= 0 ? walk.docAnchor : reader.start(node);
  walk.docAnchor = -1;
  const symbol = addSymbol(walk, {
    node,
    nameNode,
    name,
    kind,
    modifiers: walk.pendingModifiers | modifiers,
    body: walk.child(node, kinds.field.body),
    docAnchor: anchor,
  });
  return { symbol, name };
}

export function functionDeclaration(walk: Walk, node: SyntaxNode): void {
  const anchor = walk.docAnchor >= 0 ? walk.docAnchor : walk.reader.start(node);
  const { symbol, name } = declare(walk, node, 'function', memberModifiers(walk, node));
  const binding = bindSymbol(walk, symbol, name);
  const value = functionValue(walk, readOverloaded(walk, { node, symbol, docAnchor: anchor }));
  walk.builder.set('bindings', 'value', binding, value);
}

/** Overload signatures are one symbol: the implementation, else the first signature. */
function functionSignature(walk: Walk, node: SyntaxNode): void {
  const { reader, kinds, builder } = walk;
  if (node < walk.implementation) {
    walk.overloads.push(node);
    return;
  }
  const statement = walk.kind[reader.parent(node)] === kinds.node.export_statement ? reader.parent(node) : node;
  let following = reader.nextNamedSibling(statement);
  while (following !== NO_NODE && walk.kind[following] === kinds.node.comment) following = reader.nextNamedSibling(following);
  if (following !== NO_NODE && walk.kind[following] === kinds.node.export_statement) following = walk.child(following, kinds.field.declaration);
  if (following !== NO_NODE && isOverload(walk, node, following)) {
    walk.overloads.push(node);
    return;
  }
  const nameNode = walk.child(node, kinds.field.name);
  const name = nameNode === NO_NODE ? NONE : walk.nameOf(nameNode);
  const previous = symbolRow(builder.symbols.count - 1);
  const repeats = previous >= 0 && builder.symbols.name[previous] === name && builder.symbols.parent[previous] === walk.container;
  if (following !== NO_NODE && isLaterOverload(walk, node, following) && !repeats) {
    // The implementation comes later in the list: it will stand for this one.
    if (implementationFollows(walk, node, following)) {
      walk.overloads.push(node);
      return;
    }
  }
  if (repeats) {
    readBodiless(walk, node, previous);
    return;
  }
  const declared = declare(walk, node, 'function', memberModifiers(walk, node));
  const row = readBodiless(walk, node, declared.symbol);
  bindSymbol(walk, declared.symbol, declared.name, functionValue(walk, row));
}

function isLaterOverload(walk: Walk, node: SyntaxNode, following: SyntaxNode): boolean {
  if (walk.kind[following] !== walk.kinds.node.function_signature) return false;
  const name = walk.child(node, walk.kinds.field.name);
  const next = walk.child(following, walk.kinds.field.name);
  return name !== NO_NODE && next !== NO_NODE && walk.reader.text(name) === walk.reader.text(next);
}

function implementationFollows(walk: Walk, node: SyntaxNode, following: SyntaxNode): boolean {
  const { reader, kinds } = walk;
  for (let next = following; next !== NO_NODE; ) {
    if (isOverload(walk, node, next)) {
      walk.implementation = next;
      return true;
    }
    if (!isLaterOverload(walk, node, next)) return false;
    const statement = walk.kind[reader.parent(next)] === kinds.node.export_statement ? reader.parent(next) : next;
    next = reader.nextNamedSibling(statement);
    while (next !== NO_NODE && walk.kind[next] === kinds.node.comment) next = reader.nextNamedSibling(next);
    if (next !== NO_NODE && walk.kind[next] === kinds.node.export_statement) next = walk.child(next, kinds.field.declaration);
  }
  return false;
}

export function classDeclaration(walk: Walk, node: SyntaxNode): void {
  const anchor = walk.docAnchor >= 0 ? walk.docAnchor : walk.reader.start(node);
  const isAbstract = walk.kind[node] === walk.kinds.node.abstract_class_declaration;
  const { symbol, name } = declare(walk, node, 'class', isAbstract ? MODIFIERS.abstract : 0);
  bindSymbol(walk, symbol, name, walk.row(operatorCode.class, symbol));
  readClass(walk, node, symbol, undefined, anchor);
}

function interfaceDeclaration(walk: Walk, node: SyntaxNode): void {
  const { symbol, name } = declare(walk, node, 'interface');
  bindSymbol(walk, symbol, name);
  readInterface(walk, node, symbol);
}

function typeAlias(walk: Walk, node: SyntaxNode): void {
  const { builder, kinds } = walk;
  const { symbol, name } = declare(walk, node, 'type');
  bindSymbol(walk, symbol, name);
  const scope = builder.addScope('type', walk.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  walk.within(() => {
    walk.scope = scope;
    walk.owner = symbol;
    walk.exporting = false;
    walk.pendingModifiers = 0;
    walk.typeHolder = symbol;
    bindTypeParameters(walk, node);
    const value = walk.child(node, kinds.field.value);
    if (value !== NO_NODE) builder.set('symbols', 'type', symbol, walk.type(value));
  });
}

function enumDeclaration(walk: Walk, node: SyntaxNode): void {
  const { symbol, name } = declare(walk, node, 'enum');
  bindSymbol(walk, symbol, name);
  readEnum(walk, node, symbol);
}

/** `namespace A.B { … }`, `module 'x' { … }`. */
function namespaceDeclaration(walk: Walk, node: SyntaxNode): void {
  const { builder, kinds, reader } = walk;
  const nameNode = walk.child(node, kinds.field.name);
  const body = walk.child(node, kinds.field.body);
  if (nameNode === NO_NODE) return;
  const isModule = walk.kind[nameNode] === kinds.node.string;
  const name = isModule ? stringText(walk, nameNode) : builder.intern(reader.text(nameNode).replace(/\s+/g, ''));
  const anchor = walk.docAnchor >= 0 ? walk.docAnchor : reader.start(node);
  walk.docAnchor = -1;
  const symbol = addSymbol(walk, { node, nameNode, name, kind: isModule ? 'module' : 'namespace', modifiers: walk.pendingModifiers, body, docAnchor: anchor });
  if (!isModule) bindSymbol(walk, symbol, name);
  const scope = builder.addScope('namespace', walk.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  if (body === NO_NODE) return;
  walk.within(() => {
    walk.scope = scope;
    walk.declaring = scope;
    walk.hoisting = scope;
    walk.owner = symbol;
    walk.container = symbol;
    walk.exporting = false;
    walk.pendingModifiers = 0;
    walk.isTopLevel = true;
    readBlock(walk, body);
  });
  if (isModule) referToAugmented(walk, { specifier: name, at: reader.start(nameNode) + 1, body, symbol });
  hashAsContainer(walk, symbol);
}

/** `declare …` */
function ambient(walk: Walk, node: SyntaxNode): void {
  const { pendingModifiers } = walk;
  if (walk.docAnchor < 0) walk.docAnchor = walk.reader.start(node);
  for (const child of walk.reader.namedChildren(node)) {
    walk.pendingModifiers = pendingModifiers | MODIFIERS.declared;
    if (walk.kind[child] === walk.kinds.node.statement_block) declareGlobals(walk, child);
    else walk.statement(child);
  }
  walk.docAnchor = -1;
  walk.pendingModifiers = pendingModifiers;
}

/** `declare global { … }`: a scope of its own, of which all files see the names; it sees those of the module. It adds no segment. */
function declareGlobals(walk: Walk, block: SyntaxNode): void {
  const { builder } = walk;
  walk.docAnchor = -1;
  const scope = builder.addScope('namespace', walk.scope, NONE, NONE, builder.intern(GLOBAL_NAMES));
  walk.within(() => {
    walk.scope = scope;
    walk.declaring = scope;
    walk.hoisting = scope;
    walk.container = NONE;
    walk.exporting = false;
    walk.isTopLevel = true;
    readBlock(walk, block);
  });
}

/** `import A = B.C` */
function importAlias(walk: Walk, node: SyntaxNode): void {
  const [nameNode, target] = walk.reader.namedChildren(node);
  if (nameNode === undefined || target === undefined) return;
  walk.builder.addBinding({ scope: walk.declaring, name: walk.nameOf(nameNode), kind: 'variable', value: qualifier(walk, target) });
}
