/**
 * What a test run makes of files in which something failed: they are run once more by themselves, since on a busy machine a process may be late where
 * nothing is wrong. A test has failed when it failed both times. One that passes the second time has passed, and is told as flaky with its error.
 */

/** Where more files failed than these, it is no accident. */
const MAX_FILES = 3;
/** Tests that let chance look for what is lost may find it only once: they are believed the first time. */
const BELIEVED = /^test\/(?:soak|storage)\/|\b(?:kill|claims|storm)\.(?:slow\.)?test\.ts$/;

/**
 * The files to run again, empty when the failures stand as they are. Failures are named `FILE` or `FILE: TEST`.
 * @param {readonly { readonly name: string }[]} failures
 */
export function filesToRunAgain(failures) {
  const files = [...new Set(failures.map(({ name }) => name.split(': ')[0]))];
  const isAccident = files.length <= MAX_FILES && files.every(file => file.endsWith('.test.ts') && !BELIEVED.test(file));
  return isAccident ? files : [];
}

/** Both times together: each test counts once. */
export function bothTimes(first, second) {
  if (second.failures.length > 0) return { passed: first.passed, failures: first.failures, flaky: [] };
  const recovered = first.failures.filter(({ name }) => name.includes(': ')).length;
  return { passed: first.passed + recovered, failures: [], flaky: first.failures };
}
