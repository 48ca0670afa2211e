/** What the page of the graph asks, answered from a real repository by the built server. */
import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const CLI = join(resolve(dirname(fileURLToPath(import.meta.url)), '../..'), 'dist', 'cli.js');

/** Indexes a folder and starts a server on it. `ask(view, params)` resolves to a scene or details; `close()` ends the server. */
export async function openViews(workspace, env) {
  execFileSync(process.execPath, [CLI, 'index', '--workspace', workspace], { env, stdio: 'ignore' });
  const client = new Client({ name: 'views', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '--workspace', workspace], env, stderr: 'inherit' }));
  return {
    ask: (view, params) => asked(client, `lattice://view/${view}/${encodeURIComponent(JSON.stringify(params))}`),
    close: () => client.close(),
  };
}

/** A server that has just started is asked again until it is ready. */
async function asked(client, uri) {
  for (;;) {
    try {
      const answer = await client.readResource({ uri });
      return JSON.parse(answer.contents[0].text);
    } catch (error) {
      if (!/not complete/.test(error.message)) throw error;
      await new Promise(done => setTimeout(done, 200));
    }
  }
}
