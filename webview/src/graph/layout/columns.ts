import type { Arrangement, Caption, LayoutMemory, LayoutNode, LayoutRequest, Rect } from './layoutTypes';

/** Distances in model units, between centers. */
const ROW = 40;
const SUB_COLUMN_GAP = 22;
const COLUMN_GAP = 64;
const BAND_GAP = 26;
const FRAME_PADDING = 12;
const FRAME_TITLE = 22;
/** Most rows of a column before it is split: the number that brings the drawing nearest to the shape of a screen. */
const ROWS: readonly number[] = [16, 12, 9, 7, 5, 4, 20, 26];
const LANE_ORDER: readonly string[] = ['more', 'types', 'main', 'tests', 'knowledge'];

interface Slot {
  readonly band: string;
  readonly column: number;
  readonly row: number;
  readonly sub: number;
}

/**
 * Columns by distance from the start, bands by lane or group. Inside a band nodes are ordered by where their neighbors nearer to the start stand
 * (barycenters, after Sugiyama, Tagawa and Toda 1981). A column is as wide as its widest node, and its nodes begin at the side that faces the start.
 * What the memory knows stays in its slot; what is new takes a free one beside it.
 */
export function columns(request: LayoutRequest, memory: LayoutMemory | undefined): Arrangement {
  const grouped = request.nodes.some(node => node.parent !== undefined);
  const central = framesInTheMiddle(request);
  const bandOf: BandOf = node =>
    node.parent === undefined ? (grouped && node.isBundle ? 'more' : node.lane) : central.has(node.parent) ? 'main' : node.parent;
  const rowsPerColumn = memory?.rowsPerColumn ?? bestRows(request, bandOf);
  const slots = assignSlots(request, memory, rowsPerColumn, bandOf);
  const widths = widthsOf(request, slots, memory?.widths);
  const xOf = columnPositions(widths);
  const bandTop = bandPositions(request, slots);
  const positions: Record<string, { x: number; y: number }> = {};
  for (const { id, width } of request.nodes) {
    const slot = slots.get(id);
    if (slot === undefined) continue;
    const key = subColumn(slot);
    const { x, side } = xOf.get(key) ?? { x: 0, side: 0 };
    positions[id] = { x: x - (side * ((widths[key] ?? 0) - width)) / 2, y: (bandTop.get(slot.band) ?? 0) + slot.row * ROW };
  }
  return {
    positions,
    frames: framesAround(request, positions),
    captions: captionsOf(request, slots, xOf, positions),
    memory: { layout: 'columns', rowsPerColumn, widths, slots: Object.fromEntries(slots), rows: {}, across: [] },
  };
}

/** The band a node is in: its group, else its lane; with groups, what stands for more comes last. */
type BandOf = (node: LayoutNode) => string;

/** Groups that hold nothing but what the view starts with: they stand in the main lane, where the start would. */
function framesInTheMiddle(request: LayoutRequest): ReadonlySet<string> {
  const middle = new Set(request.nodes.filter(node => node.column === 0).map(node => node.parent));
  for (const node of request.nodes) if (node.column !== 0) middle.delete(node.parent);
  return new Set([...middle].filter(parent => parent !== undefined));
}

function bestRows(request: LayoutRequest, bandOf: BandOf): number {
  let best = { rows: ROWS[0] ?? 16, miss: Number.POSITIVE_INFINITY };
  for (const rows of ROWS) {
    const slots = assignSlots(request, undefined, rows, bandOf);
    const widths = widthsOf(request, slots, undefined);
    const edges = [...columnPositions(widths)].flatMap(([key, { x }]) => [x - (widths[key] ?? 0) / 2, x + (widths[key] ?? 0) / 2]);
    const bands = bandPositions(request, slots);
    const heights = [...slots.values()].map(slot => (bands.get(slot.band) ?? 0) + slot.row * ROW);
    const width = Math.max(...edges) - Math.min(...edges);
    const height = Math.max(...heights) - Math.min(...heights) + ROW;
    const miss = Math.abs(Math.log(width / height / request.ratio));
    if (miss < best.miss - 0.05) best = { rows, miss };
  }
  return best.rows;
}

function subColumn({ column, sub }: Pick<Slot, 'column' | 'sub'>): string {
  return `${column}:${sub}`;
}

/** Width of each sub-column: that of its widest node, and never less than before. */
function widthsOf(request: LayoutRequest, slots: ReadonlyMap<string, Slot>, before: Readonly<Record<string, number>> | undefined): Record<string, number> {
  const widths: Record<string, number> = { ...before };
  for (const { id, width } of request.nodes) {
    const slot = slots.get(id);
    if (slot !== undefined) widths[subColumn(slot)] = Math.max(widths[subColumn(slot)] ?? 0, width);
  }
  return widths;
}

