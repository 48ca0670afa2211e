import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../server/src/base/cancellation';
import { maskSecrets } from '../../server/src/engine/processes/tests/secrets';
import { TestProcesses } from '../../server/src/engine/processes/tests/testProcesses';
import { NO_TESTS } from '../../server/src/model/settings';
import { removeFolder } from '../helpers/removeFolder.mjs';

const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'lattice-run-')));
mkdirSync(join(root, 'sub'));
writeFileSync(join(root, 'sub', 'a.txt'), '');
afterAll(() => removeFolder(root));

const processes = (env: Readonly<Record<string, string>> = {}) =>
  new TestProcesses({ root, caseInsensitive: false, settings: () => ({ ...NO_TESTS, env }), graceMs: 100 });
const node = (script: string, ...words: string[]): string[] => [process.execPath, '-e', script, ...words];

async function run(argv: readonly string[], runner = processes(), timeoutMs = 200_000) {
  const ran = await runner.run({ argv, folder: 'sub', timeoutMs }, neverCancelled);
  return ran.ok ? ran.value : ran.error;
}

test('the words arrive as they are, in the folder, with few variables', async () => {
  process.env['LATTICE_SEEN'] = 'no';
  const script = 'console.log(JSON.stringify([process.argv.slice(1), process.cwd(), process.env.CI, process.env.LATTICE_SEEN ?? null, process.env.EXTRA]))';
  const ran = await run(node(script, '$(id); a b', '|x'), processes({ EXTRA: 'yes' }));
  expect(ran).toMatchObject({ exit: 0, timedOut: false });
  expect(JSON.parse('output' in ran ? ran.output : '')).toEqual([['$(id); a b', '|x'], join(root, 'sub'), '1', null, 'yes']);
});

test('a project that has an environment of its own is run with it, unless the user has one', async () => {
  const folder = process.platform === 'win32' ? 'Scripts' : 'bin';
  mkdirSync(join(root, 'venv', folder), { recursive: true });
  writeFileSync(join(root, 'venv', 'pyvenv.cfg'), '');
  mkdirSync(join(root, 'sub', '.venv'));
  const environment = { folders: ['.venv', 'venv'], marker: 'pyvenv.cfg', variable: 'LATTICE_TEST_ENV' };
  const script = 'console.log(JSON.stringify([process.env.LATTICE_TEST_ENV ?? null, process.env.PATH.split(require("path").delimiter)[0]]))';
  const asked = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
    const ran = await processes(env).run({ argv: node(script), folder: 'sub', timeoutMs: 200_000, environment }, neverCancelled);
    return ran.ok ? JSON.parse(ran.value.output) : ran.error;
  };
  // `sub/.venv` is none: it lacks the file that each has.
  expect(await asked({ PATH: '/first' })).toEqual([join(root, 'venv'), join(root, 'venv', folder)]);
  expect(await asked({ PATH: '/first', LATTICE_TEST_ENV: '/own' })).toEqual(['/own', '/first']);
  writeFileSync(join(root, 'sub', '.venv', 'pyvenv.cfg'), '');
  expect(await asked({ PATH: '/first' })).toEqual([join(root, 'sub', '.venv'), join(root, 'sub', '.venv', folder)]);
});

test('an environment that is a link out of the workspace is left out and told of, unless the user has one', async () => {
  const environment = { folders: ['.linked'], marker: 'pyvenv.cfg', variable: 'LATTICE_TEST_ENV' };
  const outside = mkdtempSync(join(tmpdir(), 'lattice-outside-'));
  writeFileSync(join(outside, 'pyvenv.cfg'), '');
  symlinkSync(outside, join(root, '.linked'), 'junction');
  const request = { argv: node('console.log(process.env.LATTICE_TEST_ENV ?? null)'), folder: 'sub', timeoutMs: 200_000, environment };
  const ran = await processes({}).run(request, neverCancelled);
  expect(ran.ok && ran.value.output.trim()).toBe('null');
  expect(await processes({}).ignoredEnvironment('sub', environment)).toBe('.linked');
  expect(await processes({ LATTICE_TEST_ENV: '/own' }).ignoredEnvironment('sub', environment)).toBeUndefined();
  // One of the workspace itself is used beside it.
  expect(await processes({}).ignoredEnvironment('sub', { ...environment, folders: ['.linked', 'venv'] })).toBeUndefined();
  rmSync(join(outside, 'pyvenv.cfg'));
  expect(await processes({}).ignoredEnvironment('sub', environment)).toBeUndefined();
  rmSync(outside, { recursive: true });
});

