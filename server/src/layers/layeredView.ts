import type { WorkspacePath } from '../base/path';
import { invariant } from '../base/result';
import { compareText } from '../base/text';
import { WITHOUT_FILE } from '../code/graph/graphNodes';
import type { Adjacency, GraphEdge, GraphNode, GraphTally, GraphView, HalfAdjacency, NodeHandle, UnresolvedCounts, Walkable } from '../code/graph/graphView';
import type { Community, Membership } from '../code/graph/metricTypes';
import { decodeConfidence } from '../model/evidence';
import { headOf, NO_NODE, type StableId } from '../model/ids';
import { KINDS, type Kind, kindOfPrefix } from '../model/kinds';
import { isOwnBookkeeping, RELATIONS, type Relation, relationCode } from '../model/relations';
import type { CentralityMethod } from '../model/settings';
import type { FrozenLayer, LayerNode, LayerRows, LayerSource } from './layer';

/** `orderOf` puts the layers above behind the code, which ends below 2^40. */
const ABOVE_CODE = 2 ** 40;
const KIND_ORDER: ReadonlyMap<Kind, number> = new Map(KINDS.map(({ name }, place) => [name, place]));

/** A layer of one view. */
interface Part {
  readonly source: LayerSource;
  readonly takes: (kinds: Uint8Array) => boolean;
  /** What the layer is in this view, once it was asked for. */
  frozen: FrozenLayer | undefined;
  isFrozen: boolean;
}

/** The union of the code and the layers above it. What concerns files and symbols alone, the code answers. */
export class LayeredView implements GraphView {
  readonly #parts: readonly Part[];
  readonly #walkables = new Map<string, Walkable>();
  #ordered: ReadonlyMap<NodeHandle, number> | undefined;