function assignSlots(request: LayoutRequest, memory: LayoutMemory | undefined, rowsPerColumn: number, bandOf: BandOf): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  for (const node of request.nodes) {
    const known = memory?.slots[node.id];
    if (known !== undefined && known.band === bandOf(node) && known.column === node.column) slots.set(node.id, known);
  }
  const near = neighborsOf(request);
  const byColumn = [...new Set(request.nodes.map(node => node.column))].sort((a, b) => Math.abs(a) - Math.abs(b) || a - b);
  for (const column of byColumn) {
    const byBand = new Map<string, LayoutNode[]>();
    for (const node of request.nodes) {
      if (node.column === column) byBand.set(bandOf(node), [...(byBand.get(bandOf(node)) ?? []), node]);
    }
    for (const [band, nodes] of byBand) fillBand({ band, column, nodes, slots, near, rowsPerColumn });
  }
  return slots;
}

interface Filling {
  readonly band: string;
  readonly column: number;
  readonly nodes: readonly LayoutNode[];
  readonly slots: Map<string, Slot>;
  readonly near: ReadonlyMap<string, readonly string[]>;
  readonly rowsPerColumn: number;
}

function fillBand({ band, column, nodes, slots, near, rowsPerColumn }: Filling): void {
  const fresh = nodes.filter(node => !slots.has(node.id));
  const wish = new Map(fresh.map((node, place) => [node.id, wishOf(node.id, slots, near, place, fresh.length)]));
  fresh.sort((a, b) => Number(a.isBundle) - Number(b.isBundle) || (wish.get(a.id) ?? 0) - (wish.get(b.id) ?? 0));
  if (fresh.length === nodes.length) {
    const subs = Math.ceil(fresh.length / rowsPerColumn);
    const rows = Math.ceil(fresh.length / subs);
    for (const [place, node] of fresh.entries()) {
      const sub = Math.floor(place / rows);
      const inSub = Math.min(rows, fresh.length - sub * rows);
      slots.set(node.id, { band, column, sub, row: (place % rows) - (inSub - 1) / 2 });
    }
    return;
  }
  for (const node of fresh) slots.set(node.id, { band, column, ...freeSlot(nodes, slots, wish.get(node.id) ?? 0, rowsPerColumn) });
}

/** Mean row of the neighbors that have a slot; without any the place in the list, centered. */
function wishOf(id: string, slots: ReadonlyMap<string, Slot>, near: ReadonlyMap<string, readonly string[]>, place: number, count: number): number {
  const rows = (near.get(id) ?? []).map(other => slots.get(other)?.row).filter(row => row !== undefined);
  const centered = (place - (count - 1) / 2) * 1e-3;
  return rows.length === 0 ? centered * 1e3 : rows.reduce((sum, row) => sum + row, 0) / rows.length + centered;
}

/** Directly above or below what is there, whichever is nearer to the wish; a new sub-column when all are full. */
function freeSlot(nodes: readonly LayoutNode[], slots: ReadonlyMap<string, Slot>, wish: number, rowsPerColumn: number): { row: number; sub: number } {
  const taken = nodes.map(node => slots.get(node.id)).filter(slot => slot !== undefined);
  const subs = Math.max(0, ...taken.map(slot => slot.sub));
  for (let sub = 0; sub <= subs; sub++) {
    const rows = taken.filter(slot => slot.sub === sub).map(slot => slot.row);
    if (rows.length === 0) return { row: 0, sub };
    if (rows.length >= rowsPerColumn + 4) continue;
    const [top, bottom] = [Math.min(...rows) - 1, Math.max(...rows) + 1];
    return { row: Math.abs(top - wish) < Math.abs(bottom - wish) ? top : bottom, sub };
  }
  return { row: 0, sub: subs + 1 };
}

function neighborsOf(request: LayoutRequest): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const list = near.get(from);
    if (list === undefined) near.set(from, [to]);
    else list.push(to);
  };
  for (const { source, target } of request.edges) {
    add(source, target);
    add(target, source);
  }
  return near;
}

interface SubColumn {
  /** Its middle. */
  readonly x: number;
  /** 1 to the right of the start, -1 to the left of it, 0 for its own column. */
  readonly side: 1 | 0 | -1;
}

