import { NO_TEXT, NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind, symbolKindCode } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { bindTypeParameters, typeRow } from '../types';
import { type CsharpFile, type Frame, identifierOf, lastNameNode, signatureStart, type Walk } from '../walk';
import { addAttributes } from './attributes';
import { marksOf, withVisibility } from './modifiers';

/** `IFoo`: how interfaces are named; a base that is not named so is taken for a class where one may stand. */
const INTERFACE_NAME = /^I[A-Z]/;

/** Declares a class, struct, record, interface or enum with its members. */
export function declareType(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const kind = kindOf(walk, node);
  const body = file.child(node, 'body');
  const parent = frame.type;
  const list = typeParameters(file, node);
  const symbol = file.declare({
    node,
    signatureFrom: signatureStart(file, node),
    nameNode,
    kind,
    parent,
    modifiers: withVisibility(marksOf(file, node).bits, parent === NONE || isInterface(file, parent)),
    body,
  });
  const scope = builder.addScope('class', frame.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol', symbol });
  const inner: Frame = { ...frame, scope, owner: symbol, body: undefined, type: symbol };
  addAttributes(walk, node, symbol, inner);
  bindTypeParameters(walk, node, list, inner);
  addBases(walk, node, symbol, kind, inner);
  primaryParameters(walk, node, inner);
  if (body !== NO_NODE) walk.run(body, inner);
  file.hashContainer(symbol, node, body);
}

function kindOf(walk: Walk, node: SyntaxNode): SymbolKind {
  const { file, token } = walk;
  if (file.is(node, 'interface_declaration')) return 'interface';
  if (file.is(node, 'enum_declaration')) return 'enum';
  if (file.is(node, 'struct_declaration')) return 'struct';
  return file.is(node, 'record_declaration') && file.reader.hasChild(node, token.struct) ? 'struct' : 'class';
}

export function isInterface(file: CsharpFile, symbol: SymbolRow): boolean {
  return symbol !== NONE && file.builder.symbols.kind[symbol] === symbolKindCode.interface;
}

function typeParameters(file: CsharpFile, node: SyntaxNode): SyntaxNode {
  const field = file.child(node, 'type_parameters');
  return field === NO_NODE ? file.childOf(node, 'type_parameter_list') : field;
}

/** Bases in order. The first of a class may be a class; everything else is an interface. Arguments behind it go to the base's constructor. */
function addBases(walk: Walk, node: SyntaxNode, symbol: SymbolRow, kind: SymbolKind, frame: Frame): void {
  const { file } = walk;
  if (kind === 'enum') return;
  let isFirst = true;
  let base = NO_NODE;
  for (const child of file.children(file.childOf(node, 'base_list'))) {
    if (file.is(child, 'argument_list')) {
      callBase(walk, base, child, frame);
      continue;
    }
    const isCall = file.is(child, 'primary_constructor_base_type');
    const type = isCall ? file.child(child, 'type') : child;
    const name = lastNameNode(file, type);
    const text = file.text(name);
    const isClass = kind === 'interface' || (kind === 'class' && isFirst && !INTERFACE_NAME.test(text));
    const row = typeRow(walk, type, frame, 'none');
    if (row !== NONE) file.builder.addHeritage(symbol, isClass ? 'extends' : 'implements', row, file.reader.start(name === NO_NODE ? type : name));
    base = name;
    if (isCall) callBase(walk, name, file.childOf(child, 'argument_list'), frame);
    isFirst = false;
  }
}

function callBase(walk: Walk, name: SyntaxNode, list: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const rows = file.children(list).map(argument => walk.value(argument, frame));
  const row = file.row('call', file.row('super', frame.scope), NONE, NO_TEXT, rows);
  if (name !== NO_NODE) file.use('call', row, frame.owner, file.word(name), file.reader.start(name));
}

/** Parameters of the type itself: seen in all its members; those of records are its properties too. */
function primaryParameters(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const list = file.childOf(node, 'parameter_list');
  if (list === NO_NODE) return;
  const isRecord = file.is(node, 'record_declaration');
  for (const parameter of file.children(list)) {
    const nameNode = file.child(parameter, 'name');
    if (!file.is(parameter, 'parameter') || nameNode === NO_NODE) continue;
    if (file.reader.hasChild(parameter, walk.token.assign)) walk.value(file.last(parameter), frame, file.child(parameter, 'type'));
    if (!isRecord) {
      const type = typeRow(walk, file.child(parameter, 'type'), frame);
      file.builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'parameter', type });
      continue;
    }
    const modifiers = MODIFIERS.exported | MODIFIERS.readonly | MODIFIERS.property;
    const symbol = file.declare({ node: parameter, nameNode, kind: 'property', parent: frame.owner, modifiers });
    file.builder.set('symbols', 'type', symbol, typeRow(walk, file.child(parameter, 'type'), { ...frame, owner: symbol }));
  }
}

/** A member of an enum is a constant of its type. */
export function enumMember(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const modifiers = MODIFIERS.exported | MODIFIERS.static | MODIFIERS.readonly;
  const symbol = file.declare({ node, signatureFrom: signatureStart(file, node), nameNode, kind: 'enum_member', parent: frame.owner, modifiers });
  addAttributes(walk, node, symbol, { ...frame, owner: symbol });
  const value = file.child(node, 'value');
  if (value !== NO_NODE) file.builder.set('symbols', 'value', symbol, walk.value(value, { ...frame, owner: symbol }));
}

/** `delegate R D(A a)`: a name for a function type. */
export function declareDelegate(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = identifierOf(file, file.child(node, 'name'));
  if (nameNode === NO_NODE) return;
  const modifiers = withVisibility(marksOf(file, node).bits, frame.type === NONE);
  const symbol = file.declare({ node, signatureFrom: signatureStart(file, node), nameNode, kind: 'type', parent: frame.type, modifiers });
  const scope = builder.addScope('type', frame.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol', symbol });
  const inner: Frame = { ...frame, scope, owner: symbol, type: NONE };
  addAttributes(walk, node, symbol, inner);
  bindTypeParameters(walk, node, typeParameters(file, node), inner);
  const types = file
    .children(file.child(node, 'parameters'))
    .filter(child => file.is(child, 'parameter'))
    .map(child => typeRow(walk, file.child(child, 'type'), inner));
  builder.set('symbols', 'type', symbol, file.row('functionType', typeRow(walk, file.child(node, 'type'), inner), NONE, NO_TEXT, types));
}
