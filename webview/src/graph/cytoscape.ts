/** The only importer of Cytoscape: draws placed things and reports what is pointed at. Nodes are Cytoscape's, lines the painter's. Knows nothing of where the data comes from. */
import cytoscape from 'cytoscape';
import { prefersReducedMotion, type Theme } from '../ui/theme';
import { MARGIN, panOf } from './camera';
import { styleOf } from './canvasStyle';
import type { Drawing, DrawnNode } from './drawing';
import { EdgePainter } from './edgePainter';
import { LabelPainter } from './labelPainter';
import type { Rect } from './layout/layoutTypes';
import { COLOR_BLOCKS_SCALE, MAX_FOCUS_SCALE, NODE_NAMES_SCALE } from './mapLabels';

export interface CanvasEvents {
  /** One press. */
  onSelect(id: string): void;
  /** One press that no second one followed. */
  onActivate?(id: string): void;
  /** Two presses. */
  onOpen(id: string): void;
  onMenu?(id: string, at: { readonly x: number; readonly y: number }): void;
  /** A press beside everything. */
  onNothing?(): void;
  /** The part that is seen has changed. */
  onViewport?(): void;
}

export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** What stays in sight when all of a drawing would be too small to read, and where: as a share of the width. */
export interface Fitting {
  readonly middle?: string;
  readonly share?: number;
  /** Scale below which nothing is fitted. */
  readonly least?: number;
  /** Scale at which the middle is shown when not all can be. */
  readonly readable?: number;
}

const MOVE_MS = 260;
/** Nothing is shown larger than this unasked, and a focus not smaller. */
const MAX_ZOOM = 1.15;
const READABLE = 0.82;
/** What is all in sight may be this small: names are written larger then. */
const WHOLE = 0.5;
/** The legend takes a line more or less with every picture. */
const FEW_PIXELS = 64;
/** A part that is brought into sight is not shown smaller. */
const MIN_PART = 0.6;
/** With more nodes than this a change is not animated: it would stutter. */
const MAX_ANIMATED = 300;
/** Pixels of an exported picture's longer side, at most. */
const MAX_PICTURE_PX = 8000;

export class GraphCanvas {
  readonly #graph: cytoscape.Core;
  readonly #painter = new EdgePainter();
  readonly #below = document.createElement('canvas');
  readonly #names = new LabelPainter();
  readonly #above = document.createElement('canvas');
  /** Nodes are too small for names of their own. */
  #isUnlettered = false;
  readonly #ratio = Math.min(2, window.devicePixelRatio);
  #drawing: Drawing = { nodes: [], edges: [], frames: [] };
  #theme: Theme;
  /** Nodes are on their way to new places. */
  #isMoving = false;
  #isPaintDue = false;
  /** How the picture was fitted, until the reader moves it. */
  #fitting: Fitting | undefined;
  /** Size of the place for it when it was last looked at. */
  #room = { width: 0, height: 0 };

