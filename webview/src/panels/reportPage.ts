import type { ReportData } from '../../../server/protocol/features';
import { element, replaceChildren } from '../ui/dom';
import { Explorer } from './explorer';
import { activity, cycles, figures, hotspots, kinds, languages, problems, relations } from './tables';

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
    replaceChildren(
      this.root,
      element('header', {}, element('h1', { text: data.name }), element('p', { class: 'note', text: made })),
      figures(data),
      explorer.view,
      hotspots(data.hotspots, focus),
      ...activity(data.activity),
      element('div', { class: 'columns' }, languages(data), relations(data), kinds(data), cycles(data), ...problems(data)),
      element('footer', { class: 'note', text: 'Created on this machine by Lattice. The page is self-contained and does not load anything from the network.' }),
    );
    document.title = `${data.name} · Lattice`;
    explorer.start();
  }
}
