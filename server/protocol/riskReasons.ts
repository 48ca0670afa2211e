import type { ImpactAnswer } from './features';

type Parts = ImpactAnswer['riskParts'];

/** `large reach, no test reaches it, 14 changes in a year, 60% of its lines not covered`: what a risk is made of; `mark` sets off what raised it. */
export function riskReasons(parts: Parts, mark: (text: string) => string = text => text): string {
  return [`${parts.reach} reach`, ...reasons(parts).map(({ raised, text }) => (raised ? mark(text) : text))].join(', ');
}

function reasons({ changes, raisedBy, tests, uncovered }: Parts): readonly { readonly raised: boolean; readonly text: string }[] {
  const reason = (name: Parts['raisedBy'][number], text: string) => ({ raised: raisedBy.includes(name), text });
  return [
    ...(raisedBy.includes('outside') ? [reason('outside', 'may be called from outside the workspace')] : []),
    reason('tests', tests === 0 ? 'no test reaches it' : `${tests} ${tests === 1 ? 'test reaches' : 'tests reach'} it`),
    ...(changes === undefined ? [] : [reason('changes', `${changes} ${changes === 1 ? 'change' : 'changes'} in a year`)]),
    ...(uncovered === undefined ? [] : [reason('coverage', `${Math.round(uncovered * 100)}% of its lines not covered`)]),
  ];
}
