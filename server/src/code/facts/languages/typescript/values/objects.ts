/** Object literals: their rows, and symbols for the functions and classes in them. */
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type SomeRow, type StringIndex, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { readClass } from '../declarations/classes';
import { functionValue, memberModifiers, readFunction } from '../declarations/functions';
import { addSymbol, containerOf } from '../declarations/symbols';
import { bareValue, isFunctionKind, isNaming, memberName, ownName } from '../literals';
import { addData, defineData, isData, listExport } from '../modules/exposed';
import type { Walk } from '../walk';

export function objectLiteral(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader, kinds } = walk;
  const { node: named } = kinds;
  const { scope, thisScope } = walk;
  if (hasMethods(walk, node)) {
    walk.scope = walk.builder.addScope('object', scope);
    // Methods of a literal see the literal as `this`; arrows in it do not, and they take `thisScope` from outside.
  }
  const objectScope = walk.scope;
  const items: SomeRow[] = [];
  const exposed = walk.exposing?.literal === node ? { ...walk.exposing, data: [] } : undefined;
  walk.exposing = undefined;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (!reader.isNamed(child)) continue;
    const kind = walk.kind[child];
    if (kind === named.pair) readPair(walk, child, items, exposed);
    else if (kind === named.method_definition) readMethod(walk, child, items);
    else if (kind === named.shorthand_property_identifier) {
      const value = walk.value(child);
      items.push(walk.nameOf(child), value);
      if (exposed?.owner === NONE) listExport(walk, value);
    } else if (kind === named.spread_element) items.push(NO_TEXT, walk.value(child));
    else if (kind !== named.comment) walk.part(child);
  }
  walk.scope = scope;
  walk.thisScope = thisScope;
  const symbol = walk.holder?.symbol ?? NONE;
  if (objectScope !== scope) walk.builder.set('scopes', 'symbol', objectScope, symbol);
  const row = walk.list(operatorCode.object, items, symbol);
  for (const { symbol, name, value } of exposed?.data ?? []) defineData(walk, symbol, row, name, value);
  return row;
}

/** An exported literal: its owner, and what was read of its data. */
interface Exposed {
  readonly owner: SymbolRow;
  readonly isTable: boolean;
  readonly data: Data[];
}

/** A property of an exported literal that is data. */
interface Data {
  readonly symbol: SymbolRow;
  readonly name: StringIndex;
  readonly value: ExpressionRow;
}

function hasMethods(walk: Walk, node: SyntaxNode): boolean {
  const { reader, kinds } = walk;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    const kind = walk.kind[child];
    if (kind === kinds.node.method_definition) return true;
    if (kind === kinds.node.pair) {
      const value = walk.child(child, kinds.field.value);
      if (value !== NO_NODE && walk.kind[value] === kinds.node.function_expression) return true;
    }
  }
  return false;
}

function readPair(walk: Walk, node: SyntaxNode, items: SomeRow[], exposed: Exposed | undefined): void {
  const { kinds, builder } = walk;
  const keyNode = walk.child(node, kinds.field.key);
  const valueNode = walk.child(node, kinds.field.value);
  const name = memberName(walk, keyNode);
  if (valueNode === NO_NODE) return;
  const held = bareValue(walk, valueNode);
  const kind = walk.kind[held] ?? 0;
  const isFunction = isFunctionKind(walk, kind);
  if (isNaming(walk, name) && (isFunction || kind === kinds.node.class)) {
    const modifiers = isFunction ? memberModifiers(walk, held) & (MODIFIERS.async | MODIFIERS.generator) : 0;
    const symbol = addSymbol(walk, {
      node,
      nameNode: keyNode,
      name,
      kind: isFunction ? 'function' : 'class',
      parent: containerOf(walk),
      modifiers,
      body: walk.child(held, kinds.field.body),
    });
    const row = isFunction ? heldFunction(walk, held, symbol, node) : heldClass(walk, held, symbol);
    items.push(name, row);
    if (isFunction) builder.set('symbols', 'value', symbol, row);
    return;
  }
  const { holder } = walk;
  const isSpelled = walk.kind[keyNode] !== kinds.node.computed_property_name;
  const symbol =
    exposed?.isTable === false && isSpelled && isData(walk, name, valueNode) ? exposedMember(walk, node, keyNode, name, valueNode, exposed.owner) : NONE;
  if (kind === kinds.node.object && isNaming(walk, name))
    walk.holder = { outer: holder, name, node, nameNode: keyNode, isProperty: true, binding: NONE, symbol };
  const value = walk.value(valueNode);
  items.push(name, value);
  if (exposed?.owner === NONE) listExport(walk, value);
  walk.holder = holder;
  if (symbol !== NONE) exposed?.data.push({ symbol, name, value });
}

/** Members of what the module exports as a whole are exports themselves. */
function exposedMember(walk: Walk, node: SyntaxNode, nameNode: SyntaxNode, name: StringIndex, value: SyntaxNode, parent: SymbolRow): SymbolRow {
  const isExport = parent === NONE;
  return addData(walk, { node, nameNode, name, value, parent, kind: isExport ? 'constant' : 'property', isExported: isExport });
}

function heldFunction(walk: Walk, node: SyntaxNode, symbol: SymbolRow, pair: SyntaxNode): ExpressionRow {
  const selfName = ownName(walk, node);
  const isArrow = walk.kind[node] === walk.kinds.node.arrow_function;
  const docAnchor = walk.reader.start(pair);
  return functionValue(walk, readFunction(walk, { node, symbol, isArrow, docAnchor, ...(selfName === undefined || isArrow ? {} : { selfName }) }));
}

function heldClass(walk: Walk, node: SyntaxNode, symbol: SymbolRow): ExpressionRow {
  readClass(walk, node, symbol, ownName(walk, node));
  return walk.row(operatorCode.class, symbol);
}

function readMethod(walk: Walk, node: SyntaxNode, items: SomeRow[]): void {
  const { kinds } = walk;
  const nameNode = walk.child(node, kinds.field.name);
  const name = memberName(walk, nameNode);
  const modifiers = memberModifiers(walk, node);
  if (!isNaming(walk, name)) {
    items.push(name, functionValue(walk, readFunction(walk, { node, symbol: NONE })));
    return;
  }
  const symbol = addSymbol(walk, { node, nameNode, name, kind: 'method', parent: containerOf(walk), modifiers, body: walk.child(node, kinds.field.body) });
  const row = functionValue(walk, readFunction(walk, { node, symbol }));
  // A getter's property is what the getter gives back, not the getter.
  items.push(name, (modifiers & MODIFIERS.property) === 0 ? row : walk.list(operatorCode.call, [], row));
}
