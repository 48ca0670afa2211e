import type { ImpactAnswer } from './features';

/** `small`, or `unknown (a framework calls src/app.py::Flask::__call__)`: why it cannot be known stands beside it. */
export function reachWords(
  { calledFromOutside: [first], outsideUser, reach }: Pick<ImpactAnswer, 'calledFromOutside' | 'outsideUser' | 'reach'>,
  name = (id: string): string => id,
): string {
  if (first === undefined) return reach;
  return `${reach} (${outsideUser === 'anyone' ? `${name(first)} may be used outside the workspace` : `a framework calls ${name(first)}`})`;
}
