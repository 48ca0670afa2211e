/**
 * What a C# file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of C# and nothing of other files: names are looked up by the resolver, not here.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * Namespaces are packages of scopes, not symbols. Constructors are called `.ctor`, indexers `this[]`, operators `operator +`. Extension methods are
 * static methods of their class with a `receiver`. Members are not bound in the class scope: the resolver looks them up in the class.
 * A generic type is named with the number of its arguments (``List`1``) where it is used; its symbol and binding have the plain name.
 * Import rows: `star` opens a namespace, or with `typeOnly` (`using static`) a type; `namespace` is an alias; `level` is 1 for `global using`.
 */
import { NONE } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { StatementWalk } from '../../walk/treeWalk';
import { withoutBrokenConditionals } from './conditionals';
import { csharpGrammar } from './grammar';
import { DECLARATION_HANDLERS, STATEMENT_HANDLERS } from './statements';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './values/expressions';
import { CsharpFile, type Frame, fileFrame, type StatementHandler, type Tokens, type ValueHandler, type Walk } from './walk';

export function createCsharpExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = csharpGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    quiet: dispatchTable(grammar.kind, QUIET_HANDLERS),
    statements: dispatchTable(grammar.kind, DECLARATION_HANDLERS, STATEMENT_HANDLERS),
  };
  const facts = new FactTables();
  return {
    prepare: withoutBrokenConditionals,
    extract(table: SyntaxTable) {
      const file = new CsharpFile(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      if (table.count > 0) new CsharpWalk(file, grammar.token, handlers).run(syntaxNode(0), fileFrame(scope));
      return file.finish();
    },
  };
}

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly quiet: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

class CsharpWalk extends StatementWalk<CsharpFile, Frame> implements Walk {
  programScope = NONE;

  constructor(
    file: CsharpFile,
    readonly token: Tokens,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  protected override isPart(node: SyntaxNode): boolean {
    return this.file.isPart(node);
  }
}
