import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type StringIndex } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { anonymousClass } from '../declarations/classes';
import { classRow, lastPart, nameRow, qualifierRow } from '../names';
import type { Frame, Walk } from '../walk';
import { elementValue } from './arrays';
import { callableRow, passCallables } from './callables';
import { plainString } from './strings';

type SpecialCall = (walk: Walk, node: SyntaxNode, list: SyntaxNode, frame: Frame) => ExpressionRow | undefined;

/** Calls of well-known functions; each says `undefined` when the call is not of the expected form. */
const SPECIAL_CALLS: ReadonlyMap<string, SpecialCall> = new Map<string, SpecialCall>([
  ['define', defineConstant],
  ['constant', () => undefined],
  ['call_user_func', callThrough],
  ['call_user_func_array', callThrough],
]);

/** Functions that test elements, and those that count what they are given. */
const TESTING = /^\\?(?:isset|empty)$/i;
const COUNTING = /^\\?(?:count|sizeof)$/i;

/** Values of the arguments; `undefined` when they are `(...)`, which makes a callable of the callee. */
export function argumentRows(walk: Walk, list: SyntaxNode, frame: Frame): ExpressionRow[] | undefined {
  const { file } = walk;
  const rows: ExpressionRow[] = [];
  for (const argument of file.children(list)) {
    if (file.is(argument, 'variadic_placeholder')) return undefined;
    rows.push(file.nested(file.unknown(), () => walk.value(argument, frame)));
  }
  return rows;
}

export function callFunction(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const callee = file.child(node, 'function');
  const list = file.child(node, 'arguments');
  const isName = file.is(callee, 'name', 'qualified_name', 'relative_name');
  const special = isName ? SPECIAL_CALLS.get(file.text(callee).replace(/^\\/, '').toLowerCase()) : undefined;
  if (special !== undefined) {
    const row = special(walk, node, list, frame);
    if (row !== undefined) return row;
  }
  const calleeRow = isName ? nameRow(file, file.text(callee), frame) : walk.quiet(callee, frame);
  const { name, at } = isName ? lastPart(file, callee) : calleeName(walk, callee);
  if (isName && TESTING.test(file.text(callee))) return testElements(walk, list, frame);
  if (isName) passCallables(walk, list, file.text(callee), frame);
  return finishCall(walk, calleeRow, list, name, at, frame);
}

/** `isset($x[k])`, `empty($x[k])`. */
function testElements(walk: Walk, list: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  for (const argument of file.children(list)) {
    const tested = file.reader.lastNamedChild(argument);
    if (file.is(tested, 'subscript_expression')) elementValue(walk, tested, frame, 'offsetExists');
    else walk.value(argument, frame);
  }
  return file.literal('boolean');
}

/** Name and place of what is called when it is no plain name. */
function calleeName(walk: Walk, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  const { file } = walk;
  for (let at = node, steps = 0; steps < 20 && at !== NO_NODE; steps++) {
    if (file.is(at, 'variable_name')) return { name: file.word(at), at: file.reader.start(at) };
    const name = file.child(at, 'name');
    if (name !== NO_NODE) return lastPart(file, name);
    if (!file.is(at, 'parenthesized_expression', 'subscript_expression')) break;
    at = file.reader.firstNamedChild(at);
  }
  return { name: NO_TEXT, at: file.reader.start(node) };
}

function finishCall(walk: Walk, callee: ExpressionRow, list: SyntaxNode, name: StringIndex, at: number, frame: Frame): ExpressionRow {
  const { file } = walk;
  const rows = argumentRows(walk, list, frame);
  if (rows === undefined) {
    file.use('read', callee, frame.owner, name, at);
    return callee;
  }
  const row = file.row('call', callee, NONE, NO_TEXT, rows);
  file.use('call', row, frame.owner, name, at);
  const [counted] = rows;
  const word = file.builder.strings[name] ?? '';
  if (counted !== undefined && COUNTING.test(word)) file.useImplicit(counted, 'count', frame.owner, word, at);
  return row;
}

