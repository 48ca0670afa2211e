/**
 * What a Java file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of Java and nothing of other files: names are looked up by the resolver, not here.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * Constructors are named `<init>`; anonymous classes and the bodies of enum constants `<Base>` and `<CONSTANT>`.
 * Members of types are symbols without bindings; bare names of methods are looked up from the scope of the class on.
 * What initializers use is used by their type.
 */
import { type ExpressionRow, NONE } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { VALUE_HANDLERS } from './expressions';
import { type JavaFile, javaGrammar } from './grammar';
import { MEMBER_HANDLERS } from './members';
import { prepareJava } from './prepare';
import { STATEMENT_HANDLERS } from './statements';
import { type Frame, fileFrame, type StatementHandler, type ValueHandler, type Walk } from './walk';

export function createJavaExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = javaGrammar(names);
  const tables: Tables = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
    members: dispatchTable(grammar.kind, MEMBER_HANDLERS),
  };
  const facts = new FactTables();
  return {
    prepare: prepareJava,
    extract(table: SyntaxTable) {
      const file: JavaFile = new FileWalk(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      if (table.count > 0) new TreeWalk(file, tables).run(syntaxNode(0), fileFrame(scope));
      return file.finish();
    },
  };
}

interface Tables {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
  readonly members: readonly (((walk: Walk, node: SyntaxNode, frame: Frame) => void) | undefined)[];
}

class TreeWalk implements Walk {
  constructor(
    readonly file: JavaFile,
    private readonly tables: Tables,
  ) {}

  value(node: SyntaxNode, frame: Frame): ExpressionRow {
    if (node === NO_NODE || !this.file.descend()) return this.file.unknown();
    const handler = this.tables.values[this.file.reader.kind(node)];
    const row = handler === undefined ? this.#visitOther(node, frame) : handler(this, node, frame);
    this.file.ascend();
    return row;
  }

  statement(node: SyntaxNode, frame: Frame): Frame {
    if (node === NO_NODE) return frame;
    const handler = this.tables.statements[this.file.reader.kind(node)];
    if (handler === undefined) {
      this.value(node, frame);
      return frame;
    }
    if (!this.file.descend()) return frame;
    const after = handler(this, node, frame) ?? frame;
    this.file.ascend();
    return after;
  }

  run(block: SyntaxNode, frame: Frame): Frame {
    if (block === NO_NODE) return frame;
    const { reader, grammar } = this.file;
    const end = reader.after(block);
    let current = frame;
    for (let child = syntaxNode(block + 1); child < end; child = reader.after(child)) {
      if (reader.isNamed(child) && !grammar.comments.has(reader.kind(child))) current = this.statement(child, current);
    }
    return current;
  }

  members(body: SyntaxNode, frame: Frame): void {
    if (body === NO_NODE || !this.file.descend()) return;
    const { reader } = this.file;
    const own = this.tables.members[reader.kind(body)];
    if (own !== undefined && frame.type === undefined) own(this, body, frame);
    else {
      const end = reader.after(body);
      for (let child = syntaxNode(body + 1); child < end; child = reader.after(child)) {
        const handler = this.tables.members[reader.kind(child)];
        if (handler !== undefined) handler(this, child, frame);
        else if (this.file.is(child, 'expression_statement', 'local_variable_declaration')) this.statement(child, frame);
      }
    }
    this.file.ascend();
  }

  /** What has no handler (errors, templates): statements and expressions inside it still count. */
  #visitOther(node: SyntaxNode, frame: Frame): ExpressionRow {
    const { reader, grammar } = this.file;
    const end = reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
      if (reader.isNamed(child) && !grammar.comments.has(reader.kind(child))) this.statement(child, frame);
    }
    return this.file.unknown();
  }
}
