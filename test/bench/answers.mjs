/**
 * `npm run bench:answers -- FOLDER [NAME…]`: the hundred questions of questions.json, asked of the built MCP server over clones in FOLDER.
 * Each is asked twice (the bytes must be equal) and, where the answer is cut, followed by its cursor to the end.
 * Prints a table, writes test/output/answers.json; exit status 1 when a promise is not kept.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startMcpServer } from './mcpServer.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const cli = join(root, 'dist', 'cli.js');
const COMPACT = 300;
const WITH_SUBGRAPH = 2500;
const MIN_SHARE = 0.8;
/** Pages followed at most; a list that needs more does not end. */
const MAX_PAGES = 5000;

const tokensOf = text => Math.ceil(text.length / 4);

/** Indexes the workspace with contents and history, so that answers do not change while they are asked. */
function index(workspace, home) {
  const { status, stderr } = spawnSync(process.execPath, [cli, 'index', '--workspace', workspace], {
    env: { ...process.env, LATTICE_HOME: home, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`lattice index of ${workspace} failed: ${stderr.slice(-500)}`);
}

/** Waits until the server answers and what it says of its own state stays the same. */
async function settle(server) {
  for (let before = ''; ; ) {
    const probe = await server.call('community_list', { limit: 1 });
    const { envelope } = await server.call('graph_health', { profile: 'debug' });
    const state = JSON.stringify([envelope?.stamp, envelope?.data?.search, envelope?.data?.degraded]);
    if (probe.envelope?.ok === true && envelope?.ok === true && envelope.data?.pendingChanges === 0 && state === before) return;
    before = state;
    await new Promise(done => setTimeout(done, 1000));
  }
}

/** How many items an answer lists, whatever the list is called. */
function listed(data) {
  const count = value => (Array.isArray(value) ? value.length : 0);
  if (Array.isArray(data?.groups)) return data.groups.reduce((sum, group) => sum + count(group.matches), 0);
  return Math.max(0, ...Object.values(data ?? {}).map(count));
}

/** Pages followed at the compact budget; a longer list is followed to its end in pages as large as they may be. */
const COMPACT_PAGES = 20;

/** Follows the cursor of a cut answer; says what is wrong, if anything is. */
async function toTheEnd(server, tool, input, first) {
  const near = await follow(server, tool, input, first, COMPACT_PAGES);
  if (near.problem !== NO_END) return near;
  const wide = { ...input, profile: 'debug', ...WIDE[tool] };
  const far = await follow(server, tool, wide, await server.call(tool, wide), MAX_PAGES);
  return { ...far, pages: near.pages + far.pages };
}

/** The largest pages of tools whose pages have a size of their own. */
const WIDE = {
  search_code: { k: 50 },
  hybrid_search: { n_results: 50 },
  graph_query: { limit: 200 },
  find_pattern: { limit: 200 },
  community_list: { limit: 200 },
};

const NO_END = 'no end';

async function follow(server, tool, input, first, most) {
  let cursor = first.envelope.data?.nextCursor;
  if (cursor === undefined) return first.envelope.data?.truncated === true ? { pages: 1, problem: 'cut without a cursor' } : { pages: 1 };
  const seen = new Set([cursor]);
  for (let pages = 2; pages <= most; pages++) {
    const { envelope } = await server.call(tool, { ...input, cursor });
    if (envelope?.ok !== true) return { pages, problem: `page ${pages}: ${envelope?.summary}` };
    if (listed(envelope.data) === 0) return { pages, problem: `page ${pages} is empty` };
    cursor = envelope.data?.nextCursor;
    if (cursor === undefined) return { pages };
    if (seen.has(cursor)) return { pages, problem: 'the cursor goes round' };
    seen.add(cursor);
  }
  return { pages: most, problem: NO_END };
}

async function ask(server, { question, tool, input }) {
  const compact = { ...input, profile: 'compact' };
  const first = await server.call(tool, compact);
  const again = await server.call(tool, compact);
  const tokens = Math.max(first.envelope?._tokenEstimate ?? 0, tokensOf(first.text));
  const problems = [];
  if (first.envelope?.ok !== true) problems.push(`${first.envelope?.errorCode}: ${first.envelope?.summary}`);
  if (JSON.stringify([first.text, first.envelope]) !== JSON.stringify([again.text, again.envelope])) problems.push('not the same twice');
  const paged = first.envelope?.ok === true ? await toTheEnd(server, tool, compact, first) : { pages: 0 };
  if (paged.problem !== undefined) problems.push(paged.problem);
  const row = { question, tool, tokens, pages: paged.pages };
  if (tool === 'search_code') {
    const full = await server.call(tool, { ...input, k: 5, ego_graph_enabled: true });
    row.withSubgraph = Math.max(full.envelope?._tokenEstimate ?? 0, tokensOf(full.text));
    if (row.withSubgraph > WITH_SUBGRAPH) problems.push(`${row.withSubgraph} tokens with subgraph`);
    if (!Array.isArray(full.envelope?.data?.subgraph_edges)) problems.push('no subgraph');
  }
  return { ...row, problems };
}

const folder = resolve(process.argv[2] ?? '.');
const { repositories } = JSON.parse(readFileSync(join(here, 'questions.json'), 'utf8'));
const home = mkdtempSync(join(process.env.LATTICE_BENCH_TMP ?? tmpdir(), 'lattice-answers-'));
const names = process.argv.slice(3);
const rows = [];
try {
  for (const { name, source, commit, questions } of repositories) {
    if (names.length > 0 && !names.includes(name)) continue;
    const workspace = join(folder, name);
    if (!existsSync(workspace)) throw new Error(`${workspace} is missing: clone ${source} at ${commit}`);
    index(workspace, home);
    const server = await startMcpServer({ dist: join(root, 'dist'), workspace, env: { ...process.env, LATTICE_HOME: home } });
    try {
      await settle(server);
      for (const question of questions) {
        const row = { repository: name, ...(await ask(server, question)) };
        rows.push(row);
        if (row.problems.length > 0) console.log(`✗ ${name}: ${row.question} (${row.tool}): ${row.problems.join('; ')}`);
      }
    } finally {
      await server.stop();
    }
  }
} finally {
  removeFolder(home);
}

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const byTool = [...new Set(rows.map(row => row.tool))]
  .sort((a, b) => (a < b ? -1 : 1))
  .map(tool => {
    const own = rows.filter(row => row.tool === tool);
    return {
      tool,
      asked: own.length,
      median: median(own.map(row => row.tokens)),
      most: Math.max(...own.map(row => row.tokens)),
      pages: Math.max(...own.map(row => row.pages)),
    };
  });
console.table(byTool);
const fitting = rows.filter(row => row.tokens <= COMPACT && !row.problems.some(problem => /^[A-Z_]+:/.test(problem))).length;
const searches = rows.flatMap(row => row.withSubgraph ?? []);
const broken = rows.filter(row => row.problems.length > 0).length;
console.log(`${fitting} of ${rows.length} compact answers fit ${COMPACT} tokens (median ${median(rows.map(row => row.tokens))}).`);
console.log(
  `Five results with subgraph: at most ${Math.max(...searches)} tokens, median ${median(searches)} (${searches.length} searches, limit ${WITH_SUBGRAPH}).`,
);
console.log(
  `${rows.filter(row => row.pages > 1).length} answers were cut; the longest took ${Math.max(...rows.map(row => row.pages))} pages. ${broken} answers have a problem.`,
);
mkdirSync(join(root, 'test', 'output'), { recursive: true });
writeFileSync(join(root, 'test', 'output', 'answers.json'), `${JSON.stringify({ fitting, broken, byTool, rows }, undefined, 2)}\n`);
process.exitCode = fitting >= MIN_SHARE * rows.length && broken === 0 ? 0 : 1;
