/**
 * `node test/bench/compare.mjs OTHER_DIST FOLDER [DIST]`: another build beside this one (or the one at DIST) over the same folder, in turn.
 * Prints processor time of first index, start and answers of both, and the median of the ratios of the pairs. Needs Linux.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startMcpServer } from './mcpServer.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [otherDist, folder, dist = join(here, '..', '..', 'dist')] = process.argv.slice(2).filter(argument => argument !== '--');
if (otherDist === undefined || folder === undefined) {
  console.error('Usage: node test/bench/compare.mjs OTHER_DIST FOLDER [DIST]');
  process.exit(2);
}
const builds = { other: resolve(otherDist), this: resolve(dist) };
const INDEXES = 3;
const SYMBOLS = 60;
const QUESTIONS = {
  search_code: node => ({ query: node.name.replace(/([a-z])([A-Z])/g, '$1 $2'), k: 10 }),
  hybrid_search: node => ({ query: node.name, anchor_node_id: node.id }),
  impact_analyze: node => ({ target: node.id }),
  code_explain: node => ({ target: node.id }),
  query_graph_neighborhood: node => ({ node_id: node.id }),
  graph_traverse: node => ({ entry_entity_ids: [node.id], max_hops: 3 }),
  graph_query: node => ({ query: `who calls ${node.name}` }),
  community_list: () => ({}),
};

const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const rounded = value => Number(value.toPrecision(3));

function lattice(dist, args, home) {
  const usage = join(home, 'usage.json');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', join(here, 'usage.cjs'), join(dist, 'cli.js'), ...args], {
    env: { ...process.env, LATTICE_HOME: home, LATTICE_BENCH_USAGE: usage, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`lattice ${args[0]} failed (${status}): ${stderr.slice(-500)}`);
  return { ...JSON.parse(readFileSync(usage, 'utf8')), stdout };
}

/** Rounds of both builds, the one that begins in turn. */
function pairs(rounds, run) {
  const samples = { other: [], this: [] };
  for (let round = 0; round < rounds; round++) for (const name of round % 2 === 0 ? ['other', 'this'] : ['this', 'other']) samples[name].push(run(name, round));
  return samples;
}

function compared(samples, figure) {
  const other = samples.other.map(figure);
  const own = samples.this.map(figure);
  return { other: rounded(median(other)), this: rounded(median(own)), ratio: rounded(median(own.map((value, at) => value / other[at]))) };
}

const threadMs = pid => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
const residentMb = pid => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);

async function untilSettled(server) {
  for (;;) {
    const { envelope } = await server.call('graph_health', { profile: 'debug' });
    if (envelope?.ok === true && envelope.data?.pendingChanges === 0) return;
    await new Promise(done => setTimeout(done, 50));
  }
}

/** Milliseconds of the main thread for each question about each symbol, after a pass that is not measured. */
async function answers(servers, symbols) {
  const result = {};
  for (const [tool, input] of Object.entries(QUESTIONS)) {
    const samples = { other: [], this: [] };
    for (const name of Object.keys(servers)) for (const symbol of symbols) await servers[name].call(tool, input(symbol));
    for (const [round, symbol] of symbols.entries())
      for (const name of round % 2 === 0 ? ['other', 'this'] : ['this', 'other']) {
        const { pid, call } = servers[name];
        const before = threadMs(pid);
        await call(tool, input(symbol));
        samples[name].push(threadMs(pid) - before);
      }
    result[tool] = compared(samples, ms => ms);
  }
  return result;
}

const scratch = mkdtempSync(join(tmpdir(), 'lattice-compare-'));
try {
  const workspace = join(scratch, 'workspace');
  cpSync(resolve(folder), workspace, { recursive: true, filter: path => !/[\\/](?:node_modules|\.git)(?:[\\/]|$)/.test(path) });
  const home = (name, round) => {
    const path = join(scratch, `${name}-${round}`);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const index = (name, round) => lattice(builds[name], ['index', '--workspace', workspace, '--json'], home(name, round));
  const first = pairs(INDEXES, index);
  const start = pairs(INDEXES, index);
  const rows = lattice(builds.other, ['export', '--workspace', workspace, '--format', 'jsonl'], home('other', 0))
    .stdout.split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line));
  const nodes = rows.filter(row => row.type === 'node');
  const all = nodes.filter(node => node.nodeType === 'symbol');
  const symbols = Array.from({ length: SYMBOLS }, (_, at) => all[Math.floor((all.length * (at + 0.5)) / SYMBOLS)]);
  const servers = {};
  for (const name of Object.keys(builds))
    servers[name] = await startMcpServer({ dist: builds[name], workspace, env: { ...process.env, LATTICE_HOME: home(name, 0) } });
  for (const server of Object.values(servers)) await untilSettled(server);
  const answerMs = await answers(servers, symbols);
  const resident = Object.fromEntries(Object.entries(servers).map(([name, { pid }]) => [name, residentMb(pid)]));
  for (const server of Object.values(servers)) await server.stop();
  console.log(
    JSON.stringify(
      {
        nodes: nodes.length,
        edges: rows.length - nodes.length,
        firstIndexDurableMs: compared(first, usage => usage.durable.cpuMs),
        firstIndexCompleteMs: compared(first, usage => usage.complete.cpuMs),
        firstIndexPeakMb: compared(first, usage => usage.complete.peakMb),
        startMs: compared(start, usage => usage.exit.cpuMs),
        answerMs,
        residentMb: resident,
      },
      undefined,
      2,
    ),
  );
} finally {
  removeFolder(scratch);
}
