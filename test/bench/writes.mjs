/**
 * `node test/bench/writes.mjs [COUNT]`: how long a write takes until it is acknowledged, through the bridges that agents use, against the bare cost of
 * the medium: an append of as many bytes with one fdatasync, in the same folder, in turn with the writes. Needs a build (`npm run build`).
 */
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { startMcpServer } from './mcpServer.mjs';

const COUNT = Number(process.argv[2] ?? 300);
const LIMIT_MS = 30;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'lattice-writes-'));
const workspace = join(folder, 'workspace');
const home = join(folder, 'home');

/** An MCP bridge on the workspace. */
async function openBridge() {
  const server = await startMcpServer({ dist: join(root, 'dist'), workspace, env: { ...process.env, LATTICE_HOME: home } });
  const write = async number => {
    const input = { operation: 'create', containerType: 'task', name: `task ${number}`, summary: 'What is to be done, in a sentence or two.' };
    const { envelope } = await server.call('manage_container', input);
    if (!envelope.ok) throw new Error(envelope.summary);
  };
  return { write, end: server.stop };
}

const journalBytes = () =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter(path => /journal-[^/\\]*$/.test(path))
    .reduce((sum, path) => sum + statSync(join(home, path)).size, 0);

async function timed(samples, work) {
  const began = performance.now();
  await work();
  samples.push(performance.now() - began);
}

function row(name, samples, baseline) {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = share => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const ratio = baseline === undefined ? '' : `   ${(at(0.5) / baseline.p50).toFixed(1)} × and ${(at(0.95) / baseline.p95).toFixed(1)} × the bare append`;
  console.log(`${name.padEnd(34)} p50 ${at(0.5).toFixed(2).padStart(7)} ms   p95 ${at(0.95).toFixed(2).padStart(7)} ms${ratio}`);
  return { p50: at(0.5), p95: at(0.95) };
}

try {
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.ts'), 'export const a = 1;\n');
  const owner = await openBridge();
  await owner.write(0);
  const guest = await openBridge();
  const before = journalBytes();
  for (let number = 1; number <= 20; number++) await guest.write(number);
  const bytes = Buffer.alloc(Math.round((journalBytes() - before) / 20), 'x');
  const file = await open(join(home, 'baseline'), 'a');
  const samples = { bare: [], owner: [], guest: [] };
  for (let number = 21; number <= 20 + COUNT; number++) {
    await timed(samples.bare, async () => {
      await file.write(bytes);
      await file.datasync();
    });
    await timed(samples.owner, () => owner.write(`o${number}`));
    await timed(samples.guest, () => guest.write(`g${number}`));
  }
  await file.close();
  await guest.end();
  await owner.end();
  console.log(`${COUNT} writes each, ${bytes.length} bytes of journal a write`);
  const bare = row('append + fdatasync (baseline)', samples.bare);
  const through = [row('write through the owner', samples.owner, bare), row('write through a guest', samples.guest, bare)];
  console.log(
    through.every(each => each.p95 <= LIMIT_MS) ? `ok: p95 within ${LIMIT_MS} ms` : `p95 is above ${LIMIT_MS} ms on this machine as busy as it is now`,
  );
} finally {
  removeFolder(folder);
}
