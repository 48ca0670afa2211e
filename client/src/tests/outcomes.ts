import type { RunReport, TestFailure } from '../../../server/protocol/features';

/** What a run of the server says of each test that it was asked to run. */

/** A test: the path of its file, and the names of its groups with its own; none for a whole file. */
export interface AskedTest {
  readonly file: string;
  readonly names: readonly string[];
}

export type Outcome = { readonly state: 'passed' } | { readonly state: 'failed'; readonly failures: readonly TestFailure[] } | { readonly state: 'unknown' };

/** A run that ended before it reported tests says nothing of any; one that failed without naming a test that was asked for neither. */
export function outcomeOf({ failures = [], status }: Pick<RunReport, 'failures' | 'status'>, test: AskedTest): Outcome {
  if (status === 'passed') return { state: 'passed' };
  const own = failures.filter(failure => isOf(failure, test));
  if (own.length > 0) return { state: 'failed', failures: own };
  return status === 'failed' && failures.length > 0 ? { state: 'passed' } : { state: 'unknown' };
}

function isOf(failure: TestFailure, { file, names }: AskedTest): boolean {
  const isElsewhere = failure.file !== undefined && !file.endsWith(failure.file) && !failure.file.endsWith(file);
  if (isElsewhere) return false;
  const own = names.at(-1);
  if (own === undefined) return failure.file !== undefined;
  // `Sums > adds`, `TestSum::test_add[1-2]`, `TestAdd/empty`, `SumTest.adds`
  const nameParts = failure.test.split(/ > | › |::|(?<=\w)[.#](?=\w)/).map(part => part.replace(/\[.*\]$|\/.*$/, '').trim());
  return nameParts.at(-1) === own || failure.test === names.join(' ');
}
