import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { inBlock, openFunction } from '../../walk/frames';
import { bindVariables } from './control';
import { declareConstructor, declareEntry, declareType } from './declarations';
import { addParameter, addParameters, runBody } from './functions';
import { hasToken, type KindName, type KotlinFile } from './grammar';
import { addAnnotations, flagsOf, signatureStart } from './modifiers';
import { addType, addTypeParameters, isType, typeBehind } from './types';
import { type Frame, type MemberHandler, type Walk } from './walk';

/** How each kind of member of a type is declared. */
export const MEMBER_HANDLERS: Partial<Record<KindName, MemberHandler>> = {
  function_declaration: declareFunction,
  property_declaration: declareProperty,
  secondary_constructor: declareConstructor,
  class_declaration: declareType,
  object_declaration: declareType,
  companion_object: declareType,
  enum_entry: declareEntry,
  anonymous_initializer: (walk, node, frame) => {
    walk.run(walk.file.childOf(node, 'block'), inBlock(walk.file, frame));
  },
};

interface Receiver {
  /** Node of the type, `NO_NODE` for none. */
  readonly type: SyntaxNode;
  /** Name of the type as a segment of the id, interned; 0 for none. */
  readonly container: StringIndex;
}

/** Type in front of the name of an extension. */
function receiverOf(file: KotlinFile, node: SyntaxNode, nameNode: SyntaxNode): Receiver {
  const type = file.children(node).find(child => child < nameNode && isType(file, child)) ?? NO_NODE;
  if (type === NO_NODE) return { type, container: NO_TEXT };
  const name = /(?<last>\w+)\s*(?:<[\s\S]*)?[?)\s]*$/.exec(file.text(type).replace(/<[\s\S]*>/, ''))?.groups?.['last'] ?? '';
  return { type, container: file.builder.intern(name) };
}

/** A function, method, extension or local function. */
export function declareFunction(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  let nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  if (file.reader.length(nameNode) === 0) nameNode = lastIdentifier(file, typeBehind(file, node));
  if (nameNode === NO_NODE) return;
  const receiver = receiverOf(file, node, file.child(node, 'name'));
  const list = file.childOf(node, 'function_value_parameters');
  const body = file.childOf(node, 'function_body');
  const isMember = frame.type !== undefined && frame.body === undefined;
  const isAbstract = body === NO_NODE ? MODIFIERS.declared | MODIFIERS.abstract : 0;
  const symbol = file.declare({
    node,
    nameNode,
    kind: isMember ? 'method' : 'function',
    parent: frame.owner,
    container: receiver.container,
    modifiers: flagsOf(file, node) | isAbstract,
    body,
    signatureFrom: signatureStart(file, node),
  });
  // The receiver is looked up from outside of the function, which sees the members of the receiver; so are its type parameters.
  const around = receiver.type === NO_NODE ? frame.scope : builder.addScope('block', frame.scope);
  const open = openFunction(file, around, symbol);
  if (!isMember) builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol', symbol });
  addAnnotations(walk, node, symbol, frame);
  addTypeParameters(file, node, receiver.type === NO_NODE ? open.scope : around, symbol);
  const place = { scope: open.scope, owner: symbol, use: 'type' } as const;
  if (receiver.type !== NO_NODE) builder.set('symbols', 'receiver', symbol, addType(file, receiver.type, { ...place, scope: around }));
  const inside: Frame = { ...frame, scope: open.scope, owner: symbol };
  addParameters(walk, list, open, inside);
  const returns = file.children(node).find(child => child > list && isType(file, child)) ?? NO_NODE;
  const unit = returns === NO_NODE && file.is(file.reader.firstNamedChild(body), 'block');
  builder.set('functions', 'returnType', open.row, unit || body === NO_NODE ? unitOr(file, returns, place) : addType(file, returns, place));
  runBody(walk, body, open, symbol, inside);
}

/** A block body without a declared type gives nothing. */
function unitOr(file: KotlinFile, returns: SyntaxNode, place: { readonly scope: ScopeRow; readonly owner: SymbolRow; readonly use: 'type' }): ExpressionRow {
  return returns === NO_NODE ? file.row('name', place.scope, NONE, file.builder.intern('Unit')) : addType(file, returns, place);
}

/** The grammar takes `A.B.f` for a type when there are two dots or more. */
function lastIdentifier(file: KotlinFile, type: SyntaxNode): SyntaxNode {
  return (
    file
      .children(type)
      .filter(child => file.is(child, 'identifier'))
      .at(-1) ?? NO_NODE
  );
}

