/**
 * Installs and builds what is missing, then runs one of the project's commands.
 * Needs nothing but Node 20 and npm: it imports no package before it has installed them.
 *   node setup.mjs start [-- FOLDER]   runs Lattice on a folder (else on the bundled sample)
 *   node setup.mjs test                check, unit, slow and editor tests; ends with "N passed, N failed"
 *   node setup.mjs suite NAME [FILE…]  one suite: unit | slow | soak; of it these files, or what else vitest takes (-t NAME)
 *   node setup.mjs soak [--minutes N]  everything at once for N minutes (--hours N, --seed N, --script FILE); without a time the long form of all tests
 *   node setup.mjs editor [SCENARIO…]  the editor tests in code-server; of them these scenarios
 *   node setup.mjs electron            the suite of the extension host in a downloaded VS Code
 *   node setup.mjs build               installs and builds only
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const root = dirname(fileURLToPath(import.meta.url));
const output = join(root, 'test', 'output');
/** `test` ends after so many minutes with what it knows by then: who starts it may cut it off without a word later. */
const LIMIT_MINUTES = Number(process.env.LATTICE_TEST_MINUTES ?? 57);
/** Of one failure, and of all of them together at the end. */
const MAX_LINES = 8;
const MAX_CLOSING_LINES = 34;

/** Runs a Node program; no shell. Returns the exit status. */
function runNode(args, env = {}) {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return result.status ?? 1;
}

function npmProgram() {
  const beside = join(dirname(process.execPath), process.platform === 'win32' ? 'node_modules/npm/bin/npm-cli.js' : '../lib/node_modules/npm/bin/npm-cli.js');
  const found = [process.env.npm_execpath, beside].find(path => path !== undefined && path.endsWith('.js') && existsSync(path));
  if (found === undefined) fail('npm was not found next to this Node installation. Run this with npm (npm start, npm test), or install npm.');
  return found;
}

/** Ends here; a run of tests with the line that it would end with anyway. */
function fail(message) {
  console.error(message);
  if (['test', 'suite', 'soak', 'editor', 'electron'].includes(command)) close({ passed: 0, failures: [{ name: command, why: [message] }] });
  process.exit(1);
}

/** npm keeps what it downloads below the user's home; where there is none, or one that cannot be written, it does so here. */
function npmHome() {
  const own = join(root, '.cache', 'npm');
  try {
    accessSync(homedir(), constants.W_OK);
    return {};
  } catch (error) {
    // Of a user that the system does not know npm could not even ask where the home is.
    return { npm_config_cache: process.env.npm_config_cache ?? own, ...(error.code === 'ERR_SYSTEM_ERROR' ? { HOME: own } : {}) };
  }
}

function ensureNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) fail(`Lattice needs Node 20 or newer; this is ${process.version}. Install a newer Node from your package manager and try again.`);
}

function ensureDependencies() {
  const stamp = join(root, 'node_modules', '.lattice-lock');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.error('Installing packages (npm ci)…');
  if (runNode([npmProgram(), 'ci', '--no-audit', '--no-fund'], npmHome()) !== 0)
    fail('npm ci failed: see its message above. Check the network or the registry setting of npm, then try again.');
  writeFileSync(stamp, wanted);
}

function build() {
  const built = join(root, 'dist', 'cli.js');
  if (runNode(['esbuild.mjs']) !== 0 || !existsSync(built)) fail('The build failed: see the messages above.');
}

/** What passed, and what failed and why: said once more at the end, where it is looked for. `untilMs` counts from the start of this process. */
const newTotal = (untilMs = Number.POSITIVE_INFINITY) => ({ passed: 0, failures: [], flaky: [], untilMs });

