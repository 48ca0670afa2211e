/** Keys that the code around them lists: `names.forEach(name => this[name]())`, `for (const name of ['a', 'b'])`, `this[flag ? 'a' : 'b']`. */
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { bareValue, isFunctionKind, operand } from '../literals';
import type { Walk } from '../walk';

/** More keys than these say little about any of them. */
const MAX_KEYS = 40;
/** Names that are followed to what they were set to. */
const MAX_STEPS = 4;
/** Methods that hand the items of an array to a function, one by one. */
const HANDING = /^(?:forEach|map|flatMap|filter|find|some|every)$/;
const KEY = /^[A-Za-z_$][\w$]*$/;

const NONE_LISTED: readonly string[] = [];

/** All texts that a key may be, where every one of them is written out; empty where that is not so. */
export function listedKeys(walk: Walk, key: SyntaxNode): readonly string[] {
  const texts = textsOf(walk, key, 0);
  return texts !== undefined && texts.length <= MAX_KEYS && texts.every(text => KEY.test(text)) ? [...new Set(texts)] : NONE_LISTED;
}

type Texts = readonly string[] | undefined;

function textsOf(walk: Walk, node: SyntaxNode, steps: number): Texts {
  const { node: kinds, field } = walk.kinds;
  const value = bareValue(walk, node);
  if (value === NO_NODE || steps > MAX_STEPS) return undefined;
  const kind = walk.kind[value];
  if (kind === kinds.string) return [walk.reader.text(value).slice(1, -1)];
  if (kind === kinds.ternary_expression)
    return joined([textsOf(walk, walk.child(value, field.consequence), steps + 1), textsOf(walk, walk.child(value, field.alternative), steps + 1)]);
  return kind === kinds.identifier ? textsOfName(walk, value, steps) : undefined;
}

/** What a name may be: the variable of a loop over an array or of a function that an array hands its items to, or a constant. */
function textsOfName(walk: Walk, name: SyntaxNode, steps: number): Texts {
  const source = declaration(walk, name);
  if (source === undefined) return undefined;
  return source.isItem ? itemsOf(walk, source.value, steps + 1) : textsOf(walk, source.value, steps + 1);
}

/** Texts in an array that is written out. */
function itemsOf(walk: Walk, node: SyntaxNode, steps: number): Texts {
  const { node: kinds } = walk.kinds;
  const value = bareValue(walk, node);
  if (value === NO_NODE || steps > MAX_STEPS) return undefined;
  if (walk.kind[value] === kinds.array) {
    const items = [...walk.reader.namedChildren(value)].filter(item => walk.kind[item] !== kinds.comment);
    return items.length === 0 || items.length > MAX_KEYS ? undefined : joined(items.map(item => textsOf(walk, item, steps + 1)));
  }
  const source = walk.kind[value] === kinds.identifier ? declaration(walk, value) : undefined;
  return source === undefined || source.isItem ? undefined : itemsOf(walk, source.value, steps + 1);
}

function joined(parts: readonly Texts[]): Texts {
  const texts: string[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    texts.push(...part);
  }
  return texts;
}

/** What a name is declared as: an item of `value`, or `value` itself. */
interface Source {
  readonly value: SyntaxNode;
  readonly isItem: boolean;
}

/** Declaration of a name, nearest first; undefined where something else binds it. */
function declaration(walk: Walk, name: SyntaxNode): Source | undefined {
  const { node: kinds, field } = walk.kinds;
  const text = walk.reader.text(name);
  for (let at = walk.reader.parent(name), inner = name; at !== NO_NODE; inner = at, at = walk.reader.parent(at)) {
    const kind = walk.kind[at] ?? 0;
    if (kind === kinds.for_in_statement && inner !== walk.child(at, field.right)) {
      const left = walk.child(at, field.left);
      if (left !== NO_NODE && walk.reader.text(left) === text) return isOver(walk, at) ? { value: walk.child(at, field.right), isItem: true } : undefined;
    }
    if (isFunctionKind(walk, kind)) {
      const position = parametersOf(walk, at).findIndex(parameter => isNamed(walk, parameter, text));
      if (position > 0) return undefined;
      if (position === 0) return handedItem(walk, at);
    } else if (kind === kinds.function_declaration || kind === kinds.method_definition) {
      if (parametersOf(walk, at).some(parameter => isNamed(walk, parameter, text))) return undefined;
    }
    if (kind === kinds.statement_block || at === 0) {
      const constant = constantIn(walk, at, text);
      if (constant !== NO_NODE) return { value: constant, isItem: false };
    }
    if (at === 0) break;
  }
  return undefined;
}

/** `of`, not `in`, stands before the source of a loop. */
function isOver(walk: Walk, loop: SyntaxNode): boolean {
  return walk.kind[walk.child(loop, walk.kinds.field.operator)] !== walk.kinds.token.in;
}

function parametersOf(walk: Walk, node: SyntaxNode): readonly SyntaxNode[] {
  const { field } = walk.kinds;
  const single = walk.child(node, field.parameter);
  if (single !== NO_NODE) return [single];
  const list = walk.child(node, field.parameters);
  return list === NO_NODE ? [] : [...walk.reader.namedChildren(list)];
}

/** A parameter of that name, with or without a type; of a pattern, any part. */
function isNamed(walk: Walk, parameter: SyntaxNode, name: string): boolean {
  return new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(walk.reader.text(parameter));
}

/** The array whose items a function is given as its first parameter. */
function handedItem(walk: Walk, node: SyntaxNode): Source | undefined {
  const { node: kinds, field } = walk.kinds;
  const list = walk.reader.parent(node);
  const call = list === NO_NODE ? NO_NODE : walk.reader.parent(list);
  if (call === NO_NODE || walk.kind[list] !== kinds.arguments || walk.kind[call] !== kinds.call_expression || operand(walk, list) !== node) return undefined;
  const callee = walk.child(call, field.function);
  if (callee === NO_NODE || walk.kind[callee] !== kinds.member_expression) return undefined;
  if (!HANDING.test(walk.reader.text(walk.child(callee, field.property)))) return undefined;
  return { value: walk.child(callee, field.object), isItem: true };
}

/** Value of a `const` that a block declares, or `NO_NODE`. */
function constantIn(walk: Walk, block: SyntaxNode, name: string): SyntaxNode {
  const { node: kinds, field } = walk.kinds;
  for (const child of walk.reader.namedChildren(block)) {
    const statement = walk.kind[child] === kinds.export_statement ? operand(walk, child) : child;
    if (statement === NO_NODE || walk.kind[statement] !== kinds.lexical_declaration || !walk.reader.text(statement).startsWith('const')) continue;
    for (const declarator of walk.reader.namedChildren(statement)) {
      const named = walk.child(declarator, field.name);
      if (named !== NO_NODE && walk.reader.text(named) === name) return walk.child(declarator, field.value);
    }
  }
  return NO_NODE;
}
