import type { SceneDto } from '../../../../server/protocol/features';
import type { SceneColoring } from '../../../../server/protocol/graphView';
import { emptyAreaLabel, letterOf } from '../../graph/areas';
import { isPossible } from '../../graph/certainty';
import { CLAIM_SIGN } from '../../graph/present';
import { dropdown } from '../../ui/controls/controls';
import { element, replaceChildren } from '../../ui/dom';
import { type IconName, icon } from '../../ui/icons';
import type { PanelActions, PanelView } from './actions';

const COLORINGS: readonly (readonly [SceneColoring, string])[] = [
  ['kind', 'Kinds'],
  ['molecule', 'Molecules'],
  ['community', 'Communities'],
  ['owner', 'Owners'],
];

/** What colors of an overview can mean beside. */
const COLORINGS_OF_BLOCKS: typeof COLORINGS = [...COLORINGS, ['churn', 'Churn'], ['coverage', 'Test coverage']];

/** What shapes, lines and colors of the picture mean: only those that are in it. And what colors are to mean. */
export class Legend {
  readonly view: HTMLElement;
  readonly #list = element('ul', { class: 'legend', 'aria-label': 'Legend' });
  readonly #unfold = element('button', { class: 'link unfold', 'aria-expanded': 'false', text: 'Show all', title: 'Show the complete legend' });
  readonly #coloring;
  readonly #coloringOfBlocks;

  constructor(actions: PanelActions) {
    this.#coloring = dropdown('Colors', COLORINGS, value => actions.color(value as SceneColoring));
    this.#coloringOfBlocks = dropdown('Colors', COLORINGS_OF_BLOCKS, value => actions.color(value as SceneColoring));
    const choices = [this.#coloring.element, this.#coloringOfBlocks.element];
    for (const choice of choices) choice.setAttribute('position', 'above');
    this.view = element('div', { class: 'legend-bar' }, ...choices, this.#list, this.#unfold);
    this.#unfold.addEventListener('click', () => {
      const isOpen = this.view.classList.toggle('open');
      this.#unfold.setAttribute('aria-expanded', String(isOpen));
      this.#unfold.textContent = isOpen ? 'Show less' : 'Show all';
    });
  }

  show(view: PanelView): void {
    const { state, visible } = view;
    this.view.hidden = !state.panes.legend;
    const isBlocks = visible.grouping !== undefined;
    this.#coloring.element.hidden = isBlocks;
    this.#coloringOfBlocks.element.hidden = !isBlocks;
    const colorBy = state.colorBy ?? 'kind';
    this.#coloringOfBlocks.setValue(colorBy);
    this.#coloring.setValue(colorBy === 'churn' || colorBy === 'coverage' ? 'kind' : colorBy);
    replaceChildren(
      this.#list,
      ...areaKeys(view),
      ...shadeKeys(view),
      ...(visible.areas === undefined && visible.shades === undefined ? kindKeys(view) : []),
      ...lineKeys(view),
    );
  }
}

function item(shown: boolean, key: string, text: string, name?: IconName): HTMLElement[] {
  return shown ? [element('li', { class: `key ${key}` }, ...(name === undefined ? [] : [icon(name)]), text)] : [];
}

/** Each area with its letter; what belongs to none. */
function areaKeys({ visible: { areas, nodes } }: PanelView): HTMLElement[] {
  if (areas === undefined) return [];
  if (areas.list.length === 0) {
    const text = NO_AREAS[areas.by];
    return [element('li', { class: 'key plain', text })];
  }
  const keys = areas.list.map(({ label, nodes: count }, place) =>
    element(
      'li',
      { class: 'key plain', title: `${label}: ${count} shown here` },
      element('span', { class: `letter area-${(place % 8) + 1}`, text: letterOf(place) }),
      element('span', { class: 'cut', text: label }),
    ),
  );
  const shares = nodes.filter(node => node.role !== 'bundle').map(node => areas.of[node.id]);
  return [
    ...keys,
    ...item(
      shares.some(share => share?.areas.length === 0),
      'plain',
      '… other areas',
    ),
    ...item(
      shares.some(share => share === undefined),
      'bare',
      emptyAreaLabel(areas.by),
    ),
  ];
}

