/**
 * The graph panel: asks for scenes, shows them, and keeps where the reader is.
 * Knows nothing of how scenes are made or drawn. Two kinds of state: what was answered (`#scene`, never kept), and where the reader is
 * and what it looks like (`#state`, kept); where things stand is the picture's.
 * Long because it is the one place that every action of the parts ends in; what they look like and what is drawn is elsewhere.
 */
import type { SceneDto, SceneNodeDto, SceneParams } from '../../../../server/protocol/features';
import type { ExportFormat, PanelCommand, PanelState, TimelinePoint } from '../../../../server/protocol/graphPanel';
import type { SceneColoring } from '../../../../server/protocol/graphView';
import { asMarkdown, contentOf } from '../../exports/exportScene';
import { visibleScene } from '../../graph/present';
import type { GraphHost, HostMessage } from '../../host';
import {
  activeFilters,
  asOfIn,
  FIRST_STATE,
  NO_FILTERS,
  olderVersion,
  questionOf,
  refined,
  stepped,
  supportsPastStates,
  toggled,
  visited,
} from '../../state/panelState';
import { progressRing } from '../../ui/controls/controls';
import { element, replaceChildren } from '../../ui/dom';
import type { PanelActions, PanelView } from './actions';
import { AtomMark } from './atomMark';
import { DetailsPane } from './detailsPane';
import { FilterPane } from './filterPane';
import { GraphPicture } from './graphPicture';
import { helpDialog, keyboard } from './keyboard';
import { Legend } from './legend';
import { ListPane, noteOf } from './listPane';
import { hitsOf, matches } from './matches';
import { sceneDifference } from './sceneDifference';
import { SidePane } from './sidePane';
import { StatusBar } from './statusBar';
import { Timeline, whenText } from './timeline/timeline';
import { TimelineStates } from './timeline/timelineStates';
import { type SearchHit, Toolbar } from './toolbar';

/** Why a scene is asked for: a new place, the same place looked at otherwise, the same again from a newer index, or as it was at another time. */
type Reason = 'place' | 'refine' | 'revision' | 'time';

/** Revisions that come quicker than this are taken together. */
const SETTLE_MS = 150;

