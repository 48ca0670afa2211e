import { MODULE_SCOPE, NONE } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { requiredPath } from './expressions';
import { declareFunction, defineFunction, defineMember } from './functions';
import type { LuaKind } from './grammar';
import type { LuaWalk, Place, StatementHandler } from './walk';

export const STATEMENT_HANDLERS: Partial<Record<LuaKind, StatementHandler>> = {
  function_declaration: declareFunction,
  variable_declaration: (walk, node, place) => {
    const assignment = walk.file.childOf(node, 'assignment_statement');
    const list = walk.file.childOf(assignment === NO_NODE ? node : assignment, 'variable_list');
    assign(walk, node, list, walk.file.childOf(assignment, 'expression_list'), place, true);
  },
  assignment_statement: (walk, node, place) => {
    assign(walk, node, walk.file.childOf(node, 'variable_list'), walk.file.childOf(node, 'expression_list'), place, false);
  },
  return_statement: (walk, node, place) => {
    const rows = walk.file.children(walk.file.childOf(node, 'expression_list')).map(child => walk.value(child, place));
    const [only] = rows;
    if (only === undefined) return;
    if (place.isTop) walk.file.builder.addExport({ kind: 'whole', value: only });
    else place.body.returns.push(only);
  },
  if_statement: branch,
  elseif_statement: branch,
  while_statement: branch,
  repeat_statement: branch,
  for_statement: forStatement,
  goto_statement: () => {},
  label_statement: () => {},
  block: (walk, node, place) => {
    walk.block(node, place);
  },
};

function branch(walk: LuaWalk, node: SyntaxNode, place: Place): void {
  place.body.decisions++;
  walk.run(node, place);
}

function forStatement(walk: LuaWalk, node: SyntaxNode, place: Place): void {
  const { builder } = walk.file;
  place.body.decisions++;
  const clause = walk.file.child(node, 'clause');
  const inside: Place = { ...place, scope: builder.addScope('block', place.scope), isTop: false };
  if (walk.file.is(clause, 'for_numeric_clause')) {
    const [name, ...bounds] = walk.file.children(clause);
    for (const bound of bounds) walk.value(bound, place);
    if (name !== undefined) builder.addBinding({ scope: inside.scope, name: walk.file.word(name), kind: 'variable' });
  } else {
    for (const source of walk.file.children(walk.file.childOf(clause, 'expression_list'))) walk.value(source, place);
    for (const name of walk.file.children(walk.file.childOf(clause, 'variable_list')))
      builder.addBinding({ scope: inside.scope, name: walk.file.word(name), kind: 'variable' });
  }
  walk.run(walk.file.child(node, 'body'), inside);
}

/** `local a, b = …` and `a.b = …`: functions get symbols, tables with functions become types, `require` becomes an import. */
function assign(walk: LuaWalk, node: SyntaxNode, names: SyntaxNode, values: SyntaxNode, place: Place, isLocal: boolean): void {
  const targets = walk.file.children(names);
  const sources = walk.file.children(values);
  targets.forEach((target, index) => {
    const source = sources[index] ?? NO_NODE;
    const only = targets.length === 1;
    if (walk.file.is(target, 'identifier')) assignName(walk, only ? node : target, target, source, place, isLocal);
    else assignMember(walk, only ? node : target, target, source, place);
  });
  for (const extra of sources.slice(targets.length)) walk.value(extra, place);
}

function assignName(walk: LuaWalk, node: SyntaxNode, target: SyntaxNode, source: SyntaxNode, place: Place, isLocal: boolean): void {
  const { builder } = walk.file;
  const name = walk.file.word(target);
  const path = requiredPath(walk, source);
  if (path !== '') {
    const row = builder.addImport({ kind: 'require', specifier: builder.intern(path), localName: name, at: walk.file.reader.start(source) });
    builder.set('imports', 'binding', row, builder.addBinding({ scope: isLocal ? place.scope : MODULE_SCOPE, name, kind: 'import', import: row }));
    return;
  }
  if (walk.file.is(source, 'function_definition')) {
    defineFunction(walk, node, target, source, place);
    return;
  }
  const declares = place.isTop && (isLocal || !walk.globals.has(name));
  if (!declares) {
    const value = source === NO_NODE ? NONE : walk.value(source, place);
    if (isLocal) builder.addBinding({ scope: place.scope, name, kind: 'variable', value });
    else walk.file.use('write', walk.file.row('name', place.scope, NONE, name), place.owner, name, walk.file.reader.start(target));
    return;
  }
  walk.globals.add(name);
  const isTable = walk.holders.has(walk.file.text(target)) || hasFunctions(walk, source);
  const modifiers = isLocal ? 0 : MODIFIERS.exported;
  const symbol = walk.file.declare({ node, nameNode: target, kind: isTable ? 'class' : variableKind(walk.file.text(target)), parent: NONE, modifiers });
  builder.addBinding({ scope: isLocal ? place.scope : MODULE_SCOPE, name, kind: 'symbol', symbol });
  if (isTable) {
    walk.tables.set(name, symbol);
    tableFields(walk, target, source, place);
  } else if (source !== NO_NODE) builder.set('symbols', 'value', symbol, walk.value(source, place));
}

function hasFunctions(walk: LuaWalk, source: SyntaxNode): boolean {
  if (!walk.file.is(source, 'table_constructor')) return false;
  return walk.file
    .children(source)
    .some(field => walk.file.is(walk.file.child(field, 'value'), 'function_definition') && walk.file.is(walk.file.child(field, 'name'), 'identifier'));
}

/** `local M = { f = function() … end }`: functions written into the table are its members. */
function tableFields(walk: LuaWalk, table: SyntaxNode, source: SyntaxNode, place: Place): void {
  if (!walk.file.is(source, 'table_constructor')) {
    if (source !== NO_NODE) walk.value(source, place);
    return;
  }
  for (const field of walk.file.children(source)) {
    const nameNode = walk.file.child(field, 'name');
    const value = walk.file.child(field, 'value');
    if (walk.file.is(value, 'function_definition') && walk.file.is(nameNode, 'identifier')) defineMember(walk, { node: field, nameNode, table }, value, place);
    else walk.value(value, place);
  }
}

function variableKind(name: string): 'constant' | 'variable' {
  return /^[A-Z][A-Z0-9_]+$/.test(name) ? 'constant' : 'variable';
}

function assignMember(walk: LuaWalk, node: SyntaxNode, target: SyntaxNode, source: SyntaxNode, place: Place): void {
  const table = walk.file.child(target, 'table');
  const nameNode = walk.file.child(target, 'field');
  if (walk.file.is(target, 'dot_index_expression') && walk.file.is(source, 'function_definition')) {
    defineMember(walk, { node, nameNode, table }, source, place);
    return;
  }
  const object = walk.value(table, place);
  const value = source === NO_NODE ? NONE : walk.value(source, place);
  if (!walk.file.is(target, 'dot_index_expression')) return;
  const name = walk.file.word(nameNode);
  if (value !== NONE) walk.file.builder.addAssignment({ target: object, name, value, owner: place.owner });
  walk.file.use('write', walk.file.row('member', object, NONE, name), place.owner, name, walk.file.reader.start(nameNode));
}
