/**
 * `node test/bench/search.mjs FOLDER [OUT.json]`: what search costs on a folder, end to end through the tools over MCP.
 * Tells nodes, memory per symbol, p50 and p95 of lexical and hybrid questions one after the other, and of rounds of 100 at once, of `hybrid_search` and of `search_code` with its subgraphs.
 * Beside the rounds an editor's language server, which owns the index, is asked for hovers over the workspace's hotspots; `hover` is what they take alone.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startLanguageServer } from './languageServer.mjs';
import { startMcpServer } from './mcpServer.mjs';

const dist = process.env.LATTICE_DIST ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist');
const [, , folder = '.', out] = process.argv;
const workspace = resolve(folder);
const home = mkdtempSync(join(tmpdir(), 'lattice-search-bench-'));
const env = { ...process.env, LATTICE_HOME: home, NO_COLOR: '1' };
const ROUNDS = 3;
const AT_ONCE = 100;

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
}

const sleep = ms => new Promise(done => setTimeout(done, ms));

async function ready(call) {
  for (;;) {
    const { code, data } = await call('graph_health', { profile: 'debug' });
    if (code === undefined && data?.search?.vectors?.state === 'ready') return data;
    await sleep(200);
  }
}

/** Questions of one to eight words out of what the folder says of itself. */
async function questions(call) {
  const { data } = await call('graph_health', { profile: 'debug' });
  const seeds = data.hotspots.map(({ id }) => id.split('::').at(-1));
  const names = [];
  for (const seed of seeds) {
    const { data: found } = await call('search_code', { query: seed, k: 30, profile: 'debug' });
    for (const { chunk_id } of found?.results ?? [])
      names.push(
        chunk_id
          .split('::')
          .at(-1)
          .replace(/([a-z])([A-Z])/g, '$1 $2'),
      );
  }
  return Array.from({ length: 200 }, (_, at) => Array.from({ length: 1 + (at % 4) }, (_unused, part) => names[(at * 7 + part * 13) % names.length]).join(' '));
}

async function timed(asked, ask) {
  const times = [];
  for (const query of asked) times.push((await ask(query)).ms);
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

/** Positions of hotspots at which a hover has something to say. */
async function hoverPlaces(editor, hotspots) {
  const places = [];
  for (const { id } of hotspots)
    for (const place of await editor.symbols(id.split('::').at(-1))) if ((await editor.hover(place)).answer !== null) places.push(place);
  if (places.length === 0) throw new Error('no hotspot of this folder has a hover');
  return places;
}

async function hoversAlone(editor, places) {
  const times = [];
  for (let at = 0; at < 100; at++) times.push((await editor.hover(places[at % places.length])).ms);
  return { places: places.length, p50: quantile(times, 0.5), p95: quantile(times, 0.95), max: quantile(times, 1) };
}

async function rounds(ask, asked, editor, places) {
  const times = [];
  const hovers = [];
  let errors = 0;
  const answers = new Map();
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false;
    const beside = (async () => {
      while (!isOver) {
        hovers.push((await editor.hover(places[hovers.length % places.length])).ms);
        await sleep(20);
      }
    })();
    const all = await Promise.all(asked.slice(0, AT_ONCE).map(ask));
    isOver = true;
    await beside;
    for (const [at, { data, ms, ok }] of all.entries()) {
      times.push(ms);
      if (!ok) errors++;
      const text = JSON.stringify(data?.results);
      if (answers.has(at) && answers.get(at) !== text) errors++;
      answers.set(at, text);
    }
  }
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    errors,
    hover: { p50: quantile(hovers, 0.5), p95: quantile(hovers, 0.95), max: quantile(hovers, 1) },
  };
}

function residentMb(pid) {
  const told = process.platform === 'win32' ? '' : spawnSync('ps', ['-o', 'rss=', '-p', `${pid}`], { encoding: 'utf8' }).stdout;
  return Math.round(Number(told) / 1024);
}

try {
  const indexed = spawnSync(process.execPath, [join(dist, 'cli.js'), 'index', '--workspace', workspace, '--json'], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (indexed.status !== 0) throw new Error(indexed.stderr.slice(-500));
  const editor = await startLanguageServer({ dist, workspace, env });
  const server = await startMcpServer({ dist, workspace, env });
  const call = async (name, input) => {
    const { ms, envelope } = await server.call(name, input);
    return { ms, ok: envelope.ok, data: envelope.data, code: envelope.errorCode };
  };
  const health = await ready(call);
  const asked = await questions(call);
  await timed(asked.slice(0, 50), query => call('search_code', { query }));
  const hybrid = query => call('hybrid_search', { query, mode: 'hybrid', n_results: 5 });
  const places = await hoverPlaces(editor, health.hotspots);
  const figures = {
    nodes: health.nodeCount,
    documents: health.search.vectors.documents,
    index: JSON.parse(indexed.stdout),
    vectors: health.search.vectors,
    lexical: await timed(asked, query => call('hybrid_search', { query, mode: 'bm25', n_results: 5 })),
    hybrid: await timed(asked, hybrid),
    searchCode: await timed(asked, query => call('search_code', { query })),
    hover: await hoversAlone(editor, places),
    hybridAtOnce: await rounds(hybrid, asked, editor, places),
    searchCodeAtOnce: await rounds(query => call('search_code', { query }), asked, editor, places),
    residentMb: residentMb(editor.pid),
  };
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(figures, undefined, 2)}\n`);
  await server.stop();
  await editor.stop();
} finally {
  removeFolder(home);
}
