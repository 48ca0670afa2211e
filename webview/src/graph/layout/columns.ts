import type { Arrangement, Caption, LayoutMemory, LayoutNode, LayoutRequest, Rect } from './layoutTypes';

/** Distances in model units, between centres. */
const ROW = 44;
const SUB_COLUMN_GAP = 26;
const COLUMN_GAP = 76;
const BAND_GAP = 40;
const FRAME_PADDING = 16;
const FRAME_TITLE = 22;
/** Most rows of a column before it is split: the number that brings the drawing nearest to the shape of a screen. */
const ROWS: readonly number[] = [16, 12, 9, 7, 5, 4, 20, 26];
const LANE_ORDER: readonly string[] = ['types', 'main', 'tests', 'more'];

interface Slot {
  readonly band: string;
  readonly column: number;
  readonly row: number;
  readonly sub: number;
}

/**
 * Columns by distance from the start, bands by lane or group. Inside a band nodes are ordered by where their neighbours nearer to the start stand
 * (barycentres, after Sugiyama, Tagawa and Toda 1981). What the memory knows stays in its slot; what is new takes a free one beside it.
 */
export function columns(request: LayoutRequest, memory: LayoutMemory | undefined): Arrangement {
  const grouped = request.nodes.some(node => node.parent !== undefined);
  const central = framesInTheMiddle(request);
  const bandOf: BandOf = node =>
    node.parent === undefined ? (grouped && node.isBundle ? 'more' : node.lane) : central.has(node.parent) ? 'main' : node.parent;
  const rowsPerColumn = memory?.rowsPerColumn ?? bestRows(request, bandOf);
  const pitch = Math.max(memory?.pitch ?? 0, ...request.nodes.map(node => node.width + SUB_COLUMN_GAP));
  const slots = assignSlots(request, memory, rowsPerColumn, bandOf);
  const xOf = columnPositions(slots, pitch);
  const bandTop = bandPositions(request, slots);
  const positions: Record<string, { x: number; y: number }> = {};
  for (const [id, slot] of slots) {
    const { x, direction } = xOf.get(slot.column) ?? { x: 0, direction: 1 };
    positions[id] = { x: x + direction * slot.sub * pitch, y: (bandTop.get(slot.band) ?? 0) + slot.row * ROW };
  }
  return {
    positions,
    frames: framesAround(request, positions),
    captions: captionsOf(request, positions),
    memory: { layout: 'columns', rowsPerColumn, pitch, slots: Object.fromEntries(slots), rows: {}, across: [] },
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
  const pitch = Math.max(0, ...request.nodes.map(node => node.width)) + SUB_COLUMN_GAP;
  let best = { rows: ROWS[0] ?? 16, miss: Number.POSITIVE_INFINITY };
  for (const rows of ROWS) {
    const slots = assignSlots(request, undefined, rows, bandOf);
    const xs = [...columnPositions(slots, pitch).values()].map(place => place.x);
    const subs = Math.max(0, ...[...slots.values()].map(slot => slot.sub));
    const bands = [...bandPositions(request, slots).values()];
    const width = Math.max(...xs) - Math.min(...xs) + (subs + 1) * pitch;
    const height = Math.max(...bands) - Math.min(...bands) + rows * ROW;
    const miss = Math.abs(Math.log(width / height / request.ratio));
    if (miss < best.miss - 0.05) best = { rows, miss };
  }
  return best.rows;
}

function assignSlots(request: LayoutRequest, memory: LayoutMemory | undefined, rowsPerColumn: number, bandOf: BandOf): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  for (const node of request.nodes) {
    const known = memory?.slots[node.id];
    if (known !== undefined && known.band === bandOf(node) && known.column === node.column) slots.set(node.id, known);
  }
  const near = neighboursOf(request);
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

/** Mean row of the neighbours that have a slot; without any the place in the list, centred. */
function wishOf(id: string, slots: ReadonlyMap<string, Slot>, near: ReadonlyMap<string, readonly string[]>, place: number, count: number): number {
  const rows = (near.get(id) ?? []).map(other => slots.get(other)?.row).filter(row => row !== undefined);
  const centred = (place - (count - 1) / 2) * 1e-3;
  return rows.length === 0 ? centred * 1e3 : rows.reduce((sum, row) => sum + row, 0) / rows.length + centred;
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

function neighboursOf(request: LayoutRequest): ReadonlyMap<string, readonly string[]> {
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

/** Columns left of the start grow to the left, the others to the right; each is as wide as its sub-columns. */
function columnPositions(slots: ReadonlyMap<string, Slot>, pitch: number): ReadonlyMap<number, { readonly x: number; readonly direction: 1 | -1 }> {
  const subs = new Map<number, number>();
  for (const { column, sub } of slots.values()) subs.set(column, Math.max(subs.get(column) ?? 0, sub));
  const places = new Map<number, { x: number; direction: 1 | -1 }>();
  for (const direction of [1, -1] as const) {
    let edge = direction === 1 ? 0 : -(pitch + COLUMN_GAP);
    const own = [...subs.keys()].filter(column => (direction === 1 ? column >= 0 : column < 0)).sort((a, b) => (a - b) * direction);
    for (const column of own) {
      places.set(column, { x: edge, direction });
      edge += direction * (((subs.get(column) ?? 0) + 1) * pitch + COLUMN_GAP);
    }
  }
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
  return band === 'types' ? 0 : band === 'more' ? 4 : band === 'tests' ? 3 : frames.has(band) ? 2 : 1;
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

/** A caption above each column, and one beside each lane that stands apart. */
function captionsOf(request: LayoutRequest, positions: Readonly<Record<string, { readonly x: number; readonly y: number }>>): Caption[] {
  const top = Math.min(0, ...Object.values(positions).map(at => at.y)) - ROW * 1.4;
  const byColumn = new Map<number, number[]>();
  for (const node of request.nodes) byColumn.set(node.column, [...(byColumn.get(node.column) ?? []), positions[node.id]?.x ?? 0]);
  return [...byColumn]
    .filter(([column]) => column !== 0)
    .map(([column, xs]) => ({ id: `caption:${column}`, column, x: (Math.min(...xs) + Math.max(...xs)) / 2, y: top }));
}
