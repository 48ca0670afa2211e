import type { GraphCanvas } from '../../graph/cytoscape';
import type { Drawing } from '../../graph/drawing';
import { element } from '../../ui/dom';
import type { Theme } from '../../ui/theme';

const WIDTH = 168;
const HEIGHT = 104;

/** The whole drawing in small, with a frame around what is seen; a press goes there. The list says the same to those who cannot see it. */
export class Minimap {
  readonly view = element('div', { class: 'minimap', 'aria-hidden': 'true' });
  readonly #picture = element('canvas', { width: WIDTH * 2, height: HEIGHT * 2 });
  readonly #frame = element('div', { class: 'seen' });
  #scale = 1;
  #left = 0;
  #top = 0;
  #bounds = { x1: 0, y1: 0, x2: 0, y2: 0 };
  #isDue = false;

  constructor(private readonly canvas: () => GraphCanvas | undefined) {
    this.view.append(this.#picture, this.#frame);
    this.view.addEventListener('pointerdown', event => this.#go(event));
    this.view.addEventListener('pointermove', event => {
      if (event.buttons === 1) this.#go(event);
    });
  }

  draw(drawing: Drawing, theme: Theme): void {
    const pen = this.#picture.getContext('2d');
    if (pen === null) return;
    const boxes = [...drawing.frames.map(frame => frame.rect), ...drawing.nodes.map(node => ({ ...node.position, width: node.width, height: node.height }))];
    this.#left = Math.min(0, ...boxes.map(box => box.x - box.width / 2));
    this.#top = Math.min(0, ...boxes.map(box => box.y - box.height / 2));
    const width = Math.max(1, ...boxes.map(box => box.x + box.width / 2)) - this.#left;
    const height = Math.max(1, ...boxes.map(box => box.y + box.height / 2)) - this.#top;
    this.#bounds = { x1: this.#left, y1: this.#top, x2: this.#left + width, y2: this.#top + height };
    this.#scale = Math.min((WIDTH - 8) / width, (HEIGHT - 8) / height);
    this.#left -= ((WIDTH - 8) / this.#scale - width) / 2;
    this.#top -= ((HEIGHT - 8) / this.#scale - height) / 2;
    pen.setTransform(2, 0, 0, 2, 0, 0);
    pen.clearRect(0, 0, WIDTH, HEIGHT);
    const place = (x: number, y: number): [number, number] => [4 + (x - this.#left) * this.#scale, 4 + (y - this.#top) * this.#scale];
    pen.strokeStyle = theme.border;
    for (const { rect } of drawing.frames) {
      const [x, y] = place(rect.x - rect.width / 2, rect.y - rect.height / 2);
      pen.strokeRect(x, y, rect.width * this.#scale, rect.height * this.#scale);
    }
    for (const node of drawing.nodes) {
      const [x, y] = place(node.position.x - node.width / 2, node.position.y - node.height / 2);
      pen.fillStyle = node.classes.includes('start') ? theme.start : (areaColor(node.area?.place, theme) ?? theme.muted);
      pen.fillRect(x, y, Math.max(2, node.width * this.#scale), Math.max(1.5, node.height * this.#scale));
    }
    this.follow();
  }

  /** Moves the frame to what is seen, at most once per frame of the screen. */
  follow(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      const extent = this.canvas()?.extent;
      if (extent === undefined) return;
      const { x1, y1, x2, y2 } = this.#bounds;
      this.view.classList.toggle('needless', extent.x1 <= x1 && extent.y1 <= y1 && extent.x2 >= x2 && extent.y2 >= y2);
      const [left, top] = [4 + (extent.x1 - this.#left) * this.#scale, 4 + (extent.y1 - this.#top) * this.#scale];
      const [right, bottom] = [4 + (extent.x2 - this.#left) * this.#scale, 4 + (extent.y2 - this.#top) * this.#scale];
      const within = (value: number, most: number): number => Math.max(0, Math.min(most, value));
      Object.assign(this.#frame.style, {
        left: `${within(left, WIDTH - 4)}px`,
        top: `${within(top, HEIGHT - 4)}px`,
        width: `${within(right, WIDTH) - within(left, WIDTH - 4)}px`,
        height: `${within(bottom, HEIGHT) - within(top, HEIGHT - 4)}px`,
      });
    });
  }

  #go(event: PointerEvent): void {
    const box = this.view.getBoundingClientRect();
    // It is drawn smaller where there is little room.
    const shrunk = box.width / this.view.offsetWidth;
    const along = (pixels: number): number => (pixels / shrunk - 4) / this.#scale;
    this.canvas()?.centerOn(this.#left + along(event.clientX - box.left), this.#top + along(event.clientY - box.top));
  }
}

function areaColor(place: number | undefined, { areas }: Theme): string | undefined {
  return place === undefined ? undefined : areas[place % areas.length]?.line;
}
