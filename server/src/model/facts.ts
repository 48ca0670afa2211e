import type { Branded, ColumnOf } from '../base/branded';
import type { LanguageId } from './languages';

/**
 * What one file says, and nothing that needs another file: the intermediate representation between parsing and resolution.
 *
 * A file's facts are tables in struct-of-arrays form. Rows refer to rows of other tables by index, `NONE` (-1) where there is none.
 * Text is an index into `strings` (0 is the empty string). Lines and columns are 0-based, columns in UTF-16 code units.
 * Facts are plain data: they cross worker threads and live in packs keyed by content hash and `EXTRACTOR_VERSION`.
 * Equal text gives byte-identical facts.
 */
export const NONE = -1 as AnyRow;

/** Index into the `strings` of a file's facts. */
export type StringIndex = Branded<'StringIndex'>;
/** Row of `symbols`, `NONE` for none; so with the others. */
export type SymbolRow = Branded<'SymbolRow'>;
/** Row of `functions`: parameters and results of something callable. */
export type FunctionRow = Branded<'FunctionRow'>;
/** Row of `scopes`. */
export type ScopeRow = Branded<'ScopeRow'>;
/** Row of `bindings`: a name in a scope. */
export type BindingRow = Branded<'BindingRow'>;
/** A value or a type: which one follows from where the row is used. */
export type ExpressionRow = Branded<'ExpressionRow'>;
/** Row of `assignments`. */
export type AssignmentRow = Branded<'AssignmentRow'>;
/** Row of `references`: a use of a name. */
export type ReferenceRow = Branded<'ReferenceRow'>;
/** Row of `heritage`: a base of a type. */
export type HeritageRow = Branded<'HeritageRow'>;
/** Row of `imports`: an imported name. */
export type ImportRow = Branded<'ImportRow'>;
/** Row of `exports`. */
export type ExportRow = Branded<'ExportRow'>;
/** A row of any table. The operator determines which table an operand is of, the owner of a list which table its items are of. */
export type AnyRow = Branded<
  | 'StringIndex'
  | 'SymbolRow'
  | 'FunctionRow'
  | 'ScopeRow'
  | 'BindingRow'
  | 'ExpressionRow'
  | 'AssignmentRow'
  | 'ReferenceRow'
  | 'HeritageRow'
  | 'ImportRow'
  | 'ExportRow'
>;

/** A row of some table. */
export type SomeRow =
  | StringIndex
  | SymbolRow
  | FunctionRow
  | ScopeRow
  | BindingRow
  | ExpressionRow
  | AssignmentRow
  | ReferenceRow
  | HeritageRow
  | ImportRow
  | ExportRow;

/** The empty string. */
export const NO_TEXT = 0 as StringIndex;
/** Scope of the file itself: the first row of `scopes`, also where a file has nothing in it. */
export const MODULE_SCOPE = 0 as ScopeRow;

/** Says that a number, as loops count them, is a row. */
export function symbolRow(row: number): SymbolRow {
  return row as SymbolRow;
}
/** See `symbolRow`. */
export function functionRow(row: number): FunctionRow {
  return row as FunctionRow;
}
/** See `symbolRow`. */
export function scopeRow(row: number): ScopeRow {
  return row as ScopeRow;
}
/** See `symbolRow`. */
export function bindingRow(row: number): BindingRow {
  return row as BindingRow;
}
/** See `symbolRow`. */
export function expressionRow(row: number): ExpressionRow {
  return row as ExpressionRow;
}
/** See `symbolRow`. */
export function assignmentRow(row: number): AssignmentRow {
  return row as AssignmentRow;
}
/** See `symbolRow`. */
export function referenceRow(row: number): ReferenceRow {
  return row as ReferenceRow;
}
/** See `symbolRow`. */
export function heritageRow(row: number): HeritageRow {
  return row as HeritageRow;
}
/** See `symbolRow`. */
export function importRow(row: number): ImportRow {
  return row as ImportRow;
}
/** See `symbolRow`. */
export function exportRow(row: number): ExportRow {
  return row as ExportRow;
}
/** See `symbolRow`. */
export function stringIndex(index: number): StringIndex {
  return index as StringIndex;
}

/** Package of the scopes that declare global names, in languages whose files are modules. */
export const GLOBAL_NAMES = '*global';

/** Raised whenever extraction or this format changes; packs of other versions are ignored. */
export const EXTRACTOR_VERSION = 56;

