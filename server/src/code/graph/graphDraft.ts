import type { Steps } from '../../base/steps';
import { externalId, NO_NODE, type NodeHandle, nodeHandle } from '../../model/ids';
import { BackwardRows, edgeBehind, ROWS_PER_STEP } from './backwardRows';
import type { EdgePool, EdgeRow } from './edgePool';
import type { FileEntry } from './fileEntry';
import type { GraphState } from './graphState';

const EXTERNAL = externalId('');

/** The next state while it is being made. */
export class GraphDraft {
  readonly slotOf: Int32Array;
  readonly rowOf: Int32Array;
  readonly live: Uint8Array;
  readonly forwardStarts: Int32Array;
  readonly forwardEnds: Int32Array;
  readonly backwardStarts: Int32Array;
  readonly backwardEnds: Int32Array;
  readonly entries: (FileEntry | undefined)[];
  /** Targets of rows that were taken out. */
  readonly touched = new Set<NodeHandle>();
  fileCount: number;
  /** Edges in rows, those with a dead end included. */
  rows: number;
  readonly #free: number[];
  #nodeCount: number;
  #sameFiles = true;
  readonly #stale = new Set<number>();
  readonly #ends = new Set<NodeHandle>();
  #touchesAll = false;

  constructor(
    private readonly base: GraphState,
    private readonly size: number,
  ) {
    this.slotOf = grow(base.slotOf, size, -1);
    this.rowOf = grow(base.rowOf, size, -1);
    this.forwardStarts = grow(base.forwardStarts, size, 0);
    this.forwardEnds = grow(base.forwardEnds, size, 0);
    this.backwardStarts = grow(base.backwardStarts, size, 0);
    this.backwardEnds = grow(base.backwardEnds, size, 0);
    this.live = new Uint8Array(size);
    this.live.set(base.live);
    this.entries = base.entries.slice();
    this.fileCount = base.fileCount;
    this.rows = base.rows;
    this.#free = base.free.slice();
    this.#nodeCount = base.nodeCount;
  }

  readonly place = (node: NodeHandle, start: number, end: number): void => {
    this.forwardStarts[node] = start;
    this.forwardEnds[node] = end;
  };

  /** Takes a file out with its rows. */
  detach(file: NodeHandle): void {
    const slot = this.slotOf[file] ?? -1;
    const entry = slot < 0 ? undefined : this.entries[slot];
    if (entry === undefined || entry.file !== file) return;
    for (const node of [file, ...entry.nodes]) {
      const start = this.forwardStarts[node] ?? 0;
      const end = this.forwardEnds[node] ?? 0;
      for (let row = start; row < end; row++) this.touched.add(this.base.pool.targets[row] ?? NO_NODE);
      this.rows -= end - start;
      this.place(node, 0, 0);
      this.#stale.add(node);
      this.#ends.add(node);
      this.slotOf[node] = -1;
      this.rowOf[node] = -1;
      this.#setLive(node, 0);
    }
    this.entries[slot] = undefined;
    this.#free.push(slot);
    this.fileCount--;
    this.#sameFiles = false;
  }

  attach(entry: FileEntry): void {
    this.#sameFiles = false;
    const slot = this.#free.pop() ?? this.entries.length;
    this.entries[slot] = entry;
    this.slotOf[entry.file] = slot;
    this.rowOf[entry.file] = -1;
    this.#setLive(entry.file, 1);
    for (let row = 0; row < entry.nodes.length; row++) {
      const node = entry.nodes[row] ?? NO_NODE;
      this.slotOf[node] = slot;
      this.rowOf[node] = row;
      this.#setLive(node, 1);
      this.#ends.add(node);
    }
    this.#ends.add(entry.file);
    this.fileCount++;
  }

