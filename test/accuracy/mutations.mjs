/**
 * Measures `test_select` by running code: the body of a function is made to fail, the test suite is run, and the cases that no longer pass are what the
 * selection for that change has to name.
 *
 * `npm run accuracy -- --mutations --corpora FOLDER [--repos a,b] [--from-truth | --only-truth] [--results FILE]
 *   [--work FOLDER] [--truth FOLDER] [--count 60] [--seed 1] [--minutes 8]`
 *
 * The corpora are clones (work trees) named like the repositories below. Each is copied into the work folder, set up there by its own package manager, and
 * changed only there. Functions are drawn at random with a seed from the code that is not tests. Which cases fail is kept as the *truth*, in
 * `test/accuracy/truth` by default: a run goes on where the one before ended (`--minutes` ends it), `--only-truth` stops there, and `--from-truth` measures the
 * selection of this build without running a suite. Lattice is the built one in `dist`, asked through its command line for what is not committed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, env, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { failAt, failingPlace } from './mutants.mjs';
import { RUNNERS } from './runners.mjs';
import { figuresOf, indexesOf, percent, rangesOf } from './truth.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    mutations: { type: 'boolean' },
    'from-truth': { type: 'boolean', default: false },
    'only-truth': { type: 'boolean', default: false },
    corpora: { type: 'string' },
    work: { type: 'string' },
    repos: { type: 'string' },
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    results: { type: 'string' },
    truth: { type: 'string' },
  },
});
if (options.corpora === undefined) {
  stderr.write('accuracy --mutations: pass --corpora FOLDER (clones, with their work trees)\n');
  exit(2);
}

/** Only code that `sources` matches is changed; tests, examples and documentation are not. */
const REPOSITORIES = [
  { name: 'click', language: 'Python', sources: /^src\/.*\.py$/, runner: 'pytest' },
  { name: 'flask', language: 'Python', sources: /^src\/.*\.py$/, runner: 'pytest' },
  { name: 'itsdangerous', language: 'Python', sources: /^src\/.*\.py$/, runner: 'pytest' },
  { name: 'marshmallow', language: 'Python', sources: /^src\/.*\.py$/, runner: 'pytest' },
  { name: 'express', language: 'JavaScript', sources: /^lib\/.*\.js$/, runner: 'mocha' },
  { name: 'koa', language: 'JavaScript', sources: /^lib\/.*\.js$/, runner: 'node' },
  { name: 'commander', language: 'JavaScript', sources: /^lib\/.*\.js$/, runner: 'node' },
  { name: 'hono', language: 'TypeScript', sources: /^src\/(?!.*\.test\.).*\.tsx?$/, runner: 'vitest' },
  { name: 'chi', language: 'Go', sources: /^(?!_examples\/)(?!.*_test\.go$).*\.go$/, runner: 'go' },
  { name: 'mux', language: 'Go', sources: /^(?!.*_test\.go$).*\.go$/, runner: 'go' },
  { name: 'gin', language: 'Go', sources: /^(?!.*_test\.go$).*\.go$/, runner: 'go' },
  { name: 'rack', language: 'Ruby', sources: /^lib\/.*\.rb$/, runner: 'minitest' },
];

/** A value in a title: `${name}`, and `%s` or `$name` of tables. */
const FILLED = /\$\{[^}]*\}|#\{[^}]*\}|%[sdifjoOp#]|\$[\w.#]+/;

