/**
 * Draws a sheet with the page's own text and boxes, so that names are whole, scroll and are read out, with lines between them in the gaps.
 * Reports what is pointed at. In a narrow place the columns stand one below the other and there are no lines.
 */

import type { SceneDto } from '../../../../server/protocol/features';
import { shownText } from '../../../../server/protocol/shownText';
import { element, replaceChildren } from '../../ui/dom';
import { icon } from '../../ui/icons';
import { prefersReducedMotion } from '../../ui/theme';
import { lettersOf } from '../areas';
import { certaintyClasses } from '../certainty';
import type { Drawing } from '../drawing';
import { looks } from '../drawing';
import { signOf } from '../present';
import { type Box, type Curve, curve, DrawnLine, type Trunk, trunksOf } from './sheetLines';
import { type Sheet, type SheetCard, type SheetLine, type SheetRow, sheetOf } from './sheetModel';
import { type RowEvents, rowElement, titleElement } from './sheetRows';
import { spreadBar } from './spreadBar';

export interface SheetEvents extends RowEvents {
  /** A press beside everything. */
  onNothing(): void;
  /** A press on a line. */
  onLine(edge: SheetLine['edge']): void;
  /** An opened folder is to be closed. */
  onClose(group: string): void;
}

type Mark = 'selected' | 'fresh' | 'found' | 'pinned';

/** Below this width, in pixels of the page, columns stand one below the other. */
export const NARROW = 600;
/** As many columns fit beside code as they are; more stand closer. */
const COLUMNS_BESIDE_CODE = 3;
/** As many fit there when they stand closer. */
const CLOSER_BESIDE_CODE = 4;

export class SheetView {
  readonly view = element('div', { class: 'sheet', hidden: true, 'data-kind': 'sheet' });
  readonly #inner = element('div', { class: 'sheet-inner' });
  readonly #labels = element('div', { class: 'sheet-labels' });
  readonly #svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  /** By their places: a node may have two. */
  readonly #rows = new Map<string, HTMLElement>();
  /** The place that the reader was at last. */
  #at: string | undefined;
  #sheet: Sheet = { columns: [], lines: [] };
  #scene: SceneDto | undefined;
  #lines: DrawnLine[] = [];
  #selected: string | undefined;
  #pointed: string | undefined;
  #pointedLine: SheetLine | undefined;
  #way: ReadonlySet<string> = new Set();
  #isDue = false;
  #wasNarrow = false;

