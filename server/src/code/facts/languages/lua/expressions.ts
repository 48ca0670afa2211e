import { type ExpressionRow, NO_TEXT, NONE, type SomeRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { addFunction } from './functions';
import type { LuaKind } from './grammar';
import type { LuaWalk, Place, ValueHandler } from './walk';

export const VALUE_HANDLERS: Partial<Record<LuaKind, ValueHandler>> = {
  identifier: (walk, node, place) => {
    const row = nameRow(walk, node, place);
    walk.file.readName(row, place.owner, walk.file.word(node), walk.file.reader.start(node), place.scope);
    return row;
  },
  dot_index_expression: (walk, node, place) => {
    const row = memberRow(walk, node, place);
    const field = walk.file.child(node, 'field');
    walk.file.use('read', row, place.owner, walk.file.word(field), walk.file.reader.start(field));
    return row;
  },
  function_call: callValue,
  function_definition: (walk, node, place) => walk.file.row('function', addFunction(walk, node, NONE, place, NONE)),
  table_constructor: (walk, node, place) => {
    const list: SomeRow[] = [];
    for (const field of walk.file.children(node)) {
      const name = walk.file.child(field, 'name');
      const isName = walk.file.is(name, 'identifier');
      if (!isName && name !== NO_NODE) walk.value(name, place);
      list.push(isName ? walk.file.word(name) : NO_TEXT, walk.value(walk.file.child(field, 'value'), place));
    }
    return walk.file.row('object', NONE, NONE, NO_TEXT, list);
  },
  parenthesized_expression: (walk, node, place) => walk.value(walk.file.reader.firstNamedChild(node), place),
  binary_expression: binaryValue,
  string: walk => walk.file.literal('string'),
  number: walk => walk.file.literal('number'),
  true: walk => walk.file.literal('boolean'),
  false: walk => walk.file.literal('boolean'),
  nil: walk => walk.file.literal('null'),
};

/** Handlers for what is called. */
export const QUIET_HANDLERS: Partial<Record<LuaKind, ValueHandler>> = {
  identifier: nameRow,
  dot_index_expression: memberRow,
  method_index_expression: (walk, node, place) =>
    walk.file.row('member', walk.value(walk.file.child(node, 'table'), place), NONE, walk.file.word(walk.file.child(node, 'method'))),
};

function nameRow(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  return walk.file.row('name', place.scope, NONE, walk.file.word(node));
}

function memberRow(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  return walk.file.row('member', walk.value(walk.file.child(node, 'table'), place), NONE, walk.file.word(walk.file.child(node, 'field')));
}

/** `setmetatable({}, Class)` makes an instance of `Class`. */
function callValue(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const callee = walk.file.child(node, 'name');
  const path = requiredPath(walk, node);
  if (path !== '') {
    const { builder } = walk.file;
    const row = builder.addImport({ kind: 'require', specifier: builder.intern(path), at: walk.file.reader.start(node) });
    return walk.file.row('module', row, NONE, builder.intern(path));
  }
  const calleeRow = walk.quiet(callee, place);
  const list = walk.file.child(node, 'arguments');
  const argumentNodes = walk.file.is(list, 'arguments') ? walk.file.children(list) : list === NO_NODE ? [] : [list];
  const args = argumentNodes.map(argument => walk.value(argument, place));
  const row = walk.file.row('call', calleeRow, NONE, NO_TEXT, args);
  const nameNode = lastName(walk, callee);
  if (nameNode !== NO_NODE) walk.file.use('call', row, place.owner, walk.file.word(nameNode), walk.file.reader.start(nameNode));
  const [, metatable] = argumentNodes;
  if (walk.file.text(callee) === 'setmetatable' && metatable !== undefined && walk.file.is(metatable, 'identifier'))
    return walk.file.row('valueOfType', nameRow(walk, metatable, place));
  return row;
}

function lastName(walk: LuaWalk, callee: SyntaxNode): SyntaxNode {
  if (walk.file.is(callee, 'identifier')) return callee;
  if (walk.file.is(callee, 'dot_index_expression')) return walk.file.child(callee, 'field');
  return walk.file.is(callee, 'method_index_expression') ? walk.file.child(callee, 'method') : NO_NODE;
}

/** Path in `require "a.b"` and `require("a.b")`, '' for anything else. */
export function requiredPath(walk: LuaWalk, node: SyntaxNode): string {
  if (!walk.file.is(node, 'function_call') || walk.file.text(walk.file.child(node, 'name')) !== 'require') return '';
  const text = walk.file.child(walk.file.reader.firstNamedChild(walk.file.child(node, 'arguments')), 'content');
  return walk.file.text(text);
}

/** Long chains lean to the left; they are walked in a loop. */
function binaryValue(walk: LuaWalk, node: SyntaxNode, place: Place): ExpressionRow {
  const chain: SyntaxNode[] = [];
  let left = node;
  for (; walk.file.is(left, 'binary_expression'); left = walk.file.child(left, 'left')) chain.push(left);
  let row = walk.value(left, place);
  for (let at = chain.length - 1; at >= 0; at--) {
    const each = chain[at] ?? node;
    const operator = walk.file.reader.children(each).find(child => !walk.file.reader.isNamed(child));
    const text = operator === undefined ? '' : walk.file.text(operator);
    const isChoice = text === 'and' || text === 'or';
    if (isChoice) place.body.decisions++;
    const right = walk.value(walk.file.child(each, 'right'), place);
    row = text === 'or' ? walk.file.either([row, right]) : text === 'and' ? right : walk.file.row('operation', row, right, walk.file.builder.intern(text));
  }
  return row;
}
