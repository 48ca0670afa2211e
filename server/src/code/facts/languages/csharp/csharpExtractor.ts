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
import { type ExpressionRow, NONE } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { withoutBrokenConditionals } from './conditionals';
import { csharpGrammar } from './grammar';
import { DECLARATION_HANDLERS, STATEMENT_HANDLERS } from './statements';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './values/expressions';
import { CsharpFile, type Frame, fileFrame, type StatementHandler, type Tokens, type ValueHandler, type Walk } from './walk';

export function createCsharpExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = csharpGrammar(names);
  const tables: Tables = {
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
      if (table.count > 0) new TreeWalk(file, grammar.token, tables).run(syntaxNode(0), fileFrame(scope));
      return file.finish();
    },
  };
}

interface Tables {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly quiet: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

class TreeWalk implements Walk {
  programScope = NONE;
  constructor(
    readonly file: CsharpFile,
    readonly token: Tokens,
    private readonly tables: Tables,
  ) {}

  value(node: SyntaxNode, frame: Frame, expected: SyntaxNode = NO_NODE): ExpressionRow {
    return this.#evaluate(this.tables.values, node, frame, expected);
  }

  quiet(node: SyntaxNode, frame: Frame): ExpressionRow {
    const isQuiet = node !== NO_NODE && this.tables.quiet[this.file.reader.kind(node)] !== undefined;
    return this.#evaluate(isQuiet ? this.tables.quiet : this.tables.values, node, frame, NO_NODE);
  }

  run(node: SyntaxNode, frame: Frame): void {
    const { reader } = this.file;
    const end = reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = reader.after(child))
      if (reader.isNamed(child) || this.#isWord(child)) this.statement(child, frame);
  }

  /** What has no handler is an expression, or has statements and expressions inside. */
  statement(node: SyntaxNode, frame: Frame): void {
    if (node === NO_NODE) return;
    const handler = this.tables.statements[this.file.reader.kind(node)];
    if (handler === undefined) {
      this.value(node, frame);
      return;
    }
    if (!this.file.descend()) return;
    handler(this, node, frame);
    this.file.ascend();
  }

  #evaluate(handlers: readonly (ValueHandler | undefined)[], node: SyntaxNode, frame: Frame, expected: SyntaxNode): ExpressionRow {
    if (node === NO_NODE || !this.file.descend()) return this.file.unknown();
    const handler = handlers[this.file.reader.kind(node)];
    const row = handler === undefined ? this.#visit(node, frame) : handler(this, node, frame, expected);
    this.file.ascend();
    return row;
  }

  #isWord(node: SyntaxNode): boolean {
    const kind = this.file.reader.kind(node);
    return kind === this.file.grammar.kind.this || kind === this.file.grammar.kind.base;
  }

  #visit(node: SyntaxNode, frame: Frame): ExpressionRow {
    this.run(node, frame);
    return this.file.unknown();
  }
}
