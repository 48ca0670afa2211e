/**
 * Draws the lines between nodes, and the ground of frames, on a canvas below the one that Cytoscape draws nodes on.
 * Cytoscape draws every edge by itself, with its arrow, its style looked up anew: most of a frame's time at 600 edges. Here lines of one look are one path.
 * Knows nothing of what is pointed at or where the picture stands until it is told.
 */

import type { Theme } from '../ui/theme';
import { POSSIBLE, POSSIBLE_EDGE_DASHES } from './certainty';
import type { Point } from './curves';
import type { Drawing, DrawnEdge } from './drawing';
import { type EdgeLine, linesOf } from './edgeLines';

/** What part of the drawing is on the canvas. */
export interface Viewport {
  /** Left upper corner, in the units of positions. */
  readonly left: number;
  readonly top: number;
  /** Pixels of the canvas per unit. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
}

type State = 'plain' | 'incoming' | 'outgoing' | 'way' | 'muted';

/** Lines that share a path: longer paths take longer to fill than several short ones. */
const PER_PATH = 48;
/** Arrows that would be smaller than this many pixels are left out. */
const MIN_ARROW = 2.4;
const NOTHING: ReadonlySet<string> = new Set();
/** From the back to the front. */
const ORDER: readonly State[] = ['muted', 'plain', 'incoming', 'outgoing', 'way'];

export class EdgePainter {
  #lines: readonly EdgeLine[] = [];
  #drawing: Drawing = { nodes: [], edges: [], frames: [] };
  #pointed: string | undefined;
  #way: ReadonlySet<string> = NOTHING;
  #broughtOut: ReadonlySet<string> | undefined;

  show(drawing: Drawing): void {
    this.#drawing = drawing;
    this.#lines = linesOf(drawing);
  }

  /** Nodes are on their way to where the drawing has them. */
  move(placeOf: (id: string) => Point | undefined): void {
    this.#lines = linesOf(this.#drawing, node => placeOf(node.id) ?? node.position);
  }

  /** Brings out the lines of one node; `undefined` ends it. */
  point(id: string | undefined): void {
    this.#pointed = id;
  }

  /** Fades all lines but those between these nodes; `undefined` ends it. */
  bringOut(ids: ReadonlySet<string> | undefined): void {
    this.#broughtOut = ids;
  }

  /** Brings out the lines between one node and the next. */
  way(ids: readonly string[]): void {
    const pairs = ids.slice(1).flatMap((id, place) => [`${ids[place]}→${id}`, `${id}→${ids[place]}`]);
    this.#way = pairs.length === 0 ? NOTHING : new Set(pairs);
  }

  paint(pen: CanvasRenderingContext2D, sight: Viewport, theme: Theme): void {
    const { left, top, scale, width, height } = sight;
    pen.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    const seen = { left, top, right: left + width / scale, bottom: top + height / scale };
    this.#paintFrames(pen, theme);
    for (const looks of this.#looksSeen(seen).values()) this.#paintLines(pen, looks, scale, theme);
    pen.globalAlpha = 1;
    pen.setLineDash([]);
  }

  #paintFrames(pen: CanvasRenderingContext2D, theme: Theme): void {
    if (theme.isHighContrast) return;
    pen.fillStyle = theme.accent;
    pen.globalAlpha = 0.05;
    for (const { rect } of this.#drawing.frames) {
      pen.beginPath();
      pen.roundRect(rect.x - rect.width / 2, rect.y - rect.height / 2, rect.width, rect.height, 8);
      pen.fill();
    }
  }

