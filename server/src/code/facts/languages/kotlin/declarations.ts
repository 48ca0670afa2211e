import { type ExpressionRow, NO_TEXT, NONE, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { type OpenFunction, openFunction, typePlace } from '../../walk/frames';
import { argumentNodes } from './calls';
import { addParameters, runBody } from './functions';
import { hasToken, type KotlinFile } from './grammar';
import { addAnnotations, flagsOf, hasModifier, signatureStart } from './modifiers';
import { addType, addTypeParameters, isType, lastTypeName, typeBehind } from './types';
import type { Frame, TypeKind, Walk } from './walk';

/** Name of constructors, as the virtual machine knows them. */
export const CONSTRUCTOR = '<init>';

interface Form {
  readonly symbol: SymbolKind;
  readonly body: TypeKind;
}

function formOf(file: KotlinFile, node: SyntaxNode): Form {
  if (file.is(node, 'object_declaration', 'companion_object')) return { symbol: 'class', body: 'object' };
  if (hasToken(file, node, 'interface')) return { symbol: 'interface', body: 'interface' };
  return hasModifier(file, node, 'enum') || hasToken(file, node, 'enum') ? { symbol: 'enum', body: 'enum' } : { symbol: 'class', body: 'class' };
}

/** Declares a class, interface, enum, object or companion with its bases and members, at any level. */
export function declareType(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const nameNode = file.child(node, 'name');
  const isCompanion = file.is(node, 'companion_object');
  if (nameNode === NO_NODE && !isCompanion) return;
  const form = formOf(file, node);
  const body = bodyOf(file, node);
  const isStatic = isCompanion || (frame.type !== undefined && !hasModifier(file, node, 'inner')) ? MODIFIERS.static : 0;
  const isAbstract = form.body === 'interface' || hasModifier(file, node, 'sealed') ? MODIFIERS.abstract : 0;
  const name = nameNode === NO_NODE ? builder.intern('Companion') : file.word(nameNode);
  const symbol = file.declare({
    node,
    nameNode,
    name,
    kind: form.symbol,
    parent: frame.owner,
    modifiers: flagsOf(file, node) | isStatic | isAbstract,
    body,
    signatureFrom: signatureStart(file, node),
  });
  const scope = builder.addScope('class', frame.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  if (frame.type === undefined || frame.body !== undefined) builder.addBinding({ scope: frame.scope, name, kind: 'symbol', symbol });
  addAnnotations(walk, node, symbol, frame);
  addTypeParameters(file, node, scope, symbol);
  const inside: Frame = { scope, owner: symbol, type: { symbol, scope, kind: form.body }, body: undefined };
  addBases(walk, node, form.body, inside);
  addPrimaryConstructor(walk, node, inside);
  walk.members(body, inside);
  file.hashContainer(symbol, node, body);
}

function bodyOf(file: KotlinFile, node: SyntaxNode): SyntaxNode {
  const body = file.childOf(node, 'class_body');
  return body === NO_NODE ? file.childOf(node, 'enum_class_body') : body;
}

/** `Base(x)` is extended and called, `I` implemented, `J by j` implemented by what is given. */
function addBases(walk: Walk, node: SyntaxNode, kind: TypeKind, frame: Frame): void {
  const { file } = walk;
  for (const specifier of file.children(file.childOf(node, 'delegation_specifiers'))) {
    const inner = file.children(specifier).find(child => !file.is(child, 'annotation')) ?? NO_NODE;
    const isCall = file.is(inner, 'constructor_invocation');
    const typeNode = isType(file, inner) ? inner : typeBehind(file, inner);
    if (typeNode === NO_NODE) continue;
    const row = addType(file, typeNode, typePlace(frame));
    const { name, at } = lastTypeName(file, typeNode);
    file.builder.addHeritage(frame.owner, isCall || kind === 'interface' ? 'extends' : 'implements', row, at);
    if (isCall) {
      const args = argumentNodes(file, file.childOf(inner, 'value_arguments')).map(argument => walk.value(argument, frame));
      file.use('call', file.row('call', file.row('super', frame.scope), NONE, NO_TEXT, args), frame.owner, name, at);
    } else if (file.is(inner, 'explicit_delegation')) for (const child of file.children(inner)) if (child !== typeNode) walk.value(child, frame);
  }
}

/** Parameters with `val` or `var` are properties; the others are seen by initializers. */
function addPrimaryConstructor(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const constructor = file.childOf(node, 'primary_constructor');
  if (constructor === NO_NODE) return;
  const list = file.childOf(constructor, 'class_parameters');
  const symbol = file.declare({
    node: constructor,
    nameNode: NO_NODE,
    name: file.builder.intern(CONSTRUCTOR),
    kind: 'constructor',
    parent: frame.owner,
    modifiers: flagsOf(file, constructor),
    signatureFrom: signatureStart(file, constructor),
  });
  const open = openFunction(file, frame.scope, symbol);
  file.builder.set('symbols', 'complexity', symbol, 1);
  addAnnotations(walk, constructor, symbol, frame);
  addParameters(walk, list, open, { ...frame, owner: symbol });
  const bindings = parameterBindings(file, open);
  file
    .children(list)
    .filter(child => file.is(child, 'class_parameter'))
    .forEach((parameter, index) => {
      const nameNode = file.childOf(parameter, 'identifier');
      const type = file.builder.bindings.type[bindings[index] ?? 0] ?? NONE;
      if (nameNode === NO_NODE) return;
      const isVariable = hasToken(file, parameter, 'var');
      if (!isVariable && !hasToken(file, parameter, 'val')) {
        file.builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'variable', type });
        return;
      }
      const modifiers = flagsOf(file, parameter) | (isVariable ? 0 : MODIFIERS.readonly);
      const property = file.declare({ node: parameter, nameNode, kind: 'property', parent: frame.owner, modifiers, type });
      addAnnotations(walk, parameter, property, frame);
    });
}

