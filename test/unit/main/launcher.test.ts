import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Launch, type LauncherParts, writeLauncher } from '../../../server/src/main/launcher/launcher';
import { removeFolder } from '../../helpers/removeFolder.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lattice launcher-'));
});

afterEach(() => removeFolder(folder));

/** A bundle that says what it is and how it was started. */
function install(version: string): string {
  const bundleFolder = join(folder, `extension-${version}`, 'dist');
  mkdirSync(bundleFolder, { recursive: true });
  const says = `{ version: '${version}', args: process.argv.slice(2), home: process.env.LATTICE_HOME, electron: process.env.ELECTRON_RUN_AS_NODE }`;
  writeFileSync(
    join(bundleFolder, 'mcp.js'),
    `process.stdin.on('data', text => process.stdout.write(JSON.stringify({ ...${says}, text: String(text) }))).on('end', () => process.exit(7));`,
  );
  return bundleFolder;
}

async function write(version: string, changes: Partial<LauncherParts> = {}): Promise<Launch> {
  const bundleFolder = join(folder, `extension-${version}`, 'dist');
  const parts: LauncherParts = {
    dataFolder: join(folder, 'data'),
    bundleFolder,
    version,
    editorRuntime: undefined,
    platform: process.platform,
    nowMs: 1,
    ...changes,
  };
  const written = await writeLauncher(parts);
  if (!written.ok) throw new Error(written.error.message);
  return written.value;
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const { LATTICE_HOME: _, ...inherited } = process.env;
  const child = spawn(command, args, { env: { ...inherited, ...env }, stdio: 'pipe', timeout: 120_000 });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', text => (said.stdout += String(text)));
  child.stderr.on('data', text => (said.stderr += String(text)));
  child.stdin.on('error', () => undefined);
  child.stdin.end('hello');
  return new Promise((resolve, reject) => child.on('error', reject).on('close', code => resolve({ code, ...said })));
}

test('starts the newest bundle with its arguments, streams and exit code', async () => {
  install('0.9.0');
  install('0.10.0');
  await write('0.10.0', { nowMs: 1 });
  const launch = await write('0.9.0', { nowMs: 2 });
  const outcome = await run(launch.command, [...launch.args, '--tools', 'core']);
  expect(JSON.parse(outcome.stdout)).toEqual({ version: '0.10.0', args: ['--tools', 'core'], home: join(folder, 'data'), text: 'hello' });
  expect(outcome).toMatchObject({ code: 7, stderr: '' });
});

test('an update leaves the old bundle behind', async () => {
  const old = install('1.0.0');
  await write('1.0.0');
  install('1.1.0');
  const launch = await write('1.1.0', { nowMs: 2 });
  rmSync(old, { recursive: true });
  expect(JSON.parse((await run(launch.command, launch.args)).stdout)).toMatchObject({ version: '1.1.0' });
});

test('a rolled back update still has a bundle to start', async () => {
  install('1.0.0');
  await write('1.0.0');
  const newer = install('1.1.0');
  const launch = await write('1.1.0', { nowMs: 2 });
  rmSync(newer, { recursive: true });
  expect(JSON.parse((await run(launch.command, launch.args)).stdout)).toMatchObject({ version: '1.0.0' });
});

test('after an uninstall it says so on stderr and writes nothing to stdout', async () => {
  const only = install('1.0.0');
  const launch = await write('1.0.0');
  rmSync(only, { recursive: true });
  const outcome = await run(launch.command, launch.args);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('Lattice is no longer installed');
});

test('a chosen data folder wins over the one the launcher lies in', async () => {
  install('1.0.0');
  const launch = await write('1.0.0');
  expect(JSON.parse((await run(launch.command, launch.args, { LATTICE_HOME: join(folder, 'mine') })).stdout)).toMatchObject({ home: join(folder, 'mine') });
});

test.skipIf(process.platform === 'win32')('without Node on PATH the runtime of the editor is used, and a vanished one skipped', async () => {
  install('1.0.0');
  await write('1.0.0', { editorRuntime: join(folder, 'gone', 'code'), bundleFolder: install('0.1.0'), version: '0.1.0', nowMs: 9 });
  const launch = await write('1.0.0', { editorRuntime: process.execPath });
  const outcome = await run(launch.command, launch.args, { PATH: noNode(folder) });
  expect(JSON.parse(outcome.stdout)).toMatchObject({ version: '1.0.0', electron: '1' });
});

test.skipIf(process.platform === 'win32')('with neither it says what to install', async () => {
  install('1.0.0');
  const launch = await write('1.0.0');
  const outcome = await run(launch.command, launch.args, { PATH: noNode(folder) });
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('Install Node 20 or later');
});

test.skipIf(process.platform === 'win32')('the hook is started like the server, and is silent when Lattice, its launcher or Node is gone', async () => {
  const only = install('1.0.0');
  writeFileSync(join(only, 'hook.js'), "process.stdin.on('data', text => process.stdout.write('hook ' + text));");
  const { hook } = await write('1.0.0');
  expect(await run('/bin/sh', ['-c', hook])).toEqual({ code: 0, stdout: 'hook hello', stderr: '' });
  const silent = { code: 0, stdout: '', stderr: '' };
  expect(await run('/bin/sh', ['-c', hook], { PATH: noNode(folder) })).toEqual(silent);
  rmSync(only, { recursive: true });
  expect(await run('/bin/sh', ['-c', hook])).toEqual(silent);
  rmSync(join(folder, 'data', 'bin'), { recursive: true });
  expect(await run('/bin/sh', ['-c', hook])).toEqual(silent);
});

test('a damaged list of installations is started anew', async () => {
  install('1.0.0');
  await write('1.0.0');
  writeFileSync(join(folder, 'data', 'bin', 'installations.json'), '[{"version": 3}, nul');
  const launch = await write('1.0.0');
  expect(JSON.parse((await run(launch.command, launch.args)).stdout)).toMatchObject({ version: '1.0.0' });
});

test('on Windows the runtime is named itself, because some programs lose the streams of a batch file', async () => {
  install('1.0.0');
  const launch = await write('1.0.0', { platform: 'win32', editorRuntime: 'C:\\Code\\Code.exe' });
  expect(launch).toEqual({
    command: 'C:\\Code\\Code.exe',
    args: [join(folder, 'data', 'bin', 'lattice-mcp.js')],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    hook: `"${join(folder, 'data', 'bin', 'lattice-hook.cmd')}"`,
  });
  expect(readFileSync(join(folder, 'data', 'bin', 'lattice-mcp.cmd'), 'utf8')).toContain('if exist "C:\\Code\\Code.exe"');
});

test('a data folder that cannot be made is a failure, not an exception', async () => {
  writeFileSync(join(folder, 'data'), '');
  const written = await writeLauncher({
    dataFolder: join(folder, 'data'),
    bundleFolder: folder,
    version: '1.0.0',
    editorRuntime: undefined,
    platform: 'linux',
    nowMs: 1,
  });
  expect(written).toMatchObject({ ok: false, error: { code: 'LAUNCHER_NOT_WRITTEN' } });
});

/** A PATH with the shell's own programs that `dirname` needs, but without Node. */
function noNode(inside: string): string {
  const bin = join(inside, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'dirname'), '#!/bin/sh\nprintf "%s\\n" "${1%/*}"\n');
  chmodSync(join(bin, 'dirname'), 0o755);
  return bin;
}
