import type { ColumnOf } from '../../base/branded';
import type {
  AssignmentTable,
  BindingTable,
  ExportTable,
  ExpressionTable,
  FunctionTable,
  HeritageTable,
  ImportTable,
  ReferenceTable,
  ScopeTable,
  SymbolTable,
} from '../../model/facts';

/** Rows that are being collected. Columns are replaced by longer ones as rows come: hold the table, not a column, while rows are added. */
export type GrowingTable<Table extends { readonly count: number }> = { -readonly [Name in keyof Table]: Table[Name] };

/**
 * A table as others see it. Cells are written through `FactsBuilder.set` alone: in `table.column[row] = value()` the column is looked up first,
 * and `value()` may replace it.
 */
export type ReadableTable<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends number ? number : Table[Name] extends ColumnOf<infer Value> ? ArrayLike<Value> : ArrayLike<number>;
};

/** Columns of four bytes. */
type WordsOf<Table> = { [Name in keyof Table & string]: Table[Name] extends Int32Array ? Name : never }[keyof Table & string];

const FIRST_ROWS = 256;

const SYMBOL_WORDS = [
  'name',
  'parent',
  'container',
  'receiver',
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
const SCOPE_WORDS = ['parent', 'symbol', 'function', 'package'] as const;
const BINDING_WORDS = ['scope', 'name', 'symbol', 'import', 'type', 'value', 'function', 'position'] as const;
const EXPRESSION_WORDS = ['a', 'b', 'text', 'listStart', 'listCount'] as const;
const ASSIGNMENT_WORDS = ['target', 'name', 'value', 'type', 'symbol', 'owner'] as const;
const REFERENCE_WORDS = ['expression', 'owner', 'name', 'line', 'column'] as const;
const HERITAGE_WORDS = ['symbol', 'expression', 'receiver', 'line', 'column'] as const;
const IMPORT_WORDS = ['specifier', 'level', 'importedName', 'localName', 'binding', 'line', 'column', 'aliasLine', 'aliasColumn'] as const;
const EXPORT_WORDS = ['exportedName', 'localName', 'importedName', 'import', 'value', 'line', 'column', 'aliasLine', 'aliasColumn'] as const;

function table<Table extends { readonly count: number }>(
  words: readonly WordsOf<Table>[],
  bytes: readonly Exclude<keyof Table & string, WordsOf<Table> | 'count'>[] = [],
): GrowingTable<Table> {
  // Made of entries: an object that grows by many properties turns into a hash table, in which each look-up is a search.
  return Object.fromEntries([
    ...words.map(name => [name, new Int32Array(FIRST_ROWS)] as const),
    ...bytes.map(name => [name, new Uint8Array(FIRST_ROWS)] as const),
    ['count', 0] as const,
  ]) as unknown as GrowingTable<Table>;
}

/** The tables of one file while they are being filled. Used for one file after the other, so that their columns need not grow again for each. */
export class FactTables {
  readonly symbols = table<SymbolTable>(SYMBOL_WORDS, ['kind']);
  readonly functions = table<FunctionTable>(FUNCTION_WORDS);
  readonly scopes = table<ScopeTable>(SCOPE_WORDS, ['kind']);
  readonly bindings = table<BindingTable>(BINDING_WORDS, ['kind']);
  readonly expressions = table<ExpressionTable>(EXPRESSION_WORDS, ['operator']);
  readonly assignments = table<AssignmentTable>(ASSIGNMENT_WORDS);
  readonly references = table<ReferenceTable>(REFERENCE_WORDS, ['kind']);
  readonly heritage = table<HeritageTable>(HERITAGE_WORDS, ['kind']);
  readonly imports = table<ImportTable>(IMPORT_WORDS, ['kind', 'typeOnly']);
  readonly exports = table<ExportTable>(EXPORT_WORDS, ['kind']);

  clear(): void {
    for (const each of Object.values(this) as { count: number }[]) each.count = 0;
  }
}

/** Makes room for one more row and returns its number; all its cells are to be written. */
export function newRow(rows: { count: number }, column: Int32Array): number {
  if (rows.count === column.length) enlarge(rows as unknown as Record<string, Int32Array | number>);
  return rows.count++;
}

/** The cells that are written, to search through; valid until a row is added. */
export function written(rows: { readonly count: number }, column: ArrayLike<number>): Int32Array {
  return (column as Int32Array).subarray(0, rows.count);
}

function enlarge(rows: Record<string, Int32Array | number>): void {
  for (const name in rows) {
    const column = rows[name];
    if (column === undefined || typeof column === 'number') continue;
    const larger = ArrayBuffer.isView(column) && column.BYTES_PER_ELEMENT === 1 ? new Uint8Array(column.length * 2) : new Int32Array(column.length * 2);
    larger.set(column);
    rows[name] = larger as Int32Array;
  }
}
