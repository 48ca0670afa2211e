/** What a sheet shows: columns by distance, in them cards with a row for each node, and the lines between rows. Plain data; knows nothing of places on the screen. */
import type { SceneDto, SceneEdgeDto, SceneNodeDto } from '../../../../server/protocol/features';
import { figure } from '../../../../server/protocol/figures';
import { isPossible } from '../certainty';
import { columnName, placesOf } from '../present';
import { sharedFolders, shortPaths } from './shortPaths';

export interface Sheet {
  readonly columns: readonly SheetColumn[];
  readonly lines: readonly SheetLine[];
}

export interface SheetColumn {
  /** Steps from the start, negative for what uses it. */
  readonly column: number;
  readonly title: string;
  /** Of an impact: whether it holds tests alone, as its title then says. */
  readonly isTests: boolean;
  readonly cards: readonly SheetCard[];
}

export interface SheetCard {
  readonly id: string;
  /** `start` is what the view is about, its rows are its members; `group` holds rows of one file or group; `alone` is a single row without a frame of its own; `fold` stands before the cards of an opened folder. */
  readonly kind: 'start' | 'group' | 'alone' | 'fold';
  readonly title: string;
  /** The node that the title stands for. */
  readonly head: SceneNodeDto | undefined;
  readonly rows: readonly SheetRow[];
  readonly isTest: boolean;
  /** Opened groups around it. */
  readonly depth: number;
}

export interface SheetRow {
  /** Of a node with two places, as it is in this one. */
  readonly node: SceneNodeDto;
  /** The id of the node, or another one for its second place. */
  readonly place: string;
  readonly name: string;
}

export interface SheetLine {
  readonly id: string;
  readonly edge: SceneEdgeDto;
  /** The places of its ends. */
  readonly from: string;
  readonly to: string;
  /** Between neighboring columns, and part of what the view is about; other lines are shown when one of their ends is pointed at. */
  readonly isMain: boolean;
}

export function sheetOf(scene: SceneDto): Sheet {
  const columns = new Map<number, SceneNodeDto[]>();
  for (const node of placesOf(scene.nodes)) columns.set(node.column, [...(columns.get(node.column) ?? []), node]);
  const isImpact = scene.risk !== undefined;
  const ordered = [...columns].sort(([a], [b]) => a - b).map(([column, nodes]): Distance => ({ column, end: column, nodes }));
  return {
    columns: (isImpact ? withLastTestsTogether(ordered) : ordered).map(({ column, end, nodes }) => {
      const isTests = isImpact && holdsTests(column, nodes);
      const title = isTests ? testsTitle(column, end) : titleOf(column, nodes, isImpact, scene);
      return { column, title, isTests, cards: new Cards(scene, nodes).all() };
    }),
    lines: linesOf(scene),
  };
}

/** What stands in one column: nodes so many steps away, up to `end` steps. */
interface Distance {
  readonly column: number;
  readonly end: number;
  readonly nodes: readonly SceneNodeDto[];
}

function holdsTests(column: number, nodes: readonly SceneNodeDto[]): boolean {
  return column > 0 && nodes.every(node => node.isTest);
}

/** The farthest dependents are often tests alone, at several distances: one column leaves the others their room. */
function withLastTestsTogether(distances: readonly Distance[]): readonly Distance[] {
  let first = distances.length;
  while (first > 0 && (distances[first - 1]?.column ?? 0) > 1 && holdsTests(distances[first - 1]?.column ?? 0, distances[first - 1]?.nodes ?? [])) first--;
  const [near, ...far] = distances.slice(first);
  if (near === undefined || far.length === 0) return distances;
  return [...distances.slice(0, first), { ...near, end: far.at(-1)?.end ?? near.end, nodes: [near, ...far].flatMap(({ nodes }) => nodes) }];
}

