/**
 * Collects the facts of one file row by row and packs them into columns.
 *
 * It does not know any language: extractors decide what a row means. Positions come in as UTF-16 offsets and leave as lines and columns.
 * Invariants: equal calls give equal facts; string 0 is the empty string, scope 0 the module; an unset column is `NONE` (text columns: 0).
 * Column arrays are open so that a row can be completed later (`builder.symbols.scope[row] = …`); rows are never removed.
 */
import { LineIndex } from '../../base/text';
import {
  BINDING_KINDS,
  type BindingKind,
  EXPORT_KINDS,
  type ExportKind,
  type FileFacts,
  HERITAGE_KINDS,
  type HeritageKind,
  IMPORT_KINDS,
  type ImportKind,
  NONE,
  REFERENCE_KINDS,
  type ReferenceKind,
  SCOPE_KINDS,
  type ScopeKind,
} from '../../model/facts';
import type { LanguageId } from '../../model/languages';
import { type SymbolKind, symbolKindCode } from '../../model/nodes';

export interface SymbolInput {
  /** An interned string, as everywhere below where text is a number. */
  readonly name: number;
  readonly kind: SymbolKind;
  readonly parent: number;
  readonly modifiers?: number;
  /** Offsets of the whole declaration and of its name. */
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly scope?: number;
  readonly function?: number;
  readonly type?: number;
  readonly value?: number;
  readonly signature?: number;
  readonly doc?: number;
  readonly firstLine?: number;
  readonly hash?: number;
  readonly complexity?: number;
}

export interface FunctionInput {
  readonly symbol: number;
  readonly scope: number;
  readonly parameters?: readonly number[];
  readonly returnType?: number;
  readonly returns?: readonly number[];
  readonly modifiers?: number;
}

export interface BindingInput {
  readonly scope: number;
  readonly name: number;
  readonly kind: BindingKind;
  readonly symbol?: number;
  readonly import?: number;
  readonly type?: number;
  readonly value?: number;
  readonly function?: number;
  readonly position?: number;
}

export interface AssignmentInput {
  readonly target: number;
  readonly name: number;
  readonly value: number;
  readonly type?: number;
  readonly symbol?: number;
  readonly owner: number;
}

export interface ImportInput {
  readonly kind: ImportKind;
  readonly specifier: number;
  readonly level?: number;
  readonly importedName?: number;
  readonly localName?: number;
  readonly binding?: number;
  readonly typeOnly?: boolean;
  /** Offset of the imported name, else of the statement. */
  readonly at: number;
}

export interface ExportInput {
  readonly kind: ExportKind;
  readonly exportedName?: number;
  readonly localName?: number;
  readonly importedName?: number;
  readonly import?: number;
  readonly value?: number;
}

type Columns<Name extends string> = Readonly<Record<Name, number[]>>;

function columns<Name extends string>(names: readonly Name[]): Columns<Name> {
  const table: Record<string, number[]> = {};
  for (const name of names) table[name] = [];
  return table as Columns<Name>;
}

function codes<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, code) => [name, code])) as Record<Name, number>;
}

const scopeCode = codes<ScopeKind>(SCOPE_KINDS);
const bindingCode = codes<BindingKind>(BINDING_KINDS);
const referenceCode = codes<ReferenceKind>(REFERENCE_KINDS);
const heritageCode = codes<HeritageKind>(HERITAGE_KINDS);
const importCode = codes<ImportKind>(IMPORT_KINDS);
const exportCode = codes<ExportKind>(EXPORT_KINDS);

const SYMBOL_WORDS = [
  'name',
  'parent',
  'ordinal',
  'modifiers',
  'startLine',
  'startColumn',
  'endLine',
  'endColumn',
  'nameLine',
  'nameColumn',
  'scope',
  'function',
  'type',
  'value',
  'signature',
  'doc',
  'firstLine',
  'hash',
  'complexity',
] as const;
const FUNCTION_WORDS = ['symbol', 'scope', 'parameterStart', 'parameterCount', 'returnType', 'returnStart', 'returnCount', 'modifiers'] as const;
const SCOPE_WORDS = ['parent', 'symbol', 'function'] as const;
const BINDING_WORDS = ['scope', 'name', 'symbol', 'import', 'type', 'value', 'function', 'position'] as const;
const EXPRESSION_WORDS = ['a', 'b', 'text', 'listStart', 'listCount'] as const;
const ASSIGNMENT_WORDS = ['target', 'name', 'value', 'type', 'symbol', 'owner'] as const;
const REFERENCE_WORDS = ['expression', 'owner', 'name', 'line', 'column'] as const;
const HERITAGE_WORDS = ['symbol', 'expression', 'line', 'column'] as const;
const IMPORT_WORDS = ['specifier', 'level', 'importedName', 'localName', 'binding', 'line', 'column'] as const;
const EXPORT_WORDS = ['exportedName', 'localName', 'importedName', 'import', 'value'] as const;

