import type { Branded, ColumnOf } from '../base/branded';
import type { WorkspacePath } from '../base/path';

/** Number of a symbol of the precise indexes; below 0 for one that only its document knows. */
export type PreciseSymbol = Branded<'PreciseSymbol'>;

/** Where an index names no symbol. */
export const NO_SYMBOL = preciseSymbol(-1);

/** Marks a number as a symbol. Only for code that gives out such numbers, or goes through all of them. */
export function preciseSymbol(value: number): PreciseSymbol {
  return value as PreciseSymbol;
}

/** Marks an array of numbers as symbols. Only for code that reads indexes. */
export function preciseColumn(values: Int32Array): ColumnOf<PreciseSymbol> {
  return values as ColumnOf<PreciseSymbol>;
}

/** Bits of `PreciseDocument.roles`, as SCIP numbers them. */
export const PRECISE_ROLES = { definition: 1, import: 2, write: 4, read: 8 } as const;

/** What an index says about one file. Rows are occurrences in order of line and column, 0-based, columns in UTF-16 code units. Immutable. */
export interface PreciseDocument {
  readonly path: WorkspacePath;
  readonly count: number;
  readonly line: Int32Array;
  readonly column: Int32Array;
  /** Of the text meant, on one line; 0 for a place without text (a file as a whole), `NONE` for a range over several lines. */
  readonly length: Int32Array;
  /** Number of the symbol in its `PreciseSymbols`; below 0 for symbols that only this document knows. */
  readonly symbol: ColumnOf<PreciseSymbol>;
  /** Bits of `PRECISE_ROLES`. */
  readonly roles: Uint8Array;
  /** Pairs of symbols: the first implements or overrides the second. */
  readonly implementations: ColumnOf<PreciseSymbol>;
}

/** Symbols of all indexes by number. The same text is the same number for as long as the object lives. */
export interface PreciseSymbols {
  readonly count: number;
  text(symbol: PreciseSymbol): string;
}

/** What precise indexes say of a project. Immutable: each change makes another object. */
export interface PreciseState {
  readonly symbols: PreciseSymbols;
  readonly documents: ReadonlyMap<WorkspacePath, PreciseEntry>;
}

/** What an index says of one file. */
export interface PreciseEntry {
  readonly document: PreciseDocument;
  /** The file reads as it did when the index was made. Of other documents only the names they declare are used. */
  readonly isCurrent: boolean;
}

/** First row at or after a place. */
export function rowAt(document: PreciseDocument, line: number, column: number): number {
  let low = 0;
  let high = document.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = document.line[middle] ?? 0;
    if (at < line || (at === line && (document.column[middle] ?? 0) < column)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a row of a document stands at a place; line and column are 0-based. */
export function isAt(document: PreciseDocument, row: number, line: number, column: number): boolean {
  return row < document.count && document.line[row] === line && document.column[row] === column;
}

/** Whether a row declares its symbol instead of using it. */
export function isDefinition(document: PreciseDocument, row: number): boolean {
  return ((document.roles[row] ?? 0) & PRECISE_ROLES.definition) !== 0;
}