  constructor(private readonly events: SheetEvents) {
    this.#svg.setAttribute('class', 'sheet-lines');
    this.#svg.setAttribute('aria-hidden', 'true');
    this.view.append(this.#inner);
    this.view.addEventListener('scroll', () => this.#redrawSoon(), { passive: true });
    this.view.addEventListener('click', event => {
      if (event.target instanceof Element && event.target.closest('.sheet-row, .sheet-line, button, .sheet-title') === null) events.onNothing();
    });
    this.#inner.addEventListener('focusin', event => {
      this.#at = rowOf(event.target)?.dataset['place'] ?? this.#at;
    });
    this.#inner.addEventListener('pointerover', event => this.#point(rowIdOf(event.target)));
    this.#inner.addEventListener('pointerleave', () => this.#point(undefined));
    new ResizeObserver(() => this.#redrawSoon()).observe(this.#inner);
  }

  show(scene: SceneDto, { top }: { readonly top: boolean }): void {
    const focused = rowIdOf(document.activeElement);
    const { scrollTop, scrollLeft } = this.view;
    this.#scene = scene;
    this.#sheet = sheetOf(scene);
    this.#rows.clear();
    this.#svg.replaceChildren();
    this.#labels.replaceChildren();
    const spread = scene.spread === undefined || scene.spread.dependents + scene.spread.tests === 0 ? [] : [spreadBar(scene.spread)];
    replaceChildren(this.#inner, this.#svg, ...spread, ...this.#sheet.columns.map(column => this.#column(column, scene)), this.#labels);
    this.#inner.classList.toggle(
      'compared',
      scene.nodes.some(node => node.change !== undefined),
    );
    this.#inner.style.setProperty('--columns', String(this.#sheet.columns.length));
    this.#inner.classList.toggle('many', this.#sheet.columns.length > COLUMNS_BESIDE_CODE);
    this.#inner.classList.toggle('most', this.#sheet.columns.length > CLOSER_BESIDE_CODE);
    this.#lines = this.#sheet.lines.map(
      line =>
        new DrawnLine(line, {
          onPoint: pointed => {
            this.#pointedLine = pointed;
            this.#redrawSoon();
          },
          onOpen: ({ edge }) => this.events.onLine(edge),
        }),
    );
    this.#svg.append(...this.#lines.map(line => line.group));
    this.#stay();
    if (top) this.#toStart();
    else this.view.scrollTo({ top: scrollTop, left: scrollLeft });
    // The keys stay in the picture when the row that had them is gone.
    const [start = ''] = scene.starts;
    if (focused !== undefined && !top) (this.#rowOf(focused) ?? this.#rows.get(start))?.focus({ preventScroll: true });
    this.#redraw();
    this.view.dataset['drawn'] = String(scene.nodes.length);
  }

  /** Takes the room there is. Columns and lists have little in common: from one to the other, places of the view mean nothing. */
  resize(): void {
    this.#stay();
    if (this.#wasNarrow !== this.#isNarrow) {
      this.#toStart();
      const selected = this.#selected === undefined || this.#scene?.starts.includes(this.#selected) === true ? undefined : this.#rowOf(this.#selected);
      selected?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    this.#redrawSoon();
  }

  /** Puts the focus on a node, unless the reader is busy elsewhere. */
  focusOn(id: string | undefined, { force = false }: { readonly force?: boolean } = {}): void {
    const row = id === undefined ? undefined : this.#rowOf(id);
    const { activeElement } = document;
    const isFree = activeElement === null || activeElement === document.body || this.view.parentElement?.contains(activeElement) === true;
    if (row === undefined || (!isFree && !force)) return;
    row.focus({ preventScroll: true });
  }

  /** Gives a class to exactly these nodes. */
  mark(name: Mark, ids: Iterable<string>): void {
    const wanted = new Set(ids);
    if (name === 'selected') this.#selected = [...wanted][0];
    for (const row of this.#rows.values()) {
      const isWanted = wanted.has(row.dataset['id'] ?? '');
      row.classList.toggle(name, isWanted);
      if (name === 'selected') row.setAttribute('aria-current', String(isWanted));
    }
    this.#redrawSoon();
  }

  /** Brings out some nodes and fades the others; `undefined` ends it. */
  bringOut(ids: readonly string[] | undefined): void {
    const wanted = new Set(ids);
    for (const row of this.#rows.values()) {
      const isWanted = wanted.has(row.dataset['id'] ?? '');
      row.classList.toggle('covered', isWanted);
      row.classList.toggle('apart', ids !== undefined && !isWanted);
    }
  }

  /** Shows the way through some nodes; none ends it. */
  showPath(ids: readonly string[]): void {
    this.#way = new Set(ids.slice(1).flatMap((id, place) => [`${ids[place]}→${id}`, `${id}→${ids[place]}`]));
    this.#redrawSoon();
  }

  /** Brings a node into sight, unless it is there already. */
  reveal(id: string): void {
    this.#rowOf(id)?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: prefersReducedMotion() ? 'auto' : 'smooth' });
  }

  /** Where the reader is, of the places of a node. */
  placeOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : (this.#rowOf(id)?.dataset['place'] ?? id);
  }

  /** Goes to a place; returns the node that stands there. */
  goTo(place: string | undefined): string | undefined {
    this.#at = place;
    return place === undefined ? undefined : (this.#rows.get(place)?.dataset['id'] ?? place);
  }

  #rowOf(id: string): HTMLElement | undefined {
    const at = this.#at === undefined ? undefined : this.#rows.get(this.#at);
    return at?.dataset['id'] === id ? at : this.#rows.get(id);
  }

  /** Scrolls by most of a page. */
  page(by: 1 | -1): void {
    this.view.scrollBy({ top: by * this.view.clientHeight * 0.8, behavior: prefersReducedMotion() ? 'auto' : 'smooth' });
  }

  /** What is drawn, as places in the units of the page: for keys, for pictures that are saved. */
  get drawing(): Drawing {
    const scene = this.#scene;
    if (scene === undefined) return { nodes: [], edges: [], frames: [] };
    const byId = new Map(scene.nodes.map(node => [node.id, node]));
    const nodes = [...this.#rows].flatMap(([place, row]) => {
      const id = row.dataset['id'] ?? '';
      const node = byId.get(id);
      if (node === undefined) return [];
      const { x, y, width, height } = this.#rect(row);
      const share = scene.areas?.of[id];
      const area =
        scene.areas === undefined || node.role === 'bundle' ? {} : { area: { place: share?.areas[0], letters: share === undefined ? '' : lettersOf(share) } };
      const certainty = node.role === 'step' ? certaintyClasses(node.confidence) : [];
      return [
        {
          id: place,
          label: `${signOf(node)} ${shownText(row.dataset['name'] ?? node.label)}`.trimStart(),
          kind: node.kind,
          classes: [...looks(node), ...certainty],
          position: { x, y },
          width,
          height,
          ...area,
        },
      ];
    });
    const frames = [...this.#inner.querySelectorAll<HTMLElement>('.sheet-card[data-title]')].map(card => ({
      id: card.dataset['id'] ?? '',
      label: shownText(card.dataset['title'] ?? ''),
      kind: 'file',
      rect: this.#rect(card),
    }));
    const edges = this.#sheet.lines
      .filter(line => line.isMain)
      .map(({ id, edge, from, to }) => ({
        id,
        source: from,
        target: to,
        classes: ['sideways', ...certaintyClasses(edge.confidence)],
        width: 1.5,
      }));
    return { nodes, edges, frames };
  }

  #rect(part: HTMLElement): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } {
    const own = part.getBoundingClientRect();
    const all = this.#inner.getBoundingClientRect();
    return { x: own.left - all.left + own.width / 2, y: own.top - all.top + own.height / 2, width: own.width, height: own.height };
  }

  #column({ column, title, isTests, cards }: Sheet['columns'][number], scene: SceneDto): HTMLElement {
    const id = `sheet-column-${column}`;
    const side = column < 0 ? 'left' : column > 0 ? 'right' : 'middle';
    return element(
      'section',
      { class: `sheet-column ${side}`, 'aria-labelledby': id, 'data-column': column },
      element('h2', { id, class: 'sheet-heading', text: title }),
      element(
        'div',
        { class: 'sheet-cards' },
        ...cards.flatMap((card, place) => [...(isTests ? [] : lane(cards, place, column)), this.#card(card, scene, side)]),
      ),
    );
  }

  #card(card: SheetCard, scene: SceneDto, side: string): HTMLElement {
    const classes = ['sheet-card', card.kind, ...(card.isTest ? ['test'] : [])];
    const made = element('div', { class: classes.join(' '), 'data-id': card.id });
    if (card.kind === 'group' || card.kind === 'start') made.dataset['title'] = card.title;
    made.style.setProperty('--depth', String(card.depth));
    if (card.kind === 'fold') {
      const close = element(
        'button',
        { class: 'sheet-fold', 'aria-expanded': 'true', title: `Close ${card.title}`, on: { click: () => this.events.onClose(card.id) } },
        icon('folder'),
        card.title,
      );
      made.append(close);
      return made;
    }
    if (card.head !== undefined) made.append(this.#row({ node: card.head, place: card.head.id, name: card.title }, scene, side));
    else if (card.kind === 'group') made.append(titleElement(card, this.events));
    if (card.rows.length > 0) {
      const rows = card.rows.map(row => element('li', {}, this.#row(row, scene, side)));
      made.append(element('ul', { class: 'sheet-rows', 'aria-label': card.title }, ...rows));
    }
    return made;
  }

  #row({ name, node, place }: SheetRow, scene: SceneDto, side: string): HTMLElement {
    const row = rowElement(node, name, scene, side, this.events);
    const main = row.querySelector<HTMLElement>('.sheet-row') ?? row;
    main.dataset['place'] = place;
    this.#rows.set(place, main);
    return row;
  }

  /** What the view is about stays in sight while the reader scrolls, where there is room for all of it. */
  #stay(): void {
    const middle = this.#inner.querySelector<HTMLElement>('.sheet-column.middle .sheet-cards');
    middle?.classList.toggle('stays', middle.offsetHeight + STAY_MARGIN < this.view.clientHeight);
  }

  #toStart(): void {
    this.#wasNarrow = this.#isNarrow;
    const middle = this.#inner.querySelector<HTMLElement>('.sheet-column.middle');
    const left = middle === null ? 0 : middle.offsetLeft + middle.offsetWidth / 2 - this.view.clientWidth / 2;
    this.view.scrollTo({ top: 0, left: this.#isNarrow ? 0 : left });
    if (this.#isNarrow) middle?.scrollIntoView({ block: 'start' });
  }

  get #isNarrow(): boolean {
    return this.view.clientWidth < NARROW;
  }

  #point(id: string | undefined): void {
    if (id === this.#pointed) return;
    this.#pointed = id;
    this.#redrawSoon();
  }

  #redrawSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#redraw();
    });
  }

  /** Places are read first, then all lines are moved: the page is laid out once. */
  #redraw(): void {
    if (this.view.hidden || this.#isNarrow) return;
    const all = this.#inner.getBoundingClientRect();
    const boxes = new Map<string, Box>();
    for (const column of this.#inner.querySelectorAll<HTMLElement>('.sheet-column')) {
      const { left, right } = column.getBoundingClientRect();
      const place = Number(column.dataset['column']);
      for (const row of column.querySelectorAll<HTMLElement>('.sheet-row')) {
        const own = row.getBoundingClientRect();
        if (own.height > 0)
          boxes.set(row.dataset['place'] ?? '', { left: left - all.left, right: right - all.left, y: own.top - all.top + own.height / 2, column: place });
      }
    }
    this.#svg.setAttribute('width', String(this.#inner.scrollWidth));
    this.#svg.setAttribute('height', String(this.#inner.scrollHeight));
    const about = this.#pointed ?? undefined;
    this.#svg.classList.toggle('pointing', about !== undefined && this.#lines.some(({ line }) => touches(line, about)));
    const trunks = trunksOf(
      this.#sheet.lines.flatMap(({ id, isMain, ...ends }) => {
        const [from, to] = [boxes.get(ends.from), boxes.get(ends.to)];
        return isMain && from !== undefined && to !== undefined ? [{ id, from, to }] : [];
      }),
    );
    for (const drawn of this.#lines) this.#place(drawn, boxes, { about, trunk: trunks.get(drawn.line.id) });
  }

  #place(drawn: DrawnLine, boxes: ReadonlyMap<string, Box>, { about, trunk }: { readonly about: string | undefined; readonly trunk: Trunk | undefined }): void {
    const { line } = drawn;
    const { source, target } = line.edge;
    const [from, to] = [boxes.get(line.from), boxes.get(line.to)];
    const { subject, isBroughtOut, isOnWay } = this.#stateOf(line, about);
    const isShown = line.isMain || subject !== undefined || isOnWay || isBroughtOut;
    drawn.group.classList.toggle('gone', !isShown || from === undefined || to === undefined);
    if (!isShown || from === undefined || to === undefined) {
      drawn.say(undefined, true, this.#labels);
      return;
    }
    const path = curve(from, to, trunk);
    drawn.move(path);
    drawn.group.classList.toggle('incoming', subject === target);
    drawn.group.classList.toggle('outgoing', subject === source);
    drawn.group.classList.toggle('way', isOnWay);
    drawn.group.classList.toggle('about', isBroughtOut);
    const isPointed = this.#pointedLine === line;
    const says = isPointed || (isBroughtOut && hasRoomForWords(from, to));
    drawn.say(says ? wordsAt(path, from, to, subject === source) : undefined, !isPointed, this.#labels);
  }

  /** Which end of a line the reader looks at, if any, and whether the line is brought out for that. */
  #stateOf(line: SheetLine, about: string | undefined): { readonly subject: string | undefined; readonly isBroughtOut: boolean; readonly isOnWay: boolean } {
    const isAbout = about !== undefined && touches(line, about);
    // What the view is about has all lines; they say nothing more when it is selected.
    const chosen = this.#selected !== undefined && this.#scene?.starts.includes(this.#selected) !== true ? this.#selected : undefined;
    const isOfChosen = chosen !== undefined && touches(line, chosen);
    return {
      subject: isAbout ? about : isOfChosen ? chosen : undefined,
      isBroughtOut: isAbout || this.#pointedLine === line || (about === undefined && isOfChosen),
      isOnWay: this.#way.has(line.id),
    };
  }
}

