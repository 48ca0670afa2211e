/**
 * The picture of a scene: a sheet of rows for what stands around one thing (focus, impact), blocks for an overview, a canvas for other maps.
 * Knows where things stand and what is seen of them; the code that requests scenes does not.
 */
import type { SceneDto } from '../../../../server/protocol/features';
import type { PanelState } from '../../../../server/protocol/graphPanel';
import { asSvg } from '../../exports/exportScene';
import { BlocksView } from '../../graph/blocks/blocksView';
import { GraphCanvas } from '../../graph/cytoscape';
import type { Drawing } from '../../graph/drawing';
import { LayoutClient } from '../../graph/layout/layoutClient';
import type { LayoutMemory } from '../../graph/layout/layoutTypes';
import { drawingOf, layoutRequest, wayTo } from '../../graph/present';
import { pngOf } from '../../graph/sheet/sheetImage';
import { SheetView } from '../../graph/sheet/sheetView';
import { element } from '../../ui/dom';
import { onThemeChange, readTheme } from '../../ui/theme';
import { Minimap } from './minimap';

export interface PictureEvents {
  /** One press. */
  onSelect(id: string): void;
  /** One press on the map that no second one followed. */
  onActivate(id: string): void;
  /** Two presses. */
  onOpen(id: string): void;
  onNothing(): void;
  onExpand(key: string): void;
  onCollapse(id: string): void;
  /** A press on a line: shows where it is in the code. */
  onLine(source: string, target: string): void;
}

/** How a scene is drawn: from its beginning, or in place of the one that is there. */
export interface Drawn {
  readonly isPlace: boolean;
  readonly fit: boolean;
  readonly camera: PanelState['camera'] | undefined;
  /** A group that the reader has just opened. */
  readonly opening: string | undefined;
  readonly pinned: readonly string[];
  readonly coversAtom: boolean;
}

/** A map is not shown smaller than this at first: names of a good part of it can be read. */
const READABLE = 0.62;

export class GraphPicture {
  readonly stage = element('div', {
    class: 'canvas',
    tabindex: 0,
    role: 'application',
    'aria-roledescription': 'graph',
    'aria-label': 'Graph. Use the arrow keys to move between nodes, Enter to focus, and question mark to list all keys.',
  });
  readonly sheet: SheetView;
  readonly blocks: BlocksView;
  readonly map = new Minimap(() => this.#canvas);
  readonly #layout = new LayoutClient();
  #canvas: GraphCanvas | undefined;
  #drawing: Drawing = { nodes: [], edges: [], frames: [] };
  #memory: LayoutMemory | undefined;
  /** What draws the scene with parts of the page; the canvas does when there is none. */
  #page: SheetView | BlocksView | undefined;
  #isFirst = true;
  #hasMap = false;

  constructor(private readonly events: PictureEvents) {
    this.sheet = new SheetView({
      onSelect: id => events.onSelect(id),
      onOpen: id => events.onOpen(id),
      onExpand: key => events.onExpand(key),
      onNothing: () => events.onNothing(),
      onLine: ({ source, target }) => events.onLine(source, target),
      onClose: id => events.onCollapse(id),
    });
    this.blocks = new BlocksView({
      onSelect: id => events.onSelect(id),
      onOpen: id => events.onOpen(id),
      onExpand: key => events.onExpand(key),
      onNothing: () => events.onNothing(),
      onClose: id => events.onCollapse(id),
    });
  }

  /** Begins to draw; the parts stand in the page by then. */
  start(): void {
    const { events } = this;
    this.#canvas = new GraphCanvas(this.stage, readTheme(), {
      onSelect: id => {
        this.stage.focus({ preventScroll: true });
        events.onSelect(id);
      },
      onActivate: id => events.onActivate(id),
      onOpen: id => events.onOpen(id),
      onNothing: () => events.onNothing(),
      onViewport: () => {
        if (this.#hasMap) this.map.follow();
      },
    });
    onThemeChange(() => {
      this.#canvas?.setTheme(readTheme());
      this.drawMap();
    });
    new ResizeObserver(() => this.resize()).observe(this.stage);
    new ResizeObserver(() => this.resize()).observe(this.sheet.view);
    new ResizeObserver(() => this.resize()).observe(this.blocks.view);
  }

