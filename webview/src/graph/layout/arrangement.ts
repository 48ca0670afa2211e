/**
 * Where things stand: plain data in, plain data out, the same on every machine and in a worker as on the page.
 * Knows nothing of the canvas. A memory of the last arrangement keeps what is there where it was when something is added.
 */
import { rankRows } from '../layers';
import type { LayoutRequest, LayoutResult, Rect } from './layoutTypes';

const GAP = 26;
const ROW_GAP = 54;
/** Of groups with many rows, which would be too small to read otherwise. */
const CLOSE_ROW_GAP = 34;
const MANY_ROWS = 8;
const PADDING = 20;
const TITLE = 26;
const ROOT = '';

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Groups inside groups: in each, what depends on others stands above (or left of) what it depends on, and what is linked with nothing stands last.
 * Which of the two is chosen by what brings the group nearer to the shape of the place for it.
 * A group that is opened keeps its place among its neighbors, which make room for it.
 */
export function arrange(request: LayoutRequest): LayoutResult {
  const { memory } = request;
  const tree = new Tree(request);
  const rows: Record<string, readonly (readonly string[])[]> = {};
  const sizes = new Map<string, Size>(request.nodes.map(node => [node.id, { width: node.width, height: node.height }]));
  const offsets = new Map<string, { readonly x: number; readonly y: number }>();
  const across: string[] = [];
  for (const group of tree.innermostFirst()) {
    const children = tree.children(group);
    const known = memory?.rows[group];
    const candidates = (known === undefined ? [false, true] : [memory?.across.includes(group) === true]).map(isAcross =>
      stacked(rowsOf(children, tree.edgesWithin(group), { sizes, ratio: request.ratio, isAcross }, known), {
        sizes,
        isAcross,
        title: group === ROOT ? undefined : (tree.titleOf(group) ?? 0),
        ratio: request.ratio,
      }),
    );
    const [best] = candidates.sort((a, b) => missOf(a.size, request.ratio) - missOf(b.size, request.ratio));
    if (best === undefined) continue;
    rows[group] = best.rows;
    if (best.isAcross) across.push(group);
    sizes.set(group, best.size);
    for (const [child, offset] of best.offsets) offsets.set(child, offset);
  }
  const positions: Record<string, { x: number; y: number }> = {};
  const frames: Record<string, Rect> = {};
  for (const group of tree.innermostFirst().reverse()) {
    const at = group === ROOT ? { x: 0, y: 0 } : (frames[group] ?? { x: 0, y: 0 });
    for (const child of tree.children(group)) {
      const offset = offsets.get(child) ?? { x: 0, y: 0 };
      const place = { x: at.x + offset.x, y: at.y + offset.y };
      const size = sizes.get(child) ?? { width: 0, height: 0 };
      if (tree.isGroup(child)) frames[child] = { ...place, ...size };
      else positions[child] = place;
    }
  }
  return { positions, frames, memory: { rows, across } };
}

/** Rows of a group: as they were, with what is new in the last ones; else by rank. */
function rowsOf(
  children: readonly string[],
  edges: readonly { readonly source: string; readonly target: string }[],
  { sizes, ratio, isAcross }: { readonly sizes: ReadonlyMap<string, Size>; readonly ratio: number; readonly isAcross: boolean },
  before: readonly (readonly string[])[] | undefined,
): string[][] {
  const present = new Set(children);
  const kept = (before ?? []).map(row => row.filter(id => present.has(id))).filter(row => row.length > 0);
  const known = new Set(kept.flat());
  const fresh = children.filter(id => !known.has(id));
  const linked = new Set(edges.flatMap(edge => [edge.source, edge.target]));
  const ranked = rankRows(
    fresh.filter(id => linked.has(id)),
    edges.filter(edge => !known.has(edge.source) && !known.has(edge.target)),
  );
  const alone = fresh.filter(id => !linked.has(id));
  const turned = isAcross ? turnedSizes(sizes) : sizes;
  const shape = isAcross ? 1 / ratio : ratio;
  const width = preferredWidth(children, turned, shape);
  const linkedRows = wrapped(ranked, turned, width);
  const rows = kept.length > 0 ? linkedRows : joined(linkedRows, turned, { width, height: width / shape });
  return [...kept, ...rows, ...wrapped(alone.length > 0 ? [alone] : [], turned, width)];
}

