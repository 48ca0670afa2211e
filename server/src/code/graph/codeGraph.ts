/**
 * The write side of the code graph of one checkout: applies deltas, makes immutable views.
 *
 * Columnar (DESIGN section 5): per-file entries, one append-only pool of aggregated edges, and per direction a start and an end per node.
 * An edit appends the rows of the changed files and copies the small per-node columns, so a view never changes and an edit costs what it touches;
 * when more than half of the pool is out of date it is compacted.
 * This room knows no text, no disk and no resolution: it believes the sites it is given.
 *
 * Invariants: a node's outgoing edges are one contiguous row; every live symbol has exactly one DEFINES_SYMBOL from its file;
 * an external node lives as long as an edge ends at it.
 */
import type { Interner } from '../../base/interner';
import type { GraphDelta } from '../../model/delta';
import { externalId } from '../../model/ids';
import { appendEdges } from './aggregate';
import { BackwardRows } from './backwardRows';
import { EdgePool } from './edgePool';
import { type FileEntry, entryOf, relink } from './fileEntry';
import { GraphSnapshot } from './graphSnapshot';
import type { GraphState } from './graphState';
import type { GraphView, NodeHandle } from './graphView';
import { NameIndex } from './nameIndex';

const EXTERNAL = externalId('');
/** Above this share of changed files everything is laid out anew. */
const REBUILD_SHARE = 0.25;
/** Stale rows allowed beside as many live ones before the pool is compacted. */
const SLACK = 20_000;

export class CodeGraph {
  readonly #interner: Interner;
  readonly #names: NameIndex;
  #pool = new EdgePool(0);
  #backward = new BackwardRows(0);
  #state: GraphState;
  #view: GraphView;
  /** Slots that are free again. */
  readonly #free: number[] = [];
  /** Edges in rows of the current state, those with a dead end included. */
  #rows = 0;