/** Tests are not counted beside other code: they stand in a lane or group of their own. Groups hold more than what their column says, and count for themselves. */
function titleOf(column: number, nodes: readonly SceneNodeDto[], isImpact: boolean, scene: SceneDto): string {
  const name = columnName(column, isImpact, scene);
  if (column === 0) return name;
  const code = nodes.filter(node => !node.isTest);
  const counted = isImpact || (code.length > 0 && scene.nodes.every(node => node.change === undefined)) ? code : nodes;
  if (isImpact && counted.some(node => node.role === 'box')) return column === 1 ? 'Groups with direct dependents' : 'Further groups';
  const all = counted.reduce((sum, node) => sum + (node.role === 'step' ? 1 : node.size), 0);
  const possible = isImpact ? 0 : counted.reduce((sum, node) => sum + possibleIn(node), 0);
  return possible === 0 ? `${name} · ${figure(all)}` : `${name} · ${figure(all - possible)} and ${figure(possible)} possible`;
}

function possibleIn({ confidence, possible = 0, role }: SceneNodeDto): number {
  return role === 'step' ? Number(isPossible(confidence)) : possible;
}

/** Of a column that holds nothing else. */
function testsTitle(column: number, end: number): string {
  if (column === 1) return 'Direct tests';
  return end === column ? `Tests at distance ${column}` : `Tests at distance ${column} to ${end}`;
}

