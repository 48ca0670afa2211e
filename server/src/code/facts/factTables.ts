/** Rows that are being collected. Columns are replaced by longer ones as rows come: hold the table, not a column, while rows are added. */
export type GrowingTable<Words extends string, Bytes extends string = never> = { count: number } & Record<Words, Int32Array> & Record<Bytes, Uint8Array>;

/**
 * A table as others see it. Cells are written through `FactsBuilder.set` alone: in `table.column[row] = value()` the column is looked up first,
 * and `value()` may replace it.
 */
export type ReadableTable<Table> = { readonly [Name in keyof Table]: Table[Name] extends number ? number : ArrayLike<number> };

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

function table<Words extends string, Bytes extends string = never>(words: readonly Words[], bytes: readonly Bytes[] = []): GrowingTable<Words, Bytes> {
  // Made of entries: an object that grows by many properties turns into a hash table, in which each look-up is a search.
  return Object.fromEntries([
    ...words.map(name => [name, new Int32Array(FIRST_ROWS)] as const),
    ...bytes.map(name => [name, new Uint8Array(FIRST_ROWS)] as const),
    ['count', 0] as const,
  ]) as unknown as GrowingTable<Words, Bytes>;
}

/** The tables of one file while they are being filled. Used for one file after the other, so that their columns need not grow again for each. */
export class FactTables {
  readonly symbols = table(SYMBOL_WORDS, ['kind']);
  readonly functions = table(FUNCTION_WORDS);
  readonly scopes = table(SCOPE_WORDS, ['kind']);
  readonly bindings = table(BINDING_WORDS, ['kind']);
  readonly expressions = table(EXPRESSION_WORDS, ['operator']);
  readonly assignments = table(ASSIGNMENT_WORDS);
  readonly references = table(REFERENCE_WORDS, ['kind']);
  readonly heritage = table(HERITAGE_WORDS, ['kind']);
  readonly imports = table(IMPORT_WORDS, ['kind', 'typeOnly']);
  readonly exports = table(EXPORT_WORDS, ['kind']);

  clear(): void {
    for (const each of Object.values(this) as { count: number }[]) each.count = 0;
  }
}

/** Makes room for one more row and returns its number; all its cells are to be written. */
export function newRow(rows: { count: number }, column: Int32Array): number {
  if (rows.count === column.length) enlarge(rows as GrowingTable<string>);
  return rows.count++;
}

/** The cells that are written, to search through; valid until a row is added. */
export function written(rows: { readonly count: number }, column: ArrayLike<number>): Int32Array {
  return (column as Int32Array).subarray(0, rows.count);
}

function enlarge(rows: GrowingTable<string>): void {
  for (const name in rows) {
    const column: Int32Array | Uint8Array | number = rows[name] as Int32Array | number;
    if (typeof column === 'number') continue;
    const larger = ArrayBuffer.isView(column) && column.BYTES_PER_ELEMENT === 1 ? new Uint8Array(column.length * 2) : new Int32Array(column.length * 2);
    larger.set(column);
    rows[name] = larger as Int32Array;
  }
}
