import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { type CppWalk, GLOBAL_SCOPE } from './walk';

/** Longest text of a macro that is read for names. */
const MAX_MACRO_LENGTH = 4000;
const NOT_CALLED: ReadonlySet<string> = new Set(
  'if while for switch return sizeof defined do else catch alignof decltype typeof __typeof__ static_assert _Static_assert __attribute__ __declspec void int char'.split(
    ' ',
  ),
);

/** `"x.h"` is searched from the file's folder (`require`), `<x.h>` in the include folders (`sideEffect`). */
export function include(walk: CppWalk, node: SyntaxNode): void {
  const path = walk.file.child(node, 'path');
  const text = walk.file.text(path);
  const isQuoted = walk.file.is(path, 'string_literal');
  if (!isQuoted && !walk.file.is(path, 'system_lib_string')) return;
  const specifier = walk.file.builder.intern(text.slice(1, -1).trim());
  walk.file.builder.addImport({ kind: isQuoted ? 'require' : 'sideEffect', specifier, at: walk.file.reader.start(path) + 1 });
}

/** Both branches of a condition are read. */
export function conditional(walk: CppWalk, node: SyntaxNode): void {
  const skipped = [walk.file.child(node, 'condition'), walk.file.child(node, 'name')];
  for (const child of walk.file.children(node)) if (!skipped.includes(child)) walk.statement(child);
}

/** Macros are bound in the global namespace with the modifier `static`: they are seen where they are included, and never linked to. `#define X v`. Include guards and empty switches are no constants. */
export function defineObject(walk: CppWalk, node: SyntaxNode): void {
  const nameNode = walk.file.child(node, 'name');
  const argument = walk.file.child(node, 'value');
  const text = walk.file.text(argument).trim();
  if (nameNode === NO_NODE || text === '') return;
  const { builder } = walk.file;
  const isName = /^[A-Za-z_]\w*$/.test(text);
  const symbol = walk.file.declare({ node, nameNode, kind: 'constant', parent: NONE, modifiers: MODIFIERS.static });
  const value = isName ? walk.file.row('name', GLOBAL_SCOPE, NONE, builder.intern(text)) : literalOf(walk, text);
  builder.set('symbols', 'value', symbol, value);
  if (!isName) macroCalls(walk, argument, symbol, new Set());
  builder.addBinding({ scope: MODULE_SCOPE, name: walk.file.word(nameNode), kind: 'symbol', symbol });
}

function literalOf(walk: CppWalk, text: string): ExpressionRow {
  if (/^L?"/.test(text)) return walk.file.literal('string');
  return /^[-(\d']/.test(text) ? walk.file.literal('number') : walk.file.unknown();
}

/** `#define F(a, b) …`: a function whose text is read for calls only. */
export function defineFunction(walk: CppWalk, node: SyntaxNode): void {
  const nameNode = walk.file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const { builder } = walk.file;
  const argument = walk.file.child(node, 'value');
  const symbol = walk.file.declare({ node, nameNode, kind: 'function', parent: NONE, modifiers: MODIFIERS.static, body: argument, complexity: 1 });
  const scope = builder.addScope('function', GLOBAL_SCOPE, symbol);
  const row = builder.addFunction({ symbol, scope });
  builder.set('scopes', 'function', scope, row);
  builder.set('symbols', 'scope', symbol, scope);
  builder.set('symbols', 'function', symbol, row);
  const names = new Set<string>();
  const parameters = walk.file.children(walk.file.child(node, 'parameters')).map((parameter, position) => {
    names.add(walk.file.text(parameter));
    return builder.addBinding({ scope, name: walk.file.word(parameter), kind: 'parameter', function: row, position });
  });
  builder.setParameters(row, parameters);
  if (/\.\.\.\s*\)$/.test(walk.file.text(walk.file.child(node, 'parameters'))))
    builder.set('symbols', 'modifiers', symbol, MODIFIERS.static | MODIFIERS.variadic);
  builder.addBinding({ scope: MODULE_SCOPE, name: walk.file.word(nameNode), kind: 'symbol', symbol });
  const calls = macroCalls(walk, argument, symbol, names);
  const text = walk.file.text(argument).trim();
  if (calls.length === 1 && /^\(*\s*[A-Za-z_]\w*\s*\([^;{}]*\)\s*\)*$/.test(text)) builder.setReturns(row, calls);
}

/** Names in capitals, as macros and constants have them; what stands behind a dot, an arrow or `#` is none. */
const CAPITALS = /(?<![\w.>#]\s*|::)[A-Z][A-Z0-9_]{2,}\b(?!\s*(?:\(|##))/g;

const CALL = /(?<before>[.>:#]\s*)?\b(?<name>[A-Za-z_]\w*)\s*\(/g;

/** Calls written in the text of a macro and the constants it names, found by their form. */
function macroCalls(walk: CppWalk, argument: SyntaxNode, symbol: SymbolRow, parameters: ReadonlySet<string>): ExpressionRow[] {
  if (argument === NO_NODE) return [];
  const rows: ExpressionRow[] = [];
  const text = walk.file
    .text(argument)
    .slice(0, MAX_MACRO_LENGTH)
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[^]*?\*\/|\/\/[^\n]*/g, found => ' '.repeat(found.length));
  for (const match of text.matchAll(CALL)) {
    const { before, name } = match.groups ?? {};
    if (name === undefined || before !== undefined || NOT_CALLED.has(name) || parameters.has(name)) continue;
    const at = walk.file.reader.start(argument) + match.index;
    const word = walk.file.builder.intern(name);
    const row = walk.file.row('call', walk.file.row('name', GLOBAL_SCOPE, NONE, word), NONE, NO_TEXT, []);
    walk.file.use('call', row, symbol, word, at);
    rows.push(row);
  }
  for (const { 0: name, index } of text.matchAll(CAPITALS)) {
    const word = walk.file.builder.intern(name);
    if (!parameters.has(name)) walk.file.use('read', walk.file.row('name', GLOBAL_SCOPE, NONE, word), symbol, word, walk.file.reader.start(argument) + index);
  }
  return rows;
}
