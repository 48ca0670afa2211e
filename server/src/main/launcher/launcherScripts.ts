/**
 * The texts of the launcher. They run without Lattice and with any Node or shell, so they are written in their oldest dialects.
 * stdout belongs to the protocol: everything they say goes to stderr.
 */

/** What a launcher starts. */
export interface Launched {
  /** Name of its files in the launcher's folder, without an ending. */
  readonly name: string;
  /** Bundle in the folder of an installation. */
  readonly bundle: 'mcp.js' | 'hook.js';
  /** As a comment says it. */
  readonly what: string;
  /** Says nothing and succeeds when Lattice or a runtime for it is gone: a hook must not get in the way of the program that runs it. */
  readonly isSilent: boolean;
}

export const MCP_SERVER: Launched = { name: 'lattice-mcp', bundle: 'mcp.js', what: 'the MCP server', isSilent: false };
export const AGENT_HOOK: Launched = { name: 'lattice-hook', bundle: 'hook.js', what: 'the agent hook', isSilent: true };

/** Runs in place of what it launches when its Node is new enough, else hands over to an editor's runtime. */
export function launcherScript({ bundle, isSilent, what }: Launched): string {
  return `// Written by Lattice. Starts ${what} of the newest Lattice that is installed.
'use strict';
const childProcess = require('child_process');
const fs = require('fs');
const path = require('path');

function readInstallations() {
  try {
    const rows = JSON.parse(fs.readFileSync(path.join(__dirname, 'installations.json'), 'utf8'));
    return Array.isArray(rows) ? rows.filter(row => row && typeof row.bundleFolder === 'string' && typeof row.version === 'string') : [];
  } catch (error) {
    return [];
  }
}

function compareVersions(a, b) {
  const left = a.split(/[.-]/).map(Number);
  const right = b.split(/[.-]/).map(Number);
  for (let i = 0; i < 3; i++) if ((left[i] || 0) !== (right[i] || 0)) return (left[i] || 0) - (right[i] || 0);
  return 0;
}

function fail(message) {
${isSilent ? '  process.exit(0);' : "  process.stderr.write('lattice: ' + message + '\\n');\n  process.exit(1);"}
}

function runWith(runtime, bundle) {
  const env = Object.assign({}, process.env, { ELECTRON_RUN_AS_NODE: '1' });
  const child = childProcess.spawn(runtime, [bundle].concat(process.argv.slice(2)), { stdio: 'inherit', env: env });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(name => process.on(name, () => child.kill(name)));
  child.on('error', error => fail(runtime + ' could not be started: ' + error.message));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
}

const rows = readInstallations();
const installed = rows.filter(row => fs.existsSync(path.join(row.bundleFolder, '${bundle}')));
installed.sort((a, b) => compareVersions(b.version, a.version) || (b.writtenAt || 0) - (a.writtenAt || 0));
if (installed.length === 0) {
  fail('Lattice is no longer installed' + (rows.length ? ' (looked in ' + rows.map(row => row.bundleFolder).join(', ') + ')' : '') +
    '. Reinstall the extension and open a folder, or remove the entry "lattice" from the MCP configuration that starts this.');
}
if (!process.env.LATTICE_HOME) process.env.LATTICE_HOME = path.dirname(__dirname);
const bundle = path.join(installed[0].bundleFolder, '${bundle}');
if (Number(process.versions.node.split('.')[0]) >= 20) {
  process.argv[1] = bundle;
  require(bundle);
} else {
  const runtimes = rows.map(row => row.editorRuntime).filter(runtime => typeof runtime === 'string' && fs.existsSync(runtime) && runtime !== process.execPath);
  if (runtimes.length === 0) fail('Node ' + process.versions.node + ' is too old and no editor was found. Install Node 20 or later.');
  runWith(runtimes[0], bundle);
}
`;
}

const NOT_FOUND = 'lattice: neither Node 20 nor an editor that ran Lattice was found. Install Node 20 or later, or open your editor once.';

/**
 * POSIX shell: Node 20 or later on PATH, else the first editor runtime that is still there. A hook is started for each edit and does without the
 * first look at Node's version: its launcher hands over by itself.
 */
export function shellScript(runtimes: readonly string[], { isSilent, name, what }: Launched): string {
  const isNewEnough = isSilent ? '' : ` && node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null`;
  return `#!/bin/sh
# Written by Lattice. Starts ${what} with Node 20 or later, or with the runtime of an editor.
launcher="$(dirname "$0")/${name}.js"
if command -v node >/dev/null 2>&1${isNewEnough}; then
  exec node "$launcher" "$@"
fi
for runtime in ${runtimes.map(quoteForShell).join(' ')}; do
  if [ -x "$runtime" ]; then
    ELECTRON_RUN_AS_NODE=1 exec "$runtime" "$launcher" "$@"
  fi
done
${isSilent ? 'exit 0' : `echo "${NOT_FOUND}" >&2\nexit 1`}
`;
}

/** Windows: the same as a batch file. */
export function batchScript(runtimes: readonly string[], { isSilent, name, what }: Launched): string {
  const attempts = runtimes.map(
    runtime =>
      `if exist "${escapeForBatch(runtime)}" (\r\n  set ELECTRON_RUN_AS_NODE=1\r\n  "${escapeForBatch(runtime)}" "%~dp0${name}.js" %*\r\n  exit /b !errorlevel!\r\n)\r\n`,
  );
  const find = isSilent ? 'where node >nul 2>nul\r\n' : 'node -e "process.exit(Number(process.versions.node.split(\'.\')[0]) >= 20 ? 0 : 1)" >nul 2>nul\r\n';
  return [
    '@echo off\r\n',
    `rem Written by Lattice. Starts ${what} with Node 20 or later, or with the runtime of an editor.\r\n`,
    'setlocal enabledelayedexpansion\r\n',
    find,
    `if not errorlevel 1 (\r\n  node "%~dp0${name}.js" %*\r\n  exit /b !errorlevel!\r\n)\r\n`,
    ...attempts,
    isSilent ? 'exit /b 0\r\n' : `echo ${NOT_FOUND} 1>&2\r\nexit /b 1\r\n`,
  ].join('');
}

export function quoteForShell(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

function escapeForBatch(path: string): string {
  return path.replaceAll('%', '%%');
}
