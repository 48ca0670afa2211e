/**
 * Test runners by what they print. `setUp(folder)` installs what the suite needs and answers a problem or nothing; `run(folder)` answers
 * `cases` (every case that ended, `file::…::name`), those that `failed`, and `brokenFiles` that could not be loaded.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { env } from 'node:process';
import { removeFolder } from '../helpers/removeFolder.mjs';

const LIMIT_MS = 180_000;

function run(folder, program, args, more = {}) {
  return spawnSync(program, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 29, timeout: LIMIT_MS, env: { ...env, CI: '1', NO_COLOR: '1', ...more } });
}

function firstProblem(folder, commands) {
  for (const [program, ...args] of commands) {
    const ran = run(folder, program, args);
    if (ran.status !== 0) return `${program} ${args.join(' ')}: ${ran.error?.message ?? ran.stderr.slice(-400)}`;
  }
  return undefined;
}

/** A file of ignore rules for what the harness itself leaves in a repository. */
function excludesOf(folder) {
  const path = join(folder, '.git', 'excludes-mutations');
  writeFileSync(path, '.venv-mutations/\n');
  return path;
}

const slashed = path => path.split(sep).join('/');
const outcome = (cases, failed, brokenFiles = []) => ({ cases: [...new Set(cases)], failed: [...new Set(failed)], brokenFiles: [...new Set(brokenFiles)] });

const pytest = {
  setUp: folder =>
    firstProblem(folder, [
      ['python3', '-m', 'venv', '.venv-mutations'],
      // The newest one no longer has what some suites take from its inside.
      ['.venv-mutations/bin/pip', 'install', '-q', '-e', '.', 'pytest==8.4.2'],
      // Untracked files would count as changed.
      ['git', 'config', '--local', 'core.excludesFile', excludesOf(folder)],
    ]),
  run(folder) {
    const ran = run(folder, join(folder, '.venv-mutations', 'bin', 'python'), [
      '-m',
      'pytest',
      '-q',
      '--tb=no',
      '-rA',
      '-p',
      'no:cacheprovider',
      '-p',
      'no:randomly',
    ]);
    // A case with parameters is one case here: Lattice names the function.
    const of = state => [...ran.stdout.matchAll(new RegExp(`^${state} ([^\\s[]+\\.py::[^\\s[]+)`, 'gm'))].map(([, id]) => id);
    const failed = [...of('FAILED'), ...of('ERROR')];
    const broken = [...ran.stdout.matchAll(/^ERROR ([^\s:]+\.py)(?:\s|$)/gm)].map(([, file]) => file);
    // A conftest that cannot be imported ends the run before it begins.
    const isAllBroken = !/\d+ (?:passed|failed|error)/.test(ran.stdout);
    return outcome([...of('PASSED'), ...failed], failed, isAllBroken ? ['tests'] : broken);
  },
};

