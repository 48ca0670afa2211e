import { type PageRankOptions, pageRank, pageRankSteps } from '../../algorithms/pageRank';
import type { WorkspacePath } from '../../base/path';
import { compareText } from '../../base/text';
import { decodeConfidence, SOURCES } from '../../model/evidence';
import { NO_NODE, nodeColumn, nodeHandle, type StableId } from '../../model/ids';
import type { Kind } from '../../model/kinds';
import { SYMBOL_KINDS } from '../../model/nodes';
import { RELATIONS, type Relation, relationCode } from '../../model/relations';
import type { CentralityMethod } from '../../model/settings';
import { otherEnd } from './aggregate';
import { edgeBehind } from './backwardRows';
import { type EdgeRow, edgeRow } from './edgePool';
import { type FileEntry, parentRow, type SymbolRow, symbolCell, symbolRow, symbolText } from './fileEntry';
import { GraphMetrics } from './graphMetrics';
import { externalNode, fileNode, isTestCode, isTestRow, symbolNode } from './graphNodes';
import { type GraphState, rowOfNode } from './graphState';
import type { Adjacency, GraphEdge, GraphNode, GraphTally, GraphView, NodeHandle, UnresolvedCounts, Walkable } from './graphView';
import type { Community, Membership } from './metricTypes';
import { tallyOf } from './tally';

/** The weights are those of the relations. */
const GLOBAL_RANK = { weights: Float64Array.from({ length: 256 }, (_, code) => RELATIONS[code]?.rank ?? 0), damping: 0.85, maxIterations: 20, tolerance: 1e-6 };

/** Steps from the ranks of an earlier revision, which an edit hardly moves. */
const REFRESH = { maxIterations: 3, tolerance: 1e-5 };

/** Bounds of `orderOf`: 2^19 files of at most 2^20 symbols, then externals. */
const SYMBOLS_PER_FILE = 2 ** 20;
const FIRST_EXTERNAL = 2 ** 39;

type Target = { readonly target: NodeHandle; readonly relation: Relation; readonly confidence: number };

const CHILDREN = new WeakMap<FileEntry, ReadonlyMap<SymbolRow | undefined, readonly NodeHandle[]>>();

/** Symbols of a file by the row of what they stand in; `undefined` for the file. */
function childrenIn(entry: FileEntry): ReadonlyMap<SymbolRow | undefined, readonly NodeHandle[]> {
  const known = CHILDREN.get(entry);
  if (known !== undefined) return known;
  const found = new Map<SymbolRow | undefined, NodeHandle[]>();
  for (let place = 0; place < entry.nodes.length; place++) {
    const parent = parentRow(entry, symbolRow(place));
    const siblings = found.get(parent);
    if (siblings === undefined) found.set(parent, [entry.nodes[place] ?? NO_NODE]);
    else siblings.push(entry.nodes[place] ?? NO_NODE);
  }
  CHILDREN.set(entry, found);
  return found;
}

/** Reads one state. Nodes and edges are made when asked for and not kept. */
export class GraphSnapshot implements GraphView {
  readonly adjacency: Adjacency;
  #ranks: Float64Array | undefined;
  #externals: ReadonlyMap<NodeHandle, number> | undefined;
  #maxRank: number | undefined;
  #tally: GraphTally | undefined;
  readonly #metrics: GraphMetrics;

  constructor(private readonly state: GraphState) {
    const { pool, backward } = state;
    this.adjacency = {
      size: state.size,
      live: state.live,
      forward: {
        starts: state.forwardStarts,
        ends: state.forwardEnds,
        targets: pool.targets,
        relations: pool.relations,
        confidences: pool.confidences,
      },
      backward: {
        starts: state.backwardStarts,
        ends: state.backwardEnds,
        targets: backward.targets,
        relations: backward.relations,
        confidences: backward.confidences,
      },
    };
    this.#metrics = new GraphMetrics(this, state.communities, state.saved);
  }

