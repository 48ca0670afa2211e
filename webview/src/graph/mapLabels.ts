/** Names that can be read from any distance, as on a map: of the right size for the reader, the more important first, none over another. Plain data in and out. */
import type { Drawing, DrawnNode } from './drawing';

/** Scale from which on nodes carry their own names: these are eleven pixels high then. */
export const NODE_NAMES_SCALE = 0.92;
/** Scale below which nodes are blocks of color. */
export const COLOR_BLOCKS_SCALE = 0.42;
/** A part that is brought near is shown no larger than this. */
export const MAX_FOCUS_SCALE = 1;

/** `name` is that of a node, `title` that of a frame. */
export type LabelLook = 'name' | 'start' | 'title';

export interface MapLabel {
  /** What it names. */
  readonly id: string;
  readonly text: string;
  readonly look: LabelLook;
  /** Its left end and its middle, in the units of positions. */
  readonly x: number;
  readonly y: number;
  /** Pixels. */
  readonly width: number;
  /** It stands on a ground of its own, since other things lie below it. */
  readonly isPlated: boolean;
}

/** Width of a text in pixels. */
export type Measure = (text: string, look: LabelLook) => number;

/** Pixels that a line of text takes. */
export const LINE_PX = 14;
const PADDING_PX = 4;

/**
 * The names of a drawing at one scale, all of them whole: a node without room for its own is named by the frame around it. None when nodes carry their own.
 * Does not depend on the part that is seen, so that nothing comes and goes by moving.
 */
export function mapLabels(drawing: Drawing, zoom: number, measure: Measure): readonly MapLabel[] {
  if (zoom >= NODE_NAMES_SCALE) return [];
  const placing = new Placing(zoom, measure);
  const ranked = drawing.nodes.toSorted((a, b) => rankOf(b) - rankOf(a) || (a.id < b.id ? -1 : 1));
  for (const node of ranked.filter(({ classes }) => classes.includes('start'))) placing.over(node);
  for (const frame of drawing.frames.toSorted((a, b) => b.rect.width * b.rect.height - a.rect.width * a.rect.height || (a.id < b.id ? -1 : 1)))
    placing.title(frame);
  for (const node of ranked) if (!node.classes.includes('start')) placing.over(node);
  return placing.labels;
}

/** What is meant first, then what matters most. */
function rankOf({ classes, weight = 0 }: DrawnNode): number {
  return classes.includes('start') ? 3 : classes.includes('bundle') ? 2 : weight;
}

interface Taken {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

class Placing {
  readonly labels: MapLabel[] = [];
  readonly #taken: Taken[] = [];

  constructor(
    private readonly zoom: number,
    private readonly measure: Measure,
  ) {}

  /** Over the node, when nothing more important is there. */
  over({ id, label, classes, position, width }: DrawnNode): void {
    const look = classes.includes('start') ? 'start' : 'name';
    const text = label.replaceAll('\n', ' · ');
    const own = this.measure(text, look) / this.zoom;
    // What is wider than its node sticks out on both sides.
    this.#put({ id, text, look, x: position.x - Math.max(width, own) / 2, y: position.y }, true);
  }

  /** At the upper left corner of a frame. */
  title({ id, label, rect, size }: Drawing['frames'][number]): void {
    const text = `${label}${size === undefined ? '' : ` · ${size}`}`;
    const [x, y] = [rect.x - rect.width / 2 + PADDING_PX / this.zoom, rect.y - rect.height / 2 + (LINE_PX / 2 + 1) / this.zoom];
    this.#put({ id, text, look: 'title', x, y }, this.zoom < COLOR_BLOCKS_SCALE);
  }

  #put(label: Omit<MapLabel, 'width' | 'isPlated'>, isPlated = false): void {
    const width = this.measure(label.text, label.look);
    const [left, middle] = [label.x * this.zoom, label.y * this.zoom];
    const place: Taken = { left: left - PADDING_PX, right: left + width + PADDING_PX, top: middle - LINE_PX / 2, bottom: middle + LINE_PX / 2 };
    if (label.text === '' || this.#taken.some(other => overlap(other, place))) return;
    this.#taken.push(place);
    this.labels.push({ ...label, width, isPlated });
  }
}

function overlap(a: Taken, b: Taken): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