  /** `revision` is that of the empty graph; each `apply` adds one. */
  constructor(interner: Interner, revision = 0) {
    this.#interner = interner;
    this.#names = new NameIndex(interner);
    this.#state = {
      revision,
      interner,
      names: this.#names,
      size: 0,
      slotOf: new Int32Array(0),
      rowOf: new Int32Array(0),
      live: new Uint8Array(0),
      entries: [],
      forwardStarts: new Int32Array(0),
      forwardEnds: new Int32Array(0),
      backwardStarts: new Int32Array(0),
      backwardEnds: new Int32Array(0),
      pool: this.#pool.columns,
      backward: this.#backward.columns,
      nodeCount: 0,
      edgeCount: 0,
      fileCount: 0,
      order: { files: undefined },
    };
    this.#view = new GraphSnapshot(this.#state);
  }

  get view(): GraphView {
    return this.#view;
  }

  /** What the graph keeps of each live file, for saving. */
  entries(): FileEntry[] {
    return this.#state.entries.filter(entry => entry !== undefined);
  }

  /** Applies a delta whole. Relinked files that the graph does not hold are passed over. */
  apply(delta: GraphDelta): GraphView {
    const changed = new Map<NodeHandle, FileEntry>();
    for (const upsert of delta.upserts) changed.set(upsert.resolution.file, entryOf(upsert.record, upsert.facts, upsert.resolution));
    for (const resolution of delta.relinked) {
      const known = changed.get(resolution.file) ?? this.#entryOf(resolution.file);
      if (known !== undefined) changed.set(resolution.file, relink(known, resolution));
    }
    const removed: NodeHandle[] = [];
    for (const path of delta.removed) {
      const handle = this.#interner.find(path);
      if (handle !== undefined && !changed.has(handle)) removed.push(handle);
    }
    return this.replace([...changed.values()], removed);
  }

  /** `apply` for entries that are already in the graph's own form (warm start). */
  replace(changed: readonly FileEntry[], removed: readonly NodeHandle[]): GraphView {
    const draft = new Draft(this.#state, this.#interner.size);
    for (const file of [...removed, ...changed.map(entry => entry.file)]) this.#rows -= draft.detach(file, this.#free);
    for (const entry of changed) draft.attach(entry, this.#free);
    const whole = changed.length > (draft.fileCount - changed.length) * REBUILD_SHARE + 1 || this.#pool.length > 2 * this.#rows + SLACK;
    if (whole) this.#layOut(draft, changed);
    else this.#overlay(draft, changed);
    this.#state = draft.finish(this.#pool, this.#backward, this.#rows);
    this.#view = new GraphSnapshot(this.#state);
    return this.#view;
  }

  #entryOf(file: NodeHandle): FileEntry | undefined {
    const slot = this.#state.slotOf[file] ?? -1;
    const entry = slot < 0 ? undefined : this.#state.entries[slot];
    return entry?.file === file ? entry : undefined;
  }

  #overlay(draft: Draft, changed: readonly FileEntry[]): void {
    const incoming = new Map<number, number[]>();
    for (const target of draft.touched) incoming.set(target, []);
    for (const entry of changed) {
      const first = this.#pool.length;
      appendEdges(entry, this.#pool, draft.place);
      this.#rows += this.#pool.length - first;
      const targets = this.#pool.columns.targets;
      for (let edge = first; edge < this.#pool.length; edge++) {
        const target = targets[edge] ?? 0;
        const list = incoming.get(target);
        if (list === undefined) incoming.set(target, [edge]);
        else list.push(edge);
      }
    }
    for (const [target, edges] of incoming) draft.setBackward(target, edges, this.#pool, this.#backward);
  }

  #layOut(draft: Draft, changed: readonly FileEntry[]): void {
    const old = this.#pool.columns;
    const fresh = new EdgePool(Math.ceil(this.#rows * 1.25));
    const isNew = new Set(changed);
    const copyRow = (node: number): void => {
      const start = fresh.length;
      const end = draft.forwardEnds[node] ?? 0;
      for (let row = draft.forwardStarts[node] ?? 0; row < end; row++) fresh.copy(old, row);
      draft.place(node, start, fresh.length);
    };
    for (const entry of draft.entries) {
      if (entry === undefined) continue;
      if (isNew.has(entry)) appendEdges(entry, fresh, draft.place);
      else {
        copyRow(entry.file);
        for (const node of entry.nodes) copyRow(node);
      }
    }
    this.#pool = fresh;
    this.#rows = fresh.length;
    this.#backward = new BackwardRows(0);
    this.#backward.fill(fresh.columns, fresh.length, draft.backwardStarts, draft.backwardEnds);
    draft.touchAll();
  }
}

/** The next state while it is being made. */
class Draft {
  readonly slotOf: Int32Array;
  readonly rowOf: Int32Array;
  readonly live: Uint8Array;
  readonly forwardStarts: Int32Array;
  readonly forwardEnds: Int32Array;
  readonly backwardStarts: Int32Array;
  readonly backwardEnds: Int32Array;
  readonly entries: (FileEntry | undefined)[];
  /** Targets of rows that were taken out. */
  readonly touched = new Set<number>();
  fileCount: number;
  #nodeCount: number;
  #sameFiles = true;
  readonly #stale = new Set<number>();
  readonly #ends = new Set<number>();

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
    this.#nodeCount = base.nodeCount;
  }

  readonly place = (node: number, start: number, end: number): void => {
    this.forwardStarts[node] = start;
    this.forwardEnds[node] = end;
  };

  /** Takes a file out; returns the number of its edges. */
  detach(file: number, free: number[]): number {
    const slot = this.slotOf[file] ?? -1;
    const entry = slot < 0 ? undefined : this.entries[slot];
    if (entry === undefined || entry.file !== file) return 0;
    let edges = 0;
    for (const node of [file, ...entry.nodes]) {
      const start = this.forwardStarts[node] ?? 0;
      const end = this.forwardEnds[node] ?? 0;
      for (let row = start; row < end; row++) this.touched.add(this.base.pool.targets[row] ?? 0);
      edges += end - start;
      this.place(node, 0, 0);
      this.#stale.add(node);
      this.#ends.add(node);
      this.slotOf[node] = -1;
      this.rowOf[node] = -1;
      this.#setLive(node, 0);
    }
    this.entries[slot] = undefined;
    free.push(slot);
    this.fileCount--;
    this.#sameFiles = false;
    return edges;
  }

  attach(entry: FileEntry, free: number[]): void {
    const slot = free.pop() ?? this.entries.length;
    this.entries[slot] = entry;
    this.slotOf[entry.file] = slot;
    this.rowOf[entry.file] = -1;
    this.#setLive(entry.file, 1);
    for (let row = 0; row < entry.nodes.length; row++) {
      const node = entry.nodes[row] ?? 0;
      this.slotOf[node] = slot;
      this.rowOf[node] = row;
      this.#setLive(node, 1);
      this.#ends.add(node);
    }
    this.#ends.add(entry.file);
    this.fileCount++;
  }

  setBackward(target: number, edges: readonly number[], pool: EdgePool, backward: BackwardRows): void {
    const start = this.backwardStarts[target] ?? 0;
    const end = this.backwardEnds[target] ?? 0;
    const first = backward.length;
    const before = this.base.backward;
    for (let row = start; row < end; row++) {
      if (!this.#stale.has(before.targets[row] ?? 0)) backward.append(pool.columns, before.edges[row] ?? 0);
    }
    for (const edge of edges) backward.append(pool.columns, edge);
    this.backwardStarts[target] = first;
    this.backwardEnds[target] = backward.length;
    this.#ends.add(target);
  }

  touchAll(): void {
    for (let node = 0; node < this.size; node++) this.#ends.add(node);
  }

  finish(pool: EdgePool, backward: BackwardRows, rows: number): GraphState {
    for (const node of this.#ends) this.#settle(node);
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
      edgeCount: rows - this.#dangling(),
      fileCount: this.fileCount,
      order: this.#sameFiles || this.#filesAsBefore() ? base.order : { files: undefined },
    };
  }

  /** External nodes come and go with the edges that end at them. */
  #settle(node: number): void {
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

  #setLive(node: number, value: 0 | 1): void {
    const before = this.live[node] ?? 0;
    this.live[node] = value;
    this.#nodeCount += value - before;
  }
}

function grow(column: Int32Array, size: number, fill: number): Int32Array {
  const grown = new Int32Array(size);
  grown.set(column);
  if (fill !== 0) grown.fill(fill, column.length);
  return grown;
}
