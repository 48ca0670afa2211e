import { accepts } from '../../../algorithms/rows';
import { compareText } from '../../../base/text';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { decodeConfidence, encodeConfidence, FACT_CONFIDENCE, SHOWN_CONFIDENCE } from '../../../model/evidence';
import { NO_NODE, nodeHandle } from '../../../model/ids';
import { RELATIONS, relationCode } from '../../../model/relations';
import { ErasedImports } from '../../shared/links';
import { byRank } from '../../shared/rows';
import type { DrawnScene } from '../columns/columnScene';
import type { MapEnd, ServiceMap } from '../overview/serviceMap';
import type { IsViolation } from '../overview/violations';
import { type Expansions, moreKey, openKey } from '../question';
import type { SceneFilter } from '../sceneFilter';
import type { Group } from '../sceneGroups';
import { nodeDto, placeholderNode } from '../sceneNodes';
import type { SceneEdgeDto, SceneGroupDto, SceneLink, SceneNodeDto } from '../sceneShapes';

/** One step of the way from the outermost group to a node. */
export interface Level {
  readonly id: string;
  readonly label: string;
  readonly kind: Group['kind'] | 'file' | 'symbol' | 'data_store';
  /** What it is in the graph, for files and symbols. */
  readonly node?: NodeHandle;
}

export interface BoxOptions {
  readonly graph: GraphView;
  readonly filter: SceneFilter;
  readonly expansions: Expansions;
  readonly edgeBudget: number;
  /** Groups around a node from the outermost, the node itself last; `[]` for what is not part of the scene. */
  levelsOf(node: NodeHandle): readonly Level[];
  /** Nodes that may be shown. */
  readonly members: Iterable<NodeHandle>;
  /** Groups that are open whatever was expanded. */
  isOpen(level: Level): boolean;
  readonly starts: ReadonlySet<string>;
  /** Boxes that are left out until more are asked for; none when absent. */
  isMinor?(level: Level, size: number): boolean;
  /** Boxes and lines of services beside those of the code. */
  readonly map?: ServiceMap | undefined;
  /** Boxes are ordered by lines, and links know which imports load something at run time. */
  readonly isOverview?: boolean;
  readonly isViolation?: IsViolation;
}

/** Parts of one group that are shown before more are asked for, and what asking adds. */
const PER_GROUP = 28;

interface Box {
  readonly level: Level;
  readonly parent: string | undefined;
  size: number;
  lines: number;
  tests: number;
  /** Position among the boxes, for counting links; -1 for a frame at which no line ends. */
  place: number;
}

/** Draws groups with the links between them; an opened group is a frame around its parts. */
export class BoxScene {
  readonly #graph: GraphView;
  readonly #boxes = new Map<string, Box>();
  readonly #frames = new Map<string, Box>();
  readonly #order: Box[] = [];

  constructor(private readonly options: BoxOptions) {
    this.#graph = options.graph;
  }

