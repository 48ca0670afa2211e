/**
 * State of the walk through one TypeScript or JavaScript file: where it is (scope, container, owner) and what it has found so far.
 *
 * It does not know what any node means: statements, values, types and patterns are handlers in their own modules, reached through dispatch tables.
 * The position is set and restored rather than a frame that is replaced: it has thirteen parts, which change independently of each other.
 * Invariants: every node is visited once; what a helper changes in the position it restores.
 */
import {
  type BindingRow,
  type ExpressionRow,
  type FunctionRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type ScopeKind,
  type ScopeRow,
  type SomeRow,
  type StringIndex,
  type SymbolRow,
} from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { SyntaxReader } from '../../../parse/syntaxReader';
import type { SyntaxNode, SyntaxTable } from '../../../parse/syntaxTable';
import { FactsBuilder } from '../../factsBuilder';
import type { FactTables } from '../../factTables';
import { RowTable } from '../../rowTable';
import { Nesting } from '../../walk/nesting';
import { StatementWalk, type WalkedFile } from '../../walk/treeWalk';
import type { Kinds } from './kinds';

/** Deepest nesting of expressions, statements and types that is read. Bundled code has chains of calls and operators deeper than other languages do. */
const MAX_NESTING = 1200;

export type ValueHandler = (walk: Walk, node: SyntaxNode) => ExpressionRow;
export type StatementHandler = (walk: Walk, node: SyntaxNode) => void;

export interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly types: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
}

/**
 * A name that an object literal is bound to (variable or property), not yet a symbol. It becomes one as soon as a function inside the literal needs a container.
 */
export interface BoundLiteral {
  readonly outer: BoundLiteral | undefined;
  readonly name: StringIndex;
  readonly node: SyntaxNode;
  readonly nameNode: SyntaxNode;
  readonly isProperty: boolean;
  /** Binding to be told about the symbol, or `NONE`. */
  readonly binding: BindingRow;
  symbol: SymbolRow;
}

/** An identifier or member read as a value, kept until all bindings are known. */
export interface Use {
  readonly kind: 'read' | 'write' | 'export';
  readonly row: ExpressionRow;
  readonly scope: ScopeRow;
  readonly owner: SymbolRow;
  readonly name: StringIndex;
  readonly at: number;
  /** The name is only the left side of a member or call: not a use of a class or namespace in itself. */
  readonly isObject: boolean;
}

export interface Reassignment {
  readonly name: StringIndex;
  readonly scope: ScopeRow;
  readonly value: ExpressionRow;
}

/** Key of `Walk.declared`. */
export function declaredKey(parent: SymbolRow, name: StringIndex): number {
  return (parent + 1) * 0x200000 + name;
}

/** What a condition proves: the name has the type. */
export interface Guard {
  readonly name: StringIndex;
  readonly type: ExpressionRow;
}

/** One file under extraction. It writes its uses itself: which names count is another question in a language with hoisting and `this` (`uses.ts`). */
class TypeScriptFile extends Nesting implements WalkedFile {
  readonly reader: SyntaxReader;
  readonly builder: FactsBuilder;
  readonly comments: ReadonlySet<number>;
  readonly #unknown: ExpressionRow;

  constructor(table: SyntaxTable, kinds: Kinds, language: LanguageId, tables: FactTables) {
    super(MAX_NESTING);
    this.reader = new SyntaxReader(table);
    this.builder = new FactsBuilder(table.text, language, tables);
    this.comments = new Set([kinds.node.comment]);
    this.#unknown = this.builder.addExpression(operatorCode.unknown);
  }

  unknown(): ExpressionRow {
    return this.#unknown;
  }
}

/** What a function body changes and gives back. */
interface Position {
  scope: ScopeRow;
  declaring: ScopeRow;
  hoisting: ScopeRow;
  thisScope: ScopeRow;
  owner: SymbolRow;
  container: number;
  holder: BoundLiteral | undefined;
  functionRow: number;
  typeHolder: number;
  returns: number[];
  exporting: boolean;
  isTopLevel: boolean;
  pendingModifiers: number;
}

export class Walk extends StatementWalk<TypeScriptFile, void> implements Position {
  readonly reader: SyntaxReader;
  readonly builder: FactsBuilder;
  readonly text: string;
  /** Column of the table, for hot loops. */
  readonly next: Int32Array;

  /** Scope that names are looked up in; inside guarded code a child of `declaring`. */
  scope = MODULE_SCOPE;
  /** Scope that `let`, `const`, classes and functions bind in. */
  declaring = MODULE_SCOPE;
  /** Scope that `var` binds in. */
  hoisting = MODULE_SCOPE;
  /** Scope of the function that binds `this`: arrows pass it through. */
  thisScope = MODULE_SCOPE;
  /** Symbol that references belong to: the innermost callable or type. */
  owner: SymbolRow = NONE;
  /** Symbol that new symbols go into. */
  container: SymbolRow = NONE;
  holder: BoundLiteral | undefined;
  /** Symbol of the single-file component that this file is, which is what it exports by default. */
  component: SymbolRow = NONE;
  /** Interned name of a default export that has none of its own; 0: `default`. */
  defaultName = NO_TEXT;
  functionRow: FunctionRow = NONE;
  /** Symbol whose declared type is being read: methods of its object type are members of it. `NONE` elsewhere. */
  typeHolder: SymbolRow = NONE;
  returns: ExpressionRow[] = [];
  complexity = 0;
  /** The declaration being read is the declaration of an `export` statement. */
  exporting = false;
  /** Directly in the module or a namespace: variables declared here are symbols. */
  isTopLevel = true;
  /** Modifiers of an enclosing `export`, `declare` or `export default` for the next declaration. */
  pendingModifiers = 0;
  /** Offset where the doc comment of the next declaration ends; -1 for the declaration's own start. */
  docAnchor = -1;
  /** Names of the variables that exports apart from their declaration name. */
  exposed: ReadonlySet<string> = new Set();
  /** Exported object literal that is about to be read, and the symbol that its data belong to. */
  exposing: { readonly literal: SyntaxNode; readonly owner: SymbolRow; readonly isTable: boolean } | undefined;
  /** Overload signatures read past, for the implementation that follows them. */
  overloads: SyntaxNode[] = [];