const NO_AREAS: Readonly<Record<NonNullable<SceneDto['areas']>['by'], string>> = {
  molecule: 'Nothing shown here is covered by an atom',
  community: 'Nothing shown here belongs to a community',
  owner: 'Nothing shown here has an owner in CODEOWNERS',
};

/** From little to much, each shade with its color. */
function shadeKeys({ visible: { shades } }: PanelView): HTMLElement[] {
  if (shades === undefined) return [];
  const steps = Object.keys(shades.of).length === 0 ? [] : [0, 1, 2, 3, 4].map(level => element('span', { class: `block ${shades.by} shade-${level}` }));
  return [element('li', { class: 'key plain shades' }, ...steps, shades.about)];
}

function kindKeys({ visible: { nodes } }: PanelView): HTMLElement[] {
  const kinds = new Set(nodes.map(node => node.kind));
  const has = (...names: readonly string[]): boolean => names.some(name => kinds.has(name));
  return [
    ...item(has('function', 'method', 'constructor'), 'code', 'function', 'function'),
    ...item(has('class', 'struct', 'interface', 'trait', 'type', 'enum'), 'type', 'type', 'class'),
    ...item(has('file', 'folder', 'package', 'community', 'module', 'namespace'), 'file', 'file, group', 'file'),
    ...item(has('variable', 'constant', 'field', 'property', 'enum_member'), 'data', 'value', 'value'),
    ...item(has('atom', 'molecule', 'task', 'feature', 'tx'), 'knowledge', 'knowledge, task', 'atom'),
  ];
}

/** Signs of a comparison: `+` and a solid border, `−` and a dashed one, `~` and a double one, `!` and a second line. */
function changeKeys({ visible: { edges, nodes } }: PanelView): HTMLElement[] {
  const has = (...names: readonly string[]): boolean => nodes.some(({ change }) => change !== undefined && names.includes(change));
  return [
    ...item(has('added'), 'diff added', '+ added'),
    ...item(has('removed'), 'diff removed', '− removed'),
    ...item(has('renamed', 'moved', 'signature', 'body'), 'diff changed', '~ changed'),
    ...item(
      nodes.some(({ breaking }) => breaking === true),
      'diff breaking',
      '! breaking',
    ),
    ...item(
      nodes.some(({ change, role }) => change === undefined && role === 'step') && has('added', 'removed', 'renamed', 'moved', 'signature', 'body'),
      'plain',
      'unchanged code that breaks',
    ),
    ...item(
      edges.some(({ change }) => change === 'removed'),
      'dashed',
      'removed dependency',
    ),
    ...item(
      edges.some(({ change }) => change === 'added'),
      'thicker',
      'new dependency',
    ),
  ];
}

function lineKeys(view: PanelView): HTMLElement[] {
  const { visible } = view;
  const isMaybe = visible.edges.some(edge => isPossible(edge.confidence)) || visible.nodes.some(node => node.role === 'step' && isPossible(node.confidence));
  return [
    ...changeKeys(view),
    ...item(
      visible.nodes.some(node => node.claimed !== undefined),
      'plain',
      `${CLAIM_SIGN} claimed by an agent`,
    ),
    ...item(
      visible.nodes.some(node => node.isTest),
      'tested',
      'test',
    ),
    ...item(true, 'line', 'certain'),
    ...item(isMaybe, 'dashed', 'possible'),
    ...item(new Set(visible.edges.map(edge => edge.count)).size > 1, 'thicker', 'more uses'),
    ...item(
      visible.nodes.some(node => node.kind === 'bundle'),
      'dots',
      'more, not shown',
    ),
    ...item(
      visible.layout !== 'blocks' && visible.nodes.some(node => node.reach.some(row => row.total > row.shown)),
      'counts',
      visible.layout === 'sheet' ? '+2 neighbors not shown' : '‹2 name 5› neighbors not shown',
    ),
    ...item(visible.layout === 'blocks' && visible.nodes.some(node => node.lines !== undefined), 'area-size', 'larger: more lines of code'),
    ...item(visible.layout === 'blocks' && visible.edges.some(edge => edge.loads !== undefined), 'cycle', 'closes a cycle'),
    ...item(
      visible.edges.some(edge => edge.violations !== undefined),
      'violation',
      'violates an architecture rule',
    ),
    ...item(true, 'in', 'uses the highlighted node'),
    ...item(true, 'out', 'used by the highlighted node'),
  ];
}