  constructor(
    private readonly container: HTMLElement,
    theme: Theme,
    events: CanvasEvents,
  ) {
    this.#theme = theme;
    this.#graph = cytoscape({
      container,
      minZoom: 0.05,
      maxZoom: 2.5,
      autoungrabify: true,
      autounselectify: true,
      boxSelectionEnabled: false,
      pixelRatio: this.#ratio,
      style: styleOf(theme),
    });
    this.#below.className = 'below';
    this.#above.className = 'above';
    container.prepend(this.#below);
    container.append(this.#above);
    const idOf = (event: cytoscape.EventObject): string => (event.target as cytoscape.NodeSingular).id();
    this.#graph.on('tap', 'node', event => events.onSelect(idOf(event)));
    this.#graph.on('onetap', 'node', event => {
      if (!this.#nearFrame(idOf(event))) events.onActivate?.(idOf(event));
    });
    this.#graph.on('dbltap', 'node', event => events.onOpen(idOf(event)));
    this.#graph.on('cxttap', 'node', event => events.onMenu?.(idOf(event), event.renderedPosition));
    this.#graph.on('tap', event => {
      if (event.target === this.#graph) events.onNothing?.();
    });
    this.#graph.on('mouseover', 'node', event => this.#mute(idOf(event)));
    this.#graph.on('mouseout', 'node', () => this.#mute(undefined));
    this.#graph.on('viewport', () => events.onViewport?.());
    this.#graph.on('zoom', () => this.#letter(false));
    this.#graph.on('dragpan scrollzoom pinchzoom', () => this.#movedByReader());
    this.#graph.on('render', () => this.#paint());
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#graph.style(styleOf(theme));
    this.#paintSoon();
  }

  /** Draws in place of what is there; what stays moves to its new place. */
  show(drawing: Drawing, { fit = true, animate = false, ...where }: Fitting & { readonly fit?: boolean; readonly animate?: boolean } = {}): void {
    const isStill = !animate || prefersReducedMotion() || drawing.nodes.length > MAX_ANIMATED;
    this.#graph.nodes().stop(true, false);
    const moves = new Map<string, { readonly x: number; readonly y: number }>();
    this.#graph.batch(() => {
      const wanted = this.#wanted(drawing);
      this.#graph
        .elements()
        .filter(element => !wanted.has(element.id()))
        .remove();
      for (const node of [...drawing.frames.map(frameNode), ...drawing.nodes]) this.#put(node, isStill, moves);
    });
    this.#drawing = drawing;
    this.#painter.show(drawing);
    this.#names.show(drawing);
    this.#letter(true);
    this.#isMoving = moves.size > 0;
    this.container.dataset['drawn'] = String(drawing.nodes.length);
    // The final places count, also for what is still on its way there.
    if (fit) this.#fitTo(drawing, where);
    for (const [id, position] of moves) this.#graph.getElementById(id).animate({ position, duration: MOVE_MS, easing: 'ease-out' });
    this.#paintSoon();
  }

  #fitTo(drawing: Drawing, fitting: Fitting): void {
    const { middle, share = 0.5, least = 0, readable = READABLE } = fitting;
    this.#graph.resize();
    this.#room = { width: this.#graph.width(), height: this.#graph.height() };
    this.#fitting = fitting;
    const boxes = [...drawing.nodes.map(node => ({ ...node.position, width: node.width, height: node.height })), ...drawing.frames.map(frame => frame.rect)];
    if (boxes.length === 0) return;
    const left = Math.min(...boxes.map(box => box.x - box.width / 2));
    const right = Math.max(...boxes.map(box => box.x + box.width / 2));
    const top = Math.min(...boxes.map(box => box.y - box.height / 2));
    const bottom = Math.max(...boxes.map(box => box.y + box.height / 2));
    const [width, height] = [this.#graph.width(), this.#graph.height()];
    const whole = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top));
    const center = drawing.nodes.find(node => node.id === middle)?.position;
    const wished = center === undefined ? Math.max(this.#graph.minZoom(), least, whole) : whole >= WHOLE ? whole : readable;
    const zoom = Math.min(MAX_ZOOM, wished);
    this.#graph.viewport({
      zoom,
      pan: {
        x: panOf({ from: left, to: right, at: center?.x, share, room: width, zoom }),
        y: panOf({ from: top, to: bottom, at: center?.y, share: 0.5, room: height, zoom }),
      },
    });
  }

  /** All of it, or some nodes. */
  fit(ids?: readonly string[], animate = false): void {
    this.resize();
    this.#fitting = ids === undefined ? {} : undefined;
    const chosen = ids === undefined ? this.#graph.elements() : this.#graph.nodes().filter(node => ids.includes(node.id()));
    if (animate && !prefersReducedMotion()) {
      this.container.dataset['moving'] = '';
      const complete = (): void => void delete this.container.dataset['moving'];
      this.#graph.animate({ fit: { eles: chosen, padding: 40 }, duration: MOVE_MS, easing: 'ease-out', complete });
    } else this.#graph.fit(chosen, 40);
    if (this.#graph.zoom() > 1.15) {
      this.#graph.zoom(1.15);
      this.#graph.center(chosen);
    }
  }

  zoomBy(factor: number): void {
    this.#movedByReader();
    this.#graph.zoom({ level: this.#graph.zoom() * factor, renderedPosition: { x: this.#graph.width() / 2, y: this.#graph.height() / 2 } });
  }

  /** Takes the room there is. When it is another, what was fitted is fitted again, else what stood in the middle stays there; a line more or less below moves nothing. */
  resize(): void {
    const { width, height } = this.#room;
    this.#graph.resize();
    const [wider, higher] = [this.#graph.width() - width, this.#graph.height() - height];
    if (width > 0 && Math.abs(wider) < FEW_PIXELS && Math.abs(higher) < FEW_PIXELS) return;
    this.#room = { width: this.#graph.width(), height: this.#graph.height() };
    if (width === 0 || this.#room.width === 0) return;
    // What could be read is not made too small for it because a pane was opened.
    if (this.#fitting !== undefined) this.#fitTo(this.#drawing, { least: Math.min(this.#graph.zoom(), MIN_PART), ...this.#fitting });
    else this.#graph.panBy({ x: wider / 2, y: higher / 2 });
  }

  /** Moves to a part of the drawing that is not seen as a whole, as large as there is room for. */
  bring(rect: Rect): void {
    const { x1, y1, x2, y2 } = this.#graph.extent();
    const [left, right, top, bottom] = [rect.x - rect.width / 2, rect.x + rect.width / 2, rect.y - rect.height / 2, rect.y + rect.height / 2];
    if (left >= x1 && right <= x2 && top >= y1 && bottom <= y2) return;
    this.#move(rect, Math.max(MIN_PART, Math.min(this.#graph.zoom(), this.#zoomFor(rect))));
  }

  #movedByReader(): void {
    this.#fitting = undefined;
  }

  get camera(): Camera {
    return { ...this.#graph.pan(), zoom: this.#graph.zoom() };
  }

  setCamera({ x, y, zoom }: Camera): void {
    this.#movedByReader();
    this.#graph.viewport({ zoom, pan: { x, y } });
  }

  /** What is seen, in the units of positions. */
  get extent(): { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number } {
    return this.#graph.extent();
  }

  centerOn(x: number, y: number): void {
    this.#movedByReader();
    const zoom = this.#graph.zoom();
    this.#graph.pan({ x: this.#graph.width() / 2 - x * zoom, y: this.#graph.height() / 2 - y * zoom });
  }

  /** Brings a node into sight without changing the scale, unless it is there already. */
  reveal(id: string): void {
    const node = this.#graph.getElementById(id);
    if (node.empty()) return;
    const { x, y } = (node as cytoscape.NodeSingular).renderedPosition();
    const margin = 60;
    if (x < margin || y < margin || x > this.#graph.width() - margin || y > this.#graph.height() - margin) {
      this.#movedByReader();
      this.#graph.center(node);
    }
  }

  /** Gives a class to exactly these nodes. */
  mark(name: 'selected' | 'fresh' | 'found' | 'pinned', ids: Iterable<string>): void {
    const wanted = new Set(ids);
    if (name === 'selected') this.#names.choose([...wanted][0]);
    this.#graph.batch(() => {
      this.#graph.nodes(`.${name}`).removeClass(name);
      for (const id of wanted) this.#graph.getElementById(id).addClass(name);
    });
  }

  /** Brings out some nodes and fades the others; `undefined` ends it. */
  bringOut(ids: readonly string[] | undefined): void {
    const wanted = new Set(ids);
    this.#graph.batch(() => {
      for (const { id } of this.#drawing.nodes) {
        const node = this.#graph.getElementById(id);
        node.toggleClass('covered', wanted.has(id));
        node.toggleClass('apart', ids !== undefined && !wanted.has(id));
      }
    });
    this.#painter.bringOut(ids === undefined ? undefined : wanted);
    this.#paintSoon();
  }

  /** Shows the way through some nodes, and its links; none ends it. */
  showPath(ids: readonly string[]): void {
    this.#painter.way(ids);
    this.#paintSoon();
  }

  /** The whole drawing as base64 of a PNG. */
  async png(): Promise<string> {
    const box = this.#graph.elements().boundingBox();
    const [left, top] = [box.x1 - MARGIN, box.y1 - MARGIN];
    const [width, height] = [box.w + 2 * MARGIN, box.h + 2 * MARGIN];
    const scale = Math.min(2, MAX_PICTURE_PX / width, MAX_PICTURE_PX / height);
    const canvas = document.createElement('canvas');
    this.#graph.nodes('.far').removeClass('far');
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    const pen = canvas.getContext('2d');
    if (pen === null) return '';
    pen.fillStyle = this.#theme.background;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    this.#painter.paint(pen, { left, top, scale, width: canvas.width, height: canvas.height }, this.#theme);
    const nodes = this.#graph.png({ full: true, scale, output: 'blob-promise' });
    this.#letter(true);
    const drawn = await createImageBitmap(await nodes);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(drawn, MARGIN * scale, MARGIN * scale);
    return canvas.toDataURL('image/png').replace(/^.*,/s, '');
  }

  /** Lines follow the nodes in the same frame. */
  #paint(): void {
    this.#isPaintDue = false;
    const pen = this.#below.getContext('2d');
    if (pen === null) return;
    const [width, height] = [this.#graph.width() * this.#ratio, this.#graph.height() * this.#ratio].map(Math.round) as [number, number];
    if (this.#below.width !== width || this.#below.height !== height) for (const canvas of [this.#below, this.#above]) Object.assign(canvas, { width, height });
    else {
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.clearRect(0, 0, width, height);
    }
    if (this.#isMoving) {
      this.#painter.move(id => (this.#graph.getElementById(id) as cytoscape.NodeSingular).position());
      this.#isMoving = this.#graph.nodes().some(node => (node as cytoscape.NodeSingular).animated());
    }
    const { x1: left, y1: top } = this.#graph.extent();
    const sight = { left, top, scale: this.#graph.zoom() * this.#ratio, width, height };
    this.#painter.paint(pen, sight, this.#theme);
    const above = this.#above.getContext('2d');
    if (above !== null) this.#names.paint(above, sight, this.#ratio, this.#theme);
  }

  /** Takes the names from the nodes when they would be too small, and gives them back. */
  #letter(isDue: boolean): void {
    const isUnlettered = this.#graph.zoom() < NODE_NAMES_SCALE;
    if (!isDue && isUnlettered === this.#isUnlettered) return;
    this.#isUnlettered = isUnlettered;
    this.#graph.batch(() => this.#graph.nodes().toggleClass('far', isUnlettered));
  }

  /** Of what is far away a press brings the whole group near. */
  #nearFrame(id: string): boolean {
    const frame = this.#drawing.frames.find(known => known.id === id);
    if (frame === undefined || this.#graph.zoom() >= COLOR_BLOCKS_SCALE) return false;
    this.near(id);
    return true;
  }

  /** Brings a node or a group so near that its names can be read. */
  near(id: string): void {
    const frame = this.#drawing.frames.find(known => known.id === id)?.rect;
    const node = this.#drawing.nodes.find(known => known.id === id);
    const rect = frame ?? (node === undefined ? undefined : { ...node.position, width: node.width, height: node.height });
    if (rect !== undefined) this.#move(rect, Math.max(NODE_NAMES_SCALE, Math.min(MAX_FOCUS_SCALE, this.#zoomFor(rect))));
  }

  /** Scale at which all of it is seen. */
  #zoomFor({ width, height }: Rect): number {
    return Math.min((this.#graph.width() - 2 * MARGIN) / width, (this.#graph.height() - 2 * MARGIN) / height);
  }

  /** To as much of a part as there is room for, from its beginning. */
  #move(rect: Rect, zoom: number): void {
    this.#movedByReader();
    const [width, height] = [this.#graph.width(), this.#graph.height()];
    const [left, right, top, bottom] = [rect.x - rect.width / 2, rect.x + rect.width / 2, rect.y - rect.height / 2, rect.y + rect.height / 2];
    const pan = {
      x: panOf({ from: left, to: right, at: left, share: 0, room: width, zoom }),
      y: panOf({ from: top, to: bottom, at: top, share: 0, room: height, zoom }),
    };
    if (prefersReducedMotion()) this.#graph.viewport({ zoom, pan });
    else this.#graph.animate({ zoom, pan, duration: MOVE_MS, easing: 'ease-out' });
  }

  #paintSoon(): void {
    if (this.#isPaintDue) return;
    this.#isPaintDue = true;
    requestAnimationFrame(() => {
      if (this.#isPaintDue) this.#paint();
    });
  }

  #wanted(drawing: Drawing): ReadonlySet<string> {
    return new Set([...drawing.nodes, ...drawing.frames].map(thing => thing.id));
  }

  #put(node: DrawnNode, isStill: boolean, moves: Map<string, { readonly x: number; readonly y: number }>): void {
    const { area } = node;
    const areaData = area === undefined ? {} : { area: area.place ?? -1, ...(area.letters === '' ? {} : { letters: area.letters }) };
    const data = { id: node.id, label: node.label, kind: node.kind, width: node.width, height: node.height, ...areaData };
    const known = this.#graph.getElementById(node.id);
    if (known.empty()) {
      this.#graph.add({ group: 'nodes', data, position: { ...node.position }, classes: node.classes.join(' ') });
      return;
    }
    known.removeData('area letters');
    known.data(data);
    known.classes(node.classes.join(' '));
    const at = (known as cytoscape.NodeSingular).position();
    if (Math.abs(at.x - node.position.x) + Math.abs(at.y - node.position.y) < 0.5) return;
    if (isStill) known.position({ ...node.position });
    else moves.set(node.id, node.position);
  }

  /** Fades all but a node and its neighbors; `undefined` ends it. */
  #mute(id: string | undefined): void {
    if (id !== undefined && !this.#drawing.nodes.some(node => node.id === id)) return;
    const near = new Set([id, ...this.#drawing.edges.flatMap(({ source, target }) => (source === id ? target : target === id ? source : []))]);
    this.#graph.batch(() => {
      for (const node of this.#drawing.nodes) this.#graph.getElementById(node.id).toggleClass('muted', id !== undefined && !near.has(node.id));
    });
    this.#painter.point(id);
    this.#names.point(id);
    this.#paintSoon();
  }
}

function frameNode({ id, label, kind, rect }: Drawing['frames'][number]): DrawnNode {
  return { id, label, kind, classes: ['frame', kind], position: { x: rect.x, y: rect.y }, width: rect.width, height: rect.height };
}
