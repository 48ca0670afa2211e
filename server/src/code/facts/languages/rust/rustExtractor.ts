/**
 * What a Rust file says: symbols, bindings, types and uses, in the form of `model/facts`.
 *
 * It knows the tree-sitter grammar of Rust and nothing of other files: paths are followed by the resolver, macros are not expanded.
 * Invariants: total on any tree; rows come in source order; equal text gives equal facts.
 * Members of `impl` blocks carry their type in `container` and `receiver`; a `let` that hides a name opens a scope; references, pointers and
 * smart pointers are transparent in types; struct literals and tuple constructors count as uses of their type, since they run no code of it.
 */

import { type ExpressionRow, NONE, symbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { Extractor } from '../../extractor';
import { FactTables } from '../../factTables';
import { dispatchTable } from '../../walk/dispatch';
import { ValueWalk } from '../../walk/treeWalk';
import { addAttributes } from './attributes';
import { VALUE_HANDLERS } from './expressions';
import { rustGrammar } from './grammar';
import { ITEM_HANDLERS } from './items';
import { bindAlways, PATTERN_HANDLERS } from './patterns';
import { optionalType, TYPE_HANDLERS } from './types';
import { type Frame, type ItemHandler, newBody, type PatternHandler, RustFile, type ValueHandler, type Walk } from './walk';

interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly types: readonly (ValueHandler | undefined)[];
  readonly patterns: readonly (PatternHandler | undefined)[];
  readonly items: readonly (ItemHandler | undefined)[];
}

export function createRustExtractor(names: GrammarNames, language: LanguageId): Extractor {
  const grammar = rustGrammar(names);
  const handlers: Handlers = {
    values: dispatchTable(grammar.kind, VALUE_HANDLERS),
    types: dispatchTable(grammar.kind, TYPE_HANDLERS),
    patterns: dispatchTable(grammar.kind, PATTERN_HANDLERS),
    items: dispatchTable(grammar.kind, ITEM_HANDLERS),
  };
  const facts = new FactTables();
  return {
    extract(table: SyntaxTable) {
      const file = new RustFile(table, grammar, language, facts);
      const scope = file.builder.addScope('module', NONE);
      const frame: Frame = { scope, home: scope, owner: NONE, body: undefined, self: undefined, place: 'module', module: '' };
      if (table.count > 0) new RustWalk(file, handlers).items(syntaxNode(0), frame);
      return file.finish();
    },
  };
}

/** Items, patterns and types have tables of their own. A statement may have no value: `NONE`. */
class RustWalk extends ValueWalk<RustFile, Frame> implements Walk {
  constructor(
    file: RustFile,
    protected readonly handlers: Handlers,
  ) {
    super(file);
  }

  operand(node: SyntaxNode, frame: Frame): ExpressionRow {
    const row = this.value(node, frame);
    return row === NONE ? this.file.unknown() : row;
  }

  type(node: SyntaxNode, frame: Frame): ExpressionRow {
    const isType = node !== NO_NODE && this.handlers.types[this.file.reader.kind(node)] !== undefined;
    return isType ? this.evaluate(this.handlers.types, node, frame) : this.file.unknown();
  }

  pattern(node: SyntaxNode): PatternHandler | undefined {
    return this.handlers.patterns[this.file.reader.kind(node)];
  }

  items(node: SyntaxNode, frame: Frame): void {
    if (node === NO_NODE) return;
    const { reader, grammar } = this.file;
    let attributes: SyntaxNode[] = [];
    const end = reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
      const kind = reader.kind(child);
      if (!reader.isNamed(child) || grammar.comments.has(kind) || kind === grammar.kind.inner_attribute_item) continue;
      if (kind === grammar.kind.attribute_item) {
        attributes.push(child);
        continue;
      }
      this.#statement(child, frame, attributes);
      attributes = [];
    }
  }

  block(node: SyntaxNode, frame: Frame): ExpressionRow {
    if (node === NO_NODE) return NONE;
    return this.file.nested(NONE, () => {
      const scope = this.file.builder.addScope('block', frame.scope);
      return this.#run(node, { ...frame, scope, home: scope, body: frame.body ?? newBody(), place: 'body' });
    });
  }

  /** Statements in order; what a `let` binds is seen by those after it. The last one without a semicolon is the value of the block. */
  #run(node: SyntaxNode, frame: Frame): ExpressionRow {
    const { reader, grammar } = this.file;
    let current = frame;
    let tail: ExpressionRow = NONE;
    let attributes: SyntaxNode[] = [];
    const end = reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
      const kind = reader.kind(child);
      if (!reader.isNamed(child) || grammar.comments.has(kind) || kind === grammar.kind.label || kind === grammar.kind.inner_attribute_item) continue;
      tail = NONE;
      if (kind === grammar.kind.attribute_item) {
        attributes.push(child);
        continue;
      }
      if (kind === grammar.kind.let_declaration) current = this.#let(child, current);
      else if (kind === grammar.kind.expression_statement) {
        const value = this.value(reader.firstNamedChild(child), current);
        tail = reader.hasChild(child, grammar.semicolon) ? NONE : value;
      } else if (this.handlers.items[kind] !== undefined && kind !== grammar.kind.macro_invocation) this.#statement(child, current, attributes);
      else tail = this.value(child, current);
      attributes = [];
    }
    return tail;
  }

  #let(node: SyntaxNode, frame: Frame): Frame {
    const { file } = this;
    const type = optionalType(this, file.child(node, 'type'), frame);
    const valueNode = file.child(node, 'value');
    const value = valueNode === NO_NODE ? NONE : this.operand(valueNode, frame);
    const otherwise = file.child(node, 'alternative');
    if (otherwise !== NO_NODE) this.block(otherwise, frame);
    const pattern = file.child(node, 'pattern');
    const after = bindAlways(this, pattern, { value, type: isOpenType(file, type) ? NONE : type }, frame);
    if (valueNode === NO_NODE && type === NONE && file.is(pattern, 'identifier')) after.body?.unset.set(file.word(pattern), after.scope);
    return after;
  }

  #statement(node: SyntaxNode, frame: Frame, attributes: readonly SyntaxNode[]): void {
    const handler = this.handlers.items[this.file.reader.kind(node)];
    if (handler !== undefined) {
      const symbol = symbolRow(this.file.builder.symbols.count);
      this.file.nested(undefined, () => handler(this, node, frame, attributes));
      if (attributes.length > 0 && this.file.builder.symbols.count > symbol) addAttributes(this, node, attributes, symbol, frame);
    } else this.value(node, frame);
  }

  protected override none(): ExpressionRow {
    return NONE;
  }

  override part(node: SyntaxNode, frame: Frame): void {
    this.#statement(node, frame, []);
  }
}

/** `_` says nothing. */
function isOpenType(file: RustFile, row: ExpressionRow): boolean {
  return row === NONE || file.builder.expressions.operator[row] === 0;
}