  constructor(
    private readonly code: GraphView,
    sources: readonly LayerSource[],
    private readonly intern: (id: StableId) => NodeHandle,
    readonly revision: number,
  ) {
    this.#parts = sources.map(source => {
      const codes = source.relations.map(relation => relationCode[relation]);
      const takes = (kinds: Uint8Array): boolean => codes.some(code => kinds[code] === 1);
      return { source, takes, frozen: source.isOnRequest ? undefined : source.frozen(code, intern), isFrozen: !source.isOnRequest };
    });
  }

  get nodeCount(): number {
    return this.code.nodeCount + this.#sum(layer => layer.nodes.size);
  }

  get edgeCount(): number {
    return this.code.edgeCount + this.#sum(layer => this.#liveEdges(layer));
  }

  get fileCount(): number {
    return this.code.fileCount;
  }

  get adjacency(): Adjacency {
    return this.code.adjacency;
  }

  walk(kinds: Uint8Array): Walkable {
    const layers = this.#layersFor(kinds);
    if (layers.length === 0) return this.code.walk(kinds);
    const key = layers.map(part => this.#parts.indexOf(part)).join();
    let walkable = this.#walkables.get(key);
    if (walkable === undefined) {
      walkable = walkableOf(
        this.code.adjacency,
        layers.flatMap(part => this.#frozen(part) ?? []),
      );
      this.#walkables.set(key, walkable);
    }
    return walkable;
  }

  find(id: StableId): NodeHandle | undefined {
    const kind = kindOfPrefix(headOf(id));
    const layer = kind === undefined ? undefined : this.#partOfKind(kind);
    return layer === undefined ? this.code.find(id) : this.#frozen(layer)?.find(id);
  }

  isLive(node: NodeHandle): boolean {
    return this.code.isLive(node) || this.#above(node) !== undefined;
  }

  idOf(node: NodeHandle): StableId {
    return this.code.idOf(node);
  }

  node(node: NodeHandle): GraphNode {
    const above = this.#above(node);
    return above === undefined ? this.code.node(node) : graphNodeOf(node, above);
  }

  nodes(): Iterable<NodeHandle> {
    return this.code.nodes();
  }

  *nodesAbove(kinds?: ReadonlySet<Kind>): Iterable<NodeHandle> {
    for (const part of this.#parts) {
      const isWanted = kinds === undefined ? !part.source.isOnRequest : part.source.kinds.some(kind => kinds.has(kind));
      const layer = isWanted ? this.#frozen(part) : undefined;
      if (layer === undefined) continue;
      const wanted = [...layer.nodes].filter(([, { kind }]) => kinds === undefined || kinds.has(kind));
      for (const [handle] of wanted.sort(([, a], [, b]) => compareNodes(a, b))) yield handle;
    }
  }

  files(): Iterable<NodeHandle> {
    return this.code.files();
  }

  fileOf(path: WorkspacePath): NodeHandle | undefined {
    return this.code.fileOf(path);
  }

  fileStateOf(file: NodeHandle): object | undefined {
    return this.code.fileStateOf(file);
  }

  symbolsOf(file: NodeHandle): readonly NodeHandle[] {
    return this.code.symbolsOf(file);
  }

  childrenOf(node: NodeHandle): readonly NodeHandle[] {
    return this.code.childrenOf(node);
  }

  parentOf(node: NodeHandle): NodeHandle | undefined {
    return this.code.parentOf(node);
  }

  fileNodeOf(node: NodeHandle): NodeHandle | undefined {
    return this.code.fileNodeOf(node);
  }

  isTest(node: NodeHandle): boolean {
    return this.code.isTest(node);
  }

  runsAsTest(node: NodeHandle): boolean {
    return this.code.runsAsTest(node);
  }

  kindOf(node: NodeHandle): Kind {
    return this.#above(node)?.kind ?? this.code.kindOf(node);
  }

  signatureOf(node: NodeHandle): string {
    return this.#above(node) === undefined ? this.code.signatureOf(node) : this.node(node).signature;
  }

  orderOf(node: NodeHandle): number {
    if (this.#above(node) === undefined) return this.code.orderOf(node);
    this.#ordered ??= new Map(
      this.#parts
        .flatMap(part => [...((part.isFrozen ? part.frozen : undefined)?.nodes ?? [])])
        .sort(([, a], [, b]) => compareNodes(a, b))
        .map(([handle], place) => [handle, place]),
    );
    return ABOVE_CODE + (this.#ordered.get(node) ?? 0);
  }

  named(name: string): readonly NodeHandle[] {
    return this.code.named(name);
  }

  symbolAt(path: WorkspacePath, line: number, column: number): NodeHandle | undefined {
    return this.code.symbolAt(path, line, column);
  }

  out(node: NodeHandle, keep?: (other: NodeHandle) => boolean, kinds?: Uint8Array): readonly GraphEdge[] {
    return this.#edges(node, 'forward', this.code.out(node, keep, kinds), keep, kinds);
  }

  in(node: NodeHandle, keep?: (other: NodeHandle) => boolean, kinds?: Uint8Array): readonly GraphEdge[] {
    return this.#edges(node, 'backward', this.code.in(node, keep, kinds), keep, kinds);
  }

  edge(source: NodeHandle, relation: Relation, target: NodeHandle): GraphEdge | undefined {
    const code = relationCode[relation];
    if (RELATIONS[code]?.layer === 'code') return this.code.edge(source, relation, target);
    const kinds = new Uint8Array(256);
    kinds[code] = 1;
    return this.#edges(source, 'forward', [], other => other === target, kinds)[0];
  }

  countsOf(node: NodeHandle): UnresolvedCounts {
    return this.code.countsOf(node);
  }

  pageRank(): Float64Array {
    return this.code.pageRank();
  }

  get knownPageRank(): Float64Array | undefined {
    return this.code.knownPageRank;
  }

  preparePageRank(pause: () => Promise<void> | undefined): Promise<void> {
    return this.code.preparePageRank(pause);
  }

  maxPageRank(): number {
    return this.code.maxPageRank();
  }

  get hasQuickCommunities(): boolean {
    return this.code.hasQuickCommunities;
  }

  get knownCommunities(): GraphView['knownCommunities'] {
    return this.code.knownCommunities;
  }

  communities(): Membership {
    return this.code.communities();
  }

  membersOf(community: number): readonly NodeHandle[] {
    return this.code.membersOf(community);
  }

  labelOfCommunity(community: number): string {
    return this.code.labelOfCommunity(community);
  }

  describedCommunities(): readonly Community[] {
    return this.code.describedCommunities();
  }

  centrality(method: CentralityMethod): Float32Array {
    return this.code.centrality(method);
  }

  prepareMetrics(pause: () => Promise<void> | undefined): Promise<void> {
    return this.code.prepareMetrics(pause);
  }

  prepareCommunities(pause: () => Promise<void> | undefined): Promise<void> {
    return this.code.prepareCommunities(pause);
  }

  tally(): GraphTally {
    return this.code.tally();
  }

  targetsAt(path: WorkspacePath, line: number, column: number): ReturnType<GraphView['targetsAt']> {
    return this.code.targetsAt(path, line, column);
  }

  #frozen(part: Part): FrozenLayer | undefined {
    if (!part.isFrozen) {
      part.frozen = part.source.frozen(this.code, this.intern);
      part.isFrozen = true;
      this.#ordered = undefined;
    }
    return part.frozen;
  }

  #partOfKind(kind: Kind): Part | undefined {
    return this.#parts.find(part => part.source.kinds.includes(kind));
  }

  /** Layers that are not empty as far as they are frozen and hold links of these kinds. */
  #layersFor(kinds: Uint8Array): readonly Part[] {
    return this.#parts.filter(part => (!part.isFrozen || part.frozen !== undefined) && part.takes(kinds));
  }

  #above(node: NodeHandle): LayerNode | undefined {
    if (this.code.isLive(node)) return undefined;
    for (const part of this.#parts) {
      const found = part.isFrozen ? part.frozen?.nodes.get(node) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #sum(count: (layer: FrozenLayer) => number): number {
    return this.#parts.reduce((sum, { frozen, source }) => sum + (frozen === undefined || source.isOnRequest ? 0 : count(frozen)), 0);
  }

  #liveEdges(layer: FrozenLayer): number {
    let live = 0;
    for (const node of layer.nodes.keys()) live += this.#liveLinks(layer.forward, node).length;
    return live;
  }

  #liveLinks(rows: LayerRows, node: NodeHandle): number[] {
    const links: number[] = [];
    for (let link = rows.starts[node] ?? 0; link < (rows.ends[node] ?? 0); link++) if (this.isLive(rows.targets[link] ?? NO_NODE)) links.push(link);
    return links;
  }

  /** Edges of the layers behind those of the code. */
  #edges(
    node: NodeHandle,
    side: 'forward' | 'backward',
    ofCode: readonly GraphEdge[],
    keep: (other: NodeHandle) => boolean = () => true,
    kinds: Uint8Array = defaultKinds(this.#above(node)?.kind),
  ): readonly GraphEdge[] {
    const edges: GraphEdge[] = [];
    for (const part of this.#layersFor(kinds)) {
      const layer = this.#frozen(part);
      if (layer === undefined) continue;
      const rows = layer[side];
      for (const link of this.#liveLinks(rows, node)) {
        const other = rows.targets[link] ?? NO_NODE;
        const relation = rows.relations[link] ?? 0;
        if (kinds[relation] !== 1 || !keep(other)) continue;
        const [source, target] = side === 'forward' ? [node, other] : [other, node];
        edges.push(edgeOf(layer, rows, link, source, target));
      }
    }
    if (edges.length === 0) return ofCode;
    const far = (edge: GraphEdge): StableId => this.idOf(side === 'forward' ? edge.target : edge.source);
    edges.sort((a, b) => relationCode[a.relation] - relationCode[b.relation] || (far(a) < far(b) ? -1 : 1));
    return [...ofCode, ...edges];
  }
}

