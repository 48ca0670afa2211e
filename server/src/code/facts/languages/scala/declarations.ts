import { type BindingRow, type ExpressionRow, type FunctionRow, NONE, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { addType, typeName } from './types';
import type { Place, ScalaWalk } from './walk';

function modifiersOf(walk: ScalaWalk, node: SyntaxNode): number {
  const text = walk.file.text(walk.file.childOf(node, 'modifiers'));
  let bits = /\bprivate\b/.test(text) ? MODIFIERS.private : /\bprotected\b/.test(text) ? MODIFIERS.protected : MODIFIERS.exported;
  if (/\babstract\b|\bsealed\b/.test(text)) bits |= MODIFIERS.abstract;
  if (/\boverride\b/.test(text)) bits |= MODIFIERS.override;
  return bits;
}

function bind(walk: ScalaWalk, nameNode: SyntaxNode, symbol: SymbolRow, place: Place): void {
  walk.file.builder.addBinding({ scope: place.scope, name: walk.file.word(nameNode), kind: 'symbol', symbol });
}

/** Classes, traits, objects and enums. Objects are modules: their members are reached through their name. */
export function declareType(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const { builder } = walk.file;
  const nameNode = walk.file.child(node, 'name');
  if (nameNode === NO_NODE) return walk.run(node, place);
  const body = walk.file.child(node, 'body');
  const kind = kindOf(walk, node);
  const symbol = walk.file.declare({ node, nameNode, kind, parent: place.owner, modifiers: modifiersOf(walk, node), body });
  bind(walk, nameNode, symbol, place);
  const scope = builder.addScope('class', place.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  const inside: Place = { ...place, scope, owner: symbol, level: 'type' };
  addTypeParameters(walk, walk.file.child(node, 'type_parameters'), inside);
  const isCase =
    walk.file.reader.children(node).some(child => !walk.file.reader.isNamed(child) && walk.file.text(child) === 'case') || walk.file.is(node, 'full_enum_case');
  for (const list of walk.file.childrenOf(node, 'class_parameters')) {
    for (const parameter of walk.file.children(list)) if (walk.file.is(parameter, 'class_parameter')) classParameter(walk, parameter, isCase, inside);
  }
  addBases(walk, walk.file.child(node, 'extend'), symbol, inside);
  walk.run(body, inside);
  walk.file.hashContainer(symbol, node, body);
  return walk.file.unknown();
}

function kindOf(walk: ScalaWalk, node: SyntaxNode): SymbolKind {
  if (walk.file.is(node, 'trait_definition')) return 'trait';
  if (walk.file.is(node, 'enum_definition')) return 'enum';
  return walk.file.is(node, 'object_definition', 'package_object') ? 'module' : 'class';
}

function addTypeParameters(walk: ScalaWalk, list: SyntaxNode, place: Place): void {
  for (const name of walk.file.childrenOf(list, 'name'))
    walk.file.builder.addBinding({ scope: place.scope, name: walk.file.word(name), kind: 'typeParameter' });
}

/** Parameters of `case` classes and those with `val` or `var` are fields. */
function classParameter(walk: ScalaWalk, node: SyntaxNode, isCase: boolean, place: Place): void {
  const nameNode = walk.file.child(node, 'name');
  const type = addType(walk, walk.file.child(node, 'type'), place);
  const isField = isCase || walk.file.reader.children(node).some(child => !walk.file.reader.isNamed(child) && /^va[lr]$/.test(walk.file.text(child)));
  if (isField) walk.file.declare({ node, nameNode, kind: 'field', parent: place.owner, modifiers: modifiersOf(walk, node), type });
  else walk.file.builder.addBinding({ scope: place.scope, name: walk.file.word(nameNode), kind: 'parameter', type });
}

function addBases(walk: ScalaWalk, clause: SyntaxNode, symbol: SymbolRow, place: Place): void {
  if (clause === NO_NODE) return;
  for (const base of walk.file.childrenOf(clause, 'type').filter(child => walk.file.reader.isNamed(child))) {
    const row = addType(walk, base, place, false);
    walk.file.builder.addHeritage(symbol, 'extends', row, walk.file.reader.start(typeName(walk, base)));
  }
  for (const list of walk.file.childrenOf(clause, 'arguments')) walk.run(list, place);
}

export function declareFunction(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const { builder } = walk.file;
  const nameNode = walk.file.child(node, 'name');
  if (nameNode === NO_NODE) return walk.run(node, place);
  const body = walk.file.child(node, 'body');
  const kind = place.level === 'type' ? 'method' : 'function';
  const flags = modifiersOf(walk, node) | (body === NO_NODE ? MODIFIERS.declared | MODIFIERS.abstract : 0);
  const symbol = walk.file.declare({ node, nameNode, kind, parent: place.owner, modifiers: flags, body });
  if (place.level !== 'type') bind(walk, nameNode, symbol, place);
  const scope = builder.addScope('function', place.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  const inside: Place = { ...place, scope, owner: symbol, level: 'local', body: { decisions: 0 } };
  addTypeParameters(walk, walk.file.child(node, 'type_parameters'), inside);
  const row = builder.addFunction({ symbol, scope });
  builder.set('scopes', 'function', scope, row);
  builder.set('symbols', 'function', symbol, row);
  builder.setParameters(row, parameterRows(walk, node, row, inside));
  builder.set('functions', 'returnType', row, addType(walk, walk.file.child(node, 'return_type'), inside));
  if (body !== NO_NODE) builder.setReturns(row, [walk.value(body, inside)]);
  builder.set('symbols', 'complexity', symbol, inside.body.decisions + 1);
  return walk.file.unknown();
}

function parameterRows(walk: ScalaWalk, node: SyntaxNode, row: FunctionRow, place: Place): BindingRow[] {
  const rows: BindingRow[] = [];
  for (const list of walk.file.childrenOf(node, 'parameters')) {
    const parameters = walk.file.is(list, 'identifier') ? [list] : walk.file.children(list);
    for (const parameter of parameters) {
      const nameNode = walk.file.is(parameter, 'identifier') ? parameter : walk.file.child(parameter, 'name');
      if (nameNode === NO_NODE) continue;
      const type = addType(walk, walk.file.child(parameter, 'type'), place);
      rows.push(
        walk.file.builder.addBinding({ scope: place.scope, name: walk.file.word(nameNode), kind: 'parameter', type, function: row, position: rows.length }),
      );
    }
  }
  return rows;
}

export function lambda(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const scope = walk.file.builder.addScope('function', place.scope);
  const row = walk.file.builder.addFunction({ symbol: NONE, scope });
  walk.file.builder.set('scopes', 'function', scope, row);
  const inside: Place = { ...place, scope, level: 'local' };
  walk.file.builder.setParameters(row, parameterRows(walk, node, row, inside));
  const parameters = new Set(walk.file.childrenOf(node, 'parameters'));
  for (const child of walk.file.children(node)) if (!parameters.has(child)) walk.file.builder.setReturns(row, [walk.value(child, inside)]);
  return walk.file.row('function', row);
}

/** `val`, `var` and `given`: fields of a type, variables of a package, or locals. */
export function declareValue(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const type = addType(walk, walk.file.child(node, 'type'), place);
  const pattern = walk.file.child(node, 'pattern');
  const nameNode = pattern === NO_NODE ? walk.file.child(node, 'name') : pattern;
  const valueNode = walk.file.child(node, 'value');
  if (!walk.file.is(nameNode, 'identifier') || place.level === 'local') {
    const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, place);
    bindPattern(walk, nameNode, type, value, place);
    return walk.file.unknown();
  }
  const isValue = walk.file.is(node, 'val_definition', 'val_declaration');
  const kind: SymbolKind = place.level === 'type' ? 'field' : isValue && /^[A-Z]/.test(walk.file.text(nameNode)) ? 'constant' : 'variable';
  const symbol = walk.file.declare({
    node,
    nameNode,
    kind,
    parent: place.owner,
    modifiers: modifiersOf(walk, node) | (isValue ? MODIFIERS.readonly : 0),
    type,
  });
  if (place.level === 'package') bind(walk, nameNode, symbol, place);
  const value = valueNode === NO_NODE ? NONE : walk.value(valueNode, { ...place, level: 'local' });
  walk.file.builder.set('symbols', 'value', symbol, value);
  return walk.file.unknown();
}

/** Names in a pattern; those that begin with a capital letter are compared with. */
export function bindPattern(walk: ScalaWalk, node: SyntaxNode, type: ExpressionRow, value: ExpressionRow, place: Place): void {
  if (node === NO_NODE) return;
  const { builder } = walk.file;
  if (walk.file.is(node, 'identifier')) {
    if (/^[A-Z]/.test(walk.file.text(node))) walk.value(node, place);
    else builder.addBinding({ scope: place.scope, name: walk.file.word(node), kind: 'variable', type, value });
    return;
  }
  if (walk.file.is(node, 'typed_pattern')) {
    const spelled = walk.file.child(node, 'type');
    const row = addType(walk, spelled, place, false);
    const nameNode = typeName(walk, spelled);
    walk.file.use('assertType', row, place.owner, walk.file.word(nameNode), walk.file.reader.start(nameNode));
    bindPattern(walk, walk.file.child(node, 'pattern'), row, NONE, place);
    return;
  }
  if (walk.file.is(node, 'case_class_pattern')) {
    const spelled = walk.file.child(node, 'type');
    const nameNode = typeName(walk, spelled);
    const row = addType(walk, spelled, place, false);
    walk.file.use('assertType', row, place.owner, walk.file.word(nameNode), walk.file.reader.start(nameNode));
    for (const part of walk.file.childrenOf(node, 'pattern')) bindPattern(walk, part, NONE, NONE, place);
    return;
  }
  if (walk.file.is(node, 'capture_pattern')) {
    bindPattern(walk, walk.file.child(node, 'name'), NONE, value, place);
    bindPattern(walk, walk.file.child(node, 'pattern'), NONE, NONE, place);
    return;
  }
  walk.file.nested(undefined, () => {
    for (const child of walk.file.children(node)) bindPattern(walk, child, NONE, NONE, place);
  });
}

export function typeAlias(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const nameNode = walk.file.child(node, 'name');
  if (nameNode === NO_NODE) return walk.file.unknown();
  const symbol = walk.file.declare({ node, nameNode, kind: 'type', parent: place.owner, modifiers: modifiersOf(walk, node) });
  bind(walk, nameNode, symbol, place);
  walk.file.builder.set('symbols', 'type', symbol, addType(walk, walk.file.child(node, 'type'), { ...place, owner: symbol }));
  return walk.file.unknown();
}

/** `case Red, Green` of an enum. */
export function enumCases(walk: ScalaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  for (const each of walk.file.children(node)) {
    if (walk.file.is(each, 'full_enum_case')) declareType(walk, each, place);
    else if (walk.file.is(each, 'simple_enum_case')) {
      walk.file.declare({ node: each, nameNode: walk.file.child(each, 'name'), kind: 'enum_member', parent: place.owner, modifiers: MODIFIERS.exported });
    }
  }
  return walk.file.unknown();
}
