import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { afterEach, expect, test } from 'vitest';
import type { PointsAnswer } from '../../server/protocol/features';
import { neverCancelled } from '../../server/src/base/cancellation';
import { bundleAliases } from '../tidy/bundleAliases.mjs';
import { type Asking, Checkout, distFolder, isOfCode } from './checkout';

let checkout: Checkout | undefined;
afterEach(() => checkout?.dispose());

const ROUNDS = process.env['LATTICE_SUITE'] === 'soak' ? 100 : 8;
/** Recorded states that are held against cold indexes. */
const STATES = 3;

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

/** Starts an indexer and kills it the moment it has said `word` for the `nth` time, or at the latest when it is ready. */
async function killedAt(program: string, place: Checkout, word: string): Promise<void> {
  const child = spawn(process.execPath, [program, place.root, place.data, distFolder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  createInterface({ input: child.stdout }).on('line', line => {
    if (line === word || line === 'ready') child.kill('SIGKILL');
  });
  expect(await ended).toBe('SIGKILL');
}

test('An index that is killed at any point is whole after the next start', { timeout: 600_000 }, async () => {
  checkout = new Checkout(modules(0));
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
  const points = ['open', 'scanning', 'parsing', 'resolving', 'saving', 'ready'];
  for (let round = 0; round < ROUNDS; round++) {
    checkout.write(modules(round));
    await killedAt(program, checkout, points[round % points.length] ?? 'ready');
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
    const versions = new Set(rows.flatMap(row => /::f\d+_\d+_v(\d+)/.exec(row)?.[1] ?? []));
    expect(versions.size).toBe(1);
    const alone = new Checkout(modules(Number([...versions][0])));
    try {
      expect(rows).toEqual(await rowsOf(await alone.open()));
    } finally {
      await alone.dispose();
    }
  }
}
