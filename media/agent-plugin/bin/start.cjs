/**
 * Starts the MCP server of Lattice for hosts that load this folder as a plugin. Some hosts run it where it lies, inside the
 * extension; others copy it away first. So: the bundle beside the plugin, else the launcher that the extension keeps in its data folder.
 * stdout belongs to the protocol.
 */
'use strict';
const { existsSync, realpathSync } = require('node:fs');
const { homedir } = require('node:os');
const { isAbsolute, join, relative } = require('node:path');

/** The per-user data folder, as `server/src/store/dataFolder.ts` has it. */
function dataFolder({ env, platform }) {
  const home = homedir();
  if (env.LATTICE_HOME) return isAbsolute(env.LATTICE_HOME) ? env.LATTICE_HOME : join(home, env.LATTICE_HOME);
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Lattice');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Lattice');
  return join(env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(home, '.local', 'share'), 'lattice');
}

function fail(message) {
  process.stderr.write(`lattice: ${message}\n`);
  process.exitCode = 1;
}

/** Whether this was started in the plugin's own folder. */
function isAtHome() {
  const way = relative(realpathSync(join(__dirname, '..')), realpathSync(process.cwd()));
  return !way.startsWith('..') && !isAbsolute(way);
}

const places = [join(__dirname, '..', '..', '..', 'dist', 'mcp.js'), join(dataFolder(process), 'bin', 'lattice-mcp.js')];
const found = places.find(place => existsSync(place));
if (isAtHome() && !process.argv.includes('--workspace')) {
  fail(
    'this host starts plugins in their own folder and does not say which project is open. Run "Lattice: Set Up Agents" in the editor instead, or give --workspace.',
  );
} else if (found === undefined) {
  fail(`not found (looked for ${places.join(' and ')}). Install the Lattice extension and open a folder once.`);
} else {
  process.argv[1] = found;
  require(found);
}
