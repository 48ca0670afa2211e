/**
 * `node test/bench/types.mjs`: processor time of a first index of a generated project with many generic types (60 modules with chains of 40 calls), as a ratio to
 * that of a plain one (450 files), indexed in turn with it. Exits with 1 if the median is above 3. Lattice is the built one in `dist`, or in `LATTICE_DIST`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { generate } from './generate.mjs';
import { typeHeavy } from './generateTypes.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = resolve(process.env.LATTICE_DIST ?? join(here, '..', '..', 'dist'));
const ROUNDS = 3;
const LIMIT = 3;

/** Processor time of a first index in milliseconds. */
function measure(workspace, scratch) {
  const home = mkdtempSync(join(scratch, 'home-'));
  const usage = join(home, 'usage.json');
  const result = spawnSync(process.execPath, ['--require', join(here, 'usage.cjs'), join(dist, 'cli.js'), 'index', '--workspace', workspace, '--json'], {
    env: { ...process.env, LATTICE_HOME: home, LATTICE_BENCH_USAGE: usage, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(`lattice index failed (${result.status}): ${result.stderr.slice(-500)}`);
  return JSON.parse(readFileSync(usage, 'utf8')).durable.cpuMs;
}

const scratch = mkdtempSync(join(tmpdir(), 'lattice-types-'));
try {
  const [plain, typed] = ['plain', 'typed'].map(name => join(scratch, name));
  mkdirSync(typed, { recursive: true });
  generate(plain, 300);
  for (const [path, text] of typeHeavy(60, 40)) writeFileSync(join(typed, path), text);
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [base, heavy] = [plain, typed].map(folder => measure(folder, scratch));
    ratios.push(heavy / base);
    console.log(`plain ${Math.round(base)} ms, generic types ${Math.round(heavy)} ms of processor time: ratio ${ratios[round].toFixed(2)}`);
  }
  const median = ratios.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)];
  console.log(`median ratio ${median.toFixed(2)}`);
  if (median > LIMIT) process.exitCode = 1;
} finally {
  removeFolder(scratch);
}
