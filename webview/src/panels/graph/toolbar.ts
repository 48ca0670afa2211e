import type { SceneDto } from '../../../../server/protocol/features';
import type { SceneGrouping } from '../../../../server/protocol/graphView';
import { shownText } from '../../../../server/protocol/shownText';
import { activeFilters, supportsPastStates } from '../../state/panelState';
import { type Button, button, dropdown, textField } from '../../ui/controls/controls';
import { element, replaceChildren } from '../../ui/dom';
import type { PanelActions, PanelView } from './actions';
import { exportMenu } from './menu';
import { whenText } from './timeline/timeline';

const GROUPINGS: readonly (readonly [SceneGrouping, string])[] = [
  ['none', 'No groups'],
  ['folder', 'By folder'],
  ['package', 'By package'],
  ['service', 'By service'],
  ['owner', 'By owner'],
  ['community', 'By community'],
];

/** Most results of the search in the graph that are listed. */
const RESULTS = 12;

export interface SearchHit {
  readonly id: string;
  readonly label: string;
  readonly note: string;
  /** In the picture already. */
  readonly isShown: boolean;
}

/** History, what is shown, how far, in which groups, and what else there is to switch. */
export class Toolbar {
  readonly view: HTMLElement;
  readonly #title = element('h1', { id: 'graph-title', text: '' });
  readonly #summary = element('p', { class: 'summary' });
  readonly #back;
  readonly #forward;
  readonly #follow;
  readonly #timeline;
  readonly #filters;
  readonly #side;
  readonly #depth = element('input', { type: 'range', min: 1, max: 6, step: 1, value: 1, id: 'depth', 'aria-label': 'Depth' });
  readonly #depthText = element('output', { for: 'depth' });
  readonly #depthBox;
  readonly #mode;
  readonly #group;
  readonly #changes;
  readonly #beside: Button;
  readonly #search;
  #looking: Promise<void> = Promise.resolve();
  readonly #results = element('div', { class: 'results', id: 'results', role: 'listbox', 'aria-label': 'Found' });
  #query: PanelView['state']['history'][number] | undefined;

