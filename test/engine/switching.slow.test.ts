import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, expect, test } from 'vitest';
import { bundleAliases } from '../tidy/bundleAliases.mjs';
import { Checkout, distFolder } from './checkout';

const SWITCHES = process.env['LATTICE_SUITE'] === 'soak' ? 1_000 : 40;
/** What a process may hold more at the end than after its first fifth, when its code has been compiled, in bytes: a tenth of what one open project takes. */
const MAX_GROWTH = SWITCHES > 100 ? 4_000_000 : 3_000_000;

let checkout: Checkout | undefined;
afterEach(() => checkout?.dispose());

interface Held {
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly handles: number;
}

test('A process that switches between workspaces holds no more than the one it is in', { timeout: 3_600_000 }, () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`m${at}.ts`, `export function total${at}(): number { return ${at}; }\n`]));
  checkout = new Checkout(files);
  const other = new Checkout(files);
  const program = join(checkout.base, 'switcher.cjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'switcher.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: program,
    alias: bundleAliases,
    define: { LATTICE_VERSION: '"0.0.0-test"' },
    logLevel: 'error',
  });
  const options = ['--expose-gc', '--max-old-space-size=128'];
  const output = execFileSync(process.execPath, [...options, program, checkout.root, other.root, checkout.data, distFolder, `${SWITCHES}`], {
    encoding: 'utf8',
  });
  const held = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Held);
  const [, first] = held;
  const last = held.at(-1);
  if (first === undefined || last === undefined) throw new Error(output);
  expect(held).toHaveLength(10);
  expect(last.heapUsed - first.heapUsed, output).toBeLessThan(MAX_GROWTH);
  expect(last.external - first.external, output).toBeLessThan(MAX_GROWTH);
  expect(last.handles - first.handles, output).toBeLessThan(8);
  return other.dispose();
});
