import { type ExpressionRow, NO_TEXT, NONE, type SomeRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { addFunction } from './functions';
import type { LuaKind } from './grammar';
import type { LuaWalk, Place, ValueHandler } from './walk';

export const VALUE_HANDLERS: Partial<Record<LuaKind, ValueHandler>> = {
  identifier: (walk, node, place) => {
    const row = nameRow(walk, node, place);
    walk.readName(row, place.owner, walk.word(node), walk.reader.start(node), place.scope);
    return row;
  },
  dot_index_expression: (walk, node, place) => {
    const row = memberRow(walk, node, place);
    const field = walk.child(node, 'field');
    walk.use('read', row, place.owner, walk.word(field), walk.reader.start(field));
    return row;
  },
  function_call: callValue,
  function_definition: (walk, node, place) => walk.row('function', addFunction(walk, node, NONE, place, NONE)),
  table_constructor: (walk, node, place) => {
    const list: SomeRow[] = [];
    for (const field of walk.children(node)) {
      const name = walk.child(field, 'name');
      const isName = walk.is(name, 'identifier');
      if (!isName && name !== NO_NODE) walk.value(name, place);
      list.push(isName ? walk.word(name) : NO_TEXT, walk.value(walk.child(field, 'value'), place));
    }
    return walk.row('object', NONE, NONE, NO_TEXT, list);
  },
  parenthesized_expression: (walk, node, place) => walk.value(walk.reader.firstNamedChild(node), place),
  binary_expression: binaryValue,
  string: walk => walk.literal('string'),
  number: walk => walk.literal('number'),
  true: walk => walk.literal('boolean'),
  false: walk => walk.literal('boolean'),
  nil: walk => walk.literal('null'),
};

/** Handlers for what is called. */
export const QUIET_HANDLERS: Partial<Record<LuaKind, ValueHandler>> = {
  identifier: nameRow,
  dot_index_expression: memberRow,
  method_index_expression: (walk, node, place) => walk.row('member', walk.value(walk.child(node, 'table'), place), NONE, walk.word(walk.child(node, 'method'))),
};

function nameRow(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  return walk.row('name', place.scope, NONE, walk.word(node));
}

function memberRow(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  return walk.row('member', walk.value(walk.child(node, 'table'), place), NONE, walk.word(walk.child(node, 'field')));
}

/** `setmetatable({}, Class)` makes an instance of `Class`. */
function callValue(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const callee = walk.child(node, 'name');
  const path = requiredPath(walk, node);
  if (path !== '') {
    const { builder } = walk;
    const row = builder.addImport({ kind: 'require', specifier: builder.intern(path), at: walk.reader.start(node) });
    return walk.row('module', row, NONE, builder.intern(path));
  }
  const calleeRow = walk.quietly(callee, place);
  const list = walk.child(node, 'arguments');
  const argumentNodes = walk.is(list, 'arguments') ? walk.children(list) : list === NO_NODE ? [] : [list];
  const args = argumentNodes.map(argument => walk.value(argument, place));
  const row = walk.row('call', calleeRow, NONE, NO_TEXT, args);
  const nameNode = lastName(walk, callee);
  if (nameNode !== NO_NODE) walk.use('call', row, place.owner, walk.word(nameNode), walk.reader.start(nameNode));
  const [, metatable] = argumentNodes;
  if (walk.text(callee) === 'setmetatable' && metatable !== undefined && walk.is(metatable, 'identifier'))
    return walk.row('valueOfType', nameRow(walk, metatable, place));
  return row;
}

function lastName(walk: LuaWalk, callee: SyntaxNode): SyntaxNode {
  if (walk.is(callee, 'identifier')) return callee;
  if (walk.is(callee, 'dot_index_expression')) return walk.child(callee, 'field');
  return walk.is(callee, 'method_index_expression') ? walk.child(callee, 'method') : NO_NODE;
}

/** Path in `require "a.b"` and `require("a.b")`, '' for anything else. */
export function requiredPath(walk: LuaWalk, node: SyntaxNode): string {
  if (!walk.is(node, 'function_call') || walk.text(walk.child(node, 'name')) !== 'require') return '';
  const text = walk.child(walk.reader.firstNamedChild(walk.child(node, 'arguments')), 'content');
  return walk.text(text);
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; walk.is(left, 'binary_expression'); left = walk.child(left, 'left')) chain.push(left);
  let row = walk.value(left, place);
  for (let at = chain.length - 1; at >= 0; at--) {
    const each = chain[at] ?? node;
    const operator = walk.reader.children(each).find(child => !walk.reader.isNamed(child));
    const text = operator === undefined ? '' : walk.text(operator);
    const isChoice = text === 'and' || text === 'or';
    if (isChoice) place.body.decisions++;
    const right = walk.value(walk.child(each, 'right'), place);
    row = text === 'or' ? walk.either([row, right]) : text === 'and' ? right : walk.row('operation', row, right, walk.builder.intern(text));
  }
  return row;
}
