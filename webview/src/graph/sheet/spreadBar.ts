/** Where an impact goes: a bar with a part for each folder, and the same in words. */
import type { SceneDto } from '../../../../server/protocol/features';
import { figure } from '../../../../server/protocol/figures';
import { element } from '../../ui/dom';
import { shortPaths } from './shortPaths';

type Spread = NonNullable<SceneDto['spread']>;

/** Parts that are less of the whole than this are only in the bar. */
const MIN_SHARE_SHOWN = 0.02;

function isTold(part: Spread['parts'][number], all: number): boolean {
  return !part.isRest && part.count >= all * MIN_SHARE_SHOWN;
}

/** `61% adapter, 20% middleware, tests in 14 files`. */
export function spreadWords({ dependents, parts, tests, testFiles }: Spread): string {
  const names = shortPaths(parts.map(part => part.label));
  const named = parts.flatMap((part, place) => (isTold(part, dependents) ? [{ part, name: names[place] ?? part.label }] : []));
  const shares = named.map(({ part, name }) => `${percentOf(part.count, dependents)} ${name}`);
  const elsewhere = dependents - named.reduce((sum, { part }) => sum + part.count, 0);
  const tested = tests === 0 ? 'no tests' : `tests in ${figure(testFiles)} file${testFiles === 1 ? '' : 's'}`;
  return [...shares, ...(elsewhere > 0 ? [`${percentOf(elsewhere, dependents)} elsewhere`] : []), tested].join(', ');
}

export function spreadBar(spread: Spread): HTMLElement {
  const { parts, dependents } = spread;
  const bar = element('div', { class: 'spread-bar', 'aria-hidden': 'true' });
  for (const [place, part] of parts.entries()) {
    const made = element('span', {
      class: `part area-${(place % 8) + 1}`,
      title: `${part.label}: ${figure(part.count)} (${percentOf(part.count, dependents)})`,
    });
    made.style.flexGrow = String(part.count);
    bar.append(made);
  }
  return element('div', { class: 'spread' }, bar, element('p', { class: 'spread-words', text: spreadWords(spread) }));
}

function percentOf(part: number, all: number): string {
  const share = all === 0 ? 0 : (part / all) * 100;
  return share > 0 && share < 1 ? '<1%' : `${Math.round(share)}%`;
}
