/**
 * Draws an overview with the page's own boxes and text: every block has its whole name at the size of the editor's text, however far the reader
 * has opened things, and lines run around blocks. Reports what is pressed. Lines of a block that are not drawn always are, while it is pointed at or selected.
 */

import type { SceneDto, SceneNodeDto } from '../../../../server/protocol/features';
import { figure } from '../../../../server/protocol/figures';
import { relationName, violationWords } from '../../panels/graph/words';
import { element, replaceChildren, withBreaks } from '../../ui/dom';
import { icon, iconOfKind } from '../../ui/icons';
import { prefersReducedMotion } from '../../ui/theme';
import { areaWords, lettersOf } from '../areas';
import { certaintyClasses, isPossible } from '../certainty';
import type { Drawing } from '../drawing';
import { looks } from '../drawing';
import { type BlockPlaces, type PlacedLevel, placeBlocks, type Size } from './blockLayout';
import { arrowPath, type Route, routes } from './blockRoutes';
import { type Block, type BlockLink, blockTree, type Level, trafficOf } from './blockTree';

export interface BlockEvents {
  /** One press. */
  onSelect(id: string): void;
  /** Two presses on a file or symbol. */
  onOpen(id: string): void;
  /** Shows what is in a block, or more of them. */
  onExpand(key: string): void;
  /** An opened block is to be closed; absent where nothing opens or closes. */
  onClose?(id: string): void;
  onNothing(): void;
}

type Mark = 'selected' | 'fresh' | 'found' | 'pinned';

const SVG = 'http://www.w3.org/2000/svg';
/** In a narrower place an overview scrolls, in pixels. */
const MIN_WIDTH = 340;
const NOTHING: BlockPlaces = { places: new Map(), levels: [], size: { width: 0, height: 0 } };
/** Below the picture, in pixels: what lies over its lower edge covers nothing. */
const MARGIN = 16;

export class BlocksView {
  readonly view = element('div', { class: 'blocks', hidden: true, 'data-kind': 'blocks' });
  readonly #inner = element('div', { class: 'blocks-inner' });
  readonly #label = element('span', { class: 'block-label', hidden: true, 'aria-hidden': 'true' });
  readonly #svg = document.createElementNS(SVG, 'svg');
  readonly #blocks = new Map<string, HTMLElement>();
  readonly #frames = new Map<string, HTMLElement>();
  #bands: HTMLElement[] = [];
  #scene: SceneDto | undefined;
  #root: Level = { blocks: [], links: [] };
  #placed = NOTHING;
  #routes = new Map<string, { readonly link: BlockLink; readonly route: Route }>();
  #selected: string | undefined;
  #pointed: string | undefined;
  #width = 0;
  /** Uses that the heaviest line stands for. */
  #most = 1;