export class FactsBuilder {
  readonly symbols = { ...columns(SYMBOL_WORDS), kind: [] as number[] };
  readonly functions = columns(FUNCTION_WORDS);
  readonly scopes = { ...columns(SCOPE_WORDS), kind: [] as number[] };
  readonly bindings = { ...columns(BINDING_WORDS), kind: [] as number[] };
  readonly expressions = { ...columns(EXPRESSION_WORDS), operator: [] as number[] };
  readonly assignments = columns(ASSIGNMENT_WORDS);
  readonly references = { ...columns(REFERENCE_WORDS), kind: [] as number[] };
  readonly heritage = { ...columns(HERITAGE_WORDS), kind: [] as number[] };
  readonly imports = { ...columns(IMPORT_WORDS), kind: [] as number[], typeOnly: [] as number[] };
  readonly exports = { ...columns(EXPORT_WORDS), kind: [] as number[] };
  readonly lists: number[] = [];
  readonly strings: string[] = [''];
  readonly lines: LineIndex;
  /** Settable: declared package or namespace of the file. */
  packageName = 0;

  readonly #handles = new Map<string, number>([['', 0]]);
  /** Ordinals given so far, by `parent:name`. */
  readonly #ordinals = new Map<number, Map<number, number>>();
  #line = 0;
  #lineStart = 0;
  #lineEnd = -1;

  constructor(
    readonly text: string,
    readonly language: LanguageId,
  ) {
    this.lines = new LineIndex(text);
  }

  intern(text: string): number {
    const known = this.#handles.get(text);
    if (known !== undefined) return known;
    const handle = this.strings.length;
    this.strings.push(text);
    this.#handles.set(text, handle);
    return handle;
  }

  internRange(start: number, end: number): number {
    return this.intern(this.text.slice(start, end));
  }