/** Columns left of the start grow to the left, the others to the right. */
function columnPositions(widths: Readonly<Record<string, number>>): ReadonlyMap<string, SubColumn> {
  const all = Object.keys(widths).map(key => {
    const [column = 0, sub = 0] = key.split(':').map(Number);
    return { key, column, sub };
  });
  const places = new Map<string, SubColumn>();
  const first = (widths[subColumn({ column: 0, sub: 0 })] ?? 0) / 2;
  for (const side of [1, -1] as const) {
    const own = all
      .filter(({ column, sub }) => (side === 1 ? column > 0 || (column === 0 && sub > 0) : column < 0))
      .sort((a, b) => (a.column - b.column) * side || a.sub - b.sub);
    let edge = first;
    let before = 0;
    for (const { key, column } of own) {
      const width = widths[key] ?? 0;
      edge += column === before ? SUB_COLUMN_GAP : COLUMN_GAP;
      places.set(key, { x: side * (edge + width / 2), side });
      edge += width;
      before = column;
    }
  }
  places.set(subColumn({ column: 0, sub: 0 }), { x: 0, side: 0 });
  return places;
}

/** Height of row 0 of every band: the main lane (or the first group) is at 0, the others stand apart above and below. */
function bandPositions(request: LayoutRequest, slots: ReadonlyMap<string, Slot>): ReadonlyMap<string, number> {
  const extent = new Map<string, { min: number; max: number }>();
  for (const { band, row } of slots.values()) {
    const known = extent.get(band);
    extent.set(band, known === undefined ? { min: row, max: row } : { min: Math.min(known.min, row), max: Math.max(known.max, row) });
  }
  const order = [...request.groups.map(group => group.id), ...LANE_ORDER];
  const isFrame = new Set(request.groups.map(group => group.id));
  const bands = [...extent.keys()].sort((a, b) => laneRank(a, isFrame) - laneRank(b, isFrame) || order.indexOf(a) - order.indexOf(b));
  const tops = new Map<string, number>();
  let bottom = 0;
  for (const [place, band] of bands.entries()) {
    const { min, max } = extent.get(band) ?? { min: 0, max: 0 };
    const frame = isFrame.has(band) ? FRAME_TITLE + FRAME_PADDING : 0;
    const top = place === 0 ? min * ROW : bottom + BAND_GAP + frame;
    tops.set(band, top - min * ROW);
    bottom = top + (max - min + 1) * ROW + (isFrame.has(band) ? FRAME_PADDING : 0);
  }
  const anchor = tops.get('main') ?? 0;
  return new Map([...tops].map(([band, top]) => [band, top - anchor]));
}

function laneRank(band: string, frames: ReadonlySet<string>): number {
  return band === 'more' ? 0 : band === 'types' ? 1 : band === 'knowledge' ? 5 : band === 'tests' ? 4 : frames.has(band) ? 3 : 2;
}

/** Frames hold their nodes and the frames inside them. */
export function framesAround(request: LayoutRequest, positions: Readonly<Record<string, { readonly x: number; readonly y: number }>>): Record<string, Rect> {
  const frames: Record<string, Rect> = {};
  const within = (id: string): Rect | undefined => {
    const inside = request.nodes
      .filter(node => node.parent === id)
      .flatMap(node => {
        const at = positions[node.id];
        return at === undefined ? [] : [{ ...at, width: node.width, height: node.height }];
      });
    const nested = request.groups.filter(group => group.parent === id).flatMap(group => frames[group.id] ?? within(group.id) ?? []);
    return around([...inside, ...nested]);
  };
  for (const group of request.groups) {
    const rect = within(group.id);
    if (rect !== undefined) frames[group.id] = wideFor(rect, group.title ?? 0);
  }
  return frames;
}

/** A frame holds its title: to the right there is nothing beside it. */
function wideFor(rect: Rect, title: number): Rect {
  const more = Math.max(0, title - rect.width);
  return { ...rect, x: rect.x + more / 2, width: rect.width + more };
}

function around(rects: readonly Rect[]): Rect | undefined {
  if (rects.length === 0) return undefined;
  const left = Math.min(...rects.map(rect => rect.x - rect.width / 2)) - FRAME_PADDING;
  const right = Math.max(...rects.map(rect => rect.x + rect.width / 2)) + FRAME_PADDING;
  const top = Math.min(...rects.map(rect => rect.y - rect.height / 2)) - FRAME_PADDING - FRAME_TITLE;
  const bottom = Math.max(...rects.map(rect => rect.y + rect.height / 2)) + FRAME_PADDING;
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}

/** A caption above each column, where its nodes begin. */
function captionsOf(
  { nodes }: LayoutRequest,
  slots: ReadonlyMap<string, Slot>,
  xOf: ReadonlyMap<string, SubColumn>,
  positions: Readonly<Record<string, { readonly x: number; readonly y: number }>>,
): Caption[] {
  const top = Math.min(0, ...Object.values(positions).map(at => at.y)) - ROW * 1.4;
  const columns = [...new Set(nodes.map(node => slots.get(node.id)?.column ?? 0))].filter(column => column !== 0);
  return columns.map(column => {
    const key = subColumn({ column, sub: 0 });
    return { id: `caption:${column}`, column, x: xOf.get(key)?.x ?? 0, y: top };
  });
}
