import {
  type ExpressionRow,
  type FunctionRow,
  type HeritageKind,
  NO_TEXT,
  NONE,
  type ScopeRow,
  type StringIndex,
  type SymbolRow,
} from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { openFunction, type TypeBody, typePlace } from '../../walk/frames';
import { addParameters, declaredParameter } from './functions';
import type { JavaFile, KindName } from './grammar';
import { addAnnotations, flagsOf, modifiersNode, signatureStart } from './modifiers';
import { addType, addTypeParameters, lastTypeName } from './types';
import type { Frame, TypeKind, Walk } from './walk';

const FORMS: Partial<Record<KindName, { readonly symbol: SymbolKind; readonly body: TypeKind }>> = {
  class_declaration: { symbol: 'class', body: 'class' },
  interface_declaration: { symbol: 'interface', body: 'interface' },
  annotation_type_declaration: { symbol: 'interface', body: 'interface' },
  enum_declaration: { symbol: 'enum', body: 'enum' },
  record_declaration: { symbol: 'class', body: 'record' },
};

/** Declares a class, interface, enum, record or annotation type with its bases and members, at any level. */
export function declareType(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const form = Object.entries(FORMS).find(([kind]) => file.is(node, kind as KindName))?.[1];
  if (nameNode === NO_NODE || form === undefined) return;
  const body = file.child(node, 'body');
  const modifiers = modifiersNode(file, node);
  const isStatic = frame.type !== undefined && (form.body !== 'class' || frame.type.kind === 'interface') ? MODIFIERS.static : 0;
  const isAbstract = form.body === 'interface' ? MODIFIERS.abstract : 0;
  const isOpen = frame.type?.kind === 'interface' ? MODIFIERS.exported : 0;
  const symbol = file.declare({
    node,
    nameNode,
    kind: form.symbol,
    parent: frame.owner,
    modifiers: flagsOf(file, modifiers) | isStatic | isAbstract | isOpen,
    body,
    signatureFrom: signatureStart(file, node),
  });
  const scope = builder.addScope('class', frame.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  if (frame.type === undefined || frame.body !== undefined) builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol', symbol });
  addAnnotations(walk, modifiers, symbol, frame);
  addTypeParameters(file, file.child(node, 'type_parameters'), scope, symbol);
  const own: TypeBody<TypeKind> = { symbol, scope, kind: form.body };
  const inside: Frame = { scope, owner: symbol, type: own, body: undefined, yields: undefined };
  addBases(walk, node, form.body, inside);
  if (form.body === 'record') addComponents(walk, node, body, inside);
  walk.members(body, inside);
  file.hashContainer(symbol, node, body);
}

function addBases(walk: Walk, node: SyntaxNode, kind: TypeKind, frame: Frame): void {
  const { file } = walk;
  const superclass = file.child(node, 'superclass');
  if (superclass !== NO_NODE) addBase(walk, file.reader.firstNamedChild(superclass), 'extends', frame);
  for (const type of file.children(file.childOf(file.child(node, 'interfaces'), 'type_list'))) addBase(walk, type, 'implements', frame);
  if (kind !== 'interface') return;
  for (const type of file.children(file.childOf(file.childOf(node, 'extends_interfaces'), 'type_list'))) addBase(walk, type, 'extends', frame);
}

/** The heritage row is the use of the base; its type arguments are used as types. */
function addBase(walk: Walk, node: SyntaxNode, kind: HeritageKind, frame: Frame): void {
  const { file } = walk;
  const row = addType(file, node, typePlace(frame));
  if (row !== NONE) file.builder.addHeritage(frame.owner, kind, row, lastTypeName(file, node).at);
}

/** Components are private fields with an accessor of the same name, unless the body declares that itself, and the parameters of the constructor. */
function addComponents(walk: Walk, node: SyntaxNode, body: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const own = new Set(
    file
      .children(body)
      .filter(child => file.is(child, 'method_declaration') && file.children(file.child(child, 'parameters')).length === 0)
      .map(child => file.word(file.child(child, 'name'))),
  );
  for (const component of file.children(file.child(node, 'parameters'))) {
    if (!file.is(component, 'formal_parameter', 'spread_parameter')) continue;
    const { nameNode, type } = declaredParameter(file, component, frame);
    if (!file.is(nameNode, 'identifier')) continue;
    const parts = { node: component, nameNode, parent: frame.owner, docNode: component };
    file.declare({ ...parts, kind: 'field', modifiers: MODIFIERS.private | MODIFIERS.readonly, type });
    if (own.has(file.word(nameNode))) continue;
    const accessor = file.declare({ ...parts, kind: 'method', modifiers: MODIFIERS.exported });
    const open = openFunction(file, frame.scope, accessor);
    file.builder.set('functions', 'returnType', open.row, type);
    file.builder.set('symbols', 'complexity', accessor, 1);
  }
}

interface Anonymous {
  readonly node: SyntaxNode;
  readonly body: SyntaxNode;
  readonly nameNode: SyntaxNode;
  /** Interned name of the base. */
  readonly name: StringIndex;
  /** Row of the base. */
  readonly base: ExpressionRow;
  readonly at: number;
}

/** `new T() { … }`: a class named after its base in angle brackets, inside whatever is around. */
export function anonymousClass(walk: Walk, anonymous: Anonymous, frame: Frame): void {
  const { file } = walk;
  const symbol = file.declare({
    node: anonymous.node,
    nameNode: anonymous.nameNode,
    name: file.builder.intern(`<${file.builder.strings[anonymous.name] ?? ''}>`),
    kind: 'class',
    parent: frame.owner,
    body: anonymous.body,
  });
  runAnonymous(walk, symbol, anonymous, frame);
}

function runAnonymous(walk: Walk, symbol: SymbolRow, anonymous: Anonymous, frame: Frame): void {
  const { file } = walk;
  const scope = file.builder.addScope('class', frame.scope, symbol);
  file.builder.set('symbols', 'scope', symbol, scope);
  file.builder.addHeritage(symbol, 'extends', anonymous.base, anonymous.at);
  walk.members(anonymous.body, { scope, owner: symbol, type: { symbol, scope, kind: 'class' }, body: undefined, yields: undefined });
  file.hashContainer(symbol, anonymous.node, anonymous.body);
}

/** A constant of an enum; one with a body is a class of its own beside it, named in angle brackets. */
export function declareConstant(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { type } = frame;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE || type === undefined) return;
  const body = file.child(node, 'body');
  const symbol = file.declare({
    node,
    nameNode,
    kind: 'enum_member',
    parent: type.symbol,
    modifiers: MODIFIERS.static | MODIFIERS.readonly | MODIFIERS.exported,
    body,
  });
  addAnnotations(walk, modifiersNode(file, node), symbol, frame);
  const base = file.row('class', type.symbol);
  const list = file.child(node, 'arguments');
  const rows = list === NO_NODE ? [] : file.children(list).map(child => walk.value(child, frame));
  const row = file.row('new', base, NONE, NO_TEXT, rows);
  file.builder.set('symbols', 'value', symbol, row);
  if (list !== NO_NODE) file.use('new', row, type.symbol, file.word(nameNode), file.reader.start(nameNode));
  if (body === NO_NODE) return;
  const enumName = file.builder.symbols.name[type.symbol] ?? NO_TEXT;
  const own = file.declare({
    node,
    nameNode,
    name: file.builder.intern(`<${file.text(nameNode)}>`),
    kind: 'class',
    parent: type.symbol,
    modifiers: MODIFIERS.static,
    body,
  });
  const at = file.reader.start(nameNode);
  runAnonymous(walk, own, { node, body, nameNode, name: enumName, base: file.row('name', frame.scope, NONE, enumName), at }, frame);
}

/** `R { … }`: the constructor of a record without its parameters, which are those of the record. */
export function compactParameters(
  walk: Walk,
  file: JavaFile,
  node: SyntaxNode,
  open: { readonly scope: ScopeRow; readonly row: FunctionRow },
  frame: Frame,
): void {
  let record = file.reader.parent(node);
  while (record !== NO_NODE && !file.is(record, 'record_declaration')) record = file.reader.parent(record);
  if (record !== NO_NODE) addParameters(walk, file.child(record, 'parameters'), open, frame);
}