/** All but bookkeeping, unless it is what nodes of this kind are there for. */
function defaultKinds(kind: Kind | undefined): Uint8Array {
  const own = kind === undefined ? [] : RELATIONS.filter(({ name }) => isOwnBookkeeping(name, kind));
  if (own.length === 0) return NO_BOOKKEEPING;
  const kinds = NO_BOOKKEEPING.slice();
  for (const { name } of own) kinds[relationCode[name]] = 1;
  return kinds;
}

const NO_BOOKKEEPING = Uint8Array.from({ length: 256 }, (_, code) => ((RELATIONS[code]?.rank ?? 0) > 0 ? 1 : 0));

function edgeOf(layer: FrozenLayer, rows: LayerRows, link: number, source: NodeHandle, target: NodeHandle): GraphEdge {
  const row = RELATIONS[rows.relations[link] ?? 0];
  invariant(row !== undefined, 'a layer has a relation that is in no table');
  const { attributes, provenance } = layer.edge(rows.edges[link] ?? 0);
  return {
    source,
    target,
    relation: row.name,
    confidence: decodeConfidence(rows.confidences[link] ?? 0),
    provenance,
    count: 1,
    lines: [],
    ...(attributes === undefined ? {} : { attributes }),
  };
}

/** Live nodes of the code and of the layers; a copy, because the code's columns are shared. */
function walkableOf(code: Adjacency, layers: readonly FrozenLayer[]): Walkable {
  const highest = layers.reduce((top, { nodes }) => [...nodes.keys()].reduce((most, handle) => Math.max(most, handle), top), -1);
  const live = new Uint8Array(Math.max(code.live.length, highest + 1));
  live.set(code.live);
  for (const { nodes } of layers) for (const handle of nodes.keys()) live[handle] = 1;
  const halves = (side: 'forward' | 'backward'): readonly HalfAdjacency[] => [code[side], ...layers.map(layer => layer[side])];
  return { live, forward: halves('forward'), backward: halves('backward') };
}

function compareNodes(a: LayerNode, b: LayerNode): number {
  const kinds = (KIND_ORDER.get(a.kind) ?? 0) - (KIND_ORDER.get(b.kind) ?? 0);
  return kinds || compareText(a.name, b.name) || compareText(a.id, b.id);
}

function graphNodeOf(handle: NodeHandle, { attributes, doc, id, kind, name, summary }: LayerNode): GraphNode {
  const nodeType = KINDS.find(row => row.name === kind)?.nodeType ?? 'external';
  return { ...WITHOUT_FILE, handle, id, nodeType, name, doc, summary, attributes };
}
