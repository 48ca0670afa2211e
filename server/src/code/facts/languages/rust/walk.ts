import { type ExpressionRow, MODULE_SCOPE, NONE, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, type SyntaxTable, syntaxNode } from '../../../parse/syntaxTable';
import type { FactTables } from '../../factTables';
import { FileWalk } from '../../walk/fileWalk';
import type { FieldName, KindName, RustGrammar } from './grammar';

/** What the statements of one function, closure or constant share. */
export interface Body {
  readonly returns: ExpressionRow[];
  /** Decision points; shared with closures inside. */
  readonly decisions: { count: number };
  /** Interned names bound or read so far: a `let` of one of them opens a scope of its own, so that it hides nothing said before it. */
  readonly seen: Set<number>;
  /** Scope of each local declared without a value. */
  readonly unset: Map<StringIndex, ScopeRow>;
  readonly isClosure: boolean;
}

export function newBody(outer?: Body): Body {
  return {
    returns: [],
    decisions: outer?.decisions ?? { count: 0 },
    seen: outer?.seen ?? new Set(),
    unset: outer?.unset ?? new Map(),
    isClosure: outer !== undefined,
  };
}

/** What `Self` means. */
export interface SelfType {
  /** The type as a row, read as a type or as a path. */
  readonly row: ExpressionRow;
  /** Its name as a segment of ids, 0 inside a trait. */
  readonly container: StringIndex;
  /** Symbol of the trait whose body this is, or `NONE`. */
  readonly trait: SymbolRow;
  /** Inside `impl Trait for Type`. */
  readonly isTraitImpl: boolean;
}

