import type { Branded } from '../../base/branded';
import { NO_NODE, type NodeColumn, type NodeHandle, nodeColumn } from '../../model/ids';

/** A row of `EdgeColumns`: one aggregated edge. */
export type EdgeRow = Branded<'EdgeRow'>;

/** The row at a place that `starts` and `ends` of a node, or a backward row, name. */
export function edgeRow(place: number): EdgeRow {
  return place as EdgeRow;
}

/**
 * All aggregated edges as columns. Rows are only ever appended, so every revision can share one pool:
 * a view reads the rows that its own `starts` and `ends` name and never sees what a later revision adds.
 */
export interface EdgeColumns {
  readonly sources: NodeColumn;
  readonly targets: NodeColumn;
  readonly relations: Uint8Array;
  readonly confidences: Uint8Array;
  readonly provenances: Uint8Array;
  readonly counts: Int32Array;
  /** Slice of `lines` from here, `lineCounts` long: 0-based lines of the sites, ascending, distinct, at most `MAX_LINES`. */
  readonly lineStarts: Int32Array;
  readonly lineCounts: Uint8Array;
  readonly lines: Int32Array;
}

export const MAX_LINES = 20;

export interface NewEdge {
  readonly source: NodeHandle;
  readonly target: NodeHandle;
  readonly relation: number;
  readonly confidence: number;
  readonly provenance: number;
  readonly count: number;
}

/** Rows that a copy has room for, over those that it has: few changes add more, and growing copies everything again. */
export const FORK_ROOM = 1.25;

export class EdgePool {
  #columns: EdgeColumns;
  #length = 0;
  #lineLength = 0;

  constructor(capacity: number) {
    this.#columns = allocate(Math.max(64, capacity), Math.max(64, capacity));
  }

  get length(): number {
    return this.#length;
  }

  /** A pool with the same rows, to which others can be added. */
  fork(): EdgePool {
    const copy = new EdgePool(0);
    copy.#columns = this.#grown(Math.max(64, Math.ceil(this.#length * FORK_ROOM)), Math.max(64, Math.ceil(this.#lineLength * FORK_ROOM)));
    copy.#length = this.#length;
    copy.#lineLength = this.#lineLength;
    return copy;
  }

  /** The columns as they are now; growth replaces them and leaves these intact. */
  get columns(): EdgeColumns {
    return this.#columns;
  }

  append(edge: NewEdge, lines: ArrayLike<number>, lineStart: number, lineEnd: number): void {
    this.#reserve(this.#length + 1, this.#lineLength + lineEnd - lineStart);
    const columns = this.#columns;
    const at = this.#length++;
    columns.sources[at] = edge.source;
    columns.targets[at] = edge.target;
    columns.relations[at] = edge.relation;
    columns.confidences[at] = edge.confidence;
    columns.provenances[at] = edge.provenance;
    columns.counts[at] = edge.count;
    columns.lineStarts[at] = this.#lineLength;
    columns.lineCounts[at] = lineEnd - lineStart;
    for (let i = lineStart; i < lineEnd; i++) columns.lines[this.#lineLength++] = lines[i] ?? 0;
  }

  /** Copies one row of another pool's columns. */
  copy(from: EdgeColumns, row: EdgeRow): void {
    const start = from.lineStarts[row] ?? 0;
    this.append(
      {
        source: from.sources[row] ?? NO_NODE,
        target: from.targets[row] ?? NO_NODE,
        relation: from.relations[row] ?? 0,
        confidence: from.confidences[row] ?? 0,
        provenance: from.provenances[row] ?? 0,
        count: from.counts[row] ?? 0,
      },
      from.lines,
      start,
      start + (from.lineCounts[row] ?? 0),
    );
  }

  #reserve(edges: number, lines: number): void {
    const columns = this.#columns;
    if (edges <= columns.sources.length && lines <= columns.lines.length) return;
    this.#columns = this.#grown(
      edges <= columns.sources.length ? columns.sources.length : Math.ceil(edges * 1.5),
      lines <= columns.lines.length ? columns.lines.length : Math.ceil(lines * 1.5),
    );
  }

  /** The rows in columns of other sizes, not below theirs. */
  #grown(edges: number, lines: number): EdgeColumns {
    const columns = this.#columns;
    const [rows, lineRows] = [this.#length, this.#lineLength];
    const grown = allocate(edges, lines);
    grown.sources.set(columns.sources.subarray(0, rows));
    grown.targets.set(columns.targets.subarray(0, rows));
    grown.relations.set(columns.relations.subarray(0, rows));
    grown.confidences.set(columns.confidences.subarray(0, rows));
    grown.provenances.set(columns.provenances.subarray(0, rows));
    grown.counts.set(columns.counts.subarray(0, rows));
    grown.lineStarts.set(columns.lineStarts.subarray(0, rows));
    grown.lineCounts.set(columns.lineCounts.subarray(0, rows));
    grown.lines.set(columns.lines.subarray(0, lineRows));
    return grown;
  }
}

function allocate(edges: number, lines: number): EdgeColumns {
  return {
    sources: nodeColumn(new Int32Array(edges)),
    targets: nodeColumn(new Int32Array(edges)),
    relations: new Uint8Array(edges),
    confidences: new Uint8Array(edges),
    provenances: new Uint8Array(edges),
    counts: new Int32Array(edges),
    lineStarts: new Int32Array(edges),
    lineCounts: new Uint8Array(edges),
    lines: new Int32Array(lines),
  };
}
