/**
 * How long the main thread of a server is held while somebody else asks much of it: `node test/bench/blocking.mjs [--files N]`.
 * Beside each load runs a process that does nothing: what it is delayed is the machine's, not ours.
 * Exits with 1 when the server is held for more than 50 ms (p99.9): in processor time of its main thread where the system tells it (Linux),
 * else by the clock above the process that does nothing.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { generate } from './generate.mjs';

const LIMIT_MS = 50;
const QUERY_BYTES = 10 << 20;
const QUERIES = 10;
const JUNK_LINES = 200_000;

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', '..', 'dist');
const { values } = parseArgs({ options: { files: { type: 'string', default: '20000' } } });
const base = mkdtempSync(join(tmpdir(), 'lattice-blocking-'));
const preload = ['--require', join(here, 'loopDelay.cjs')];

/** A process with its loop measured; `end` gives what was measured. */
function measured(name, args, env = {}) {
  const file = join(base, `${name}.json`);
  const child = spawn(process.execPath, [...preload, ...args], {
    env: { ...process.env, ...env, LATTICE_BENCH_LOOP: file },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return {
    child,
    restart: () => child.kill('SIGUSR2'),
    end: async () => {
      rmSync(file, { force: true });
      child.kill('SIGUSR2');
      while (!existsSync(file)) await new Promise(done => setTimeout(done, 20));
      const figures = JSON.parse(readFileSync(file, 'utf8'));
      await new Promise(done => {
        child.once('exit', done);
        child.stdin.end();
      });
      return figures;
    },
  };
}

/** An MCP server on a workspace, spoken to line by line. */
function server(name, workspace) {
  const running = measured(name, [join(dist, 'cli.js'), 'mcp', '--workspace', workspace, '--tools', 'full'], { LATTICE_HOME: join(base, 'home') });
  const waiting = new Map();
  createInterface({ input: running.child.stdout }).on('line', line => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let next = 1;
  const write = text =>
    new Promise(done => {
      running.child.stdin.write(text, done);
    });
  const request = (method, params) =>
    new Promise(answer => {
      const id = next++;
      waiting.set(id, answer);
      void write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const initialize = async () => {
    await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    await write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  };
  return { ...running, write, request, initialize };
}

const call = (mcp, name, input) => mcp.request('tools/call', { name, arguments: input });

/** A search finds nothing to answer from before the first index is done. */
async function waitUntilIndexed(mcp) {
  for (;;) {
    const { result } = await call(mcp, 'search_code', { query: 'compute' });
    if (result?.structuredContent?.ok === true) return;
    await new Promise(done => setTimeout(done, 200));
  }
}

/** Runs a load on a server beside a process that does nothing. */
async function under(name, workspace, load) {
  const idle = measured(`${name}-idle`, ['-e', 'process.stdin.on("end", () => process.exit()).resume(); setInterval(() => {}, 1000)']);
  const mcp = server(name, workspace);
  await mcp.initialize();
  await load(mcp, () => {
    mcp.restart();
    idle.restart();
  });
  const [own, machine] = await Promise.all([mcp.end(), idle.end()]);
  return { name, own, machine };
}

const small = join(base, 'small');
const large = join(base, 'large');
generate(small, 300);
generate(large, Number(values.files));
const rows = [];
rows.push(
  await under(`first index of ${values.files} files`, large, (mcp, restart) => {
    // Loading the program is over.
    restart();
    return waitUntilIndexed(mcp);
  }),
);
rows.push(
  await under('start with that index', large, async (mcp, restart) => {
    restart();
    await waitUntilIndexed(mcp);
  }),
);
rows.push(
  await under(`${QUERIES} queries of 10 MB`, small, async (mcp, restart) => {
    await waitUntilIndexed(mcp);
    restart();
    const params = { name: 'search_code', arguments: { query: 'parse money '.repeat(QUERY_BYTES / 12) } };
    // Too long to be read, so that it is refused without its id.
    for (let at = 0; at < QUERIES; at++) await mcp.write(`${JSON.stringify({ jsonrpc: '2.0', id: `long ${at}`, method: 'tools/call', params })}\n`);
    await call(mcp, 'search_code', { query: 'compute' });
  }),
);
rows.push(
  await under(`${JUNK_LINES} lines of junk`, small, async (mcp, restart) => {
    await waitUntilIndexed(mcp);
    restart();
    for (let at = 0; at < JUNK_LINES; at += 1000) await mcp.write('{"jsonrpc": 2.0, nonsense\n'.repeat(1000));
    await call(mcp, 'search_code', { query: 'compute' });
  }),
);
removeFolder(base);

console.log(
  '| load | processor: p99.9 | longest | clock: p50 | p99 | p99.9 | longest | idle beside it: p99.9 | longest |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|',
);
for (const { name, own, machine } of rows)
  console.log(
    `| ${name} | ${own.cpu?.p999 ?? '–'} | ${own.cpu?.max ?? '–'} | ${own.p50} | ${own.p99} | ${own.p999} | ${own.max} | ${machine.p999} | ${machine.max} |`,
  );
console.log('\nMilliseconds during which the main thread did not come back to its event loop.');
process.exitCode = rows.every(({ own, machine }) => (own.cpu === undefined ? own.p999 <= LIMIT_MS + machine.p999 : own.cpu.p999 <= LIMIT_MS)) ? 0 : 1;
