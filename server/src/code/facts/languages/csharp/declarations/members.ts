import { NO_TEXT, NONE } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { typeRow } from '../types';
import { type Frame, lastNameNode, type Walk } from '../walk';
import { declareCallable } from './functions';
import { marksOf, withVisibility } from './modifiers';
import { isInterface } from './types';

/** Name of constructors; the rules of the language look for the same. */
const CONSTRUCTOR = '.ctor';
const STATIC_CONSTRUCTOR = '.cctor';
const HEADER_WINDOW = 40;

export function declareMethod(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const returns = file.child(node, 'returns');
  const kind = frame.type === NONE ? 'function' : 'method';
  declareCallable(walk, { node, nameNode, kind, parent: frame.type, modifiers: memberModifiers(walk, node, frame), returns }, frame);
}

/** Modifiers of a member; what an interface declares explicitly for another type is reached through that type only. */
export function memberModifiers(walk: Walk, node: SyntaxNode, frame: Frame): number {
  const { file } = walk;
  const { bits } = marksOf(file, node);
  const explicit = file.childOf(node, 'explicit_interface_specifier');
  if (explicit !== NO_NODE) {
    typeRow(walk, file.first(explicit), frame);
    return bits | MODIFIERS.private;
  }
  return withVisibility(bits, isInterface(file, frame.type));
}

export function declareConstructor(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const modifiers = memberModifiers(walk, node, frame);
  const name = file.builder.intern((modifiers & MODIFIERS.static) === 0 ? CONSTRUCTOR : STATIC_CONSTRUCTOR);
  const callable = { node, nameNode, name, kind: 'constructor', parent: frame.type, modifiers, returns: NO_NODE } as const;
  declareCallable(walk, callable, frame, inner => {
    const initializer = file.childOf(node, 'constructor_initializer');
    if (initializer !== NO_NODE) chainedConstructor(walk, initializer, inner);
  });
}

/** `: base(…)` calls a constructor of the base, `: this(…)` another one of the type. */
function chainedConstructor(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const start = file.reader.start(node);
  const match = /^:\s*(base|this)\b/.exec(file.table.text.slice(start, start + HEADER_WINDOW));
  const rows = file.children(file.childOf(node, 'argument_list')).map(argument => walk.value(argument, frame));
  const word = match?.[1];
  if (match === null || word === undefined) return;
  const callee = word === 'base' ? file.row('super', frame.scope) : file.row('member', file.row('this', frame.scope), NONE, file.builder.intern(CONSTRUCTOR));
  const row = file.row('call', callee, NONE, NO_TEXT, rows);
  file.use('call', row, frame.owner, file.builder.intern(word), start + match[0].length - word.length);
}

export function declareDestructor(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const name = file.builder.intern(`~${file.text(nameNode)}`);
  declareCallable(walk, { node, nameNode, name, kind: 'method', parent: frame.type, modifiers: MODIFIERS.protected, returns: NO_NODE }, frame);
}

/** `operator +`. */
export function declareOperator(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'operator');
  if (nameNode === NO_NODE) return;
  const name = file.builder.intern(`operator ${file.text(nameNode)}`);
  const modifiers = memberModifiers(walk, node, frame);
  declareCallable(walk, { node, nameNode, name, kind: 'method', parent: frame.type, modifiers, returns: file.child(node, 'type') }, frame);
}

/** `implicit operator T`. */
export function declareConversion(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const returns = file.child(node, 'type');
  const last = lastNameNode(file, returns);
  const nameNode = last === NO_NODE ? returns : last;
  if (nameNode === NO_NODE) return;
  const name = file.builder.intern(`operator ${file.text(nameNode)}`);
  const modifiers = memberModifiers(walk, node, frame);
  declareCallable(walk, { node, nameNode, name, kind: 'method', parent: frame.type, modifiers, returns }, frame);
}

/** A function inside a function: bound in the block, a symbol inside the symbol around. */
export function declareLocalFunction(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const modifiers = marksOf(file, node).bits & (MODIFIERS.static | MODIFIERS.async);
  const binding = file.builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol' });
  const returns = file.child(node, 'type');
  const symbol = declareCallable(walk, { node, nameNode, kind: 'function', parent: frame.owner, modifiers, returns }, frame);
  file.builder.set('bindings', 'symbol', binding, symbol);
}
