/**
 * `npm run test:electron`: the suite of the extension host in a downloaded VS Code, for machines with a network.
 * Runs on Linux, macOS and Windows; what a person sees is tested by `npm run test:editor`.
 *   LATTICE_TEST_VSCODE=VERSION|PATH   this VS Code (default: stable; `1.101.0` is the lowest that is supported), or the program of one that is there
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';
import { Report } from '../editor/report.mjs';
import { removeFolder } from '../helpers/removeFolder.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const report = new Report();
const root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-electron-')));
try {
  await run();
} catch (error) {
  report.fail('the suite runs in a downloaded VS Code', error);
} finally {
  removeFolder(root);
  report.close();
}

async function run() {
  const vsix = process.env.LATTICE_TEST_VSIX ?? packageExtension();
  const wanted = process.env.LATTICE_TEST_VSCODE ?? 'stable';
  const executable = isAbsolute(wanted) ? wanted : await downloadAndUnzipVSCode({ version: wanted, cachePath: join(project, '.cache', 'vscode') });
  const folders = { workspace: join(root, 'shop'), results: join(root, 'results'), userData: join(root, 'user-data'), extensions: join(root, 'extensions') };
  cpSync(join(project, 'test', 'fixtures', 'workspaces', 'sample'), folders.workspace, { recursive: true });
  mkdirSync(folders.results);
  mkdirSync(join(folders.userData, 'User'), { recursive: true });
  writeFileSync(
    join(folders.userData, 'User', 'settings.json'),
    JSON.stringify({ 'telemetry.telemetryLevel': 'off', 'update.mode': 'none', 'workbench.startupEditor': 'none' }),
  );
  const ownFolders = [`--user-data-dir=${folders.userData}`, `--extensions-dir=${folders.extensions}`];
  await report.check('the VSIX is installed', () => install(executable, vsix, ownFolders));
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: join(project, 'test', 'editor', 'driver'),
    extensionTestsPath: join(project, 'test', 'electron', 'suite.cjs'),
    launchArgs: [folders.workspace, ...ownFolders, '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes'],
    extensionTestsEnv: { LATTICE_HOME: join(root, 'lattice-home'), LATTICE_TEST_RESULTS: folders.results },
  });
  const outcome = join(folders.results, 'shop.json');
  if (!existsSync(outcome)) throw new Error('the suite left no result');
  const { activationMs } = report.add('shop', JSON.parse(readFileSync(outcome, 'utf8')));
  console.log(`       activation in the extension host: ${Math.round(activationMs)} ms`);
}

function install(executable, vsix, ownFolders) {
  const [cli, ...args] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
  const { status, stderr } = spawnSync(cli, [...args, ...ownFolders, '--install-extension', vsix], { encoding: 'utf8', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(stderr);
}

function packageExtension() {
  const { name, version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  if (spawnSync(process.execPath, ['test/tidy/package.mjs'], { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0)
    throw new Error('npm run package failed');
  return join(project, `${name}-${version}.vsix`);
}