  walk(): Walkable {
    const { backward, forward, live } = this.adjacency;
    return { live, forward: [forward], backward: [backward] };
  }

  nodesAbove(): Iterable<NodeHandle> {
    return [];
  }

  get revision(): number {
    return this.state.revision;
  }

  get nodeCount(): number {
    return this.state.nodeCount;
  }

  get edgeCount(): number {
    return this.state.edgeCount;
  }

  get fileCount(): number {
    return this.state.fileCount;
  }

  find(id: StableId): NodeHandle | undefined {
    const handle = this.state.interner.find(id);
    return handle !== undefined && this.isLive(handle) ? handle : undefined;
  }

  isLive(node: NodeHandle): boolean {
    return this.state.live[node] === 1;
  }

  idOf(node: NodeHandle): StableId {
    return this.state.interner.text(node);
  }

  node(node: NodeHandle): GraphNode {
    const entry = this.#entryOf(node);
    if (entry === undefined) return externalNode(node, this.idOf(node));
    const row = rowOfNode(this.state, node);
    return row === undefined ? fileNode(entry) : symbolNode(entry, row, node, this.idOf(node));
  }

  *nodes(): Iterable<NodeHandle> {
    for (const file of this.files()) {
      yield file;
      const nodes = this.#entryOf(file)?.nodes ?? [];
      for (let row = 0; row < nodes.length; row++) yield nodes[row] ?? NO_NODE;
    }
    yield* this.#externalPlaces().keys();
  }

  files(): Iterable<NodeHandle> {
    const { order, entries } = this.state;
    if (order.files === undefined) {
      const live = entries.filter(entry => entry !== undefined);
      live.sort((a, b) => compareText(a.record.path, b.record.path));
      order.files = nodeColumn(Int32Array.from(live, entry => entry.file));
    }
    return order.files;
  }

  fileOf(path: WorkspacePath): NodeHandle | undefined {
    const handle = this.find(path);
    return handle !== undefined && this.#entryOf(handle)?.file === handle ? handle : undefined;
  }

  fileStateOf(file: NodeHandle): FileEntry | undefined {
    const entry = this.#entryOf(file);
    return entry?.file === file ? entry : undefined;
  }

  symbolsOf(file: NodeHandle): readonly NodeHandle[] {
    const entry = this.#entryOf(file);
    return entry?.file === file ? [...entry.nodes] : [];
  }

  childrenOf(node: NodeHandle): readonly NodeHandle[] {
    const entry = this.#entryOf(node);
    if (entry === undefined) return [];
    return childrenIn(entry).get(rowOfNode(this.state, node)) ?? [];
  }

  parentOf(node: NodeHandle): NodeHandle | undefined {
    const entry = this.#entryOf(node);
    const row = rowOfNode(this.state, node);
    if (entry === undefined || row === undefined) return undefined;
    const parent = parentRow(entry, row);
    return parent === undefined ? entry.file : entry.nodes[parent];
  }

  fileNodeOf(node: NodeHandle): NodeHandle | undefined {
    return this.#entryOf(node)?.file;
  }

  isTest(node: NodeHandle): boolean {
    const entry = this.#entryOf(node);
    if (entry === undefined) return false;
    const row = entry.record.isTest ? undefined : rowOfNode(this.state, node);
    return entry.record.isTest || (row !== undefined && isTestCode(entry, row));
  }

  runsAsTest(node: NodeHandle): boolean {
    const entry = this.#entryOf(node);
    const row = rowOfNode(this.state, node);
    return entry !== undefined && row !== undefined && isTestRow(entry, row);
  }

  kindOf(node: NodeHandle): Kind {
    const entry = this.#entryOf(node);
    if (entry === undefined) return 'external';
    const row = rowOfNode(this.state, node);
    return row === undefined ? 'file' : (SYMBOL_KINDS[symbolCell(entry, row, 'kind')] ?? 'variable');
  }

