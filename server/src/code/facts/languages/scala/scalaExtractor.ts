/**
 * What a Scala file says: packages, classes, traits, objects, enums with their members, imports, types and calls.
 *
 * It knows the tree-sitter grammar of Scala and nothing of other files. Objects are modules. Infix calls of methods are operations; implicits and
 * givens are not followed.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 */
import { NONE } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { type GrammarNames, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { HANDLERS, QUIET_HANDLERS } from './expressions';
import { scalaGrammar } from './grammar';
import { type Handlers, ScalaWalk } from './walk';

export function createScalaExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = scalaGrammar(names);
  const handlers: Handlers = { values: dispatchTable(grammar.kind, HANDLERS), quiet: dispatchTable(grammar.kind, QUIET_HANDLERS) };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const walk = new ScalaWalk(new FileWalk(table, grammar, language, facts), handlers);
      const scope = walk.file.builder.addScope('module', NONE);
      if (table.count > 0) walk.run(syntaxNode(0), { scope, owner: NONE, body: { decisions: 0 }, level: 'package', package: '' });
      return walk.file.finish();
    },
  };
}
