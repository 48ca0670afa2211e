/**
 * Test runners by what they print. `setUp(folder)` installs what the suite needs and answers a problem or nothing. `open(folder, mutants)` answers
 * `run(mutant)`, with one of the mutants or none: the cases that `passed` (`file::…::name`), and whether the run was `cut` by the time limit.
 */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { go } from './goRunner.mjs';
import { failAt } from './mutants.mjs';
import { firstProblem, outcome, run } from './running.mjs';

/** A runner that reads the sources each time: the changed file stands there for as long as the suite runs. */
function rereading({ setUp, once }) {
  const open = folder => ({
    run(mutant) {
      if (mutant === undefined) return once(folder);
      const path = join(folder, mutant.file);
      const before = readFileSync(path, 'utf8');
      try {
        writeFileSync(path, failAt(path, before, mutant));
        return once(folder);
      } finally {
        writeFileSync(path, before);
      }
    },
    close() {},
  });
  return { setUp, open };
}

/** Lines of JSON; the last one may be cut. */
function linesOf(text) {
  return text.split('\n').flatMap(line => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line)] : []));
}

/** A file of ignore rules for what the harness itself leaves in a repository. */
function excludesOf(folder) {
  const path = join(folder, '.git', 'excludes-mutations');
  writeFileSync(path, '.venv-mutations/\n');
  return path;
}

const slashed = path => path.split(sep).join('/');
const here = name => fileURLToPath(new URL(name, import.meta.url));

const pytest = rereading({
  setUp: folder =>
    firstProblem(folder, [
      ['python3', '-m', 'venv', '.venv-mutations'],
      // The newest one no longer has what some suites take from its inside.
      ['.venv-mutations/bin/python', '-m', 'pip', 'install', '-q', '-e', '.', 'pytest==8.4.2', 'pytest-timeout==2.4.0', 'freezegun', 'simplejson'],
      // Untracked files would count as changed.
      ['git', 'config', '--local', 'core.excludesFile', excludesOf(folder)],
    ]),
  once(folder) {
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
      '--timeout=20',
    ]);
    // A case with parameters is one case here: Lattice names the function.
    const of = state => [...ran.stdout.matchAll(new RegExp(`^${state} ([^\\s[]+\\.py::[^\\s[]+)`, 'gm'))].map(([, id]) => id);
    const failed = [...of('FAILED'), ...of('ERROR')];
    return outcome(ran, [...of('PASSED'), ...failed], failed);
  },
});

const mocha = rereading({
  setUp: folder => firstProblem(folder, [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund']]),
  once(folder) {
    const ran = run(folder, process.execPath, [
      'node_modules/mocha/bin/mocha.js',
      '--require',
      'test/support/env',
      '--reporter',
      here('mochaReporter.cjs'),
      '--exit',
      'test/',
      'test/acceptance/',
    ]);
    const rows = linesOf(ran.stdout).filter(({ mocha }) => mocha !== undefined);
    const id = ({ mocha, title }) => `${slashed(relative(folder, mocha))}::${title.replace(/^"(?:before|after) (?:each|all)" hook.*$/, '')}`;
    return outcome(ran, rows.map(id), rows.filter(({ passed }) => !passed).map(id));
  },
});

const vitest = rereading({
  setUp: folder => firstProblem(folder, [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']]),
  once(folder) {
    const place = mkdtempSync(join(tmpdir(), 'lattice-vitest-'));
    const output = join(place, 'vitest.json');
    const ran = run(folder, process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'main', '--reporter=json', `--outputFile=${output}`]);
    const report = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
    removeFolder(place);
    if (report === undefined) return outcome(ran, [], []);
    const files = report.testResults.map(({ name, assertionResults }) => ({ file: slashed(relative(folder, name)), cases: assertionResults }));
    const all = files.flatMap(({ file, cases }) =>
      cases
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .map(({ ancestorTitles, title, status }) => ({ id: [file, ...ancestorTitles, title].join('::'), status })),
    );
    return outcome(
      ran,
      all.map(({ id }) => id),
      all.filter(({ status }) => status === 'failed').map(({ id }) => id),
    );
  },
});

/** Node's own test runner. */
const node = rereading({
  setUp: folder => firstProblem(folder, [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund']]),
  once(folder) {
    const ran = run(folder, process.execPath, ['--test', '--test-timeout=20000', `--test-reporter=${here('nodeReporter.mjs')}`]);
    const rows = linesOf(ran.stdout).filter(({ file }) => file !== undefined);
    const id = ({ file, names }) => [slashed(relative(folder, file)), ...names].join('::');
    return outcome(ran, rows.map(id), rows.filter(({ passed }) => !passed).map(id));
  },
});

/** Minitest, with specs: `describe Rack::Utils` is a class of that name, `it` a method with a number before its text. */
const minitest = rereading({
  // Debian packages: ruby-minitest-global-expectations, ruby-webrick.
  setUp: folder => firstProblem(folder, [['ruby', '-e', "require 'minitest/global_expectations'; require 'webrick'"]]),
  once(folder) {
    const place = mkdtempSync(join(tmpdir(), 'lattice-minitest-'));
    const output = join(place, 'cases');
    const load = 'Dir["test/**/spec_*.rb"].sort.each { |file| require File.expand_path(file) }';
    const ran = run(folder, 'ruby', ['-I', 'lib', '-I', 'test', '-r', here('minitestLines.rb'), '-e', load], { LATTICE_CASES: output });
    const rows = existsSync(output) ? linesOf(readFileSync(output, 'utf8')) : [];
    removeFolder(place);
    const id = row => [slashed(relative(folder, row.file)), row.class, row.name.replace(/^test_\d{4}_/, '')].join('::');
    return outcome(ran, rows.map(id), rows.filter(({ passed }) => !passed).map(id));
  },
});

export const RUNNERS = { pytest, mocha, vitest, node, minitest, go };
