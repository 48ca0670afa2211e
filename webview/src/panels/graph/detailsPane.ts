import type { ExplainAnswer, SceneDto, SceneEdgeDto, SceneNodeDto } from '../../../../server/protocol/features';
import { certainAndPossible, figure } from '../../../../server/protocol/figures';
import { interfaceNote } from '../../../../server/protocol/interfaceChanges';
import { emptyAreaLabel, letterOf } from '../../graph/areas';
import { isPossible, possibleWords } from '../../graph/certainty';
import { CLAIM_SIGN, claimWords, wayTo } from '../../graph/present';
import { button } from '../../ui/controls/controls';
import { element, replaceChildren, withCode } from '../../ui/dom';
import { icon, iconOfKind } from '../../ui/icons';
import type { PanelActions, PanelView } from './actions';
import { noteOf } from './listPane';
import { tellingLabels } from './tellingLabels';
import { kindName, relationName, sideName, violationWords } from './words';

/** What is known of the selected node, and what can be done with it. */
export class DetailsPane {
  readonly view = element('div', { class: 'details', role: 'tabpanel', id: 'pane-details', 'aria-labelledby': 'tab-details' });
  #asked = 0;
  #about: string | undefined;

  constructor(
    private readonly actions: PanelActions,
    private readonly explain: (id: string) => Promise<ExplainAnswer>,
  ) {}

  show(view: PanelView): void {
    const node = view.visible.nodes.find(known => known.id === view.selected);
    this.#asked++;
    const about = node?.id ?? view.scene.title;
    // Scroll to the top when the subject changes.
    if (about !== this.#about) this.view.parentElement?.scrollTo(0, 0);
    this.#about = about;
    if (node === undefined) {
      replaceChildren(this.view, ...this.#aboutScene(view));
      return;
    }
    const more = element('div', { class: 'more' });
    replaceChildren(
      this.view,
      element('h2', {}, icon(iconOfKind(node.kind)), element('code', { text: node.label }), element('span', { class: 'badge', text: kindName(node.kind) })),
      ...(node.path === '' ? [] : [this.#place(node)]),
      ...this.#certainty(node),
      ...areaLine(view, node),
      ...claimWords(node).map(text => element('p', { class: 'claimed', text: `${CLAIM_SIGN} ${text}` })),
      ...(node.signature === '' ? [] : [element('pre', { text: node.signature })]),
      ...(node.summary === '' ? [] : [element('p', {}, ...withCode(node.summary))]),
      this.#buttons(node, view),
      ...this.#evidence(node, view),
      ...this.#expansions(node, view),
      more,
    );
    if (node.role === 'start' || node.role === 'step') void this.#fill(more, node, view);
  }

  #aboutScene({ scene, state, visible }: PanelView): HTMLElement[] {
    const isComparison = scene.nodes.some(({ change }) => change !== undefined);
    const count = figure(scene.omitted.nodes);
    const omitted = [
      ...(scene.omitted.nodes > 0 ? [isComparison ? `${count} more in the Changes view of Source Control.` : `Nodes grouped under “more”: ${count}.`] : []),
      ...(scene.omitted.edges > 0 ? [`Weak links that are not shown: ${figure(scene.omitted.edges)}.`] : []),
      ...(state.hidden.length > 0 ? [`Hidden by you: ${state.hidden.length}.`] : []),
    ];
    return [
      element('h2', { text: scene.title }),
      element('p', { text: scene.summary }),
      ...omitted.map(text => element('p', { class: 'note', text })),
      ...(scene.nodes.length === 0 ? [] : [hintOf(scene, isComparison)]),
      ...this.#interfaces(scene),
      ...this.#mostLinked(visible),
    ];
  }

  /** What services offer or share and that came or went; a name opens the code as it is, or as it was. */
  #interfaces({ interfaces = [] }: SceneDto): HTMLElement[] {
    if (interfaces.length === 0) return [];
    const rows = interfaces.slice(0, MAX_INTERFACES).map(change => {
      const { line, name, path } = change;
      const isNew = change.change === 'added';
      const open = (): void => this.actions.open({ path, line, change: change.change }, false);
      const title = `${isNew ? '' : 'Was in '}${path}${line > 0 ? `:${line}` : ''}`;
      const label = element('code', { text: name });
      return element(
        'li',
        {},
        element('span', { class: `sign ${change.change}`, 'aria-hidden': 'true', text: isNew ? '+' : '−' }),
        path === '' ? label : element('button', { class: 'link', title, on: { click: open } }, label),
        element('span', { class: 'note', text: interfaceNote(change) }),
      );
    });
    const rest = interfaces.length - MAX_INTERFACES;
    return [
      element('h3', { text: `Endpoints, events and entities (${figure(interfaces.length)})` }),
      element('ul', { class: 'list' }, ...rows),
      ...(rest > 0 ? [element('p', { class: 'note', text: `${figure(rest)} more in the Changes view of Source Control.` })] : []),
    ];
  }

  /** Where to look first: what most of the lines lead to or from. */
  #mostLinked({ nodes, edges, groups }: SceneDto): HTMLElement[] {
    const links = new Map<string, { uses: number; usedBy: number }>();
    for (const { source, target, count, links: ways } of edges) {
      if (ways.length === 0) continue;
      const [from, to] = [links.get(source) ?? { uses: 0, usedBy: 0 }, links.get(target) ?? { uses: 0, usedBy: 0 }];
      links.set(source, { ...from, uses: from.uses + count });
      links.set(target, { ...to, usedBy: to.usedBy + count });
    }
    const busy = nodes
      .flatMap(node => {
        const row = links.get(node.id);
        return row === undefined ? [] : [{ node, ...row }];
      })
      .sort((a, b) => b.uses + b.usedBy - a.uses - a.usedBy)
      .slice(0, MAX_LINKED);
    if (busy.length < 2) return [];
    const labels = tellingLabels(
      busy.map(({ node }) => node),
      groups,
    );
    const rows = busy.map(({ node, uses, usedBy }, at) =>
      element(
        'li',
        {},
        element('button', { class: 'link', on: { click: () => this.actions.select(node.id) } }, element('code', { text: labels[at] ?? node.label })),
        element('span', { class: 'note', text: timesUsed(usedBy, uses) }),
      ),
    );
    return [element('h3', { text: 'Most connected' }), element('ul', { class: 'list' }, ...rows)];
  }

  #place(node: SceneNodeDto): HTMLElement {
    const open = (): void => this.actions.open(node, false);
    return element('button', { class: 'link path', title: 'Open code', text: `${node.path}${node.line > 0 ? `:${node.line}` : ''}`, on: { click: open } });
  }