  readonly uses: Use[] = [];
  readonly reassignments: Reassignment[] = [];
  /** Names of the members of each class, by symbol. */
  readonly memberNames = new Map<SymbolRow, ReadonlySet<StringIndex>>();
  /** First symbol of a name in a container, by `declaredKey`. */
  readonly declared = new Map<number, SymbolRow>();
  /** Symbols of the values of `exports.name = …`. */
  readonly exportedData = new Map<StringIndex, SymbolRow>();
  /** What conditions read so far prove, by node and outcome. */
  readonly guards = new Map<number, readonly Guard[]>();
  /** Row of the implementation that the overloads being read have; declarations of its name before it need no symbol of their own. */
  implementation = 0;
  readonly isTyped: boolean;

  readonly #rows = new RowTable();
  readonly unknown: ExpressionRow;

  constructor(
    table: SyntaxTable,
    readonly kinds: Kinds,
    protected readonly handlers: Handlers,
    language: LanguageId,
    tables: FactTables,
  ) {
    super(new TypeScriptFile(table, kinds, language, tables));
    this.reader = this.file.reader;
    this.builder = this.file.builder;
    this.text = table.text;
    this.next = table.next;
    this.isTyped = language !== 'javascript';
    this.unknown = this.file.unknown();
    this.builder.addScope('module', NONE);
  }

  /** Row of a type expression. Visits all of it. */
  type(node: SyntaxNode): ExpressionRow {
    return this.evaluate(this.handlers.types, node, undefined);
  }

  /** Visits something whose place does not say whether it is a statement, a value or a type. */
  override part(node: SyntaxNode): void {
    const kind = this.kind[node] ?? 0;
    if (this.handlers.statements[kind] !== undefined) this.statement(node);
    else if (this.handlers.values[kind] !== undefined) this.value(node);
    else this.type(node);
  }

  child(node: SyntaxNode, field: number): SyntaxNode {
    return this.reader.childByField(node, field);
  }

  nameOf(node: SyntaxNode): StringIndex {
    return this.builder.internRange(this.reader.start(node), this.reader.end(node));
  }

  /** A row without a list, made once per file: equal parts give the same row. */
  row(operator: number, a: SomeRow = NONE, b: SomeRow = NONE, text = NO_TEXT): ExpressionRow {
    if (b !== NONE) return this.builder.addExpression(operator, a, b, text);
    const { expressions } = this.builder;
    const known = this.#rows.find(expressions, operator, a, text);
    return known === NONE ? this.#rows.add(expressions, this.builder.addExpression(operator, a, b, text)) : known;
  }

  literal(type: string): ExpressionRow {
    return this.row(operatorCode.literal, NONE, NONE, this.builder.intern(type));
  }

  name(name: StringIndex): ExpressionRow {
    return this.row(operatorCode.name, this.scope, NONE, name);
  }

  list(operator: number, items: readonly SomeRow[], a: SomeRow = NONE, text = NO_TEXT): ExpressionRow {
    return this.builder.addExpression(operator, a, NONE, text, items);
  }

  /** One of several values; of one alone, that one. */
  either(items: readonly ExpressionRow[]): ExpressionRow {
    const known = items.filter(item => item !== this.unknown);
    if (known.length === 0) return this.unknown;
    return known.length === 1 ? (known[0] ?? this.unknown) : this.list(operatorCode.either, known);
  }

  /** Runs `body`, which may change the position, and changes it back. Name by name: `Object.assign` looks each up. */
  within<T>(body: () => T): T {
    const { scope, declaring, hoisting, thisScope, owner, container, holder, functionRow, typeHolder, returns, exporting, isTopLevel, pendingModifiers } = this;
    const result = body();
    this.scope = scope;
    this.declaring = declaring;
    this.hoisting = hoisting;
    this.thisScope = thisScope;
    this.owner = owner;
    this.container = container;
    this.holder = holder;
    this.functionRow = functionRow;
    this.typeHolder = typeHolder;
    this.returns = returns;
    this.exporting = exporting;
    this.isTopLevel = isTopLevel;
    this.pendingModifiers = pendingModifiers;
    return result;
  }

  /** Into something that declares names of its own and is no statement of what is around it. */
  enter(scope: ScopeRow): void {
    this.scope = scope;
    this.declaring = scope;
    this.exporting = false;
    this.pendingModifiers = 0;
    this.typeHolder = NONE;
    this.isTopLevel = false;
  }

  /** What comes belongs to `symbol` and goes into it. */
  enterSymbol(symbol: SymbolRow): void {
    this.owner = symbol;
    this.container = symbol;
    this.holder = undefined;
  }

  /** Runs `body` in a block whose variables are no symbols. */
  inBlock(body: () => void): void {
    this.within(() => {
      this.isTopLevel = false;
      this.inScope('block', body);
    });
  }

  /** Runs `body` in a child scope for look-up and declarations. */
  inScope<T>(kind: ScopeKind, body: () => T): T {
    const { scope, declaring } = this;
    this.scope = this.builder.addScope(kind, scope);
    this.declaring = this.scope;
    const result = body();
    this.scope = scope;
    this.declaring = declaring;
    return result;
  }
}
