// Replays commits of a repository one by one and holds its past against cold indexes.
//
//   node test/bench/replay.mjs FOLDER [--commits 200] [--points 20] [--seed 1] [--keep STATE [--minutes N]]
//
// In a clone of FOLDER the newest commits along first parents are checked out and indexed one after the other, every third one with an edit that is not
// committed, by a server that is restarted every 25 commits. At random points the export as of the commit and as of the transaction must be that of a cold index of the same files, to the byte, before and
// after a restart of the server; diff_since and graph_diff must be the difference of two cold exports, and graph_diff the same both ways round.
// With --keep, the clone, its data and the cold exports stay in the folder STATE: a run that was ended, or ends after --minutes (with 75), goes on there,
// and one whose checks have all run makes them again; with a smaller --commits it ends there. Exits with 1 when anything differs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startMcpServer } from './mcpServer.mjs';

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '200' },
    points: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string' },
    minutes: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: node test/bench/replay.mjs FOLDER [--commits N] [--points N] [--seed N] [--keep STATE [--minutes N]]');
  process.exit(2);
}
const GOES_ON = 75;
/** Commits that one server indexes before the next one starts from what was saved. */
const COMMITS_PER_SERVER = 25;
const endAt = flags.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(flags.minutes) * 60_000;
const dist = join(import.meta.dirname, '../../dist');
const base = flags.keep === undefined ? mkdtempSync(join(tmpdir(), 'lattice-replay-')) : resolve(flags.keep);
mkdirSync(base, { recursive: true });
const work = join(base, 'work');
const home = join(base, 'home');
const stateFile = join(base, 'state.json');
const envOf = dataFolder => ({ ...process.env, LATTICE_HOME: dataFolder, NO_COLOR: '1' });

