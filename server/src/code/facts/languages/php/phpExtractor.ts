/**
 * PHP: from the tree of one file to what that file says.
 *
 * Variables and properties keep the `$` in their names, so that they never meet functions, classes and constants. Namespaces are packages.
 * It knows nothing of other files and of autoloading.
 * Invariants: rows come out in source order; global variables bind in a scope of their own that functions do not see.
 */
import { type ExpressionRow, type FileFacts, NONE, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor, ExtractorFactory } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { type PhpGrammar, phpGrammar } from './phpGrammar';
import { STATEMENT_HANDLERS } from './statements/statements';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './values/expressions';
import { type Frame, type PhpFile, type StatementHandler, type ValueHandler, visitParts, type Walk } from './walk';

interface Handlers {
  readonly grammar: PhpGrammar;
  readonly values: readonly (ValueHandler | undefined)[];
  readonly quiet: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

export const createPhpExtractor: ExtractorFactory = (names: GrammarNames, language: LanguageId): Extractor => {
  const grammar = phpGrammar(names);
  const handlers: Handlers = {
    grammar,
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    quiet: dispatchTable(grammar.kind, QUIET_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
  };
  const tables = new FactTables();
  return { extract: table => new FileExtraction(table, handlers, language, tables).extract() };
};

class FileExtraction implements Walk {
  readonly file: PhpFile;
  readonly variables = new Map<string, SymbolRow>();

  constructor(
    table: SyntaxTable,
    private readonly handlers: Handlers,
    language: LanguageId,
    tables: FactTables,
  ) {
    this.file = new FileWalk(table, handlers.grammar, language, tables);
  }

  extract(): FileFacts {
    const { builder } = this.file;
    const scope = builder.addScope('module', NONE);
    const globals = builder.addScope('block', scope);
    const frame: Frame = { scope: globals, home: globals, outer: scope, globals, namespace: '', owner: NONE, body: undefined, class: undefined };
    if (this.file.table.count > 0) this.#block(syntaxNode(0), frame);
    return this.file.finish();
  }

  value(node: SyntaxNode, frame: Frame): ExpressionRow {
    if (node === NO_NODE) return this.file.unknown();
    return this.file.nested(this.file.unknown(), () => {
      const handler = this.handlers.values[this.file.reader.kind(node)];
      if (handler !== undefined) return handler(this, node, frame);
      visitParts(this, node, frame);
      return this.file.unknown();
    });
  }

  quiet(node: SyntaxNode, frame: Frame): ExpressionRow {
    if (node === NO_NODE) return this.file.unknown();
    const handler = this.handlers.quiet[this.file.reader.kind(node)];
    return handler === undefined ? this.value(node, frame) : this.file.nested(this.file.unknown(), () => handler(this, node, frame));
  }

  run(node: SyntaxNode, frame: Frame): Frame {
    if (node === NO_NODE) return frame;
    if (this.file.is(node, 'compound_statement', 'colon_block')) return this.#block(node, frame);
    return this.file.nested(frame, () => this.#statement(node, frame));
  }

  #block(node: SyntaxNode, frame: Frame): Frame {
    const { reader } = this.file;
    let current = frame;
    const end = reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
      if (!reader.isNamed(child)) continue;
      const before = current;
      current = this.file.nested(before, () => this.#statement(child, before));
    }
    return current;
  }

  /** Statements without a handler hold expressions or more statements. */
  #statement(node: SyntaxNode, frame: Frame): Frame {
    const handler = this.handlers.statements[this.file.reader.kind(node)];
    if (handler !== undefined) return handler(this, node, frame) ?? frame;
    if (this.handlers.values[this.file.reader.kind(node)] !== undefined) {
      this.value(node, frame);
      return frame;
    }
    return this.#block(node, frame);
  }
}