/** What one file says, as tables of columns. */
export interface FileFacts {
  readonly language: LanguageId;
  readonly strings: readonly string[];
  readonly symbols: SymbolTable;
  readonly functions: FunctionTable;
  readonly scopes: ScopeTable;
  readonly bindings: BindingTable;
  readonly expressions: ExpressionTable;
  readonly assignments: AssignmentTable;
  readonly references: ReferenceTable;
  readonly heritage: HeritageTable;
  readonly imports: ImportTable;
  readonly exports: ExportTable;
  /** Operands that do not fit an expression row (arguments, members of a union), and lists of parameters and returns. */
  readonly lists: ColumnOf<AnyRow>;
  readonly syntax: SyntaxHealth;
  /** JSON of a `Digest` (`model/digest`), '' for files that show no sign of what it is for. */
  readonly digest: string;
}

/** Share of the tree that the grammar could not make sense of. */
export interface SyntaxHealth {
  readonly nodes: number;
  readonly errorNodes: number;
  /** Line count of the file. */
  readonly lines: number;
}

/**
 * Declared things that become nodes: top-level and nested functions, types, members, module-level variables.
 * Rows are in source order; a container comes before its members. Locals and parameters are bindings only, unless they hold a function or class.
 * A function-valued property of an object literal is a symbol inside the symbol the literal is bound to;
 * `module.exports` and a returned literal add no segment.
 */
export interface SymbolTable {
  readonly count: number;
  readonly name: ColumnOf<StringIndex>;
  /** Code from `SYMBOL_KINDS`. */
  readonly kind: Uint8Array;
  /** Containing symbol, or `NONE` at the top of the file. */
  readonly parent: ColumnOf<SymbolRow>;
  /**
   * Name of the type (segments joined by `::`) that a member declared outside its body belongs to (Go methods, Rust `impl`, C++ `void A::f()`, extension
   * functions), a segment of the id after those of `parent`; 0 for all others.
   */
  readonly container: ColumnOf<StringIndex>;
  /** The same type as an expression row read as a type, or `NONE`. */
  readonly receiver: ColumnOf<ExpressionRow>;
  /** 1 for the first declaration of this qualified name in the file, then 2, 3… (`#2` in the id). */
  readonly ordinal: Int32Array;
  /** Bits from `MODIFIERS`. */
  readonly modifiers: Int32Array;
  readonly startLine: Int32Array;
  readonly startColumn: Int32Array;
  readonly endLine: Int32Array;
  readonly endColumn: Int32Array;
  readonly nameLine: Int32Array;
  readonly nameColumn: Int32Array;
  /** Scope that the symbol's body opens (class body, function body), or `NONE`. */
  readonly scope: ColumnOf<ScopeRow>;
  /** Row of `functions` for callables, or `NONE`. */
  readonly function: ColumnOf<FunctionRow>;
  /** Declared type (an expression row read as a type): of a variable, field or property; the aliased type of a type alias. */
  readonly type: ColumnOf<ExpressionRow>;
  /** Initial value (an expression row) of a variable, constant, field, enum member. */
  readonly value: ColumnOf<ExpressionRow>;
  /** Declaration without its body on one line, whitespace folded, at most 300 characters. */
  readonly signature: ColumnOf<StringIndex>;
  /** Doc comment with its comment marks removed, at most 2,000 characters. */
  readonly doc: ColumnOf<StringIndex>;
  /** First line of the body that is neither blank nor a comment, for heuristic summaries; at most 120 characters. */
  readonly firstLine: ColumnOf<StringIndex>;
  /** `hashText` of the symbol's own unit of source (containers: header and member signatures, not member bodies). */
  readonly hash: ColumnOf<StringIndex>;
  /** 1 + decision points (McCabe) for callables, 0 otherwise. */
  readonly complexity: Int32Array;
}

/** Every function body in the file, named or not: declarations, methods, arrows, lambdas. */
export interface FunctionTable {
  readonly count: number;
  /** Symbol, or `NONE` for an anonymous callback. */
  readonly symbol: ColumnOf<SymbolRow>;
  /** Scope of the parameters and the body. */
  readonly scope: ColumnOf<ScopeRow>;
  /** Slice of `lists`: the binding row of each parameter in order (`NONE` for a pattern). Python includes `self`. */
  readonly parameterStart: Int32Array;
  readonly parameterCount: Int32Array;
  /** Declared return type, or `NONE`. */
  readonly returnType: ColumnOf<ExpressionRow>;
  /** Slice of `lists`: returned expressions (the body expression of an arrow; yielded ones in a generator). */
  readonly returnStart: Int32Array;
  readonly returnCount: Int32Array;
  /** Bits from `MODIFIERS`: `async`, `generator`. */
  readonly modifiers: Int32Array;
}

