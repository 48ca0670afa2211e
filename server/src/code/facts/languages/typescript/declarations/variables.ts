/** Variables: what they bind, when they are symbols, and names for the functions and classes they hold. */
import { operandOf } from '../../../../../model/expressions';
import { type BindingRow, type ExpressionRow, NO_TEXT, NONE, operatorCode, type ScopeRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { declaredType } from '../jsdoc/comments';
import { bareValue, isFunctionKind, isRequire, ownName } from '../literals';
import { expose } from '../modules/exposed';
import { linkMember, readRequired } from '../modules/requires';
import { readPattern } from '../patterns';
import { annotation } from '../types';
import type { Walk } from '../walk';
import { readClass } from './classes';
import { functionValue, memberModifiers, readFunction } from './functions';
import { addSymbol, bindSymbol, containerOf, exportName } from './symbols';

/** `const`, `let`, `var`, `using` with all their declarators. */
export function variableDeclaration(walk: Walk, node: SyntaxNode): void {
  const { reader, kinds } = walk;
  const anchor = walk.docAnchor >= 0 ? walk.docAnchor : reader.start(node);
  const scope = walk.kind[node] === kinds.node.variable_declaration ? walk.hoisting : walk.declaring;
  const word = walk.child(node, kinds.field.kind);
  const isConstant = word !== NO_NODE && walk.kind[word] === kinds.token.const;
  walk.docAnchor = -1;
  for (const declarator of reader.namedChildren(node)) {
    if (walk.kind[declarator] === kinds.node.variable_declarator) readDeclarator(walk, declarator, { scope, isConstant, anchor, from: node });
  }
}

interface Declaration {
  readonly scope: ScopeRow;
  readonly isConstant: boolean;
  /** Offset that the doc comment ends at. */
  readonly anchor: number;
  readonly from: SyntaxNode;
}

function readDeclarator(walk: Walk, node: SyntaxNode, declaration: Declaration): void {
  const { kinds } = walk;
  const nameNode = walk.child(node, kinds.field.name);
  const valueNode = walk.child(node, kinds.field.value);
  if (nameNode === NO_NODE) return;
  if (walk.kind[nameNode] !== kinds.node.identifier) {
    readDestructured(walk, node, nameNode, valueNode, declaration);
    return;
  }
  const holding = bareValue(walk, valueNode);
  const kind = walk.kind[holding] ?? 0;
  if (isFunctionKind(walk, kind)) readFunctionVariable(walk, node, nameNode, holding, declaration);
  else if (kind === kinds.node.class) readClassVariable(walk, node, nameNode, holding, declaration);
  else readPlainVariable(walk, node, nameNode, valueNode, declaration);
}

function readFunctionVariable(walk: Walk, node: SyntaxNode, nameNode: SyntaxNode, functionNode: SyntaxNode, declaration: Declaration): void {
  const { kinds, builder } = walk;
  const name = walk.nameOf(nameNode);
  const symbol = addSymbol(walk, {
    node,
    nameNode,
    name,
    kind: 'function',
    parent: containerOf(walk),
    modifiers: walk.pendingModifiers | (memberModifiers(walk, functionNode) & (MODIFIERS.async | MODIFIERS.generator)),
    body: walk.child(functionNode, kinds.field.body),
    signatureFrom: declaration.from,
    docAnchor: declaration.anchor,
  });
  const type = annotation(walk, node, kinds.field.type);
  const binding = bindSymbol(walk, symbol, name, NONE, type, declaration.scope);
  builder.set('symbols', 'type', symbol, type);
  const selfName = ownName(walk, functionNode);
  const isArrow = walk.kind[functionNode] === kinds.node.arrow_function;
  const row = readFunction(walk, { node: functionNode, symbol, isArrow, docAnchor: declaration.anchor, ...(selfName === undefined ? {} : { selfName }) });
  builder.set('bindings', 'value', binding, functionValue(walk, row));
  builder.set('symbols', 'value', symbol, functionValue(walk, row));
}

function readClassVariable(walk: Walk, node: SyntaxNode, nameNode: SyntaxNode, classNode: SyntaxNode, declaration: Declaration): void {
  const { builder } = walk;
  const name = walk.nameOf(nameNode);
  const symbol = addSymbol(walk, {
    node,
    nameNode,
    name,
    kind: 'class',
    parent: containerOf(walk),
    modifiers: walk.pendingModifiers,
    body: walk.child(classNode, walk.kinds.field.body),
    signatureFrom: declaration.from,
    docAnchor: declaration.anchor,
  });
  bindSymbol(walk, symbol, name, walk.row(operatorCode.class, symbol), NONE, declaration.scope);
  readClass(walk, classNode, symbol, ownName(walk, classNode), declaration.anchor);
  builder.set('symbols', 'value', symbol, walk.row(operatorCode.class, symbol));
}

function readPlainVariable(walk: Walk, node: SyntaxNode, nameNode: SyntaxNode, valueNode: SyntaxNode, declaration: Declaration): void {
  const { builder, kinds } = walk;
  const name = walk.nameOf(nameNode);
  const isSymbol = walk.isTopLevel && !isRequire(walk, valueNode);
  const symbol = isSymbol
    ? addSymbol(walk, {
        node,
        nameNode,
        name,
        kind: declaration.isConstant ? 'constant' : 'variable',
        modifiers: walk.pendingModifiers | (declaration.isConstant ? MODIFIERS.readonly : 0),
        signatureFrom: declaration.from,
        docAnchor: declaration.anchor,
        body: bulkyValue(walk, valueNode),
      })
    : NONE;
  const { owner } = walk;
  if (isSymbol) walk.owner = symbol;
  let type = annotation(walk, node, kinds.field.type);
  walk.owner = owner;
  if (type === NONE && !walk.isTyped) type = declaredType(walk, declaration.anchor);
  const binding =
    symbol === NONE
      ? builder.addBinding({ scope: declaration.scope, name, kind: 'variable', type })
      : bindSymbol(walk, symbol, name, NONE, type, declaration.scope);
  if (symbol === NONE) exportName(walk, name);
  else builder.set('symbols', 'type', symbol, type);
  if (valueNode === NO_NODE) return;
  const isLiteral = walk.kind[bareValue(walk, valueNode)] === kinds.node.object;
  const { holder } = walk;
  // Of a variable with a type, the members are those of the type.
  if (isSymbol && type === NONE && (walk.exporting || walk.exposed.has(walk.reader.text(nameNode)))) expose(walk, valueNode, symbol);
  const own = isLiteral ? { outer: holder, name, node, nameNode, isProperty: false, binding, symbol } : undefined;
  walk.holder = own ?? holder;
  const value = walk.value(valueNode);
  walk.holder = holder;
  builder.set('bindings', 'value', binding, value);
  // A local that holds functions has become a symbol for them: it is what the local is.
  if (symbol === NONE && own !== undefined && own.symbol !== NONE) {
    builder.set('symbols', 'value', own.symbol, value);
    builder.set('symbols', 'type', own.symbol, type);
  }
  if (walk.kind[declaration.from] === kinds.node.using_declaration && value !== NONE) {
    builder.addReference('enter', value, walk.owner, name, walk.reader.start(nameNode));
  }
  if (symbol !== NONE) builder.set('symbols', 'value', symbol, value);
  else {
    linkImport(walk, nameNode, binding, value);
    if (walk.isTopLevel) linkMember(walk, nameNode, binding, value, walk.child(bareValue(walk, valueNode), kinds.field.property));
  }
}

/** Literals and blocks are left out of a variable's signature. */
function bulkyValue(walk: Walk, valueNode: SyntaxNode): SyntaxNode {
  const inner = bareValue(walk, valueNode);
  const kind = inner === NO_NODE ? 0 : walk.kind[inner];
  return kind === walk.kinds.node.object || kind === walk.kinds.node.array || (inner !== NO_NODE && walk.reader.length(inner) > 120) ? inner : NO_NODE;
}

function readDestructured(walk: Walk, node: SyntaxNode, pattern: SyntaxNode, valueNode: SyntaxNode, declaration: Declaration): void {
  const { kinds, reader } = walk;
  const type = annotation(walk, node, kinds.field.type);
  const isSymbol = walk.isTopLevel && !isRequire(walk, valueNode);
  const value = valueNode === NO_NODE ? walk.unknown : walk.value(valueNode);
  const source = type === NONE ? value : walk.row(operatorCode.valueOfType, type);
  const isImport =
    walk.isTopLevel &&
    !isSymbol &&
    readRequired(walk, pattern, source, (leaf, part) => {
      exportName(walk, walk.nameOf(leaf));
      return bindVariable(walk, leaf, part, NONE, declaration.scope);
    });
  if (isImport) return;
  readPattern(walk, pattern, source, (leaf, part) => {
    if (!isSymbol) {
      bindVariable(walk, leaf, part, NONE, declaration.scope);
      exportName(walk, walk.nameOf(leaf));
      return;
    }
    const name = walk.nameOf(leaf);
    const symbol = walk.builder.addSymbol({
      name,
      kind: declaration.isConstant ? 'constant' : 'variable',
      parent: walk.container,
      modifiers: walk.pendingModifiers,
      start: reader.start(leaf),
      end: reader.end(leaf),
      nameStart: reader.start(leaf),
      value: part,
    });
    bindSymbol(walk, symbol, name, part, NONE, declaration.scope);
  });
}

/** A local variable: a binding only. */
export function bindVariable(walk: Walk, node: SyntaxNode, value: ExpressionRow, type: ExpressionRow, scope: ScopeRow): BindingRow {
  return walk.builder.addBinding({ scope, name: walk.nameOf(node), kind: 'variable', type, value: value === walk.unknown ? NONE : value });
}

/** `const x = require('y')` makes the row of the import bind `x`. */
function linkImport(walk: Walk, nameNode: SyntaxNode, binding: BindingRow, value: ExpressionRow): void {
  const { expressions, imports, bindings } = walk.builder;
  if (expressions.operator[value] !== operatorCode.module) return;
  const row = operandOf.import(expressions, value);
  if (row === NONE || imports.binding[row] !== NONE) return;
  walk.builder.set('imports', 'binding', row, binding);
  walk.builder.set('imports', 'localName', row, bindings.name[binding] ?? NO_TEXT);
  walk.builder.setAlias(row, walk.reader.start(nameNode));
  walk.builder.set('bindings', 'import', binding, row);
}
