// What recording the history costs, and how large it becomes.
//
//   node test/bench/recording.mjs FOLDER [--commits 1000]
//
// In a clone of FOLDER the newest commits along first parents are indexed one after the other, each as one transaction, in one process. Prints how long the
// first index and the transactions took and how much of that was recording, the bytes of the history on disk, and how long `diff_since` takes for
// transactions shortly before the last one. These are elapsed times of one process, so that their shares hold on a busy machine too.
// Exits with 1 where recording takes more than 5 % of the first index or of the transactions, or 1,000 transactions would need more than 64 MB.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { bundleAliases } from '../tidy/bundleAliases.mjs';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { commits: { type: 'string', default: '1000' } } });
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: node test/bench/recording.mjs FOLDER [--commits N]');
  process.exit(2);
}
const base = mkdtempSync(join(tmpdir(), 'lattice-recording-'));
const program = join(base, 'recording.cjs');
buildSync({
  entryPoints: [join(import.meta.dirname, 'recordingMain.ts')],
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  outfile: program,
  alias: bundleAliases,
  define: { LATTICE_VERSION: '"0.0.0-bench"' },
  logLevel: 'error',
});
const { status } = spawnSync(process.execPath, [program, resolve(folder), values.commits, base, join(import.meta.dirname, '../../dist')], { stdio: 'inherit' });
removeFolder(base);
process.exit(status ?? 1);
