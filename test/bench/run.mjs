/**
 * `npm run bench [-- FOLDER…]`: every figure as a ratio against a baseline of the same run.
 * Without a folder it generates a workspace of 3,000 files. Prints a table and writes test/output/bench.json.
 * The folder itself is never written to: edits happen in a copy.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { generate } from './generate.mjs';
import { startMcpServer } from './mcpServer.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const cli = join(root, 'dist', 'cli.js');
const workers = Math.max(2, Math.min(4, availableParallelism() - 1));
const LANGUAGE = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'tsx',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascript',
  '.py': 'python',
  '.pyi': 'python',
};

function lattice(args, home) {
  const usage = join(home, 'usage.json');
  const result = spawnSync(process.execPath, ['--require', join(here, 'usage.cjs'), cli, ...args], {
    env: { ...process.env, LATTICE_HOME: home, LATTICE_BENCH_USAGE: usage, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (result.status !== 0) throw new Error(`lattice ${args[0]} failed (${result.status}): ${result.stderr.slice(-500)}`);
  return { ...JSON.parse(readFileSync(usage, 'utf8')), stdout: result.stdout };
}

/**
 * A first index ends twice: when graph, lexical index and packs are on disk (`durable`, the end that counts against the floor),
 * and when contents and history of the files are too (`complete`).
 */
function coldIndex(workspace, home) {
  const { durable, complete } = lattice(['index', '--workspace', workspace, '--json'], home);
  return { durable, complete };
}

function bytesBelow(place) {
  const stat = statSync(place);
  return stat.isDirectory() ? readdirSync(place).reduce((sum, name) => sum + bytesBelow(join(place, name)), 0) : stat.size;
}