const mocha = {
  setUp: folder => firstProblem(folder, [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund']]),
  run(folder) {
    const place = mkdtempSync(join(tmpdir(), 'lattice-mocha-'));
    const output = join(place, 'mocha.json');
    run(folder, process.execPath, [
      'node_modules/mocha/bin/mocha.js',
      '--require',
      'test/support/env',
      '--reporter',
      'json',
      '--reporter-option',
      `output=${output}`,
      '--exit',
      'test/',
      'test/acceptance/',
    ]);
    const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
    removeFolder(place);
    if (report === undefined) return outcome([], [], ['test']);
    const id = ({ file, fullTitle }) => `${slashed(relative(folder, file))}::${fullTitle.replace(/^"(?:before|after) (?:each|all)" hook.*$/, '')}`;
    return outcome([...report.passes, ...report.failures].map(id), report.failures.map(id));
  },
};

const vitest = {
  setUp: folder => firstProblem(folder, [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']]),
  run(folder) {
    const place = mkdtempSync(join(tmpdir(), 'lattice-vitest-'));
    const output = join(place, 'vitest.json');
    run(folder, process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'main', '--reporter=json', `--outputFile=${output}`]);
    const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
    removeFolder(place);
    if (report === undefined) return outcome([], [], ['src']);
    const files = report.testResults.map(({ name, assertionResults, status }) => ({ file: slashed(relative(folder, name)), cases: assertionResults, status }));
    const all = files.flatMap(({ file, cases }) =>
      cases
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .map(({ ancestorTitles, title, status }) => ({ id: [file, ...ancestorTitles, title].join('::'), status })),
    );
    return outcome(
      all.map(({ id }) => id),
      all.filter(({ status }) => status === 'failed').map(({ id }) => id),
      files.filter(({ cases, status }) => status === 'failed' && cases.length === 0).map(({ file }) => file),
    );
  },
};

/** A panic ends the whole program: it is started again without the tests that have ended, until all have. */
const MAX_STARTS = 600;

const go = {
  setUp: folder => firstProblem(folder, [['go', 'mod', 'download']]),
  run(folder) {
    const cases = [];
    const failed = [];
    const brokenFiles = [];
    for (const { path, files } of goPackages(folder)) {
      const names = new Map();
      for (const file of files) {
        for (const [, test] of readFileSync(join(folder, file), 'utf8').matchAll(/^func (Test\w+|Example\w*|Fuzz\w+)\(/gm)) names.set(test, `${file}::${test}`);
      }
      const { ended, isBroken } = runGoPackage(folder, path);
      for (const [test, passed] of ended) {
        const id = names.get(test);
        if (id === undefined) continue;
        cases.push(id);
        if (!passed) failed.push(id);
      }
      if (isBroken) brokenFiles.push(...files);
    }
    return outcome(cases, failed, brokenFiles);
  },
};

function goPackages(folder) {
  const module = run(folder, 'go', ['list', '-m']).stdout.trim();
  const listed = run(folder, 'go', ['list', '-f', '{{.ImportPath}} {{join .TestGoFiles " "}} {{join .XTestGoFiles " "}}', './...']);
  return listed.stdout
    .split('\n')
    .map(row => row.split(' ').filter(part => part !== ''))
    .filter(row => row.length > 1)
    .map(([importPath, ...files]) => {
      const path = importPath.slice(module.length + 1);
      return { path, files: files.map(file => [path, file].filter(part => part !== '').join('/')) };
    });
}

/** `ended`: every test of the package with whether it passed. `isBroken`: it cannot be built, or fails before the first test. */
function runGoPackage(folder, path) {
  const place = mkdtempSync(join(tmpdir(), 'lattice-go-'));
  const program = join(place, 'package.test');
  const ended = new Map();
  try {
    const built = run(folder, 'go', ['test', '-c', '-o', program, `./${path}`]);
    if (built.status !== 0) return { ended, isBroken: true };
    for (let starts = 0; starts < MAX_STARTS; starts++) {
      const skip = ended.size === 0 ? [] : ['-test.skip', `^(${[...ended.keys()].join('|')})$`];
      const ran = run(join(folder, path), program, ['-test.v', '-test.count=1', '-test.timeout=60s', ...skip]);
      const before = ended.size;
      for (const [, state, test] of ran.stdout.matchAll(/^--- (PASS|FAIL): (\w+) /gm))
        if (state === 'FAIL' || !ended.has(test)) ended.set(test, state === 'PASS');
      if (ran.status === 0) return { ended, isBroken: false };
      const started = [...ran.stdout.matchAll(/^=== RUN +(\w+)$/gm)].map(([, test]) => test);
      const isCut = /^panic: |^fatal error: |test timed out/m.test(`${ran.stdout}\n${ran.stderr}`);
      // The test that was under way when another goroutine panicked has no line of its own.
      if (isCut) for (const test of started.filter(test => !ended.has(test))) ended.set(test, false);
      if (!isCut || ended.size === before) return { ended, isBroken: ended.size === 0 };
    }
    return { ended, isBroken: false };
  } finally {
    removeFolder(place);
  }
}

export const RUNNERS = { pytest, mocha, vitest, go };
