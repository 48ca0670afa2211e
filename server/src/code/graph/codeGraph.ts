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
import type { CancellationToken } from '../../base/cancellation';
import type { Interner } from '../../base/interner';
import type { Turn } from '../../base/yield';
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
  #view: GraphSnapshot;
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
      rows: 0,
      free: [],
      fileCount: 0,
      ranks: undefined,
      order: { files: undefined, places: undefined },
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
    return finish(this.#applying(delta));
  }

  /**
   * `apply` in turns, for deltas of many files: others may run between them and see the state before.
   * One at a time, and no `apply` meanwhile. Throws `Cancelled`, with nothing applied.
   */
  async applyInTurns(delta: GraphDelta, turn: Turn, token: CancellationToken): Promise<GraphView> {
    const steps = this.#applying(delta);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      await turn.check(token);
    }
  }

  /** `apply` for entries that are already in the graph's own form (warm start). */
  replace(changed: readonly FileEntry[], removed: readonly NodeHandle[]): GraphView {
    return finish(this.#replacing(changed, removed));
  }

  *#applying(delta: GraphDelta): Generator<void, GraphView> {
    const changed = new Map<NodeHandle, FileEntry>();
    for (const upsert of delta.upserts) {
      changed.set(upsert.resolution.file, entryOf(upsert.record, upsert.facts, upsert.resolution));
      yield;
    }
    for (const resolution of delta.relinked) {
      const known = changed.get(resolution.file) ?? this.#entryOf(resolution.file);
      if (known !== undefined) changed.set(resolution.file, relink(known, resolution));
    }
    const removed: NodeHandle[] = [];
    for (const path of delta.removed) {
      const handle = this.#interner.find(path);
      if (handle !== undefined && !changed.has(handle)) removed.push(handle);
    }
    return yield* this.#replacing([...changed.values()], removed);
  }

  /** Writes nothing that a view sees until its last step. */
  *#replacing(changed: readonly FileEntry[], removed: readonly NodeHandle[]): Generator<void, GraphView> {
    const draft = new Draft(this.#state, this.#interner.size);
    for (const file of [...removed, ...changed.map(entry => entry.file)]) draft.detach(file);
    for (const entry of changed) draft.attach(entry);
    const isLarge = changed.length > (draft.fileCount - changed.length) * REBUILD_SHARE + 1;
    const isStale = this.#pool.length > 2 * draft.rows + SLACK || this.#backward.length > 2 * draft.rows + SLACK;
    const columns = yield* isLarge || isStale ? this.#layOut(draft, changed) : this.#overlay(draft, changed);
    this.#pool = columns.pool;
    this.#backward = columns.backward;
    this.#state = draft.finish(columns.pool, columns.backward, this.#view);
    this.#view = new GraphSnapshot(this.#state);
    return this.#view;
  }

  #entryOf(file: NodeHandle): FileEntry | undefined {
    const slot = this.#state.slotOf[file] ?? -1;
    const entry = slot < 0 ? undefined : this.#state.entries[slot];
    return entry?.file === file ? entry : undefined;
  }

  /** Appends the rows of the changed files, and new rows for whatever their edges end or ended at. */
  *#overlay(draft: Draft, changed: readonly FileEntry[]): Generator<void, Columns> {
    const pool = this.#pool;
    const backward = this.#backward;
    const incoming = new Map<number, number[]>();
    for (const target of draft.touched) incoming.set(target, []);
    for (const entry of changed) {
      const first = pool.length;
      appendEdges(entry, pool, draft.place);
      draft.rows += pool.length - first;
      const targets = pool.columns.targets;
      for (let edge = first; edge < pool.length; edge++) {
        const target = targets[edge] ?? 0;
        const list = incoming.get(target);
        if (list === undefined) incoming.set(target, [edge]);
        else list.push(edge);
      }
      yield;
    }
    for (const [target, edges] of incoming) draft.setBackward(target, edges, pool, backward);
    return { pool, backward };
  }

  /** Writes all rows anew, one after the other. */
  *#layOut(draft: Draft, changed: readonly FileEntry[]): Generator<void, Columns> {
    const old = this.#pool.columns;
    const pool = new EdgePool(Math.ceil(draft.rows * 1.25));
    const isNew = new Set(changed);
    const copyRow = (node: number): void => {
      const start = pool.length;
      const end = draft.forwardEnds[node] ?? 0;
      for (let row = draft.forwardStarts[node] ?? 0; row < end; row++) pool.copy(old, row);
      draft.place(node, start, pool.length);
    };
    for (const entry of draft.entries) {
      if (entry === undefined) continue;
      if (isNew.has(entry)) appendEdges(entry, pool, draft.place);
      else {
        copyRow(entry.file);
        for (const node of entry.nodes) copyRow(node);
      }
      yield;
    }
    draft.rows = pool.length;
    const backward = new BackwardRows(0);
    backward.fill(pool.columns, pool.length, draft.backwardStarts, draft.backwardEnds);
    draft.touchAll();
    return { pool, backward };
  }
}

interface Columns {
  readonly pool: EdgePool;
  readonly backward: BackwardRows;
}

function finish(steps: Generator<void, GraphView>): GraphView {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
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
  /** Edges in rows, those with a dead end included. */
  rows: number;
  readonly #free: number[];
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
    this.rows = base.rows;
    this.#free = base.free.slice();
    this.#nodeCount = base.nodeCount;
  }

  readonly place = (node: number, start: number, end: number): void => {
    this.forwardStarts[node] = start;
    this.forwardEnds[node] = end;
  };

  /** Takes a file out with its rows. */
  detach(file: number): void {
    const slot = this.slotOf[file] ?? -1;
    const entry = slot < 0 ? undefined : this.entries[slot];
    if (entry === undefined || entry.file !== file) return;
    for (const node of [file, ...entry.nodes]) {
      const start = this.forwardStarts[node] ?? 0;
      const end = this.forwardEnds[node] ?? 0;
      for (let row = start; row < end; row++) this.touched.add(this.base.pool.targets[row] ?? 0);
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
    const slot = this.#free.pop() ?? this.entries.length;
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

  finish(pool: EdgePool, backward: BackwardRows, before: GraphSnapshot): GraphState {
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
      edgeCount: this.rows - this.#dangling(),
      rows: this.rows,
      free: this.#free,
      ranks: before.knownRanks,
      fileCount: this.fileCount,
      order: this.#sameFiles || this.#filesAsBefore() ? base.order : { files: undefined, places: undefined },
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
