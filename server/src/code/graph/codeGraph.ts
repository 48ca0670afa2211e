/**
 * The write side of the code graph of one checkout: applies deltas, makes immutable views.
 *
 * Columnar, for a few bytes per edge and walks in milliseconds: per-file entries, one append-only pool of aggregated edges, and per direction a start and an end per node.
 * An edit appends the rows of the changed files and copies the small per-node columns, so a view never changes and an edit costs what it touches;
 * when more than half of the pool is out of date it is compacted.
 * This room knows no text, no disk and no resolution: it believes the sites it is given.
 *
 * Invariants: a node's outgoing edges are one contiguous row; every live symbol has exactly one DEFINES_SYMBOL from its file;
 * an external node lives as long as an edge ends at it.
 */
import type { CancellationToken } from '../../base/cancellation';
import { eachInSteps, runAtOnce, type Steps } from '../../base/steps';
import type { Turn } from '../../base/yield';
import type { GraphDelta } from '../../model/delta';
import { NO_NODE, type NodeIds } from '../../model/ids';
import { appendEdges, endIn } from './aggregate';
import { BackwardRows } from './backwardRows';
import { EdgePool, type EdgeRow, edgeRow } from './edgePool';
import { entryOf, type FileEntry, relink } from './fileEntry';
import { GraphDraft } from './graphDraft';
import type { GraphMetrics } from './graphMetrics';
import { GraphSnapshot } from './graphSnapshot';
import type { GraphState } from './graphState';
import type { GraphView, NodeHandle } from './graphView';
import { NameIndex } from './nameIndex';

/** Above this share of changed files everything is laid out anew. */
const REBUILD_SHARE = 0.25;
/** Stale rows allowed beside as many live ones before the pool is compacted. */
const SLACK = 20_000;

