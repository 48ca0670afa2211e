/** Entry of `dist/server.js`: the language server, over `--node-ipc`, `--stdio`, `--socket` or `--pipe`. */

import { serveLsp } from '../transports/languageServer';
import { connectAsAsked } from '../transports/lspConnection';
import { exitImmediately } from './ending';
import { writeLauncher } from './launcher/launcher';
import { transportHost } from './transportHost';

/** How long workspaces may take to be left in good order once the editor has gone, in milliseconds. */
const MAX_CLOSE_MS = 2000;

const host = transportHost(__dirname);
let ending = false;

function end(): void {
  if (ending) return;
  ending = true;
  setTimeout(exitImmediately, MAX_CLOSE_MS).unref();
  void server.close().finally(() => process.exit(0));
}

const connection = connectAsAsked(process.argv.slice(2), process.stdin, process.stdout, end);
const server = serveLsp({
  host,
  connection,
  platform: process.platform,
  writeLauncher: editorRuntime =>
    writeLauncher({
      dataFolder: host.data.folder,
      bundleFolder: host.bundleFolder,
      version: host.version,
      editorRuntime,
      platform: process.platform,
      nowMs: Date.now(),
    }),
});

process.on('disconnect', end);
process.on('SIGTERM', end);
process.on('SIGINT', end);
