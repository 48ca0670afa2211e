/** Helpers of the tests are written in TypeScript; scripts that run without the test runner get them built. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

/** Builds files of this folder (without extension) into `folder`, which has to stay as long as they are used, and resolves to what they export. */
export async function bundleHelpers(names, folder) {
  const entry = join(folder, 'entry.ts');
  writeFileSync(entry, names.map(name => `export * from ${JSON.stringify(join(here, name))};\n`).join(''));
  const outfile = join(folder, 'helpers.cjs');
  const define = { 'import.meta.dirname': JSON.stringify(here) };
  // The browser's driver reads files beside its own: it stays where it is.
  const driver = createRequire(import.meta.url).resolve('playwright-core');
  const asIs = { alias: { 'playwright-core': driver }, external: [driver] };
  await esbuild.build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile, define, logLevel: 'error', ...asIs });
  return createRequire(import.meta.url)(outfile);
}
