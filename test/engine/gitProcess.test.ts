import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { CancellationSource, Cancelled, neverCancelled } from '../../server/src/base/cancellation';
import { sweepMirrors } from '../../server/src/engine/processes/git/mirror';
import { runGit } from '../../server/src/engine/processes/git/process';
import { placesOf } from '../../server/src/engine/processes/git/program';
import { configText, keptSettings } from '../../server/src/engine/processes/git/settings';
import { tempFolder } from '../unit/files/tempFolder';

/** A program that never ends and has started another, which holds its pipes and writes its own number to a file. */
function stubborn(folder: string): readonly string[] {
  const child = `require('fs').writeFileSync(${JSON.stringify(join(folder, 'child'))}, String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`;
  return ['-e', `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' }); setInterval(() => {}, 1000)`];
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const until = (condition: () => boolean): Promise<void> => expect.poll(condition, { timeout: 60_000, interval: 20 }).toBe(true);

test('what is given up ends with all it started, and is not waited for', async () => {
  const folder = tempFolder();
  const source = new CancellationSource();
  const run = runGit({ program: process.execPath, folder, args: stubborn(folder), env: process.env }, source.token);
  const child = join(folder, 'child');
  await until(() => existsSync(child) && readFileSync(child, 'utf8') !== '');
  source.cancel();
  await expect(run).rejects.toBeInstanceOf(Cancelled);
  await until(() => !isRunning(Number(readFileSync(child, 'utf8'))));
});

test('the time limit is enforced, even if another process holds the pipes', async () => {
  const folder = tempFolder();
  const run = runGit({ program: process.execPath, folder, args: stubborn(folder), env: process.env, timeoutMs: 1 }, neverCancelled);
  expect(await run).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
});

test('git is taken from absolute folders of the PATH only', () => {
  expect(placesOf('git', ':.:bin:/usr/bin/:/opt/x', 'linux')).toEqual(['/usr/bin/git', '/opt/x/git']);
  expect(placesOf('git', ';.;C:\\Git\\cmd;"D:\\My Git\\";\\\\server\\share;\\here;C:bin', 'win32')).toEqual([
    'C:\\Git\\cmd\\git.exe',
    'D:\\My Git\\git.exe',
    '\\\\server\\share\\git.exe',
  ]);
});

test('of all settings those are kept that start nothing, and none can end its line', () => {
  const user = 'core.excludesfile\n~/ignored\0core.pager\nless\0filter.lfs.clean\ngit-lfs\0';
  const repository =
    'core.filemode\nfalse\0core.ignorecase\0remote.o"r\\.fetch\n+refs/heads/*:refs/x/*\0core.eol\nlf"\n[filter "x"]\n\tclean = y\0branch.a\nb.merge\nx\0remote.origin.promisor\ntrue\0extensions.partialclone\norigin\0';
  const kept = keptSettings(user, repository, { home: '/home/ada', config: '/home/ada/.config' });
  expect(kept.map(([name]) => name)).toEqual([
    'core.excludesfile',
    'core.attributesfile',
    'core.excludesfile',
    'core.filemode',
    'core.ignorecase',
    'remote.o"r\\.fetch',
    'core.eol',
  ]);
  const text = configText(kept);
  expect(text).toContain('excludesfile = "/home/ada/ignored"\n');
  expect(text).toContain('[remote "o\\"r\\\\"]\n\tfetch = "+refs/heads/*:refs/x/*"\n');
  expect(text).toContain('eol = "lf\\"\\n[filter \\"x\\"]\\n\\tclean = y"\n');
});

test('processes that still run when the process exits are ended', async () => {
  const folder = tempFolder();
  const built = join(folder, 'tree.mjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, '../../server/src/engine/processTree.ts')],
    outfile: built,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
  });
  const child = join(folder, 'child');
  const script = `import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
    import { startTree } from ${JSON.stringify(pathToFileURL(built).href)};
    startTree(process.execPath, ${JSON.stringify(stubborn(folder))}, { cwd: '.', env: process.env });
    const isThere = () => existsSync(${JSON.stringify(child)}) && readFileSync(${JSON.stringify(child)}, 'utf8') !== '';
    setInterval(() => isThere() && process.exit(0), 10);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script]);
  await until(() => !isRunning(Number(readFileSync(child, 'utf8'))));
});

test('what a killed process left is removed after an hour, links and all, and nothing else', async () => {
  const folder = tempFolder({ 'lattice-git-old/config': '', 'lattice-git-new/config': '', 'other/config': '', 'kept/refs': 'main' });
  symlinkSync(join(folder, 'kept'), join(folder, 'lattice-git-old', 'refs'), 'junction');
  symlinkSync(join(folder, 'kept'), join(folder, 'lattice-git-link'), 'junction');
  const hours = (count: number): Date => new Date(Date.now() - count * 3_600_000);
  for (const name of ['lattice-git-old', 'other']) utimesSync(join(folder, name), hours(2), hours(2));
  await sweepMirrors(folder, Date.now());
  expect(readdirSync(folder).sort()).toEqual(['kept', 'lattice-git-link', 'lattice-git-new', 'other']);
  expect(readFileSync(join(folder, 'kept', 'refs'), 'utf8')).toBe('main');
});