function git(cwd, ...args) {
  return execFileSync('git', ['-c', 'core.autocrlf=false', '-c', 'advice.detachedHead=false', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function lattice(cwd, dataFolder, ...args) {
  const cli = [join(dist, 'cli.js'), ...args, '--workspace', cwd];
  return execFileSync(process.execPath, cli, { encoding: 'utf8', env: envOf(dataFolder), maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] });
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
  return [...ids].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function nodesIn(rows) {
  return rows.map(line => JSON.parse(line)).filter(({ type }) => type === 'node');
}

/** What came and what went; the export does not tell what else changed. A variable that became a function under its name has changed. */
function differenceOf(before, after) {
  const [old, now] = [before, after].map(rows => nodesIn(rows));
  const [oldIds, nowIds] = [old, now].map(nodes => new Set(nodes.map(({ id }) => id)));
  const isTyped = ({ kind, nodeType }) => TYPES[nodeType === 'file' ? 'file' : kind] !== undefined;
  const without = (nodes, ids) => sorted(nodes.filter(node => isTyped(node) && !ids.has(node.id)).map(({ id }) => id));
  return { added: without(now, oldIds), removed: without(old, nowIds) };
}

/** All pages of `diff_since` as one. */
function deltasSince(since) {
  const all = { added: [], removed: [], modified: [] };
  for (let cursor; ; ) {
    const input = { since, profile: 'debug', maxTokens: 1_000_000, ...(cursor === undefined ? {} : { cursor }) };
    const { data } = JSON.parse(lattice(work, home, 'tool', 'diff_since', '--input', JSON.stringify(input), '--json'));
    for (const [list, rows] of Object.entries(all)) rows.push(...data[list]);
    cursor = data.nextCursor;
    if (cursor === undefined) return all;
  }
}

function deltasIn({ added, removed }) {
  const ids = rows => sorted(rows.map(row => row.scip_id));
  return { added: ids(added), removed: ids(removed) };
}

/** Files in both states that diff_since calls modified, and those that Git does. */
function modifiedFiles({ modified }) {
  return sorted(modified.flatMap(({ scip_id: id, type }) => (type === 'FILE' ? [id] : [])));
}

/** A comparison by what became of each symbol and file: without those paired as renamed or moved, what came and went is the difference of two exports. */
function changesIn(answer) {
  const sides = { came: new Set(), went: new Set(), other: 0 };
  for (const { change, id, oldId } of JSON.parse(answer).nodes) {
    if (change === 'added') sides.came.add(id);
    else if (change === 'removed') sides.went.add(id);
    else if (change === 'renamed' || change === 'moved') {
      sides.came.add(id);
      sides.went.add(oldId);
    } else sides.other++;
  }
  return { came: sorted(sides.came), went: sorted(sides.went), other: sides.other };
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

function sameRows(actual, expected) {
  const at = expected.findIndex((line, place) => line !== actual[place]);
  if (at < 0 && actual.length === expected.length) return;
  const [has, needs] = [new Set(actual), new Set(expected)];
  const show = rows => rows.slice(0, 6).join('\n    ');
  const [more, less] = [actual.filter(line => !needs.has(line)), expected.filter(line => !has.has(line))];
  assert.fail(`${more.length} more:\n    ${show(more)}\n  ${less.length} missing:\n    ${show(less)}\n  first difference at row ${at} of ${expected.length}`);
}

function save(state) {
  writeFileSync(`${stateFile}.new`, JSON.stringify(state));
  renameSync(`${stateFile}.new`, stateFile);
}

/** A replay that goes on may end sooner than it was begun for, but not before what it has indexed. Its last commit is indexed again: a run that was ended may have checked out the next. */
function shortened(state) {
  const count = Math.max(Number(flags.commits), state.next);
  if (count >= state.commits.length) return state;
  const last = count - 1;
  const points = state.points.filter(({ at }) => at < last);
  return { commits: state.commits.slice(0, count), chosen: state.chosen.filter(at => at < last), next: Math.min(state.next, last), points };
}

function begin() {
  if (existsSync(stateFile)) return shortened(JSON.parse(readFileSync(stateFile, 'utf8')));
  removeFolder(work);
  git(base, 'clone', '-q', '--no-hardlinks', resolve(folder), work);
  const commits = git(work, 'rev-list', '--first-parent', '-n', flags.commits, 'HEAD').trim().split('\n').reverse();
  const random = randomFrom(Number(flags.seed));
  const chosen = new Set();
  while (chosen.size < Math.min(Number(flags.points), commits.length - 1)) chosen.add(Math.floor(random() * (commits.length - 1)));
  return { commits, chosen: sorted(chosen), next: 0, points: [] };
}

/** The file that is edited at each third commit: everything in it moves down by two lines. */
function editedAt(at) {
  if (at % 3 !== 0) return undefined;
  return git(work, 'ls-files')
    .split('\n')
    .find(path => /\.(?:ts|py|go|java|js)$/.test(path));
}

function coldRows(commit, edited) {
  const name = `${commit}${edited === undefined ? '' : '-edited'}.gz`;
  const kept = join(base, name);
  if (existsSync(kept)) return gunzipSync(readFileSync(kept)).toString('utf8').split('\n');
  // A workspace without a manifest is named by its folder.
  const cold = join(base, 'cold', 'work');
  const coldHome = join(base, 'cold-home');
  for (const each of [cold, coldHome]) removeFolder(each);
  mkdirSync(join(base, 'cold'), { recursive: true });
  git(base, 'clone', '-q', '--no-checkout', work, cold);
  git(cold, 'checkout', '-q', commit);
  if (edited !== undefined) cpSync(join(work, edited), join(cold, edited));
  const rows = rowsIn(lattice(cold, coldHome, 'export'));
  writeFileSync(kept, gzipSync(rows.join('\n')));
  for (const each of [cold, coldHome]) removeFolder(each);
  return rows;
}

async function startServer() {
  const server = await startMcpServer({ dist, workspace: work, env: envOf(home) });
  // From now on, commands of the command line are guests of this server.
  while ((await server.call('graph_health', {})).envelope.data.engine.phase !== 'ready') await setTimeout(100);
  return server;
}

/** Brings the index in step with the folder; answers with the newest transaction. */
async function index(server) {
  lattice(work, home, 'index');
  return (await server.call('graph_health', {})).envelope.data.latestTxId;
}

async function recordOne(server, state, at) {
  const commit = state.commits[at];
  git(work, 'checkout', '-q', '-f', commit);
  const edited = editedAt(at);
  if (edited !== undefined) writeFileSync(join(work, edited), `\n\n${readFileSync(join(work, edited), 'utf8')}`);
  const txId = await index(server);
  if (state.chosen.includes(at)) {
    coldRows(commit, undefined);
    if (edited !== undefined) coldRows(commit, edited);
    state.points.push({ at, commit, txId, edited });
  }
  state.next = at + 1;
  save(state);
}

async function record(state) {
  while (state.next < state.commits.length) {
    git(work, 'checkout', '-q', '-f', state.commits[state.next]);
    const server = await startServer();
    const end = Math.min(state.commits.length, state.next + COMMITS_PER_SERVER);
    while (state.next < end && Date.now() < endAt) await recordOne(server, state, state.next);
    await server.stop();
    if (Date.now() >= endAt) return false;
    console.log(`${state.next} of ${state.commits.length} commits indexed`);
  }
  return true;
}

function checkStates(points, when) {
  for (const { at, commit, edited, txId } of points) {
    const name = `${at} ${commit.slice(0, 10)} ${when}`;
    check(`${name}, as of the commit`, () => sameRows(rowsIn(lattice(work, home, 'export', '--as-of', commit)), coldRows(commit, undefined)));
    check(`${name}, as of the transaction`, () => sameRows(rowsIn(lattice(work, home, 'export', '--as-of', `tx::${txId}`)), coldRows(commit, edited)));
  }
}

function checkDifferences({ commits, points }) {
  const now = rowsIn(lattice(work, home, 'export'));
  const nowIds = new Set(nodesIn(now).map(({ id }) => id));
  const last = commits.at(-1);
  const editedNow = editedAt(commits.length - 1);
  for (const { at, commit, edited, txId } of points) {
    const answer = deltasSince(txId);
    const before = coldRows(commit, edited);
    check(`${at} diff_since`, () => assert.deepEqual(deltasIn(answer), differenceOf(before, now)));
    check(`${at} diff_since, modified files`, () => {
      const old = new Set(nodesIn(before).map(({ id }) => id));
      const inGit = git(work, '-c', 'core.quotePath=false', 'diff', '--name-only', '--no-renames', commit, last).split('\n');
      const expected = new Set([...inGit, edited, editedNow].filter(path => path !== undefined && old.has(path) && nowIds.has(path)));
      if (edited === editedNow && edited !== undefined && !inGit.includes(edited)) expected.delete(edited);
      assert.deepEqual(modifiedFiles(answer), sorted(expected));
    });
  }
  for (const [place, { at, commit }] of points.entries()) {
    const other = points[(place + 1) % points.length];
    const [there, back] = [
      [commit, other.commit],
      [other.commit, commit],
    ].map(([from, to]) => changesIn(lattice(work, home, 'diff', from, to, '--json')));
    check(`${at} graph_diff`, () => {
      const [old, now] = [commit, other.commit].map(each => new Set(nodesIn(coldRows(each, undefined)).map(({ id }) => id)));
      const isKnown = id => old.has(id) !== now.has(id);
      for (const id of [...there.came, ...there.went]) assert.ok(isKnown(id), `${id} is in both or in neither`);
    });
    check(`${at} graph_diff both ways`, () => assert.deepEqual(there, { came: back.went, went: back.came, other: back.other }));
  }
}

async function run() {
  const state = begin();
  if (!(await record(state))) return GOES_ON;
  const { commits, points } = state;
  console.log(`points: ${points.map(({ at }) => at).join(' ')}`);
  for (const when of ['before a restart', 'after it']) {
    const server = await startServer();
    checkStates(points, when);
    if (when === 'after it') checkDifferences(state);
    await server.stop();
  }
  const pack = execFileSync('find', [home, '-name', 'versions.pack'], { encoding: 'utf8' }).trim();
  if (existsSync(pack)) console.log(`history of ${commits.length} transactions: ${(statSync(pack).size / 1024).toFixed(0)} KiB`);
  console.log(failures === 0 ? `all ${points.length} points agree` : `${failures} differ`);
  return failures === 0 ? 0 : 1;
}

try {
  process.exitCode = await run();
} finally {
  if (flags.keep === undefined) removeFolder(base);
}
