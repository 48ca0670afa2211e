import type { ImpactAnswer } from './features';

const OUTSIDE = { framework: 'called by a framework', anyone: 'may be used outside the workspace' } as const;

/** `small`, or `unknown (called by a framework)`: why it cannot be known stands beside it. */
export function reachWords({ outsideUser, reach }: Pick<ImpactAnswer, 'outsideUser' | 'reach'>): string {
  return outsideUser === undefined ? reach : `${reach} (${OUTSIDE[outsideUser]})`;
}
