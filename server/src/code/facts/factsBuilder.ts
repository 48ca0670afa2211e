/**
 * Collects the facts of one file row by row and packs them into columns.
 *
 * It does not know any language: extractors decide what a row means. Positions come in as UTF-16 offsets and leave as lines and columns.
 * Invariants: equal calls give equal facts; string 0 is the empty string, scope 0 the module; an unset column is `NONE` (text columns: 0).
 * A row can be completed later (`set`); rows are never removed. Tables that are handed in are
 * filled anew: one builder at a time.
 */
import type { ColumnOf } from '../../base/branded';
import { hashRange, hashText } from '../../base/hash';
import { maskLiterals } from '../../base/secretText';
import { LineIndex } from '../../base/text';
import {
  type AnyRow,
  type AssignmentRow,
  assignmentRow,
  BINDING_KINDS,
  type BindingKind,
  type BindingRow,
  bindingRow,
  ERASURE,
  EXPORT_KINDS,
  type ExportKind,
  type ExportRow,
  type ExpressionRow,
  exportRow,
  expressionRow,
  type FileFacts,
  type FunctionRow,
  functionRow,
  HERITAGE_KINDS,
  type HeritageKind,
  type HeritageRow,
  heritageRow,
  IMPORT_KINDS,
  type ImportKind,
  type ImportRow,
  importRow,
  NO_TEXT,
  NONE,
  REFERENCE_KINDS,
  type ReferenceKind,
  type ReferenceRow,
  referenceRow,
  SCOPE_KINDS,
  type ScopeKind,
  type ScopeRow,
  type SomeRow,
  type StringIndex,
  type SymbolRow,
  scopeRow,
  stringIndex,
  symbolRow,
} from '../../model/facts';
import { SEPARATOR } from '../../model/ids';
import type { LanguageId } from '../../model/languages';
import { type SymbolKind, symbolKindCode } from '../../model/nodes';
import { FactTables, newRow, type ReadableTable } from './factTables';

export interface SymbolInput {
  /** An interned string, as everywhere below where text is a number. */
  readonly name: StringIndex;
  readonly kind: SymbolKind;
  readonly parent: SymbolRow;
  /** Type outside whose body the member stands, and that type as a row. */
  readonly container?: StringIndex;
  readonly receiver?: ExpressionRow;
  readonly modifiers?: number;
  /** Offsets of the whole declaration and of its name. */
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly scope?: ScopeRow;
  readonly function?: FunctionRow;
  readonly type?: ExpressionRow;
  readonly value?: ExpressionRow;
  readonly signature?: StringIndex;
  readonly doc?: StringIndex;
  readonly firstLine?: StringIndex;
  readonly hash?: StringIndex;
  readonly complexity?: number;
}

export interface FunctionInput {
  readonly symbol: SymbolRow;
  readonly scope: ScopeRow;
  readonly parameters?: readonly BindingRow[];
  readonly returnType?: ExpressionRow;
  readonly returns?: readonly ExpressionRow[];
  readonly modifiers?: number;
}

export interface BindingInput {
  readonly scope: ScopeRow;
  readonly name: StringIndex;
  readonly kind: BindingKind;
  readonly symbol?: SymbolRow;
  readonly import?: ImportRow;
  readonly type?: ExpressionRow;
  readonly value?: ExpressionRow;
  readonly function?: FunctionRow;
  readonly position?: number;
}

export interface AssignmentInput {
  readonly target: ExpressionRow;
  readonly name: StringIndex;
  readonly value: ExpressionRow;
  readonly type?: ExpressionRow;
  readonly symbol?: SymbolRow;
  readonly owner: SymbolRow;
}

export interface ImportInput {
  readonly kind: ImportKind;
  readonly specifier: StringIndex;
  readonly level?: number;
  readonly importedName?: StringIndex;
  readonly localName?: StringIndex;
  readonly binding?: BindingRow;
  readonly typeOnly?: boolean;
  /** Offset of the imported name, else of the statement. */
  readonly at: number;
  /** Offset of the local name if it is another one. */
  readonly aliasAt?: number;
}