  constructor(
    private readonly actions: PanelActions,
    private readonly find: (text: string) => Promise<readonly SearchHit[]>,
  ) {
    this.#back = button({ label: 'Back', icon: 'back', key: 'Alt+Left', press: () => actions.step(-1) });
    this.#forward = button({ label: 'Forward', icon: 'forward', key: 'Alt+Right', press: () => actions.step(1) });
    const overview = button({ label: 'Workspace overview', icon: 'overview', key: 'Shift+O', press: () => actions.visit({ start: 'workspace' }) });
    this.#mode = dropdown(
      'View',
      [
        ['focus', 'Focus'],
        ['impact', 'Impact'],
      ],
      value => this.#changeMode(value as 'focus' | 'impact'),
    );
    this.#depth.addEventListener('input', () => {
      this.#depthText.textContent = this.#depth.value;
    });
    this.#depth.addEventListener('change', () => actions.refine({ depth: Number(this.#depth.value) }));
    this.#depthBox = element('span', { class: 'depth' }, element('label', { for: 'depth', text: 'Depth' }), this.#depth, this.#depthText);
    this.#group = dropdown('Group', GROUPINGS, value => actions.refine({ groupBy: value as SceneGrouping, expand: [] }));
    this.#beside = button({ label: 'Tests, docs and dot folders', text: true, press: () => actions.refine({ beside: this.#query?.beside !== true }) });
    this.#changes = dropdown(
      'Changes',
      [
        ['all', 'All changes'],
        ['breaking', 'Breaking changes'],
      ],
      value => actions.refine({ breaking: value === 'breaking' }),
    );
    this.#search = textField('Find in the graph', 'Find', text => this.#lookFor(text));
    this.#search.element.setAttribute('type', 'search');
    this.#search.element.addEventListener('keydown', event => this.#searchKey(event));
    this.#results.addEventListener('keydown', event => this.#resultKey(event));
    this.#follow = button({ label: 'Follow the cursor in the editor', icon: 'target', key: 'C', press: () => actions.follow(!this.#isFollowing) });
    this.#timeline = button({ label: 'Timeline', icon: 'history', key: 'T', press: () => actions.showTimeline(!this.#hasTimeline) });
    this.#filters = button({ label: 'Filters', icon: 'filter', key: 'Shift+F', press: () => actions.panes({ filters: !this.#hasFilters }) });
    this.#side = button({ label: 'Details and list', icon: 'side', key: 'Shift+D', press: () => actions.panes({ side: this.#hasSide ? 'none' : 'details' }) });
    const fit = button({ label: 'Zoom to fit', icon: 'fit', key: '0', press: () => actions.fit() });
    const search = element('div', { class: 'search' }, this.#search.element, this.#results);
    const bar = element(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Graph' },
      element('div', { class: 'group' }, this.#back.element, this.#forward.element, overview.element),
      element('div', { class: 'titles' }, this.#title, this.#summary),
      search,
      element('div', { class: 'group looks' }, this.#mode.element, this.#depthBox, this.#changes.element, this.#beside.element, this.#group.element),
      element(
        'div',
        { class: 'group switches' },
        this.#follow.element,
        fit.element,
        this.#timeline.element,
        this.#filters.element,
        this.#side.element,
        exportMenu(actions),
      ),
    );
    this.view = element('header', {}, bar);
  }

  get #isFollowing(): boolean {
    return this.#follow.element.getAttribute('aria-pressed') === 'true';
  }
  get #hasTimeline(): boolean {
    return this.#timeline.element.getAttribute('aria-pressed') === 'true';
  }
  get #hasFilters(): boolean {
    return this.#filters.element.getAttribute('aria-pressed') === 'true';
  }
  get #hasSide(): boolean {
    return this.#side.element.getAttribute('aria-pressed') === 'true';
  }

  focusSearch(): void {
    this.#search.element.focus();
  }

  show({ state, scene }: PanelView): void {
    const query = state.history[state.place];
    this.#query = query;
    this.#title.textContent = shownText(scene.title);
    this.#title.title = shownText(scene.title);
    const summary = shownText(`${scene.stamp.asOf === undefined ? '' : `As of ${whenText(scene.stamp.asOf)}: `}${scene.summary}`);
    this.#summary.textContent = summary;
    this.#summary.title = summary;
    this.#back.setDisabled(state.place === 0);
    this.#forward.setDisabled(state.place >= state.history.length - 1);
    this.#follow.setPressed(state.follow);
    this.#timeline.element.hidden = !supportsPastStates(query?.start) || document.body.dataset['host'] === 'app';
    this.#timeline.setPressed(state.panes.timeline === true);
    this.#filters.setPressed(state.panes.filters);
    this.#filters.element.classList.toggle('in-force', activeFilters(state.filters) > 0);
    this.#side.setPressed(state.panes.side !== 'none');
    this.#showQuery(query, scene);
    this.#showBeside(scene, query?.beside === true);
  }

  /** What the graph was asked for, in the controls that ask for it. */
  #showQuery(query: PanelView['state']['history'][number] | undefined, scene: SceneDto): void {
    const isImpact = query?.start === 'impact' || query?.start === 'changes';
    const hasDepth = isImpact || query?.start === 'focus';
    this.#depthBox.hidden = !hasDepth;
    this.#mode.element.hidden = query?.start !== 'focus' && query?.start !== 'impact';
    if (query?.start === 'focus' || query?.start === 'impact') this.#mode.setValue(query.start);
    this.#depth.value = String(query?.depth ?? (isImpact ? 3 : 1));
    this.#depthText.textContent = this.#depth.value;
    this.#changes.element.hidden = query?.start !== 'compare';
    this.#group.element.hidden = query !== undefined && OWN_GROUPS.has(query.start);
    this.#changes.setValue(query?.breaking === true ? 'breaking' : 'all');
    this.#group.setValue(query?.groupBy ?? scene.grouping ?? usualGrouping(query?.start, scene));
  }

  /** A switch where there is something to switch. */
  #showBeside({ beside }: SceneDto, isShown: boolean): void {
    const { tests = 0, docs = 0, other = 0 } = beside ?? {};
    this.#beside.element.hidden = tests + docs + other === 0;
    this.#beside.setPressed(isShown);
    const what = [
      `${tests} test ${tests === 1 ? 'file' : 'files'}`,
      `${docs} ${docs === 1 ? 'document' : 'documents'}`,
      `${other} other ${other === 1 ? 'file' : 'files'}`,
    ].join(', ');
    this.#beside.element.title = `${isShown ? 'Hide' : 'Show'} tests, documentation, dot folders and files without code (${what})`;
  }

  #changeMode(start: 'focus' | 'impact'): void {
    const target = this.#query?.target;
    if (target !== undefined && this.#query?.start !== start) this.actions.visit({ start, target });
  }

  #lookFor(text: string): void {
    this.#looking = this.#look(text);
  }

  async #look(text: string): Promise<void> {
    const hits = await this.find(text);
    if (text !== this.#search.value()) return;
    // Results of fewer letters may have the focus by now.
    const focused = [...this.#results.children].indexOf(document.activeElement ?? document.body);
    replaceChildren(
      this.#results,
      ...hits
        .slice(0, RESULTS)
        .map(hit =>
          element(
            'button',
            { role: 'option', class: 'result', on: { click: () => this.#choose(hit) } },
            element('code', { text: hit.label }),
            element('span', { class: 'path', text: hit.isShown ? `${hit.note} · shown` : hit.note }),
          ),
        ),
    );
    const rows = [...this.#results.querySelectorAll('button')];
    if (focused >= 0) (rows[Math.min(focused, rows.length - 1)] ?? this.#search.element).focus();
    if (text.trim() !== '') this.actions.announce(hits.length === 0 ? 'No results' : `${hits.length} found`);
  }

  #choose(hit: SearchHit): void {
    this.close();
    if (hit.isShown) this.actions.select(hit.id);
    else this.actions.focusOn(hit.id);
  }

  /** Takes the results away. */
  close(): void {
    this.#search.setValue('');
    this.#lookFor('');
  }

  /** Up and down in the list, and out of it where one came from. */
  #resultKey(event: KeyboardEvent): void {
    const rows = [...this.#results.querySelectorAll('button')];
    const at = rows.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'ArrowDown') rows[Math.min(rows.length - 1, at + 1)]?.focus();
    else if (event.key === 'ArrowUp' && at > 0) rows[at - 1]?.focus();
    else if (event.key === 'ArrowUp' || event.key === 'Escape') this.#search.element.focus();
    else return;
    if (event.key === 'Escape') this.close();
    event.preventDefault();
    event.stopPropagation();
  }

  #searchKey(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === 'Enter') {
      event.preventDefault();
      // What was typed last counts, also where its results are still on their way.
      void this.#looking.then(() => this.#results.querySelector('button')?.click());
    }
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.#results.querySelector('button')?.focus();
    }
    if (event.key === 'Escape') this.close();
  }
}

/** Frames of a comparison are files, of a flow services, of a folder the folders in it. */
const OWN_GROUPS: ReadonlySet<string> = new Set(['compare', 'flow', 'folder']);

/** How a picture is grouped when nobody has chosen: a large impact, the workspace and search results by folder, the rest not. */
function usualGrouping(start: string | undefined, { nodes }: SceneDto): SceneGrouping {
  if (start === 'impact' || start === 'changes') return nodes.some(node => node.role === 'box' && !node.isTest) ? 'folder' : 'none';
  return start === 'focus' || start === 'path' ? 'none' : 'folder';
}
