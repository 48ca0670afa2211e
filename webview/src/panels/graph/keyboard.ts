import type { Drawing } from '../../graph/drawing';
import { element } from '../../ui/dom';
import type { PanelActions, PanelView } from './actions';
import type { GraphPicture } from './graphPicture';

/** What keys act on. */
type Situation = Partial<PanelView> & { readonly picture: GraphPicture };

/** Keys, what they do, and how they are told to the reader. Letters work while the graph has the focus. */
const KEYS: readonly (readonly [keys: string, text: string])[] = [
  ['Arrow keys', 'Move to the nearest node in that direction'],
  ['Enter', 'Focus the node, open the group, or show more'],
  ['Space', 'Open the code of the node'],
  ['+ and -', 'Expand or collapse the node'],
  ['I', 'Show the impact of the node'],
  ['P', 'Pin or unpin the node'],
  ['H', 'Hide the node (Shift+H: show all hidden nodes)'],
  ['L', 'Switch between list and details'],
  ['C', 'Follow the cursor in the editor'],
  ['/', 'Find in the graph'],
  ['0', 'Zoom to fit'],
  ['Page Up, Page Down', 'Zoom in, zoom out'],
  ['Z', 'Center the node'],
  ['Alt+Left, Alt+Right', 'Back, forward'],
  ['Shift+F, Shift+D', 'Filters; details'],
  ['T', 'Timeline'],
  ['[ and ]', 'Earlier or later state'],
  ['Shift+O', 'Workspace overview'],
  ['Escape', 'Clear the selection, then the highlighted files of an atom'],
];

export function keyboard(root: HTMLElement, stages: readonly HTMLElement[], actions: PanelActions, situation: () => Situation, search: () => void): void {
  root.addEventListener('keydown', event => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') actions.step(-1);
    else if (event.key === 'ArrowRight') actions.step(1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const stage of stages) {
    stage.addEventListener('keydown', event => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const act = actionOf(event.key, actions, situation(), search);
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });
  }
}

const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function actionOf(key: string, actions: PanelActions, now: Situation, search: () => void): (() => void) | undefined {
  const { selected, visible, state, picture } = now;
  const direction = DIRECTIONS[key];
  if (direction !== undefined) return () => actions.select(picture.goTo(nearest(picture.drawing, picture.placeOf(selected ?? visible?.starts[0]), direction)));
  const general: Readonly<Record<string, () => void>> = {
    '/': search,
    '0': () => actions.fit(),
    '?': () => actions.help(),
    Escape: () => (selected === undefined && state?.atom !== undefined ? actions.showAtom(undefined) : actions.select(undefined)),
    PageUp: () => actions.zoom(1.25),
    PageDown: () => actions.zoom(0.8),
    H: () => actions.showHidden(),
    c: () => actions.follow(state?.follow !== true),
    l: () => actions.panes({ side: state?.panes.side === 'list' ? 'details' : 'list' }),
    F: () => actions.panes({ filters: state?.panes.filters !== true }),
    D: () => actions.panes({ side: state?.panes.side === 'none' ? 'details' : 'none' }),
    O: () => actions.visit({ start: 'workspace' }),
    t: () => actions.showTimeline(state?.panes.timeline !== true),
    '[': () => actions.stepInTime(-1),
    ']': () => actions.stepInTime(1),
  };
  if (Object.hasOwn(general, key)) return general[key];
  const node = visible?.nodes.find(known => known.id === selected);
  if (node === undefined) return undefined;
  const more = node.expand ?? node.reach.find(row => row.total > row.shown)?.expand;
  const onNode: Readonly<Record<string, () => void>> = {
    Enter: () => {
      if (node.expand !== undefined && (node.role === 'bundle' || node.role === 'box')) actions.expand(node.expand);
      else actions.focusOn(node.id);
    },
    ' ': () => actions.open(node, false),
    '+': () => {
      if (more !== undefined) actions.expand(more);
    },
    '-': () => actions.collapse(node.parent ?? node.id),
    i: () => actions.visit({ start: 'impact', target: node.id }),
    p: () => actions.pin(node.id),
    z: () => picture.near(node.id),
    h: () => actions.hide(node.id),
  };
  return Object.hasOwn(onNode, key) ? onNode[key] : undefined;
}

/** The node that is nearest in a direction; what lies aside counts as further away. */
function nearest(drawing: Drawing, from: string | undefined, [dx, dy]: readonly [number, number]): string | undefined {
  const start = drawing.nodes.find(node => node.id === from) ?? drawing.nodes[0];
  if (start === undefined || from === undefined) return start?.id;
  let best: { readonly id: string; readonly distance: number } | undefined;
  for (const { id, position } of drawing.nodes) {
    const [x, y] = [position.x - start.position.x, position.y - start.position.y];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (along < 1 || aside > along * 4) continue;
    const distance = along + aside * 2;
    if (best === undefined || distance < best.distance) best = { id, distance };
  }
  return best?.id ?? start.id;
}

export function helpDialog(root: HTMLElement): void {
  const close = (): void => dialog.close();
  const rows = KEYS.flatMap(([keys, text]) => [element('dt', { text: keys }), element('dd', { text })]);
  const dialog = element(
    'dialog',
    { class: 'help', 'aria-labelledby': 'help-title' },
    element('h2', { id: 'help-title', text: 'Keys' }),
    element('dl', {}, ...rows),
    element('button', { class: 'link', text: 'Close', on: { click: close } }),
  );
  dialog.addEventListener('close', () => dialog.remove());
  root.append(dialog);
  dialog.showModal();
}
