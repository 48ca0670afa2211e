import type { KindFamily, Theme } from '../ui/theme';
import { POSSIBLE } from './certainty';
import type { Drawing, DrawnNode } from './drawing';
import type { Viewport } from './edgePainter';
import { COLOR_BLOCKS_SCALE, type LabelLook, LINE_PX, type MapLabel, mapLabels, NODE_NAMES_SCALE } from './mapLabels';

/** Zoomed out so far that nodes cannot show their names: draws names of one size, and nodes as filled blocks. */
export class LabelPainter {
  #drawing: Drawing = { nodes: [], edges: [], frames: [] };
  #labels: readonly MapLabel[] = [];
  #zoom = Number.NaN;
  #font = '';
  readonly #widths = new Map<string, number>();
  #pointed: string | undefined;
  #chosen: string | undefined;

  show(drawing: Drawing): void {
    this.#drawing = drawing;
    this.#zoom = Number.NaN;
  }

  /** The node below the pointer is named whatever is beside it. */
  point(id: string | undefined): void {
    this.#pointed = id;
  }

  /** So is what is selected. */
  choose(id: string | undefined): void {
    this.#chosen = id;
  }

  /** `scale` is in pixels of the canvas, of which there are `ratio` in one of the page. */
  paint(pen: CanvasRenderingContext2D, { left, top, scale, width, height }: Viewport, ratio: number, theme: Theme): void {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    const zoom = scale / ratio;
    if (zoom >= NODE_NAMES_SCALE) return;
    this.#place(pen, zoom, theme);
    const at = (x: number, y: number): readonly [x: number, y: number] => [(x - left) * zoom, (y - top) * zoom];
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.textBaseline = 'middle';
    if (zoom < COLOR_BLOCKS_SCALE)
      for (const node of this.#drawing.nodes) block(pen, node, at(node.position.x - node.width / 2, node.position.y - node.height / 2), zoom, theme);
    const called = this.#callouts(zoom);
    for (const label of this.#labels) {
      if (called.some(node => node.id === label.id)) continue;
      const [x, y] = at(label.x, label.y);
      if (x > width / ratio || x + label.width < 0 || y < -LINE_PX || y > height / ratio + LINE_PX) continue;
      write(pen, label, x, y, theme);
    }
    for (const node of called) {
      const [x, y] = at(node.position.x - node.width / 2, node.position.y);
      this.#callout(pen, node, Math.max(2, x), y, theme);
    }
  }

  /** What is selected and what is pointed at, unless it can be read as it is: that is not said twice. */
  #callouts(zoom: number): DrawnNode[] {
    return [...new Set([this.#chosen, this.#pointed])].flatMap(id => {
      const node = this.#drawing.nodes.find(known => known.id === id);
      const isWritten = this.#labels.some(label => label.id === id);
      return node === undefined || (zoom >= COLOR_BLOCKS_SCALE && isWritten) ? [] : [node];
    });
  }

  #callout(pen: CanvasRenderingContext2D, { label, classes }: DrawnNode, x: number, y: number, theme: Theme): void {
    const text = label.replaceAll('\n', ' · ');
    const look = classes.includes('start') ? 'start' : 'name';
    const width = this.#measure(pen, text, look);
    write(pen, { text, look, width, isPlated: true }, x, y, theme);
    pen.strokeStyle = theme.focus;
    pen.lineWidth = 1;
    pen.strokeRect(x - 4, y - LINE_PX / 2 - 1, width + 8, LINE_PX + 2);
  }

  #place(pen: CanvasRenderingContext2D, zoom: number, theme: Theme): void {
    if (this.#font !== theme.narrow) {
      this.#font = theme.narrow;
      this.#widths.clear();
      this.#zoom = Number.NaN;
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    if (zoom === this.#zoom) return;
    this.#zoom = zoom;
    this.#labels = mapLabels(this.#drawing, zoom, (text, look) => this.#measure(pen, text, look));
  }

  #measure(pen: CanvasRenderingContext2D, text: string, look: LabelLook): number {
    const key = `${look} ${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    pen.font = fontOf(look, this.#font);
    const { width } = pen.measureText(text);
    this.#widths.set(key, width);
    return width;
  }
}

function fontOf(look: LabelLook, font: string): string {
  return `${look === 'title' || look === 'start' ? '600 ' : ''}11px ${font}`;
}

function write(pen: CanvasRenderingContext2D, { text, look, width, isPlated }: Omit<MapLabel, 'id' | 'x' | 'y'>, x: number, y: number, theme: Theme): void {
  if (isPlated) {
    pen.globalAlpha = look === 'start' || theme.isHighContrast ? 1 : 0.86;
    pen.fillStyle = look === 'start' ? theme.start : theme.background;
    pen.beginPath();
    pen.roundRect(x - 3, y - LINE_PX / 2, width + 6, LINE_PX, 3);
    pen.fill();
    pen.globalAlpha = 1;
  }
  pen.font = fontOf(look, theme.narrow);
  pen.fillStyle = look === 'start' ? theme.onStart : theme.foreground;
  pen.fillText(text, x, y + 0.5);
}

/** What is sure is filled, what is not is an outline; a test has a line through it. */
function block(
  pen: CanvasRenderingContext2D,
  { classes, width, height, area }: DrawnNode,
  [x, y]: readonly [x: number, y: number],
  zoom: number,
  theme: Theme,
): void {
  const [wide, high] = [Math.max(3, width * zoom), Math.max(2, height * zoom)];
  const color = colorOf(classes, area?.place, theme);
  pen.globalAlpha = theme.isHighContrast ? 0.8 : 0.5;
  pen.fillStyle = color;
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  if (classes.includes(POSSIBLE) || classes.includes('bundle')) pen.strokeRect(x + 0.5, y + 0.5, wide - 1, high - 1);
  else pen.fillRect(x, y, wide, high);
  pen.globalAlpha = 1;
  if (!classes.includes('test')) return;
  pen.fillStyle = classes.includes(POSSIBLE) ? color : theme.background;
  pen.fillRect(x + 1, y + high / 2 - 0.5, wide - 2, 1);
}

const FAMILIES: readonly KindFamily[] = ['code', 'type', 'file', 'data', 'knowledge'];

/** As the outline of the node has it. */
function colorOf(classes: readonly string[], place: number | undefined, theme: Theme): string {
  if (classes.includes('start')) return theme.start;
  if (classes.includes('bundle')) return theme.muted;
  if (place !== undefined) return theme.areas[place % theme.areas.length]?.line ?? theme.muted;
  const family = FAMILIES.find(name => classes.includes(name));
  return family === undefined ? theme.muted : theme.kinds[family];
}