  /** Handle of `text` if some row already uses it. */
  find(text: string): number | undefined {
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

  /** `ordinal` counts the symbols of this name in this parent so far. */
  addSymbol(input: SymbolInput): number {
    const table = this.symbols;
    const row = table.name.length;
    table.name.push(input.name);
    table.kind.push(symbolKindCode[input.kind]);
    table.parent.push(input.parent);
    table.ordinal.push(this.#nextOrdinal(input.parent, input.name));
    table.modifiers.push(input.modifiers ?? 0);
    table.startLine.push(this.lineOf(input.start));
    table.startColumn.push(this.columnOf(input.start));
    table.nameLine.push(this.lineOf(input.nameStart));
    table.nameColumn.push(this.columnOf(input.nameStart));
    table.endLine.push(this.lineOf(input.end));
    table.endColumn.push(this.columnOf(input.end));
    table.scope.push(input.scope ?? NONE);
    table.function.push(input.function ?? NONE);
    table.type.push(input.type ?? NONE);
    table.value.push(input.value ?? NONE);
    table.signature.push(input.signature ?? 0);
    table.doc.push(input.doc ?? 0);
    table.firstLine.push(input.firstLine ?? 0);
    table.hash.push(input.hash ?? 0);
    table.complexity.push(input.complexity ?? 0);
    return row;
  }

  /** Parameters and returns may be given later with `setParameters` and `setReturns`. */
  addFunction(input: FunctionInput): number {
    const table = this.functions;
    const row = table.symbol.length;
    table.symbol.push(input.symbol);
    table.scope.push(input.scope);
    table.parameterStart.push(0);
    table.parameterCount.push(0);
    table.returnType.push(input.returnType ?? NONE);
    table.returnStart.push(0);
    table.returnCount.push(0);
    table.modifiers.push(input.modifiers ?? 0);
    if (input.parameters !== undefined) this.setParameters(row, input.parameters);
    if (input.returns !== undefined) this.setReturns(row, input.returns);
    return row;
  }

  setParameters(functionRow: number, bindings: readonly number[]): void {
    this.functions.parameterStart[functionRow] = this.addList(bindings);
    this.functions.parameterCount[functionRow] = bindings.length;
  }

  setReturns(functionRow: number, expressions: readonly number[]): void {
    this.functions.returnStart[functionRow] = this.addList(expressions);
    this.functions.returnCount[functionRow] = expressions.length;
  }

  addScope(kind: ScopeKind, parent: number, symbol: number = NONE, functionRow: number = NONE): number {
    const table = this.scopes;
    const row = table.parent.length;
    table.kind.push(scopeCode[kind]);
    table.parent.push(parent);
    table.symbol.push(symbol);
    table.function.push(functionRow);
    return row;
  }

  addBinding(input: BindingInput): number {
    const table = this.bindings;
    const row = table.scope.length;
    table.scope.push(input.scope);
    table.name.push(input.name);
    table.kind.push(bindingCode[input.kind]);
    table.symbol.push(input.symbol ?? NONE);
    table.import.push(input.import ?? NONE);
    table.type.push(input.type ?? NONE);
    table.value.push(input.value ?? NONE);
    table.function.push(input.function ?? NONE);
    table.position.push(input.position ?? NONE);
    return row;
  }

  /** Appends to `lists` and returns where the slice starts. */
  addList(items: readonly number[]): number {
    const start = this.lists.length;
    for (let i = 0; i < items.length; i++) this.lists.push(items[i] ?? NONE);
    return items.length === 0 ? 0 : start;
  }

  /** `operator` is a code of `operatorCode`. `list` is copied into `lists`. */
  addExpression(operator: number, a: number = NONE, b: number = NONE, text = 0, list?: readonly number[]): number {
    const table = this.expressions;
    const row = table.a.length;
    table.operator.push(operator);
    table.a.push(a);
    table.b.push(b);
    table.text.push(text);
    if (list === undefined || list.length === 0) {
      table.listStart.push(0);
      table.listCount.push(0);
    } else {
      table.listStart.push(this.addList(list));
      table.listCount.push(list.length);
    }
    return row;
  }

  addAssignment(input: AssignmentInput): number {
    const table = this.assignments;
    const row = table.target.length;
    table.target.push(input.target);
    table.name.push(input.name);
    table.value.push(input.value);
    table.type.push(input.type ?? NONE);
    table.symbol.push(input.symbol ?? NONE);
    table.owner.push(input.owner);
    return row;
  }

  /** `at` is the offset of the last name of the thing used. */
  addReference(kind: ReferenceKind, expression: number, owner: number, name: number, at: number): number {
    const table = this.references;
    const row = table.expression.length;
    table.kind.push(referenceCode[kind]);
    table.expression.push(expression);
    table.owner.push(owner);
    table.name.push(name);
    this.#seek(at);
    table.line.push(this.#line);
    table.column.push(at - this.#lineStart);
    return row;
  }

  addHeritage(symbol: number, kind: HeritageKind, expression: number, at: number): number {
    const table = this.heritage;
    const row = table.symbol.length;
    table.symbol.push(symbol);
    table.kind.push(heritageCode[kind]);
    table.expression.push(expression);
    table.line.push(this.lineOf(at));
    table.column.push(this.columnOf(at));
    return row;
  }

  addImport(input: ImportInput): number {
    const table = this.imports;
    const row = table.specifier.length;
    table.kind.push(importCode[input.kind]);
    table.specifier.push(input.specifier);
    table.level.push(input.level ?? 0);
    table.importedName.push(input.importedName ?? 0);
    table.localName.push(input.localName ?? 0);
    table.binding.push(input.binding ?? NONE);
    table.typeOnly.push(input.typeOnly === true ? 1 : 0);
    table.line.push(this.lineOf(input.at));
    table.column.push(this.columnOf(input.at));
    return row;
  }

  addExport(input: ExportInput): number {
    const table = this.exports;
    const row = table.value.length;
    table.kind.push(exportCode[input.kind]);
    table.exportedName.push(input.exportedName ?? 0);
    table.localName.push(input.localName ?? 0);
    table.importedName.push(input.importedName ?? 0);
    table.import.push(input.import ?? NONE);
    table.value.push(input.value ?? NONE);
    return row;
  }

  finish(health: { readonly nodes: number; readonly errorNodes: number }): FileFacts {
    return {
      language: this.language,
      strings: this.strings,
      packageName: this.packageName,
      symbols: { ...packed(this.symbols), count: this.symbols.name.length, kind: new Uint8Array(this.symbols.kind) },
      functions: { ...packed(this.functions), count: this.functions.symbol.length },
      scopes: { ...packed(this.scopes), count: this.scopes.parent.length, kind: new Uint8Array(this.scopes.kind) },
      bindings: { ...packed(this.bindings), count: this.bindings.scope.length, kind: new Uint8Array(this.bindings.kind) },
      expressions: { ...packed(this.expressions), count: this.expressions.a.length, operator: new Uint8Array(this.expressions.operator) },
      assignments: { ...packed(this.assignments), count: this.assignments.target.length },
      references: { ...packed(this.references), count: this.references.expression.length, kind: new Uint8Array(this.references.kind) },
      heritage: { ...packed(this.heritage), count: this.heritage.symbol.length, kind: new Uint8Array(this.heritage.kind) },
      imports: {
        ...packed(this.imports),
        count: this.imports.specifier.length,
        kind: new Uint8Array(this.imports.kind),
        typeOnly: new Uint8Array(this.imports.typeOnly),
      },
      exports: { ...packed(this.exports), count: this.exports.value.length, kind: new Uint8Array(this.exports.kind) },
      lists: new Int32Array(this.lists),
      syntax: { nodes: health.nodes, errorNodes: health.errorNodes, lines: this.lines.lineCount },
    };
  }

  #nextOrdinal(parent: number, name: number): number {
    let names = this.#ordinals.get(parent);
    if (names === undefined) {
      names = new Map();
      this.#ordinals.set(parent, names);
    }
    const ordinal = (names.get(name) ?? 0) + 1;
    names.set(name, ordinal);
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

type Packed<T> = { readonly [Name in keyof T]: Int32Array };

function packed<T extends Readonly<Record<string, readonly number[]>>>(table: T): Packed<T> {
  const columns: Record<string, Int32Array> = {};
  for (const name in table) columns[name] = new Int32Array(table[name] ?? []);
  return columns as Packed<T>;
}
