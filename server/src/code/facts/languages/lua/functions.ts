import { type BindingRow, type FunctionRow, MODULE_SCOPE, NONE, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { openFunction } from '../../walk/frames';
import type { Body, LuaWalk, Place } from './walk';

/** `local function f`, `function f`, `function M.f`, `function M:f`. */
export function declareFunction(walk: LuaWalk, node: SyntaxNode, place: Place): void {
  const name = walk.file.child(node, 'name');
  if (walk.file.is(name, 'dot_index_expression'))
    defineMember(walk, { node, nameNode: walk.file.child(name, 'field'), table: walk.file.child(name, 'table') }, node, place);
  else if (walk.file.is(name, 'method_index_expression'))
    defineMember(walk, { node, nameNode: walk.file.child(name, 'method'), table: walk.file.child(name, 'table') }, node, place, true);
  else if (name !== NO_NODE) defineFunction(walk, node, name, node, place);
}

/** A function under a plain name; `node` is its whole declaration. Names without `local` belong to the file. */
export function defineFunction(walk: LuaWalk, node: SyntaxNode, nameNode: SyntaxNode, definition: SyntaxNode, place: Place): void {
  const symbol = walk.file.declare({ node, nameNode, kind: 'function', parent: place.owner, body: walk.file.child(definition, 'body') });
  const isLocal = walk.file.text(node).startsWith('local');
  walk.file.builder.addBinding({ scope: isLocal ? place.scope : MODULE_SCOPE, name: walk.file.word(nameNode), kind: 'symbol', symbol });
  addFunction(walk, definition, symbol, place, NONE);
}

interface Member {
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly table: SyntaxNode;
}

/** A function in a table; `self` is the table when the function asks for it. */
export function defineMember(walk: LuaWalk, member: Member, definition: SyntaxNode, place: Place, hasSelf = false): void {
  const table = walk.file.is(member.table, 'identifier') ? (walk.tables.get(walk.file.word(member.table)) ?? NONE) : NONE;
  const body = walk.file.child(definition, 'body');
  if (table === NONE) {
    addFunction(walk, definition, NONE, place, NONE);
    return;
  }
  const modifiers = MODIFIERS.exported | (hasSelf ? 0 : MODIFIERS.static);
  const symbol = walk.file.declare({ node: member.node, nameNode: member.nameNode, kind: 'method', parent: table, modifiers, body });
  addFunction(walk, definition, symbol, place, hasSelf ? table : NONE);
}

/** Row of a function with its body; `selfTable` is what `self` is an instance of, or `NONE`. */
export function addFunction(walk: LuaWalk, definition: SyntaxNode, symbol: SymbolRow, place: Place, selfTable: SymbolRow): FunctionRow {
  const { builder } = walk.file;
  const { row, scope } = openFunction(walk.file, place.scope, symbol);
  if (selfTable !== NONE) builder.addBinding({ scope, name: builder.intern('self'), kind: 'parameter', type: walk.file.row('class', selfTable) });
  const rows: BindingRow[] = [];
  for (const parameter of walk.file.children(walk.file.child(definition, 'parameters'))) {
    const isName = walk.file.is(parameter, 'identifier');
    rows.push(isName ? builder.addBinding({ scope, name: walk.file.word(parameter), kind: 'parameter', function: row, position: rows.length }) : NONE);
  }
  builder.setParameters(row, rows);
  const own: Body = { returns: [], decisions: 0 };
  walk.run(walk.file.child(definition, 'body'), { scope, owner: symbol === NONE ? place.owner : symbol, body: own, isTop: false });
  builder.setReturns(row, own.returns);
  if (symbol === NONE) place.body.decisions += own.decisions;
  else builder.set('symbols', 'complexity', symbol, own.decisions + 1);
  return row;
}