/** Joins sparse rows that follow each other when all of them would stand much higher than there is room for: what depends on others then stands left of it. */
function joined(rows: readonly (readonly string[])[], sizes: ReadonlyMap<string, Size>, room: Size): string[][] {
  const widthOf = (row: readonly string[]): number => row.reduce((sum, id) => sum + (sizes.get(id)?.width ?? 0) + GAP, 0);
  const heights = rows.map(row => Math.max(0, ...row.map(id => sizes.get(id)?.height ?? 0)) + ROW_GAP);
  if (heights.reduce((sum, height) => sum + height, 0) < room.height * TOO_HIGH) return rows.map(row => [...row]);
  const made: string[][] = [];
  for (const row of rows) {
    const last = made.at(-1);
    if (last !== undefined && widthOf(last) + widthOf(row) <= room.width * 1.1) last.push(...row);
    else made.push([...row]);
  }
  return made;
}

/** So many times the height wished for is too high. */
const TOO_HIGH = 1.3;

function preferredWidth(ids: readonly string[], sizes: ReadonlyMap<string, Size>, ratio: number): number {
  const all = ids.map(id => sizes.get(id) ?? { width: 0, height: 0 });
  const area = all.reduce((sum, { width, height }) => sum + (width + GAP) * (height + ROW_GAP), 0);
  return Math.max(Math.sqrt(area * ratio), ...all.map(size => size.width));
}

/** Breaks rows that are wider than wished into even ones. */
function wrapped(rows: readonly (readonly string[])[], sizes: ReadonlyMap<string, Size>, width: number): string[][] {
  return rows.flatMap(row => {
    const total = row.reduce((sum, id) => sum + (sizes.get(id)?.width ?? 0) + GAP, 0);
    const parts = Math.max(1, Math.ceil(total / (width * 1.25)));
    const made: string[][] = [];
    let filled = Number.POSITIVE_INFINITY;
    for (const id of row) {
      const own = (sizes.get(id)?.width ?? 0) + GAP;
      if (filled + own / 2 > total / parts || made.length === 0) {
        made.push([]);
        filled = 0;
      }
      made.at(-1)?.push(id);
      filled += own;
    }
    return made;
  });
}

function turnedSizes(sizes: ReadonlyMap<string, Size>): ReadonlyMap<string, Size> {
  return new Map([...sizes].map(([id, size]) => [id, turned(size)]));
}

function turned({ width, height }: Size): Size {
  return { width: height, height: width };
}

/** Narrow rows of a tall group swing from side to side, so that lines that pass them stay visible; by how much each is out of the middle. */
function swingsOf(widths: readonly number[], wished: number): number[] {
  const widest = Math.max(0, ...widths);
  const room = Math.min(wished * 0.6, widest * 1.6);
  if (widths.length < MIN_SWINGING) return widths.map(() => 0);
  return widths.map((width, index) => (width > room / 2 ? 0 : ((index % 2 === 0 ? -1 : 1) * (room - width)) / 4));
}

const MIN_SWINGING = 4;

/** How far a size is from the shape wished for. */
function missOf({ width, height }: Size, ratio: number): number {
  return Math.abs(Math.log(width / height / ratio));
}

interface Stacked {
  readonly rows: readonly (readonly string[])[];
  readonly isAcross: boolean;
  readonly size: Size;
  /** Place of each child relative to the middle of its group. */
  readonly offsets: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
}

