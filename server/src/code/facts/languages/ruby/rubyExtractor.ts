/**
 * Ruby: from the tree of one file to what that file says.
 *
 * Everything is an expression with a row. Words that are no local variables are calls, of `self` inside classes and by plain name outside.
 * Classes and modules are packages as well, under their full names, because files reopen them. Fields keep their `@`.
 * It knows nothing of other files and of load paths.
 */
import { type ExpressionRow, NONE, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor, ExtractorFactory } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { ValueWalk } from '../../walk/treeWalk';
import { type KindName, rubyGrammar } from './rubyGrammar';
import { VALUE_HANDLERS } from './values/expressions';
import { type Frame, fileFrame, type RubyFile, type ValueHandler, type Walk } from './walk';

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
}

export const createRubyExtractor: ExtractorFactory = (names: GrammarNames, language: LanguageId): Extractor => {
  const grammar = rubyGrammar(names);
  const handlers: Handlers = { values: dispatchTable(grammar.kind, Object.fromEntries(VALUE_HANDLERS) as Partial<Record<KindName, ValueHandler>>) };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const file: RubyFile = new FileWalk(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      if (table.count > 0) new RubyWalk(file, handlers).run(syntaxNode(0), fileFrame(scope));
      return file.finish();
    },
  };
};

class RubyWalk extends ValueWalk<RubyFile, Frame> implements Walk {
  readonly globals = new Map<string, SymbolRow>();

  constructor(
    file: RubyFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  run(node: SyntaxNode, frame: Frame): ExpressionRow {
    return this.value(node, frame);
  }

  /** A node without a meaning of its own (an operator, a list, an error) gives what the last of its parts gives. */
  override parts(node: SyntaxNode, frame: Frame): ExpressionRow {
    let last: ExpressionRow = NONE;
    for (const child of this.file.children(node)) last = this.value(child, frame);
    return last === NONE ? this.none() : last;
  }
}
