/**
 * One code-server with its own user data, extensions, home and Lattice data folder, all below one temporary folder.
 * `stop` ends it and everything it started.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  // Editors in a browser save by themselves after a second; unsaved text has to stay unsaved.
  'files.autoSave': 'off',
  // Where an editor takes the focus late, what was asked stays.
  'workbench.quickOpen.closeOnFocusLost': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'workbench.colorTheme': 'Dark Modern',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
};

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Folders of an instance below `root`. */
export function layout(root) {
  const folders = {
    userData: join(root, 'user-data'),
    extensions: join(root, 'extensions'),
    home: join(root, 'home'),
    data: join(root, 'lattice-home'),
    results: join(root, 'results'),
  };
  for (const folder of [...Object.values(folders), join(folders.userData, 'User')]) mkdirSync(folder, { recursive: true });
  return folders;
}

/** Writes the user's settings, for an editor that is not started yet. */
export function writeSettings(folders, changes = {}) {
  writeFileSync(join(folders.userData, 'User', 'settings.json'), JSON.stringify({ ...SETTINGS, ...changes }, undefined, 2));
}

/** Has the driver change settings of the user in a running editor; `null` takes a setting back. */
export async function changeSettings(folders, changes) {
  const place = join(folders.results, 'settings.change');
  writeFileSync(`${place}.new`, JSON.stringify(changes));
  renameSync(`${place}.new`, place);
  const end = Date.now() + START_TIMEOUT_MS;
  while (existsSync(place)) {
    if (Date.now() > end) throw new Error(`the settings ${Object.keys(changes).join(', ')} were not changed`);
    await pause(50);
  }
}

function environment(editor, folders, extra) {
  const { LATTICE_HOME: _home, ELECTRON_RUN_AS_NODE: _run, VSCODE_IPC_HOOK_CLI: _hook, ...inherited } = process.env;
  return {
    ...inherited,
    PATH: `${dirname(editor.node)}${delimiter}${process.env.PATH ?? ''}`,
    HOME: folders.home,
    LATTICE_HOME: folders.data,
    LATTICE_TEST_RESULTS: folders.results,
    ...extra,
  };
}

/** Installs a VSIX as a user would; returns what the editor said. */
export function installExtension(editor, folders, vsix) {
  const args = [editor.entry, '--user-data-dir', folders.userData, '--extensions-dir', folders.extensions, '--install-extension', vsix];
  const result = spawnSync(editor.node, args, { env: environment(editor, folders, {}), encoding: 'utf8', timeout: START_TIMEOUT_MS });
  if (result.status !== 0) throw new Error(`${vsix} was not installed: ${result.stdout}${result.stderr}`);
  return result.stdout;
}

/** Starts the editor; resolves when it listens. `workspaceTrust` switches the editor's own trust on. */
export async function startCodeServer({ editor, folders, env = {}, workspaceTrust = false }) {
  const port = await freePort();
  const args = [
    editor.entry,
    '--auth=none',
    `--bind-addr=127.0.0.1:${port}`,
    `--user-data-dir=${folders.userData}`,
    `--extensions-dir=${folders.extensions}`,
    '--disable-telemetry',
    '--disable-update-check',
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
  ];
  // A group of its own: ending the group ends the extension hosts and what they started.
  const child = spawn(editor.node, args, { env: environment(editor, folders, env), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const log = [];
  const exited = new Promise(resolve => child.once('exit', resolve));
  const listening = new Promise(resolve => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', data => {
        log.push(String(data));
        if (String(data).includes('HTTP server listening')) resolve(true);
      });
    }
  });
  const stop = async () => {
    signal(child.pid, 'SIGTERM');
    if ((await Promise.race([exited, pause(STOP_TIMEOUT_MS, 'late', { ref: false })])) === 'late') signal(child.pid, 'SIGKILL');
    await exited;
    signal(child.pid, 'SIGKILL');
  };
  const outcome = await Promise.race([listening, exited, pause(START_TIMEOUT_MS, 'late', { ref: false })]);
  if (outcome !== true) {
    await stop();
    throw new Error(`code-server did not start: ${log.join('').slice(-2000)}`);
  }
  const url = place => `http://127.0.0.1:${port}/?${place.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(place)}`;
  return { url, log: () => log.join(''), pid: child.pid, stop };
}

function signal(group, name) {
  try {
    process.kill(-group, name);
  } catch {
    // The group is gone, which is what was wanted.
  }
}
