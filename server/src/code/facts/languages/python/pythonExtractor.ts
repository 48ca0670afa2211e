/**
 * What a Python file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of Python and nothing of other files: names are looked up by the resolver, not here.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * `self` is a binding of kind `self` whose type is a `class` row; `cls` one whose value is a `class` row; `super()` is a `super` row.
 */
import { type ExpressionRow, NONE, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FlowWalk } from '../../walk/treeWalk';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './expressions';
import { FileContext } from './fileContext';
import { addLambda } from './functions';
import { pythonGrammar } from './grammar';
import { applyExports, STATEMENT_HANDLERS } from './statements';
import { bindTarget } from './targets';
import { type Frame, moduleFrame, type StatementHandler, type ValueHandler, type Walk } from './walk';

export function createPythonExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = pythonGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    quiet: dispatchTable(grammar.kind, QUIET_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
  };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const file = new FileContext(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      const walk = new PythonWalk(file, handlers);
      if (table.count > 0) walk.run(syntaxNode(0), moduleFrame(scope));
      applyExports(walk);
      return file.finish();
    },
  };
}

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly quiet: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

class PythonWalk extends FlowWalk<FileContext, Frame> implements Walk {
  constructor(
    file: FileContext,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  bind(...args: Parameters<Walk['bind']>): Frame {
    return bindTarget(this, ...args);
  }

  lambda(node: SyntaxNode, frame: Frame, symbol: SymbolRow): ExpressionRow {
    return addLambda(this, node, frame, symbol);
  }
}
