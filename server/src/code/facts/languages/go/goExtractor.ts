/**
 * What a Go file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of Go and nothing of other files: names are looked up by the resolver, not here.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * The package of the file is its package clause, with `!` behind it when build constraints leave the file out of the usual build.
 * Variables have the type of their declaration: later assignments bind nothing. Closures have no symbol, unless they are blocks of tests; at module level their calls
 * belong to the file.
 */
import { type ExpressionRow, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { StatementWalk } from '../../walk/treeWalk';
import { isInDefaultBuild } from './buildConstraint';
import { QUIET_HANDLERS, VALUE_HANDLERS } from './expressions';
import { declareFunction, declareMethod, literalFunction } from './functions';
import { goGrammar } from './grammar';
import { declareImports } from './imports';
import { STATEMENT_HANDLERS } from './statements';
import { type Block, GoFile, inner, moduleBlock, type StatementHandler, type ValueHandler, type Walk } from './walk';

/** Marks the package of a file that the usual build leaves out. */
export const LEFT_OUT = '!';

export function createGoExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = goGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    quiet: dispatchTable(grammar.kind, QUIET_HANDLERS),
    statements: dispatchTable(grammar.kind, {
      ...STATEMENT_HANDLERS,
      import_declaration: declareImports,
      function_declaration: declareFunction,
      method_declaration: declareMethod,
    }),
  };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const file = new GoFile(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      for (const match of table.text.matchAll(/^func (new|make)\(/gm)) file.redeclared.add(match[1] ?? '');
      for (const match of table.text.matchAll(/^type (\w+) = (\w+)$/gm)) file.aliases.set(match[1] ?? '', match[2] ?? '');
      if (table.count > 0) runFile(new GoWalk(file, handlers), scope);
      return file.finish();
    },
  };
}

function runFile(walk: GoWalk, scope: ScopeRow): void {
  const { file } = walk;
  const clause = file.childOf(syntaxNode(0), 'package_clause');
  const name = file.childOf(clause, 'package_identifier');
  if (name !== NO_NODE) {
    const isLeftOut = !isInDefaultBuild(file.table.text.slice(0, file.reader.start(clause)));
    file.builder.set('scopes', 'package', scope, file.builder.intern(`${file.text(name)}${isLeftOut ? LEFT_OUT : ''}`));
  }
  const block = moduleBlock(scope);
  for (const child of file.children(syntaxNode(0))) if (child !== clause) walk.statement(child, block);
}

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly quiet: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

/** Blocks change as names are declared in them: the statements of one get the same block. */
class GoWalk extends StatementWalk<GoFile, Block> implements Walk {
  constructor(
    file: GoFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  statements(node: SyntaxNode, block: Block): void {
    if (node === NO_NODE) return;
    const { reader } = this.file;
    for (const child of this.file.children(node)) {
      if (this.file.is(child, 'statement_list')) this.run(child, block);
      else if (reader.field(child) === 0) this.statement(child, block);
    }
  }

  literalFunction(node: SyntaxNode, block: Block, symbol: SymbolRow = NONE): ExpressionRow {
    return literalFunction(this, node, block, symbol);
  }

  /** Declarations under a label belong to the block around it, those in other nodes (`select`, errors) to one of their own. */
  override parts(node: SyntaxNode, block: Block): ExpressionRow {
    const isTransparent = block.outer === undefined || this.file.is(node, 'labeled_statement', 'statement_list');
    const around = isTransparent ? block : inner(block);
    for (const child of this.file.children(node)) {
      if (this.handlers.statements[this.file.reader.kind(child)] === undefined) this.value(child, block);
      else this.statement(child, around);
    }
    return this.none();
  }
}
