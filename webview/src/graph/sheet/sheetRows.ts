/** Rows and titles of a sheet: a button with the whole name, and what else there is to say of a node beside it. */

import type { SceneDto, SceneNodeDto } from '../../../../server/protocol/features';
import { counted, figure } from '../../../../server/protocol/figures';
import { changeWords, kindName, sideName } from '../../panels/graph/words';
import { element, withBreaks } from '../../ui/dom';
import { icon, iconOfKind } from '../../ui/icons';
import { familyOf } from '../../ui/theme';
import { areaWords, lettersOf } from '../areas';
import { isPossible } from '../certainty';
import { CLAIM_SIGN, changeClasses, claimWords, missing, signOf } from '../present';
import type { SheetCard } from './sheetModel';

export interface RowEvents {
  /** One press. */
  onSelect(id: string): void;
  /** Two presses. */
  onOpen(id: string): void;
  /** Shows more: what is in a group, more rows, or neighbors of a node. */
  onExpand(key: string): void;
}

export function titleElement({ title, rows, isTest }: SheetCard, events: RowEvents): HTMLElement {
  const [first] = rows;
  const kind = first?.node.path === title ? 'file' : 'folder';
  const path = element('span', { class: 'sheet-path' }, ...withBreaks(title));
  const made = element('div', { class: 'sheet-title', title: isTest ? `${title} (tests)` : title }, icon(isTest ? 'test' : kind), path);
  made.addEventListener('dblclick', () => {
    if (first !== undefined) events.onOpen(first.node.id);
  });
  return made;
}

/** A row with what stands outside of its name: how many neighbors of it are not shown. */
export function rowElement(node: SceneNodeDto, name: string, scene: SceneDto, side: string, events: RowEvents): HTMLElement {
  const row = mainButton(node, name, scene, events);
  const holder = element('div', { class: 'sheet-line-of' }, row);
  const outer = side === 'left' ? 'in' : 'out';
  const hidden = node.role === 'step' && side !== 'middle' ? missing(node, outer) : 0;
  if (hidden > 0) {
    const text = `Show ${hidden} hidden: ${relationWords(node, outer)}`;
    const badge = element('button', { class: 'sheet-badge', title: text, 'aria-label': `${name}: ${text}`, text: `+${hidden}`, tabindex: -1 });
    badge.addEventListener('click', () => events.onExpand(`${outer}:*:${node.id}`));
    holder.append(badge);
  }
  return holder;
}

function relationWords({ reach }: SceneNodeDto, side: 'in' | 'out'): string {
  return reach
    .filter(row => row.side === side && row.total > row.shown)
    .map(row => `${sideName(side, row.relation)} ${row.total - row.shown}`)
    .join(', ');
}

function mainButton(node: SceneNodeDto, name: string, scene: SceneDto, events: RowEvents): HTMLElement {
  const isDoubtful = node.role === 'step' && isPossible(node.confidence);
  const classes = ['sheet-row', node.role, familyOf(node.kind), ...(isDoubtful ? ['possible'] : []), ...(node.isTest ? ['test'] : []), ...changeClasses(node)];
  const share = scene.areas?.of[node.id];
  const row = element(
    'button',
    // What a box says is its name.
    {
      class: classes.join(' '),
      title: tooltip(node, name),
      ...(node.role === 'box' ? { 'aria-expanded': 'false' } : { 'aria-label': spoken(node, name, scene) }),
    },
    ...(node.change === undefined ? [] : [element('span', { class: 'change-sign', text: signOf(node), 'aria-hidden': 'true' })]),
    icon(iconOfKind(node.kind)),
    ...(node.claimed === undefined ? [] : [element('span', { class: 'claim-sign', text: CLAIM_SIGN, 'aria-hidden': 'true' }), ' ']),
    element('span', { class: 'sheet-name' }, ...withBreaks(name)),
    ' ',
    ...(node.role !== 'box'
      ? []
      : node.counts === undefined
        ? [element('span', { class: 'sheet-count', text: figure(node.size) })]
        : [countsElement(node.counts)]),
    ...(isDoubtful ? [element('span', { class: 'sheet-doubt', text: 'possible' })] : []),
    ...(TOLD.has(node.change ?? '') ? [element('span', { class: 'sheet-counts', text: changeWords(node)[0] ?? '' })] : []),
    ...(share === undefined ? [] : [element('span', { class: `letter area-${((share.areas[0] ?? 0) % 8) + 1}`, 'data-letters': lettersOf(share) })]),
  );
  row.dataset['id'] = node.id;
  row.dataset['name'] = name;
  row.addEventListener('click', () => {
    if (node.expand !== undefined && (node.role === 'bundle' || node.role === 'box')) events.onExpand(node.expand);
    else events.onSelect(node.id);
  });
  row.addEventListener('dblclick', () => {
    if (node.role !== 'bundle' && node.role !== 'box') events.onOpen(node.id);
  });
  return row;
}

/** Changes that their column does not tell. */
const TOLD: ReadonlySet<string> = new Set(['renamed', 'moved', 'signature']);

type Counts = NonNullable<SceneNodeDto['counts']>;

function countWords({ dependents, tests, possible }: Counts): string[] {
  return [
    ...(dependents > 0 ? [counted(dependents, 'dependent')] : []),
    ...(tests > 0 ? [counted(tests, 'test')] : []),
    ...(possible > 0 ? [`${figure(possible)} possible`] : []),
  ];
}

function countsElement(counts: Counts): HTMLElement {
  const words = countWords(counts).flatMap((text, place) => [...(place === 0 ? [] : [' · ']), element('span', { class: 'sheet-figure', text })]);
  return element('span', { class: 'sheet-counts' }, ...words);
}

/** What the row says by place, picture and line, in words. */
function spoken(node: SceneNodeDto, name: string, scene: SceneDto): string {
  if (node.role === 'bundle') return `Show ${name}`;
  const isDoubtful = node.role === 'step' && isPossible(node.confidence);
  // What is written on the row comes first, in its order.
  const written = [name, ...(isDoubtful ? ['possible'] : [])].join(' ');
  const share = isDoubtful ? [`${Math.round(node.confidence * 100)}%`] : [];
  return [
    written,
    ...changeWords(node),
    kindName(node.kind),
    ...(node.isTest ? ['test'] : []),
    ...share,
    ...claimWords(node),
    ...areaWords(scene, node.id),
  ].join(', ');
}

function tooltip(node: SceneNodeDto, name: string): string {
  if (node.role === 'bundle') return '';
  if (node.role === 'box') return node.label === name ? '' : node.label;
  return [node.signature === '' ? name : node.signature, ...(node.summary === '' ? [] : [node.summary]), ...claimWords(node)].join('\n\n');
}