/** Kinds of scopes by code. The position is stored: append only. */
export const SCOPE_KINDS = ['module', 'function', 'class', 'block', 'type', 'namespace', 'object'] as const;
/** What a scope belongs to. */
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** Lexical scopes. Row 0 is the module. A class scope's names are not seen by plain look-up from inner functions in Python; the resolver knows. */
export interface ScopeTable {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly parent: ColumnOf<ScopeRow>;
  /** Symbol whose body this is, or `NONE`. */
  readonly symbol: ColumnOf<SymbolRow>;
  /** Function whose body this is, or `NONE` (blocks have none: walk up). */
  readonly function: ColumnOf<FunctionRow>;
  /**
   * Package or namespace that what is declared in this scope belongs to, as the language spells it (`org.jsoup.nodes`, `A.B`, `App\Http`, `ns::inner`);
   * 0: that of the scope around it. Row 0 carries the package of the file. Where files are modules, `GLOBAL_NAMES` for a scope whose names all files see.
   */
  readonly package: ColumnOf<StringIndex>;
}

/** Kinds of bindings by code. The position is stored: append only. */
export const BINDING_KINDS = ['symbol', 'import', 'parameter', 'variable', 'narrowed', 'self', 'catch', 'typeParameter', 'global'] as const;
/** How a name comes to be bound. `self` is the instance or class that a method is called on, `global` a name declared to be the module's. */
export type BindingKind = (typeof BINDING_KINDS)[number];

/**
 * Names visible in a scope. Several rows may share a scope and a name (reassignment, overloads, declaration merging): all are possible.
 * `narrowed` rows shadow a name inside a block whose guard proves a type (`instanceof`, `isinstance`).
 * Hoisting is done by the extractor: `var` binds in the function scope.
 */
export interface BindingTable {
  readonly count: number;
  readonly scope: ColumnOf<ScopeRow>;
  readonly name: ColumnOf<StringIndex>;
  readonly kind: Uint8Array;
  readonly symbol: ColumnOf<SymbolRow>;
  /** Row of `imports`, or `NONE`. */
  readonly import: ColumnOf<ImportRow>;
  /** Declared type, or `NONE`. */
  readonly type: ColumnOf<ExpressionRow>;
  /** Assigned value, default value of a parameter, destructured part (`Member`/`Index` of the source), or `NONE`. */
  readonly value: ColumnOf<ExpressionRow>;
  /** For parameters: the row of `functions` and the position; else `NONE`. */
  readonly function: ColumnOf<FunctionRow>;
  readonly position: Int32Array;
}

/**
 * Operators of expressions. Values and types share the table; which one a row is follows from where it is used.
 * Columns: `a` and `b` are operands (rows unless stated; `expressions.ts` reads them by name), `text` a string, `listStart/listCount` a slice of `lists`
 * (rows unless stated).
 * Append only.
 */
export const OPERATORS = [
  /** Something the extractor does not model. */
  'unknown',
  /** `text` looked up in scope `a`. */
  'name',
  /** Property `text` of `a`. */
  'member',
  /** `a[b]`; `b` may be `NONE`. A literal string key is `member`; a literal integer key has it in `text`. */
  'index',
  /** Call of `a` with arguments in the list; `b` is `a` applied to its type arguments (`generic`) or `NONE`. */
  'call',
  /** `new a(list)`; `b` is the `generic` row of explicit type arguments, or `NONE`. */
  'new',
  /** `this` seen from scope `a`. Python: `self` is a parameter binding, not this. */
  'this',
  /** `super` / `super()` seen from scope `a` (Python's zero-argument `super()` already called). */
  'super',
  'await',
  /** Element produced by iterating `a` (`for … of`, `for … in`, comprehension). `text` 'async' for async iteration, 'key' for key iteration. */
  'iterate',
  /** `text`: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'regexp' | 'bigint' | 'bytes' | 'fstring'. */
  'literal',
  /** List or array literal of the listed elements; `text` 'tuple' | 'set' | ''. */
  'array',
  /** Object or dict literal: the list alternates string index (of the key, 0 for a spread or a computed key) and value row. `a` is the symbol that owns it or `NONE`. */
  'object',
  /** Function `a` (row of `functions`). */
  'function',
  /** Class-like symbol `a` (row of `symbols`). */
  'class',
  /** Any of the listed rows: `?:`, `||`, `??`, `or`, reassignments; also a union type. */
  'either',
  /** `...a`, `*a`, `**a` (`text` '**'). */
  'spread',
  /** Module namespace of `text` (`require`, `import()`, `import_module` of a literal). `a` is the row of `imports`. */
  'module',
  /** A value of type `a` (cast, assertion). */
  'valueOfType',
  /** Type `a` applied to the listed type arguments. */
  'generic',
  /** Type: array of `a`; `text` 'tuple' uses the list. */
  'arrayType',
  /** Type: function; `a` is the returned type, `b` the row of `functions` when it is a declared method of an object type, the list the parameter types (`NONE` without one). */
  'functionType',
  /** Type: `typeof a`, `a` a value row. */
  'typeof',
  /** Type: object literal; list alternates string index and type row. */
  'objectType',
  /** Type: all of the listed rows. */
  'intersection',
  /** Type `a[b]`, `keyof` and other computed types keep their parts here. */
  'computedType',
  /** Context manager entered: the value `a` gives as `with a as x`. */
  'enter',
  /** Exception instance caught with class expression `a`. */
  'caught',
  /** `a` is the operand, `text` the operator: unary, binary, comparison; the result is a built-in value unless overloaded. */
  'operation',
  /** What is inside `a` when that is a result or an optional: Rust's `?` and `Some(x)`/`Ok(x)` patterns, `if let`, Swift's `try?`. */
  'unwrap',
  /**
   * The type that is expected where row `a` occurs (`NONE`: where this row occurs): of the parameter that an argument is passed to (`out var x`), the declared
   * type beside `new()`. With `b`: a new instance of the type that row `b` has.
   */
  'expected',
] as const;
/** What an expression row is; each says above what its operands are. */
export type Operator = (typeof OPERATORS)[number];