export class GraphPanel implements PanelActions {
  readonly #host: GraphHost;
  readonly #veil = element('div', { class: 'veil' }, progressRing('Waiting for the index...'));
  readonly #toolbar: Toolbar;
  readonly #filters = new FilterPane(this);
  readonly #details: DetailsPane;
  readonly #list = new ListPane(this);
  readonly #side: SidePane;
  readonly #legend = new Legend(this);
  readonly #atom = new AtomMark(this);
  readonly #timeline = new Timeline(this);
  readonly #times = new TimelineStates(id => this.#host.ask('timeline', { id }));
  readonly #status = new StatusBar();
  readonly #picture = new GraphPicture({
    onSelect: id => this.select(id),
    onActivate: id => this.#activated(id),
    onOpen: id => this.#opened(id),
    onNothing: () => this.#choose(undefined),
    onExpand: key => this.expand(key),
    onCollapse: id => this.collapse(id),
    onLine: (source, target) => this.#openLine(source, target),
  });
  #state: PanelState;
  #scene: SceneDto | undefined;
  #visible: SceneDto | undefined;
  #selected: string | undefined;
  #asked = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #travelling: ReturnType<typeof setTimeout> | undefined;
  /** The group that the reader has just opened. */
  #opening: string | undefined;

  constructor(
    private readonly root: HTMLElement,
    hostOf: (told: (message: HostMessage) => void) => GraphHost,
  ) {
    this.#host = hostOf(message => this.#told(message));
    this.#state = this.#host.state ?? FIRST_STATE;
    this.#toolbar = new Toolbar(this, text => this.#find(text));
    this.#details = new DetailsPane(this, id => this.#host.ask('details', { id, ...asOfIn(this.#state) }));
    this.#side = new SidePane(this, this.#details.view, this.#list.view);
  }

  start(): void {
    replaceChildren(
      this.root,
      this.#toolbar.view,
      element(
        'main',
        { class: 'stage', 'aria-labelledby': 'graph-title' },
        this.#filters.view,
        element(
          'div',
          { class: 'picture' },
          this.#picture.stage,
          this.#picture.sheet.view,
          this.#picture.blocks.view,
          this.#atom.view,
          this.#legend.view,
          this.#picture.map.view,
          this.#veil,
        ),
        this.#side.view,
      ),
      this.#timeline.view,
      this.#status.view,
    );
    this.#picture.start();
    keyboard(
      this.root,
      [this.#picture.stage, this.#picture.sheet.view, this.#picture.blocks.view],
      this,
      () => ({ ...this.#view, picture: this.#picture }),
      () => this.#toolbar.focusSearch(),
    );
    this.#host.ready();
    if (this.#state.history.length > 0) void this.#load('place', this.#state.camera);
    if (this.#state.follow) void this.#host.ask('follow', { on: true });
  }

  visit(query: SceneParams): void {
    this.#change(visited(this.#state, query), 'place');
  }

  refine(change: Partial<SceneParams>): void {
    if (change.groupBy !== undefined) this.#picture.forget();
    this.#change(refined(this.#state, change), 'refine');
  }

  step(by: number): void {
    this.#change(stepped(this.#state, by), 'place');
  }

  filter(filters: PanelState['filters']): void {
    this.#change({ ...this.#state, filters }, 'refine');
  }

  select(id: string | undefined): void {
    const isOther = id !== this.#selected;
    this.#choose(id);
    const node = this.#visible?.nodes.find(known => known.id === this.#selected);
    // Code that is shown beside the graph follows what the reader selects.
    if (isOther && node !== undefined && node.path !== '' && node.line > 0)
      this.#host.ask('open', { path: node.path, line: node.line, beside: false, follow: true, ...asOfIn(this.#state) }).catch(() => undefined);
  }

  #choose(id: string | undefined): void {
    const visible = this.#visible;
    const node = visible?.nodes.find(known => known.id === id);
    const isOther = node?.id !== this.#selected;
    this.#selected = node?.id;
    this.#picture.select(node?.id, visible);
    if (node !== undefined && visible !== undefined && isOther) this.announce(`${node.label}, ${noteOf(node, visible)}`);
    const view = this.#view;
    if (view === undefined) return;
    this.#details.show(view);
    this.#list.show(view);
  }

  focusOn(id: string): void {
    const node = this.#visible?.nodes.find(known => known.id === id);
    if (node?.kind === 'folder') this.visit({ start: 'folder', target: node.path });
    else if (node?.role !== 'bundle') this.visit({ start: 'focus', target: id });
  }

  open(node: { readonly path: string; readonly line: number; readonly change?: SceneNodeDto['change'] }, beside: boolean): void {
    if (node.path !== '')
      this.#tell(this.#host.ask('open', { path: node.path, line: node.line, beside, ...asOfIn(this.#state), ...olderVersion(this.#state, node) }));
  }

  expand(key: string): void {
    const current = this.#state.history[this.#state.place];
    this.#opening = /^open:(?<group>.*)$/s.exec(key)?.groups?.['group'];
    this.refine({ expand: [...(current?.expand ?? this.#scene?.expanded ?? []), key] });
  }

  collapse(id: string): void {
    const keys = this.#state.history[this.#state.place]?.expand ?? this.#scene?.expanded ?? [];
    // What a sheet is about was expanded wherever it is.
    const isAll = this.#scene?.layout === 'sheet' && this.#scene.starts.includes(id);
    const kept = isAll ? [] : keys.filter(key => !key.endsWith(`:${id}`));
    if (kept.length < keys.length) this.refine({ expand: kept });
    else {
      this.#state = { ...this.#state, collapsed: toggled(this.#state.collapsed, id) };
      void this.#draw('refine');
    }
  }

  hide(id: string): void {
    this.#state = { ...this.#state, hidden: [...new Set([...this.#state.hidden, id])] };
    this.announce(`Hidden. ${this.#state.hidden.length} hidden in total.`);
    void this.#draw('refine');
  }

  showHidden(): void {
    this.#state = { ...this.#state, hidden: [] };
    void this.#draw('refine');
  }

  pin(id: string): void {
    this.#state = { ...this.#state, pinned: toggled(this.#state.pinned, id) };
    this.announce(this.#state.pinned.includes(id) ? 'Pinned in all views' : 'Unpinned');
    this.#keep();
    this.#picture.mark('pinned', this.#state.pinned);
    this.#choose(id);
  }

  run(command: PanelCommand, { id, label }: { readonly id: string; readonly label: string }): void {
    this.#tell(this.#host.ask('run', { command, id, name: label }));
  }

  exportAs(format: ExportFormat): void {
    const scene = this.#visible;
    if (scene === undefined) return;
    const saved = contentOf(format, scene, this.#picture).then(content => this.#host.ask('save', { format, name: scene.title, content }));
    this.#tell(saved, path => (path === '' ? '' : `Saved ${path}`));
  }

  copyList(): void {
    if (this.#visible !== undefined) this.#tell(this.#host.ask('copy', { text: asMarkdown(this.#visible) }), () => 'Copied');
  }

  saveView(): void {
    this.#keep();
    this.#tell(this.#host.ask('saveView', { state: this.#state, name: this.#scene?.title ?? '' }), name => (name === '' ? '' : `Saved as ${name}`));
  }

  rearrange(): void {
    this.#picture.forget();
    void this.#draw('refine', true);
  }

  fit(): void {
    this.#picture.fit();
  }

  zoom(factor: number): void {
    this.#picture.zoom(factor);
  }

  follow(on: boolean): void {
    this.#state = { ...this.#state, follow: on };
    this.#tell(this.#host.ask('follow', { on }));
    this.announce(on ? 'Following the cursor in the editor' : 'Stopped following the cursor in the editor');
    this.#refresh();
  }

  color(colorBy: SceneColoring): void {
    this.#change({ ...this.#state, colorBy }, 'refine');
  }

  showAtom(id: string | undefined): void {
    const { atom: _before, ...state } = this.#state;
    this.#change(id === undefined ? state : { ...state, atom: id }, 'refine');
  }

  travel(time: TimelinePoint | undefined): void {
    const { time: _before, ...state } = this.#state;
    this.#state = time === undefined ? state : { ...state, time };
    this.#refresh();
    // While moving along the timeline, only the state where it stops is shown.
    clearTimeout(this.#travelling);
    this.#travelling = setTimeout(() => void this.#load('time'), SETTLE_MS);
  }

  stepInTime(by: number): void {
    if (!supportsPastStates(this.#state.history[this.#state.place]?.start)) return;
    if (this.#state.panes.timeline === true) this.#timeline.step(by);
    else this.panes({ timeline: true });
  }

  showTimeline(isShown: boolean): void {
    this.panes({ timeline: isShown });
    if (isShown) this.#timeline.focus();
    else if (this.#state.time !== undefined) this.travel(undefined);
  }

  panes(change: Partial<PanelState['panes']>): void {
    this.#state = { ...this.#state, panes: { ...this.#state.panes, ...change } };
    this.#refresh();
    this.#picture.drawMap();
  }

  announce(text: string): void {
    this.#status.announce(text);
  }

  help(): void {
    helpDialog(this.root);
  }

  #told(message: HostMessage): void {
    if (message.type === 'show') {
      this.#state = { ...this.#state, folder: message.folder };
      this.visit(message.query);
    } else if (message.type === 'restore') {
      this.#state = message.state;
      this.#picture.forget();
      void this.#load('place', message.state.camera);
    } else if (message.type === 'revision') {
      this.#times.renew();
      if (asOfIn(this.#state).asOf !== undefined) void this.#offerTimes();
      else if (message.revision !== this.#scene?.stamp.revision) this.#loadSoon();
    } else if (message.type === 'indexing') this.#veiled('Indexing the workspace. The graph appears when the first index is complete.', false);
    else if (message.type === 'atom') {
      if (this.#state.history.length > 0) this.showAtom(message.id);
    } else if (message.type === 'knowledge') {
      if (this.#state.colorBy === 'molecule' || this.#state.atom !== undefined) this.#loadSoon();
    } else if (this.#state.follow) this.#followTo(message.id);
  }

  async #offerTimes(): Promise<void> {
    const points = await this.#times.pointsFor(this.#state, this.#scene);
    if (points !== undefined) this.#timeline.offer(points, this.#state.time);
  }

  #loadSoon(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#load('revision'), SETTLE_MS);
  }

  /** A node that is in the picture is selected; another becomes the focus. */
  #followTo(id: string): void {
    const query = this.#state.history[this.#state.place];
    if (query?.start === 'focus' && query.target === id) return;
    if (query?.start !== 'focus' && this.#visible?.nodes.some(node => node.id === id) === true) this.#choose(id);
    else this.visit({ start: 'focus', target: id });
  }

  #change(state: PanelState, reason: Reason): void {
    if (state === this.#state) return;
    this.#state = state;
    void this.#load(reason);
  }

  /** Asks for the scene of the current place; a newer question overtakes an older one. */
  async #load(reason: Reason, camera?: PanelState['camera']): Promise<void> {
    const query = questionOf(this.#state);
    if (query === undefined) return;
    const number = ++this.#asked;
    this.root.setAttribute('aria-busy', 'true');
    try {
      const scene = await this.#host.ask('scene', query);
      if (number !== this.#asked) return;
      performance.mark('lattice:data');
      const before = this.#scene;
      this.#scene = scene;
      this.#veiled(scene.nodes.length === 0 ? scene.summary : undefined, false);
      if (reason === 'place') this.#picture.forget();
      await this.#draw(reason, false, camera);
      this.#tellChange(reason, before, scene);
    } catch (error) {
      if (number !== this.#asked) return;
      this.#veiled(error instanceof Error ? error.message : String(error));
    } finally {
      if (number === this.#asked) this.root.removeAttribute('aria-busy');
    }
  }

  #tellChange(reason: Reason, before: SceneDto | undefined, scene: SceneDto): void {
    const { time } = this.#state;
    if ((reason !== 'revision' && reason !== 'time') || before === undefined) {
      this.#status.updated('');
      this.#picture.mark('fresh', []);
      if (reason === 'place') this.announce(`${scene.title}. ${scene.summary}`);
      return;
    }
    // Another time moves most lines.
    const { added, changed, removed } = sceneDifference(before, scene, reason === 'revision');
    this.#picture.mark('fresh', [...added, ...changed]);
    const isSame = added.length + changed.length + removed === 0;
    const what = isSame ? 'no difference' : `${added.length} new, ${changed.length} changed, ${removed} removed`;
    if (reason === 'time') this.#status.updated(`${time === undefined ? 'Current code' : whenText(time.at)}: ${what}`);
    else this.#status.updated(isSame ? '' : `Updated: ${what}`);
  }

  async #draw(reason: Reason, fit = false, camera?: PanelState['camera']): Promise<void> {
    const scene = this.#scene;
    if (scene === undefined) return;
    const visible = visibleScene(scene, this.#state);
    this.#refreshPanes();
    const opening = this.#opening;
    const how = { isPlace: reason === 'place', fit, camera, opening, pinned: this.#state.pinned, coversAtom: this.#state.atom !== undefined };
    if (!(await this.#picture.draw(visible, how, () => this.#scene === scene))) return;
    this.#visible = visible;
    this.#opening = undefined;
    performance.mark('lattice:drawn');
    const wanted = reason === 'place' ? scene.starts[0] : this.#selected;
    this.#refresh();
    this.#choose(wanted);
    this.#keep();
  }

  get #view(): PanelView | undefined {
    if (this.#scene === undefined || this.#visible === undefined) return undefined;
    return { state: this.#state, scene: this.#scene, visible: this.#visible, selected: this.#selected };
  }

  /** Panes take room from the picture: they are there before it is fitted. */
  #refreshPanes(): void {
    const { panes } = this.#state;
    document.body.classList.toggle('with-legend', panes.legend);
    document.body.classList.toggle('with-map', panes.map);
    this.#filters.view.hidden = !panes.filters;
    this.#side.show(panes.side);
    this.#picture.showMap(panes.map);
  }

  #refresh(): void {
    this.#refreshPanes();
    this.#keep();
    const view = this.#view;
    if (view === undefined) return;
    this.root.dataset['shown'] = '';
    for (const part of [this.#toolbar, this.#filters, this.#details, this.#list, this.#legend, this.#atom, this.#timeline, this.#status]) part.show(view);
    void this.#offerTimes();
    this.#picture.resize();
  }

  /** One press on something that stands for more shows it. */
  #activated(id: string): void {
    const node = this.#visible?.nodes.find(known => known.id === id);
    if (node?.role === 'bundle' && node.expand !== undefined) this.expand(node.expand);
  }

  /** A line leads to the place in the code that it stands for: where the source uses the target. */
  #openLine(source: string, target: string): void {
    const edge = this.#visible?.edges.find(known => known.source === source && known.target === target);
    const from = this.#visible?.nodes.find(known => known.id === source);
    const line = edge?.links.find(link => link.line > 0)?.line;
    if (from !== undefined && from.path !== '' && line !== undefined) this.open({ path: from.path, line }, false);
  }

  #opened(id: string): void {
    const node = this.#visible?.nodes.find(known => known.id === id);
    const query = this.#state.history[this.#state.place];
    if (node === undefined) {
      if (this.#scene?.groups.some(group => group.id === id) === true) this.collapse(id);
    } else if (node.role === 'box') this.#openBox(node.id, node.expand);
    else if (this.#scene?.layout === 'sheet' && node.role !== 'start' && query?.start !== 'compare') this.focusOn(node.id);
    else if (node.role !== 'bundle') this.open(node, false);
  }

  #openBox(id: string, expand: string | undefined): void {
    if (this.#state.collapsed.includes(id)) this.collapse(id);
    else if (expand !== undefined) this.expand(expand);
  }

  async #find(text: string): Promise<readonly SearchHit[]> {
    const { named, placed } = matches(this.#visible?.nodes ?? [], text);
    this.#picture.mark(
      'found',
      (named.length > 0 ? named : placed).map(node => node.id),
    );
    if (text.trim() === '') return [];
    const { hits } = await this.#host.ask('search', { text }).catch(() => ({ hits: [] }));
    return hitsOf([...named, ...placed], hits);
  }

  /** Navigation and looks only; what was answered is asked for anew. */
  #keep(): void {
    const { camera } = this.#picture;
    this.#state = { ...this.#state, ...(camera === undefined || this.#visible === undefined ? {} : { camera }) };
    this.#host.keep(this.#state);
  }

  /** Says in place of the picture what is wrong, or why there is none; nothing takes it away. */
  #veiled(text?: string, isProblem = true): void {
    this.#veil.hidden = text === undefined;
    if (text === undefined) return;
    const isPast = asOfIn(this.#state).asOf !== undefined;
    const press = (): void => (isPast ? this.travel(undefined) : isProblem ? void this.#load('refine') : this.filter(NO_FILTERS));
    const label = isPast ? 'Back to current code' : isProblem ? 'Try again' : 'Clear filters';
    const button = element('button', { class: 'link', text: label, on: { click: press } });
    const isOfUse = isPast || isProblem || activeFilters(this.#state.filters) > 0;
    replaceChildren(this.#veil, element('p', { text }), ...(isOfUse ? [button] : []));
    this.announce(text);
  }

  /** Says how something that was asked ended. */
  #tell<Answer>(asked: Promise<Answer>, text: (answer: Answer) => string = () => ''): void {
    asked.then(
      answer => {
        const message = text(answer);
        if (message !== '') this.#status.updated(message);
      },
      (error: unknown) => this.#status.updated(error instanceof Error ? error.message : String(error)),
    );
  }
}
