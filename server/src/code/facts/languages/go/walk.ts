import { type BindingRow, type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { FileWalk } from '../../walk/fileWalk';
import type { GoField, GoKind } from './grammar';

const GINKGO = /"github\.com\/onsi\/ginkgo(?:\/v\d+)?"/;

export class GoFile extends FileWalk<GoKind, GoField> {
  /** Whether it may have blocks of Ginkgo. */
  readonly hasGinkgo = GINKGO.test(this.table.text);
  /** Names read in the declaration being walked, as values and as types. */
  readonly used = new Set<StringIndex>();
  /** Built-in functions that the file declares anew. */
  readonly redeclared = new Set<string>();
  /** Other names of types, as the file declares them. */
  readonly aliases = new Map<string, string>();
  /** Bindings of the type parameters of the types of this file, by type name. */
  readonly typeParameters = new Map<StringIndex, readonly BindingRow[]>();
}

/** What the statements of one declared function share; anonymous functions inside count into it. */
export interface Body {
  decisions: number;
}

/**
 * One lexical block. It opens a scope of its own when it first declares a name, and another one when it declares a name that was used before:
 * in `url, err := url.Parse(s)` the second `url` is the package.
 */
export interface Block {
  /** Scope that names are looked up in from here on. */
  scope: ScopeRow;
  /** True once `scope` is this block's own. */
  isOwn: boolean;
  /** Scope of each name that this block declares. */
  readonly declared: Map<number, ScopeRow>;
  readonly outer: Block | undefined;
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: Body | undefined;
}

export type ValueHandler = (walk: Walk, node: SyntaxNode, block: Block) => ExpressionRow;
export type StatementHandler = (walk: Walk, node: SyntaxNode, block: Block) => void;

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: GoFile;
  /** Expression row of a node; writes the uses inside it. */
  value(node: SyntaxNode, block: Block): ExpressionRow;
  /** The same without a read of the outermost name: for what is called. */
  quiet(node: SyntaxNode, block: Block): ExpressionRow;
  statement(node: SyntaxNode, block: Block): void;
  /** Statements of a block, case or function body, in order. */
  statements(node: SyntaxNode, block: Block): void;
  /** Row of a function literal, the body of a symbol or of none. */
  literalFunction(node: SyntaxNode, block: Block, symbol?: SymbolRow): ExpressionRow;
}

export function moduleBlock(scope: ScopeRow): Block {
  return { scope, isOwn: true, declared: new Map(), outer: undefined, owner: NONE, body: undefined };
}

/** A block inside another one. */
export function inner(block: Block): Block {
  return { scope: block.scope, isOwn: false, declared: new Map(), outer: block, owner: block.owner, body: block.body };
}

/** Scope for a name that the block declares here; `undefined` when the block has it already (`a, err := …` again). */
export function declareName(walk: Walk, block: Block, name: StringIndex): ScopeRow | undefined {
  if (block.declared.has(name)) return undefined;
  if (!block.isOwn || walk.file.used.has(name)) {
    block.scope = walk.file.builder.addScope('block', block.scope);
    block.isOwn = true;
  }
  block.declared.set(name, block.scope);
  return block.scope;
}

/** Scope of a name that is declared inside the function around, `NONE` for others. */
export function scopeOfLocal(block: Block, name: StringIndex): ScopeRow {
  for (let at: Block | undefined = block; at?.outer !== undefined; at = at.outer) {
    const scope = at.declared.get(name);
    if (scope !== undefined) return scope;
  }
  return NONE;
}

export function isBlank(file: GoFile, node: SyntaxNode): boolean {
  return file.is(node, 'blank_identifier') || (file.reader.length(node) === 1 && file.reader.charCode(node) === 95);
}

/** Last name of a callee or type (`c` of `a.b.c[T]`) and where it stands. */
export function lastName(file: GoFile, node: SyntaxNode): { readonly name: StringIndex; readonly at: number } {
  for (let at = node, steps = 0; at !== NO_NODE && steps < 50; steps++) {
    if (file.is(at, 'identifier', 'type_identifier', 'field_identifier', 'package_identifier')) return { name: file.word(at), at: file.reader.start(at) };
    if (file.is(at, 'selector_expression')) at = file.child(at, 'field');
    else if (file.is(at, 'qualified_type')) at = file.child(at, 'name');
    else if (file.is(at, 'generic_type')) at = file.child(at, 'type');
    else if (file.is(at, 'index_expression')) at = file.child(at, 'operand');
    else if (file.is(at, 'call_expression')) at = file.child(at, 'function');
    else if (file.is(at, 'type_instantiation_expression')) at = file.child(at, 'type');
    else if (file.is(at, 'parenthesized_expression', 'parenthesized_type', 'pointer_type')) at = file.reader.firstNamedChild(at);
    else if (file.is(at, 'unary_expression')) at = file.child(at, 'operand');
    else break;
  }
  return { name: NO_TEXT, at: file.reader.start(node) };
}
