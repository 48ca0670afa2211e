import { counted, figure } from '../../../../server/protocol/figures';
import { element } from '../../ui/dom';
import type { PanelView } from './actions';
import { whenText } from './timeline/timeline';

/** Counts, what the picture was computed from, and whether it has just changed. Announces to screen readers. */
export class StatusBar {
  readonly view: HTMLElement;
  readonly #counts = element('span', {});
  readonly #stamp = element('span', { class: 'stamp' });
  readonly #updated = element('span', { class: 'updated', hidden: true });
  readonly #live = element('div', { class: 'live', role: 'status', 'aria-live': 'polite' });

  constructor() {
    this.view = element('footer', { class: 'status' }, this.#counts, this.#updated, this.#stamp, this.#live);
  }

  show({ visible, scene, state }: PanelView): void {
    const left = scene.omitted.nodes + state.hidden.length;
    this.#counts.textContent = `${counted(visible.nodes.length, 'node')} · ${counted(visible.edges.length, 'link')}${left > 0 ? ` · ${figure(left)} not shown` : ''}`;
    const { asOf, revision, head, pendingFiles, unsavedFiles = 0 } = scene.stamp;
    const parts = [
      asOf === undefined ? `revision ${revision}` : `as of ${whenText(asOf)}`,
      ...(head === '' ? [] : [head.slice(0, 7)]),
      ...(pendingFiles > 0 ? [`${counted(pendingFiles, 'file')} pending`] : []),
    ];
    this.#stamp.textContent = [...parts, ...(unsavedFiles > 0 ? [`${unsavedFiles} unsaved`] : [])].join(' · ');
  }

  /** The mark stays until the next thing is done. */
  updated(text: string): void {
    this.#updated.textContent = text;
    this.#updated.hidden = text === '';
    if (text !== '') this.announce(text);
  }

  announce(text: string): void {
    this.#live.textContent = text;
  }
}
