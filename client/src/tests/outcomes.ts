import type { RunReport, TestFailure } from '../../../server/protocol/features';

/** What a run of the server says of each test that it was asked to run. */

/** A test: the path of its file, and the names of its groups with its own; none for a whole file. */
export interface AskedTest {
  readonly file: string;
  readonly names: readonly string[];
}

export type Outcome =
  | { readonly state: 'passed' | 'skipped' }
  | { readonly state: 'failed'; readonly failures: readonly TestFailure[] }
  | { readonly state: 'unknown' };

type Report = Pick<RunReport, 'failures' | 'status' | 'skippedTests'> & Partial<Pick<RunReport, 'failed' | 'passed' | 'skipped'>>;

/**
 * What a run says of each test it was asked for. A run that ended before it reported tests says nothing of any. Nor is a test passed because no failure names
 * it, where a failure may be of it all the same (a hook of all tests, a title that the report has in other words), or the report names fewer failures than it
 * counts. Files that are run as a whole have failures of other cases, which are none of those that were asked for.
 */
export function outcomesOf(report: Report, asked: readonly AskedTest[]): readonly Outcome[] {
  const { failed = 0, failures = [], status } = report;
  const well = (test: AskedTest): Outcome => ({ state: isSkipped(test, report, asked) ? 'skipped' : 'passed' });
  if (status === 'passed') return asked.map(well);
  const own = asked.map(test => failures.filter(failure => isOf(failure, test, asked) || isOfGroup(failure, test, failures)));
  const named = new Set(own.flat());
  // Go reports a part after the test that it is part of.
  const isKnown = (failure: TestFailure): boolean => named.has(failure) || failures.some(({ test }) => test.startsWith(`${failure.test}/`));
  const isWhole = status === 'failed' && failures.length > 0 && failed <= failures.length;
  const others = failures.filter(failure => !isKnown(failure));
  return own.map((mine, at) => {
    if (mine.length > 0) return { state: 'failed', failures: mine };
    const test = asked[at];
    return isWhole && test !== undefined && others.every(failure => isOfOtherCase(failure, test, asked)) ? well(test) : { state: 'unknown' };
  });
}

/** Whether a failure is of a case of the files that were run which cannot be this test: in another file of them, or of a name that does not have this one in it. */
function isOfOtherCase({ file, test: name }: TestFailure, { file: own, names }: AskedTest, asked: readonly AskedTest[]): boolean {
  if (file === undefined || name === file || HOOK.test(name) || !asked.some(test => isSame(file, test.file))) return false;
  if (!isSame(file, own)) return true;
  const last = names.at(-1);
  return last !== undefined && !/[%$]/.test(last) && !plain(name).includes(plain(last));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_]/g, '');
}

/** Whether a test is named among the skipped ones, or no test of the run did anything else. */
function isSkipped(test: AskedTest, { failed, passed, skipped = 0, skippedTests = [] }: Report, asked: readonly AskedTest[]): boolean {
  if (passed === 0 && failed === 0 && skipped > 0) return true;
  return test.names.length > 0 && skippedTests.some(each => isOf({ ...each, message: '' }, test, asked));
}

function isOf(failure: TestFailure, { file, names }: AskedTest, asked: readonly AskedTest[]): boolean {
  const { file: place } = failure;
  // Where it was thrown may be in the code under test.
  const isElsewhere = place !== undefined && !isSame(place, file) && asked.some(test => isSame(place, test.file));
  if (isElsewhere) return false;
  // The file itself, with all of its tests.
  if (failure.test === place) return isSame(place, file);
  const own = names.at(-1);
  if (own === undefined) return place !== undefined && (isSame(place, file) || asked.length === 1);
  // `Sums > adds`, `TestSum::test_add[1-2]`, `TestAdd/empty`, `SumTest.adds`
  const whole = failure.test.replace(/(?<=^[\w:]+)\[.*\]$/s, '').split(SEPARATORS);
  if (isInOther(whole.slice(0, -1), names.slice(0, -1))) return false;
  const nameParts = whole.map(part => part.replace(/\[.*\]$|\/.*$/, '').trim());
  return (
    matches(nameParts.at(-1) ?? '', own) ||
    matches(failure.test, own) ||
    failure.test === names.join(' ') ||
    failure.test === names.join('/').replaceAll(' ', '_')
  );
}

const SEPARATORS = / > | › |::|(?<=\w)[.#](?=\w)/;

/** Whether the groups of a failure are known to be others than those of a test; either may leave out the outer ones, and titles with parameters tell nothing. */
function isInOther(failed: readonly string[], asked: readonly string[]): boolean {
  const [a, b] = [failed, asked.flatMap(name => name.split(SEPARATORS))].map(groups => groups.join(' ').replaceAll('$', ' '));
  if (a === undefined || b === undefined || a === '' || b === '' || asked.some(name => /[%$]/.test(name))) return false;
  return !a.endsWith(b) && !b.endsWith(a);
}

/** Whether a failure is of a group that a test is in, as in a hook of it, and the report names nothing else in that group. */
function isOfGroup(failure: TestFailure, { file, names }: AskedTest, failures: readonly TestFailure[]): boolean {
  const group = partsOf(failure.test.replace(HOOK, ''));
  const begins = (all: readonly string[]): boolean => all.length > group.length && group.every((part, at) => part === all[at]);
  // A hook of none may keep every test from running.
  const isHere = group.length > 0 && failure.file !== undefined && isSame(failure.file, file) && failure.test !== failure.file;
  return isHere && begins(names) && !failures.some(({ test }) => begins(partsOf(test.replace(HOOK, ''))));
}

/** `Sums > "before all" hook for "adds"` */
const HOOK = /(?:^| > )"(?:before|after) (?:all|each)" hook.*$/s;

function partsOf(name: string): readonly string[] {
  return name === '' ? [] : name.split(/ > | › |::/);
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

/** In their order, at most `size` in each. */
export function batchesOf<T>(all: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