/** Where a piece of code stands. Replaced, never changed: a `let` gives the statements after it a frame of their own. */
export interface Frame {
  /** Scope that names are looked up in. */
  readonly scope: ScopeRow;
  /** Scope that items declared here bind in. */
  readonly home: ScopeRow;
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: Body | undefined;
  readonly self: SelfType | undefined;
  readonly place: 'module' | 'impl' | 'trait' | 'body';
  /** Path of the inline modules around, joined by `::`. */
  readonly module: string;
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: RustFile;
  /** Expression row of a node, `NONE` where it gives no value (`return`, `break`, a block without a tail). Writes the uses inside it. */
  value(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** The same, never `NONE`. */
  operand(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** How a pattern of this kind binds its names. */
  pattern(node: SyntaxNode): PatternHandler | undefined;
  /** Row of a type; unknown for none. */
  type(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Statements of a block in a scope of their own; the row of its tail, or `NONE`. */
  block(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Declares the items among the children of a node. */
  items(node: SyntaxNode, frame: Frame): void;
}

/** What is matched: its value row and its type row, each `NONE` when not known. */
export interface Subject {
  readonly value: ExpressionRow;
  readonly type: ExpressionRow;
}

/** Scopes of the names that one pattern has bound so far: the alternatives of `|` bind the same names again. */
export type Bound = Map<number, ScopeRow>;

export type PatternHandler = (walk: Walk, node: SyntaxNode, subject: Subject, frame: Frame, bound: Bound) => Frame;
export type ValueHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => ExpressionRow;
/** `attributes` are the attributes in front of the item. */
export type ItemHandler = (walk: Walk, node: SyntaxNode, frame: Frame, attributes: readonly SyntaxNode[]) => void;

/** A macro called in the body of another. */
export interface NestedCall {
  /** Rule of the other macro. */
  readonly rule: SyntaxNode;
  /** The arguments. */
  readonly tree: SyntaxNode;
}

interface Macros {
  readonly calls: ReadonlyMap<string, readonly SyntaxNode[]>;
  readonly nested: ReadonlyMap<string, readonly NestedCall[]>;
  readonly definitions: ReadonlyMap<string, SyntaxNode>;
}

export class RustFile extends FileWalk<KindName, FieldName> {
  /** Names whose rows are the same wherever they stand: primitive types. */
  readonly #fixed = new Map<string, ExpressionRow>();
  #macros: Macros | undefined;
  /** What calls hand to the parameters of a rule of a macro, by rule; filled as it is asked for. */
  readonly captures = new Map<SyntaxNode, Map<string, SyntaxNode[]>>();
  /** Functions that macros of this file declare under a name which a call hands over, by where the name stands in the call. */
  readonly expanded = new Map<SyntaxNode, SymbolRow>();
  readonly star: StringIndex;

  constructor(
    table: SyntaxTable,
    override readonly grammar: RustGrammar,
    language: LanguageId,
    tables: FactTables,
  ) {
    super(table, grammar, language, tables);
    this.star = this.builder.intern('*');
  }

  /** Row of a name that no scope binds. */
  fixedName(text: string): ExpressionRow {
    let row = this.#fixed.get(text);
    if (row === undefined) {
      row = this.row('name', MODULE_SCOPE, NONE, this.builder.intern(text));
      this.#fixed.set(text, row);
    }
    return row;
  }

  /** Macro calls of this file that stand where items of modules do, by the name of the macro. */
  itemCalls(): ReadonlyMap<string, readonly SyntaxNode[]> {
    this.#macros ??= this.#findMacros();
    return this.#macros.calls;
  }

  /** Calls in the bodies of macros, by the name of the macro that is called. */
  nestedCalls(): ReadonlyMap<string, readonly NestedCall[]> {
    this.#macros ??= this.#findMacros();
    return this.#macros.nested;
  }

  /** Macros that this file defines: the definition by name. */
  definedMacros(): ReadonlyMap<string, SyntaxNode> {
    this.#macros ??= this.#findMacros();
    return this.#macros.definitions;
  }

  #findMacros(): Macros {
    const calls = new Map<string, SyntaxNode[]>();
    const definitions = new Map<string, SyntaxNode>();
    const nested = new Map<string, NestedCall[]>();
    const { reader, grammar } = this;
    let rule = NO_NODE;
    for (let node = syntaxNode(0); node < this.table.count; node++) {
      const kind = reader.kind(node);
      if (kind === grammar.kind.macro_rule) rule = node;
      if (kind === grammar.kind.identifier && rule !== NO_NODE && node < reader.after(rule)) this.#noteNested(node, rule, nested);
      if (kind === grammar.kind.macro_definition) definitions.set(this.text(this.child(node, 'name')), node);
      if (kind !== grammar.kind.macro_invocation) continue;
      const parent = reader.parent(node);
      const holder = this.is(parent, 'expression_statement') ? reader.parent(parent) : parent;
      if (holder !== 0 && !(this.is(holder, 'declaration_list') && this.is(reader.parent(holder), 'mod_item'))) continue;
      const name = this.text(this.child(node, 'macro'));
      calls.set(name, [...(calls.get(name) ?? []), node]);
    }
    return { calls, nested, definitions };
  }

  /** `name ! ( … )` among the tokens of a rule. */
  #noteNested(name: SyntaxNode, rule: SyntaxNode, into: Map<string, NestedCall[]>): void {
    const tree = syntaxNode(name + 2);
    if (
      this.table.text[this.reader.start(syntaxNode(name + 1))] !== '!' ||
      !this.is(tree, 'token_tree') ||
      this.reader.parent(tree) !== this.reader.parent(name)
    )
      return;
    const text = this.text(name);
    into.set(text, [...(into.get(text) ?? []), { rule, tree }]);
  }

  nameRow(frame: Frame, name: StringIndex): ExpressionRow {
    frame.body?.seen.add(name);
    return this.row('name', frame.scope, NONE, name);
  }

  /** Of the rows that are there: one, any of them, or `NONE`. */
  anyOf(rows: readonly ExpressionRow[]): ExpressionRow {
    const given = rows.filter(row => row !== NONE);
    return given.length === 0 ? NONE : this.either(given);
  }

  /** True for `Name` and `NAME`: what patterns and calls take for a type, variant or constant. */
  isCapital(node: SyntaxNode): boolean {
    const code = this.reader.charCode(node);
    return code >= 65 && code <= 90;
  }
}

export function innerScope(walk: Walk, frame: Frame): Frame {
  const scope = walk.file.builder.addScope('block', frame.scope);
  return { ...frame, scope, home: scope };
}

/** A name bound in the frame's scope, or in a scope of its own when the function has seen the name before: the frame that sees it. */
export function bindLocal(walk: Walk, frame: Frame, name: StringIndex, value: ExpressionRow, type: ExpressionRow = NONE): Frame {
  const { seen } = frame.body ?? {};
  const scope = seen?.has(name) === true ? walk.file.builder.addScope('block', frame.scope) : frame.scope;
  seen?.add(name);
  walk.file.builder.addBinding({ scope, name, kind: 'variable', value, type });
  return scope === frame.scope ? frame : { ...frame, scope };
}