/** Runs a Node program until it ends, at most until the run's time is over. `text` is what it printed, when that is to be read. */
function runPart(name, args, total, { env = {}, isRead = false } = {}) {
  console.log(`\n── ${name}`);
  const leftMs = total.untilMs - performance.now();
  if (leftMs <= 0) return Promise.resolve({ status: 1, text: '', problem: 'not run: the time limit of the whole run was reached' });
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', isRead ? 'pipe' : 'inherit', 'inherit'], env: { ...process.env, ...env } });
    const texts = [];
    child.stdout?.on('data', chunk => {
      texts.push(chunk);
      process.stdout.write(chunk);
    });
    const end = (status, problem) => {
      clearTimeout(timer);
      resolve({ status, text: Buffer.concat(texts).toString(), problem });
    };
    const breakOff = () => {
      child.kill('SIGKILL');
      end(1, `stopped: the run exceeded ${LIMIT_MINUTES} minutes (LATTICE_TEST_MINUTES)`);
    };
    const timer = Number.isFinite(leftMs) ? setTimeout(breakOff, leftMs) : undefined;
    child.once('error', error => end(1, error.message));
    child.once('close', (status, signal) => end(status ?? 1, status === 0 ? undefined : `ended with ${status ?? signal}`));
  });
}

/** Adds what a part came to. One that ends badly and names nothing is a failure of its own. */
function add(total, name, passed, failures, { status, problem }) {
  const all = status === 0 || failures.length > 0 ? failures : [{ name, why: [problem] }];
  total.passed += passed;
  total.failures.push(...all);
  console.log(`── ${name}: ${passed} passed, ${all.length} failed`);
}

/** One vitest run; `words` are files, or what else vitest takes. */
async function suite(name, words, total) {
  const { failures, passed, run } = await vitest(name, words, total);
  add(total, `${name} tests`, passed, failures, run);
}

/** The same; what failed in a few files has a second try (`test/helpers/secondTry.mjs`). */
async function suiteWithSecondTry(name, total) {
  const { bothTimes, filesToRunAgain } = await import('./test/helpers/secondTry.mjs');
  const first = await vitest(name, [], total);
  const files = first.isWhole ? filesToRunAgain(first.failures) : [];
  const second = files.length === 0 ? undefined : await vitest(name, files, total);
  const { failures, flaky, passed } = second === undefined ? { ...first, flaky: [] } : bothTimes(first, second);
  total.flaky.push(...flaky);
  add(total, `${name} tests`, passed, failures, flaky.length > 0 ? second.run : first.run);
}

async function vitest(name, words, total) {
  mkdirSync(output, { recursive: true });
  const kept = join(output, `${name}.json`);
  rmSync(kept, { force: true });
  const run = await runPart(
    `${name} tests`,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'vitest.config.mjs',
      '--reporter=default',
      `--reporter=${join(root, 'test', 'helpers', 'outcomes.mjs')}`,
      ...words,
    ],
    total,
    { env: { LATTICE_SUITE: name, LATTICE_OUTCOMES: kept, ...(name === 'soak' ? { LATTICE_SOAK: '1' } : {}) } },
  );
  const { failures, passed, running } = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : { passed: 0, failures: [], running: [] };
  const unfinished = running.map(path => ({ name: path, why: [`not finished: ${run.problem ?? ''}`] }));
  return { passed, failures: [...failures, ...unfinished], isWhole: running.length === 0, run };
}

/** `undefined` for what is no test file. */
function isSlow(file) {
  return file.endsWith('.test.ts') ? file.endsWith('.slow.test.ts') : undefined;
}

