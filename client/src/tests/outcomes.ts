import type { RunReport, TestFailure } from '../../../server/protocol/features';

/** What a run of the server says of each test that it was asked to run. */

/** A test: the path of its file, and the names of its groups with its own; none for a whole file. */
export interface AskedTest {
  readonly file: string;
  readonly names: readonly string[];
}

export type Outcome = { readonly state: 'passed' } | { readonly state: 'failed'; readonly failures: readonly TestFailure[] } | { readonly state: 'unknown' };

type Report = Pick<RunReport, 'failures' | 'status'> & Partial<Pick<RunReport, 'failed'>>;

/**
 * What a run says of each test it was asked for. A run that ended before it reported tests says nothing of any. Nor is a test passed because no failure names
 * it, where a failure is of none that was asked for (a hook of its group), or the report names fewer failures than it counts.
 */
export function outcomesOf({ failed = 0, failures = [], status }: Report, asked: readonly AskedTest[]): readonly Outcome[] {
  if (status === 'passed') return asked.map(() => ({ state: 'passed' }));
  const own = asked.map(test => failures.filter(failure => isOf(failure, test, asked)));
  const named = new Set(own.flat());
  // Go reports a part after the test that it is part of.
  const isKnown = (failure: TestFailure): boolean => named.has(failure) || failures.some(({ test }) => test.startsWith(`${failure.test}/`));
  const isWhole = status === 'failed' && failures.length > 0 && failed <= failures.length && failures.every(isKnown);
  return own.map(mine => (mine.length > 0 ? { state: 'failed', failures: mine } : { state: isWhole ? 'passed' : 'unknown' }));
}

function isOf(failure: TestFailure, { file, names }: AskedTest, asked: readonly AskedTest[]): boolean {
  const { file: place } = failure;
  // Where it was thrown may be in the code under test.
  const isElsewhere = place !== undefined && !isSame(place, file) && asked.some(test => isSame(place, test.file));
  if (isElsewhere) return false;
  const own = names.at(-1);
  if (own === undefined) return place !== undefined && (isSame(place, file) || asked.length === 1);
  // `Sums > adds`, `TestSum::test_add[1-2]`, `TestAdd/empty`, `SumTest.adds`
  const nameParts = failure.test.split(/ > | › |::|(?<=\w)[.#](?=\w)/).map(part => part.replace(/\[.*\]$|\/.*$/, '').trim());
  return (
    matches(nameParts.at(-1) ?? '', own) ||
    matches(failure.test, own) ||
    failure.test === names.join(' ') ||
    failure.test === names.join('/').replaceAll(' ', '_')
  );
}

/** One of the two may be less of a path than the other. */
function isSame(a: string, b: string): boolean {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/** The title of a case with parameters has places for them: `adds %i`, `adds $a`. */
function matches(title: string, own: string): boolean {
  if (title === own) return true;
  const parts = own.split(/%[a-z#]|\$\{[^}]*\}|\$[\w.]+/);
  return parts.length > 1 && new RegExp(`^${parts.map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`, 's').test(title);
}
