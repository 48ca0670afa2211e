/** What may happen in a soak run. A script is a list of these; who is meant by `who` is counted among those that are there then. */
export type Step =
  | { readonly do: 'open'; readonly lsp: boolean; readonly clockMs: number; readonly hidden: boolean }
  | { readonly do: 'close' | 'kill' | 'switchWorkspace'; readonly who: number }
  | { readonly do: 'killOwner' | 'removeSockets' | 'fillDisk' | 'damage'; readonly amount: number }
  | { readonly do: 'freeze'; readonly who: number; readonly isOwner: boolean; readonly ms: number }
  | { readonly do: 'takeFolder'; readonly how: 'removed' | 'moved' | 'copied' }
  | { readonly do: 'git'; readonly rounds: number }
  | { readonly do: 'write'; readonly ms: number };

/** Numbers below `limit` that look random and are the same for the same seed (a linear congruential generator, constants of Numerical Recipes). */
export function numbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const YEARS_11_MS = 11 * 365 * 86_400_000;
const CLOCKS_MS = [0, 0, 0, -3_600_000, YEARS_11_MS, 5_000];

/** One era: it begins with an empty data folder and ends with damage or a clean end. */
export function randomScript(next: (limit: number) => number, length: number, isHiding: boolean): readonly Step[] {
  const opening = (): Step => ({ do: 'open', lsp: next(3) === 0, clockMs: CLOCKS_MS[next(CLOCKS_MS.length)] ?? 0, hidden: isHiding && next(6) === 0 });
  const random: readonly (() => Step)[] = [
    opening,
    opening,
    () => ({ do: 'close', who: next(8) }),
    () => ({ do: 'kill', who: next(8) }),
    () => ({ do: 'killOwner', amount: 1 }),
    () => ({ do: 'killOwner', amount: 1 + next(3) }),
    () => ({ do: 'freeze', who: next(8), isOwner: next(2) === 0, ms: 200 + next(8_000) }),
    () => ({ do: 'removeSockets', amount: 1 }),
    () => ({ do: 'takeFolder', how: (['removed', 'moved', 'copied'] as const)[next(3)] ?? 'removed' }),
    () => ({ do: 'fillDisk', amount: 100 + next(1_500) }),
    () => ({ do: 'git', rounds: 1 + next(5) }),
    () => ({ do: 'switchWorkspace', who: next(8) }),
    () => ({ do: 'write', ms: 200 + next(1_500) }),
  ];
  const steps: Step[] = [opening(), opening(), { do: 'write', ms: 500 }];
  while (steps.length < length) {
    steps.push((random[next(random.length)] ?? opening)());
    if (next(3) === 0) steps.push({ do: 'write', ms: 100 + next(500) });
  }
  if (next(2) === 0) steps.push({ do: 'damage', amount: next(2 ** 30) });
  return steps;
}
