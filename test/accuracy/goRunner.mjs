/**
 * Go's test runner. Compiling takes far longer than running: all mutants stand in one copy of the module, each behind a condition, and the test program of
 * each package is built once.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { failingPlace, inserted } from './mutants.mjs';
import { firstProblem, LIMIT_MS, outcome, run } from './running.mjs';

/** A panic ends the whole program: it is started again without the tests that have ended, until all have. */
const MAX_STARTS = 1500;
const GUARD = 'latticeMutant';

export const go = {
  setUp: folder => firstProblem(folder, [['go', 'mod', 'download']]),
  open(folder, mutants) {
    const place = mkdtempSync(join(tmpdir(), 'lattice-go-'));
    const copy = join(place, 'module');
    cpSync(folder, copy, { recursive: true });
    const numbers = guarded(copy, mutants);
    const packages = goPackages(copy).map((row, index) => ({ ...row, program: built(copy, row.path, join(place, `${index}.test`)) }));
    return {
      run(mutant) {
        const seen = packages.map(row => runPackage(copy, row, mutant === undefined ? '' : String(numbers.get(mutant))));
        return outcome(
          seen.flatMap(({ ran }) => ran),
          seen.flatMap(({ cases }) => cases),
          seen.flatMap(({ failed }) => failed),
        );
      },
      close: () => removeFolder(place),
    };
  },
};

/** Puts all mutants into the module; answers the number of each. */
function guarded(folder, mutants) {
  const numbers = new Map(mutants.map((mutant, index) => [mutant, index + 1]));
  for (const file of new Set(mutants.map(mutant => mutant.file))) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const places = mutants
      .filter(mutant => mutant.file === file)
      .map(mutant => [failingPlace(path, text, mutant.startLine, mutant.endLine)[0], ` if ${GUARD} == "${numbers.get(mutant)}" { panic("mutant") };`]);
    writeFileSync(path, inserted(text, places));
    const name = /^package (\w+)/m.exec(text)[1];
    writeFileSync(join(dirname(path), 'lattice_mutant.go'), `package ${name}\n\nimport "os"\n\nvar ${GUARD} = os.Getenv("LATTICE_MUTANT")\n`);
  }
  return numbers;
}

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

function built(folder, path, program) {
  const compiled = run(folder, 'go', ['test', '-c', '-o', program, `./${path}`]);
  if (compiled.status !== 0) throw new Error(`go test -c ./${path}: ${compiled.stderr.slice(-800)}`);
  return program;
}

function runPackage(folder, { path, files, program }, mutant) {
  const names = new Map();
  for (const file of files) {
    for (const [, test] of readFileSync(join(folder, file), 'utf8').matchAll(/^func (Test\w+|Example\w*|Fuzz\w+)\(/gm)) names.set(test, `${file}::${test}`);
  }
  const ended = new Map();
  const ran = [];
  const endsAt = Date.now() + LIMIT_MS;
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const skip = ended.size === 0 ? [] : ['-test.skip', `^(${[...ended.keys()].join('|')})$`];
    const once = run(join(folder, path), program, ['-test.v', '-test.count=1', '-test.timeout=10s', ...skip], { LATTICE_MUTANT: mutant });
    ran.push(once);
    if (Date.now() > endsAt) return { ran: [{ error: { code: 'ETIMEDOUT' } }], cases: [], failed: [] };
    const before = ended.size;
    for (const [, state, test] of once.stdout.matchAll(/^--- (PASS|FAIL|SKIP): (\w+) /gm))
      if (state === 'FAIL' || !ended.has(test)) ended.set(test, state !== 'FAIL');
    if (once.status === 0 || once.error !== undefined) break;
    const isCut = /^panic: |^fatal error: |test timed out/m.test(`${once.stdout}\n${once.stderr}`);
    // When another goroutine panicked, the test that was under way has no line of its own.
    if (isCut && ended.size === before) for (const test of underWay(once.stdout)) if (!ended.has(test)) ended.set(test, false);
    // Nothing more ran: the package fails before its first test.
    if (!isCut || ended.size === before) break;
  }
  const known = [...ended].flatMap(([test, passed]) => (names.has(test) ? [{ id: names.get(test), passed }] : []));
  return {
    ran,
    cases: known.map(({ id }) => id),
    failed: known.filter(({ passed }) => !passed).map(({ id }) => id),
  };
}

/** Tests that were started and not paused since. */
function underWay(output) {
  const running = new Set();
  for (const [, state, test] of output.matchAll(/^=== (RUN|CONT|PAUSE) +(\w+)$/gm)) {
    if (state === 'PAUSE') running.delete(test);
    else running.add(test);
  }
  return running;
}
