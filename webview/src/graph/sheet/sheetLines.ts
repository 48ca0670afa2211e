/** Lines of a sheet: where they run, and the elements that draw them. They run in the gaps between columns, below the cards. */

import { relationName } from '../../panels/graph/words';
import { element } from '../../ui/dom';
import { isPossible, POSSIBLE_EDGE_DASHES } from '../certainty';
import type { SheetLine } from './sheetModel';

const SVG = 'http://www.w3.org/2000/svg';
/** How far a line between two rows of one column swings out of it, and by how much more for each row that lies between. */
const SWING = 18;
const MAX_SWING = 52;

export interface Box {
  readonly left: number;
  readonly right: number;
  /** Middle of the row. */
  readonly y: number;
  readonly column: number;
}

export interface Curve {
  readonly path: string;
  /** Where it ends, and in which direction the arrow points. */
  readonly end: { readonly x: number; readonly y: number; readonly toRight: boolean };
  readonly start: { readonly x: number; readonly y: number };
}

/** From one row to another: through the gap between two columns, along a trunk where there is one, or out of a column and back. */
export function curve(from: Box, to: Box, trunk?: Trunk): Curve {
  if (from.column === to.column) {
    const isLeft = from.column < 0;
    const x1 = isLeft ? from.left : from.right;
    const x2 = isLeft ? to.left : to.right;
    const swing = (isLeft ? -1 : 1) * Math.min(MAX_SWING, SWING + Math.abs(from.y - to.y) * 0.12);
    return {
      path: `M${n(x1)} ${n(from.y)}C${n(x1 + swing)} ${n(from.y)} ${n(x2 + swing)} ${n(to.y)} ${n(x2)} ${n(to.y)}`,
      start: { x: x1, y: from.y },
      end: { x: x2, y: to.y, toRight: isLeft },
    };
  }
  const toRight = to.column > from.column;
  const x1 = toRight ? from.right : from.left;
  const x2 = toRight ? to.left : to.right;
  const bend = (x2 - x1) * 0.5;
  return {
    path:
      (trunk === undefined ? undefined : along(trunk, { from, to, x1, x2 })) ??
      `M${n(x1)} ${n(from.y)}C${n(x1 + bend)} ${n(from.y)} ${n(x2 - bend)} ${n(to.y)} ${n(x2)} ${n(to.y)}`,
    start: { x: x1, y: from.y },
    end: { x: x2, y: to.y, toRight },
  };
}

/** From the row at the far end into the trunk, and along it; `undefined` where they are about level. */
function along(
  { hub, x }: Trunk,
  { from, to, x1, x2 }: { readonly from: Box; readonly to: Box; readonly x1: number; readonly x2: number },
): string | undefined {
  const [far, farX, hubX] = hub === to ? [from, x1, x2] : [to, x2, x1];
  const rise = Math.abs(hub.y - far.y);
  if (rise < MIN_RISE) return undefined;
  const down = hub.y > far.y ? 1 : -1;
  const turn = down * Math.min(rise - CORNER, Math.max(CORNER, Math.abs(x - farX) * 0.7));
  const out = hubX > x ? CORNER : -CORNER;
  const into = `M${n(farX)} ${n(far.y)}C${n(farX + (x - farX) * 0.6)} ${n(far.y)} ${n(x)} ${n(far.y + turn * 0.4)} ${n(x)} ${n(far.y + turn)}`;
  return `${into}L${n(x)} ${n(hub.y - down * CORNER)}Q${n(x)} ${n(hub.y)} ${n(x + out)} ${n(hub.y)}L${n(hubX)} ${n(hub.y)}`;
}

/** Rows with as many lines on one side have them run together. */
const MANY_LINES = 8;
/** How far from the row its lines run together, in pixels, and how far apart those of several rows. */
const TRUNK = 20;
const TRUNK_STEP = 6;
/** A line needs as much height to leave its way, in pixels. */
const MIN_RISE = 36;
const CORNER = 12;

/** A row to which lines run together: at `x` they do. */
export interface Trunk {
  readonly hub: Box;
  readonly x: number;
}

interface Ends {
  readonly id: string;
  readonly from: Box;
  readonly to: Box;
}

/** The trunks of lines, by their ids: of many lines to one row, each is seen up to where they meet, and there they are one. */
export function trunksOf(lines: readonly Ends[]): ReadonlyMap<string, Trunk> {
  const between = lines.filter(({ from, to }) => from.column !== to.column);
  const counts = new Map<Box, { left: number; right: number }>();
  const add = (box: Box, side: 'left' | 'right'): void => {
    const count = counts.get(box) ?? { left: 0, right: 0 };
    count[side]++;
    counts.set(box, count);
  };
  for (const { from, to } of between) {
    add(from, sideTo(from, to));
    add(to, sideTo(to, from));
  }
  const trunks = new Map<string, Trunk>();
  const places = lanesOf(counts);
  for (const { from, id, to } of between) {
    const atFrom = counts.get(from)?.[sideTo(from, to)] ?? 0;
    const atTo = counts.get(to)?.[sideTo(to, from)] ?? 0;
    if (Math.max(atFrom, atTo) < MANY_LINES) continue;
    const [hub, far] = atFrom > atTo ? [from, to] : [to, from];
    const side = sideTo(hub, far);
    const room = side === 'right' ? far.left - hub.right : hub.left - far.right;
    const away = Math.min(TRUNK + TRUNK_STEP * (places.get(hub)?.[side] ?? 0), room - TRUNK);
    if (away < TRUNK / 2) continue;
    trunks.set(id, { hub, x: side === 'right' ? hub.right + away : hub.left - away });
  }
  return trunks;
}

