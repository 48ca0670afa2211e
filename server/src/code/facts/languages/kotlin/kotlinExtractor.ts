/**
 * What a Kotlin file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of Kotlin and nothing of other files: names are looked up by the resolver, not here.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * Constructors are named `<init>`; objects are classes, companions are named `Companion`; anonymous objects and the bodies of enum constants
 * `<Base>` and `<CONSTANT>`. Extensions have the type they extend as container and receiver. Nullability says nothing.
 */
import { type ExpressionRow, NONE, type StringIndex } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { FileWalk } from '../../walk/fileWalk';
import { ValueWalk } from '../../walk/treeWalk';
import { VALUE_HANDLERS } from './expressions';
import { type KotlinFile, kotlinGrammar } from './grammar';
import { MEMBER_HANDLERS } from './members';
import { prepareKotlin } from './prepare';
import { STATEMENT_HANDLERS } from './statements';
import { isSpecification } from './testBlocks';
import { type Frame, fileFrame, type MemberHandler, type StatementHandler, type ValueHandler, type Walk } from './walk';

export function createKotlinExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = kotlinGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    statements: dispatchTable(grammar.kind, STATEMENT_HANDLERS),
    members: dispatchTable(grammar.kind, MEMBER_HANDLERS),
  };
  const facts = new FactTables();
  return {
    prepare: prepareKotlin,
    extract(table: SyntaxTable) {
      const file: KotlinFile = new FileWalk(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      if (table.count > 0) new KotlinWalk(file, handlers).run(syntaxNode(0), fileFrame(scope));
      return file.finish();
    },
  };
}

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
  readonly members: readonly (MemberHandler | undefined)[];
}

/** Statements may be the value of what is around them: a kind may have handlers of both. */
class KotlinWalk extends ValueWalk<KotlinFile, Frame> implements Walk {
  readonly locals = new Set<StringIndex>();
  readonly isSpecification: boolean;

  constructor(
    file: KotlinFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
    this.isSpecification = isSpecification(file.table.text);
  }

  statement(node: SyntaxNode, frame: Frame): Frame {
    return this.#step(node, frame).frame;
  }

  run(block: SyntaxNode, frame: Frame): { readonly frame: Frame; readonly last: ExpressionRow } {
    if (block === NO_NODE) return { frame, last: NONE };
    const { reader } = this.file;
    const end = reader.after(block);
    let current = frame;
    let last: ExpressionRow = NONE;
    for (let child = syntaxNode(block + 1); child < end; child = reader.after(child)) {
      if (!this.isPart(child) || this.file.is(child, 'lambda_parameters', 'label')) continue;
      const step = this.#step(child, current);
      current = step.frame;
      last = step.row;
    }
    return { frame: current, last };
  }

  members(body: SyntaxNode, frame: Frame): void {
    if (body === NO_NODE || !this.file.descend()) return;
    const { reader } = this.file;
    const end = reader.after(body);
    for (let child = syntaxNode(body + 1); child < end; child = reader.after(child)) {
      const handler = this.handlers.members[reader.kind(child)];
      if (handler !== undefined) handler(this, child, frame);
    }
    this.file.ascend();
  }

  override part(node: SyntaxNode, frame: Frame): void {
    this.statement(node, frame);
  }

  #step(node: SyntaxNode, frame: Frame): { readonly frame: Frame; readonly row: ExpressionRow } {
    if (node === NO_NODE) return { frame, row: NONE };
    const kind = this.file.reader.kind(node);
    const handler = this.handlers.statements[kind];
    if (handler === undefined) return { frame, row: this.value(node, frame) };
    const row = this.handlers.values[kind] === undefined ? NONE : this.value(node, frame);
    if (!this.file.descend()) return { frame, row };
    const after = handler(this, node, frame) ?? frame;
    this.file.ascend();
    return { frame: after, row };
  }
}
