import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { afterEach, expect, test } from 'vitest';
import type { PointsAnswer } from '../../server/protocol/features';
import { seeded } from '../../server/src/algorithms/random';
import { neverCancelled } from '../../server/src/base/cancellation';
import { bundleAliases } from '../tidy/bundleAliases.mjs';
import { type Asking, Checkout, distFolder, isOfCode } from './checkout';

let checkout: Checkout | undefined;
afterEach(() => checkout?.dispose());

const ROUNDS = process.env['LATTICE_SUITE'] === 'soak' ? 100 : 8;
/** Recorded states that are held against cold indexes. */
const STATES = ROUNDS > 50 ? 20 : 3;
/** A transaction of one file has about so many. */
const OPERATIONS_OF_EDIT = 12;

/** Forty modules that call one another. */
function modules(version: number): Record<string, string> {
  const files = Array.from({ length: 40 }, (_, at): [string, string] => {
    const next = (at + 1) % 40;
    const body = Array.from(
      { length: 20 },
      (_unused, line) => `export function f${at}_${line}_v${version}(): number { return f${next}_${line}_v${version}(); }`,
    ).join('\n');
    const names = Array.from({ length: 20 }, (_unused, line) => `f${next}_${line}_v${version}`).join(', ');
    return [`src/m${at}.ts`, `import { ${names} } from './m${next}';\n${body}\n`];
  });
  return Object.fromEntries(files);
}

async function rowsOf(asking: Asking, params: { readonly asOf?: string } = {}): Promise<string[]> {
  const answer = await asking.gateway.query('exportGraph', params, asking.caller('cli'), neverCancelled);
  if (!answer.ok) throw new Error(answer.error.message);
  return (answer.value as { rows: unknown[] }).rows
    .filter(isOfCode)
    .map(row => JSON.stringify(row))
    .sort();
}

/** Runs an indexer that is killed: at `killAt` operations on the disk, and then at `afterEdit` from an edit on; at the latest when it has nothing to do. Answers with the operations of its start. */
async function killed(program: string, place: Checkout, { afterEdit, edit, killAt }: Killing): Promise<number> {
  const words = [program, place.root, place.data, distFolder, ...(killAt === undefined ? [] : [String(killAt)])];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  let operations = 0;
  createInterface({ input: child.stdout }).on('line', line => {
    if (!line.startsWith('operations ')) return;
    operations = Number(line.slice('operations '.length));
    if (edit === undefined) {
      child.kill('SIGKILL');
      return;
    }
    child.stdin.write(`${afterEdit}\n`);
    place.write(edit);
  });
  expect(await ended).toBe('SIGKILL');
  return operations;
}

interface Killing {
  readonly killAt?: number;
  readonly edit?: Readonly<Record<string, string>>;
  readonly afterEdit?: number;
}

/** A file of its own that is edited while somebody watches. */
function live(version: number): Record<string, string> {
  return { 'src/live.ts': `export const live_v${version} = 1;\n` };
}

test('An index that is killed at any operation on the disk is whole after the next start, with all of its recorded states', {
  timeout: 3_600_000,
}, async () => {
  const seed = Number(process.env['LATTICE_SEED'] ?? Date.now() % 2 ** 31);
  console.log(`LATTICE_SEED=${seed}`);
  const random = seeded(seed);
  checkout = new Checkout({ ...modules(0), ...live(0) });
  const program = join(checkout.base, 'indexer.cjs');
  const entry = join(import.meta.dirname, 'indexer.ts');
  buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: program,
    alias: bundleAliases,
    define: { LATTICE_VERSION: '"0.0.0-test"' },
    logLevel: 'error',
  });
  const operations = await killed(program, checkout, {});
  expect(operations).toBeGreaterThan(10);
  for (let round = 1; round <= ROUNDS; round++) {
    const at = 1 + Math.floor(random() * (round % 2 === 0 ? operations : OPERATIONS_OF_EDIT));
    if (round % 2 === 0) {
      checkout.write(modules(round));
      await killed(program, checkout, { killAt: at });
    } else await killed(program, checkout, { edit: live(round), afterEdit: at });
  }
  const survivor = await checkout.open();
  const fresh = await checkout.open({ dataFolder: join(checkout.base, 'other') });
  const rows = await rowsOf(survivor);
  expect(rows.length).toBeGreaterThan(1_000);
  expect(rows).toEqual(await rowsOf(fresh));
  const health = await survivor.health();
  expect(health.progress.phase).toBe('ready');
  expect(health.recovered).toEqual([]);
  await expectWholeStates(survivor);
});

/** What transactions recorded before and between the kills is all of one version, and what a cold index of it has. */
async function expectWholeStates(survivor: Asking): Promise<void> {
  const answer = await survivor.gateway.query('points', {}, survivor.caller('cli'), neverCancelled);
  if (!answer.ok) throw new Error(answer.error.message);
  const { transactions } = answer.value as PointsAnswer;
  expect(transactions.length).toBeGreaterThan(1);
  for (const { word } of transactions.slice(0, STATES)) {
    const rows = await rowsOf(survivor, { asOf: word });
    const versionsOf = (pattern: RegExp): readonly string[] => [...new Set(rows.flatMap(row => pattern.exec(row)?.[1] ?? []))];
    const [ofModules, ofLive] = [versionsOf(/::f\d+_\d+_v(\d+)/), versionsOf(/::live_v(\d+)/)];
    expect([ofModules.length, ofLive.length]).toEqual([1, 1]);
    const alone = new Checkout({ ...modules(Number(ofModules[0])), ...live(Number(ofLive[0])) });
    try {
      expect(rows).toEqual(await rowsOf(await alone.open()));
    } finally {
      await alone.dispose();
    }
  }
}
