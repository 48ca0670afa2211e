/**
 * What a Python file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of Python and nothing of other files: names are looked up by the resolver, not here.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * `self` is a binding of kind `self` whose type is a `class` row; `cls` one whose value is a `class` row; `super()` is a `super` row.
 */
import { type ExpressionRow, NONE, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './expressions';
import { FileContext } from './fileContext';
import { addLambda } from './functions';
import { pythonGrammar } from './grammar';
import { applyExports, STATEMENT_HANDLERS } from './statements';
import { bindTarget } from './targets';
import { type Frame, moduleFrame, type StatementHandler, type ValueHandler, type Walk } from './walk';

export function createPythonExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = pythonGrammar(names);
  const tables: Tables = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    quiet: dispatchTable(grammar.kind, QUIET_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
  };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const file = new FileContext(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      const walk = new TreeWalk(file, tables);
      if (table.count > 0) walk.run(syntaxNode(0), moduleFrame(scope));
      applyExports(walk);
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
  constructor(
    readonly file: FileContext,
    private readonly tables: Tables,
  ) {}

  value(node: SyntaxNode, frame: Frame): ExpressionRow {
    return this.#evaluate(this.tables.values, node, frame);
  }

  quiet(node: SyntaxNode, frame: Frame): ExpressionRow {
    const isQuiet = node !== NO_NODE && this.tables.quiet[this.file.reader.kind(node)] !== undefined;
    return this.#evaluate(isQuiet ? this.tables.quiet : this.tables.values, node, frame);
  }

  run(block: SyntaxNode, frame: Frame): Frame {
    if (block === NO_NODE || !this.file.descend()) return frame;
    let current = frame;
    const { reader, grammar } = this.file;
    const end = reader.after(block);
    for (let child = syntaxNode(block + 1); child < end; child = reader.after(child)) {
      if (!reader.isNamed(child) || reader.kind(child) === grammar.kind.comment) continue;
      const handler = this.tables.statements[reader.kind(child)];
      if (handler === undefined) this.#visitOther(child, current);
      else current = handler(this, child, current) ?? current;
    }
    this.file.ascend();
    return current;
  }

  bind(...args: Parameters<Walk['bind']>): Frame {
    return bindTarget(this, ...args);
  }

  lambda(node: SyntaxNode, frame: Frame, symbol: SymbolRow): ExpressionRow {
    return addLambda(this, node, frame, symbol);
  }

  #evaluate(handlers: readonly (ValueHandler | undefined)[], node: SyntaxNode, frame: Frame): ExpressionRow {
    if (node === NO_NODE || !this.file.descend()) return this.file.unknown();
    const handler = handlers[this.file.reader.kind(node)];
    const row = handler === undefined ? this.#visitOther(node, frame) : handler(this, node, frame);
    this.file.ascend();
    return row;
  }

  /** What has no handler (errors, `print`, slices): statements and expressions inside it still count. */
  #visitOther(node: SyntaxNode, frame: Frame): ExpressionRow {
    if (!this.file.descend()) return this.file.unknown();
    for (const child of this.file.children(node)) {
      const handler = this.tables.statements[this.file.reader.kind(child)];
      if (handler === undefined) this.value(child, frame);
      else handler(this, child, frame);
    }
    this.file.ascend();
    return this.file.unknown();
  }
}