export interface ExportInput {
  readonly kind: ExportKind;
  readonly exportedName?: StringIndex;
  readonly localName?: StringIndex;
  readonly importedName?: StringIndex;
  readonly import?: ImportRow;
  readonly value?: ExpressionRow;
  /** Offset of the local name in a list of exports. */
  readonly at?: number;
  /** Offset of the exported name in it if it is another one. */
  readonly aliasAt?: number;
}

/** Times a file may be hashed: as deep as declarations are nested in each other on average. */
const MAX_HASHED = 64;
const HASHED_HEAD = 256;

function codes<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, code) => [name, code])) as Record<Name, number>;
}

const scopeCode = codes<ScopeKind>(SCOPE_KINDS);
const bindingCode = codes<BindingKind>(BINDING_KINDS);
const referenceCode = codes<ReferenceKind>(REFERENCE_KINDS);
const heritageCode = codes<HeritageKind>(HERITAGE_KINDS);
const importCode = codes<ImportKind>(IMPORT_KINDS);
const exportCode = codes<ExportKind>(EXPORT_KINDS);

type TableName = Exclude<keyof FactTables, 'clear'>;
/** Rows of each table. */
interface RowOf {
  readonly symbols: SymbolRow;
  readonly functions: FunctionRow;
  readonly scopes: ScopeRow;
  readonly bindings: BindingRow;
  readonly expressions: ExpressionRow;
  readonly assignments: AssignmentRow;
  readonly references: ReferenceRow;
  readonly heritage: HeritageRow;
  readonly imports: ImportRow;
  readonly exports: ExportRow;
}
/** What the cells of a column hold. */
type CellOf<Column> = Column extends ColumnOf<infer Value> ? (AnyRow extends Value ? (Value extends AnyRow ? SomeRow : Value) : Value) : number;
type ColumnName<Name extends TableName> = Exclude<keyof FactTables[Name], 'count'> & string;

/** Collects the rows of one file. Equal texts share an index; `finish` packs the columns, after which the builder is not used again. */
export class FactsBuilder {
  readonly symbols: ReadableTable<FactTables['symbols']>;
  readonly functions: ReadableTable<FactTables['functions']>;
  readonly scopes: ReadableTable<FactTables['scopes']>;
  readonly bindings: ReadableTable<FactTables['bindings']>;
  readonly expressions: ReadableTable<FactTables['expressions']>;
  readonly assignments: ReadableTable<FactTables['assignments']>;
  readonly references: ReadableTable<FactTables['references']>;
  readonly heritage: ReadableTable<FactTables['heritage']>;
  readonly imports: ReadableTable<FactTables['imports']>;
  readonly exports: ReadableTable<FactTables['exports']>;
  readonly lists: AnyRow[] = [];
  readonly strings: string[] = [''];
  readonly lines: LineIndex;

  readonly #handles = new Map<string, StringIndex>([['', NO_TEXT]]);
  /** Ordinals given so far, by qualified name. */
  readonly #ordinals = new Map<string, number>();
  /** Name of each symbol row within the file, as in its id. */
  readonly #qualified: string[] = [];
  #line = 0;
  #lineStart = 0;
  #lineEnd = -1;
  #hashed = 0;

  constructor(
    readonly text: string,
    readonly language: LanguageId,
    private readonly tables = new FactTables(),
  ) {
    this.lines = new LineIndex(text);
    tables.clear();
    this.symbols = tables.symbols;
    this.functions = tables.functions;
    this.scopes = tables.scopes;
    this.bindings = tables.bindings;
    this.expressions = tables.expressions;
    this.assignments = tables.assignments;
    this.references = tables.references;
    this.heritage = tables.heritage;
    this.imports = tables.imports;
    this.exports = tables.exports;
  }

  /** Completes a row that was added with a cell still open. */
  set<Name extends TableName, Column extends ColumnName<Name>>(table: Name, column: Column, row: RowOf[Name], value: CellOf<FactTables[Name][Column]>): void {
    const cells = (this.tables[table] as Readonly<Record<string, Int32Array | Uint8Array | number>>)[column];
    if (typeof cells === 'object') cells[row] = value;
  }

