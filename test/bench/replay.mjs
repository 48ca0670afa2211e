// Replays commits of a repository one by one and holds its past against cold indexes.
//
//   node test/bench/replay.mjs FOLDER [COMMITS] [POINTS] [SEED]
//
// In a clone of FOLDER the newest COMMITS (200) along first parents are checked out and indexed one after the other, every third one with an edit that is not
// committed. At POINTS (20) random ones the export as of the commit and as of the transaction must be that of a cold index of the same files, to the byte;
// diff_since and graph_diff must be the difference of the two cold exports, and graph_diff the same both ways round. Exits with 1 when anything differs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolder } from '../helpers/removeFolder.mjs';

const [folder, commitCount = '200', pointCount = '20', seed = '1'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node test/bench/replay.mjs FOLDER [COMMITS] [POINTS] [SEED]');
  process.exit(2);
}
const cli = join(import.meta.dirname, '../../dist/cli.js');
const base = mkdtempSync(join(tmpdir(), 'lattice-replay-'));
const work = join(base, 'work');
const home = join(base, 'home');

function git(cwd, ...args) {
  return execFileSync('git', ['-c', 'core.autocrlf=false', '-c', 'advice.detachedHead=false', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function lattice(cwd, dataFolder, ...args) {
  const env = { ...process.env, LATTICE_HOME: dataFolder, NO_COLOR: '1' };
  return execFileSync(process.execPath, [cli, ...args, '--workspace', cwd], { encoding: 'utf8', env, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Rows of code: transactions and what hangs on them differ from index to index, communities carry their revision. */
function rowsIn(text) {
  const isAbove = id => typeof id === 'string' && /^(?:tx|community)::/.test(id);
  return text.split('\n').filter(line => {
    if (line === '') return false;
    const { nodeType, source, target } = JSON.parse(line);
    return nodeType !== 'tx' && nodeType !== 'community' && !isAbove(source) && !isAbove(target);
  });
}

/** Numbers between 0 and 1 (Park and Miller 1988). */
function randomFrom(start) {
  let state = start;
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
}

const TYPES = { file: 'FILE' };
for (const kind of ['function', 'method', 'constructor']) TYPES[kind] = 'FUNCTION';
for (const kind of ['class', 'interface', 'enum', 'type', 'struct', 'trait']) TYPES[kind] = 'CLASS';

function sorted(ids) {
  return ids.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Ids of all nodes, and of files, functions and classes. */
function idsIn(rows) {
  const parsed = rows.map(line => JSON.parse(line)).filter(({ type }) => type === 'node');
  const typed = parsed.filter(({ kind, nodeType }) => TYPES[nodeType === 'file' ? 'file' : kind] !== undefined);
  return { all: new Set(parsed.map(({ id }) => id)), typed: typed.map(({ id }) => id) };
}

/** What came and what went; the export does not tell what else changed. A variable that became a function under its name has changed. */
function differenceOf(before, after) {
  const [old, now] = [idsIn(before), idsIn(after)];
  return { added: sorted(now.typed.filter(id => !old.all.has(id))), removed: sorted(old.typed.filter(id => !now.all.has(id))) };
}

function deltasIn(answer) {
  const { data } = JSON.parse(answer);
  const ids = key => sorted((data[key] ?? []).map(row => row.scip_id));
  return { added: ids('added'), removed: ids('removed') };
}

/** Ids of a comparison by what became of them. */
function changesIn(answer) {
  const byChange = { added: [], removed: [], other: 0 };
  for (const { change, id } of JSON.parse(answer).nodes) {
    if (change === 'added' || change === 'removed') byChange[change].push(id);
    else byChange.other++;
  }
  return { ...byChange, added: sorted(byChange.added), removed: sorted(byChange.removed) };
}

let failures = 0;
function check(what, run) {
  try {
    run();
    console.log(`ok    ${what}`);
  } catch (error) {
    failures++;
    console.log(`WRONG ${what}\n${String(error.message).slice(0, 1500)}`);
  }
}

try {
  git(base, 'clone', '-q', '--no-hardlinks', resolve(folder), work);
  const commits = git(work, 'rev-list', '--first-parent', '-n', commitCount, 'HEAD').trim().split('\n').reverse();
  const random = randomFrom(Number(seed));
  const chosen = new Set();
  while (chosen.size < Math.min(Number(pointCount), commits.length - 1)) chosen.add(Math.floor(random() * (commits.length - 1)));
  const points = [];
  for (const [at, commit] of commits.entries()) {
    git(work, 'checkout', '-q', '-f', commit);
    const edited =
      at % 3 === 0
        ? git(work, 'ls-files')
            .split('\n')
            .find(path => /\.(?:ts|py|go|java|js)$/.test(path))
        : undefined;
    if (edited !== undefined) appendFileSync(join(work, edited), '\n\n');
    lattice(work, home, 'index');
    if (!chosen.has(at)) continue;
    const txId = JSON.parse(lattice(work, home, 'tool', 'graph_health', '--json')).data.latestTxId;
    const cold = join(base, 'cold');
    git(base, 'clone', '-q', '--no-checkout', work, cold);
    git(cold, 'checkout', '-q', commit);
    const committed = rowsIn(lattice(cold, join(base, 'cold-home'), 'export'));
    if (edited !== undefined) cpSync(join(work, edited), join(cold, edited));
    const recorded = edited === undefined ? committed : rowsIn(lattice(cold, join(base, 'cold-home-2'), 'export'));
    points.push({ at, commit, txId, committed, recorded });
    for (const each of ['cold', 'cold-home', 'cold-home-2']) removeFolder(join(base, each));
  }
  for (const { at, commit, committed, recorded, txId } of points) {
    const name = `${at} ${commit.slice(0, 10)}`;
    check(`${name} as of the commit`, () => assert.equal(rowsIn(lattice(work, home, 'export', '--as-of', commit)).join('\n'), committed.join('\n')));
    check(`${name} as of the transaction`, () => assert.equal(rowsIn(lattice(work, home, 'export', '--as-of', `tx::${txId}`)).join('\n'), recorded.join('\n')));
  }
  const now = rowsIn(lattice(work, home, 'export'));
  for (const { at, recorded, txId } of points)
    check(`${at} diff_since`, () => {
      const answer = lattice(work, home, 'tool', 'diff_since', '--input', JSON.stringify({ since: txId, profile: 'debug' }), '--json');
      assert.deepEqual(deltasIn(answer), differenceOf(recorded, now));
    });
  for (const [place, { at, commit }] of points.entries()) {
    const other = points[(place + 1) % points.length];
    check(`${at} graph_diff both ways`, () => {
      const [there, back] = [
        [commit, other.commit],
        [other.commit, commit],
      ].map(([from, to]) => changesIn(lattice(work, home, 'diff', from, to, '--json')));
      assert.deepEqual(there, { added: back.removed, removed: back.added, other: back.other });
    });
  }
  const pack = execFileSync('find', [home, '-name', 'versions.pack'], { encoding: 'utf8' }).trim();
  if (existsSync(pack)) console.log(`history of ${commits.length} transactions: ${(statSync(pack).size / 1024).toFixed(0)} KiB`);
  console.log(failures === 0 ? `all ${points.length} points agree` : `${failures} differ`);
} finally {
  removeFolder(base);
}
process.exit(failures === 0 ? 0 : 1);
