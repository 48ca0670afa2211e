import { button } from '../../ui/controls/controls';
import { element } from '../../ui/dom';
import type { PanelActions } from './actions';

interface Item {
  readonly text: string;
  readonly run: () => void;
}

/** A button that opens a menu; Escape, a choice or a press elsewhere closes it. */
export function exportMenu(actions: PanelActions): HTMLElement {
  const items: readonly Item[] = [
    { text: 'Save as PNG...', run: () => actions.exportAs('png') },
    { text: 'Save as SVG...', run: () => actions.exportAs('svg') },
    { text: 'Save as JSON...', run: () => actions.exportAs('json') },
    { text: 'Save as Mermaid...', run: () => actions.exportAs('mermaid') },
    { text: 'Copy as Markdown list', run: () => actions.copyList() },
    { text: 'Save view...', run: () => actions.saveView() },
    { text: 'Rearrange', run: () => actions.rearrange() },
    { text: 'Show hidden nodes', run: () => actions.showHidden() },
    { text: 'Legend', run: () => actions.panes({ legend: !document.body.classList.contains('with-legend') }) },
    { text: 'Map', run: () => actions.panes({ map: !document.body.classList.contains('with-map') }) },
    { text: 'Keys', run: () => actions.help() },
  ];
  const list = element('div', { class: 'menu', role: 'menu', 'aria-label': 'More', hidden: true });
  const opener = button({ label: 'More', icon: 'more', press: () => toggle(list.hidden !== false) });
  opener.element.setAttribute('aria-haspopup', 'menu');
  opener.element.setAttribute('aria-expanded', 'false');
  const toggle = (open: boolean): void => {
    list.hidden = !open;
    opener.element.setAttribute('aria-expanded', String(open));
    if (open) list.querySelector('button')?.focus();
  };
  for (const { text, run } of items) {
    const choose = (): void => {
      toggle(false);
      opener.element.focus();
      run();
    };
    list.append(element('button', { role: 'menuitem', text, tabindex: -1, on: { click: choose } }));
  }
  const holder = element('div', { class: 'menu-holder' }, opener.element, list);
  list.addEventListener('keydown', event => {
    const own = [...list.querySelectorAll('button')];
    const at = own.indexOf(document.activeElement as HTMLButtonElement);
    const next = event.key === 'ArrowDown' ? at + 1 : event.key === 'ArrowUp' ? at - 1 : undefined;
    if (event.key === 'Escape') {
      toggle(false);
      opener.element.focus();
    } else if (next === undefined) return;
    else own[(next + own.length) % own.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', event => {
    if (!list.hidden && !holder.contains(event.target as Node)) toggle(false);
  });
  return holder;
}