test('the exit status, both streams and no colors are told', async () => {
  expect(await run(node("console.log('\\u001b[31mred\\u001b[0m'); console.error('two'); process.exitCode = 3"))).toMatchObject({
    exit: 3,
    output: expect.stringMatching(/red[\s\S]*two/),
  });
});

test('at its time the whole process tree ends, even one that does not listen', async () => {
  const pidFile = join(root, 'pid');
  const child = `process.on('SIGTERM', () => {}); require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const parent = `process.on('SIGTERM', () => {}); require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' }); setInterval(() => {}, 1000)`;
  writeFileSync(pidFile, '');
  // A busy machine may need longer than that to start the two of them.
  for (let timeMs = 500; readFileSync(pidFile, 'utf8') === ''; timeMs *= 2) {
    expect(await run(node(parent), processes(), timeMs)).toMatchObject({ exit: undefined, timedOut: true });
  }
  // It holds the pipes, so the run could not have ended while it lived.
  expect(Number(readFileSync(pidFile, 'utf8'))).toBeGreaterThan(0);
});

test('one run at a time', async () => {
  const runner = processes();
  // The first run goes on until it is told that the second was refused.
  const told = join(root, 'told');
  const first = run(node(`const { existsSync } = require('fs'); setInterval(() => existsSync(${JSON.stringify(told)}) && process.exit(), 20)`), runner);
  expect(await run(node('1'), runner)).toMatchObject({ code: 'CONFLICT' });
  writeFileSync(told, '');
  expect(await first).toMatchObject({ exit: 0 });
  expect(await run(node('1'), runner)).toMatchObject({ exit: 0 });
});

test('a cancelled run ends', async () => {
  const source = new CancellationSource();
  const running = processes().run({ argv: node('setInterval(() => {}, 1000)'), folder: '', timeoutMs: 200_000 }, source.token);
  source.cancel();
  await expect(running).rejects.toBeInstanceOf(Cancelled);
});

test('a program that is not there is told', async () => {
  expect(await run(['no-such-program-here'])).toMatchObject({ code: 'NO_PROGRAM' });
});

test('output is kept to its last mebibyte', async () => {
  const ran = await run(node("process.stdout.write('x'.repeat(3 << 20) + 'end')"));
  expect('output' in ran && ran.output.length <= 1 << 20 && ran.output.endsWith('end')).toBe(true);
});

test('only what lies inside counts as inside', async () => {
  expect(await processes().isInside('sub/a.txt')).toBe(true);
  expect(await processes().isInside('none')).toBe(false);
  expect(await processes().isInside('../x')).toBe(false);
});

test.each([
  ['key ghp_abcdefghijklmnop1234 x', 'key *** x'],
  ['Authorization: Bearer abcdefgh1234', 'Authorization: Bearer ***'],
  ['password=hunter22 ok', 'password=*** ok'],
  ['postgres://ada:s3cret@db/x', 'postgres://ada:***@db/x'],
  ['it says swordfish!', 'it says ***!'],
  ['nothing to hide', 'nothing to hide'],
])('%s is shown as %s', (text, shown) => {
  expect(maskSecrets(text, { MY_TOKEN: 'swordfish', HOME: 'nothing' })).toBe(shown);
});
