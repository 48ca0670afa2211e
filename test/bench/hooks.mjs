/**
 * `node test/bench/hooks.mjs [FOLDER]`: what each event of an agent's program costs in `dist/hook.js`, while a server holds the project, beside a Node that does nothing (Linux).
 * Without a folder, on a generated workspace of about 10,000 nodes. Both are started in turn; on a busy machine only the processor times and their ratio count.
 * Exits with 1 when the median processor time of an event is above 150 ms and above twice that of the empty Node.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { generate } from './generate.mjs';
import { startMcpServer } from './mcpServer.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = process.env.LATTICE_DIST ?? join(here, '..', '..', 'dist');
const ROUNDS = 21;
const BOUND_MS = 150;
const FILES = 620;

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** One run of a script, with its processor and elapsed time in milliseconds. */
function runOnce(script, input, env, scratch) {
  const usage = join(scratch, 'usage.json');
  const began = performance.now();
  const { status, stdout } = spawnSync(process.execPath, ['--require', join(here, 'usage.cjs'), script], {
    env: { ...env, LATTICE_BENCH_USAGE: usage },
    input,
    encoding: 'utf8',
  });
  const wallMs = performance.now() - began;
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
  return { wallMs, cpuMs: JSON.parse(readFileSync(usage, 'utf8')).exit.cpuMs, said: stdout.length };
}

function eventsOf(folder, [claimed, free]) {
  const edit = path => ({ tool_name: 'Edit', tool_input: { file_path: join(folder, path), old_string: 'a', new_string: 'b' } });
  return {
    'session starts': { hook_event_name: 'SessionStart', source: 'startup' },
    'first prompt': { hook_event_name: 'UserPromptSubmit', prompt: 'Return an error from the function that reads values when the input is empty' },
    'before an edit of claimed code': { hook_event_name: 'PreToolUse', ...edit(claimed) },
    'before another edit': { hook_event_name: 'PreToolUse', ...edit(free) },
    'after an edit': { hook_event_name: 'PostToolUse', ...edit(free), tool_response: {} },
    'after tests': {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npx vitest run' },
      tool_response: { stdout: 'Tests  12 passed (12)' },
    },
    'session ends': { hook_event_name: 'SessionEnd', reason: 'other' },
  };
}

async function measure(folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'lattice-hooks-bench-'));
  const env = { ...process.env, LATTICE_HOME: join(scratch, 'home'), NO_COLOR: '1' };
  const empty = join(scratch, 'empty.cjs');
  writeFileSync(empty, 'process.stdin.resume();\n');
  const server = await startMcpServer({ dist, workspace: folder, env });
  try {
    const { envelope } = await server.call('search_code', { query: 'value', k: 40, profile: 'debug' });
    const files = [...new Set(envelope.data.results.map(({ file }) => file))];
    const [claimed] = files;
    await server.call('agent_claim', { targetId: claimed, claimType: 'file', intent: 'Measure hooks', agentId: 'another' });
    const events = Object.entries(eventsOf(folder, files));
    const empties = [];
    const rows = new Map(events.map(([name]) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      empties.push(runOnce(empty, '', env, scratch));
      for (const [name, event] of events) {
        const input = JSON.stringify({ session_id: `${round}-hooks`, cwd: folder, ...event });
        rows.get(name).push(runOnce(join(dist, 'hook.js'), input, env, scratch));
      }
    }
    const base = { cpuMs: median(empties.map(({ cpuMs }) => cpuMs)), wallMs: median(empties.map(({ wallMs }) => wallMs)) };
    process.stdout.write(`empty Node: ${base.cpuMs} ms of processor time, ${Math.round(base.wallMs)} ms elapsed\n`);
    let isWithin = true;
    for (const [name, runs] of rows) {
      const cpuMs = median(runs.map(run => run.cpuMs));
      const wallMs = median(runs.map(run => run.wallMs));
      isWithin &&= cpuMs <= BOUND_MS || cpuMs <= 2 * base.cpuMs;
      const ratios = `${(cpuMs / base.cpuMs).toFixed(2)} and ${(wallMs / base.wallMs).toFixed(2)} of the empty Node`;
      process.stdout.write(
        `${name}: ${cpuMs} ms of processor time, ${Math.round(wallMs)} ms elapsed (${ratios}), says ${median(runs.map(run => run.said))} characters\n`,
      );
    }
    return isWithin;
  } finally {
    await server.stop();
    removeFolder(scratch);
  }
}

const [given] = process.argv.slice(2);
const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'lattice-hooks-workspace-')) : resolve(given);
try {
  if (given === undefined) generate(folder, FILES);
  if (!(await measure(folder))) process.exitCode = 1;
} finally {
  if (given === undefined) removeFolder(folder);
}
