/**
 * What the extractors of most languages share: one file's tree beside its builder, with short ways to read the one and write the other.
 *
 * It knows no language: kinds, fields and comment marks come from the language's grammar table.
 * Invariants: rows come out in the order of the calls; uses are written at the end, without the reads of locals.
 */
import { hashText } from '../../../base/hash';
import { operandOf } from '../../../model/expressions';
import {
  BINDING_KINDS,
  type ExpressionRow,
  type FunctionRow,
  NO_TEXT,
  NONE,
  type Operator,
  operatorCode,
  type ReferenceKind,
  SCOPE_KINDS,
  type ScopeRow,
  type SomeRow,
  type StringIndex,
  type SymbolRow,
} from '../../../model/facts';
import type { LanguageId } from '../../../model/languages';
import type { SymbolKind } from '../../../model/nodes';
import { countErrors, NO_NODE, SyntaxReader } from '../../parse/syntaxReader';
import type { SyntaxNode, SyntaxTable } from '../../parse/syntaxTable';
import { FactsBuilder } from '../factsBuilder';
import type { FactTables } from '../factTables';
import { commentText, foldedText } from '../sourceText';
import type { Grammar } from './grammar';
import { Nesting } from './nesting';
import type { WalkedFile } from './treeWalk';

const MAX_FIRST_LINE_LENGTH = 120;

const LASTING: ReadonlySet<number> = new Set([BINDING_KINDS.indexOf('symbol'), BINDING_KINDS.indexOf('import')]);
const NARROWED = BINDING_KINDS.indexOf('narrowed');
const CLASS_SCOPE = SCOPE_KINDS.indexOf('class');
/** More than the names of any file. */
export const KEY = 4_194_304;

interface Use {
  readonly kind: ReferenceKind;
  readonly expression: ExpressionRow;
  readonly owner: SymbolRow;
  readonly name: StringIndex;
  readonly at: number;
  readonly scope: ScopeRow;
}

/** A declaration that becomes a symbol; everything not given is read off the tree. */
export interface Declared {
  /** Whole declaration. */
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  /** Interned name when it is not the text of `nameNode`. */
  readonly name?: StringIndex;
  readonly kind: SymbolKind;
  readonly parent: SymbolRow;
  readonly container?: StringIndex;
  readonly receiver?: ExpressionRow;
  readonly modifiers?: number;
  /** Body: the signature ends before it, the first line is taken from it. `NO_NODE` or left out: none. */
  readonly body?: SyntaxNode;
  readonly scope?: ScopeRow;
  readonly function?: FunctionRow;
  readonly type?: ExpressionRow;
  readonly value?: ExpressionRow;
  readonly complexity?: number;
  /** Where the doc comment stands before: `node` unless given. */
  readonly docNode?: SyntaxNode;
  /** Offset that the signature starts at, behind annotations: that of `node` unless given. */
  readonly signatureFrom?: number;
}

/** Reads nodes of one file's tree and writes its rows. */
export class FileWalk<Kind extends string, Field extends string> extends Nesting implements WalkedFile {
  readonly builder: FactsBuilder;
  readonly reader: SyntaxReader;
  readonly #uses: Use[] = [];
  readonly #literals = new Map<string, ExpressionRow>();
  #unknown: ExpressionRow = NONE;

  constructor(
    readonly table: SyntaxTable,
    readonly grammar: Grammar<Kind, Field>,
    language: LanguageId,
    tables: FactTables,
  ) {
    super();
    this.builder = new FactsBuilder(table.text, language, tables);
    this.reader = new SyntaxReader(table);
  }

  get comments(): ReadonlySet<number> {
    return this.grammar.comments;
  }

  is(node: SyntaxNode, ...kinds: readonly Kind[]): boolean {
    if (node === NO_NODE) return false;
    const kind = this.reader.kind(node);
    const known = this.grammar.kind;
    for (let i = 0; i < kinds.length; i++) if (kind === known[kinds[i] as Kind]) return true;
    return false;
  }

  child(node: SyntaxNode, field: Field): SyntaxNode {
    return node === NO_NODE ? NO_NODE : this.reader.childByField(node, this.grammar.field[field]);
  }

  /** All children under a field. */
  childrenOf(node: SyntaxNode, field: Field): SyntaxNode[] {
    if (node === NO_NODE) return [];
    return this.reader.children(node).filter(child => this.reader.field(child) === this.grammar.field[field]);
  }

  childOf(node: SyntaxNode, kind: Kind): SyntaxNode {
    return node === NO_NODE ? NO_NODE : this.reader.childByKind(node, this.grammar.kind[kind]);
  }

  /** Named children that are not comments. */
  children(node: SyntaxNode): SyntaxNode[] {
    if (node === NO_NODE) return [];
    return this.reader.namedChildren(node).filter(child => !this.grammar.comments.has(this.reader.kind(child)));
  }