  #certainty(node: SceneNodeDto): HTMLElement[] {
    if (node.role !== 'step' || !isPossible(node.confidence)) return [];
    return [element('p', { class: 'doubt', text: `Possible (${Math.round(node.confidence * 100)}%): a reference on the path could have several targets.` })];
  }

  #buttons(node: SceneNodeDto, { state, scene, visible }: PanelView): HTMLElement {
    const made: HTMLElement[] = [];
    const add = (label: string, press: () => void, primary = false): void => void made.push(button({ label, text: true, primary, press }).element);
    if (node.role === 'bundle' || node.role === 'box') {
      const { expand } = node;
      if (expand !== undefined) add(node.role === 'bundle' ? 'Show more' : 'Open', () => this.actions.expand(expand), true);
      const way = wayTo(visible, node.id).flatMap(id => visible.nodes.find(known => known.id === id && known.role === 'box')?.expand ?? []);
      if (scene.layout === 'sheet' && way.length > 1) add('Open all groups on the path', () => this.actions.refine({ expand: [...scene.expanded, ...way] }));
      if (node.role === 'box' && state.collapsed.includes(node.id)) add('Open', () => this.actions.collapse(node.id), true);
      if (node.kind === 'folder' && node.id.startsWith('folder:')) add('Show contents', () => this.actions.visit({ start: 'folder', target: node.path }));
      if (node.id.startsWith('community:')) add('Show contents', () => this.actions.visit({ start: 'community', target: node.id.slice('community:'.length) }));
    } else {
      if (!scene.starts.includes(node.id) || scene.risk !== undefined) add('Focus', () => this.actions.focusOn(node.id), true);
      add(node.change === undefined || node.change === 'added' || node.change === 'removed' ? 'Open code' : 'Open changes', () =>
        this.actions.open(node, false),
      );
      if (scene.risk === undefined || !scene.starts.includes(node.id)) add('Impact', () => this.actions.visit({ start: 'impact', target: node.id }));
      const [start] = scene.starts;
      if (start !== undefined && start !== node.id) add('Path', () => this.actions.visit({ start: 'path', target: start, to: node.id }));
      if (node.expand !== undefined) add('Show symbols', () => this.actions.expand(node.expand ?? ''));
      if (node.parent === node.path) add('Close file', () => this.actions.collapse(node.path));
      add('Explain', () => this.actions.run('explain', node));
      add(state.pinned.includes(node.id) ? 'Unpin' : 'Pin', () => this.actions.pin(node.id));
    }
    if (node.role !== 'start') add('Hide', () => this.actions.hide(node.id));
    return element('div', { class: 'buttons' }, ...made);
  }

  /** The way from what changed to this node, use by use; for other views the links that are drawn. */
  #evidence(node: SceneNodeDto, { visible }: PanelView): HTMLElement[] {
    const byId = new Map(visible.nodes.map(known => [known.id, known]));
    const way = wayTo(visible, node.id);
    if (way.length > 1) {
      const steps = way.slice(1).map((id, place) => {
        const step = byId.get(id);
        const before = byId.get(way[place] ?? '');
        if (step === undefined) return element('li', {});
        const open = (): void => this.actions.open({ path: step.path, line: step.via?.line ?? step.line }, false);
        return element(
          'li',
          {},
          element('button', { class: 'link', on: { click: open } }, element('code', { text: step.label })),
          element('span', {
            class: 'note',
            text: ` ${relationName(step.via?.relation ?? '')} ${before?.label ?? ''}${(step.via?.line ?? 0) > 0 ? ` · line ${step.via?.line}` : ''}`,
          }),
        );
      });
      return [element('h3', { text: 'Evidence' }), element('ol', { class: 'evidence' }, ...steps)];
    }
    const edges = visible.edges.filter(edge => (edge.source === node.id || edge.target === node.id) && edge.links.length > 0);
    if (edges.length === 0) return [];
    const rows = edges.slice(0, 60).map(edge => this.#edgeRow(node, edge, visible, byId));
    return [element('h3', { text: `Links (${edges.length})` }), element('ul', { class: 'list' }, ...rows)];
  }

  #edgeRow(node: SceneNodeDto, edge: SceneEdgeDto, visible: SceneDto, byId: ReadonlyMap<string, SceneNodeDto>): HTMLElement {
    const other = byId.get(edge.source === node.id ? edge.target : edge.source);
    const source = byId.get(edge.source);
    const side = edge.source === node.id ? 'out' : 'in';
    const line = edge.links[0]?.line ?? 0;
    const text = edge.links.map(link => `${sideName(side, link.relation)}${link.count > 1 ? ` × ${figure(link.count)}` : ''}`).join(', ');
    const doubt = isPossible(edge.confidence) ? [possibleWords(edge.confidence)] : [];
    const open = (): void => this.actions.open({ path: source?.path ?? '', line }, false);
    return element(
      'li',
      {},
      element('span', { class: 'note', text: `${[text, ...doubt, ...violationWords(edge)].join(' · ')} ` }),
      element(
        'button',
        { class: 'link', title: other === undefined ? '' : noteOf(other, visible), on: { click: () => this.actions.select(other?.id) } },
        element('code', { text: other?.label ?? '' }),
      ),
      ...(line > 0 && source?.path !== ''
        ? [element('button', { class: 'link path', text: `line ${line}`, title: edge.links[0]?.provenance ?? '', on: { click: open } })]
        : []),
    );
  }

  /** More neighbors by relation, with how many there are. */
  #expansions(node: SceneNodeDto, { scene }: PanelView): HTMLElement[] {
    if (node.reach.length === 0) return [];
    const rows = node.reach.map(row => {
      const text = `${sideName(row.side, row.relation)}: ${row.shown} of ${row.total}`;
      const rest = row.total - row.shown;
      return element(
        'li',
        {},
        element('span', { text }),
        ...(rest > 0
          ? [element('button', { class: 'link', text: `show ${Math.min(20, rest)} more`, on: { click: () => this.actions.expand(row.expand) } })]
          : []),
      );
    });
    const isAll = node.role === 'start' && scene.layout === 'sheet';
    const isExpanded = isAll ? scene.expanded.length > 0 : scene.expanded.some(key => key.endsWith(`:${node.id}`));
    const collapse = element('button', { class: 'link', text: 'collapse what was expanded here', on: { click: () => this.actions.collapse(node.id) } });
    return [
      element('h3', { text: 'Neighbors' }),
      element('ul', { class: 'list' }, ...rows),
      ...(isExpanded ? [element('p', { class: 'note' }, collapse)] : []),
    ];
  }

  #knowledgeLink(id: string, name: string): HTMLElement {
    return element('button', {
      class: 'link',
      title: 'Read knowledge',
      text: name,
      on: { click: () => this.actions.run('knowledge', { id, label: name }) },
    });
  }

  #atomSwitch(id: string, isOn: boolean): HTMLElement {
    return element('button', {
      class: 'link path',
      text: isOn ? 'stop showing its files' : 'show its files',
      on: { click: () => this.actions.showAtom(isOn ? undefined : id) },
    });
  }

  async #fill(place: HTMLElement, node: SceneNodeDto, { state }: PanelView): Promise<void> {
    const number = this.#asked;
    try {
      const { atoms, sentence, counts, complexity, tests, doc } = await this.explain(node.id);
      if (number !== this.#asked) return;
      const { references } = counts;
      // What is no code and that no code uses has none: an endpoint, a store.
      const hasMetrics = node.language !== '' || [counts.uses, counts.dependencies, counts.users, counts.dependents, counts.tests].some(count => count > 0);
      const metrics: readonly (readonly [string, string])[] = [
        ['Uses', certainAndPossible(counts.uses, counts.dependencies)],
        ['Used by', certainAndPossible(counts.users, counts.dependents)],
        ['Tests', figure(counts.tests)],
        // Only functions have one.
        ...(complexity > 0 ? [['Complexity', figure(complexity)] as const] : []),
        // Only code names something.
        ...(node.language === '' ? [] : [['Unresolved', figure(references.unresolved)] as const, ['External', figure(references.external)] as const]),
      ];
      replaceChildren(
        place,
        ...restOf(doc, [sentence, node.summary]).map(text => element('p', { class: 'doc' }, ...withCode(text))),
        ...(hasMetrics
          ? [
              element('h3', { text: 'Metrics' }),
              element('dl', { class: 'metrics' }, ...metrics.flatMap(([name, value]) => [element('dt', { text: name }), element('dd', { text: value })])),
            ]
          : []),
        ...(tests.length === 0
          ? []
          : [
              element('h3', { text: 'Tests' }),
              element('ul', { class: 'list' }, ...tests.slice(0, 8).map(id => element('li', {}, element('code', { text: id })))),
            ]),
        ...(atoms.length === 0
          ? []
          : [
              element('h3', { text: 'Knowledge' }),
              element(
                'ul',
                { class: 'list' },
                ...atoms.map(({ id, name }) => element('li', {}, this.#knowledgeLink(id, name), this.#atomSwitch(id, state.atom === id))),
              ),
            ]),
      );
    } catch (error) {
      if (number === this.#asked) replaceChildren(place, element('p', { class: 'note', text: error instanceof Error ? error.message : String(error) }));
    }
  }
}

function hintOf({ layout }: SceneDto, isComparison: boolean): HTMLElement {
  return element('p', {
    class: 'note',
    text: isComparison
      ? 'Click a name to select it, double-click it to see its changes.'
      : layout === 'sheet'
        ? 'Click a name to select it and to show its code if an editor is open beside the graph. Double-click it to focus it. Click a line to open the code behind it.'
        : 'Double-click a group to open it, or a file or symbol to open its code.',
  });
}

/** Rows of what services offer. */
const MAX_INTERFACES = 40;
/** Rows of what is most linked in a picture. */
const MAX_LINKED = 10;

/** Where a node belongs while colors tell areas apart: with its letters, and how much of a group. */
function areaLine({ visible: { areas } }: PanelView, { id, role }: SceneNodeDto): HTMLElement[] {
  if (areas === undefined || role === 'bundle') return [];
  const share = areas.of[id];
  const names = share?.areas.map(place => `${letterOf(place)} ${areas.list[place]?.label ?? ''}`) ?? [];
  const part = share !== undefined && share.parts > 1 ? ` · ${share.within} of ${share.parts} ${areas.by === 'molecule' ? 'files' : 'symbols'}` : '';
  const text = share === undefined ? emptyAreaLabel(areas.by) : names.length === 0 ? 'other areas' : `${names.join(', ')}${part}`;
  return [element('p', { class: 'note', text: `${areas.by === 'molecule' ? 'Molecule' : 'Community'}: ${text}` })];
}

/** What a comment says beyond what is shown of it already, without its tags: none or one text. */
function restOf(doc: string, shown: readonly string[]): string[] {
  const prose = doc.replace(/(?:^|\s)@(?:param|template|typeParam|returns?|see|example|throws|default|type|typedef|link)\b.*$/s, '').trim();
  const begun = shown.map(text => text.trim().replace(/\.$/, '')).find(text => text !== '' && prose.startsWith(text));
  const rest = prose.slice(begun?.length ?? 0).replace(/^[.\s]+/, '');
  return rest === '' ? [] : [rest.length > MAX_DOC_LENGTH ? `${rest.slice(0, MAX_DOC_LENGTH)}…` : rest];
}

const MAX_DOC_LENGTH = 600;

/** How often something is used in the picture and how often it uses others: places in code, not users. */
function timesUsed(usedBy: number, uses: number): string {
  const parts = [...(usedBy > 0 ? [`used ${times(usedBy)}`] : []), ...(uses > 0 ? [`uses others ${times(uses)}`] : [])];
  return parts.join(' · ');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${figure(count)} times`;
}
