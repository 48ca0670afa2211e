/**
 * `node test/bench/services.mjs [--services 50] [--files 3000]`: the services layer on a generated system of so many services with 40 endpoints each.
 * Prints what the layer costs of a first index (processor time, median of three pairs with and without it), the times of the seven tools over MCP,
 * and the time from saving a file with a route until an answer has it, with the processor time that the server used meanwhile: on a busy machine only that
 * can be compared. Exits with 1 when a bound is missed. Linux.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { generateSystem } from './generateSystem.mjs';
import { startMcpServer } from './mcpServer.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = process.env.LATTICE_DIST ?? join(here, '..', '..', 'dist');
const { values: flags } = parseArgs({ options: { services: { type: 'string', default: '50' }, files: { type: 'string', default: '3000' } } });
const PAIRS = 3;
const ROUNDS = 40;
const EDITS = 6;
/** Milliseconds, and share of the index of the code. */
const BOUNDS = { layerMs: 5000, layerShare: 0.1, toolP95: 50, editP95: 1500 };

const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))];
const rounded = value => Math.round(value * 10) / 10;

/** Processor time of a first index, with or without the layer. */
function indexed({ home, project, workspace, isOn }) {
  removeFolder(join(home, 'projects'));
  const checkout = join(home, 'projects', project, 'checkouts', project);
  mkdirSync(checkout, { recursive: true });
  writeFileSync(join(checkout, 'settings.json'), JSON.stringify({ services: { enabled: isOn } }));
  return runIndex(home, workspace);
}

function runIndex(home, workspace) {
  const usage = join(home, 'usage.json');
  const env = { ...process.env, LATTICE_HOME: home, LATTICE_BENCH_USAGE: usage, NO_COLOR: '1' };
  const { status, stderr } = spawnSync(process.execPath, ['--require', join(here, 'usage.cjs'), join(dist, 'cli.js'), 'index', '--workspace', workspace], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr.slice(-500));
  return JSON.parse(readFileSync(usage, 'utf8')).exit.cpuMs;
}

function layerCost(home, workspace) {
  runIndex(home, workspace);
  const [project] = readdirSync(join(home, 'projects'));
  const pairs = Array.from({ length: PAIRS }, () => {
    const without = indexed({ home, project, workspace, isOn: false });
    const whole = indexed({ home, project, workspace, isOn: true });
    return { code: without, layer: whole - without };
  });
  const layerMs = quantile(
    pairs.map(({ layer }) => layer),
    0.5,
  );
  const code = quantile(
    pairs.map(({ code: one }) => one),
    0.5,
  );
  return { codeMs: code, layerMs, layerShare: rounded((100 * layerMs) / code) / 100 };
}

/** Calls of each tool, one round after another, over all services and their files. */
const CALLS = {
  build_knowledge_graph: () => ({ force_rebuild: false }),
  get_service_context: ({ name }) => ({ service_name: name }),
  query_graph_neighborhood: ({ name }) => ({ node_id: `service::${name}` }),
  hybrid_search: ({ name, at }) => ({ query: `items of area${at % 8}`, service_name: name, node_types: 'endpoint,symbol' }),
  find_cross_service_impact: ({ file }) => ({ node_id: file }),
  validate_service_boundaries: () => ({}),
  check_cross_service_events: ({ name, at }) => ({ service_name: at % 2 === 0 ? '' : name }),
};

async function toolTimes(server, { examples, names }) {
  const times = {};
  for (const [tool, inputOf] of Object.entries(CALLS)) {
    const taken = [];
    for (let at = -5; at < ROUNDS; at++) {
      const round = Math.max(at, 0);
      const example = examples[round % examples.length];
      const { envelope, ms } = await server.call(tool, inputOf({ at: round, name: names[round % names.length], file: example.file }));
      if (envelope.ok !== true) throw new Error(`${tool}: ${envelope.summary}`);
      if (at >= 0) taken.push(ms);
    }
    times[tool] = { p50: rounded(quantile(taken, 0.5)), p95: rounded(quantile(taken, 0.95)) };
  }
  return times;
}

/** Processor time of a process so far, in steps of 10 ms. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Milliseconds from saving a file until the context of its service has the route, for one service of each language. */
async function editTimes(server, workspace, { examples }) {
  const serves = async ({ path, service }) => {
    const { envelope } = await server.call('get_service_context', { service_name: service, profile: 'debug' });
    return envelope.data.provided_endpoints.some(endpoint => endpoint.path === path);
  };
  const taken = [];
  const used = [];
  for (const example of examples) {
    const full = join(workspace, example.file);
    const text = readFileSync(full, 'utf8');
    for (let edit = 0; edit < EDITS; edit++) {
      const isEdited = edit % 2 === 0;
      const [began, usedBefore] = [performance.now(), cpuOf(server.pid)];
      // A comment that was never there: nothing of an earlier state can be taken over.
      const comment = example.file.endsWith('.py') ? '#' : '//';
      writeFileSync(full, `${isEdited ? text.replace(example.from, example.to) : text}${comment} ${edit}\n`);
      while ((await serves(example)) !== isEdited) await wait(10);
      taken.push(performance.now() - began);
      used.push(cpuOf(server.pid) - usedBefore);
    }
    writeFileSync(full, text);
  }
  return {
    first: rounded(taken[0]),
    p50: rounded(quantile(taken, 0.5)),
    p95: rounded(quantile(taken, 0.95)),
    cpuP50: quantile(used, 0.5),
    cpuP95: quantile(used, 0.95),
  };
}

const workspace = mkdtempSync(join(tmpdir(), 'lattice-system-'));
const home = mkdtempSync(join(tmpdir(), 'lattice-services-bench-'));
try {
  const system = generateSystem(workspace, { services: Number(flags.services), files: Number(flags.files) });
  const cost = layerCost(home, workspace);
  const server = await startMcpServer({ dist, workspace, env: { ...process.env, LATTICE_HOME: home, NO_COLOR: '1' } });
  const built = async () => (await server.call('build_knowledge_graph', { force_rebuild: false })).envelope;
  while ((await built()).ok !== true) await wait(200);
  const { data } = await built();
  const tools = await toolTimes(server, system);
  const edit = await editTimes(server, workspace, system);
  await server.stop();
  const missed = [
    ...(cost.layerMs > BOUNDS.layerMs ? ['layerMs'] : []),
    ...(cost.layerShare > BOUNDS.layerShare ? ['layerShare'] : []),
    ...Object.entries(tools).flatMap(([tool, { p95 }]) => (p95 > BOUNDS.toolP95 ? [tool] : [])),
    ...(edit.p95 > BOUNDS.editP95 ? ['edit'] : []),
  ];
  const figures = {
    services: data.services_indexed.length,
    endpoints: data.node_types.endpoint,
    files: data.node_types.file,
    ...cost,
    toolMs: tools,
    editMs: edit,
    bounds: BOUNDS,
    missed,
  };
  process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  removeFolder(workspace);
  removeFolder(home);
}
