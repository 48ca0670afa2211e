import type { SceneDto, SceneNodeDto } from '../../../../server/protocol/features';
import { sectionsOf } from '../../exports/exportScene';
import { areaWords } from '../../graph/areas';
import { isPossible, possibleWords } from '../../graph/certainty';
import { element, replaceChildren } from '../../ui/dom';
import { icon, iconOfKind } from '../../ui/icons';
import type { PanelActions, PanelView } from './actions';
import { changeWords, kindName, relationName, violationWords } from './words';

/** The same content as the picture, as lists of buttons: for screen readers, and for reading instead of looking. */
export class ListPane {
  readonly view = element('div', { class: 'lists', role: 'tabpanel', id: 'pane-list', 'aria-labelledby': 'tab-list' });
  #shown: PanelView['visible'] | undefined;

  constructor(private readonly actions: PanelActions) {}

  show({ visible, selected }: PanelView): void {
    if (this.#shown !== visible) {
      this.#shown = visible;
      const isImpact = visible.risk !== undefined;
      replaceChildren(
        this.view,
        ...sectionsOf(visible, isImpact).map(({ title, nodes }) =>
          element(
            'section',
            {},
            element('h3', { text: `${title} (${nodes.length})` }),
            element('ul', { class: 'list' }, ...nodes.map(node => element('li', {}, this.#row(node, visible)))),
          ),
        ),
      );
    }
    for (const row of this.view.querySelectorAll('button')) row.setAttribute('aria-current', String(row.dataset['id'] === selected));
  }

  #row(node: SceneNodeDto, scene: SceneDto): HTMLElement {
    const act = (): void => {
      if (node.role === 'bundle' && node.expand !== undefined) this.actions.expand(node.expand);
      else this.actions.select(node.id);
    };
    const row = element(
      'button',
      { class: 'row', on: { click: act, dblclick: () => this.actions.open(node, false) } },
      icon(iconOfKind(node.kind)),
      element('span', { class: 'name', text: node.label }),
      element('span', { class: 'note', text: noteOf(node, scene) }),
    );
    row.dataset['id'] = node.id;
    return row;
  }
}

/** What the picture says by color, line and place, in words. */
export function noteOf(node: SceneNodeDto, scene: SceneDto): string {
  if (node.role === 'bundle') return 'show more';
  const parts = [
    kindName(node.kind),
    ...changeWords(node),
    ...(node.isTest ? ['test'] : []),
    ...(node.via === undefined ? [] : [relationName(node.via.relation)]),
    ...(node.role === 'step' && isPossible(node.confidence) ? [possibleWords(node.confidence)] : []),
    ...(node.path === '' ? [] : [`${node.path}${node.line > 0 ? `:${node.line}` : ''}`]),
    ...violationWords({ violations: scene.edges.reduce((sum, edge) => sum + (edge.source === node.id ? (edge.violations ?? 0) : 0), 0) }),
    ...areaWords(scene, node.id),
  ];
  return parts.join(' · ');
}
