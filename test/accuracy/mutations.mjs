/**
 * Measures `test_select` by running code: the body of a function is made to fail, the test suite is run, and the cases that fail are what the
 * selection for that change has to name.
 *
 * `npm run accuracy -- --mutations --corpora FOLDER [--work FOLDER] [--repos a,b] [--count 60] [--seed 1] [--results FILE] [--truth FOLDER]`
 *
 * The corpora are clones (work trees) named like the repositories below; each is copied into the work folder, set up there by its own package manager,
 * and changed only there. Functions are drawn at random with a seed from the code that is not tests. Lattice is the built one in `dist`, asked through
 * its command line for what is not committed. `--truth` keeps which cases fail, so that another selection is measured without running the suites again.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, env, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { failAt } from './mutants.mjs';
import { RUNNERS } from './runners.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    mutations: { type: 'boolean' },
    corpora: { type: 'string' },
    work: { type: 'string' },
    repos: { type: 'string' },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    results: { type: 'string' },
    truth: { type: 'string' },
  },
});
if (options.corpora === undefined) {
  stderr.write('accuracy --mutations: pass --corpora FOLDER (clones, with their work trees)\n');
  exit(2);
}

/** Only code below these folders is changed; tests, examples and documentation are not. */
const REPOSITORIES = [
  { name: 'click', language: 'Python', sources: /^src\/.*\.py$/, runner: 'pytest' },
  { name: 'flask', language: 'Python', sources: /^src\/.*\.py$/, runner: 'pytest' },
  { name: 'express', language: 'JavaScript', sources: /^lib\/.*\.js$/, runner: 'mocha' },
  { name: 'hono', language: 'TypeScript', sources: /^src\/(?!.*\.test\.).*\.tsx?$/, runner: 'vitest' },
  { name: 'gin', language: 'Go', sources: /^(?!.*_test\.go$).*\.go$/, runner: 'go' },
  { name: 'chi', language: 'Go', sources: /^(?!_examples\/)(?!.*_test\.go$).*\.go$/, runner: 'go' },
];