  /** Lines that can be seen, by what they look like, those in front last. */
  #looksSeen(seen: Pick<EdgeLine, 'left' | 'top' | 'right' | 'bottom'>): ReadonlyMap<string, Look> {
    const looks = new Map<string, Look>();
    for (const line of this.#lines) {
      if (line.right < seen.left || line.left > seen.right || line.bottom < seen.top || line.top > seen.bottom) continue;
      const look = lookOf(line.edge, this.#stateOf(line.edge));
      const key = `${ORDER.indexOf(look.state)}${look.isAside ? 0 : 1}${look.dash}${look.width}`;
      const known = looks.get(key);
      if (known === undefined) looks.set(key, { ...look, lines: [line] });
      else known.lines.push(line);
    }
    return new Map([...looks].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #stateOf({ id, source, target }: DrawnEdge): State {
    if (this.#way.has(id)) return 'way';
    if (this.#pointed === undefined)
      return this.#broughtOut === undefined || (this.#broughtOut.has(source) && this.#broughtOut.has(target)) ? 'plain' : 'muted';
    return target === this.#pointed ? 'incoming' : source === this.#pointed ? 'outgoing' : 'muted';
  }

  #paintLines(pen: CanvasRenderingContext2D, look: Look, scale: number, theme: Theme): void {
    const color = colorOf(look.state, theme);
    pen.strokeStyle = color;
    pen.fillStyle = color;
    pen.globalAlpha = opacityOf(look, theme);
    pen.lineWidth = look.state === 'way' ? Math.max(3, look.width) : look.width;
    pen.setLineDash(DASHES[look.dash]);
    const size = 5 + look.width * 1.6;
    const hasArrows = look.dash !== 'dots' && size * scale >= MIN_ARROW;
    for (let from = 0; from < look.lines.length; from += PER_PATH) {
      pen.beginPath();
      for (const line of look.lines.slice(from, from + PER_PATH)) {
        const { start, bends } = line;
        // The tip is the arrow's: both are a little transparent.
        const end = hasArrows ? before(line, size * 0.8) : line.end;
        pen.moveTo(start.x, start.y);
        if (bends === undefined) pen.lineTo(end.x, end.y);
        else pen.bezierCurveTo(bends[0].x, bends[0].y, bends[1].x, bends[1].y, end.x, end.y);
      }
      pen.stroke();
    }
    if (!hasArrows) return;
    pen.beginPath();
    for (const line of look.lines) arrow(pen, line, size, look.dash === 'dashes');
    pen.fill();
  }
}

interface LookOfEdge {
  readonly state: State;
  readonly isAside: boolean;
  readonly dash: keyof typeof DASHES;
  readonly width: number;
}

interface Look extends LookOfEdge {
  readonly lines: EdgeLine[];
}

const DASHES = { none: [], dashes: POSSIBLE_EDGE_DASHES, dots: [1.5, 3] };

function lookOf({ classes, width }: DrawnEdge, state: State): LookOfEdge {
  const dash = classes.includes('to-bundle') ? 'dots' : classes.includes(POSSIBLE) ? 'dashes' : 'none';
  return { state, isAside: classes.includes('aside'), dash, width: Math.round(width * 2) / 2 };
}

function colorOf(state: State, theme: Theme): string {
  return state === 'way' ? theme.accent : state === 'incoming' ? theme.incoming : state === 'outgoing' ? theme.outgoing : theme.muted;
}

function opacityOf({ state, isAside }: LookOfEdge, { isHighContrast }: Theme): number {
  if (state === 'muted') return isHighContrast ? 0.3 : 0.1;
  if (state !== 'plain') return 1;
  return isAside ? (isHighContrast ? 0.6 : 0.2) : isHighContrast ? 1 : 0.5;
}

/** The point so far before the end of a line. */
function before({ start, end, bends }: EdgeLine, distance: number): Point {
  const from = bends?.[1] ?? start;
  const length = Math.max(1e-6, Math.hypot(end.x - from.x, end.y - from.y));
  const share = Math.min(1, distance / length);
  return { x: end.x - (end.x - from.x) * share, y: end.y - (end.y - from.y) * share };
}

/** A triangle at the end of a line; a maybe has it hollowed. */
function arrow(pen: CanvasRenderingContext2D, { start, end, bends }: EdgeLine, size: number, isHollow: boolean): void {
  const from = bends?.[1] ?? start;
  const length = Math.hypot(end.x - from.x, end.y - from.y);
  if (length === 0) return;
  const [x, y] = [((end.x - from.x) / length) * size, ((end.y - from.y) / length) * size];
  const [backX, backY] = [end.x - x, end.y - y];
  pen.moveTo(end.x, end.y);
  pen.lineTo(backX - y * 0.45, backY + x * 0.45);
  if (isHollow) pen.lineTo(end.x - x * 0.55, end.y - y * 0.55);
  pen.lineTo(backX + y * 0.45, backY - x * 0.45);
  pen.closePath();
}