/** A program that closes with "N passed, N failed" and tells failures in lines that begin with FAIL. */
async function program(name, args, total) {
  const run = await runPart(`${name} tests`, args, total, { isRead: true });
  const closing = [...run.text.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  const failures = [...run.text.matchAll(/^ {2}FAIL (.+)((?:\n {3,}.*)*)/gm)].map(([, what, why]) => ({ name: `${name}: ${what}`, why: linesOf(why) }));
  add(total, `${name} tests`, Number(closing?.[1] ?? 0), closing === undefined || run.status !== 0 ? failures : [], run);
}

/** The checks of `npm run check` count as one. */
async function check(total) {
  const run = await runPart('check', ['test/tidy/check.mjs'], total, { isRead: true });
  const failures = [...run.text.matchAll(/^✗ (.+) \(.*\)((?:\n(?![✓✗] ).*)*)/gm)].map(([, what, why]) => ({ name: `check: ${what}`, why: linesOf(why) }));
  add(total, 'check', run.status === 0 ? 1 : 0, failures, run);
}

function linesOf(text) {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  return lines.slice(0, MAX_LINES).map(line => stripVTControlCharacters(line).slice(0, 240));
}

/** Page tests need Chromium; where it cannot be had they fail with what to do. */
async function ensureBrowser() {
  try {
    (await import('./test/editor/install.mjs')).installBrowser();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

/** A part that fails keeps none of the others from running. */
async function testAll() {
  const total = newTotal(LIMIT_MINUTES * 60_000);
  await check(total);
  await suiteWithSecondTry('unit', total);
  await ensureBrowser();
  await suiteWithSecondTry('slow', total);
  await program('editor', ['test/editor/run.mjs'], total);
  return total;
}

/** The last lines: logs are often cut to them. Every failure by name; why, for as many as fit. */
function close({ failures, flaky = [], passed }) {
  if (flaky.length > 0) console.log('\nFlaky, passed the second time:');
  for (const { name, why } of flaky) console.log(`  ${name}\n      ${why[0]?.trim() ?? ''}`);
  if (failures.length > 0) console.log('\nFailed:');
  let left = MAX_CLOSING_LINES - failures.length;
  for (const { name, why } of failures) {
    console.log(`  ${name}`);
    const told = why.slice(0, Math.max(0, left));
    left -= told.length;
    for (const line of told) console.log(`      ${line.trim()}`);
  }
  console.log(`\n${passed} passed, ${failures.length} failed`);
  process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
}

/** `--hours N`, `--minutes N`, `--seed N` and `--script FILE` of a soak test go to it by the environment; false where there are none. */
function readSoakFlags() {
  const flags = { minutes: { type: 'string' }, hours: { type: 'string' }, seed: { type: 'string' }, script: { type: 'string' } };
  const { hours, minutes, script, seed } = parseArgs({ args: words, options: flags, allowPositionals: true, strict: false }).values;
  const asked = hours === undefined ? minutes : String(Number(hours) * 60);
  const given = { LATTICE_SOAK_MINUTES: asked, LATTICE_SOAK_SEED: seed, LATTICE_SOAK_SCRIPT: script === undefined ? undefined : resolve(script) };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [key, value] of set) process.env[key] = value;
  return set.length > 0;
}

const [command = 'start', ...rest] = process.argv.slice(2);
const words = rest.filter(argument => argument !== '--');
const target = words[0] ?? join(root, 'test', 'fixtures', 'workspaces', 'sample');
ensureNode();
// Said before anything is installed for it.
if (command === 'start' && (!existsSync(target) || !statSync(target).isDirectory())) fail(`${target} is not a folder. Usage: npm start -- FOLDER`);
const [name = 'unit', ...files] = words;
const other = command !== 'suite' || name === 'soak' ? undefined : files.find(file => isSlow(file) === (name === 'unit'));
if (other !== undefined) fail(`${other} belongs to the other suite: npm run test:${name === 'unit' ? 'slow' : 'unit'} -- ${other}`);
ensureDependencies();
switch (command) {
  case 'build':
    build();
    break;
  case 'start':
    build();
    process.exitCode = runNode(['dist/cli.js', 'start', '--workspace', target]);
    break;
  case 'test':
    build();
    close(await testAll());
    break;
  case 'suite': {
    build();
    const total = newTotal();
    if (name !== 'unit') await ensureBrowser();
    await suite(name, files, total);
    close(total);
    break;
  }
  case 'soak': {
    build();
    const total = newTotal();
    const isTimed = readSoakFlags();
    if (!isTimed) await ensureBrowser();
    await suite('soak', isTimed ? ['test/soak/soak.slow.test.ts'] : words, total);
    close(total);
    break;
  }
  case 'editor':
  case 'electron': {
    build();
    const total = newTotal();
    await program(command, [`test/${command}/run.mjs`, ...words], total);
    close(total);
    break;
  }
  default:
    fail(`Unknown command ${command}. Known: start, test, suite, soak, editor, electron, build.`);
}