function quantiles(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = share => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

async function latencies(server, nodes) {
  const result = {};
  const sample = nodes.filter((_, index) => index % Math.max(1, Math.floor(nodes.length / 200)) === 0).slice(0, 200);
  const questions = {
    search_code: node => ({ query: node.name.replace(/([a-z])([A-Z])/g, '$1 $2'), k: 10 }),
    impact_analyze: node => ({ target: node.id }),
    code_explain: node => ({ target: node.id }),
    query_graph_neighborhood: node => ({ node_id: node.id }),
    graph_traverse: node => ({ entry_entity_ids: [node.id], max_hops: 3 }),
    graph_query: node => ({ query: `who calls ${node.name}` }),
    hybrid_search: node => ({ query: node.name, anchor_node_id: node.id }),
    community_list: () => ({}),
  };
  for (const [tool, input] of Object.entries(questions)) {
    const samples = [];
    // One pass unmeasured: a server that has just started still loads facts for its first edit.
    for (const node of sample) await server.call(tool, input(node));
    for (const node of sample) samples.push((await server.call(tool, input(node))).ms);
    result[tool] = quantiles(samples);
  }
  return result;
}

async function untilSettled(server) {
  for (;;) {
    const { envelope } = await server.call('graph_health', { profile: 'debug' });
    if (envelope?.ok === true && envelope.stamp?.pendingFiles === 0 && envelope.data?.pendingChanges !== undefined && envelope.data.pendingChanges === 0)
      return;
    await new Promise(done => setTimeout(done, 20));
  }
}

async function edits(server, workspace, files) {
  const one = [];
  const targets = files.filter(file => LANGUAGE[file.slice(file.lastIndexOf('.'))] !== undefined);
  const comment = file => (file.endsWith('.py') || file.endsWith('.pyi') ? 'def' : 'function');
  for (let round = 0; round < 12; round++) {
    const file = targets[Math.floor((targets.length * (round + 0.5)) / 12)];
    const name = `latticeBenchAdded${round}`;
    appendFileSync(
      join(workspace, file),
      comment(file) === 'def' ? `\n\ndef ${name}():\n    return ${round}\n` : `\nexport function ${name}() {\n  return ${round};\n}\n`,
    );
    // Asked again until the new symbol is there: an answer that could not wait for it says so in its stamp.
    const started = performance.now();
    for (;;) {
      const { envelope } = await server.call('code_explain', { target: `${file}::${name}`, profile: 'debug' });
      if (envelope?.ok === true) break;
      if (performance.now() - started > 30_000) throw new Error(`the new symbol ${file}::${name} is not visible: ${JSON.stringify(envelope).slice(0, 300)}`);
    }
    one.push(performance.now() - started);
  }
  const many = targets.slice(0, 300);
  for (const [index, file] of many.entries())
    appendFileSync(
      join(workspace, file),
      comment(file) === 'def'
        ? `\n\ndef latticeBenchSwitch${index}():\n    return ${index}\n`
        : `\nexport function latticeBenchSwitch${index}() {\n  return ${index};\n}\n`,
    );
  const started = performance.now();
  const rebuilt = await server.call('graph_rebuild', { mode: 'incremental' });
  if (rebuilt.envelope?.ok !== true) throw new Error(`graph_rebuild failed: ${JSON.stringify(rebuilt.envelope)}`);
  for (;;) {
    const { envelope } = await server.call('search_code', { query: `latticeBenchSwitch${many.length - 1}`, k: 1 });
    if (JSON.stringify(envelope?.data ?? {}).includes(`latticeBenchSwitch${many.length - 1}`)) break;
    await new Promise(done => setTimeout(done, 20));
  }
  return {
    oneFileMs: { ...quantiles(one), all: one.map(ms => Math.round(ms)) },
    switch300Ms: Math.round(performance.now() - started),
    switchedFiles: many.length,
  };
}

function memoryOf(pid) {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  const read = key => Math.round(Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024);
  return { rssMb: read('VmRSS'), peakMb: read('VmHWM') };
}

function ratio(value, base) {
  return Number((value / base).toFixed(3));
}

async function measure(folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'lattice-bench-'));
  const home = join(scratch, 'home');
  const workspace = join(scratch, basename(folder));
  mkdirSync(home);
  cpSync(folder, workspace, { recursive: true, filter: path => !/[\\/](?:node_modules|\.git)(?:[\\/]|$)/.test(path) });
  try {
    const cold = coldIndex(workspace, home);
    const warm = lattice(['index', '--workspace', workspace, '--json'], home);
    const rows = lattice(['export', '--workspace', workspace, '--format', 'jsonl'], home)
      .stdout.split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line));
    const nodes = rows.filter(row => row.type === 'node');
    const edgeCount = rows.length - nodes.length;
    const files = nodes.filter(node => node.nodeType === 'file').map(node => node.file);
    const list = files
      .map(file => `${LANGUAGE[file.slice(file.lastIndexOf('.')).toLowerCase()] ?? ''}\t${join(workspace, file)}`)
      .filter(line => !line.startsWith('\t'));
    // The floor twice: the first run warms the page cache as the cold index had it, the second counts.
    const floorRun = () =>
      JSON.parse(
        spawnSync(process.execPath, [join(here, 'floor', 'run.mjs'), String(workers)], { input: list.join('\n'), encoding: 'utf8', maxBuffer: 1 << 26 }).stdout,
      );
    floorRun();
    const floor = floorRun();
    const again = mkdtempSync(join(scratch, 'home2-'));
    const coldAgain = coldIndex(workspace, again);
    const server = await startMcpServer({ dist: join(root, 'dist'), workspace, env: { ...process.env, LATTICE_HOME: home } });
    await untilSettled(server);
    const latency = await latencies(
      server,
      nodes.filter(node => node.nodeType === 'symbol'),
    );
    const edited = await edits(server, workspace, files);
    const memory = memoryOf(server.pid);
    await server.stop();
    const { durable, complete } = cold.durable.wallMs < coldAgain.durable.wallMs ? cold : coldAgain;
    return {
      workspace: basename(folder),
      files: files.length,
      parsedFiles: floor.files,
      megabytes: Number((floor.bytes / 1e6).toFixed(2)),
      nodes: nodes.length,
      edges: edgeCount,
      floor: { wallMs: floor.wallMs, cpuMs: floor.cpuMs },
      cold: { durable, complete },
      coldOverFloor: ratio(durable.wallMs, floor.wallMs),
      coldOverFloorCpu: ratio(durable.cpuMs, floor.cpuMs),
      completeOverFloor: ratio(complete.wallMs, floor.wallMs),
      warm: warm.exit,
      warmOverCold: ratio(warm.exit.wallMs, durable.wallMs),
      latencyMs: latency,
      edit: edited,
      server: memory,
      storeBytes: bytesBelow(again),
      storeBytesPerNode: Math.round(bytesBelow(again) / nodes.length),
    };
  } finally {
    removeFolder(scratch);
  }
}

const folders = process.argv.slice(2).filter(argument => argument !== '--');
const results = [];
if (folders.length === 0) {
  const made = mkdtempSync(join(tmpdir(), 'lattice-generated-'));
  try {
    generate(join(made, 'generated'), 2000);
    results.push(await measure(join(made, 'generated')));
  } finally {
    removeFolder(made);
  }
} else for (const folder of folders) results.push(await measure(resolve(folder)));
mkdirSync(join(root, 'test', 'output'), { recursive: true });
writeFileSync(join(root, 'test', 'output', 'bench.json'), `${JSON.stringify(results, undefined, 2)}\n`);
console.log(JSON.stringify(results, undefined, 2));