  signatureOf(node: NodeHandle): string {
    const entry = this.#entryOf(node);
    const row = rowOfNode(this.state, node);
    return entry === undefined || row === undefined ? '' : symbolText(entry, row, 'signature');
  }

  orderOf(node: NodeHandle): number {
    const entry = this.#entryOf(node);
    if (entry === undefined) return FIRST_EXTERNAL + (this.#externalPlaces().get(node) ?? 0);
    return (this.#filePlaces().get(entry.file) ?? 0) * SYMBOLS_PER_FILE + (rowOfNode(this.state, node) ?? -1) + 1;
  }

  named(name: string): readonly NodeHandle[] {
    const live = (handles: readonly NodeHandle[]): NodeHandle[] => handles.filter(handle => this.isLive(handle));
    const exact = live(this.state.names.exact(name));
    return this.#byId(exact.length > 0 ? exact : live(this.state.names.folded(name)));
  }

  symbolAt(path: WorkspacePath, line: number, column: number): NodeHandle | undefined {
    const file = this.fileOf(path);
    const entry = file === undefined ? undefined : this.#entryOf(file);
    if (entry === undefined) return undefined;
    const startsAfter = (row: SymbolRow): boolean => isBefore(line - 1, column, symbolCell(entry, row, 'startLine'), symbolCell(entry, row, 'startColumn'));
    const endsBefore = (row: SymbolRow): boolean => isBefore(symbolCell(entry, row, 'endLine'), symbolCell(entry, row, 'endColumn'), line - 1, column);
    let low = 0;
    let high = entry.nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (startsAfter(symbolRow(middle))) high = middle;
      else low = middle + 1;
    }
    for (let row = low === 0 ? undefined : symbolRow(low - 1); row !== undefined; row = parentRow(entry, row)) if (!endsBefore(row)) return entry.nodes[row];
    return undefined;
  }

  out(node: NodeHandle, keep: (other: NodeHandle) => boolean = takesAll, kinds?: Uint8Array): readonly GraphEdge[] {
    const edges: GraphEdge[] = [];
    this.#eachForward(node, false, keep, edges);
    this.#eachBackward(node, true, keep, edges);
    return this.#sorted(ofKinds(edges, kinds), edge => edge.target);
  }

  in(node: NodeHandle, keep: (other: NodeHandle) => boolean = takesAll, kinds?: Uint8Array): readonly GraphEdge[] {
    const edges: GraphEdge[] = [];
    this.#eachBackward(node, false, keep, edges);
    this.#eachForward(node, true, keep, edges);
    return this.#sorted(ofKinds(edges, kinds), edge => edge.source);
  }

  edge(source: NodeHandle, relation: Relation, target: NodeHandle): GraphEdge | undefined {
    const turned = relation === 'DECORATES';
    const [from, to] = turned ? [target, source] : [source, target];
    if (!this.isLive(from) || !this.isLive(to)) return undefined;
    const { pool } = this.state;
    const end = this.state.forwardEnds[from] ?? 0;
    for (let row = this.state.forwardStarts[from] ?? 0; row < end; row++) {
      if (pool.targets[row] === to && pool.relations[row] === relationCode[relation]) return this.#edgeAt(edgeRow(row), turned);
    }
    return undefined;
  }

  get knownPageRank(): Float64Array | undefined {
    return this.#ranks;
  }

  /** For a graph that was saved with its ranks; before anyone has the view. */
  setPageRank(ranks: Float64Array): void {
    this.#ranks = ranks;
  }

  pageRank(): Float64Array {
    this.#ranks ??= pageRank([this.adjacency.forward], this.state.live, undefined, this.#rankOptions());
    return this.#ranks;
  }

  async preparePageRank(pause: () => Promise<void> | undefined): Promise<void> {
    if (this.#ranks !== undefined) return;
    const steps = pageRankSteps([this.adjacency.forward], this.state.live, undefined, this.#rankOptions());
    for (let step = steps.next(); this.#ranks === undefined; step = steps.next()) {
      if (step.done === true) this.#ranks = step.value;
      else await pause();
    }
  }

  /** Graphs keep this for their next revision; `undefined` when none was ever computed. */
  get knownCommunities(): Membership | undefined {
    return this.#metrics.known;
  }

  /** Metrics for a view of unsaved text over this one. */
  get metrics(): GraphMetrics {
    return this.#metrics;
  }

  get hasQuickCommunities(): boolean {
    return this.#metrics.isQuick;
  }

  communities(): Membership {
    return this.#metrics.membership();
  }

  membersOf(community: number): readonly NodeHandle[] {
    return this.#metrics.members().get(community) ?? [];
  }

  labelOfCommunity(community: number): string {
    return this.#metrics.label(community);
  }

  describedCommunities(): readonly Community[] {
    return this.#metrics.described();
  }

  prepareCommunities(pause: () => Promise<void> | undefined): Promise<void> {
    return this.#metrics.prepareCommunities(pause);
  }

  centrality(method: CentralityMethod): Float32Array {
    return this.#metrics.centrality(method);
  }

  prepareMetrics(pause: () => Promise<void> | undefined): Promise<void> {
    return this.#metrics.prepare(pause);
  }

  #rankOptions(): PageRankOptions {
    const initial = this.state.ranks;
    return initial === undefined ? GLOBAL_RANK : { ...GLOBAL_RANK, ...REFRESH, initial };
  }

  /** What `pageRank` would start from in the next revision; `undefined` when none was ever computed. */
  get knownRanks(): Float64Array | undefined {
    return this.#ranks ?? this.state.ranks;
  }

  maxPageRank(): number {
    this.#maxRank ??= this.pageRank().reduce((max, rank) => Math.max(max, rank), 0);
    return this.#maxRank;
  }

  tally(): GraphTally {
    this.#tally ??= tallyOf(this.state);
    return this.#tally;
  }

  countsOf(node: NodeHandle): UnresolvedCounts {
    const entry = this.#entryOf(node);
    if (entry === undefined) return { unresolved: 0, external: 0, resolved: 0 };
    const row = rowOfNode(this.state, node);
    const { sites } = entry;
    let resolved = 0;
    for (let site = 0; site < sites.count; site++) {
      if ((sites.candidateCount[site] ?? 0) > 0 && (row === undefined || sites.from[site] === node)) resolved++;
    }
    if (row !== undefined) return { unresolved: entry.unresolved[row] ?? 0, external: entry.external[row] ?? 0, resolved };
    return { unresolved: sum(entry.unresolved), external: sum(entry.external), resolved };
  }

  targetsAt(path: WorkspacePath, line: number, column: number): readonly Target[] {
    const file = this.fileOf(path);
    const entry = file === undefined ? undefined : this.#entryOf(file);
    if (entry === undefined) return [];
    const { sites } = entry;
    const found = new Map<NodeHandle, Target>();
    for (let site = 0; site < sites.count; site++) {
      if (sites.line[site] !== line - 1) continue;
      const start = sites.column[site] ?? 0;
      if (column < start || column > start + (sites.length[site] ?? 0)) continue;
      const first = sites.candidateStart[site] ?? 0;
      for (let i = first; i < first + (sites.candidateCount[site] ?? 0); i++) {
        const target = otherEnd(sites, site, i);
        const confidence = decodeConfidence(sites.confidence[i] ?? 0);
        const known = found.get(target);
        if (this.isLive(target) && (known === undefined || known.confidence < confidence)) {
          found.set(target, { target, relation: relationAt(sites.relation[site] ?? 0), confidence });
        }
      }
    }
    // A name in an import is what it names, then the file that it comes from.
    const isFile = ({ target }: Target): number => (this.fileNodeOf(target) === target ? 1 : 0);
    return [...found.values()].sort((a, b) => isFile(a) - isFile(b) || b.confidence - a.confidence || compareText(this.idOf(a.target), this.idOf(b.target)));
  }

  #filePlaces(): ReadonlyMap<NodeHandle, number> {
    this.state.order.places ??= new Map(Array.from(this.files(), (file, place) => [file, place]));
    return this.state.order.places;
  }

  #externalPlaces(): ReadonlyMap<NodeHandle, number> {
    if (this.#externals === undefined) {
      const found: NodeHandle[] = [];
      for (let handle = 0; handle < this.state.size; handle++) {
        const node = nodeHandle(handle);
        if (this.isLive(node) && (this.state.slotOf[node] ?? -1) < 0) found.push(node);
      }
      this.#externals = new Map(this.#byId(found).map((node, place) => [node, place]));
    }
    return this.#externals;
  }

