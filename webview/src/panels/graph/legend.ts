import { element, replaceChildren } from '../../ui/dom';
import { type IconName, icon } from '../../ui/icons';
import type { PanelView } from './actions';

/** What shapes, lines and colours of the picture mean: only those that are in it. */
export class Legend {
  readonly view = element('ul', { class: 'legend', 'aria-label': 'Legend' });

  show({ state, visible }: PanelView): void {
    this.view.hidden = !state.panes.legend;
    const isImpact = visible.risk !== undefined;
    const kinds = new Set(visible.nodes.map(node => node.kind));
    const has = (...names: readonly string[]): boolean => names.some(name => kinds.has(name));
    const item = (shown: boolean, key: string, text: string, name?: IconName): HTMLElement[] =>
      shown ? [element('li', { class: `key ${key}` }, ...(name === undefined ? [] : [icon(name)]), text)] : [];
    const isMaybe = visible.edges.some(edge => edge.confidence < 0.8) || visible.nodes.some(node => node.role === 'step' && node.confidence < 0.8);
    replaceChildren(
      this.view,
      ...item(has('function', 'method', 'constructor'), 'code', 'function', 'function'),
      ...item(has('class', 'struct', 'interface', 'trait', 'type', 'enum'), 'type', 'type', 'class'),
      ...item(has('file', 'folder', 'package', 'community', 'module', 'namespace'), 'file', 'file, group', 'file'),
      ...item(has('variable', 'constant', 'field', 'property', 'enum_member'), 'data', 'value', 'value'),
      ...item(
        visible.nodes.some(node => node.isTest),
        'tested',
        'test',
      ),
      ...item(isImpact, 'fact', 'sure to be affected'),
      ...item(!isImpact, 'line', 'known for sure'),
      ...item(isMaybe, isImpact ? 'maybe-node' : 'dashed', 'maybe'),
      ...item(has('bundle'), 'dots', 'more, not shown'),
      ...item(
        visible.nodes.some(node => node.reach.some(row => row.total > row.shown)),
        'counts',
        '‹2 name 5› neighbours not shown',
      ),
      ...item(true, 'in', 'uses what you point at'),
      ...item(true, 'out', 'is used by it'),
    );
  }
}
