import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeFolder } from '../../helpers/removeFolder.mjs';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-plugin-')));
afterAll(() => removeFolder(root));

const SAYS_WHO = (who: string): string => `console.log(${JSON.stringify(who)} + process.argv.slice(2).join());`;

/** The plugin as a host has it: inside the extension, or copied away. Both in places of their own. */
function placed(name: string, { inExtension }: { readonly inExtension: boolean }): string {
  const plugin = inExtension ? join(root, name, 'media', 'agent-plugin') : join(root, name);
  cpSync(join(import.meta.dirname, '..', '..', '..', 'media', 'agent-plugin'), plugin, { recursive: true });
  if (inExtension) {
    mkdirSync(join(root, name, 'dist'));
    writeFileSync(join(root, name, 'dist', 'mcp.js'), SAYS_WHO('bundle '));
  }
  return plugin;
}

function start(plugin: string, { home, cwd = root, words = [] }: { readonly home: string; readonly cwd?: string; readonly words?: readonly string[] }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(plugin, 'bin', 'start.cjs'), ...words], {
    cwd,
    env: { ...process.env, LATTICE_HOME: home },
    encoding: 'utf8',
  });
  return { status, stdout: stdout.trim(), stderr };
}

const home = join(root, 'data');

test('inside the extension the plugin starts the bundle beside it', () => {
  expect(start(placed('extension', { inExtension: true }), { home })).toMatchObject({ status: 0, stdout: 'bundle' });
});

test('a plugin that was copied away starts the launcher of the data folder, and says what is missing without one', () => {
  const plugin = placed('copy', { inExtension: false });
  expect(start(plugin, { home })).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Install the Lattice extension') });
  mkdirSync(join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'bin', 'lattice-mcp.js'), SAYS_WHO('launcher '));
  expect(start(plugin, { home, words: ['--tools', 'full'] })).toMatchObject({ status: 0, stdout: 'launcher --tools,full' });
});

test('a host that starts it in its own folder is told that it does not say which project is open', () => {
  const plugin = placed('cache', { inExtension: false });
  expect(start(plugin, { home, cwd: plugin })).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Set Up Agents') });
  expect(start(plugin, { home, cwd: plugin, words: ['--workspace', root] })).toMatchObject({ status: 0 });
});
