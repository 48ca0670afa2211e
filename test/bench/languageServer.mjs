/** The built language server, started on a folder as an editor would. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

/**
 * `hover` gives the answer at a position with the milliseconds it took, `symbols` the symbols of the workspace whose name fits a word,
 * as `{ uri, line, character }` of the name in its declaration. `stop` resolves when the process has ended.
 */
export async function startLanguageServer({ dist, workspace, env }) {
  const child = spawn(process.execPath, [join(dist, 'server.js'), '--stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  connection.onRequest(() => null);
  connection.listen();
  const rootUri = pathToFileURL(workspace).href;
  await connection.sendRequest('initialize', { processId: process.pid, rootUri, capabilities: {}, workspaceFolders: [{ uri: rootUri, name: 'bench' }] });
  await connection.sendNotification('initialized', {});
  const hover = async ({ uri, line, character }) => {
    const began = performance.now();
    const answer = await connection.sendRequest('textDocument/hover', { textDocument: { uri }, position: { line, character } });
    return { ms: performance.now() - began, answer };
  };
  const symbols = async name => {
    const found = (await connection.sendRequest('workspace/symbol', { query: name })) ?? [];
    return found
      .filter(symbol => symbol.name === name)
      .flatMap(({ location: { uri, range } }) => {
        const lines = readFileSync(new URL(uri), 'utf8').split('\n');
        for (let line = range.start.line; line <= Math.min(range.end.line, range.start.line + 20); line++) {
          const at = lines[line].indexOf(name, line === range.start.line ? range.start.character : 0);
          if (at >= 0) return [{ uri, line, character: at + 1 }];
        }
        return [];
      });
  };
  const stop = async () => {
    const ended = new Promise(done => child.once('exit', done));
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    await ended;
    connection.dispose();
  };
  return { hover, symbols, stop, pid: child.pid };
}