  #entryOf(node: NodeHandle): FileEntry | undefined {
    const slot = this.state.slotOf[node] ?? -1;
    return slot < 0 ? undefined : this.state.entries[slot];
  }

  /** `turned` picks the edges that are stored the other way round than they are shown, else all others. */
  #eachForward(node: NodeHandle, turned: boolean, keep: (other: NodeHandle) => boolean, into: GraphEdge[]): void {
    if (!this.isLive(node)) return;
    const { pool } = this.state;
    const end = this.state.forwardEnds[node] ?? 0;
    for (let row = this.state.forwardStarts[node] ?? 0; row < end; row++) {
      if ((pool.relations[row] === relationCode.DECORATES) !== turned) continue;
      const other = pool.targets[row] ?? NO_NODE;
      if (this.isLive(other) && keep(other)) into.push(this.#edgeAt(edgeRow(row), turned));
    }
  }

  #eachBackward(node: NodeHandle, turned: boolean, keep: (other: NodeHandle) => boolean, into: GraphEdge[]): void {
    if (!this.isLive(node)) return;
    const { backward } = this.state;
    const end = this.state.backwardEnds[node] ?? 0;
    for (let at = this.state.backwardStarts[node] ?? 0; at < end; at++) {
      if ((backward.relations[at] === relationCode.DECORATES) !== turned) continue;
      const other = backward.targets[at] ?? NO_NODE;
      if (this.isLive(other) && keep(other)) into.push(this.#edgeAt(edgeBehind(backward, at), turned));
    }
  }

  #edgeAt(row: EdgeRow, turned: boolean): GraphEdge {
    const { pool } = this.state;
    const from = pool.sources[row] ?? NO_NODE;
    const to = pool.targets[row] ?? NO_NODE;
    const start = pool.lineStarts[row] ?? 0;
    return {
      source: turned ? to : from,
      target: turned ? from : to,
      relation: relationAt(pool.relations[row] ?? 0),
      confidence: decodeConfidence(pool.confidences[row] ?? 0),
      provenance: SOURCES[pool.provenances[row] ?? 0]?.name ?? 'heuristic',
      count: pool.counts[row] ?? 0,
      lines: Array.from(pool.lines.subarray(start, start + (pool.lineCounts[row] ?? 0)), line => line + 1),
    };
  }

  #sorted(edges: GraphEdge[], other: (edge: GraphEdge) => NodeHandle): GraphEdge[] {
    return edges.sort((a, b) => relationCode[a.relation] - relationCode[b.relation] || compareText(this.idOf(other(a)), this.idOf(other(b))));
  }

  #byId(handles: NodeHandle[]): NodeHandle[] {
    return handles.sort((a, b) => compareText(this.idOf(a), this.idOf(b)));
  }
}

function ofKinds(edges: GraphEdge[], kinds: Uint8Array | undefined): GraphEdge[] {
  return kinds === undefined ? edges : edges.filter(edge => kinds[relationCode[edge.relation]] === 1);
}

function takesAll(): boolean {
  return true;
}

function relationAt(code: number): Relation {
  return RELATIONS[code]?.name ?? 'CALLS';
}

function isBefore(lineA: number, columnA: number, lineB: number, columnB: number): boolean {
  return lineA < lineB || (lineA === lineB && columnA < columnB);
}

function sum(values: Int32Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
