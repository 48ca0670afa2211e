/**
 * What a Lua file says: functions, tables with functions, variables at its top, what it requires, and the calls.
 *
 * It knows the tree-sitter grammar of Lua and nothing of other files. A table of the top of the file that functions are put into is a type: its
 * functions are its members, and `setmetatable({}, T)` gives an instance of it. What the file returns is an export of kind `whole`.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 */
import { NONE } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { type GrammarNames, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './expressions';
import { luaGrammar } from './grammar';
import { STATEMENT_HANDLERS } from './statements';
import { type Handlers, LuaWalk } from './walk';

export function createLuaExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = luaGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    quiet: dispatchTable(grammar.kind, QUIET_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
  };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const walk = new LuaWalk(new FileWalk(table, grammar, language, facts), handlers);
      const scope = walk.file.builder.addScope('module', NONE);
      for (const match of table.text.matchAll(HOLDER)) walk.holders.add(match[1] ?? match[2] ?? '');
      if (table.count > 0) walk.run(syntaxNode(0), { scope, owner: NONE, body: { returns: [], decisions: 0 }, isTop: true });
      return walk.file.finish();
    },
  };
}

/** `function M.f`, `function M:f`, `M.f = function`. */
const HOLDER = /\bfunction\s+([A-Za-z_]\w*)\s*[.:]|^\s*([A-Za-z_]\w*)\.\w+\s*=\s*function\b/gm;