/** `$o->m(…)` and `$o?->m(…)`. */
export function callMember(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const chain: SyntaxNode[] = [];
  let at = node;
  for (; file.is(at, 'member_call_expression', 'nullsafe_member_call_expression'); at = file.child(at, 'object')) chain.push(at);
  let row = walk.value(at, frame);
  for (const call of chain.reverse()) row = memberCall(walk, call, row, frame);
  return row;
}

function memberCall(walk: Walk, node: SyntaxNode, object: ExpressionRow, frame: Frame): ExpressionRow {
  const { file } = walk;
  const name = file.child(node, 'name');
  const list = file.child(node, 'arguments');
  if (file.is(name, 'name')) return finishCall(walk, file.row('member', object, NONE, file.word(name)), list, file.word(name), file.reader.start(name), frame);
  const callee = name === NO_NODE ? file.unknown() : walk.value(name, frame);
  return finishCall(walk, callee, list, NO_TEXT, file.reader.start(name === NO_NODE ? node : name), frame);
}

/** `A::m(…)`, `self::m(…)`, `parent::m(…)`, `$class::m(…)`. */
export function callStatic(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const object = qualifierRow(walk, file.child(node, 'scope'), frame);
  return memberCall(walk, node, object, frame);
}

/** `new A(…)`, `new $class(…)`, `new class { … }`. */
export function createObject(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const target = file.reader.firstNamedChild(node);
  if (target === NO_NODE) return file.unknown();
  if (file.is(target, 'anonymous_class')) {
    const { symbol, rows } = anonymousClass(walk, target, frame);
    if (symbol === NONE) return file.unknown();
    const made = file.row('new', file.row('class', symbol), NONE, NO_TEXT, rows);
    file.use('new', made, frame.owner, file.builder.intern('class'), file.reader.start(target));
    return made;
  }
  const callee = classRow(walk, target, frame);
  const row = file.row('new', callee, NONE, NO_TEXT, argumentRows(walk, file.childOf(node, 'arguments'), frame) ?? []);
  const { name, at } = file.is(target, 'name', 'qualified_name', 'relative_name') ? lastPart(file, target) : calleeName(walk, target);
  file.use('new', row, frame.owner, name, at);
  return row;
}

/** `define('NAME', value)` declares a constant of the global namespace. */
function defineConstant(walk: Walk, node: SyntaxNode, list: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [nameArgument, valueArgument] = file.children(list);
  if (nameArgument === undefined || valueArgument === undefined) return undefined;
  const nameNode = file.reader.lastNamedChild(nameArgument);
  const text = plainString(file, nameNode);
  if (text === undefined || !/^\\?[A-Za-z_]\w*$/.test(text)) return undefined;
  const value = walk.value(valueArgument, frame);
  const content = file.childOf(nameNode, 'string_content');
  const symbol = file.declare({ node, nameNode: content, kind: 'constant', parent: NONE, modifiers: MODIFIERS.readonly | MODIFIERS.exported, value });
  file.builder.addBinding({ scope: MODULE_SCOPE, name: file.word(content), kind: 'symbol', symbol });
  return file.literal('boolean');
}

/** `call_user_func($callable, …)` calls what it is given. */
function callThrough(walk: Walk, node: SyntaxNode, list: SyntaxNode, frame: Frame): ExpressionRow | undefined {
  const { file } = walk;
  const [first, ...rest] = file.children(list);
  if (first === undefined) return undefined;
  const target = callableRow(walk, file.reader.lastNamedChild(first), frame);
  if (target === undefined) return undefined;
  const rows = rest.map(argument => walk.value(argument, frame));
  const row = file.row('call', target.row, NONE, NO_TEXT, rows);
  file.use('call', row, frame.owner, target.name, target.at);
  return row;
}
