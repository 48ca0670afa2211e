/** Ways of lines between blocks: down or up from row to row, through the gaps between the blocks of rows that they pass. */
import type { Place, PlacedLevel } from './blockLayout';
import type { BlockLink } from './blockTree';

export interface Route {
  readonly path: string;
  readonly end: { readonly x: number; readonly y: number; readonly isDown: boolean };
  /** Where words about it can stand. */
  readonly middle: { readonly x: number; readonly y: number };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Routes for some links of a level, side by side where they pass the same gap. */
export function routes(placed: PlacedLevel, links: readonly BlockLink[], places: ReadonlyMap<string, Place>): ReadonlyMap<string, Route> {
  const rowOf = new Map(placed.rows.flatMap(({ ids }, row) => ids.map(id => [id, row] as const)));
  const ports = portsOf(links, places, rowOf);
  const lanes = new Map<number, number[]>();
  const found = new Map<string, Route>();
  for (const link of links) {
    const [source, target] = [places.get(link.source), places.get(link.target)];
    const [from, to] = [rowOf.get(link.source), rowOf.get(link.target)];
    const own = ports.get(link.id);
    if (source === undefined || target === undefined || from === undefined || to === undefined || own === undefined) continue;
    found.set(
      link.id,
      from === to ? beside(source, target, own, placed.rows[from]?.bottom ?? 0) : through(placed, places, lanes, { source, target, from, to, ...own }),
    );
  }
  return found;
}

/** Where lines leave and reach their blocks: spread along the edge in the order of the other ends. */
function portsOf(
  links: readonly BlockLink[],
  places: ReadonlyMap<string, Place>,
  rowOf: ReadonlyMap<string, number>,
): ReadonlyMap<string, { readonly x1: number; readonly x2: number }> {
  const sides = new Map<string, { readonly link: string; readonly isSource: boolean; readonly other: number }[]>();
  const middle = (id: string): number => {
    const place = places.get(id);
    return place === undefined ? 0 : place.x + place.width / 2;
  };
  for (const { id, source, target } of links) {
    const isDown = (rowOf.get(source) ?? 0) <= (rowOf.get(target) ?? 0);
    const isBeside = rowOf.get(source) === rowOf.get(target);
    const add = (block: string, side: string, isSource: boolean, other: string): void => {
      const key = `${side} ${block}`;
      sides.set(key, [...(sides.get(key) ?? []), { link: id, isSource, other: middle(other) }]);
    };
    add(source, isDown ? 'below' : 'above', true, target);
    add(target, isDown && !isBeside ? 'above' : 'below', false, source);
  }
  const ports = new Map<string, { x1: number; x2: number }>();
  for (const [key, ends] of sides) {
    const place = places.get(key.slice(6));
    if (place === undefined) continue;
    ends.sort((a, b) => a.other - b.other || (a.link < b.link ? -1 : 1));
    const step = Math.min(16, (place.width - 24) / Math.max(1, ends.length - 1));
    for (const [at, { isSource, link }] of ends.entries()) {
      const x = place.x + place.width / 2 + (at - (ends.length - 1) / 2) * step;
      const own = ports.get(link) ?? { x1: 0, x2: 0 };
      ports.set(link, isSource ? { ...own, x1: x } : { ...own, x2: x });
    }
  }
  return ports;
}

interface Leg {
  readonly source: Place;
  readonly target: Place;
  readonly from: number;
  readonly to: number;
  readonly x1: number;
  readonly x2: number;
}

function through(placed: PlacedLevel, places: ReadonlyMap<string, Place>, lanes: Map<number, number[]>, leg: Leg): Route {
  const { source, target, from, to, x1, x2 } = leg;
  const { rows } = placed;
  const isDown = to > from;
  const step = isDown ? 1 : -1;
  const near = (row: number): number => (isDown ? rows[row]?.bottom : rows[row]?.top) ?? 0;
  const far = (row: number): number => (isDown ? rows[row]?.top : rows[row]?.bottom) ?? 0;
  const start = { x: x1, y: isDown ? source.y + source.height : source.y };
  const end = { x: x2, y: isDown ? target.y - ARROW : target.y + target.height + ARROW };
  let path = `M${n(start.x)} ${n(start.y)}V${n(near(from))}`;
  let at: Point = { x: x1, y: near(from) };
  const turns: Point[] = [];
  for (let row = from + step; ; row += step) {
    const isLast = row === to;
    // Straight on as long as can be: the last gap leads to the target.
    const x = isLast ? x2 : passage(placed, places, row, at.x, lanes);
    const y = far(row);
    const half = (at.y + y) / 2;
    path += `C${n(at.x)} ${n(half)} ${n(x)} ${n(half)} ${n(x)} ${n(isLast && Math.abs(y - end.y) < ARROW + 1 ? end.y : y)}`;
    turns.push({ x: (at.x + x) / 2, y: half });
    if (isLast) break;
    path += `V${n(near(row))}`;
    at = { x, y: near(row) };
  }
  path += `V${n(end.y)}`;
  return { path, end: { x: end.x, y: isDown ? end.y + ARROW : end.y - ARROW, isDown }, middle: turns[Math.floor((turns.length - 1) / 2)] ?? start };
}

/** Length of an arrow. */
const ARROW = 7;

/** Between lines that run side by side, and from a line to a block. */
const LANE = 6;
const MARGIN = 6;

/** A place to pass a row, as near as can be to where the line comes from, and beside the lines that pass there. */
function passage({ rows, left, right }: PlacedLevel, places: ReadonlyMap<string, Place>, row: number, wanted: number, lanes: Map<number, number[]>): number {
  const blocks = (rows[row]?.ids ?? []).flatMap(id => places.get(id) ?? []).sort((a, b) => a.x - b.x);
  const ends = [left, ...blocks.flatMap(block => [block.x, block.x + block.width]), right];
  const taken = lanes.get(row) ?? [];
  let best: { readonly x: number; readonly cost: number } | undefined;
  for (let at = 0; at < ends.length; at += 2) {
    const [from, to] = [(ends[at] ?? 0) + MARGIN, (ends[at + 1] ?? 0) - MARGIN];
    if (to <= from) continue;
    const x = freeLane(Math.min(to, Math.max(from, wanted)), from, to, taken);
    const cost = Math.abs(x - wanted);
    if (best === undefined || cost < best.cost) best = { x, cost };
  }
  const x = best?.x ?? wanted;
  lanes.set(row, [...taken, x]);
  return x;
}

/** The nearest place that no line takes; where there is none, lines run over each other. */
function freeLane(wanted: number, from: number, to: number, taken: readonly number[]): number {
  for (let step = 0; step * LANE <= to - from; step++) {
    for (const x of [wanted + step * LANE, wanted - step * LANE]) if (x >= from && x <= to && taken.every(other => Math.abs(other - x) >= LANE - 1)) return x;
  }
  return wanted;
}

/** Between two of one row: below it. */
function beside(source: Place, target: Place, { x1, x2 }: { readonly x1: number; readonly x2: number }, bottom: number): Route {
  const [from, to] = [source.y + source.height, target.y + target.height];
  const low = bottom + 26;
  return {
    path: `M${n(x1)} ${n(from)}V${n(bottom)}C${n(x1)} ${n(low)} ${n(x2)} ${n(low)} ${n(x2)} ${n(bottom)}V${n(to + ARROW)}`,
    end: { x: x2, y: to, isDown: false },
    middle: { x: (x1 + x2) / 2, y: bottom + 18 },
  };
}

export function arrowPath({ x, y, isDown }: Route['end']): string {
  return `M${n(x)} ${n(y)}l-3.500 ${isDown ? -ARROW : ARROW}h7z`;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
