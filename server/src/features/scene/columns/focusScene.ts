import { counted, figure } from '../../../../protocol/figures';
import type { WorkspacePath } from '../../../base/path';
import type { GraphEdge, GraphView, NodeHandle } from '../../../code/graph/graphView';
import { FACT_CONFIDENCE, SHOWN_CONFIDENCE } from '../../../model/evidence';
import { namersOf } from '../../impact/impactFigures';
import { centralityOf } from '../../shared/rows';
import { byFile, type Fold, folded } from '../folding';
import { type Neighbor, Neighbors, type Side } from '../neighbors';
import { type ContainedNodes, containedNodes } from '../projections';
import { type Expansions, moreKey, openKey, sideKey } from '../question';
import type { SceneFilter } from '../sceneFilter';
import type { Groups } from '../sceneGroups';
import { nodeDto, placeholderNode } from '../sceneNodes';
import type { SceneGroupDto, SceneLink, SceneNodeDto, SceneReach } from '../sceneShapes';
import type { DrawnScene } from './columnScene';
import { PlacedNodes } from './placedNodes';

export interface FocusOptions {
  readonly graph: GraphView;
  readonly filter: SceneFilter;
  readonly expansions: Expansions;
  readonly start: NodeHandle;
  /** Steps that are followed away from the start, at least 1. */
  readonly depth: number;
  readonly edgeBudget: number;
  /** What neighbors are put together by; their file when absent. */
  readonly groups: Groups | undefined;
  readonly keep: readonly NodeHandle[];
}

/** What stands around the start on one side is shown whole up to here; of more, the heaviest files with some of their symbols, and the rest folded by folder. */
const FEW = 40;
const OPEN_ROWS = 24;
const ROWS_PER_FILE = 6;
/** Where all files are shown, more of each. */
const ROWS_OF_FEW = 12;
const FOLDS = 9;
/** Tests stand in one box unless they are so few. */
const FEW_TESTS = 6;
const MEMBERS = 24;
const FURTHER_OUT = 4;
/** What one expansion adds. */
const MORE = 20;

type Lane = 'main' | 'tests' | 'knowledge';
const LANES: readonly Lane[] = ['main', 'knowledge', 'tests'];

/** A neighbor of the start or its members, on one side. */
interface Around {
  readonly node: NodeHandle;
  readonly path: WorkspacePath;
  readonly weight: number;
  readonly lane: Neighbor['lane'];
  readonly confidence: number;
  readonly relations: ReadonlySet<string>;
}

interface Place {
  readonly column: number;
  readonly lane: Neighbor['lane'];
  readonly confidence: number;
  readonly parent: string | undefined;
}

type SecondPlace = NonNullable<SceneNodeDto['again']>;

/**
 * A symbol or file with its members in the middle, who uses them to the left, what they use to the right, each line at the member that it touches.
 * A neighbor that does both stands on both sides, so that either side is whole.
 * Neighbors stand by file, those used most first; what there is no room for is folded by folder, and counted.
 */
export class FocusScene {
  readonly neighbors: Neighbors;
  readonly #graph: GraphView;
  readonly #insides: ContainedNodes;
  readonly #places: PlacedNodes<Place>;
  readonly #again = new Map<NodeHandle, SecondPlace>();
  readonly #standIns: SceneNodeDto[] = [];
  readonly #groups = new Map<string, SceneGroupDto>();
  #hidden = 0;

