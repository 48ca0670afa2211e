import { button } from '../../ui/controls/controls';
import { element, replaceChildren } from '../../ui/dom';
import type { PanelActions, PanelView } from './actions';

/** Banner with the atom whose files are highlighted, how many of them are shown, and a button to stop highlighting them. */
export class AtomMark {
  readonly view = element('div', { class: 'atom-mark', hidden: true });
  #shown = '';

  constructor(private readonly actions: PanelActions) {}

  show({ state, visible: { atom } }: PanelView): void {
    this.view.hidden = state.atom === undefined;
    const text = atom === undefined ? 'This atom no longer exists' : `${atom.name}: ${wordsOf(atom.nodes.length, atom.files)}`;
    if (state.atom === undefined || text === this.#shown) return;
    this.#shown = text;
    const overview = element('button', { class: 'link', text: 'Show in the overview', on: { click: () => this.actions.visit({ start: 'workspace' }) } });
    replaceChildren(
      this.view,
      element('span', { text }),
      ...(atom !== undefined && atom.nodes.length === 0 && atom.files > 0 ? [overview] : []),
      button({ label: 'Stop highlighting its files', icon: 'close', key: 'Escape', press: () => this.actions.showAtom(undefined) }).element,
    );
    this.actions.announce(text);
  }
}

function wordsOf(nodes: number, files: number): string {
  const all = `${files} file${files === 1 ? '' : 's'}`;
  if (files === 0) return 'covers no file of the index';
  return nodes === 0 ? `none of its ${all} shown here` : `${nodes} node${nodes === 1 ? '' : 's'} here, ${all} in total`;
}
