import type { SyntaxTable } from './syntaxTable';

/** The columns of a syntax table while it is being written. */
export interface WritableTable {
  text: string;
  count: number;
  kind: Uint16Array;
  field: Uint8Array;
  start: Int32Array;
  end: Int32Array;
  parent: Int32Array;
  next: Int32Array;
  flags: Uint8Array;
}

/** Smallest column length, in nodes. */
const MIN_ROWS = 4096;

/** Columns that are reused from file to file: a table is valid until the next one is asked for. */
export class TableBuffers {
  #table = emptyTable(MIN_ROWS);

  /** A table with room for `nodes` rows; its columns hold what the last file left there. */
  reserve(nodes: number, text: string): WritableTable {
    if (this.#table.kind.length < nodes) this.#table = emptyTable(Math.max(nodes, this.#table.kind.length * 2));
    this.#table.text = text;
    this.#table.count = 0;
    return this.#table;
  }
}

export function emptyTable(nodes: number): WritableTable {
  return {
    text: '',
    count: 0,
    kind: new Uint16Array(nodes),
    field: new Uint8Array(nodes),
    start: new Int32Array(nodes),
    end: new Int32Array(nodes),
    parent: new Int32Array(nodes),
    next: new Int32Array(nodes),
    flags: new Uint8Array(nodes),
  };
}

/** A table of its own, exactly as long as it needs to be. */
export function copyTable(table: SyntaxTable): SyntaxTable {
  const { text, count } = table;
  return {
    text,
    count,
    kind: table.kind.slice(0, count),
    field: table.field.slice(0, count),
    start: table.start.slice(0, count),
    end: table.end.slice(0, count),
    parent: table.parent.slice(0, count),
    next: table.next.slice(0, count),
    flags: table.flags.slice(0, count),
  };
}
