// Holds histories of symbols against `git log -L`.
//
//   node test/bench/symbolHistory.mjs FOLDER [SYMBOLS] [SEED]
//
// SYMBOLS (50) random functions, methods and classes of a clone of FOLDER are asked for their commits with code_explain. Git is asked for those that changed
// their lines along first parents, renames followed. Prints, for each symbol that differs, which commits only one of them has; exits with 1 if Lattice lacks any.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startMcpServer } from './mcpServer.mjs';

const [folder, symbolCount = '50', seed = '1'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node test/bench/symbolHistory.mjs FOLDER [SYMBOLS] [SEED]');
  process.exit(2);
}
/** Most versions that code_explain lists; symbols with more are left out. */
const MAX_VERSIONS = 100;
const dist = join(import.meta.dirname, '../../dist');
const base = mkdtempSync(join(tmpdir(), 'lattice-histories-'));
const work = join(base, 'work');
const env = { ...process.env, LATTICE_HOME: join(base, 'home'), NO_COLOR: '1' };

function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Commits that changed lines of a file. */
function byLines(path, start, end) {
  const text = git(work, 'log', '--first-parent', '-M', '-s', '--format=%H', '-L', `${start},${end}:${path}`);
  return text.split('\n').filter(line => /^[\da-f]{40}$/.test(line));
}

/** Numbers between 0 and 1 (Park and Miller 1988). */
function randomFrom(start) {
  let state = start;
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
}

try {
  git(base, 'clone', '-q', '--no-hardlinks', resolve(folder), work);
  const cli = (...args) =>
    execFileSync(process.execPath, [join(dist, 'cli.js'), ...args, '--workspace', work], {
      encoding: 'utf8',
      env,
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  cli('index');
  const nodes = cli('export')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
    .filter(({ kind, endLine, startLine, type }) => type === 'node' && ['function', 'method', 'class'].includes(kind) && endLine - startLine > 1);
  const random = randomFrom(Number(seed));
  const server = await startMcpServer({ dist, workspace: work, env });
  const figures = { symbols: 0, both: 0, onlyGit: 0, onlyLattice: 0 };
  while (figures.symbols < Number(symbolCount) && nodes.length > 0) {
    const [{ endLine, id, startLine }] = nodes.splice(Math.floor(random() * nodes.length), 1);
    const { envelope } = await server.call('code_explain', { target: id, history: true, historyLimit: MAX_VERSIONS, profile: 'debug', maxTokens: 20_000 });
    const own = (envelope.data?.history ?? []).map(({ gitCommit }) => gitCommit);
    if (own.length === 0 || own.length >= MAX_VERSIONS || own.length < envelope.data.historyTotal) continue;
    const theirs = byLines(id.split('::', 1)[0], startLine, endLine);
    const onlyGit = theirs.filter(hash => !own.includes(hash));
    const onlyLattice = own.filter(hash => !theirs.includes(hash));
    figures.symbols++;
    figures.both += theirs.length - onlyGit.length;
    figures.onlyGit += onlyGit.length;
    figures.onlyLattice += onlyLattice.length;
    if (onlyGit.length + onlyLattice.length > 0) console.log(id, { git: theirs.length, onlyGit, onlyLattice });
  }
  await server.stop();
  console.log(figures);
  process.exitCode = figures.onlyGit === 0 ? 0 : 1;
} finally {
  removeFolder(base);
}
