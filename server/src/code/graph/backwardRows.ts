import type { Steps } from '../../base/steps';
import { NO_NODE, type NodeColumn, nodeColumn } from '../../model/ids';
import { type EdgeColumns, type EdgeRow, edgeRow, FORK_ROOM } from './edgePool';

/** Edges by target: append-only columns like those of the pool, in a row per target. `edges` are rows of the pool; read with `edgeBehind`. */
export interface BackwardColumns {
  readonly targets: NodeColumn;
  readonly relations: Uint8Array;
  readonly confidences: Uint8Array;
  readonly edges: Int32Array;
}

/** The row of the pool that a backward row stands for. */
export function edgeBehind({ edges }: BackwardColumns, at: number): EdgeRow {
  return edgeRow(edges[at] ?? 0);
}

/** Edges or nodes gone through between two steps: a few milliseconds. */
export const ROWS_PER_STEP = 32_768;

export class BackwardRows {
  #columns: BackwardColumns;
  #length = 0;

  constructor(capacity: number) {
    this.#columns = allocate(Math.max(64, capacity));
  }

  get length(): number {
    return this.#length;
  }

  get columns(): BackwardColumns {
    return this.#columns;
  }

  /** The same rows, to which others can be added. */
  fork(): BackwardRows {
    const copy = new BackwardRows(0);
    copy.#columns = this.#grown(Math.ceil(this.#length * FORK_ROOM));
    copy.#length = this.#length;
    return copy;
  }

  append(pool: EdgeColumns, edge: EdgeRow): void {
    if (this.#length === this.#columns.edges.length) this.#columns = this.#grown(Math.ceil(this.#length * 1.5));
    const at = this.#length++;
    this.#columns.targets[at] = pool.sources[edge] ?? NO_NODE;
    this.#columns.relations[at] = pool.relations[edge] ?? 0;
    this.#columns.confidences[at] = pool.confidences[edge] ?? 0;
    this.#columns.edges[at] = edge;
  }

  /** Fills an empty instance from the first `length` rows of a pool by counting sort; `starts` and `ends` are written per target. */
  *fill(pool: EdgeColumns, length: number, starts: Int32Array, ends: Int32Array): Steps<void> {
    this.#columns = allocate(Math.ceil(length * 1.25) + 64);
    this.#length = length;
    ends.fill(0);
    for (let edge = 0; edge < length; edge++) {
      if (edge % ROWS_PER_STEP === 0) yield;
      const target = pool.targets[edge] ?? NO_NODE;
      ends[target] = (ends[target] ?? 0) + 1;
    }
    yield;
    let next = 0;
    for (let node = 0; node < starts.length; node++) {
      starts[node] = next;
      next += ends[node] ?? 0;
      ends[node] = starts[node] ?? 0;
    }
    const { targets, relations, confidences, edges } = this.#columns;
    for (let edge = 0; edge < length; edge++) {
      if (edge % ROWS_PER_STEP === 0) yield;
      const target = pool.targets[edge] ?? NO_NODE;
      const at = ends[target] ?? 0;
      ends[target] = at + 1;
      targets[at] = pool.sources[edge] ?? NO_NODE;
      relations[at] = pool.relations[edge] ?? 0;
      confidences[at] = pool.confidences[edge] ?? 0;
      edges[at] = edge;
    }
  }

  /** The rows in columns of another size, not below theirs. */
  #grown(size: number): BackwardColumns {
    const { confidences, edges, relations, targets } = this.#columns;
    const rows = this.#length;
    const grown = allocate(Math.max(64, size));
    grown.targets.set(targets.subarray(0, rows));
    grown.relations.set(relations.subarray(0, rows));
    grown.confidences.set(confidences.subarray(0, rows));
    grown.edges.set(edges.subarray(0, rows));
    return grown;
  }
}

function allocate(size: number): BackwardColumns {
  return { targets: nodeColumn(new Int32Array(size)), relations: new Uint8Array(size), confidences: new Uint8Array(size), edges: new Int32Array(size) };
}