  draw(): DrawnScene {
    const shown = new Int32Array(this.#graph.adjacency.size).fill(-1);
    for (const node of this.options.members) {
      const box = this.#boxOf(node);
      if (box !== undefined) shown[node] = box.place;
    }
    for (const level of this.options.map?.boxes ?? []) if (!this.#boxes.has(level.id) && !this.#frames.has(level.id)) this.#boxFor(level, undefined);
    const { kept, bundles } = this.#withinGroups();
    // Lines of services whose code is not known end at the frame of one that is open.
    if (this.options.map !== undefined) for (const frame of this.#frames.values()) frame.place = this.#order.push(frame) - 1;
    const { edges, omitted } = this.#links(shown, kept);
    const nodes = [...kept.values()].map(box => this.#nodeOf(box));
    nodes.push(...bundles);
    const groups = [...this.#frames.values()].map(frame => this.#frameOf(frame));
    const hidden = bundles.reduce((sum, bundle) => sum + bundle.size, 0);
    return { nodes, edges, groups, omitted: { nodes: hidden, edges: omitted } };
  }

  /** The outermost group of a node that is not open, or the node. */
  #boxOf(node: NodeHandle): Box | undefined {
    const levels = this.options.levelsOf(node);
    let parent: string | undefined;
    for (const [depth, level] of levels.entries()) {
      const isLast = depth === levels.length - 1;
      if (!isLast && (this.options.isOpen(level) || this.options.expansions.isOpen(level.id))) {
        const frame = this.#frames.get(level.id) ?? { level, parent, size: 0, lines: 0, tests: 0, place: -1 };
        if (level.node !== node) frame.size++;
        this.#frames.set(level.id, frame);
        parent = level.id;
        continue;
      }
      // A file that is open has given its place to its symbols.
      if (level.kind === 'file' && this.options.expansions.isOpen(level.id) && this.#graph.symbolsOf(node).length > 0) return undefined;
      return this.#count(level, parent, node);
    }
    return undefined;
  }

  #boxFor(level: Level, parent: string | undefined): Box {
    const known = this.#boxes.get(level.id);
    if (known !== undefined) return known;
    const box: Box = { level, parent, size: 0, lines: 0, tests: 0, place: this.#order.length };
    this.#boxes.set(level.id, box);
    this.#order.push(box);
    return box;
  }

  #count(level: Level, parent: string | undefined, node: NodeHandle): Box {
    const box = this.#boxFor(level, parent);
    const isPart = level.kind === 'symbol' || level.kind === 'community' ? this.#graph.fileNodeOf(node) !== node : this.#graph.fileNodeOf(node) === node;
    if (isPart) box.lines += this.#linesOf(level, node);
    const isCounted = level.kind === 'community' || level.kind === 'file' || level.kind === 'symbol' || this.#graph.fileNodeOf(node) === node;
    if (isCounted && level.node !== node) {
      box.size++;
      // Of what is counted: a file of tests with many of them is one.
      if (this.#graph.isTest(node)) box.tests++;
    }
    return box;
  }

  /** Of a symbol only its own: its members are inside of it. */
  #linesOf({ kind, node: own }: Level, node: NodeHandle): number {
    if (kind === 'symbol' ? own !== node : kind === 'community' && this.#graph.parentOf(node) !== this.#graph.fileNodeOf(node)) return 0;
    const { endLine, startLine } = this.#graph.node(node);
    return endLine === 0 ? 0 : endLine - Math.max(1, startLine) + 1;
  }

  /** The heaviest parts of every group; the rest of each becomes a bundle. */
  #withinGroups(): { readonly kept: ReadonlyMap<number, Box>; readonly bundles: SceneNodeDto[] } {
    const byGroup = new Map<string | undefined, Box[]>();
    for (const box of this.#order) byGroup.set(box.parent, [...(byGroup.get(box.parent) ?? []), box]);
    const rank = byRank(this.#graph);
    const heavier = (a: Box, b: Box): number => {
      if (this.options.isOverview === true && a.lines !== b.lines) return b.lines - a.lines;
      if (a.level.node !== undefined && b.level.node !== undefined) return rank(a.level.node, b.level.node);
      return Number(a.level.node !== undefined) - Number(b.level.node !== undefined) || b.size - a.size || compareText(a.level.id, b.level.id);
    };
    const kept = new Map<number, Box>();
    const bundles: SceneNodeDto[] = [];
    for (const [parent, boxes] of byGroup) {
      const key = moreKey(parent ?? '');
      const asked = this.options.expansions.times(key);
      const major = asked > 0 ? boxes : boxes.filter(box => this.options.isMinor?.(box.level, box.size) !== true);
      const limit = PER_GROUP * (1 + asked);
      const sorted = (major.length === 0 ? boxes : major).sort(heavier).slice(0, limit);
      for (const box of sorted) kept.set(box.place, box);
      const rest = boxes.length - sorted.length;
      if (rest <= 0) continue;
      const bundle = placeholderNode({ id: `bundle:${key}`, label: `${rest} more`, kind: 'bundle', role: 'bundle', size: rest, expand: key });
      bundles.push(parent === undefined ? bundle : { ...bundle, parent });
    }
    return { kept, bundles };
  }

  /** Links between boxes: those that break rules, then the heaviest first. Counted by number: a workspace has hundreds of thousands. */
  #links(shown: Int32Array, kept: ReadonlyMap<number, Box>): { readonly edges: SceneEdgeDto[]; readonly omitted: number } {
    const { forward, live } = this.#graph.adjacency;
    const width = this.#order.length;
    const pairs: Pairs = new Map();
    const erased = this.options.isOverview === true ? new ErasedImports(this.#graph) : undefined;
    for (let node = 0; node < shown.length; node++) {
      const from = shown[node] ?? -1;
      if (from < 0 || live[node] !== 1 || !kept.has(from)) continue;
      const end = forward.ends[node] ?? 0;
      for (let link = forward.starts[node] ?? 0; link < end; link++) {
        const to = shown[forward.targets[link] ?? NO_NODE] ?? -1;
        if (to < 0 || to === from || !kept.has(to) || !accepts(forward, link, this.options.filter.links) || this.#isChance(from, to, link)) continue;
        const relation = forward.relations[link] ?? 0;
        const row = rowIn(pairs, from * width + to, relation);
        const doesLoad = relation === relationCode.IMPORTS && erased?.has(nodeHandle(node), nodeHandle(forward.targets[link] ?? NO_NODE)) === false;
        row.count++;
        row.loads += Number(doesLoad);
        row.violations += Number(this.options.isViolation?.(nodeHandle(node), nodeHandle(forward.targets[link] ?? NO_NODE)) === true);
        row.confidence = Math.max(row.confidence, forward.confidences[link] ?? 0);
      }
    }
    this.#linesOfMap(pairs, shown, kept);
    const edges = [...pairs]
      .map(([key, relations]) => this.#edge(Math.floor(key / width), key % width, relations))
      .sort(
        (a, b) =>
          Number('violations' in b) - Number('violations' in a) || b.count - a.count || compareText(a.source, b.source) || compareText(a.target, b.target),
      );
    // An overview chooses by itself what it draws at first, and has the rest for what is pointed at.
    const most = this.options.isOverview === true ? this.options.edgeBudget : Math.max(MIN_EDGES, kept.size * EDGES_PER_BOX);
    const limit = Math.min(this.options.edgeBudget, most);
    return { edges: edges.slice(0, limit), omitted: Math.max(0, edges.length - limit) };
  }

  /** Services of a map have no names in common that code could mean: a link that is only possible, between closed ones, is chance. */
  #isChance(from: number, to: number, link: number): boolean {
    const areServices = this.options.map !== undefined && [from, to].every(place => this.#order[place]?.level.kind === 'service');
    return areServices && decodeConfidence(this.#graph.adjacency.forward.confidences[link] ?? 0) < FACT_CONFIDENCE;
  }

  /** An end whose code is not shown is at the box of its service, if that is closed. */
  #linesOfMap(pairs: Pairs, shown: Int32Array, kept: ReadonlyMap<number, Box>): void {
    const placeOf = ({ box, node }: MapEnd): number => {
      const own = node === undefined ? -1 : (shown[node] ?? -1);
      return own >= 0 && kept.has(own) ? own : ((this.#boxes.get(box) ?? this.#frames.get(box))?.place ?? -1);
    };
    const isShown = (place: number): boolean => kept.has(place) || this.#frames.get(this.#order[place]?.level.id ?? '')?.place === place;
    for (const { confidence, count, relation, source, target } of this.options.map?.lines ?? []) {
      const [from, to] = [placeOf(source), placeOf(target)];
      if (from < 0 || to < 0 || from === to || !isShown(from) || !isShown(to)) continue;
      const row = rowIn(pairs, from * this.#order.length + to, relation);
      row.count += count;
      row.confidence = Math.max(row.confidence, encodeConfidence(confidence));
    }
  }

  #edge(from: number, to: number, relations: ReadonlyMap<number, Readonly<PairRow>>): SceneEdgeDto {
    const links: SceneLink[] = [...relations].map(([code, { count, confidence }]) => ({
      relation: RELATIONS[code]?.name ?? 'CALLS',
      count,
      confidence: decodeConfidence(confidence),
      provenance: '',
      line: 0,
    }));
    const loads = [...relations.values()].reduce((sum, row) => sum + row.loads, 0);
    const violations = [...relations.values()].reduce((sum, row) => sum + row.violations, 0);
    links.sort((a, b) => b.confidence - a.confidence || b.count - a.count || compareText(a.relation, b.relation));
    return {
      source: this.#order[from]?.level.id ?? '',
      target: this.#order[to]?.level.id ?? '',
      links,
      count: links.reduce((sum, link) => sum + link.count, 0),
      confidence: links[0]?.confidence ?? 0,
      ...(loads === 0 ? {} : { loads }),
      ...(violations === 0 ? {} : { violations }),
    };
  }

  #nodeOf({ level, lines, parent, size, tests }: Box): SceneNodeDto {
    const weight = this.options.isOverview === true ? { lines } : {};
    const { id, label, kind, node } = level;
    const isStart = this.options.starts.has(id);
    if (node !== undefined) {
      const dto = nodeDto(this.#graph, node, { role: isStart ? 'start' : 'step', column: 0, lane: 'main', confidence: SHOWN_CONFIDENCE.certain, parent });
      return kind === 'file' && this.#graph.symbolsOf(node).length > 0 ? { ...dto, ...weight, expand: openKey(id) } : { ...dto, ...weight };
    }
    const isEmpty = size === 0 && this.options.map !== undefined;
    const opens = isEmpty ? {} : { expand: openKey(id), ...weight };
    const box = placeholderNode({ id, label, kind, role: 'box', size, isTest: size > 0 && tests === size, path: pathOf(id), ...opens });
    return parent === undefined ? box : { ...box, parent };
  }

  #frameOf({ level, parent, size }: Box): SceneGroupDto {
    const { id, label, kind } = level;
    return { id, label, kind: kind === 'symbol' || kind === 'data_store' ? 'file' : kind, size, ...(parent === undefined ? {} : { parent }) };
  }
}

interface PairRow {
  count: number;
  /** As in the columns of the graph. */
  confidence: number;
  loads: number;
  violations: number;
}

/** What leads from one box to another, by the positions of both and the relation. */
type Pairs = Map<number, Map<number, PairRow>>;

function rowIn(pairs: Pairs, key: number, relation: number): PairRow {
  let pair = pairs.get(key);
  if (pair === undefined) pairs.set(key, (pair = new Map()));
  let row = pair.get(relation);
  if (row === undefined) pair.set(relation, (row = { count: 0, confidence: 0, loads: 0, violations: 0 }));
  return row;
}

/** Links that are drawn at least, and on average per box: what is left out are the weakest. */
const MIN_EDGES = 40;
const EDGES_PER_BOX = 2;

function pathOf(id: string): string {
  return /^(?:folder|package):(?<path>.*)$/s.exec(id)?.groups?.['path'] ?? '';
}