  intern(text: string): StringIndex {
    const known = this.#handles.get(text);
    if (known !== undefined) return known;
    const handle = stringIndex(this.strings.length);
    this.strings.push(SURROGATE.test(text) ? text.replace(LONE_SURROGATE, '\uFFFD') : text);
    this.#handles.set(text, handle);
    return handle;
  }

  /** The same for text that is shown and not compared: what looks like a credential is masked. */
  internShown(text: string): StringIndex {
    return this.intern(maskLiterals(text));
  }

  internRange(start: number, end: number): StringIndex {
    return this.intern(this.text.slice(start, end));
  }

  /** Interned hash of `text[start, end)`; of its head and length alone once declarations nested in each other have had the file hashed many times over. */
  hashOf(start: number, end: number): StringIndex {
    this.#hashed += end - start;
    if (this.#hashed <= MAX_HASHED * (this.text.length + 1)) return this.intern(hashRange(this.text, start, end));
    return this.intern(hashText(`${end - start} ${this.text.slice(start, Math.min(end, start + HASHED_HEAD))}`));
  }

  /** Handle of `text` if some row already uses it. */
  find(text: string): StringIndex | undefined {
    return this.#handles.get(text);
  }

  lineOf(offset: number): number {
    this.#seek(offset);
    return this.#line;
  }

  columnOf(offset: number): number {
    this.#seek(offset);
    return offset - this.#lineStart;
  }

  /** `ordinal` counts the symbols of this qualified name so far. */
  addSymbol(input: SymbolInput): SymbolRow {
    const table = this.tables.symbols;
    const row = symbolRow(newRow(table, table.name));
    table.name[row] = input.name;
    table.kind[row] = symbolKindCode[input.kind];
    table.parent[row] = input.parent;
    table.container[row] = input.container ?? NO_TEXT;
    table.receiver[row] = input.receiver ?? NONE;
    table.ordinal[row] = this.#nextOrdinal(input);
    table.modifiers[row] = input.modifiers ?? 0;
    table.startLine[row] = this.lineOf(input.start);
    table.startColumn[row] = this.columnOf(input.start);
    table.nameLine[row] = this.lineOf(input.nameStart);
    table.nameColumn[row] = this.columnOf(input.nameStart);
    table.endLine[row] = this.lineOf(input.end);
    table.endColumn[row] = this.columnOf(input.end);
    table.scope[row] = input.scope ?? NONE;
    table.function[row] = input.function ?? NONE;
    table.type[row] = input.type ?? NONE;
    table.value[row] = input.value ?? NONE;
    table.signature[row] = input.signature ?? NO_TEXT;
    table.doc[row] = input.doc ?? NO_TEXT;
    table.firstLine[row] = input.firstLine ?? NO_TEXT;
    table.hash[row] = input.hash ?? NO_TEXT;
    table.complexity[row] = input.complexity ?? 0;
    return row;
  }

  /** Parameters and returns may be given later with `setParameters` and `setReturns`. */
  addFunction(input: FunctionInput): FunctionRow {
    const table = this.tables.functions;
    const row = functionRow(newRow(table, table.symbol));
    table.symbol[row] = input.symbol;
    table.scope[row] = input.scope;
    table.parameterStart[row] = 0;
    table.parameterCount[row] = 0;
    table.returnType[row] = input.returnType ?? NONE;
    table.returnStart[row] = 0;
    table.returnCount[row] = 0;
    table.modifiers[row] = input.modifiers ?? 0;
    if (input.parameters !== undefined) this.setParameters(row, input.parameters);
    if (input.returns !== undefined) this.setReturns(row, input.returns);
    return row;
  }

  setParameters(functionRow: FunctionRow, bindings: readonly BindingRow[]): void {
    const { parameterStart, parameterCount } = this.tables.functions;
    parameterStart[functionRow] = this.addList(bindings);
    parameterCount[functionRow] = bindings.length;
  }

  setReturns(functionRow: FunctionRow, expressions: readonly ExpressionRow[]): void {
    const { returnStart, returnCount } = this.tables.functions;
    returnStart[functionRow] = this.addList(expressions);
    returnCount[functionRow] = expressions.length;
  }

  /** `packageName`: see `ScopeTable.package`; that of the file is set on row 0. */
  addScope(kind: ScopeKind, parent: ScopeRow, symbol: SymbolRow = NONE, functionRow: FunctionRow = NONE, packageName = NO_TEXT): ScopeRow {
    const table = this.tables.scopes;
    const row = scopeRow(newRow(table, table.parent));
    table.kind[row] = scopeCode[kind];
    table.parent[row] = parent;
    table.symbol[row] = symbol;
    table.function[row] = functionRow;
    table.package[row] = packageName;
    return row;
  }

  addBinding(input: BindingInput): BindingRow {
    const table = this.tables.bindings;
    const row = bindingRow(newRow(table, table.scope));
    table.scope[row] = input.scope;
    table.name[row] = input.name;
    table.kind[row] = bindingCode[input.kind];
    table.symbol[row] = input.symbol ?? NONE;
    table.import[row] = input.import ?? NONE;
    table.type[row] = input.type ?? NONE;
    table.value[row] = input.value ?? NONE;
    table.function[row] = input.function ?? NONE;
    table.position[row] = input.position ?? NONE;
    return row;
  }

  /** Appends to `lists` and returns where the slice starts. */
  addList(items: readonly SomeRow[]): number {
    const start = this.lists.length;
    for (let i = 0; i < items.length; i++) this.lists.push((items[i] ?? NONE) as AnyRow);
    return items.length === 0 ? 0 : start;
  }

  /** `operator` is a code of `operatorCode`. `list` is copied into `lists`. */
  addExpression(operator: number, a: SomeRow = NONE, b: SomeRow = NONE, text = NO_TEXT, list?: readonly SomeRow[]): ExpressionRow {
    const table = this.tables.expressions;
    const row = expressionRow(newRow(table, table.a));
    table.operator[row] = operator;
    table.a[row] = a as AnyRow;
    table.b[row] = b as AnyRow;
    table.text[row] = text;
    if (list === undefined || list.length === 0) {
      table.listStart[row] = 0;
      table.listCount[row] = 0;
    } else {
      table.listStart[row] = this.addList(list);
      table.listCount[row] = list.length;
    }
    return row;
  }

  addAssignment(input: AssignmentInput): AssignmentRow {
    const table = this.tables.assignments;
    const row = assignmentRow(newRow(table, table.target));
    table.target[row] = input.target;
    table.name[row] = input.name;
    table.value[row] = input.value;
    table.type[row] = input.type ?? NONE;
    table.symbol[row] = input.symbol ?? NONE;
    table.owner[row] = input.owner;
    return row;
  }

  /** `at` is the offset of the last name of the thing used. */
  addReference(kind: ReferenceKind, expression: ExpressionRow, owner: SymbolRow, name: StringIndex, at: number): ReferenceRow {
    const table = this.tables.references;
    const row = referenceRow(newRow(table, table.expression));
    table.kind[row] = referenceCode[kind];
    table.expression[row] = expression;
    table.owner[row] = owner;
    table.name[row] = name;
    this.#seek(at);
    table.line[row] = this.#line;
    table.column[row] = at - this.#lineStart;
    return row;
  }

  /** `receiver`: see `HeritageTable.receiver`. */
  addHeritage(symbol: SymbolRow, kind: HeritageKind, expression: ExpressionRow, at: number, receiver: ExpressionRow = NONE): HeritageRow {
    const table = this.tables.heritage;
    const row = heritageRow(newRow(table, table.symbol));
    table.symbol[row] = symbol;
    table.kind[row] = heritageCode[kind];
    table.expression[row] = expression;
    table.receiver[row] = receiver;
    table.line[row] = this.lineOf(at);
    table.column[row] = this.columnOf(at);
    return row;
  }

  addImport(input: ImportInput): ImportRow {
    const table = this.tables.imports;
    const row = importRow(newRow(table, table.specifier));
    table.kind[row] = importCode[input.kind];
    table.specifier[row] = input.specifier;
    table.level[row] = input.level ?? 0;
    table.importedName[row] = input.importedName ?? NO_TEXT;
    table.localName[row] = input.localName ?? NO_TEXT;
    table.binding[row] = input.binding ?? NONE;
    table.typeOnly[row] = input.typeOnly === true ? ERASURE.written : ERASURE.none;
    table.line[row] = this.lineOf(input.at);
    table.column[row] = this.columnOf(input.at);
    table.aliasLine[row] = input.aliasAt === undefined ? NONE : this.lineOf(input.aliasAt);
    table.aliasColumn[row] = input.aliasAt === undefined ? NONE : this.columnOf(input.aliasAt);
    return row;
  }

  /** Says where the local name of an import stands that was read before it. */
  setAlias(row: ImportRow, at: number): void {
    this.tables.imports.aliasLine[row] = this.lineOf(at);
    this.tables.imports.aliasColumn[row] = this.columnOf(at);
  }

  addExport(input: ExportInput): ExportRow {
    const table = this.tables.exports;
    const row = exportRow(newRow(table, table.value));
    table.kind[row] = exportCode[input.kind];
    table.exportedName[row] = input.exportedName ?? NO_TEXT;
    table.localName[row] = input.localName ?? NO_TEXT;
    table.importedName[row] = input.importedName ?? NO_TEXT;
    table.import[row] = input.import ?? NONE;
    table.value[row] = input.value ?? NONE;
    table.line[row] = input.at === undefined ? NONE : this.lineOf(input.at);
    table.column[row] = input.at === undefined ? NONE : this.columnOf(input.at);
    table.aliasLine[row] = input.aliasAt === undefined ? NONE : this.lineOf(input.aliasAt);
    table.aliasColumn[row] = input.aliasAt === undefined ? NONE : this.columnOf(input.aliasAt);
    return row;
  }

  /** The rows are lent (see `Extractor`): copied, they would be some seventy arrays for each file. */
  finish(health: { readonly nodes: number; readonly errorNodes: number }): FileFacts {
    const { tables } = this;
    return {
      language: this.language,
      strings: this.strings,
      symbols: tables.symbols,
      functions: tables.functions,
      scopes: tables.scopes,
      bindings: tables.bindings,
      expressions: tables.expressions,
      assignments: tables.assignments,
      references: tables.references,
      heritage: tables.heritage,
      imports: tables.imports,
      exports: tables.exports,
      lists: new Int32Array(this.lists) as ColumnOf<AnyRow>,
      syntax: { nodes: health.nodes, errorNodes: health.errorNodes, lines: this.lines.lineCount },
      digest: '',
    };
  }

  /** Counts by the whole name: a member that stands outside its type (`impl`, an extension) may be named like one inside. */
  #nextOrdinal({ container = NO_TEXT, name, parent }: SymbolInput): number {
    const head = parent === NONE ? '' : (this.#qualified[parent] ?? '');
    const qualified = [head, this.strings[container] ?? '', this.strings[name] ?? ''].filter(part => part !== '').join(SEPARATOR);
    const ordinal = (this.#ordinals.get(qualified) ?? 0) + 1;
    this.#ordinals.set(qualified, ordinal);
    this.#qualified.push(ordinal > 1 ? `${qualified}#${ordinal}` : qualified);
    return ordinal;
  }

  /** Remembers the line found last: offsets mostly come in order. */
  #seek(offset: number): void {
    if (offset >= this.#lineStart && offset < this.#lineEnd) return;
    this.#line = this.lines.lineOf(offset);
    this.#lineStart = this.lines.startOf(this.#line);
    this.#lineEnd = this.#line + 1 < this.lines.lineCount ? this.lines.startOf(this.#line + 1) : this.text.length + 1;
  }
}
/** Half a character, as cutting a text short can leave, does not survive being written as UTF-8: it becomes the replacement character here already. */
const SURROGATE = /[\uD800-\uDFFF]/;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