/** Tests stand in a lane of their own, below a heading where something stands above it. */
function lane(cards: readonly SheetCard[], place: number, column: number): HTMLElement[] {
  const isFirst = cards[place]?.isTest === true && cards[place - 1]?.isTest !== true;
  return isFirst && column !== 0 ? [element('h3', { class: 'sheet-lane', text: 'Tests' })] : [];
}

function hasRoomForWords(from: Box, to: Box): boolean {
  if (from.column === to.column) return true;
  return (to.column > from.column ? to.left - from.right : from.left - to.right) >= ROOM_FOR_WORDS;
}

/** Where the words of a line stand: at the end that the reader does not look at. */
function wordsAt({ start, end }: Curve, from: Box, to: Box, isAtTarget: boolean): { readonly x: number; readonly y: number; readonly toRight: boolean } {
  if (isAtTarget) return { ...end, x: end.x + (end.toRight ? -8 : 8), toRight: !end.toRight };
  return { ...start, toRight: from.column === to.column ? from.column >= 0 : to.column > from.column };
}

/** Gaps narrower than this have no words in them, in pixels. */
const ROOM_FOR_WORDS = 84;
/** Above and below what stays in sight, in pixels. */
const STAY_MARGIN = 56;

function touches({ edge }: SheetLine, id: string): boolean {
  return edge.source === id || edge.target === id;
}

function rowIdOf(target: EventTarget | null): string | undefined {
  return rowOf(target)?.dataset['id'];
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.sheet-row') : null;
}