/** A property of a type or a file, or an extension property. */
export function declareProperty(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const variable = file.childOf(node, 'variable_declaration');
  const nameNode = file.childOf(variable, 'identifier');
  if (nameNode === NO_NODE) {
    declareParts(walk, node, frame);
    return;
  }
  const receiver = receiverOf(file, node, variable);
  const isMember = frame.type !== undefined;
  const getter = file.childOf(node, 'getter');
  const getterBody = file.childOf(getter, 'function_body');
  let flags = flagsOf(file, node) | (hasToken(file, node, 'val') ? MODIFIERS.readonly : 0);
  if (frame.type?.kind === 'object') flags |= MODIFIERS.static;
  if (getterBody !== NO_NODE) flags |= MODIFIERS.getter | MODIFIERS.property;
  const kind: SymbolKind = /\bconst\b/.test(file.text(file.childOf(node, 'modifiers')))
    ? 'constant'
    : isMember || receiver.type !== NO_NODE
      ? 'property'
      : 'variable';
  const symbol = file.declare({
    node,
    nameNode,
    kind,
    parent: frame.owner,
    container: receiver.container,
    modifiers: flags,
    signatureFrom: signatureStart(file, node),
  });
  if (!isMember) builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol', symbol });
  addAnnotations(walk, node, symbol, frame);
  const scope = builder.addScope('block', frame.scope);
  addTypeParameters(file, node, scope, symbol);
  const place = { scope, owner: symbol, use: 'type' } as const;
  if (receiver.type !== NO_NODE) builder.set('symbols', 'receiver', symbol, addType(file, receiver.type, place));
  const type = addType(file, typeBehind(file, variable), place);
  builder.set('symbols', 'type', symbol, type);
  const inside: Frame = { ...frame, scope, owner: isMember ? frame.owner : symbol };
  const value = initialValue(walk, node, variable, inside);
  if (value !== NONE) builder.set('symbols', 'value', symbol, value);
  if (getterBody !== NO_NODE) {
    const open = openFunction(file, scope, symbol);
    const declared = typeBehind(file, getter);
    builder.set('functions', 'returnType', open.row, declared === NO_NODE ? type : addType(file, declared, place));
    runBody(walk, getterBody, open, symbol, inside);
  }
  const setter = file.childOf(node, 'setter');
  const setterBody = file.childOf(setter, 'function_body');
  if (setterBody !== NO_NODE) {
    const open = openFunction(file, scope, NONE);
    const parameter = file.childOf(setter, 'identifier');
    builder.setParameters(open.row, [addParameter(walk, parameter, type, NONE, open, 0)]);
    walk.run(file.reader.firstNamedChild(setterBody), { ...inside, scope: open.scope, owner: symbol });
  }
}

/** What stands behind `=` or `by`. */
export function initialValue(walk: Walk, node: SyntaxNode, variable: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const delegate = file.childOf(node, 'property_delegate');
  if (delegate !== NO_NODE) return delegatedValue(walk, file.reader.firstNamedChild(delegate), frame);
  const value = file.children(node).find(child => child > variable && !file.is(child, 'getter', 'setter', 'type_constraints') && !isType(file, child));
  return value === undefined ? NONE : walk.value(value, frame);
}

const WELL_KNOWN_DELEGATES = /^(?:lazy|lazyOf|observable|vetoable|notNull)$/;

/** `by lazy { … }` holds what the lambda gives; other delegates are asked with `getValue`. */
function delegatedValue(walk: Walk, delegate: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = walk.value(delegate, frame);
  let callee = file.is(delegate, 'call_expression') ? file.reader.firstNamedChild(delegate) : NO_NODE;
  if (file.is(callee, 'call_expression')) callee = file.reader.firstNamedChild(callee);
  if (file.is(callee, 'navigation_expression')) callee = file.reader.lastNamedChild(callee);
  if (callee !== NO_NODE && WELL_KNOWN_DELEGATES.test(file.text(callee))) return file.row('unwrap', row);
  return file.row('call', file.row('member', row, NONE, file.builder.intern('getValue')));
}

/** `val (a, b) = pair` outside of functions. */
function declareParts(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const parts = file.childOf(node, 'multi_variable_declaration');
  if (parts === NO_NODE) return;
  const value = initialValue(walk, node, parts, frame);
  bindVariables(walk, parts, value, frame, frame.scope);
}

/** A local `val`. If its initializer refers to an outer declaration of the same name (`val a = a ?: return`), it is visible only after its declaration, in a scope of its own. */
export function localProperty(walk: Walk, node: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  const parts = file.childOf(node, 'multi_variable_declaration');
  const variable = parts === NO_NODE ? file.childOf(node, 'variable_declaration') : parts;
  if (variable === NO_NODE) return frame;
  const value = initialValue(walk, node, variable, frame);
  const inside = parts === NO_NODE && namesItself(file, node, variable) ? inBlock(walk.file, frame) : frame;
  bindVariables(walk, variable, value, inside, inside.scope);
  for (const accessor of file.children(node).filter(child => file.is(child, 'getter', 'setter'))) walk.value(accessor, inside);
  return inside;
}

function namesItself(file: KotlinFile, node: SyntaxNode, variable: SyntaxNode): boolean {
  const name = file.childOf(variable, 'identifier');
  const length = file.reader.length(name);
  const end = file.reader.after(node);
  for (let at = file.reader.after(variable); at < end; at++) {
    if (file.is(at, 'identifier') && file.reader.length(at) === length && file.text(at) === file.text(name)) return true;
  }
  return false;
}