  /** Draws a scene; `false` when another one has come before it was drawn. */
  async draw(scene: SceneDto, how: Drawn, isCurrent: () => boolean): Promise<boolean> {
    const canvas = this.#canvas;
    if (canvas === undefined) return false;
    this.#page = scene.layout === 'sheet' ? this.sheet : scene.layout === 'blocks' ? this.blocks : undefined;
    for (const page of [this.sheet, this.blocks]) page.view.hidden = page !== this.#page;
    this.stage.hidden = this.#page !== undefined;
    if (this.#page !== undefined) this.#page.show(scene, { top: how.isPlace || how.fit });
    else if (!(await this.#drawMapped(canvas, scene, how, isCurrent))) return false;
    this.mark('pinned', how.pinned);
    const covered = how.coversAtom ? (scene.atom?.nodes ?? []) : undefined;
    (this.#page ?? canvas).bringOut(covered);
    this.drawMap();
    return true;
  }

  async #drawMapped(canvas: GraphCanvas, scene: SceneDto, { fit, camera, opening, isPlace }: Drawn, isCurrent: () => boolean): Promise<boolean> {
    canvas.resize();
    const arrangement = await this.#layout.arrange(layoutRequest(scene, this.#ratio, this.#memory));
    if (arrangement === undefined || !isCurrent()) return false;
    this.#memory = arrangement.memory;
    this.#drawing = drawingOf(scene, arrangement);
    canvas.show(this.#drawing, { fit: camera === undefined && (isPlace || fit), animate: !this.#isFirst, least: READABLE });
    this.#isFirst = false;
    if (camera !== undefined) canvas.setCamera(camera);
    const opened = this.#drawing.frames.find(frame => frame.id === opening);
    if (opened !== undefined) canvas.bring(opened.rect);
    return true;
  }

  /** Forgets where things stood. */
  forget(): void {
    this.#memory = undefined;
  }

  select(id: string | undefined, scene: SceneDto | undefined): void {
    const way = id === undefined || scene === undefined ? [] : wayTo(scene, id);
    this.mark('selected', id === undefined ? [] : [id]);
    if (this.#page === this.sheet) this.sheet.showPath(way);
    else if (this.#page === undefined) this.#canvas?.showPath(way);
    if (id === undefined) return;
    (this.#page ?? this.#canvas)?.reveal(id);
    this.#page?.focusOn(id);
  }

  mark(name: 'selected' | 'fresh' | 'found' | 'pinned', ids: Iterable<string>): void {
    (this.#page ?? this.#canvas)?.mark(name, ids);
  }

  /** Where a node stands in the drawing; of several places, where the reader is. */
  placeOf(id: string | undefined): string | undefined {
    return this.#page === this.sheet ? this.sheet.placeOf(id) : id;
  }

  /** Goes to a place in the drawing; returns the node that stands there. */
  goTo(place: string | undefined): string | undefined {
    return this.#page === this.sheet ? this.sheet.goTo(place) : place;
  }

  fit(): void {
    if (this.#page === undefined) this.#canvas?.fit(undefined, true);
    else {
      this.#page.view.scrollTo({ top: 0 });
      this.#page.resize();
    }
  }

  zoom(factor: number): void {
    if (this.#page === this.sheet) this.sheet.page(factor > 1 ? -1 : 1);
    else if (this.#page === this.blocks) this.blocks.zoom(factor > 1);
    else this.#canvas?.zoomBy(factor);
  }

  /** Brings a node so near that its name can be read. */
  near(id: string): void {
    if (this.#page === undefined) this.#canvas?.near(id);
    else this.#page.reveal(id);
  }

  resize(): void {
    (this.#page ?? this.#canvas)?.resize();
  }

  get camera(): PanelState['camera'] {
    return this.#page === undefined ? this.#canvas?.camera : undefined;
  }

  get drawing(): Drawing {
    return this.#page?.drawing ?? this.#drawing;
  }

  /** Base64 of a PNG of all of it. */
  async png(title: string): Promise<string> {
    return this.#page === undefined ? ((await this.#canvas?.png()) ?? '') : pngOf(asSvg(this.drawing, readTheme(), title));
  }

  showMap(isShown: boolean): void {
    this.#hasMap = isShown;
    this.map.view.hidden = !isShown || this.#page !== undefined;
  }

  drawMap(): void {
    this.map.view.hidden = !this.#hasMap || this.#page !== undefined;
    if (this.#page === undefined) this.map.draw(this.#drawing, readTheme());
  }

  get #ratio(): number {
    const { width, height } = this.stage.getBoundingClientRect();
    return height > 0 && width > 0 ? Math.max(0.5, Math.min(3, width / height)) : 1.5;
  }
}