/** The live graph of the code of one checkout. `apply` is the only way it changes; what was handed out as a view before stays as it was. */
export class CodeGraph {
  readonly #interner: NodeIds;
  #names: NameIndex;
  #pool = new EdgePool(0);
  #backward = new BackwardRows(0);
  #state: GraphState;
  #view: GraphSnapshot;
  /** `revision` is that of the empty graph; each `apply` adds one. */
  constructor(interner: NodeIds, revision = 0) {
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
      communities: undefined,
      saved: undefined,
      order: { files: undefined, places: undefined },
    };
    this.#view = new GraphSnapshot(this.#state);
  }

  get view(): GraphView {
    return this.#view;
  }

  /** A graph of the same content that changes by itself, from revision 1 on. What its metrics are is computed anew. */
  fork(): CodeGraph {
    const copy = new CodeGraph(this.#interner, 0);
    copy.#names = this.#names;
    copy.#pool = this.#pool.fork();
    copy.#backward = this.#backward.fork();
    const { columns: pool } = copy.#pool;
    copy.#state = { ...this.#state, revision: 1, pool, backward: copy.#backward.columns, ranks: undefined, communities: undefined, saved: undefined };
    copy.#view = new GraphSnapshot(copy.#state);
    return copy;
  }

  /** What the graph keeps of each live file, for saving. */
  entries(): FileEntry[] {
    return this.#state.entries.filter(entry => entry !== undefined);
  }

  /** Applies a delta whole. Relinked files that the graph does not hold are passed over. */
  apply(delta: GraphDelta): GraphView {
    return runAtOnce(this.#applying(delta));
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
    return runAtOnce(this.#replacing(changed, removed));
  }

  /** `replace` in steps: others may run between them and see the state before. One at a time, and no `apply` meanwhile. */
  replaceInSteps(changed: readonly FileEntry[], removed: readonly NodeHandle[]): Steps<GraphView> {
    return this.#replacing(changed, removed);
  }

  /** The graph as it would be with some files that read differently. To be taken back by `replace`, and then by `setCommunities`. */
  preview(delta: GraphDelta): GraphView {
    return runAtOnce(this.#applying(delta, this.#view.metrics));
  }

  /** Communities of the current revision, from a process or a revision with the same content. */
  setCommunities(of: Int32Array): void {
    this.#view.metrics.know({ of, revision: this.#view.revision });
  }

  /** PageRank of the current revision by handle, from a process that computed it. */
  setPageRank(handles: Int32Array, ranks: Float64Array): void {
    const byHandle = new Float64Array(this.#state.live.length);
    for (let at = 0; at < handles.length; at++) byHandle[handles[at] ?? 0] = ranks[at] ?? 0;
    this.#view.setPageRank(byHandle);
  }

  *#applying(delta: GraphDelta, saved?: GraphMetrics): Steps<GraphView> {
    const changed = new Map<NodeHandle, FileEntry>();
    for (const upsert of delta.upserts) {
      changed.set(upsert.resolution.file, entryOf(upsert.record, upsert.facts, upsert.resolution));
      yield;
    }
    for (const resolution of delta.relinked) {
      const known = changed.get(resolution.file) ?? this.#entryOf(resolution.file);
      if (known !== undefined) changed.set(resolution.file, relink(known, resolution));
      yield;
    }
    const removed: NodeHandle[] = [];
    for (const path of delta.removed) {
      const handle = this.#interner.find(path);
      if (handle !== undefined && !changed.has(handle)) removed.push(handle);
    }
    return yield* this.#replacing([...changed.values()], removed, saved);
  }

  /** Writes nothing that a view sees until its last step. */
  *#replacing(changed: readonly FileEntry[], removed: readonly NodeHandle[], saved?: GraphMetrics): Steps<GraphView> {
    const draft = new GraphDraft(this.#state, this.#interner.size);
    yield* eachInSteps([...removed, ...changed.map(entry => entry.file)], file => draft.detach(file));
    yield* eachInSteps(changed, entry => draft.attach(entry));
    const isLarge = changed.length > (draft.fileCount - changed.length) * REBUILD_SHARE + 1;
    const isStale = this.#pool.length > 2 * draft.rows + SLACK;
    const columns = yield* isLarge || isStale ? this.#layOut(draft, changed) : this.#overlay(draft, changed);
    this.#pool = columns.pool;
    this.#backward = columns.backward;
    this.#state = yield* draft.finish(columns.pool, columns.backward, { ranks: this.#view.knownRanks, saved });
    this.#view = new GraphSnapshot(this.#state);
    return this.#view;
  }

  #entryOf(file: NodeHandle): FileEntry | undefined {
    const slot = this.#state.slotOf[file] ?? -1;
    const entry = slot < 0 ? undefined : this.#state.entries[slot];
    return entry?.file === file ? entry : undefined;
  }

  /** Appends the rows of the changed files, and new rows for whatever their edges end or ended at. */
  *#overlay(draft: GraphDraft, changed: readonly FileEntry[]): Steps<Columns> {
    const pool = this.#pool;
    const backward = this.#backward;
    const endOf = endIn(draft, this.#interner);
    const incoming = new Map<NodeHandle, EdgeRow[]>();
    for (const target of draft.touched) incoming.set(target, []);
    for (const entry of changed) {
      const first = pool.length;
      appendEdges(entry, pool, draft.place, endOf);
      draft.rows += pool.length - first;
      const targets = pool.columns.targets;
      for (let place = first; place < pool.length; place++) {
        const edge = edgeRow(place);
        const target = targets[edge] ?? NO_NODE;
        const list = incoming.get(target);
        if (list === undefined) incoming.set(target, [edge]);
        else list.push(edge);
      }
      yield;
    }
    yield* eachInSteps(incoming, ([target, edges]) => draft.setBackward(target, edges, pool, backward));
    return { pool, backward: backward.length > 3 * draft.rows + SLACK ? yield* draft.compacted(pool, backward) : backward };
  }

  /** Writes all rows anew, one after the other. */
  *#layOut(draft: GraphDraft, changed: readonly FileEntry[]): Steps<Columns> {
    const old = this.#pool.columns;
    const pool = new EdgePool(Math.ceil(draft.rows * 1.25));
    const endOf = endIn(draft, this.#interner);
    const isNew = new Set(changed);
    const copyRow = (node: NodeHandle): void => {
      const start = pool.length;
      const end = draft.forwardEnds[node] ?? 0;
      for (let row = draft.forwardStarts[node] ?? 0; row < end; row++) pool.copy(old, edgeRow(row));
      draft.place(node, start, pool.length);
    };
    for (const entry of draft.entries) {
      if (entry === undefined) continue;
      if (isNew.has(entry)) appendEdges(entry, pool, draft.place, endOf);
      else {
        copyRow(entry.file);
        for (const node of entry.nodes) copyRow(node);
      }
      yield;
    }
    draft.rows = pool.length;
    const backward = new BackwardRows(0);
    yield* backward.fill(pool.columns, pool.length, draft.backwardStarts, draft.backwardEnds);
    draft.touchAll();
    return { pool, backward };
  }
}

interface Columns {
  readonly pool: EdgePool;
  readonly backward: BackwardRows;
}
