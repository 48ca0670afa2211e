/**
 * `node test/bench/contextPack.mjs [FOLDER…]`: how long a warm `context_pack` takes, over MCP.
 * Without folders, on generated workspaces of about 10,000 and 70,000 nodes; their bounds for p95 are 500 and 800 ms.
 * The baseline of each is `search_code` for the same words in the same run, asked in turn: on a busy machine only the ratios count.
 * Exits with 1 when p95 of a generated workspace is above its bound.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { generate } from './generate.mjs';
import { startMcpServer } from './mcpServer.mjs';

const dist = process.env.LATTICE_DIST ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist');
const WARM = 10;
const ROUNDS = 60;
/** Files that `generate` makes so many nodes of, and the bound in milliseconds. */
const GENERATED = [
  { files: 620, bound: 500 },
  { files: 4_300, bound: 800 },
];
const VERBS = ['Fix', 'Speed up', 'Rename', 'Cache', 'Return an error from'];

function quantile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}

/** Tasks made of the names of hotspots and of what search finds beside them. */
async function tasksOf(server) {
  const { envelope } = await server.call('graph_health', { profile: 'debug' });
  const names = [];
  for (const { id } of envelope.data.hotspots) {
    const { envelope: found } = await server.call('search_code', { query: id.split('::').at(-1), k: 10, profile: 'debug' });
    for (const { chunk_id } of found.data?.results ?? [])
      names.push(
        chunk_id
          .split('::')
          .at(-1)
          .replaceAll(/([a-z])([A-Z])/g, '$1 $2'),
      );
  }
  const name = at => names[at % names.length] ?? 'value';
  return Array.from({ length: WARM + ROUNDS }, (_, at) => `${VERBS[at % VERBS.length]} ${name(at * 7)} when ${name(at * 13 + 5)} is empty`);
}

async function measure(workspace, bound) {
  const home = mkdtempSync(join(tmpdir(), 'lattice-pack-bench-'));
  const env = { ...process.env, LATTICE_HOME: home, NO_COLOR: '1' };
  try {
    const { status, stderr } = spawnSync(process.execPath, [join(dist, 'cli.js'), 'index', '--workspace', workspace, '--json'], {
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0) throw new Error(stderr.slice(-500));
    const server = await startMcpServer({ dist, workspace, env });
    for (;;) {
      const { envelope } = await server.call('graph_health', { profile: 'debug' });
      if (envelope.ok === true && envelope.data?.search?.vectors?.state === 'ready') break;
      await wait(200);
    }
    const { envelope: health } = await server.call('graph_health', { profile: 'debug' });
    const packs = [];
    const large = [];
    const searches = [];
    for (const [at, task] of (await tasksOf(server)).entries()) {
      const pack = await server.call('context_pack', { task });
      const search = await server.call('search_code', { query: task });
      const whole = await server.call('context_pack', { task, maxTokens: 4_000 });
      if (pack.envelope.ok !== true || whole.envelope.ok !== true) throw new Error(pack.envelope.summary);
      if (at < WARM) continue;
      packs.push(pack.ms);
      searches.push(search.ms);
      large.push(whole.ms);
    }
    await server.stop();
    const times = of => ({ p50: quantile(of, 0.5), p95: quantile(of, 0.95) });
    const figures = {
      workspace,
      nodes: health.data.nodeCount,
      ms: { searchCode: times(searches), contextPack: times(packs), contextPackOf4000: times(large) },
      overSearch: {
        p50: Math.round((10 * quantile(packs, 0.5)) / quantile(searches, 0.5)) / 10,
        p95: Math.round((10 * quantile(packs, 0.95)) / quantile(searches, 0.95)) / 10,
      },
      ...(bound === undefined ? {} : { bound, isWithin: quantile(packs, 0.95) < bound && quantile(large, 0.95) < bound }),
    };
    process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
    return figures.isWithin !== false;
  } finally {
    removeFolder(home);
  }
}

const folders = process.argv.slice(2).map(folder => resolve(folder));
let isWithin = true;
for (const folder of folders) isWithin = (await measure(folder)) && isWithin;
if (folders.length === 0) {
  for (const { bound, files } of GENERATED) {
    const workspace = mkdtempSync(join(tmpdir(), 'lattice-pack-workspace-'));
    try {
      generate(workspace, files);
      isWithin = (await measure(workspace, bound)) && isWithin;
    } finally {
      removeFolder(workspace);
    }
  }
}
if (!isWithin) process.exitCode = 1;