  setBackward(target: NodeHandle, edges: readonly EdgeRow[], pool: EdgePool, backward: BackwardRows): void {
    const start = this.backwardStarts[target] ?? 0;
    const end = this.backwardEnds[target] ?? 0;
    const first = backward.length;
    const before = this.base.backward;
    for (let row = start; row < end; row++) {
      if (!this.#stale.has(before.targets[row] ?? NO_NODE)) backward.append(pool.columns, edgeBehind(before, row));
    }
    for (const edge of edges) backward.append(pool.columns, edge);
    this.backwardStarts[target] = first;
    this.backwardEnds[target] = backward.length;
    this.#ends.add(target);
  }

  /** The backward rows in use, one after the other: popular targets leave long rows behind when they get new ones. */
  *compacted(pool: EdgePool, backward: BackwardRows): Steps<BackwardRows> {
    const fresh = new BackwardRows(Math.ceil(this.rows * 1.25));
    let done = 0;
    for (let node = 0; node < this.size; node++) {
      if (fresh.length - done >= ROWS_PER_STEP) {
        done = fresh.length;
        yield;
      }
      const first = fresh.length;
      const end = this.backwardEnds[node] ?? 0;
      for (let row = this.backwardStarts[node] ?? 0; row < end; row++) fresh.append(pool.columns, edgeBehind(backward.columns, row));
      this.backwardStarts[node] = first;
      this.backwardEnds[node] = fresh.length;
    }
    return fresh;
  }

  touchAll(): void {
    this.#touchesAll = true;
  }

  *finish(pool: EdgePool, backward: BackwardRows, known: Pick<GraphState, 'ranks' | 'saved'>): Steps<GraphState> {
    let done = 0;
    for (const node of this.#touchesAll ? upTo(this.size) : this.#ends) {
      this.#settle(node);
      if (++done % ROWS_PER_STEP === 0) yield;
    }
    yield;
    const { base } = this;
    return {
      revision: base.revision + 1,
      interner: base.interner,
      names: base.names,
      size: this.size,
      slotOf: this.slotOf,
      rowOf: this.rowOf,
      live: this.live,
      entries: this.entries,
      forwardStarts: this.forwardStarts,
      forwardEnds: this.forwardEnds,
      backwardStarts: this.backwardStarts,
      backwardEnds: this.backwardEnds,
      pool: pool.columns,
      backward: backward.columns,
      nodeCount: this.#nodeCount,
      edgeCount: this.rows - this.#dangling(),
      rows: this.rows,
      free: this.#free,
      ranks: known.ranks,
      communities: undefined,
      saved: known.saved,
      fileCount: this.fileCount,
      order: this.#sameFiles || this.#filesAsBefore() ? base.order : { files: undefined, places: undefined },
    };
  }

  /** External nodes come and go with the edges that end at them. */
  #settle(node: NodeHandle): void {
    if ((this.slotOf[node] ?? -1) >= 0) return;
    const length = (this.backwardEnds[node] ?? 0) - (this.backwardStarts[node] ?? 0);
    const isExternal = length > 0 && this.base.interner.text(node).startsWith(EXTERNAL);
    this.#setLive(node, isExternal ? 1 : 0);
  }

  /** Edges that end at a node that is not live. */
  #dangling(): number {
    let count = 0;
    for (let node = 0; node < this.size; node++) {
      if (this.live[node] === 0) count += (this.backwardEnds[node] ?? 0) - (this.backwardStarts[node] ?? 0);
    }
    return count;
  }

  #filesAsBefore(): boolean {
    if (this.fileCount !== this.base.fileCount) return false;
    return this.base.entries.every(entry => entry === undefined || this.live[entry.file] === 1);
  }

  #setLive(node: NodeHandle, value: 0 | 1): void {
    const before = this.live[node] ?? 0;
    this.live[node] = value;
    this.#nodeCount += value - before;
  }
}

function* upTo(size: number): Generator<NodeHandle, void> {
  for (let node = 0; node < size; node++) yield nodeHandle(node);
}

function grow(column: Int32Array, size: number, fill: number): Int32Array {
  const grown = new Int32Array(size);
  grown.set(column);
  if (fill !== 0) grown.fill(fill, column.length);
  return grown;
}
