// Holds reported breaking changes against commits that were read by hand.
//
//   node test/bench/breaking.mjs FOLDER [REPOSITORY…]
//
// FOLDER has clones of the repositories that `breakingCommits.json` names. Each commit is compared with the one before. `incompatible` lists the symbols whose
// interface changed in a way that callers can notice while unchanged code still uses them, `breaks` the lines that really break. Prints what is reported
// without being listed, and what is listed without being reported; exits with 1 if a line that breaks is not reported.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolder } from '../helpers/removeFolder.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node test/bench/breaking.mjs FOLDER [REPOSITORY…]');
  process.exit(2);
}
const COMMITS = JSON.parse(readFileSync(join(import.meta.dirname, 'breakingCommits.json'), 'utf8'));
const cli = join(import.meta.dirname, '../../dist/cli.js');
const base = mkdtempSync(join(tmpdir(), 'lattice-breaking-'));
const env = { ...process.env, LATTICE_HOME: join(base, 'home'), NO_COLOR: '1' };

function breakingOf(work, commit) {
  const text = execFileSync(process.execPath, [cli, 'diff', `${commit}^`, commit, '--format', 'json', '--workspace', work], {
    encoding: 'utf8',
    env,
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text).breaking;
}

try {
  const figures = { commits: 0, reported: 0, incompatible: 0, right: 0, lines: 0, breaks: 0, found: 0 };
  for (const repository of new Set(COMMITS.map(each => each.repository))) {
    if (wanted.length > 0 && !wanted.includes(repository)) continue;
    const work = join(base, repository);
    execFileSync('git', ['clone', '-q', '--no-hardlinks', resolve(folder, repository), work]);
    for (const { breaks, commit, incompatible } of COMMITS.filter(each => each.repository === repository)) {
      const reported = breakingOf(work, commit);
      const lines = new Set(reported.flatMap(({ uses }) => uses.map(({ line, path }) => `${path}:${line}`)));
      const wrong = reported.filter(({ id }) => !incompatible.includes(id));
      const lacking = [...incompatible.filter(id => !reported.some(each => each.id === id)), ...breaks.filter(each => !lines.has(each))];
      for (const { id, reason } of wrong) console.log(`${repository} ${commit}: ${id} (${reason}) is not listed`);
      for (const each of lacking) console.log(`${repository} ${commit}: ${each} is not reported`);
      figures.commits++;
      figures.reported += reported.length;
      figures.incompatible += incompatible.length;
      figures.right += reported.length - wrong.length;
      figures.lines += lines.size;
      figures.breaks += breaks.length;
      figures.found += breaks.filter(each => lines.has(each)).length;
    }
  }
  console.log(figures);
  process.exitCode = figures.found === figures.breaks ? 0 : 1;
} finally {
  removeFolder(base);
}
