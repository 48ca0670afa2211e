/**
 * What a Java file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of Java and nothing of other files: names are looked up by the resolver, not here.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * Constructors are named `<init>`; anonymous classes and the bodies of enum constants `<Base>` and `<CONSTANT>`.
 * Members of types are symbols without bindings; bare names of methods are looked up from the scope of the class on.
 * What initializers use is used by their type.
 */
import { NONE } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { FlowWalk } from '../../walk/treeWalk';
import { VALUE_HANDLERS } from './expressions';
import { type JavaFile, javaGrammar } from './grammar';
import { MEMBER_HANDLERS } from './members';
import { prepareJava } from './prepare';
import { STATEMENT_HANDLERS } from './statements';
import { type Frame, fileFrame, type MemberHandler, type StatementHandler, type ValueHandler, type Walk } from './walk';

export function createJavaExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = javaGrammar(names);
  const handlers: Handlers = {
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
      if (table.count > 0) new JavaWalk(file, handlers).run(syntaxNode(0), fileFrame(scope));
      return file.finish();
    },
  };
}

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
  readonly members: readonly (MemberHandler | undefined)[];
}

class JavaWalk extends FlowWalk<JavaFile, Frame> implements Walk {
  constructor(
    file: JavaFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  members(body: SyntaxNode, frame: Frame): void {
    if (body === NO_NODE || !this.file.descend()) return;
    const { reader } = this.file;
    const own = this.handlers.members[reader.kind(body)];
    if (own !== undefined && frame.type === undefined) own(this, body, frame);
    else {
      const end = reader.after(body);
      for (let child = syntaxNode(body + 1); child < end; child = reader.after(child)) {
        const handler = this.handlers.members[reader.kind(child)];
        if (handler !== undefined) handler(this, child, frame);
        else if (this.file.is(child, 'expression_statement', 'local_variable_declaration')) this.statement(child, frame);
      }
    }
    this.file.ascend();
  }
}