/** Code of each operator in `ExpressionTable.operator`: its position in `OPERATORS`. */
export const operatorCode: Readonly<Record<Operator, number>> = Object.freeze(
  Object.fromEntries(OPERATORS.map((name, code) => [name, code])) as Record<Operator, number>,
);

/** Expressions as rows: an operator, two operands whose meaning follows from it, a text, and a range of `lists`. */
export interface ExpressionTable {
  readonly count: number;
  readonly operator: Uint8Array;
  readonly a: ColumnOf<AnyRow>;
  readonly b: ColumnOf<AnyRow>;
  readonly text: ColumnOf<StringIndex>;
  readonly listStart: Int32Array;
  readonly listCount: Int32Array;
}

/** Assignments to something other than a plain name: `this.x = v`, `exports.f = v`, `A.prototype.m = v`, `obj[k] = v`. */
export interface AssignmentTable {
  readonly count: number;
  /** Object assigned into. */
  readonly target: ColumnOf<ExpressionRow>;
  readonly name: ColumnOf<StringIndex>;
  readonly value: ColumnOf<ExpressionRow>;
  /** Declared type at the assignment (`self.x: T = v`), or `NONE`. */
  readonly type: ColumnOf<ExpressionRow>;
  /** Symbol that this assignment defines (field, method, function), or `NONE`. */
  readonly symbol: ColumnOf<SymbolRow>;
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: ColumnOf<SymbolRow>;
}

/** Kinds of references by code. The position is stored: append only. */
export const REFERENCE_KINDS = [
  'call',
  'new',
  'type',
  'decorator',
  'raise',
  'catch',
  'read',
  'write',
  'assertType',
  'enter',
  'jsx',
  'object',
  'export',
  'qualifier',
  'keyword',
  'implicit',
] as const;
/** How a name is used. `assertType`: tested for or cast to; `enter`: managed by `with` or `using`; `object`: stands before a dot, which uses data and types, not functions; `export`: is handed on under a name that others import; `qualifier`: stands before `::`, which uses types alone; `keyword`: names an argument, which may be a field of what is made; `implicit`: syntax that runs a method without naming it (`x[k]`, `k in x`), its expression is a `member` row that does. */
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/**
 * Uses of names, one row per site. `expression` is the thing used: for `call` and `new` the whole call row, for `jsx` and `decorator` the component or decorator, for `type` the type row.
 * The range is that of the last name of the thing used (`c` in `a.b.c()`), on one line.
 */
export interface ReferenceTable {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly expression: ColumnOf<ExpressionRow>;
  /** Innermost enclosing symbol that has a node, or `NONE` for module level. For a decorator: the decorated symbol. */
  readonly owner: ColumnOf<SymbolRow>;
  readonly name: ColumnOf<StringIndex>;
  readonly line: Int32Array;
  readonly column: Int32Array;
}

/** Kinds of bases by code. The position is stored: append only. */
export const HERITAGE_KINDS = ['extends', 'implements', 'mixin'] as const;
/** How a type has its base, as written; whether the base is an interface is for the resolver to say. */
export type HeritageKind = (typeof HERITAGE_KINDS)[number];

