import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const report = new URL('../editor/report.mjs', import.meta.url).href;
const bad = "() => { throw new Error('late'); }";
const good = '() => 1';

/** Runs a scenario of checks, each given for its first and its second time, and gives what a run of the editor tests would say. */
function closing(
  checks: readonly (readonly [name: string, first: string, second: string])[],
  before = '',
): { readonly status: number | null; readonly text: string } {
  const rows = checks.map(([name, first, second]) => `await checks.check('${name}', attempt === 1 ? ${first} : ${second});`);
  const program = `import { Report } from '${report}';
    const report = new Report();
    await report.scenario('s', async (checks, attempt) => { ${before} ${rows.join('\n')} }, async () => console.log('ended'));
    report.close();`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  return { status, text: stdout };
}

test('a scenario in which nothing failed runs once', () => {
  const { status, text } = closing([['a', good, bad]]);
  expect([status, text.match(/ended/g)]).toEqual([0, ['ended']]);
  expect(text).toMatch(/\n1 passed, 0 failed\n$/);
});

test('a check that passed one of two times is flaky, is named with its error, and has passed', () => {
  const { status, text } = closing([
    ['late at first', bad, good],
    ['late at last', good, bad],
  ]);
  expect(status).toBe(0);
  expect(text).not.toContain('FAIL');
  expect(text).toMatch(/ {2}flaky late at first .*\n.*\n\s+Error: late\n[\s\S]* {2}flaky late at last\n\s+Error: late\n/);
  expect(text).toMatch(/\n {2}s: late at first\n {2}s: late at last\n2 passed, 0 failed\n$/);
});

test('a check that failed both times fails the run', () => {
  const { status, text } = closing([
    ['a', bad, bad],
    ['b', good, good],
  ]);
  expect(status).toBe(1);
  expect(text).toMatch(/ {2}FAIL a\n\s+Error: late\n[\s\S]*\n1 passed, 1 failed\n$/);
});

test('a check that failed, and was not reached again, fails the run', () => {
  const { status, text } = closing(
    [
      ['a', bad, good],
      ['b', good, good],
    ],
    "if (attempt === 2) throw new Error('gone');",
  );
  expect(status).toBe(1);
  expect(text).toMatch(/ {2}FAIL the scenario s runs to its end\n\s+Error: gone\n[\s\S]* {2}FAIL a\n.*\n1 passed, 2 failed\n$/);
});

test('of two checks with one name the second does not answer for the first', () => {
  const { status, text } = closing([
    ['a', bad, bad],
    ['a', good, good],
  ]);
  expect([status, text.split('\n').at(-2)]).toEqual([1, '1 passed, 1 failed']);
});

test('after too many failures the others wait for the second time, and count then', () => {
  const many = ['1', '2', '3', '4', '5', '6'].map(name => [name, bad, good] as const);
  expect(closing([...many, ['last', good, bad]]).text).toMatch(/ {2}FAIL last\n[\s\S]*\n7 passed, 1 failed\n$/);
});
