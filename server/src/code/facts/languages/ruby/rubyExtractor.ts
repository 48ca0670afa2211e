/**
 * Ruby: from the tree of one file to what that file says.
 *
 * Everything is an expression with a row. Words that are no local variables are calls, of `self` inside classes and by plain name outside.
 * Classes and modules are packages as well, under their full names, because files reopen them. Fields keep their `@`.
 * It knows nothing of other files and of load paths.
 */
import { type ExpressionRow, type FileFacts, NONE, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor, ExtractorFactory } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { type KindName, type RubyGrammar, rubyGrammar } from './rubyGrammar';
import { VALUE_HANDLERS } from './values/expressions';
import { type Frame, Locals, type RubyFile, type ValueHandler, type Walk } from './walk';

export const createRubyExtractor: ExtractorFactory = (names: GrammarNames, language: LanguageId): Extractor => {
  const grammar = rubyGrammar(names);
  const handlers = dispatchTable(grammar.kind, Object.fromEntries(VALUE_HANDLERS) as Partial<Record<KindName, ValueHandler>>);
  const tables = new FactTables();
  return { extract: table => new FileExtraction(table, grammar, handlers, language, tables).extract() };
};

class FileExtraction implements Walk {
  readonly file: RubyFile;
  readonly globals = new Map<string, SymbolRow>();

  constructor(
    table: SyntaxTable,
    grammar: RubyGrammar,
    private readonly handlers: readonly (ValueHandler | undefined)[],
    language: LanguageId,
    tables: FactTables,
  ) {
    this.file = new FileWalk(table, grammar, language, tables);
  }

  extract(): FileFacts {
    const scope = this.file.builder.addScope('module', NONE);
    const frame: Frame = {
      scope,
      home: scope,
      owner: NONE,
      body: undefined,
      class: undefined,
      locals: new Locals(),
      isClassLevel: false,
      fields: scope,
      implicitBlock: NONE,
    };
    if (this.file.table.count > 0) this.run(syntaxNode(0), frame);
    return this.file.finish();
  }

  value(node: SyntaxNode, frame: Frame): ExpressionRow {
    if (node === NO_NODE) return this.file.unknown();
    return this.file.nested(this.file.unknown(), () => {
      const handler = this.handlers[this.file.reader.kind(node)];
      return handler === undefined ? this.#parts(node, frame) : handler(this, node, frame);
    });
  }

  run(node: SyntaxNode, frame: Frame): ExpressionRow {
    return this.value(node, frame);
  }

  /** A node without a meaning of its own: an operator, a list, an error. */
  #parts(node: SyntaxNode, frame: Frame): ExpressionRow {
    let last: ExpressionRow = NONE;
    for (const child of this.file.children(node)) last = this.value(child, frame);
    return last === NONE ? this.file.unknown() : last;
  }
}