interface Stacking {
  readonly sizes: ReadonlyMap<string, Size>;
  readonly isAcross: boolean;
  /** Width of the title; `undefined` for the whole picture, which has none. */
  readonly title: number | undefined;
  readonly ratio: number;
}

/** Stands the rows one below the other, or turned by a quarter side by side. */
function stacked(rows: readonly (readonly string[])[], { sizes: own, isAcross, title: titleWidth, ratio }: Stacking): Stacked {
  const sizes = isAcross ? turnedSizes(own) : own;
  const widths = rows.map(row => row.reduce((sum, id) => sum + (sizes.get(id)?.width ?? 0) + GAP, -GAP));
  const heights = rows.map(row => Math.max(0, ...row.map(id => sizes.get(id)?.height ?? 0)));
  const gap = rows.length > MANY_ROWS ? CLOSE_ROW_GAP : ROW_GAP;
  const height = Math.max(
    0,
    heights.reduce((sum, own) => sum + own + gap, -gap),
  );
  const swings = swingsOf(widths, height * (isAcross ? 1 / ratio : ratio));
  const width = Math.max(0, ...widths.map((own, index) => own + 2 * Math.abs(swings[index] ?? 0)));
  const inner = { width, height };
  const title = titleWidth === undefined ? 0 : TITLE;
  const offsets = new Map<string, { readonly x: number; readonly y: number }>();
  let down = -inner.height / 2;
  for (const [index, row] of rows.entries()) {
    let along = (swings[index] ?? 0) - (widths[index] ?? 0) / 2;
    for (const id of row) {
      const { width: room } = sizes.get(id) ?? { width: 0 };
      const place = { along: along + room / 2, down: down + (heights[index] ?? 0) / 2 };
      offsets.set(id, isAcross ? { x: place.down, y: place.along + title / 2 } : { x: place.along, y: place.down + title / 2 });
      along += room + GAP;
    }
    down += (heights[index] ?? 0) + gap;
  }
  const size = isAcross ? turned(inner) : inner;
  return { rows, isAcross, offsets, size: { width: Math.max(size.width + 2 * PADDING, titleWidth ?? 0), height: size.height + 2 * PADDING + title } };
}

/** What is inside what, and links told between children of one group. */
class Tree {
  readonly #children = new Map<string, string[]>([[ROOT, []]]);
  readonly #parents = new Map<string, string>();
  readonly #groups: ReadonlySet<string>;

  constructor(private readonly request: LayoutRequest) {
    this.#groups = new Set(request.groups.map(group => group.id));
    for (const group of request.groups) this.#children.set(group.id, []);
    for (const { id, parent } of [...request.groups, ...request.nodes]) {
      const holder = parent !== undefined && this.#groups.has(parent) ? parent : ROOT;
      this.#children.get(holder)?.push(id);
      this.#parents.set(id, holder);
    }
  }

  children(group: string): readonly string[] {
    return this.#children.get(group) ?? [];
  }

  isGroup(id: string): boolean {
    return this.#groups.has(id);
  }

  titleOf(id: string): number | undefined {
    return this.request.groups.find(group => group.id === id)?.title;
  }

  innermostFirst(): string[] {
    const order: string[] = [ROOT];
    for (const group of order) order.push(...this.children(group).filter(child => this.isGroup(child)));
    return order.reverse();
  }

  edgesWithin(group: string): { source: string; target: string }[] {
    const seen = new Map<string, { source: string; target: string }>();
    for (const edge of this.request.edges) {
      const source = this.#childOf(group, edge.source);
      const target = this.#childOf(group, edge.target);
      if (source !== undefined && target !== undefined && source !== target) seen.set(`${source}\n${target}`, { source, target });
    }
    return [...seen.values()];
  }

  /** The child of `group` that holds (or is) `id`. */
  #childOf(group: string, id: string): string | undefined {
    for (let at: string | undefined = id; at !== undefined; at = this.#parents.get(at)) if (this.#parents.get(at) === group) return at;
    return undefined;
  }
}
