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

/** From one row to another: through the gap between two columns, or out of a column and back. */
export function curve(from: Box, to: Box): Curve {
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
    path: `M${n(x1)} ${n(from.y)}C${n(x1 + bend)} ${n(from.y)} ${n(x2 - bend)} ${n(to.y)} ${n(x2)} ${n(to.y)}`,
    start: { x: x1, y: from.y },
    end: { x: x2, y: to.y, toRight },
  };
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