function parameterBindings(file: KotlinFile, open: OpenFunction): readonly number[] {
  const { functions, lists } = file.builder;
  const start = functions.parameterStart[open.row] ?? 0;
  return lists.slice(start, start + (functions.parameterCount[open.row] ?? 0));
}

/** `constructor(a: A) : this(a, b) { … }` */
export function declareConstructor(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const body = file.childOf(node, 'block');
  const symbol = file.declare({
    node,
    nameNode: NO_NODE,
    name: file.builder.intern(CONSTRUCTOR),
    kind: 'constructor',
    parent: frame.owner,
    modifiers: flagsOf(file, node),
    body,
    signatureFrom: signatureStart(file, node),
  });
  const open = openFunction(file, frame.scope, symbol);
  addAnnotations(walk, node, symbol, frame);
  const inside: Frame = { ...frame, scope: open.scope, owner: symbol };
  addParameters(walk, file.childOf(node, 'function_value_parameters'), open, inside);
  const delegation = file.childOf(node, 'constructor_delegation_call');
  if (delegation !== NO_NODE) {
    const word = syntaxNode(delegation + 1);
    const args = argumentNodes(file, file.childOf(delegation, 'value_arguments')).map(argument => walk.value(argument, inside));
    const isOwn = file.text(word) === 'this';
    const name = file.builder.intern(CONSTRUCTOR);
    const callee = isOwn ? file.row('member', file.row('this', open.scope), NONE, name) : file.row('super', open.scope);
    file.use('call', file.row('call', callee, NONE, NO_TEXT, args), symbol, file.word(word), file.reader.start(word));
  }
  runBody(walk, body, open, symbol, frame);
}

/** A constant of an enum; one with a body is a class of its own beside it, named in angle brackets. */
export function declareEntry(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { type } = frame;
  const nameNode = file.childOf(node, 'identifier');
  if (nameNode === NO_NODE || type === undefined) return;
  const body = file.childOf(node, 'class_body');
  const modifiers = MODIFIERS.static | MODIFIERS.readonly | MODIFIERS.exported;
  const symbol = file.declare({ node, nameNode, kind: 'enum_member', parent: type.symbol, modifiers, body });
  addAnnotations(walk, node, symbol, frame);
  const list = file.childOf(node, 'value_arguments');
  const args = argumentNodes(file, list).map(argument => walk.value(argument, frame));
  const row = file.row('new', file.row('class', type.symbol), NONE, NO_TEXT, args);
  file.builder.set('symbols', 'value', symbol, row);
  if (list !== NO_NODE) file.use('new', row, type.symbol, file.word(nameNode), file.reader.start(nameNode));
  if (body === NO_NODE) return;
  const own = anonymous(walk, { node, body, nameNode, name: `<${file.text(nameNode)}>` }, frame);
  file.builder.addHeritage(
    own.symbol,
    'extends',
    file.row('name', frame.scope, NONE, file.builder.symbols.name[type.symbol] ?? NO_TEXT),
    file.reader.start(nameNode),
  );
  walk.members(body, own.frame);
}

/** `object : Base(x), I { … }`: an instance of a class named after its first base in angle brackets. */
export function objectLiteral(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const body = file.childOf(node, 'class_body');
  const specifiers = file.childOf(node, 'delegation_specifiers');
  const first = file.children(specifiers)[0];
  const inner = first === undefined ? NO_NODE : file.reader.lastNamedChild(first);
  const { name } = lastTypeName(file, isType(file, inner) ? inner : typeBehind(file, inner));
  const text = name === 0 ? 'object' : (file.builder.strings[name] ?? 'object');
  const own = anonymous(walk, { node, body, nameNode: NO_NODE, name: `<${text}>` }, frame);
  addBases(walk, node, 'object', own.frame);
  walk.members(body, own.frame);
  file.hashContainer(own.symbol, node, body);
  return file.row('new', file.row('class', own.symbol));
}

interface Anonymous {
  readonly node: SyntaxNode;
  readonly body: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly name: string;
}

function anonymous(walk: Walk, made: Anonymous, frame: Frame): { readonly symbol: SymbolRow; readonly frame: Frame } {
  const { file } = walk;
  const { node, body, nameNode } = made;
  const symbol = file.declare({ node, nameNode, name: file.builder.intern(made.name), kind: 'class', parent: frame.owner, body });
  const scope = file.builder.addScope('class', frame.scope, symbol);
  file.builder.set('symbols', 'scope', symbol, scope);
  return { symbol, frame: { scope, owner: symbol, type: { symbol, scope, kind: 'class' }, body: undefined } };
}

/** `typealias H<X> = …` */
export function declareAlias(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const nameNode = file.child(node, 'type');
  if (nameNode === NO_NODE) return;
  const symbol = file.declare({ node, nameNode, kind: 'type', parent: frame.owner, modifiers: flagsOf(file, node) });
  file.builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol', symbol });
  const scope = file.builder.addScope('type', frame.scope, symbol);
  file.builder.set('symbols', 'scope', symbol, scope);
  addTypeParameters(file, node, scope, symbol);
  file.builder.set('symbols', 'type', symbol, addType(file, typeBehind(file, node, nameNode), { scope, owner: symbol, use: 'type' }));
}
