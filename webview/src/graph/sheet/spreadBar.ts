/** Where an impact goes: a bar with a part for each folder, and the same in words. */
import type { SceneDto } from '../../../../server/protocol/features';
import { figure } from '../../../../server/protocol/figures';
import { element } from '../../ui/dom';
import { shortPaths } from './shortPaths';

type Spread = NonNullable<SceneDto['spread']>;

/** Parts that are less of the whole than this are only in the bar. */
const MIN_SHARE_SHOWN = 0.02;

/** As many as there are colors: two parts of one color could not be told apart. */
const MAX_TOLD = 8;

function isTold(part: Spread['parts'][number], place: number, all: number): boolean {
  return !part.isRest && place < MAX_TOLD && part.count >= all * MIN_SHARE_SHOWN;
}

export function spreadBar(spread: Spread): HTMLElement {
  const { parts, dependents } = spread;
  const bar = element('div', { class: 'spread-bar', 'aria-hidden': 'true' });
  for (const [place, part] of parts.entries()) {
    const made = element('span', {
      class: `part ${colorOf(part, place, dependents)}`,
      title: `${part.label}: ${figure(part.count)} (${percentOf(part.count, dependents)})`,
    });
    made.style.flexGrow = String(part.count);
    bar.append(made);
  }
  return element('div', { class: 'spread' }, bar, spreadWords(spread));
}

/** `61% adapter, 20% middleware, tests in 14 files`, each part with its color. */
function spreadWords({ dependents, parts, tests, testFiles }: Spread): HTMLElement {
  const names = shortPaths(parts.map(part => part.label));
  const swatch = (color: string): HTMLElement => element('span', { class: `swatch ${color}`, 'aria-hidden': 'true' });
  const said: (readonly (HTMLElement | string)[])[] = [];
  let elsewhere = dependents;
  for (const [place, part] of parts.entries()) {
    if (!isTold(part, place, dependents)) continue;
    elsewhere -= part.count;
    said.push([swatch(colorOf(part, place, dependents)), `${percentOf(part.count, dependents)} ${names[place] ?? part.label}`]);
  }
  if (elsewhere > 0) said.push([swatch('rest'), `${percentOf(elsewhere, dependents)} elsewhere`]);
  said.push([tests === 0 ? 'no tests' : `tests in ${figure(testFiles)} file${testFiles === 1 ? '' : 's'}`]);
  const words = said.flatMap((part, place) => [...(place === 0 ? [] : [', ']), element('span', { class: 'share' }, ...part)]);
  return element('p', { class: 'spread-words' }, ...words);
}

/** What the words do not name has one color. */
function colorOf(part: Spread['parts'][number], place: number, dependents: number): string {
  return isTold(part, place, dependents) ? `area-${place + 1}` : 'rest';
}

function percentOf(part: number, all: number): string {
  const share = all === 0 ? 0 : (part / all) * 100;
  return share > 0 && share < 1 ? '<1%' : `${Math.round(share)}%`;
}
