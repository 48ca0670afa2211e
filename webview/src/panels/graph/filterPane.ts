import type { PanelFilters } from '../../../../server/protocol/graphPanel';
import { NO_FILTERS } from '../../state/panelState';
import { button, checkbox } from '../../ui/controls/controls';
import { element, replaceChildren } from '../../ui/dom';
import type { PanelActions, PanelView } from './actions';
import { kindName, relationName } from './words';

type ListName = 'relations' | 'kinds' | 'languages';

/** Which nodes and links are shown: by relation, kind, language, certainty, and whether tests and what is outside count. */
export class FilterPane {
  readonly view = element('aside', { class: 'pane filters', 'aria-label': 'Filters' });
  #shown = '';

  constructor(private readonly actions: PanelActions) {}

  show({ state, scene, visible }: PanelView): void {
    this.view.hidden = !state.panes.filters;
    const counts = countsOf(visible);
    const key = JSON.stringify([state.filters, scene.facets, [...counts], state.hidden.length]);
    // A pane that is being used is not built anew for nothing.
    if (key === this.#shown) return;
    this.#shown = key;
    const { filters } = state;
    const reset = button({ label: 'Clear filters', text: true, press: () => this.actions.filter(NO_FILTERS) });
    replaceChildren(
      this.view,
      element('h2', { text: 'Filters' }),
      element(
        'div',
        { class: 'checks' },
        this.#flag('Tests', filters, 'tests'),
        this.#flag('Outside the workspace', filters, 'externals'),
        this.#flag('Knowledge and tasks', filters, 'knowledge'),
      ),
      this.#certainty(filters),
      ...this.#list('Relations', 'relations', scene.facets.relations, filters, counts, relationName),
      ...this.#list('Kinds', 'kinds', scene.facets.kinds, filters, counts, kindName),
      ...this.#list('Languages', 'languages', scene.facets.languages, filters, counts, name => name),
      reset.element,
    );
  }

  #flag(label: string, filters: PanelFilters, name: 'tests' | 'externals' | 'knowledge'): HTMLElement {
    return checkbox(label, filters[name] === true, checked => this.actions.filter({ ...filters, [name]: checked }));
  }

  #certainty(filters: PanelFilters): HTMLElement {
    const text = (value: number): string => (value === 0 ? 'all' : `${Math.round(value * 100)}%`);
    const output = element('output', { for: 'certainty', text: text(filters.minConfidence) });
    const slider = element('input', { type: 'range', id: 'certainty', min: 0, max: 1, step: 0.1, value: filters.minConfidence });
    slider.addEventListener('input', () => {
      output.textContent = text(Number(slider.value));
    });
    slider.addEventListener('change', () => this.actions.filter({ ...filters, minConfidence: Number(slider.value) }));
    return element('div', { class: 'slider' }, element('label', { for: 'certainty', text: 'Minimum confidence' }), slider, output);
  }

  #list(
    title: string,
    name: ListName,
    all: readonly string[],
    filters: PanelFilters,
    counts: ReadonlyMap<string, number>,
    text: (value: string) => string,
  ): HTMLElement[] {
    if (all.length < 2) return [];
    const chosen = filters[name];
    const change = (value: string, checked: boolean): void => {
      const now = new Set(chosen ?? all);
      if (checked) now.add(value);
      else now.delete(value);
      const { [name]: _before, ...others } = filters;
      this.actions.filter(now.size === all.length || now.size === 0 ? others : { ...others, [name]: all.filter(one => now.has(one)) });
    };
    const rows = all.map(value => {
      const count = counts.get(`${name}:${value}`) ?? 0;
      return checkbox(`${text(value)}${count > 0 ? ` (${count})` : ''}`, chosen?.includes(value) ?? true, checked => change(value, checked));
    });
    return [element('fieldset', { class: 'checks' }, element('legend', { text: title }), ...rows)];
  }
}

function countsOf(scene: PanelView['scene']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const node of scene.nodes) {
    add(`kinds:${node.kind}`);
    if (node.language !== '') add(`languages:${node.language}`);
  }
  for (const edge of scene.edges) for (const link of edge.links) add(`relations:${link.relation}`);
  return counts;
}
