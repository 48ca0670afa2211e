/**
 * Installs and builds what is missing, then runs one of the project's commands.
 * Needs nothing but Node 20 and npm: it imports no package before it has installed them.
 *   node setup.mjs start [-- FOLDER]   runs Lattice on a folder (else on the bundled sample)
 *   node setup.mjs test                check, unit, slow and editor tests; ends with "N passed, N failed"
 *   node setup.mjs suite NAME          one suite: unit | slow | soak
 *   node setup.mjs editor | electron   the editor tests, in code-server or in a downloaded VS Code
 *   node setup.mjs build               installs and builds only
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const output = join(root, 'test', 'output');

/** Runs a Node program; no shell. Returns the exit status. */
function runNode(args, env = {}) {
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return result.status ?? 1;
}

function npmProgram() {
  const beside = join(dirname(process.execPath), process.platform === 'win32' ? 'node_modules/npm/bin/npm-cli.js' : '../lib/node_modules/npm/bin/npm-cli.js');
  const found = [process.env.npm_execpath, beside].find(path => path !== undefined && path.endsWith('.js') && existsSync(path));
  if (found === undefined) fail('npm was not found beside this Node. Run this through npm (npm start, npm test), or install npm.');
  return found;
}

function fail(message) {
  console.error(message);
  process.exit(1);
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
  if (runNode([npmProgram(), 'ci', '--no-audit', '--no-fund']) !== 0)
    fail('npm ci failed: see its message above. Check the network or the registry setting of npm, then try again.');
  writeFileSync(stamp, wanted);
}

function build() {
  const built = join(root, 'dist', 'cli.js');
  if (runNode(['esbuild.mjs']) !== 0 || !existsSync(built)) fail('The build failed: see the messages above.');
}

/** A count of what passed and failed, with the names of what failed: said once more at the end, where it is looked for. */
const newTotal = () => ({ passed: 0, failed: 0, names: [] });

/** One vitest run; adds its counts to `total`. */
function suite(name, total) {
  console.log(`\n── ${name} tests`);
  mkdirSync(output, { recursive: true });
  const report = join(output, `${name}.json`);
  rmSync(report, { force: true });
  const status = runNode(
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.config.mjs', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { LATTICE_SUITE: name, ...(name === 'soak' ? { LATTICE_SOAK: '1' } : {}) },
  );
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  total.passed += counts.numPassedTests;
  // A file that does not load runs no test and still is a failure.
  total.failed += status === 0 ? counts.numFailedTests : Math.max(1, counts.numFailedTests);
  const names = counts.testResults.filter(file => file.status === 'failed').flatMap(file => failuresOf(relative(root, file.name), file.assertionResults));
  total.names.push(...(status !== 0 && names.length === 0 ? [`${name} tests: ended with ${status}`] : names));
}

/** A file that does not load has no failed test of its own. */
function failuresOf(path, results) {
  const failed = results.filter(result => result.status === 'failed');
  return failed.length === 0 ? [path] : failed.map(result => `${path}: ${result.fullName}\n    ${(result.failureMessages[0] ?? '').split('\n', 1)[0]}`);
}

/** A program that closes with "N passed, N failed". */
function program(name, args, total) {
  console.log(`\n── ${name} tests`);
  const result = spawnSync(process.execPath, args, { cwd: root, stdio: ['inherit', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 1 << 28 });
  process.stdout.write(result.stdout ?? '');
  const closing = [...(result.stdout ?? '').matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  total.passed += Number(closing?.[1] ?? 0);
  total.failed += result.status === 0 ? Number(closing?.[2] ?? 0) : Math.max(1, Number(closing?.[2] ?? 1));
  if (result.status === 0) return;
  const names = [...(result.stdout ?? '').matchAll(/^ {2}FAIL (.+)\n\s*(.*)$/gm)].map(([, what, why]) => `${name}: ${what}\n    ${why}`);
  total.names.push(...(names.length === 0 ? [`${name} tests: ended with ${result.status ?? result.signal}`] : names));
}

/** Page tests need Chromium; where it cannot be had they fail with what to do. */
async function ensureBrowser() {
  try {
    (await import('./test/editor/install.mjs')).installBrowser();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
}

async function testAll() {
  const total = newTotal();
  console.log('── check');
  if (runNode(['test/tidy/check.mjs']) === 0) total.passed++;
  else {
    total.failed++;
    total.names.push('npm run check: see its lines at the top');
  }
  suite('unit', total);
  await ensureBrowser();
  suite('slow', total);
  program('editor', ['test/editor/run.mjs'], total);
  return total;
}

function close(total) {
  if (total.names.length > 0) console.log(`\nFailed:\n${total.names.map(name => `  ${name}`).join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
}

const [command = 'start', ...rest] = process.argv.slice(2);
const folder = rest.find(argument => argument !== '--');
const target = folder ?? join(root, 'test', 'fixtures', 'workspaces', 'sample');
ensureNode();
// Said before anything is installed for it.
if (command === 'start' && (!existsSync(target) || !statSync(target).isDirectory())) fail(`${target} is not a folder. Usage: npm start -- FOLDER`);
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
    if (folder !== 'unit') await ensureBrowser();
    suite(folder ?? 'unit', total);
    close(total);
    break;
  }
  case 'editor':
  case 'electron': {
    build();
    const total = newTotal();
    program(command, [`test/${command}/run.mjs`], total);
    close(total);
    break;
  }
  default:
    fail(`Unknown command ${command}. Known: start, test, suite, editor, electron, build.`);
}
