// What questions about the past cost, in processor time of the process that answers (Linux).
//
//   node test/bench/past.mjs FOLDER [BACK]
//
// A clone of FOLDER is indexed. A symbol is explained as of BACK (50) commits ago, first when nothing of that state is known, then from memory; two states are
// compared, and so is a branch of about 30 files with the current code; what changed since the first transaction is asked for.
// Times are milliseconds; beside them stands how often they fit into the first index.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startMcpServer } from './mcpServer.mjs';

const [folder, back = '50'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node test/bench/past.mjs FOLDER [BACK]');
  process.exit(2);
}
/** Of a tick of the kernel, in milliseconds. */
const TICK_MS = 10;
const dist = join(import.meta.dirname, '../../dist');
const base = mkdtempSync(join(tmpdir(), 'lattice-past-'));
const work = join(base, 'work');
const env = { ...process.env, LATTICE_HOME: join(base, 'home'), NO_COLOR: '1' };

/** Files of the branch that is compared with the current code. */
const BRANCH_FILES = 30;

const git = (cwd, ...args) => execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Processor time of a process and its threads so far. */
function spent(pid) {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const filesSince = commits => git(work, 'diff', '--name-only', `HEAD~${commits}`, 'HEAD').split('\n').length;

try {
  git(base, 'clone', '-q', '--no-hardlinks', resolve(folder), work);
  const server = await startMcpServer({ dist, workspace: work, env });
  const health = async () => (await server.call('graph_health', { profile: 'debug' })).envelope;
  let first = await health();
  while (!first.ok || first.data.latestTxId === '' || first.data.latestTxId === undefined) first = await health();
  const file = git(work, 'ls-files')
    .split('\n')
    .find(path => /\.(?:ts|py|go|java|js)$/.test(path) && !/test/i.test(path));
  // Until past commits are known the background still works.
  for (let known = false; !known; ) known = (await server.call('code_explain', { target: file, history: true })).envelope.data?.historyTotal !== undefined;
  const index = spent(server.pid);
  console.log(`first index, all in all           ${String(index).padStart(7)} ms`);
  const measured = async (name, tool, input) => {
    const before = spent(server.pid);
    const { envelope } = await server.call(tool, input);
    const ms = spent(server.pid) - before;
    console.log(`${name.padEnd(33)} ${String(ms).padStart(7)} ms   ${(ms / index).toFixed(3)}   ${envelope.ok ? '' : envelope.summary}`);
  };
  const asOf = git(work, 'rev-parse', `HEAD~${back}`);
  let branch = 1;
  while (branch < Number(back) && filesSince(branch) < BRANCH_FILES) branch++;
  await measured(`graph_diff, branch of ${filesSince(branch)} files`, 'graph_diff', { from: `HEAD~${branch}` });
  await measured(`as of ${back} commits ago, cold`, 'code_explain', { target: file, asOf });
  await measured('the same, from memory', 'code_explain', { target: file, asOf });
  await measured('graph_diff with that', 'graph_diff', { from: asOf });
  await measured('graph_diff of two commits', 'graph_diff', { from: `HEAD~${Number(back) + 10}`, to: `HEAD~${Number(back) + 5}` });
  appendFileSync(join(work, file), '\n');
  await server.call('graph_rebuild', { mode: 'incremental' });
  await measured('diff_since', 'diff_since', { since: first.data.latestTxId });
  await measured('the same, from memory', 'diff_since', { since: first.data.latestTxId });
  await server.stop();
} finally {
  removeFolder(base);
}
