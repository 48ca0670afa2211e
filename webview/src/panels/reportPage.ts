import type { ReportData } from '../../../server/protocol/features';
import { BlocksView } from '../graph/blocks/blocksView';
import { element, replaceChildren } from '../ui/dom';
import { Explorer } from './explorer';
import { activity, cycles, figures, hotspots, kinds, languages, problems, relations, section } from './tables';

/** The page shows what it has and asks for nothing. */
const NO_EVENTS = { onSelect: () => undefined, onOpen: () => undefined, onExpand: () => undefined, onClose: () => undefined, onNothing: () => undefined };

/** The whole report: figures, the graph to walk in, then the tables. */
export class ReportPage {
  constructor(
    private readonly root: HTMLElement,
    private readonly data: ReportData,
  ) {}

  show(): void {
    const { data } = this;
    const explorer = new Explorer(data.graph, data.overview);
    const focus = (id: string): void => {
      explorer.focus(id);
      explorer.view.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    };
    const made = `${data.madeAt.slice(0, 16).replace('T', ' ')} UTC${data.head === '' ? '' : ` · commit ${data.head}`} · Lattice ${data.version}`;
    const services = data.services === undefined ? undefined : new BlocksView(NO_EVENTS);
    replaceChildren(
      this.root,
      element('header', {}, element('h1', { text: data.name }), element('p', { class: 'note', text: made })),
      figures(data),
      explorer.view,
      ...(services === undefined ? [] : [section('Services', data.services?.summary ?? '', element('div', { class: 'service-map' }, services.view))]),
      hotspots(data.hotspots, focus),
      ...activity(data.activity),
      element('div', { class: 'columns' }, languages(data), relations(data), kinds(data), cycles(data), ...problems(data)),
      element('footer', { class: 'note', text: 'Created on this machine by Lattice. The page is self-contained and does not load anything from the network.' }),
    );
    document.title = `${data.name} · Lattice`;
    explorer.start();
    if (services === undefined || data.services === undefined) return;
    services.view.hidden = false;
    services.show(data.services, { top: false });
    addEventListener('resize', () => services.resize());
  }
}
