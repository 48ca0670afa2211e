/** The built MCP server, started on a folder and asked line by line. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * `call` gives the answer of a tool with the milliseconds it took; it throws when the server refuses the call itself.
 * `stop` resolves when the process has ended.
 */
export async function startMcpServer({ dist, workspace, env }) {
  const child = spawn(process.execPath, [join(dist, 'cli.js'), 'mcp', '--workspace', workspace, '--tools', 'full'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', line => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const say = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let next = 1;
  const request = (method, params) =>
    new Promise(answer => {
      const id = next++;
      waiting.set(id, answer);
      say({ id, method, params });
    });
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
  say({ method: 'notifications/initialized' });
  const call = async (name, input) => {
    const began = performance.now();
    const { result, error } = await request('tools/call', { name, arguments: input });
    if (error !== undefined) throw new Error(`${name}: ${error.message}`);
    return { ms: performance.now() - began, text: result.content?.[0]?.text ?? '', envelope: result.structuredContent };
  };
  const stop = () =>
    new Promise(done => {
      child.once('exit', done);
      child.stdin.end();
    });
  return { call, stop, pid: child.pid };
}
