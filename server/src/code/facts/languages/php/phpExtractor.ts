/**
 * PHP: from the tree of one file to what that file says.
 *
 * Variables and properties keep the `$` in their names, so that they never meet functions, classes and constants. Namespaces are packages.
 * It knows nothing of other files and of autoloading.
 * Invariants: rows come out in source order; global variables bind in a scope of their own that functions do not see.
 */
import { NONE, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor, ExtractorFactory } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { FlowWalk } from '../../walk/treeWalk';
import { phpGrammar } from './phpGrammar';
import { STATEMENT_HANDLERS } from './statements/statements';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './values/expressions';
import { type Frame, fileFrame, type PhpFile, type StatementHandler, type ValueHandler, type Walk } from './walk';

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly quiet: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

export const createPhpExtractor: ExtractorFactory = (names: GrammarNames, language: LanguageId): Extractor => {
  const grammar = phpGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    quiet: dispatchTable(grammar.kind, QUIET_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
  };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const file: PhpFile = new FileWalk(table, grammar, language, facts);
      const outer = file.builder.addScope('module', NONE);
      const globals = file.builder.addScope('block', outer);
      if (table.count > 0) new PhpWalk(file, handlers).block(syntaxNode(0), fileFrame(outer, globals));
      return file.finish();
    },
  };
};

class PhpWalk extends FlowWalk<PhpFile, Frame> implements Walk {
  readonly variables = new Map<string, SymbolRow>();

  constructor(
    file: PhpFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  override run(node: SyntaxNode, frame: Frame): Frame {
    return this.file.is(node, 'compound_statement', 'colon_block') ? this.block(node, frame) : this.statement(node, frame);
  }

  /** Runs the statements directly inside a node. */
  block(node: SyntaxNode, frame: Frame): Frame {
    return super.run(node, frame);
  }

  /** What is neither a known statement nor an expression holds more statements, which say what follows it too. */
  override statement(node: SyntaxNode, frame: Frame): Frame {
    const kind = this.file.reader.kind(node);
    if (this.handlers.statements[kind] !== undefined || this.handlers.values[kind] !== undefined) return super.statement(node, frame);
    return this.file.nested(frame, () => this.block(node, frame));
  }

  /** Doc comments before statements say types of variables. */
  protected override isPart(node: SyntaxNode): boolean {
    return this.file.reader.isNamed(node);
  }

  override part(node: SyntaxNode, frame: Frame): void {
    this.value(node, frame);
  }
}