  text(node: SyntaxNode): string {
    return node === NO_NODE ? '' : this.reader.text(node);
  }

  /** Interned text of a node; 0 for none. */
  word(node: SyntaxNode): StringIndex {
    return node === NO_NODE ? NO_TEXT : this.builder.internRange(this.reader.start(node), this.reader.end(node));
  }

  row(operator: Operator, a: SomeRow = NONE, b: SomeRow = NONE, text = NO_TEXT, list?: readonly SomeRow[]): ExpressionRow {
    return this.builder.addExpression(operatorCode[operator], a, b, text, list);
  }

  literal(text: string): ExpressionRow {
    let row = this.#literals.get(text);
    if (row === undefined) {
      row = this.row('literal', NONE, NONE, this.builder.intern(text));
      this.#literals.set(text, row);
    }
    return row;
  }

  unknown(): ExpressionRow {
    if (this.#unknown === NONE) this.#unknown = this.row('unknown');
    return this.#unknown;
  }

  /** Any of the rows; none: unknown. */
  either(rows: readonly ExpressionRow[]): ExpressionRow {
    const [only] = rows;
    if (only === undefined) return this.unknown();
    return rows.length === 1 ? only : this.row('either', NONE, NONE, NO_TEXT, rows);
  }

  /** Adds the symbol of a declaration; hashes of containers are set with `hashContainer` once their members are there. */
  declare(declared: Declared): SymbolRow {
    const { builder, reader, table } = this;
    const { node, nameNode, kind, parent } = declared;
    const body = declared.body ?? NO_NODE;
    const start = reader.start(node);
    const headEnd = body === NO_NODE ? reader.end(node) : reader.start(body);
    return builder.addSymbol({
      name: declared.name ?? this.word(nameNode),
      kind,
      parent,
      container: declared.container ?? NO_TEXT,
      receiver: declared.receiver ?? NONE,
      modifiers: declared.modifiers ?? 0,
      start,
      end: reader.end(node),
      nameStart: reader.start(nameNode === NO_NODE ? node : nameNode),
      scope: declared.scope ?? NONE,
      function: declared.function ?? NONE,
      type: declared.type ?? NONE,
      value: declared.value ?? NONE,
      signature: builder.internShown(foldedText(table.text, declared.signatureFrom ?? start, headEnd).replace(/\s*[{:;=]$/, '')),
      doc: builder.internShown(this.docBefore(declared.docNode ?? node)),
      firstLine: body === NO_NODE ? NO_TEXT : builder.internShown(this.#firstLine(body)),
      hash: builder.hashOf(start, reader.end(node)),
      complexity: declared.complexity ?? 0,
    });
  }

  /** Hash of a container: its header and the signatures of its members, so that an edited body leaves it as it is. */
  hashContainer(symbol: SymbolRow, node: SyntaxNode, body: SyntaxNode): void {
    const { symbols, strings } = this.builder;
    const parts = [this.table.text.slice(this.reader.start(node), body === NO_NODE ? this.reader.end(node) : this.reader.start(body))];
    for (let row = symbol + 1; row < symbols.count; row++) if (symbols.parent[row] === symbol) parts.push(strings[symbols.signature[row] ?? NO_TEXT] ?? '');
    this.builder.set('symbols', 'hash', symbol, this.builder.intern(hashText(parts.join('\n'))));
  }

  /** Comments that end on the line before a node, over the attributes in between; '' for none. */
  docBefore(node: SyntaxNode): string {
    const { reader, grammar } = this;
    const comments: string[] = [];
    let below = reader.start(node);
    for (let at = reader.previousSibling(node); at !== NO_NODE; at = reader.previousSibling(at)) {
      const kind = reader.kind(at);
      const isComment = grammar.comments.has(kind);
      if (!isComment && !grammar.attributes.has(kind)) break;
      const gap = this.table.text.slice(reader.end(at), below);
      if (gap.trim() !== '' || newlinesIn(gap) > (endsWithNewline(this.table.text, reader.end(at)) ? 0 : 1)) break;
      if (isComment && this.#sharesLine(at)) break;
      if (isComment) comments.unshift(reader.text(at));
      below = reader.start(at);
    }
    if (comments.length === 0) return '';
    const words = cleanComment(comments, grammar.commentMark);
    return grammar.docText === undefined ? words : grammar.docText(words);
  }

  /** A use of nothing, as broken text has it, is left out. */
  use(kind: ReferenceKind, expression: ExpressionRow, owner: SymbolRow, name: StringIndex, at: number): void {
    if (expression === NONE) return;
    this.#uses.push({ kind, expression, owner, name, at, scope: NONE });
  }

  /** A use of a method that syntax runs without naming it: `x[k]`, `k in x`, `a + b`. Left out where the word of that syntax does not stand at the position. */
  useImplicit(object: ExpressionRow, method: string, owner: SymbolRow, word: string, at: number): void {
    if (object === NONE || this.isLiteral(object) || !this.table.text.startsWith(word, at)) return;
    this.use('implicit', this.row('member', object, NONE, this.builder.intern(method)), owner, this.builder.intern(word), at);
  }

  /** A use of the method that an operator runs: of its `operation` row, left out where the operator does not stand at the position, and for literals alone. */
  useOperator(operation: ExpressionRow, owner: SymbolRow, operator: string, at: number): void {
    if (operation === NONE || !this.table.text.startsWith(operator, at)) return;
    const { expressions } = this.builder;
    const other = operandOf.other(expressions, operation);
    if (this.isLiteral(operandOf.inner(expressions, operation)) && (other === NONE || this.isLiteral(other))) return;
    this.use('implicit', operation, owner, this.builder.intern(operator), at);
  }

  isLiteral(row: ExpressionRow): boolean {
    return this.builder.expressions.operator[row] === operatorCode.literal;
  }

  /** A plain name used as a value in `scope`: written only when it is not a local. */
  readName(expression: ExpressionRow, owner: SymbolRow, name: StringIndex, at: number, scope: ScopeRow): void {
    this.#uses.push({ kind: 'read', expression, owner, name, at, scope });
  }

  /** A plain name assigned to in `scope`: written only when it is not a local. */
  writeName(expression: ExpressionRow, owner: SymbolRow, name: StringIndex, at: number, scope: ScopeRow): void {
    this.#uses.push({ kind: 'write', expression, owner, name, at, scope });
  }

  /** Writes the uses as references and packs the facts. */
  finish(): ReturnType<FactsBuilder['finish']> {
    const lasting = this.#bindingTable();
    for (const { kind, expression, owner, name, at, scope } of this.#uses) {
      if (scope === NONE || this.isLasting(lasting, scope, name)) this.builder.addReference(kind, expression, owner, name, at);
    }
    return this.builder.finish({ nodes: this.table.count, errorNodes: countErrors(this.table) });
  }

  /** First line of a body that says something. */
  #firstLine(body: SyntaxNode): string {
    const [first] = this.children(body);
    const text =
      first === undefined
        ? ''
        : this.table.text.slice(this.reader.start(first), Math.min(this.reader.end(first), this.reader.start(first) + 4 * MAX_FIRST_LINE_LENGTH));
    return (text.split(/[\r\n]/, 1)[0] ?? '').trim().slice(0, MAX_FIRST_LINE_LENGTH);
  }

  /** A comment behind code on its line belongs to that code. */
  #sharesLine(comment: SyntaxNode): boolean {
    const { text } = this.table;
    for (let at = this.reader.start(comment) - 1; at >= 0; at--) {
      const code = text.charCodeAt(at);
      if (code === 10 || code === 13) return false;
      if (code !== 32 && code !== 9) return true;
    }
    return false;
  }

  /** By scope and name: 2 when some binding is a symbol or import, 1 when all are locals, 0 when it looks through to outer scopes. */
  #bindingTable(): Map<number, number> {
    const { count, scope, name, kind } = this.builder.bindings;
    const table = new Map<number, number>();
    for (let row = 0; row < count; row++) {
      const code = kind[row] ?? 0;
      const rank = this.rankOf(code);
      const key = (scope[row] ?? 0) * KEY + (name[row] ?? 0);
      table.set(key, Math.max(rank, table.get(key) ?? 0));
    }
    return table;
  }

  /** Of a kind of binding: 2 for symbols and imports, 1 for locals, 0 for what looks through to outer scopes. */
  protected rankOf(kind: number): number {
    return LASTING.has(kind) ? 2 : kind === NARROWED ? 0 : 1;
  }

  /** False for locals: a name that no scope of the file binds may be a member or come from another file. `table`: ranks by `scope * KEY + name`. */
  protected isLasting(table: ReadonlyMap<number, number>, from: ScopeRow, name: StringIndex): boolean {
    const { parent, kind } = this.builder.scopes;
    for (let scope = from; scope !== NONE; scope = parent[scope] ?? NONE) {
      const rank = table.get(scope * KEY + name) ?? 0;
      if (rank > 0) return rank === 2 || kind[scope] === CLASS_SCOPE;
    }
    return true;
  }
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}

/** Some grammars count the newline to the comment. */
function endsWithNewline(text: string, end: number): boolean {
  return text.charCodeAt(end - 1) === 10;
}

function cleanComment(comments: readonly string[], mark: RegExp): string {
  const last = comments[comments.length - 1] ?? '';
  if (last.startsWith('/*')) return commentText(last.trimEnd());
  const lines = comments.filter(comment => !comment.startsWith('/*')).flatMap(comment => comment.split(/\r?\n/));
  return commentText(
    lines
      .map(line => line.trim().replace(mark, '//'))
      .filter(line => line !== '')
      .join('\n'),
  );
}