function sideTo(box: Box, other: Box): 'left' | 'right' {
  return other.column > box.column ? 'right' : 'left';
}

/** Of rows in one column with many lines, each has a lane of its own: the upper ones are nearer. */
function lanesOf(counts: ReadonlyMap<Box, { readonly left: number; readonly right: number }>): ReadonlyMap<Box, { left: number; right: number }> {
  const lanes = new Map<Box, { left: number; right: number }>();
  const taken = new Map<string, number>();
  for (const [box, count] of [...counts].sort(([a], [b]) => a.y - b.y)) {
    const lane = { left: 0, right: 0 };
    for (const side of ['left', 'right'] as const) {
      if (count[side] < MANY_LINES) continue;
      const key = `${box.column} ${side}`;
      lane[side] = taken.get(key) ?? 0;
      taken.set(key, lane[side] + 1);
    }
    lanes.set(box, lane);
  }
  return lanes;
}

/** What a line says: how one thing depends on the other, and how often. */
export function lineText({ edge }: SheetLine): string {
  const [first] = edge.links;
  const names = edge.links.map(link => relationName(link.relation)).join(', ');
  const place = first !== undefined && first.line > 0 ? ` · line ${first.line}` : '';
  return `${names}${edge.count > 1 ? ` × ${edge.count}` : ''}${place}${isPossible(edge.confidence) ? ' · possible' : ''}`;
}

/** The same in so few words that they have room in a gap. */
function shortText({ edge }: SheetLine): string {
  const [first] = edge.links;
  if (first === undefined) return '';
  return `${relationName(first.relation)}${edge.links.length > 1 ? ` +${edge.links.length - 1}` : edge.count > 1 ? ` ×${edge.count}` : ''}`;
}

export interface LineEvents {
  onPoint(line: SheetLine | undefined): void;
  onOpen(line: SheetLine): void;
}

/** One line: what is seen, and a wider stretch that can be pointed at. */
export class DrawnLine {
  readonly group = document.createElementNS(SVG, 'g');
  readonly #seen = document.createElementNS(SVG, 'path');
  readonly #arrow = document.createElementNS(SVG, 'path');
  readonly #wide = document.createElementNS(SVG, 'path');
  #label: HTMLElement | undefined;

  constructor(
    readonly line: SheetLine,
    events: LineEvents,
  ) {
    const { edge } = line;
    this.group.setAttribute('class', `sheet-line${isPossible(edge.confidence) ? ' possible' : ''}`);
    this.#seen.setAttribute('class', 'seen');
    if (isPossible(edge.confidence) || edge.change === 'removed') this.#seen.setAttribute('stroke-dasharray', POSSIBLE_EDGE_DASHES.join(' '));
    const wider = Math.max(edge.change === 'added' ? 2 : 0, Math.min(2.8, Math.log2(Math.max(1, edge.count)) * 0.45));
    this.#seen.setAttribute('stroke-width', String(Math.round((1.2 + wider) * 10) / 10));
    this.#arrow.setAttribute('class', 'arrow');
    this.#wide.setAttribute('class', 'wide');
    this.group.append(this.#seen, this.#arrow, this.#wide);
    this.group.addEventListener('pointerenter', () => events.onPoint(line));
    this.group.addEventListener('pointerleave', () => events.onPoint(undefined));
    this.group.addEventListener('click', () => events.onOpen(line));
  }

  move({ path, end }: Curve): void {
    this.#seen.setAttribute('d', path);
    this.#wide.setAttribute('d', path);
    const back = end.toRight ? -7 : 7;
    this.#arrow.setAttribute('d', `M${n(end.x)} ${n(end.y)}l${back} -3.500v7z`);
  }

  /** Says what the line means at one of its ends; `undefined` takes the words away. */
  say(at: { readonly x: number; readonly y: number; readonly toRight: boolean } | undefined, isShort: boolean, holder: HTMLElement): void {
    if (at === undefined) {
      this.#label?.remove();
      this.#label = undefined;
      return;
    }
    this.#label ??= element('span', { class: 'sheet-label', 'aria-hidden': 'true' });
    this.#label.textContent = isShort ? shortText(this.line) : lineText(this.line);
    this.#label.hidden = this.#label.textContent === '';
    this.#label.classList.toggle('to-left', !at.toRight);
    this.#label.style.left = `${n(at.x + (at.toRight ? 4 : -4))}px`;
    this.#label.style.top = `${n(at.y)}px`;
    if (!this.#label.isConnected) holder.append(this.#label);
  }
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
