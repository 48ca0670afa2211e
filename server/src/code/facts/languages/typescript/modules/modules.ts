/** `import` and `export` statements of every form. */
import { NO_TEXT, NONE, operatorCode, type StringIndex, type SymbolRow, symbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { readClass } from '../declarations/classes';
import { classDeclaration, functionDeclaration } from '../declarations/declarations';
import { readDecorator } from '../declarations/decorators';
import { functionValue, memberModifiers, readFunction } from '../declarations/functions';
import { addSymbol } from '../declarations/symbols';
import type { KindName } from '../kinds';
import { bareValue, isFunctionKind, ownName, stringText } from '../literals';
import { TYPE_MARK } from '../prepare';
import type { StatementHandler, Walk } from '../walk';
import { expose } from './exposed';

export const MODULE_STATEMENTS: readonly (readonly [StatementHandler, ...KindName[]])[] = [
  [importStatement, 'import_statement'],
  [exportStatement, 'export_statement'],
];

function importStatement(walk: Walk, node: SyntaxNode): void {
  const { reader, kinds, builder } = walk;
  const typeOnly = reader.hasChild(node, kinds.token.type);
  const required = reader.childByKind(node, kinds.node.import_require_clause);
  if (required !== NO_NODE && kinds.node.import_require_clause !== 0) {
    importRequire(walk, required);
    return;
  }
  const source = walk.child(node, kinds.field.source);
  if (source === NO_NODE) {
    walk.parts(node);
    return;
  }
  const specifier = stringText(walk, source);
  const clause = reader.childByKind(node, kinds.node.import_clause);
  if (clause === NO_NODE) {
    builder.addImport({ kind: 'sideEffect', specifier, at: reader.start(node) });
    return;
  }
  for (const part of reader.namedChildren(clause)) {
    const kind = walk.kind[part];
    if (kind === kinds.node.identifier) bindImport(walk, { kind: 'default', specifier, imported: builder.intern('default'), local: part, typeOnly });
    else if (kind === kinds.node.namespace_import) {
      const local = reader.firstNamedChild(part);
      if (local !== NO_NODE) bindImport(walk, { kind: 'namespace', specifier, imported: builder.intern('*'), local, typeOnly });
    } else if (kind === kinds.node.named_imports) namedImports(walk, part, specifier, typeOnly);
  }
}

interface ImportDraft {
  readonly kind: 'default' | 'namespace' | 'named' | 'require';
  readonly specifier: StringIndex;
  readonly imported: StringIndex;
  /** Node of the local name. */
  readonly local: SyntaxNode;
  /** Node of the imported name if it is another one. */
  readonly name?: SyntaxNode;
  readonly typeOnly: boolean;
}

function bindImport(walk: Walk, draft: ImportDraft): void {
  const { builder } = walk;
  const localName = walk.nameOf(draft.local);
  const row = builder.addImport({
    kind: draft.kind,
    specifier: draft.specifier,
    importedName: draft.imported,
    localName,
    typeOnly: draft.typeOnly,
    at: walk.reader.start(draft.name ?? draft.local),
    ...(draft.name === undefined ? {} : { aliasAt: walk.reader.start(draft.local) }),
  });
  builder.set('imports', 'binding', row, builder.addBinding({ scope: walk.declaring, name: localName, kind: 'import', import: row }));
}

function namedImports(walk: Walk, node: SyntaxNode, specifier: StringIndex, typeOnly: boolean): void {
  const { reader, kinds } = walk;
  for (const item of reader.namedChildren(node)) {
    if (walk.kind[item] !== kinds.node.import_specifier) continue;
    const name = walk.child(item, kinds.field.name);
    if (name === NO_NODE) continue;
    const alias = walk.child(item, kinds.field.alias);
    const imported = moduleName(walk, name);
    const isTypeOnly = typeOnly || reader.hasChild(item, kinds.token.type);
    if (alias === NO_NODE) bindImport(walk, { kind: 'named', specifier, imported, local: name, typeOnly: isTypeOnly });
    else bindImport(walk, { kind: 'named', specifier, imported, local: alias, name, typeOnly: isTypeOnly });
  }
}

/** Name in an import or export clause: an identifier or a string. */
function moduleName(walk: Walk, node: SyntaxNode): StringIndex {
  return walk.kind[node] === walk.kinds.node.string ? stringText(walk, node) : walk.nameOf(node);
}

/** `import x = require('y')` */
function importRequire(walk: Walk, clause: SyntaxNode): void {
  const { reader, kinds, builder } = walk;
  const source = walk.child(clause, kinds.field.source);
  const local = reader.childByKind(clause, kinds.node.identifier);
  if (source === NO_NODE || local === NO_NODE) return;
  const localName = walk.nameOf(local);
  const specifier = stringText(walk, source);
  const row = builder.addImport({ kind: 'require', specifier, localName, at: reader.start(local) });
  const value = builder.addExpression(operatorCode.module, row, NONE, specifier);
  builder.set('imports', 'binding', row, builder.addBinding({ scope: walk.declaring, name: localName, kind: 'import', import: row, value }));
}

function exportStatement(walk: Walk, node: SyntaxNode): void {
  const { reader, kinds } = walk;
  const isModule = walk.scope === 0 || walk.builder.scopes.parent[walk.declaring] === NONE;
  const source = walk.child(node, kinds.field.source);
  if (source !== NO_NODE) {
    reexport(walk, node, stringText(walk, source));
    return;
  }
  const clause = reader.childByKind(node, kinds.node.export_clause);
  if (clause !== NO_NODE) {
    if (isModule) exportClause(walk, clause);
    return;
  }
  const isDefault = reader.hasChild(node, kinds.token.default);
  const { pendingModifiers, exporting } = walk;
  walk.pendingModifiers = pendingModifiers | MODIFIERS.exported | (isDefault ? MODIFIERS.defaultExport : 0);
  walk.exporting = isModule;
  walk.docAnchor = reader.start(node);
  exported(walk, node, isDefault);
  walk.docAnchor = -1;
  walk.pendingModifiers = pendingModifiers;
  walk.exporting = exporting;
}

function exported(walk: Walk, node: SyntaxNode, isDefault: boolean): void {
  const { reader, kinds } = walk;
  const declaration = walk.child(node, kinds.field.declaration);
  const before = symbolRow(walk.builder.symbols.count);
  if (declaration !== NO_NODE) {
    if (walk.kind[declaration] === kinds.node.function_declaration) functionDeclaration(walk, declaration);
    else if (walk.kind[declaration] === kinds.node.class_declaration) classDeclaration(walk, declaration);
    else walk.statement(declaration);
    decorate(walk, node, before);
    return;
  }
  const value = walk.child(node, kinds.field.value);
  if (value !== NO_NODE && isDefault) {
    exportDefault(walk, node, value);
    decorate(walk, node, before);
    return;
  }
  const assigned = reader.lastNamedChild(node);
  const isAssignment = reader.hasChild(node, kinds.token['=']);
  if (isAssignment && assigned !== NO_NODE) {
    walk.exporting = false;
    walk.builder.addExport({ kind: 'whole', value: walk.value(assigned) });
  } else walk.parts(node);
}

/** Decorators before `export class` stand in the export statement. */
function decorate(walk: Walk, node: SyntaxNode, symbol: SymbolRow): void {
  if (symbol >= walk.builder.symbols.count) return;
  const { reader, kinds } = walk;
  for (const child of reader.namedChildren(node)) {
    if (walk.kind[child] === kinds.node.decorator) readDecorator(walk, child, symbol);
  }
}

/** `export default <expression>`: functions and classes without a name are called `default`. */
function exportDefault(walk: Walk, node: SyntaxNode, valueNode: SyntaxNode): void {
  const { builder, kinds } = walk;
  const held = bareValue(walk, valueNode);
  const kind = walk.kind[held] ?? 0;
  const isFunction = isFunctionKind(walk, kind);
  const exportedName = builder.intern('default');
  if (walk.component !== NONE) {
    componentOptions(walk, valueNode);
    return;
  }
  if (!isFunction && kind !== kinds.node.class) {
    walk.exporting = false;
    walk.pendingModifiers = 0;
    if (walk.kind[held] === kinds.node.identifier) builder.addExport({ kind: 'local', exportedName, localName: walk.nameOf(held), value: walk.value(held) });
    else {
      expose(walk, valueNode, NONE);
      builder.addExport({ kind: 'value', exportedName, value: walk.value(valueNode) });
    }
    return;
  }
  const anchor = walk.reader.start(node);
  const own = ownName(walk, held);
  const symbol = addSymbol(walk, {
    node: held,
    nameNode: walk.child(held, kinds.field.name),
    name: own ?? (walk.defaultName === NO_TEXT ? exportedName : walk.defaultName),
    kind: isFunction ? 'function' : 'class',
    modifiers: walk.pendingModifiers | (isFunction ? memberModifiers(walk, held) : 0),
    body: walk.child(held, kinds.field.body),
    docAnchor: anchor,
  });
  let value = walk.row(operatorCode.class, symbol);
  if (isFunction) {
    const isArrow = kind === kinds.node.arrow_function;
    value = functionValue(walk, readFunction(walk, { node: held, symbol, isArrow, docAnchor: anchor }));
  } else readClass(walk, held, symbol, own, anchor);
  if (own !== undefined) builder.addBinding({ scope: walk.declaring, name: own, kind: 'symbol', symbol, value });
  builder.addExport({ kind: 'value', exportedName, value });
}

/** `export default { … }` of a single-file component: what is inside belongs to the component. */
function componentOptions(walk: Walk, valueNode: SyntaxNode): void {
  const { container, owner } = walk;
  walk.exporting = false;
  walk.pendingModifiers = 0;
  walk.container = walk.component;
  walk.owner = walk.component;
  walk.value(valueNode);
  walk.container = container;
  walk.owner = owner;
}

/** `export { a as b }` */
function exportClause(walk: Walk, clause: SyntaxNode): void {
  const { reader, kinds, builder } = walk;
  for (const item of reader.namedChildren(clause)) {
    const name = walk.child(item, kinds.field.name);
    if (name === NO_NODE) continue;
    const alias = walk.child(item, kinds.field.alias);
    const localName = moduleName(walk, name);
    const at = reader.start(name);
    if (alias === NO_NODE) builder.addExport({ kind: 'local', exportedName: localName, localName, at });
    else builder.addExport({ kind: 'local', exportedName: moduleName(walk, alias), localName, at, aliasAt: reader.start(alias) });
  }
}

/** `export … from 'x'` */
function reexport(walk: Walk, node: SyntaxNode, specifier: StringIndex): void {
  const { reader, kinds, builder } = walk;
  const mark = reader.childByKind(node, kinds.node.comment);
  const typeOnly = reader.hasChild(node, kinds.token.type) || (mark !== NO_NODE && reader.text(mark) === TYPE_MARK);
  const at = reader.start(node);
  const clause = reader.childByKind(node, kinds.node.export_clause);
  if (clause === NO_NODE) {
    const namespace = reader.childByKind(node, kinds.node.namespace_export);
    const row = builder.addImport({ kind: 'star', specifier, importedName: builder.intern('*'), typeOnly, at });
    const name = namespace === NO_NODE ? NO_NODE : reader.firstNamedChild(namespace);
    if (name === NO_NODE) builder.addExport({ kind: 'star', import: row });
    else builder.addExport({ kind: 'namespace', exportedName: moduleName(walk, name), import: row });
    return;
  }
  for (const item of reader.namedChildren(clause)) {
    const name = walk.child(item, kinds.field.name);
    if (name === NO_NODE) continue;
    const alias = walk.child(item, kinds.field.alias);
    const importedName = moduleName(walk, name);
    const row = builder.addImport({
      kind: 'reexport',
      specifier,
      importedName,
      typeOnly: typeOnly || reader.hasChild(item, kinds.token.type),
      at: reader.start(name),
      ...(alias === NO_NODE ? {} : { aliasAt: reader.start(alias) }),
    });
    builder.addExport({ kind: 'reexport', exportedName: alias === NO_NODE ? importedName : moduleName(walk, alias), importedName, import: row });
  }
}
