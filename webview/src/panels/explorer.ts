import type { ReportData, SceneDto, SceneNodeDto } from '../../../server/protocol/features';
import { BlocksView } from '../graph/blocks/blocksView';
import { certaintyClasses, isPossible, POSSIBLE } from '../graph/certainty';
import { GraphCanvas } from '../graph/cytoscape';
import { focusScene, GraphModel, nameIn } from '../graph/focus';
import { element, replaceChildren } from '../ui/dom';
import { onThemeChange, readTheme } from '../ui/theme';

const OVERVIEW = '';
const SUGGESTIONS = 12;

/** The overview and the graph around a symbol, with search, history, details and a list of the same content for those who cannot use the canvas. */
export class Explorer {
  readonly view: HTMLElement;
  readonly #model: GraphModel;
  readonly #canvasHost = element('div', { class: 'canvas', role: 'img', 'aria-label': 'Graph' });
  readonly #blocks = new BlocksView({
    onSelect: id => this.#list(id),
    onOpen: id => this.focus(id),
    onExpand: key => this.#list(this.overview.nodes.find(node => node.expand === key)?.id ?? ''),
    onNothing: () => this.#overviewDetails(),
  });
  readonly #details = element('aside', { class: 'details', 'aria-live': 'polite' });
  readonly #results = element('ul', { class: 'results', role: 'listbox' });
  readonly #search = element('input', { type: 'search', placeholder: 'Find a symbol or file', 'aria-label': 'Find a symbol or file' });
  readonly #back = element('button', { class: 'tool', title: 'Back (Alt+Left)', text: '←', 'aria-label': 'Back' });
  readonly #forward = element('button', { class: 'tool', title: 'Forward (Alt+Right)', text: '→', 'aria-label': 'Forward' });
  readonly #history: string[] = [OVERVIEW];
  #place = 0;
  #canvas: GraphCanvas | undefined;

  readonly #fit = element('button', { class: 'tool wide', text: 'Fit', on: { click: () => this.#canvas?.fit() } });

  constructor(
    data: ReportData['graph'],
    private readonly overview: SceneDto,
  ) {
    this.#model = new GraphModel(data);
    const toOverview = element('button', { class: 'tool wide', text: 'Overview', on: { click: () => this.focus(OVERVIEW) } });
    this.#back.addEventListener('click', () => this.#step(-1));
    this.#forward.addEventListener('click', () => this.#step(1));
    this.#search.addEventListener('input', () => this.#suggest());
    this.#search.addEventListener('keydown', event => {
      if (event.key === 'Enter') this.#results.querySelector('button')?.click();
      if (event.key === 'Escape') replaceChildren(this.#results);
    });
    const toolbar = element(
      'div',
      { class: 'toolbar' },
      this.#back,
      this.#forward,
      toOverview,
      this.#fit,
      element('div', { class: 'search' }, this.#search, this.#results),
    );
    this.view = element(
      'section',
      { class: 'card explorer', on: { keydown: event => this.#key(event as KeyboardEvent) } },
      toolbar,
      element('div', { class: 'stage' }, this.#canvasHost, this.#blocks.view, this.#details),
      legend(),
    );
  }

  /** To be called once the view is in the page. */
  start(): void {
    this.#canvas = new GraphCanvas(this.#canvasHost, readTheme(), { onSelect: id => this.#select(id), onOpen: id => this.#select(id) });
    onThemeChange(() => this.#canvas?.setTheme(readTheme()));
    new ResizeObserver(() => this.#blocks.resize()).observe(this.#blocks.view);
    this.#draw();
  }

  focus(id: string): void {
    if (this.#history[this.#place] !== id) {
      this.#history.splice(this.#place + 1);
      this.#history.push(id);
      this.#place = this.#history.length - 1;
    }
    this.#draw();
  }

  #step(by: number): void {
    this.#place = Math.max(0, Math.min(this.#history.length - 1, this.#place + by));
    this.#draw();
  }

  #key(event: KeyboardEvent): void {
    if (!event.altKey) return;
    if (event.key === 'ArrowLeft') this.#step(-1);
    if (event.key === 'ArrowRight') this.#step(1);
  }

  #select(id: string): void {
    if (!id.startsWith('more:')) this.focus(id);
  }

  #suggest(): void {
    const found = this.#model.search(this.#search.value, SUGGESTIONS);
    replaceChildren(this.#results, ...found.map(node => element('li', {}, this.#link(node.id, nameIn(node), node.file))));
  }

  #link(id: string, label: string, note: string): HTMLElement {
    const open = (): void => {
      replaceChildren(this.#results);
      this.#search.value = '';
      this.focus(id);
    };
    return element('button', { class: 'link', on: { click: open } }, element('code', { text: label }), element('span', { class: 'path', text: note }));
  }

  #draw(): void {
    const id = this.#history[this.#place] ?? OVERVIEW;
    this.#back.disabled = this.#place === 0;
    this.#forward.disabled = this.#place === this.#history.length - 1;
    const isOverview = id === OVERVIEW;
    this.#blocks.view.hidden = !isOverview;
    this.#canvasHost.hidden = isOverview;
    this.#fit.disabled = isOverview;
    if (isOverview) {
      this.#blocks.show(this.overview, { top: true });
      this.#overviewDetails();
      return;
    }
    this.#canvas?.resize();
    this.#canvas?.show(focusScene(this.#model, id));
    this.#symbolDetails(id);
  }

  #overviewDetails(): void {
    const omitted = this.#model.data.omittedNodes;
    const note = omitted > 0 ? `This page shows the ${this.#model.data.nodes.length} most connected nodes. ${omitted} more are in the index.` : '';
    this.#blocks.mark('selected', []);
    const cycles = this.#blocks.view.querySelector('.block-line.cycle') === null ? '' : '; colored ones close a cycle';
    replaceChildren(
      this.#details,
      element('h3', { text: 'Overview' }),
      element('p', { text: this.overview.summary }),
      element('p', { class: 'note', text: `Arrows point to dependencies${cycles}. Select a folder or file to list its symbols, or search.` }),
      ...(note === '' ? [] : [element('p', { class: 'note', text: note })]),
    );
  }

  /** The symbols of a block; those of what it lies in for a block that stands for more of them. */
  #list(id: string): void {
    const block = this.overview.nodes.find(node => node.id === id);
    if (block === undefined) return;
    this.#blocks.mark('selected', [id]);
    const { path, title } = this.#inside(block);
    const isWithin = (file: string): boolean => path === '' || file === path || file.startsWith(`${path}/`);
    const inside = this.#model.data.nodes.filter(node => isWithin(node.file) && node.kind !== 'file').toSorted((a, b) => b.score - a.score);
    const file = this.#model.node(id);
    replaceChildren(
      this.#details,
      element('h3', { text: title }),
      ...(file === undefined ? [] : [element('p', {}, this.#link(id, 'Show in graph', file.file))]),
      element('p', { class: 'note', text: `${inside.length} ${inside.length === 1 ? 'symbol' : 'symbols'} on this page, most dependents first.` }),
      element('ul', { class: 'list' }, ...inside.slice(0, 60).map(node => element('li', {}, this.#link(node.id, nameIn(node), node.kind)))),
    );
  }

  #inside({ label, parent, path, role }: SceneNodeDto): { readonly path: string; readonly title: string } {
    if (role !== 'bundle') return { path, title: label };
    const group = this.overview.groups.find(({ id }) => id === parent);
    return { path: group?.id.replace(/^folder:/, '') ?? '', title: group?.label ?? this.overview.title };
  }

  #symbolDetails(id: string): void {
    const node = this.#model.node(id);
    if (node === undefined) return;
    const side = (title: string, direction: 'in' | 'out'): HTMLElement[] => {
      const rows = this.#model.around(id, direction);
      if (rows.length === 0) return [];
      return [
        element('h4', { text: `${title} (${rows.length})` }),
        element(
          'ul',
          { class: 'list' },
          ...rows
            .slice(0, 80)
            .map(row =>
              element(
                'li',
                { class: certaintyClasses(row.confidence).join(' ') },
                this.#link(
                  row.node.id,
                  nameIn(row.node),
                  `${row.relations.join(', ').toLowerCase().replaceAll('_', ' ')}${isPossible(row.confidence) ? ' · possible' : ''}`,
                ),
              ),
            ),
        ),
      ];
    };
    replaceChildren(
      this.#details,
      element('h3', {}, element('code', { text: node.name }), element('span', { class: 'badge', text: node.kind })),
      element('p', { class: 'path', text: `${node.file}:${node.line}` }),
      ...(node.signature === '' ? [] : [element('pre', { text: node.signature })]),
      ...(node.summary === '' ? [] : [element('p', { text: node.summary })]),
      ...side('Used by', 'in'),
      ...side('Uses', 'out'),
    );
  }
}

function legend(): HTMLElement {
  const item = (kind: string, text: string): HTMLElement => element('span', { class: `key ${kind}`, text });
  return element(
    'div',
    { class: 'legend' },
    item('code', 'function, method'),
    item('type', 'class, interface, type'),
    item('file', 'file, folder'),
    item('data', 'variable, constant'),
    item('fact', 'certain'),
    item(POSSIBLE, 'possible'),
  );
}
