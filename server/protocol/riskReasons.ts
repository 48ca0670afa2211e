import type { ImpactAnswer } from './features';

type Parts = ImpactAnswer['riskParts'];

/** `large reach, no test reaches it, 14 changes in a year, 60% of its lines not covered`: what a risk is made of; `mark` sets off what raised it. */
export function riskReasons({ changes, raisedBy, reach, tests, uncovered }: Parts, mark: (text: string) => string = text => text): string {
  const part = (name: Parts['raisedBy'][number], text: string): string => (raisedBy.includes(name) ? mark(text) : text);
  return [
    `${reach} reach`,
    ...(raisedBy.includes('outside') ? [mark('called from outside the workspace')] : []),
    part('tests', tests === 0 ? 'no test reaches it' : `${tests} ${tests === 1 ? 'test reaches' : 'tests reach'} it`),
    ...(changes === undefined ? [] : [part('changes', `${changes} ${changes === 1 ? 'change' : 'changes'} in a year`)]),
    ...(uncovered === undefined ? [] : [part('coverage', `${Math.round(uncovered * 100)}% of its lines not covered`)]),
  ].join(', ');
}