/** Cards of one column, in the order of the scene; tests last. */
class Cards {
  readonly #groups: ReadonlyMap<string, SceneDto['groups'][number]>;
  /** Of boxes that do not go by their whole path. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #isTest = new Map<string, boolean>();
  readonly #second: ReadonlySet<string>;

  constructor(
    private readonly scene: SceneDto,
    private readonly nodes: readonly SceneNodeDto[],
  ) {
    this.#groups = new Map(scene.groups.map(group => [group.id, group]));
    this.#second = new Set(scene.nodes.flatMap(({ again, id }) => (again === undefined ? [] : [`${again.column} ${id}`])));
    this.#names = scene.risk === undefined ? new Map() : shortNames(scene);
  }

  all(): SheetCard[] {
    const starts = this.nodes.filter(node => node.role === 'start');
    const made = starts.map(start => this.#start(start));
    const inside = new Map<string | undefined, SceneNodeDto[]>();
    for (const node of this.nodes) {
      if (node.role === 'start' || starts.some(start => start.id === node.parent)) continue;
      const parent = node.parent !== undefined && this.#groups.has(node.parent) ? node.parent : undefined;
      inside.set(parent, [...(inside.get(parent) ?? []), node]);
    }
    for (const [group, nodes] of inside) {
      for (let at = group; at !== undefined; at = this.#groups.get(at)?.parent)
        this.#isTest.set(at, this.#isTest.get(at) !== false && nodes.every(node => node.isTest));
    }
    return [...made, ...this.#within(undefined, inside, 0)];
  }

  #start(start: SceneNodeDto): SheetCard {
    const rows = this.nodes.filter(node => node.parent === start.id).map(node => ({ node, place: node.id, name: nameOf(node, start) }));
    return { id: start.id, kind: 'start', title: start.label, head: start, rows, isTest: start.isTest, depth: 0 };
  }

  /** Groups and single nodes inside a group, those with files before those that are folded. */
  #within(parent: string | undefined, inside: ReadonlyMap<string | undefined, readonly SceneNodeDto[]>, depth: number): SheetCard[] {
    const cards: SheetCard[] = [];
    const children = this.scene.groups.filter(group => group.parent === parent && this.#isTest.has(group.id));
    for (const group of children.toSorted((a, b) => Number(this.#isTest.get(a.id)) - Number(this.#isTest.get(b.id)))) {
      const isTest = this.#isTest.get(group.id) === true;
      const holdsGroups = this.scene.groups.some(other => other.parent === group.id && this.#isTest.has(other.id));
      const own = inside.get(group.id) ?? [];
      const frame = { id: group.id, title: group.label, head: undefined, isTest, depth };
      if (!holdsGroups && !own.some(node => node.role === 'box')) cards.push({ ...frame, kind: 'group', rows: own.map(node => this.#row(node)) });
      else cards.push({ ...frame, kind: 'fold', rows: [] }, ...this.#within(group.id, inside, depth + 1));
    }
    const alone = (inside.get(parent) ?? []).map(
      (node): SheetCard => ({ id: node.id, kind: 'alone', title: node.label, head: undefined, rows: [this.#row(node)], isTest: node.isTest, depth }),
    );
    return [
      ...cards.filter(card => !card.isTest),
      ...alone.filter(card => !card.isTest),
      ...cards.filter(card => card.isTest),
      ...alone.filter(card => card.isTest),
    ];
  }

  #row(node: SceneNodeDto): SheetRow {
    const place = this.#second.has(`${node.column} ${node.id}`) ? secondPlace(node.id) : node.id;
    return { node, place, name: this.#names.get(node.id) ?? node.label };
  }
}

function secondPlace(id: string): string {
  return `again:${id}`;
}

/** Fewer shared folders are worth reading. */
const MIN_SHARED = 2;

/** Names of folders and files that are drawn as boxes without the long path that all of them share, of tests and of other code. */
function shortNames({ nodes }: SceneDto): ReadonlyMap<string, string> {
  const boxes = nodes.filter(({ label, path, role }) => role === 'box' && label === path);
  return new Map(
    [true, false].flatMap(isTest => {
      const own = boxes.filter(box => box.isTest === isTest);
      const labels = own.map(box => box.label);
      const short = sharedFolders(labels) < MIN_SHARED ? [] : shortPaths(labels);
      return short.map((name, at): [string, string] => [own[at]?.id ?? '', name]);
    }),
  );
}

/** A member is called by its own name: the title of its card says whose it is. */
function nameOf(node: SceneNodeDto, start: SceneNodeDto): string {
  const prefix = `${start.label.slice(start.label.lastIndexOf('.') + 1)}.`;
  return node.label.startsWith(prefix) ? node.label.slice(prefix.length) : node.label;
}

function linesOf({ nodes, edges, risk }: SceneDto): SheetLine[] {
  const all = placesOf(nodes);
  const byId = new Map<string, SceneNodeDto[]>();
  for (const place of all) byId.set(place.id, [...(byId.get(place.id) ?? []), place]);
  // Distances at which there is nothing to show have no column.
  const columns = new Map([...new Set(all.map(node => node.column))].sort((a, b) => a - b).map((column, place) => [column, place]));
  const columnOf = (node: SceneNodeDto): number => columns.get(node.column) ?? 0;
  return edges.flatMap(edge => {
    const ways = (byId.get(edge.source) ?? []).flatMap(source => (byId.get(edge.target) ?? []).map(target => ({ source, target })));
    const [way] = ways.toSorted((a, b) => detour(a) - detour(b));
    if (way === undefined) return [];
    const { source, target } = way;
    const isNext = Math.abs(columnOf(source) - columnOf(target)) === 1;
    const isOnWay = risk === undefined ? isNext : isNext && source.via?.id === target.id;
    const name = (place: SceneNodeDto): string => (byId.get(place.id)?.indexOf(place) === 1 ? secondPlace(place.id) : place.id);
    return [{ id: `${edge.source}→${edge.target}`, edge, from: name(source), to: name(target), isMain: isOnWay }];
  });
}

/** Of the places of two nodes, a line joins those that are nearest, and among these the ones where it runs from the left to the right. */
function detour({ source, target }: { readonly source: SceneNodeDto; readonly target: SceneNodeDto }): number {
  return Math.abs(source.column - target.column) + (source.column > target.column ? BACKWARDS : 0);
}

const BACKWARDS = 0.5;