/** Base types of a symbol in source order. */
export interface HeritageTable {
  readonly count: number;
  readonly symbol: ColumnOf<SymbolRow>;
  readonly kind: Uint8Array;
  readonly expression: ColumnOf<ExpressionRow>;
  /** With `symbol` `NONE`: the type (an expression row) that gets the base from outside its declaration (Rust's `impl Trait for Type`). */
  readonly receiver: ColumnOf<ExpressionRow>;
  readonly line: Int32Array;
  readonly column: Int32Array;
}

/** Kinds of imports by code. The position is stored: append only. */
export const IMPORT_KINDS = ['named', 'default', 'namespace', 'star', 'module', 'sideEffect', 'require', 'dynamic', 'reexport'] as const;
/** What an import binds; `sideEffect` nothing, `star` all names without naming them. */
export type ImportKind = (typeof IMPORT_KINDS)[number];

/**
 * One row per imported name (`sideEffect`, `require`, `dynamic` and `star` have one row in all).
 * Python: `import a.b` is `module` with specifier `a.b`; `from . import x` has `level` 1 and specifier ''.
 * A row without an imported name stands where its specifier or statement begins.
 */
export interface ImportTable {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly specifier: ColumnOf<StringIndex>;
  /** Leading dots of a relative Python import, else 0. */
  readonly level: Int32Array;
  readonly importedName: ColumnOf<StringIndex>;
  readonly localName: ColumnOf<StringIndex>;
  /** Binding the row makes, or `NONE`. */
  readonly binding: ColumnOf<BindingRow>;
  /** Code from `ERASURE`: whether the import is gone at run time. C#: 1 for `using static`. */
  readonly typeOnly: Uint8Array;
  readonly line: Int32Array;
  readonly column: Int32Array;
  /** Where the local name stands when it is another one (`a as b`), in an `export … from` the exported one; `NONE` otherwise. */
  readonly aliasLine: Int32Array;
  readonly aliasColumn: Int32Array;
}

/** Whether an import loads nothing: it says so (`import type`, `TYPE_CHECKING`), or a compiler drops it because values are not what it is used for. */
export const ERASURE = { none: 0, written: 1, unusedAsValue: 2 } as const;

/** Kinds of exports by code. The position is stored: append only. */
export const EXPORT_KINDS = ['local', 'value', 'reexport', 'star', 'namespace', 'whole', 'names'] as const;
/** What is exported; `ExportTable` says what each has. */
export type ExportKind = (typeof EXPORT_KINDS)[number];

/**
 * What other files can import.
 * `local`: binding `localName` of the module scope under `exportedName`. `value`: expression `value` (`export default f()`, `exports.x = …`).
 * `reexport`: `importedName` of import row `import`. `star`: everything of import row `import`; `namespace`: the same under `exportedName`.
 * `whole`: `module.exports = value` / `export =`. `names`: an entry of Python's `__all__`.
 * Python files export every module-level binding without rows here.
 */
export interface ExportTable {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly exportedName: ColumnOf<StringIndex>;
  readonly localName: ColumnOf<StringIndex>;
  readonly importedName: ColumnOf<StringIndex>;
  readonly import: ColumnOf<ImportRow>;
  readonly value: ColumnOf<ExpressionRow>;
  /** Where `localName` stands in a list of exports (`export { a }`, `__all__`); `NONE` for what is exported where it is declared. */
  readonly line: Int32Array;
  readonly column: Int32Array;
  /** Where the exported name stands when it is another one (`export { a as b }`); `NONE` otherwise. */
  readonly aliasLine: Int32Array;
  readonly aliasColumn: Int32Array;
}

/** Text of a `strings` index. */
export const textOf = (facts: FileFacts, index: StringIndex): string => facts.strings[index] ?? '';

/** Names from the outermost container to the symbol, each with its `#n` where needed. */
export function qualifiedName(facts: FileFacts, symbol: SymbolRow): string[] {
  const names: string[] = [];
  for (let row = symbol; row !== NONE; row = facts.symbols.parent[row] ?? NONE) {
    const ordinal = facts.symbols.ordinal[row] ?? 1;
    names.unshift(textOf(facts, facts.symbols.name[row] ?? NO_TEXT) + (ordinal > 1 ? `#${ordinal}` : ''));
    const container = facts.symbols.container[row] ?? NO_TEXT;
    if (container !== NO_TEXT) names.unshift(...textOf(facts, container).split('::'));
  }
  return names;
}