  constructor(private readonly options: FocusOptions) {
    const { graph, filter, start, expansions } = options;
    this.#graph = graph;
    const asked = expansions.times(moreKey(graph.idOf(start)));
    this.#insides = containedNodes(graph, start, filter, MEMBERS * (1 + asked));
    const namers = filter.withNamers ? namersOf(graph, start) : new Set<NodeHandle>();
    const isNaming = ({ relation, source, target }: GraphEdge): boolean =>
      (relation === 'NAMES' || relation === 'RE_EXPORTS') && namers.has(source) && this.#insides.isInside(target);
    this.neighbors = new Neighbors(graph, filter, this.#insides.shownFor, this.#insides.standsFor, isNaming);
    this.#places = new PlacedNodes(graph, this.neighbors, options.edgeBudget, node => this.#insides.isInside(node));
  }

  draw(): DrawnScene {
    const { start, keep, depth, expansions } = this.options;
    for (const side of ['in', 'out'] as const) {
      const all = this.around(side);
      for (const lane of LANES) this.#lane(side, lane, all);
    }
    let ring = [...this.#places.keys()];
    for (let step = 1; step < depth; step++) ring = ring.flatMap(node => this.#outward(node).flatMap(side => this.#further(node, side, FURTHER_OUT)));
    // The map grows while it is walked: what an expansion brings may be expanded itself.
    for (const node of this.#places.keys())
      if (expansions.concerns(this.#graph.idOf(node))) for (const side of ['in', 'out'] as const) this.#further(node, side, 0);
    for (const node of keep)
      if (node !== start && !this.#insides.isInside(node))
        this.#places.place(node, { column: 0, lane: 'main', confidence: SHOWN_CONFIDENCE.certain, parent: undefined });
    return this.#scene();
  }

  /** Everything on one side of the start and its members, heaviest first. */
  around(side: Side): readonly Around[] {
    const found = new Map<NodeHandle, { count: number; confidence: number; lane: Neighbor['lane']; relations: Set<string> }>();
    for (const part of this.#insides.parts) {
      for (const { node, count, confidence, lane, links } of this.neighbors.of(part, side)) {
        if (this.#insides.isInside(node)) continue;
        const known = found.get(node);
        const relations = known?.relations ?? new Set();
        for (const { relation } of links) relations.add(relation);
        found.set(node, {
          count: (known?.count ?? 0) + count,
          confidence: Math.max(known?.confidence ?? 0, confidence),
          lane: known === undefined || known.lane === lane ? lane : 'main',
          relations,
        });
      }
    }
    return [...found]
      .map(([node, { count, ...row }]) => ({ node, path: this.#graph.node(node).path, ...row, weight: this.#weight(node, count, row.confidence) }))
      .sort((a, b) => b.weight - a.weight || this.#graph.orderOf(a.node) - this.#graph.orderOf(b.node));
  }

  /** Uses, those that are sure before those that are possible, a little more for what much of the workspace depends on. */
  #weight(node: NodeHandle, count: number, confidence: number): number {
    return (1 + Math.log2(count)) * confidence * (1 + 2 * centralityOf(this.#graph, node));
  }

  #lane(side: Side, lane: Lane, all: readonly Around[]): void {
    const rows = all.filter(row => (row.lane === 'types' ? 'main' : row.lane) === lane);
    if (rows.length === 0) return;
    const column = side === 'in' ? -1 : 1;
    if (lane !== 'tests' || rows.length <= FEW_TESTS) return this.#select(side, lane, rows, undefined, '');
    const id = `${side}:tests:`;
    const label = `${counted(rows.length, 'test')} in ${counted(byFile(rows).length, 'file')}`;
    if (!this.options.expansions.isOpen(id)) return this.#box({ id, label, kind: 'folder', path: '', rows, column, lane, parent: undefined });
    this.#groups.set(id, { id, label, kind: 'folder', size: rows.length });
    this.#select(side, lane, rows, id, '');
  }

  /** Shows files with their rows as long as there is room, and folds the others by folder. */
  #select(side: Side, lane: Lane, rows: readonly Around[], parent: string | undefined, root: WorkspacePath): void {
    const column = side === 'in' ? -1 : 1;
    const files = this.#files(rows);
    const isFew = rows.length <= FEW;
    const perFile = isFew ? ROWS_OF_FEW : ROWS_PER_FILE;
    let left = isFew ? Number.POSITIVE_INFINITY : OPEN_ROWS + MORE * this.#timesAsked(side, rows);
    const rest: Fold<Around>[] = [];
    for (const file of files) {
      if (left <= 0 && files.length - rest.length > 2) rest.push(file);
      else left -= this.#file(file, side, lane, parent, perFile);
    }
    for (const fold of rest.length < 2
      ? rest
      : folded(
          rest.flatMap(file => file.items),
          FOLDS,
          root,
        )) {
      const id = `${side}:${lane}:${fold.path}${fold.isRest === true ? '/…' : ''}`;
      const label = fold.isRest === true ? `${counted(byFile(fold.items).length, 'more file')}${fold.path === '' ? '' : ` in ${fold.path}`}` : fold.path;
      const isFile = fold.items.every(item => item.path === fold.path);
      if (!this.options.expansions.isOpen(id))
        this.#box({ id, label, kind: isFile ? 'file' : 'folder', path: fold.path, rows: fold.items, column, lane, parent });
      else if (isFile) this.#file(fold, side, lane, parent, perFile);
      else {
        this.#groups.set(id, { id, label, kind: 'folder', size: fold.items.length, ...(parent === undefined ? {} : { parent }) });
        this.#select(side, lane, fold.items, id, fold.path);
      }
    }
  }

  /** Rows by file, or by what else they are to be put together by. */
  #files(rows: readonly Around[]): Fold<Around>[] {
    const { groups } = this.options;
    if (groups === undefined) return byFile(rows);
    return byFile(rows.map(row => ({ ...row, path: groups.of(row.node)?.id ?? row.path })));
  }

  /** How often more neighbors of the start by the relations of these rows were asked for. */
  #timesAsked(side: Side, rows: readonly Around[]): number {
    const { expansions, start } = this.options;
    const relations = new Set(rows.flatMap(row => [...row.relations]));
    return [...relations].reduce((sum, relation) => sum + expansions.times(sideKey(side, relation, this.#graph.idOf(start))), 0);
  }

  /** Shows the first rows of a file; returns how many. */
  #file({ path, items }: Fold<Around>, side: Side, lane: Lane, parent: string | undefined, perFile: number): number {
    const id = `${side}:${lane}:${path}`;
    const key = moreKey(id);
    const column = side === 'in' ? -1 : 1;
    const limit = perFile + MORE * this.options.expansions.times(key);
    // A row that says that there is one more takes as much room as that one.
    const shown = items.length <= limit + 1 ? items : items.slice(0, limit);
    this.#card(id, path, lane, parent, items.length, items[0]?.node);
    for (const row of items) {
      const isAsked = shown.includes(row) || this.#isAskedFor(row, side);
      if (!isAsked) continue;
      const { confidence, lane, node } = row;
      if (this.#places.has(node) && !this.#standsIn(column, node)) this.#again.set(node, { column, lane, confidence, parent: id });
      else this.#places.place(node, { column, lane, confidence, parent: id });
    }
    const rest = items.filter(row => !this.#standsIn(column, row.node));
    this.#hidden += this.#unseen(rest);
    if (rest.length > 0) {
      const more = { id: `bundle:${key}`, label: `${figure(rest.length)} more`, kind: 'bundle', role: 'bundle', size: rest.length, expand: key } as const;
      this.#standIns.push(placeholderNode({ ...more, ...possibleAmong(rest), column, lane, isTest: lane === 'tests', parent: id }));
    }
    return shown.length;
  }

  #standsIn(column: number, node: NodeHandle): boolean {
    return this.#places.get(node)?.column === column || this.#again.get(node)?.column === column;
  }

  /** How many of these stand on neither side. */
  #unseen(rows: readonly Around[]): number {
    return rows.filter(row => !this.#places.has(row.node)).length;
  }

  #card(id: string, path: string, lane: Lane, parent: string | undefined, size: number, first: NodeHandle | undefined): void {
    const group = first === undefined ? undefined : this.options.groups?.of(first);
    const label = group?.label ?? (path === '' ? (lane === 'knowledge' ? 'Knowledge' : 'External') : path);
    this.#groups.set(id, { id, label, kind: group?.kind ?? 'file', size, ...(parent === undefined ? {} : { parent }) });
  }

  /** The reader has asked for neighbors of the start that are linked in this way. */
  #isAskedFor({ relations }: Around, side: Side): boolean {
    const { expansions, start } = this.options;
    return [...relations].some(relation => expansions.times(sideKey(side, relation, this.#graph.idOf(start))) > 0);
  }

  #box(box: {
    readonly id: string;
    readonly label: string;
    readonly kind: 'file' | 'folder';
    readonly path: WorkspacePath;
    readonly rows: readonly Around[];
    readonly column: number;
    readonly lane: Lane;
    readonly parent: string | undefined;
  }): void {
    const { id, rows, parent, ...own } = box;
    const isSure = rows.some(row => row.confidence >= FACT_CONFIDENCE);
    this.#standIns.push(
      placeholderNode({
        ...own,
        id,
        role: 'box',
        size: rows.length,
        ...possibleAmong(rows),
        isTest: own.lane === 'tests',
        confidence: isSure ? SHOWN_CONFIDENCE.certain : (rows[0]?.confidence ?? SHOWN_CONFIDENCE.certain),
        expand: openKey(id),
        ...(parent === undefined ? {} : { parent }),
      }),
    );
    this.#hidden += this.#unseen(rows);
    const center = this.#graph.idOf(this.options.start);
    const [source, target] = own.column < 0 ? [id, center] : [center, id];
    const links = new Map<string, SceneLink>();
    for (const { node } of rows)
      for (const part of this.#insides.parts)
        for (const { node: other, links: own } of this.neighbors.of(node, box.column < 0 ? 'out' : 'in'))
          if (other === part) for (const link of own) add(links, link);
    const ordered = [...links.values()].sort((a, b) => b.count - a.count);
    this.#places.draw({
      source,
      target,
      links: ordered,
      count: ordered.reduce((sum, link) => sum + link.count, 0),
      confidence: isSure ? SHOWN_CONFIDENCE.certain : SHOWN_CONFIDENCE.possible,
    });
  }

  #outward(node: NodeHandle): readonly Side[] {
    const side = (this.#places.get(node)?.column ?? 0) < 0 ? 'in' : 'out';
    return this.#again.has(node) ? [side, 'out'] : [side];
  }

  /** Places neighbors of a node that are not there yet: the first ones, and those that were asked for; returns those placed. */
  #further(node: NodeHandle, side: Side, limit: number): NodeHandle[] {
    const place = this.#places.get(node);
    if (place === undefined) return [];
    const id = this.#graph.idOf(node);
    const { expansions } = this.options;
    const second = side === 'out' ? this.#again.get(node) : undefined;
    const column = (second ?? place).column + (side === 'in' ? -1 : 1);
    const added: NodeHandle[] = [];
    let room = limit + MORE * expansions.times(sideKey(side, '*', id));
    const rooms = new Map<string, number>();
    for (const { node: other, lane, confidence, links } of this.neighbors.of(node, side)) {
      if (this.#places.has(other) || this.#insides.isInside(other)) continue;
      const relation = links.map(link => link.relation).find(name => (rooms.get(name) ?? MORE * expansions.times(sideKey(side, name, id))) > 0);
      if (room <= 0 && relation === undefined) continue;
      if (room > 0) room--;
      else if (relation !== undefined) rooms.set(relation, (rooms.get(relation) ?? MORE * expansions.times(sideKey(side, relation, id))) - 1);
      const path = this.#graph.node(other).path;
      const card = `${column}:${lane === 'tests' ? 'tests' : 'main'}:${path}`;
      if (!this.#places.place(other, { column, lane, confidence: (second ?? place).confidence * confidence, parent: card })) continue;
      this.#card(card, path, lane === 'types' ? 'main' : lane, undefined, (this.#groups.get(card)?.size ?? 0) + 1, other);
      added.push(other);
    }
    return added;
  }

  #scene(): DrawnScene {
    const { start } = this.options;
    const center = nodeDto(this.#graph, start, { role: 'start', column: 0, lane: 'main', confidence: SHOWN_CONFIDENCE.certain });
    const nodes: SceneNodeDto[] = [{ ...center, reach: this.#reachOf([...this.#insides.parts]) }];
    const id = center.id;
    for (const member of this.#insides.members)
      nodes.push({
        ...nodeDto(this.#graph, member, { role: 'member', column: 0, lane: 'main', confidence: SHOWN_CONFIDENCE.certain, parent: id }),
        reach: this.#reachOf([member]),
      });
    const { rest } = this.#insides;
    if (rest > 0)
      nodes.push(
        placeholderNode({
          id: `bundle:${moreKey(id)}`,
          label: counted(rest, 'more member'),
          kind: 'bundle',
          role: 'bundle',
          size: rest,
          expand: moreKey(id),
          parent: id,
        }),
      );
    for (const [node, { column, lane, confidence, parent }] of this.#places) {
      const dto = nodeDto(this.#graph, node, { role: 'step', column, lane, confidence: rounded(confidence), parent });
      const again = this.#again.get(node);
      const second = again === undefined ? {} : { again: { ...again, confidence: rounded(again.confidence) } };
      nodes.push({ ...dto, ...second, reach: this.#reachOf([node]) });
    }
    const groups = [...this.#groups.values()];
    return {
      nodes: [...nodes, ...this.#standIns],
      edges: this.#places.edges,
      groups,
      omitted: { nodes: this.#hidden + this.#places.refused + rest, edges: 0 },
    };
  }

  #reachOf(parts: readonly NodeHandle[]): SceneReach[] {
    const [first = this.options.start] = parts;
    const id = this.#graph.idOf(first);
    return (['in', 'out'] as const).flatMap(side => {
      const byRelation = new Map<string, Map<NodeHandle, boolean>>();
      for (const part of parts) {
        for (const { node: other, links } of this.neighbors.of(part, side)) {
          if (this.#insides.isInside(other) && this.#insides.isInside(first)) continue;
          for (const { relation } of links) {
            let row = byRelation.get(relation);
            if (row === undefined) byRelation.set(relation, (row = new Map()));
            row.set(other, this.#places.has(other) || this.#insides.isInside(other));
          }
        }
      }
      return [...byRelation].map(([relation, others]) => ({
        side,
        relation,
        total: others.size,
        shown: [...others.values()].filter(Boolean).length,
        expand: sideKey(side, relation, id),
      }));
    });
  }
}

function add(links: Map<string, SceneLink>, link: SceneLink): void {
  const known = links.get(link.relation);
  links.set(
    link.relation,
    known === undefined ? { ...link, line: 0 } : { ...known, count: known.count + link.count, confidence: Math.max(known.confidence, link.confidence) },
  );
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function possibleAmong(rows: readonly Around[]): Pick<SceneNodeDto, 'possible'> {
  const possible = rows.filter(row => row.confidence < FACT_CONFIDENCE).length;
  return possible === 0 ? {} : { possible };
}