  constructor(private readonly events: BlockEvents) {
    this.#svg.setAttribute('class', 'block-lines');
    this.#svg.setAttribute('aria-hidden', 'true');
    this.view.append(this.#inner);
    this.view.addEventListener('click', event => {
      if (event.target instanceof Element && event.target.closest('.block, button') === null) events.onNothing();
    });
    this.#inner.addEventListener('pointerover', event => this.#point(blockIdOf(event.target)));
    this.#inner.addEventListener('pointerleave', () => this.#point(undefined));
  }

  show(scene: SceneDto, { top }: { readonly top: boolean }): void {
    const focused = blockIdOf(document.activeElement);
    this.#scene = scene;
    this.#root = blockTree(scene);
    this.#blocks.clear();
    this.#frames.clear();
    this.#pointed = undefined;
    const parts = this.#elements(this.#root, scene);
    this.#bands = (scene.layers ?? []).map(name => element('div', { class: 'block-band', hidden: true }, element('span', { text: name })));
    replaceChildren(this.#inner, ...this.#bands, this.#svg, ...parts, this.#label);
    this.#lay();
    if (top) this.view.scrollTo({ top: 0, left: 0 });
    if (focused !== undefined) this.#blocks.get(focused)?.focus({ preventScroll: true });
    // Keys work at once.
    else if (top && (document.activeElement ?? document.body) === document.body) [...this.#blocks.values()][0]?.focus({ preventScroll: true });
    this.view.dataset['drawn'] = String(scene.nodes.length);
  }

  /** Takes the room there is. */
  resize(): void {
    if (!this.view.hidden && this.view.clientWidth !== this.#width) this.#lay();
  }

  focusOn(id: string | undefined): void {
    const { activeElement } = document;
    const isFree = activeElement === null || activeElement === document.body || this.view.parentElement?.contains(activeElement) === true;
    if (id !== undefined && isFree) this.#blocks.get(id)?.focus({ preventScroll: true });
  }

  /** Gives a class to exactly these blocks. */
  mark(name: Mark, ids: Iterable<string>): void {
    const wanted = new Set(ids);
    if (name === 'selected') this.#selected = [...wanted][0];
    for (const [id, block] of this.#blocks) {
      block.classList.toggle(name, wanted.has(id));
      if (name === 'selected') block.setAttribute('aria-current', String(wanted.has(id)));
    }
    if (name === 'selected') this.#drawLines();
  }

  /** Brings out some blocks and fades the others; `undefined` ends it. */
  bringOut(ids: readonly string[] | undefined): void {
    const wanted = new Set(ids);
    for (const [id, block] of this.#blocks) {
      block.classList.toggle('covered', wanted.has(id));
      block.classList.toggle('apart', ids !== undefined && !wanted.has(id));
    }
  }

  reveal(id: string): void {
    this.#blocks.get(id)?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: prefersReducedMotion() ? 'auto' : 'smooth' });
  }

  /** A step nearer opens the block that is selected, else the one with most code; a step back closes what was opened innermost. */
  zoom(isNearer: boolean): void {
    const scene = this.#scene;
    if (scene === undefined) return;
    if (!isNearer) {
      const own = scene.nodes.find(node => node.id === this.#selected)?.parent ?? innermost(this.#root);
      if (own !== undefined && !scene.starts.includes(own)) this.events.onClose?.(own);
      return;
    }
    const closed = scene.nodes.filter(node => node.expand !== undefined && node.role !== 'bundle');
    const next = closed.find(node => node.id === this.#selected) ?? closed.toSorted((a, b) => (b.lines ?? 0) - (a.lines ?? 0))[0];
    if (next?.expand !== undefined) this.events.onExpand(next.expand);
  }

  /** What is drawn, as places in the units of the page. */
  get drawing(): Drawing {
    const scene = this.#scene;
    if (scene === undefined) return { nodes: [], edges: [], frames: [] };
    const middle = ({ x, y, width, height }: { readonly x: number; readonly y: number } & Size): { readonly x: number; readonly y: number } & Size => ({
      x: x + width / 2,
      y: y + height / 2,
      width,
      height,
    });
    const nodes = scene.nodes.flatMap(node => {
      const place = this.#placed.places.get(node.id);
      if (place === undefined) return [];
      const { x, y, width, height } = middle(place);
      const share = scene.areas?.of[node.id];
      const area =
        scene.areas === undefined || node.role === 'bundle' ? {} : { area: { place: share?.areas[0], letters: share === undefined ? '' : lettersOf(share) } };
      const text = [node.label, ...factsOf(node, scene)].join('\n');
      return [{ id: node.id, label: text, kind: node.kind, classes: looks(node), position: { x, y }, width, height, ...area }];
    });
    const frames = scene.groups.flatMap(({ id, kind, label, size }) => {
      const place = this.#placed.places.get(id);
      return place === undefined ? [] : [{ id, label, kind, rect: middle(place), size }];
    });
    const edges = [...this.#routes.values()]
      .filter(({ link }) => link.isMain)
      .map(({ link, route }) => ({
        id: link.id,
        source: link.source,
        target: link.target,
        classes: [...certaintyClasses(link.confidence), ...problemClasses(link)],
        width: weightOf(link, this.#most),
        path: route.path,
      }));
    return { nodes, edges, frames };
  }

  /** Elements in the order of the rows, so that they are read in it. */
  #elements(level: Level, scene: SceneDto): HTMLElement[] {
    return level.blocks.flatMap(block => {
      if (block.frame === undefined) return block.node === undefined ? [] : [this.#block(block, block.node, scene, level)];
      const { group } = block.frame;
      const name = [
        icon(iconOfKind(group.kind)),
        element('span', { class: 'block-name' }, ...withBreaks(group.label)),
        ...(block.lines === 0 ? [] : [element('span', { class: 'block-facts', text: linesText(block.lines) })]),
      ];
      const close = this.#head(group, name);
      const frame = element('div', { class: 'block-frame', 'data-id': group.id }, close);
      this.#frames.set(group.id, frame);
      return [frame, ...this.#elements(block.frame.level, scene)];
    });
  }

  /** What an opened block is called; a press closes it. */
  #head({ id, label }: SceneDto['groups'][number], name: readonly Element[]): HTMLElement {
    if (this.events.onClose === undefined) return element('div', { class: 'block-close' }, ...name);
    const on = { click: () => this.events.onClose?.(id) };
    return element('button', { class: 'block-close', 'aria-expanded': 'true', title: `Close ${label}`, on }, ...name);
  }

  #block(block: Block, node: SceneNodeDto, scene: SceneDto, level: Level): HTMLElement {
    const share = scene.areas?.of[node.id];
    const shade = scene.shades?.of[node.id];
    const isBundle = node.role === 'bundle';
    const classes = ['block', ...looks(node), ...(shade === undefined ? [] : [`${scene.shades?.by ?? ''}`, `shade-${shade.level}`])];
    const first = share?.areas[0];
    if (first !== undefined) classes.push('in-area', `area-${(first % 8) + 1}`);
    const letter = share === undefined ? [] : [element('span', { class: `letter area-${((first ?? 0) % 8) + 1}`, 'data-letters': lettersOf(share) })];
    const facts = factsOf(node, scene);
    const main = element(
      'button',
      { class: classes.join(' '), 'aria-label': spoken(node, scene, level), title: node.path === '' ? node.label : node.path },
      element('span', { class: 'block-title' }, icon(iconOfKind(node.kind)), element('span', { class: 'block-name' }, ...withBreaks(node.label)), ...letter),
      ...facts.flatMap(text => [' ', element('span', { class: 'block-facts', text })]),
    );
    main.dataset['id'] = block.id;
    main.dataset['name'] = node.label;
    main.addEventListener('click', () => {
      if (isBundle && node.expand !== undefined) this.events.onExpand(node.expand);
      else this.events.onSelect(node.id);
    });
    main.addEventListener('dblclick', () => {
      if (isBundle) return;
      if (node.expand === undefined) this.events.onOpen(node.id);
      else this.events.onExpand(node.expand);
    });
    this.#blocks.set(block.id, main);
    return main;
  }

  /** Sizes of the texts are read first, then everything is placed: the page is laid out twice at most. */
  #lay(): void {
    const { clientHeight, clientWidth } = this.view;
    if (clientWidth === 0) return;
    this.#width = clientWidth;
    this.#inner.classList.add('measuring');
    const sizes = new Map<string, Size>();
    for (const [id, block] of this.#blocks) sizes.set(id, { width: Math.ceil(block.offsetWidth) + 1, height: Math.ceil(block.offsetHeight) });
    for (const [id, frame] of this.#frames) {
      const close = frame.querySelector<HTMLElement>('.block-close');
      sizes.set(id, { width: (close?.offsetWidth ?? 0) + 16, height: close?.offsetHeight ?? 0 });
    }
    this.#inner.classList.remove('measuring');
    const leastSize = ({ id }: Block): Size => sizes.get(id) ?? { width: 80, height: 40 };
    this.#placed = placeBlocks(this.#root, { width: Math.max(MIN_WIDTH, clientWidth), height: clientHeight - MARGIN, leastSize });
    this.#inner.style.width = `${this.#placed.size.width}px`;
    this.#inner.style.height = `${this.#placed.size.height + MARGIN}px`;
    for (const [id, part] of [...this.#blocks, ...this.#frames]) {
      const place = this.#placed.places.get(id);
      if (place === undefined) continue;
      Object.assign(part.style, { left: `${place.x}px`, top: `${place.y}px`, width: `${place.width}px`, height: `${place.height}px` });
    }
    this.#layBands();
    this.#drawLines();
  }

  #layBands(): void {
    const bands = this.#placed.levels.flatMap(({ bands: own, left, right }) => own.map(band => ({ ...band, left, right })));
    for (const [layer, part] of this.#bands.entries()) {
      const band = bands.find(one => one.layer === layer);
      part.hidden = band === undefined;
      if (band !== undefined)
        Object.assign(part.style, {
          left: `${band.left}px`,
          top: `${band.y}px`,
          width: `${band.right - band.left}px`,
          height: `${band.bottom - band.y + 8}px`,
        });
    }
  }

  #point(id: string | undefined): void {
    if (id === this.#pointed) return;
    this.#pointed = id;
    this.#drawLines();
  }

  /** The lines that are drawn always, and those of what the reader looks at. */
  #drawLines(): void {
    // Everything follows from where a flow begins: nothing fades for it.
    const isStart = this.#selected !== undefined && this.#scene?.starts.includes(this.#selected) === true;
    const about = this.#pointed ?? (isStart ? undefined : this.#selected);
    const { size, levels, places } = this.#placed;
    this.#svg.setAttribute('width', String(size.width));
    this.#svg.setAttribute('height', String(size.height));
    this.#routes = new Map();
    this.#most = Math.max(1, ...levels.flatMap(({ level }) => level.links.map(link => link.count)));
    for (const level of levels) {
      const shown = level.level.links.filter(link => link.isMain || (about !== undefined && isAbout(link, about)));
      // Lines that are always there keep their ways while others come and go.
      const ordered = shown.toSorted((a, b) => Number(b.isMain) - Number(a.isMain));
      const ways = routes(level, ordered, places);
      for (const link of ordered) {
        const route = ways.get(link.id);
        if (route !== undefined) this.#routes.set(link.id, { link, route });
      }
    }
    const hasAbout = about !== undefined && [...this.#routes.values()].some(({ link }) => isAbout(link, about));
    this.#svg.classList.toggle('pointing', hasAbout);
    const taken = [...this.#placed.places].flatMap(([id, place]) => (this.#blocks.has(id) ? [place] : []));
    const drawn = [...this.#routes.values()].map(({ link, route }) => this.#line(link, route, hasAbout ? about : undefined, taken));
    // No line runs over words.
    this.#svg.replaceChildren(...drawn.map(({ line }) => line), ...drawn.flatMap(({ words }) => words));
    this.#brighten(hasAbout ? about : undefined, levels);
  }

  /** Blocks at the other ends, also of links that end in frames. */
  #brighten(about: string | undefined, levels: readonly PlacedLevel[]): void {
    const users = new Set<string>();
    const used = new Set<string>();
    if (about !== undefined) {
      for (const { level } of levels)
        for (const { edges } of level.links)
          for (const { source, target } of edges) {
            if (target === about) users.add(source);
            if (source === about) used.add(target);
          }
    }
    for (const [id, block] of this.#blocks) {
      block.classList.toggle('user', users.has(id));
      block.classList.toggle('used', used.has(id));
    }
  }

  /** `taken` is what words must not cover; what is written is added to it. */
  #line(
    link: BlockLink,
    { path, end, middle }: Route,
    about: string | undefined,
    taken: Rect[],
  ): { readonly line: SVGGElement; readonly words: readonly SVGGElement[] } {
    const group = document.createElementNS(SVG, 'g');
    const isOfSource = about !== undefined && link.edges.some(edge => edge.source === about);
    const isOfTarget = about !== undefined && link.edges.some(edge => edge.target === about);
    const classes = [
      'block-line',
      ...(isPossible(link.confidence) ? ['possible'] : []),
      ...problemClasses(link),
      ...(isOfSource ? ['outgoing'] : isOfTarget ? ['incoming'] : []),
    ];
    group.setAttribute('class', classes.join(' '));
    group.dataset['id'] = link.id;
    const part = (name: string, d: string): SVGPathElement => {
      const made = document.createElementNS(SVG, 'path');
      made.setAttribute('class', name);
      made.setAttribute('d', d);
      return made;
    };
    const seen = part('seen', path);
    // What breaks rules is seen however few uses it stands for.
    const weight = weightOf(link, this.#most);
    seen.setAttribute('stroke-width', String(link.violations > 0 ? Math.max(2, weight) : weight));
    group.append(seen, part('arrow', arrowPath(end)), part('wide', path));
    group.addEventListener('pointerenter', () => this.#say(link, middle));
    group.addEventListener('pointerleave', () => this.#say(undefined, middle));
    const traffic = trafficOf(link);
    const labelText = [...(traffic === '' || traffic === 'store' ? [] : [traffic]), ...violationWords(link)].join(', ');
    if (labelText === '') return { line: group, words: [] };
    const words = document.createElementNS(SVG, 'g');
    words.setAttribute('class', classes.join(' '));
    words.append(this.#written(labelText, placeOn(seen, labelText, middle, taken)));
    return { line: group, words: [words] };
  }

  /** Words that always stand at a line. */
  #written(text: string, { x, y }: Route['middle']): SVGTextElement {
    const made = document.createElementNS(SVG, 'text');
    made.setAttribute('class', 'traffic');
    made.setAttribute('x', String(x));
    made.setAttribute('y', String(y));
    made.textContent = text;
    return made;
  }

  #say(link: BlockLink | undefined, { x, y }: Route['middle']): void {
    this.#label.hidden = link === undefined;
    if (link === undefined) return;
    this.#label.textContent = lineText(link);
    Object.assign(this.#label.style, { left: `${Math.max(120, Math.min(this.#placed.size.width - 120, x))}px`, top: `${y}px` });
  }
}

type Rect = Size & { readonly x: number; readonly y: number };

/** Where words fit on a line: at its middle, else further along it where nothing else stands, else right beside it. Their room is added to `taken`. */
function placeOn(line: SVGPathElement, text: string, middle: Route['middle'], taken: Rect[]): Route['middle'] {
  const length = line.getTotalLength();
  const on = [middle, ...SHARES.map(share => line.getPointAtLength(length * share))];
  const width = text.length * LETTER_WIDTH + 6;
  const beside = on.flatMap(({ x, y }) => [1, -1].map(side => ({ x: x + side * (width / 2 + BESIDE), y })));
  const places = [...on, ...beside];
  const rectOf = ({ x, y }: Route['middle']): Rect => ({ x: x - width / 2, y: y - LINE_HEIGHT / 2, width, height: LINE_HEIGHT });
  const isFree = (rect: Rect): boolean => !taken.some(other => overlap(rect, other));
  const found = places.find(place => isFree(rectOf(place))) ?? middle;
  taken.push(rectOf(found));
  return found;
}

/** Along a line, nearest to its middle first. */
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.82, 0.18, 0.88];
/** Of words at lines, in pixels. */
const LETTER_WIDTH = 6.2;
const LINE_HEIGHT = 15;
/** Between a line and words that do not fit on it. */
const BESIDE = 5;

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function isAbout({ edges }: BlockLink, id: string): boolean {
  return edges.some(edge => edge.source === id || edge.target === id);
}

/** The group that was opened inside of all others. */
function innermost(level: Level): string | undefined {
  const frames = level.blocks.flatMap(({ frame }) => (frame === undefined ? [] : [frame]));
  const [largest] = frames.toSorted((a, b) => b.level.blocks.length - a.level.blocks.length);
  return largest === undefined ? undefined : (innermost(largest.level) ?? largest.group.id);
}

/** What a line says: how often, and by what. */
export function lineText({ edges, count: uses, confidence, isCycle, violations }: BlockLink): string {
  const relations = new Map<string, number>();
  for (const edge of edges) for (const { count: own, relation } of edge.links) relations.set(relation, (relations.get(relation) ?? 0) + own);
  const traffic = trafficOf({ edges });
  const words = [...relations]
    .filter(([relation]) => traffic === '' || !BETWEEN_SERVICES.has(relation))
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([relation, own]) => `${relationName(relation)} ${figure(own)}`);
  if (traffic !== '') return [traffic === 'store' ? 'uses store' : traffic, ...words].join(' · ');
  return `${figure(uses)} ${uses === 1 ? 'use' : 'uses'}: ${words.join(', ')}${isCycle ? ' · closes a cycle' : ''}${violationWords({ violations })
    .map(text => ` · ${text}`)
    .join('')}${isPossible(confidence) ? ' · possible' : ''}`;
}

/** What is wrong with a line. */
function problemClasses({ isCycle, violations }: BlockLink): string[] {
  return [...(isCycle ? ['cycle'] : []), ...(violations > 0 ? ['violation'] : [])];
}

const BETWEEN_SERVICES: ReadonlySet<string> = new Set(['SERVICE_CALLS', 'PUBLISHES_EVENT', 'USES_STORE']);

/** By uses, next to the line of the picture that stands for most. */
function weightOf({ count: uses }: BlockLink, most: number): number {
  return Math.round((1 + (3 * Math.log(Math.max(1, uses))) / Math.log(Math.max(2, most))) * 10) / 10;
}

/** What stands below the name: how large it is, and what its color says. */
function factsOf(node: SceneNodeDto, { shades }: SceneDto): string[] {
  if (node.role === 'bundle') return [];
  const files = node.role === 'box' && node.kind !== 'community' && node.size > 0 ? [`${figure(node.size)} ${node.size === 1 ? 'file' : 'files'}`] : [];
  const size = [...files, ...(node.lines === undefined || node.lines === 0 ? [] : [linesText(node.lines)])].join(' · ');
  const shade = shades?.of[node.id]?.text;
  return [...(size === '' ? [] : [size]), ...(shade === undefined ? [] : [shade])];
}

/** `940 lines`, `12.4k lines`. */
function linesText(lines: number): string {
  if (lines < 1000) return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
  return `${lines < 100_000 ? (lines / 1000).toFixed(1) : Math.round(lines / 1000)}k lines`;
}

/** The block in words: what the picture says by place, size, line and color. */
function spoken(node: SceneNodeDto, scene: SceneDto, { links }: Level): string {
  if (node.role === 'bundle') return `Show ${node.label}`;
  const users = links.filter(link => link.target === node.id).length;
  const used = links.filter(link => link.source === node.id).length;
  const cycle = links.some(link => link.isInCycle && (link.source === node.id || link.target === node.id)) ? ['in a cycle'] : [];
  const violations = violationWords({ violations: links.reduce((sum, link) => sum + (link.source === node.id ? link.violations : 0), 0) });
  const layer = node.layer === undefined ? [] : [`layer ${scene.layers?.[node.layer] ?? ''}`];
  return [
    // What is written on the block comes first, in its order.
    [node.label, ...factsOf(node, scene)].join(' '),
    node.kind,
    ...(node.isTest ? ['tests'] : []),
    `used by ${users}`,
    `uses ${used}`,
    ...cycle,
    ...violations,
    ...layer,
    ...areaWords(scene, node.id),
  ].join(', ');
}

function blockIdOf(target: EventTarget | null): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('.block')?.dataset['id'] : undefined;
}
