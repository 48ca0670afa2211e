/** Names that can be read from any distance, as on a map: of the right size for the reader, the more important first, none over another. Plain data in and out. */
import type { Drawing, DrawnNode } from './drawing';

/** Scale from which on nodes carry their own names: these are nine pixels high then. */
export const LETTERED = 0.75;
/** Scale below which a name no longer fits into its node. */
export const FAR = 0.42;
/** A part that is brought near is shown no larger than this. */
export const NEAR = 0.9;

/** `name` is that of a node, `inside` one that the node has room for, `title` that of a frame, `caption` that of a place, `note` what a second line says. */
export type LabelLook = 'name' | 'inside' | 'start' | 'title' | 'caption' | 'note';

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
/** Fewer letters of a name say nothing. */
const MIN_LETTERS = 4;
/** Width of the picture of a kind, in the units of positions. */
const ICON = 24;
const MAX_FAR_LENGTH = 26;

/** All names of a drawing at one scale; none when nodes carry their own. Does not depend on the part that is seen, so that nothing comes and goes by moving. */
export function mapLabels(drawing: Drawing, zoom: number, measure: Measure): readonly MapLabel[] {
  if (zoom >= LETTERED) return [];
  const placing = new Placing(zoom, measure);
  const isFar = zoom < FAR;
  const ranked = drawing.nodes.toSorted((a, b) => rankOf(b) - rankOf(a) || (a.id < b.id ? -1 : 1));
  if (isFar) for (const node of ranked.filter(({ classes }) => classes.includes('start'))) placing.beside(node);
  for (const { id, text, position } of drawing.captions)
    placing.put({ id, text, look: 'caption', x: position.x - measure(text, 'caption') / 2 / zoom, y: position.y });
  for (const frame of drawing.frames.toSorted((a, b) => b.rect.width * b.rect.height - a.rect.width * a.rect.height || (a.id < b.id ? -1 : 1)))
    placing.title(frame);
  for (const node of ranked) {
    if (!isFar) placing.inside(node);
    else if (!node.classes.includes('start')) placing.beside(node);
  }
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

  /** In the node itself, as much of it as there is room for; a second line where there is room for two. */
  inside({ id, label, classes, position, width, height }: DrawnNode): void {
    const [first = '', second] = label.split('\n');
    const look = classes.includes('start') ? 'start' : 'inside';
    const room = (width - ICON) * this.zoom - 1;
    const x = position.x - width / 2 + ICON;
    const hasTwo = second !== undefined && height * this.zoom >= 2 * LINE_PX - PADDING_PX;
    const away = hasTwo ? (LINE_PX - 2) / 2 / this.zoom : 0;
    this.#line({ id, text: this.#cut(first, look, room), look, x, y: position.y - away });
    if (hasTwo) this.#line({ id, text: this.#cut(second, 'note', room), look: 'note', x, y: position.y + away });
  }

  /** Over the node, when nothing more important is there. */
  beside({ id, label, classes, position, width }: DrawnNode): void {
    const text = label.split('\n')[0] ?? '';
    const look = classes.includes('start') ? 'start' : 'name';
    const short = text.length > MAX_FAR_LENGTH ? `${text.slice(0, MAX_FAR_LENGTH - 1)}…` : text;
    this.put({ id, text: short, look, x: position.x - width / 2, y: position.y }, true);
  }

  /** At the upper left corner of a frame. */
  title({ id, label, rect, size }: Drawing['frames'][number]): void {
    const count = size === undefined ? '' : ` · ${size}`;
    const room = Math.max(rect.width * this.zoom, MIN_TITLE_PX) - 2 * PADDING_PX - this.measure(count, 'title');
    const text = this.#cut(label, 'title', room) + count;
    const [x, y] = [rect.x - rect.width / 2 + PADDING_PX / this.zoom, rect.y - rect.height / 2 + (LINE_PX / 2 + 1) / this.zoom];
    this.put({ id, text, look: 'title', x, y }, this.zoom < FAR);
  }

  put(label: Omit<MapLabel, 'width' | 'isPlated'>, isPlated = false): void {
    const width = this.measure(label.text, label.look);
    const [left, middle] = [label.x * this.zoom, label.y * this.zoom];
    const place: Taken = { left: left - PADDING_PX, right: left + width + PADDING_PX, top: middle - LINE_PX / 2, bottom: middle + LINE_PX / 2 };
    if (label.text === '' || this.#taken.some(other => overlap(other, place))) return;
    this.#taken.push(place);
    this.labels.push({ ...label, width, isPlated });
  }

  #line(label: Omit<MapLabel, 'width' | 'isPlated'>): void {
    if (label.text !== '') this.labels.push({ ...label, width: this.measure(label.text, label.look), isPlated: false });
  }

  /** As much of a text as there is room for; nothing when that says nothing. */
  #cut(text: string, look: LabelLook, room: number): string {
    if (this.measure(text, look) <= room) return text;
    let [least, most] = [0, text.length - 1];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (this.measure(`${text.slice(0, middle)}…`, look) <= room) least = middle;
      else most = middle - 1;
    }
    return least < MIN_LETTERS ? '' : `${text.slice(0, least).trimEnd()}…`;
  }
}

/** A title may stand out of a frame that is narrower than this. */
const MIN_TITLE_PX = 180;

function overlap(a: Taken, b: Taken): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
