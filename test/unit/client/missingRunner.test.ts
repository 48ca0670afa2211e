import { expect, test } from 'vitest';
import { missingRunner, notInstalled } from '../../../client/src/commands/missingRunner';

const again = 'then run the tests again.';

test.each([
  [['npx', 'vitest', 'run'], "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vitest' imported from /a/vitest.config.ts", 'vitest', '"npm install"'],
  [['npx', 'vitest', 'run'], 'npm error npx canceled due to missing packages and no YES option: ["vitest@4.1.12"]', 'vitest', '"npm install"'],
  [['npx', 'jest'], 'npm error could not determine executable to run', 'jest', '"npm install"'],
  [['pnpm', 'test'], 'sh: 1: vitest: not found', 'vitest', 'the install command of its package manager'],
  [['C:\\Python\\python.exe', '-m', 'pytest'], 'C:\\Python\\python.exe: No module named pytest', 'pytest', '"pip install pytest"'],
  [['/usr/bin/python3', '-m', 'pytest'], "E   ModuleNotFoundError: No module named 'werkzeug'", 'werkzeug', '"pip install -e ."'],
  [
    ['bundle', 'exec', 'rspec'],
    "'bundle' is not recognized as an internal or external command,\noperable program or batch file.",
    'bundle',
    '"bundle install"',
  ],
])('%j that ends with "%s" tells what is missing', (command, output, name, how) => {
  expect(missingRunner(command, output)).toBe(
    `The tests could not run because ${name} is not installed. Install the project's dependencies, for example with ${how}, ${again}`,
  );
});

test('an unknown program is not told how to install it', () => {
  expect(notInstalled('/usr/bin/gotestsum')).toBe(
    `The tests could not run because gotestsum was not found. Install it or add its folder to the PATH, ${again}`,
  );
});

test('a failure of another kind is not explained away', () => {
  expect(missingRunner(['npx', 'vitest'], 'AssertionError: expected 1 to be 2')).toBeUndefined();
});

test('a program that is not there is told with what installs it', () => {
  expect(notInstalled('pytest')).toContain('because pytest is not installed. Install the project\'s dependencies, for example with "pip install pytest"');
  expect(notInstalled('/bin/pytest', 'The link leads out.')).toBe('The tests could not run because pytest was not found. The link leads out.');
});
