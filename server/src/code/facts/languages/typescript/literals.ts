import { NO_TEXT, type StringIndex } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Walk } from './walk';

/** Keys that give a name: others (selectors, paths, sentences) leave what they hold without one. */
const NAME = /^[\w$#-]+$/;

/**
 * Interned key of a member: an identifier, a number, a string without quotes, `x` of `[x]` and of `[Symbol.x]`.
 * 0 for any other computed key. Computed keys are visited.
 */
export function memberName(walk: Walk, node: SyntaxNode): StringIndex {
  if (node === NO_NODE) return NO_TEXT;
  const { node: kinds } = walk.kinds;
  const kind = walk.kind[node];
  if (kind === kinds.string) return stringText(walk, node);
  if (kind !== kinds.computed_property_name) return walk.nameOf(node);
  const inner = walk.reader.firstNamedChild(node);
  if (inner === NO_NODE) return NO_TEXT;
  if (walk.kind[inner] === kinds.string) return stringText(walk, inner);
  walk.value(inner);
  if (walk.kind[inner] === kinds.identifier) return walk.nameOf(inner);
  const isWellKnown = walk.kind[inner] === kinds.member_expression && walk.reader.text(inner).startsWith('Symbol.');
  return isWellKnown ? walk.nameOf(walk.child(inner, walk.kinds.field.property)) : NO_TEXT;
}

/** Whether a key may name a symbol. */
export function isNaming(walk: Walk, name: StringIndex): boolean {
  return name !== 0 && NAME.test(walk.builder.strings[name] ?? '');
}

/** Interned content of a string literal, escapes left as written. */
export function stringText(walk: Walk, node: SyntaxNode): StringIndex {
  return walk.builder.internRange(walk.reader.start(node) + 1, Math.max(walk.reader.start(node) + 1, walk.reader.end(node) - 1));
}

/** The expression inside parentheses, `as` and `satisfies`. */
export function bareValue(walk: Walk, node: SyntaxNode): SyntaxNode {
  const { node: kinds } = walk.kinds;
  let inner = node;
  for (;;) {
    const kind = inner === NO_NODE ? 0 : walk.kind[inner];
    const isWrapper =
      kind === kinds.parenthesized_expression ||
      (kind !== 0 && (kind === kinds.as_expression || kind === kinds.satisfies_expression || kind === kinds.non_null_expression));
    if (!isWrapper) return inner;
    inner = operand(walk, inner);
  }
}

export function isFunctionKind(walk: Walk, kind: number): boolean {
  const { node: kinds } = walk.kinds;
  return kind === kinds.arrow_function || kind === kinds.function_expression || kind === kinds.generator_function;
}

/** Name that a function expression gives itself, or `undefined`. */
export function ownName(walk: Walk, node: SyntaxNode): StringIndex | undefined {
  const name = walk.child(node, walk.kinds.field.name);
  return name === NO_NODE ? undefined : walk.nameOf(name);
}

/** First named child that is no comment. */
export function operand(walk: Walk, node: SyntaxNode): SyntaxNode {
  let child = walk.reader.firstNamedChild(node);
  while (child !== NO_NODE && walk.kind[child] === walk.kinds.node.comment) child = walk.reader.nextNamedSibling(child);
  return child;
}

const FREEZING = /^Object\.(?:freeze|seal|preventExtensions)$/;

/** The object literal that a value is, also where it is frozen on the spot; `NO_NODE` for other values. */
export function objectIn(walk: Walk, node: SyntaxNode): SyntaxNode {
  const { node: kinds, field } = walk.kinds;
  const inner = bareValue(walk, node);
  if (inner === NO_NODE || walk.kind[inner] === kinds.object) return inner;
  if (walk.kind[inner] !== kinds.call_expression) return NO_NODE;
  const callee = walk.child(inner, field.function);
  const list = walk.child(inner, field.arguments);
  if (callee === NO_NODE || list === NO_NODE || walk.kind[callee] !== kinds.member_expression || !FREEZING.test(walk.reader.text(callee))) return NO_NODE;
  const first = operand(walk, list);
  return first !== NO_NODE && walk.kind[first] === kinds.object ? first : NO_NODE;
}

/** `require('x')`, `require('x').y`, `await import('x')`. */
export function isRequire(walk: Walk, node: SyntaxNode): boolean {
  const { node: kinds, field } = walk.kinds;
  let inner = bareValue(walk, node);
  while (inner !== NO_NODE) {
    const kind = walk.kind[inner];
    if (kind === kinds.member_expression) inner = walk.child(inner, field.object);
    else if (kind === kinds.await_expression) inner = walk.reader.firstNamedChild(inner);
    else if (kind === kinds.call_expression) {
      const callee = walk.child(inner, field.function);
      if (callee === NO_NODE) return false;
      return walk.kind[callee] === kinds.import || (walk.kind[callee] === kinds.identifier && walk.reader.text(callee) === 'require');
    } else return false;
  }
  return false;
}
