import type { PanelState } from '../../../../server/protocol/graphPanel';
import { element } from '../../ui/dom';
import type { PanelActions } from './actions';

type Side = PanelState['panes']['side'];

/** Details and list as two tabs beside the picture. */
export class SidePane {
  readonly view: HTMLElement;
  readonly #tabs: ReadonlyMap<Side, { readonly tab: HTMLElement; readonly panel: HTMLElement }>;

  constructor(actions: PanelActions, details: HTMLElement, list: HTMLElement) {
    const tab = (side: Side, text: string): HTMLElement =>
      element('button', { role: 'tab', id: `tab-${side}`, 'aria-controls': `pane-${side}`, text, on: { click: () => actions.panes({ side }) } });
    this.#tabs = new Map([
      ['details', { tab: tab('details', 'Details'), panel: details }],
      ['list', { tab: tab('list', 'List'), panel: list }],
    ]);
    const tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Side pane' }, ...[...this.#tabs.values()].map(entry => entry.tab));
    tabs.addEventListener('keydown', event => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const other = [...this.#tabs].find(([, entry]) => entry.tab.getAttribute('aria-selected') === 'false');
      event.stopPropagation();
      if (other === undefined) return;
      actions.panes({ side: other[0] });
      other[1].tab.focus();
    });
    this.view = element('aside', { class: 'pane side', 'aria-label': 'Details and list' }, tabs, details, list);
  }

  show(side: Side): void {
    this.view.hidden = side === 'none';
    for (const [name, { tab, panel }] of this.#tabs) {
      tab.setAttribute('aria-selected', String(name === side));
      tab.tabIndex = name === side ? 0 : -1;
      panel.hidden = name !== side;
    }
  }
}