/** A value in a title: `${name}`, and `%s` or `$name` of tables. */
const FILLED = /\$\{[^}]*\}|%[sdifjoOp#]|\$[\w.#]+/;

const dist = resolve(env['LATTICE_DIST'] ?? join(root, 'dist'));
const work = resolve(options.work ?? mkdtempSync(join(tmpdir(), 'lattice-mutations-')));
mkdirSync(work, { recursive: true });
const wanted = options.repos?.split(',') ?? REPOSITORIES.map(({ name }) => name);
const results = options.results !== undefined && existsSync(options.results) ? JSON.parse(readFileSync(options.results, 'utf8')) : {};
for (const repository of REPOSITORIES.filter(({ name }) => wanted.includes(name))) {
  const measured = measure(repository);
  results[repository.name] = measured;
  if (options.results !== undefined) writeFileSync(options.results, `${JSON.stringify(results, undefined, 1)}\n`);
  stdout.write(`${line(repository, measured)}\n`);
}

function measure({ name, sources, runner: runnerName }) {
  const folder = join(work, name);
  const runner = RUNNERS[runnerName];
  if (!existsSync(folder)) {
    cpSync(join(resolve(options.corpora), name), folder, { recursive: true });
    const problem = runner.setUp(folder);
    if (problem !== undefined) throw new Error(`${name}: ${problem}`);
  }
  const home = mkdtempSync(join(tmpdir(), 'lattice-mutations-home-'));
  const truth = truthOf(name, folder);
  if (truth.known.length === 0) {
    // What fails without any change says nothing of one. Twice: what fails now and then neither.
    const runs = [runner.run(folder), runner.run(folder)];
    const unstable = new Set(runs.flatMap(({ failed }) => failed));
    truth.known.push(...runs[0].cases.filter(id => !unstable.has(id)));
  }
  const { known } = truth;
  const functions = functionsOf(folder, home, sources);
  const random = generator(Number(options.seed));
  const mutants = [];
  while (functions.length > 0 && mutants.length < Number(options.count)) {
    const [drawn] = functions.splice(Math.floor(random() * functions.length), 1);
    const path = join(folder, drawn.file);
    const before = readFileSync(path, 'utf8');
    const after = failAt(path, before, drawn);
    if (after === undefined) continue;
    try {
      writeFileSync(path, after);
      const key = `${drawn.id}:${drawn.startLine}`;
      truth.failing[key] ??= failingOf(runner.run(folder), known);
      keep(name, truth);
      const failing = truth.failing[key];
      const selected = selection(folder, home, known);
      mutants.push({
        function: drawn.id,
        failing: failing.length,
        selected: selected.length,
        found: failing.filter(id => selected.includes(id)).length,
        missed: failing.filter(id => !selected.includes(id)).slice(0, 5),
      });
    } finally {
      writeFileSync(path, before);
    }
    const last = mutants.at(-1);
    stderr.write(`${name} ${mutants.length}: ${last.function} failing ${last.failing} selected ${last.selected} found ${last.found}\n`);
  }
  removeFolder(home);
  return { cases: known.length, mutants };
}

function failingOf({ cases, failed, brokenFiles }, known) {
  const [seen, fails] = [new Set(cases), new Set(failed)];
  // A file that can no longer be loaded reports no cases, nor does a folder when the run ends before it begins: all of them fail.
  const isBroken = id => !seen.has(id) && brokenFiles.some(place => id.startsWith(`${place}::`) || id.startsWith(`${place}/`));
  return known.filter(id => fails.has(id) || isBroken(id));
}

/** What was found out about a commit of a repository before: its cases, and those that fail by function. */
function truthOf(name, folder) {
  const head = spawnSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  const path = options.truth === undefined ? undefined : join(resolve(options.truth), `${name}.json`);
  const kept = path !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  return kept?.head === head ? kept : { head, known: [], failing: {} };
}

function keep(name, truth) {
  if (options.truth === undefined) return;
  mkdirSync(resolve(options.truth), { recursive: true });
  writeFileSync(join(resolve(options.truth), `${name}.json`), JSON.stringify(truth));
}

/** Functions and methods with a body in the sources, as Lattice lists them. */
function functionsOf(folder, home, sources) {
  const text = lattice(folder, home, ['export', '--format', 'jsonl', '--min-confidence', '1']);
  const rows = text
    .split('\n')
    .filter(row => row.startsWith('{"type":"node"'))
    .map(row => JSON.parse(row));
  return rows.filter(row => ['function', 'method', 'constructor'].includes(row.kind) && sources.test(row.file) && row.endLine > row.startLine);
}

/** The cases that Lattice says to run for what is not committed. */
function selection(folder, home, known) {
  const chosen = new Set();
  let cursor;
  do {
    const input = { maxTests: 5000, maxTokens: 20_000, ...(cursor === undefined ? {} : { cursor }) };
    const answer = JSON.parse(lattice(folder, home, ['tool', 'test_select', '--json', '--input', JSON.stringify(input)]));
    for (const { id } of answer.data.tests) chosen.add(titled(id.replace(/#\d+(?=::|$)/g, '')));
    cursor = answer.data.nextCursor;
  } while (cursor !== undefined);
  // A file or a class stands for all of its cases; a title with values in it for all that it is filled with.
  const patterns = [...chosen].filter(title => FILLED.test(title)).map(title => new RegExp(`^${title.split(FILLED).map(escaped).join('.*')}$`));
  return known.filter(id => prefixesOf(id).some(prefix => chosen.has(prefix)) || patterns.some(pattern => pattern.test(titled(id))));
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The case itself, the groups around it and its file. Some runners join the titles of groups and cases by spaces. */
function prefixesOf(id) {
  const words = titled(id).split(' ');
  return [id.split('::')[0], ...words.map((_, index) => words.slice(0, index + 1).join(' '))];
}

function titled(id) {
  return id.replaceAll('::', ' ');
}

function lattice(folder, home, args) {
  const run = spawnSync(execPath, [join(dist, 'cli.js'), ...args, '--workspace', folder], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    env: { ...env, LATTICE_HOME: home, NO_COLOR: '1' },
  });
  if (run.status !== 0) throw new Error(`lattice ${args[0]}: ${run.stderr.slice(-400)}${run.stdout.slice(-400)}`);
  return run.stdout;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32, public domain, by Tommy Ettinger). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Recall over all failing cases, the mean over mutants that make a case fail, and how many times as many cases are selected as fail. */
function line({ name, language }, { cases, mutants }) {
  const detected = mutants.filter(({ failing }) => failing > 0);
  const sum = key => detected.reduce((total, mutant) => total + mutant[key], 0);
  const mean = detected.reduce((total, { found, failing }) => total + found / failing, 0) / detected.length;
  const percent = share => `${(100 * share).toFixed(1)} %`;
  return `${name} (${language}): ${mutants.length} functions, ${detected.length} detected, ${cases} cases: recall ${percent(sum('found') / sum('failing'))} (mean ${percent(mean)}), selected ${(sum('selected') / sum('failing')).toFixed(2)} × failing`;
}
