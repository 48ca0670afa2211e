import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finished, lattice, newPlace, type Place, start } from '../transports/bundles';

let place: Place;
let server: ChildProcessWithoutNullStreams;

/** A server that owns the workspace and has its index. */
beforeEach(async () => {
  place = newPlace();
  await lattice(place, 'index');
  server = start(place, 'mcp.js', ['--tools', 'full']);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'graph_health', arguments: {} } };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const answered = new Promise<void>(resolve => {
    server.stdout.on('data', (text: Buffer) => (text.includes('"id":1') ? resolve() : undefined));
  });
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })}\n${JSON.stringify(call)}\n`);
  await answered;
});
afterEach(async () => {
  const ended = finished(server);
  server.stdin.end();
  if (server.exitCode === null && server.signalCode === null) await ended;
  place.remove();
});

test.each([[[]], [['--all']]])('reset %s leaves an index alone that somebody uses', async flags => {
  const refused = await lattice(place, 'reset', '--yes', '--json', ...flags);
  expect(refused.exit).toBe(3);
  expect(JSON.parse(refused.out)).toMatchObject({ ok: false, errorCode: 'CONFLICT' });
  const repair = JSON.parse((await lattice(place, 'doctor', '--repair', '--json')).out);
  expect(JSON.stringify(repair.findings)).toContain('Not repaired');
  const ended = finished(server);
  server.stdin.end();
  await ended;
  expect((await lattice(place, 'reset', '--yes', ...flags)).exit).toBe(0);
  expect(JSON.parse((await lattice(place, 'index', '--json')).out)).toMatchObject({ ok: true });
});

test('gc keeps the data of a folder that is gone while somebody still has it open', async () => {
  renameSync(place.workspace, `${place.workspace}-moved`);
  const elsewhere = { ...place, workspace: place.home };
  const kept = JSON.parse((await lattice(elsewhere, 'gc', '--json')).out);
  expect(kept).toMatchObject({ ok: false, kept: [{ root: place.workspace }] });
  expect(existsSync(kept.checkouts[0].folder)).toBe(true);
  const ended = finished(server);
  server.stdin.end();
  await ended;
  expect((await lattice(elsewhere, 'gc')).exit).toBe(0);
  expect(existsSync(kept.checkouts[0].folder)).toBe(false);
});