const dist = resolve(env['LATTICE_DIST'] ?? join(root, 'dist'));
const work = resolve(options.work ?? mkdtempSync(join(tmpdir(), 'lattice-mutations-')));
const truthFolder = resolve(options.truth ?? join(root, 'test', 'accuracy', 'truth'));
const endsAt = options.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(options.minutes) * 60_000;
mkdirSync(work, { recursive: true });
mkdirSync(truthFolder, { recursive: true });
const wanted = options.repos?.split(',') ?? REPOSITORIES.map(({ name }) => name);
const results = options.results !== undefined && existsSync(options.results) ? JSON.parse(readFileSync(options.results, 'utf8')) : {};
for (const repository of wanted.flatMap(name => REPOSITORIES.find(row => row.name === name) ?? [])) {
  if (Date.now() > endsAt) break;
  const folder = join(work, repository.name);
  if (!existsSync(folder)) cpSync(join(resolve(options.corpora), repository.name), folder, { recursive: true });
  restore(folder, repository.sources);
  const home = mkdtempSync(join(tmpdir(), 'lattice-mutations-home-'));
  // A first index may take longer than a command waits for it.
  spawnSync(execPath, [join(dist, 'cli.js'), 'index', '--workspace', folder], { env: { ...env, LATTICE_HOME: home }, stdio: 'ignore' });
  // Commands are quick while another process owns the index.
  const owner = spawn(execPath, [join(dist, 'cli.js'), 'mcp', '--workspace', folder], {
    env: { ...env, LATTICE_HOME: home },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  try {
    const truth = truthOf(repository, folder, home);
    if (!options['from-truth']) findOut(repository, folder, truth);
    const known = truth.mutants.filter(({ failing, cut }) => failing !== undefined && cut !== true);
    if (known.length === 0 || options['only-truth']) continue;
    const measured = { language: repository.language, repository: truth.repository, commit: truth.commit, ...measure(folder, home, truth, known) };
    results.mutations = { ...results.mutations, [repository.name]: measured };
    if (options.results !== undefined) writeFileSync(options.results, `${JSON.stringify(results, undefined, 1)}\n`);
    stdout.write(`${line(repository.name, measured)}\n`);
  } finally {
    const ended = new Promise(done => owner.once('exit', done));
    owner.stdin.end();
    owner.kill();
    await ended;
    removeFolder(home);
  }
}

/** A run that was killed may have left a function that fails. */
function restore(folder, sources) {
  const changed = git(folder, ['diff', '--name-only']).split('\n');
  const mutated = changed.filter(path => sources.test(path));
  if (mutated.length > 0) git(folder, ['checkout', '--quiet', '--', ...mutated]);
}

/** What is known of a commit of a repository: its cases, and the drawn functions with the cases that fail. */
function truthOf({ name, sources }, folder, home) {
  const commit = git(folder, ['rev-parse', 'HEAD']);
  const path = join(truthFolder, `${name}.json`);
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  if (kept?.commit === commit) return kept;
  if (options['from-truth']) throw new Error(`${name}: the truth is of ${kept?.commit ?? 'no commit'}, and the clone is at ${commit}`);
  const functions = functionsOf(folder, home, sources);
  const random = generator(Number(options.seed));
  const mutants = [];
  while (functions.length > 0 && mutants.length < Number(options.count)) {
    const [drawn] = functions.splice(Math.floor(random() * functions.length), 1);
    const text = readFileSync(join(folder, drawn.file), 'utf8');
    const place = failingPlace(drawn.file, text, drawn.startLine, drawn.endLine);
    if (place !== undefined) mutants.push({ function: drawn.id, file: drawn.file, startLine: drawn.startLine, endLine: drawn.endLine });
  }
  const repository = git(folder, ['config', 'remote.origin.url'])
    .replace(/\.git$|\/repo$/, '')
    .split(/[/+]/)
    .slice(-2)
    .join('/');
  return { repository, commit, cases: [], mutants };
}

/** Runs the suite for each function that nothing is known of. */
function findOut({ name, runner: runnerName }, folder, truth) {
  const open = truth.mutants.filter(({ failing, cut }) => failing === undefined && cut !== true);
  if (open.length === 0) return;
  const runner = RUNNERS[runnerName];
  const problem = runner.setUp(folder);
  if (problem !== undefined) throw new Error(`${name}: ${problem}`);
  const suite = runner.open(folder, truth.mutants);
  try {
    if (truth.cases.length === 0) {
      // What fails without any change says nothing of one. Twice: what fails now and then neither.
      const [first, second] = [suite.run(undefined), suite.run(undefined)];
      truth.cases = [...first.passed].filter(id => second.passed.has(id)).toSorted((left, right) => (left < right ? -1 : 1));
      if (truth.cases.length === 0) throw new Error(`${name}: no case passes without a change`);
      keep(name, truth);
    }
    for (const mutant of open) {
      if (Date.now() > endsAt) return;
      const { passed, cut } = suite.run(mutant);
      if (cut) mutant.cut = true;
      else mutant.failing = rangesOf(truth.cases.flatMap((id, index) => (passed.has(id) ? [] : [index])));
      keep(name, truth);
      stderr.write(`${name}: ${mutant.function}: ${cut ? 'took too long' : mutant.failing}\n`);
    }
  } finally {
    suite.close();
  }
}

function keep(name, { mutants, ...rest }) {
  const rows = mutants.map(mutant => `    ${JSON.stringify(mutant)}`).join(',\n');
  const text = JSON.stringify(rest, undefined, 2).replace(/\n\}$/, `,\n  "mutants": [\n${rows}\n  ]\n}\n`);
  writeFileSync(join(truthFolder, `${name}.json`), text);
}

/** What `test_select` answers to each change, held against the truth. */
function measure(folder, home, { cases }, known) {
  const mutants = [];
  for (const mutant of known) {
    const failing = indexesOf(mutant.failing).map(index => cases[index]);
    const path = join(folder, mutant.file);
    const before = readFileSync(path, 'utf8');
    try {
      writeFileSync(path, failAt(path, before, mutant));
      const selected = new Set(selection(folder, home, cases));
      const missed = failing.filter(id => !selected.has(id));
      mutants.push({ function: mutant.function, failing: failing.length, selected: selected.size, found: failing.length - missed.length, missed });
    } finally {
      writeFileSync(path, before);
    }
  }
  return { cases: cases.length, mutants };
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
function selection(folder, home, cases) {
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
  return cases.filter(id => prefixesOf(id).some(prefix => chosen.has(prefix)) || patterns.some(pattern => pattern.test(titled(id))));
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The case itself, the groups around it and its file. Some runners join the titles of groups and cases by spaces. */
function prefixesOf(id) {
  const words = titled(id).split(' ');
  return [id.split('::')[0], ...words.map((_, index) => words.slice(0, index + 1).join(' '))];
}

/** Ids and reports separate groups and cases by different signs, and titles of constants (`Rack::Utils`) are joined by one colon in ids. */
function titled(id) {
  return id.replace(/:+/g, ' ').replace(/\s+/g, ' ');
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

function git(folder, args) {
  return spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).stdout.trim();
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

function line(name, measured) {
  const { functions, detected, cases, recall, mean, ratio } = figuresOf(measured);
  return `${name}: ${functions} functions, ${detected} detected, ${cases} cases: recall ${percent(recall)} % (mean ${percent(mean)} %), selected ${ratio.toFixed(2)} × failing`;
}
