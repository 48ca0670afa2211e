import { expect, test } from 'vitest';
import { bothTimes, filesToRunAgain } from '../helpers/secondTry.mjs';

const failure = (name: string) => ({ name, why: ['late'] });

test.each([
  ['a test', ['test/a.test.ts: waits'], ['test/a.test.ts']],
  ['the end of a file', ['test/a.slow.test.ts'], ['test/a.slow.test.ts']],
  ['two tests of a file and one of another', ['test/a.test.ts: one', 'test/a.test.ts: two', 'test/b.test.ts: one'], ['test/a.test.ts', 'test/b.test.ts']],
  ['tests of four files', ['a', 'b', 'c', 'd'].map(name => `test/${name}.test.ts: one`), []],
  ['what no file says', ['outside of any test'], []],
  ['a lost write of the soak', ['test/soak/soak.slow.test.ts: for a short while', 'test/a.test.ts: one'], []],
  ['a lost write after a kill', ['test/engine/kill.slow.test.ts: one'], []],
])('of failures of %s, these files are run again', (_, names, files) => {
  expect(filesToRunAgain(names.map(failure))).toEqual(files);
});

test('what passes the second time has passed, each test once, and is told', () => {
  const first = { passed: 10, failures: [failure('test/a.test.ts: one'), failure('test/b.test.ts')] };
  expect(bothTimes(first, { passed: 4, failures: [] })).toEqual({ passed: 11, failures: [], flaky: first.failures });
});

test('what fails twice has failed', () => {
  const first = { passed: 10, failures: [failure('test/a.test.ts: one')] };
  expect(bothTimes(first, { passed: 3, failures: [failure('test/a.test.ts: one')] })).toEqual({ ...first, flaky: [] });
});
