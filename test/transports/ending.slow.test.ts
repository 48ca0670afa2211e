import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, lattice, newPlace, type Place, start } from './bundles';

let place: Place;
beforeAll(() => {
  place = newPlace();
});
afterAll(() => place.remove());

/** Resolves when a second process has taken the lock, and so is about to open the store. */
async function untilSecondOwner(home: string): Promise<void> {
  const [project = ''] = readdirSync(join(home, 'projects'));
  while (!readdirSync(join(home, 'projects', project, 'owner')).includes('owner.2.json')) await new Promise(resolve => setTimeout(resolve, 20));
}

test.runIf(process.platform === 'linux')('a data folder that cannot be made is an error, at once', async () => {
  const { exit, err } = await lattice({ ...place, env: { ...place.env, LATTICE_HOME: '/proc/nope' } }, 'status');
  expect(exit).toBe(3);
  expect(err).toContain('ENOENT');
});

test.runIf(process.platform === 'linux')(
  'no folder for sockets stays behind: not of a command, not of one that failed, not of a guest that leaves last',
  async () => {
    const tmp = join(place.home, '..', 'tmp');
    mkdirSync(tmp);
    const env: NodeJS.ProcessEnv = { ...place.env, TMPDIR: tmp, XDG_RUNTIME_DIR: undefined };
    const left = (): readonly string[] => readdirSync(tmp).filter(name => name.startsWith('lattice-'));
    expect((await lattice({ ...place, env: { ...env, LATTICE_HOME: '/proc/nope' } }, 'status')).exit).toBe(3);
    expect(left()).toEqual([]);
    expect((await lattice({ ...place, env }, 'index')).exit).toBe(0);
    expect(left()).toEqual([]);
    const [owner, guest] = [start({ ...place, env }, 'mcp.js', []), start({ ...place, env }, 'mcp.js', [])];
    while (left().length === 0) await new Promise(resolve => setTimeout(resolve, 20));
    for (const server of [owner, guest]) {
      server.stdin.end();
      await finished(server);
    }
    expect(left()).toEqual([]);
  },
);

test.runIf(process.platform !== 'win32')('a file of the data folder that never can be read keeps neither a command nor a server for ever', async () => {
  expect((await lattice(place, 'index')).exit).toBe(0);
  const project = join(place.home, 'projects', readdirSync(join(place.home, 'projects'))[0] ?? '', 'checkouts');
  const pipe = join(project, readdirSync(project)[0] ?? '', 'settings.json');
  execFileSync('mkfifo', [pipe]);
  const command = start(place, 'cli.js', ['index']);
  const terminated = finished(command);
  await untilSecondOwner(place.home);
  command.kill('SIGTERM');
  expect((await terminated).signal).toBe('SIGTERM');
  const server = start(place, 'mcp.js', []);
  server.stdin.end();
  expect((await finished(server)).signal).toBe('SIGTERM');
  rmSync(pipe);
});

test.runIf(process.platform !== 'win32')('the report in the data folder is for its user only', async () => {
  const { out, exit } = await lattice(place, 'report');
  expect(exit).toBe(0);
  expect(statSync(out.trim()).mode & 0o077).toBe(0);
  const folder = mkdtempSync(join(tmpdir(), 'lattice-out-'));
  const named = await lattice(place, 'report', '--out', join(folder, 'page.html'));
  expect(named.exit).toBe(0);
  rmSync(folder, { recursive: true });
});
