/**
 * Installs what the tests in the real editor need: code-server (VS Code's workbench and extension host, from npm), the Node it
 * asks for, the Debian packages its native modules are built with, and Chromium.
 * Everything from npm goes into `.cache/editor/<version>`, once; a second run finds it and returns at once.
 * Linux only. Elsewhere `npm run test:electron` runs the same suites in a downloaded VS Code.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../helpers/removeFolder.mjs';

export const CODE_SERVER_VERSION = '4.139.1';
const NODE_MAJOR = '24';
const BUILD_PACKAGES = ['libkrb5-dev', 'libsecret-1-dev', 'libxkbfile-dev', 'libx11-dev', 'pkg-config', 'make', 'g++', 'python3'];
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];
const MINUTE = 60_000;

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Returns `{ node, entry, browser }`: the paths of the Node that runs code-server, of code-server's entry and of Chromium.
 * Throws an error whose message says what is missing and how to get it.
 */
export function installEditor(say = message => console.log(message)) {
  if (process.platform !== 'linux') {
    throw new Error('The editor tests run in code-server, which this script installs on Linux only. Use `npm run test:electron` here.');
  }
  const folder = join(project, '.cache', 'editor', CODE_SERVER_VERSION);
  const nodePackage = `node-linux-${process.arch}`;
  const found = {
    node: join(folder, 'node_modules', nodePackage, 'bin', 'node'),
    entry: join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
  };
  const finished = join(folder, 'installed');
  const ready = existsSync(finished) && existsSync(found.node) && existsSync(found.entry);
  installDebianPackages({ build: !ready, say });
  const browser = findBrowser();
  if (ready) {
    say(`editor: code-server ${CODE_SERVER_VERSION} is in ${folder}`);
    return { ...found, browser };
  }
  removeFolder(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name: 'editor', private: true }, undefined, 2)}\n`);
  say(`editor: installing Node ${NODE_MAJOR} into ${folder}`);
  npm(folder, ['install', `${nodePackage}@${NODE_MAJOR}`, '--ignore-scripts'], outsideEnvironment());
  say(`editor: installing code-server ${CODE_SERVER_VERSION} (about two minutes)`);
  const nodeFolder = join(folder, 'node_modules', nodePackage);
  npm(folder, ['install', `code-server@${CODE_SERVER_VERSION}`, '--ignore-scripts=false'], {
    ...outsideEnvironment(),
    PATH: `${join(nodeFolder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    npm_config_nodedir: nodeFolder,
    npm_config_ignore_scripts: 'false',
  });
  if (!existsSync(found.entry)) throw new Error(`code-server was installed into ${folder} but its entry is missing: ${found.entry}`);
  writeFileSync(finished, `${CODE_SERVER_VERSION}\n`);
  return { ...found, browser };
}

/** The environment without what an npm around this process put there: its user agent would tell code-server of the wrong Node. */
function outsideEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== 'NODE' && name !== 'INIT_CWD'));
}

function findBrowser() {
  const asked = process.env['LATTICE_TEST_BROWSER'];
  return (asked === undefined ? BROWSERS : [asked]).find(path => existsSync(path));
}

/** Makes sure of Chromium alone, for tests of pages. */
export function installBrowser(say = message => console.log(message)) {
  if (process.platform === 'linux') installDebianPackages({ build: false, say });
}

/** Installs what is missing with apt when we may; else names it. Build packages are needed only while code-server is not built. */
function installDebianPackages({ build, say }) {
  const browserMissing = findBrowser() === undefined;
  const wanted = [...(build ? BUILD_PACKAGES.filter(name => !debianPackageInstalled(name)) : []), ...(browserMissing ? ['chromium'] : [])];
  if (wanted.length === 0) return;
  const command = `apt-get install --yes --no-install-recommends ${wanted.join(' ')}`;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) {
    throw new Error(`The editor tests need these packages: ${wanted.join(' ')}. Install them with: sudo ${command}`);
  }
  say(`editor: ${command}`);
  const options = { stdio: ['ignore', 'ignore', 'inherit'], timeout: 10 * MINUTE, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const install = () => spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', ...wanted], options).status === 0;
  if (install()) return;
  spawnSync('apt-get', ['update'], options);
  if (!install()) throw new Error(`apt-get could not install: ${wanted.join(' ')}`);
}

function debianPackageInstalled(name) {
  const answer = spawnSync('dpkg-query', ['--show', '--showformat=${db:Status-Status}', name], { encoding: 'utf8' });
  // Without dpkg nothing can be said; the build of code-server then names what it misses.
  return answer.error !== undefined || answer.stdout === 'installed';
}

function npm(folder, args, env) {
  try {
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, env, stdio: 'inherit', timeout: 15 * MINUTE });
  } catch (error) {
    throw new Error(`npm ${args.join(' ')} failed in ${folder}; its output is above.`, { cause: error });
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const editor = installEditor();
    console.log(`editor: ready (${editor.browser})`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
