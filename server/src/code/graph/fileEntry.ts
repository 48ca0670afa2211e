import type { Branded } from '../../base/branded';
import type { FileRecord } from '../../model/delta';
import { type FileFacts, NO_TEXT, type StringIndex, textOf } from '../../model/facts';
import { type NodeColumn, type NodeHandle, nodeColumn } from '../../model/ids';
import type { FileResolution, SiteTable } from '../../model/resolution';

/** A row of `FileEntry.symbols`, and of the columns beside it. */
export type SymbolRow = Branded<'SymbolRow'>;

/** Columns of `FileEntry.symbols`, one row of `SYMBOL_STRIDE` numbers per symbol. Texts are indexes into `texts`. Append only. */
export const SYMBOL_COLUMNS = {
  kind: 0,
  parent: 1,
  modifiers: 2,
  startLine: 3,
  startColumn: 4,
  endLine: 5,
  endColumn: 6,
  nameLine: 7,
  nameColumn: 8,
  complexity: 9,
  signature: 10,
  doc: 11,
  firstLine: 12,
  hash: 13,
  name: 14,
} as const;
export const SYMBOL_STRIDE = 15;
export type SymbolColumn = keyof typeof SYMBOL_COLUMNS;

/** What the graph keeps of one file: enough for its nodes and edges, without its facts. Immutable. Lines are 0-based. */
export interface FileEntry {
  readonly record: FileRecord;
  readonly file: NodeHandle;
  /** Handle of each symbol row. */
  readonly nodes: NodeColumn;
  readonly symbols: Int32Array;
  /** Index 0 is the empty text. */
  readonly texts: readonly string[];
  readonly lines: number;
  readonly sites: SiteTable;
  /** By symbol row; the last entry is module level. */
  readonly unresolved: Int32Array;
  readonly external: Int32Array;
}

/** The row at a place below `nodes.length`. */
export function symbolRow(place: number): SymbolRow {
  return place as SymbolRow;
}

/** Row of the symbol that a symbol stands in; `undefined` at the top of the file. */
export function parentRow(entry: FileEntry, row: SymbolRow): SymbolRow | undefined {
  const parent = symbolCell(entry, row, 'parent');
  return parent < 0 ? undefined : symbolRow(parent);
}

/** Value of one column of one symbol row. */
export function symbolCell(entry: FileEntry, row: SymbolRow, column: SymbolColumn): number {
  return entry.symbols[row * SYMBOL_STRIDE + SYMBOL_COLUMNS[column]] ?? 0;
}

export function symbolText(entry: FileEntry, row: SymbolRow, column: 'signature' | 'doc' | 'firstLine' | 'hash' | 'name'): string {
  return entry.texts[symbolCell(entry, row, column)] ?? '';
}

export function entryOf(record: FileRecord, facts: FileFacts | undefined, resolution: FileResolution): FileEntry {
  const count = facts === undefined ? 0 : Math.min(facts.symbols.count, resolution.symbolNodes.length);
  const texts: string[] = [''];
  const symbols = new Int32Array(count * SYMBOL_STRIDE);
  if (facts !== undefined) fillSymbols(facts, symbols, texts, count);
  return {
    record,
    file: resolution.file,
    nodes: nodeColumn(resolution.symbolNodes.slice(0, count)),
    symbols,
    texts,
    lines: facts?.syntax.lines ?? 0,
    sites: resolution.sites,
    unresolved: resolution.unresolved,
    external: resolution.external,
  };
}

/** The same file with its references ending elsewhere. */
export function relink(entry: FileEntry, resolution: FileResolution): FileEntry {
  return { ...entry, sites: resolution.sites, unresolved: resolution.unresolved, external: resolution.external };
}

function fillSymbols(facts: FileFacts, symbols: Int32Array, texts: string[], count: number): void {
  const table = facts.symbols;
  const known = new Map<number, number>([[0, 0]]);
  const keep = (index: StringIndex): number => {
    const seen = known.get(index);
    if (seen !== undefined) return seen;
    const at = texts.push(textOf(facts, index)) - 1;
    known.set(index, at);
    return at;
  };
  const numbers: readonly (readonly [SymbolColumn, ArrayLike<number>])[] = [
    ['kind', table.kind],
    ['parent', table.parent],
    ['modifiers', table.modifiers],
    ['startLine', table.startLine],
    ['startColumn', table.startColumn],
    ['endLine', table.endLine],
    ['endColumn', table.endColumn],
    ['nameLine', table.nameLine],
    ['nameColumn', table.nameColumn],
    ['complexity', table.complexity],
  ];
  for (const [column, values] of numbers) {
    const offset = SYMBOL_COLUMNS[column];
    for (let row = 0; row < count; row++) symbols[row * SYMBOL_STRIDE + offset] = values[row] ?? 0;
  }
  const strings: readonly (readonly [SymbolColumn, ArrayLike<StringIndex>])[] = [
    ['signature', table.signature],
    ['doc', table.doc],
    ['firstLine', table.firstLine],
    ['hash', table.hash],
    ['name', table.name],
  ];
  for (const [column, values] of strings) {
    const offset = SYMBOL_COLUMNS[column];
    for (let row = 0; row < count; row++) symbols[row * SYMBOL_STRIDE + offset] = keep(values[row] ?? NO_TEXT);
  }
}
