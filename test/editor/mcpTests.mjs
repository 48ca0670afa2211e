/** Starts the MCP server exactly as the written configuration says, with the official client. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const TIMEOUT_MS = 30_000;

export async function mcpTests(report, { workspace, folders }) {
  await report.check('the written configuration starts a server that lists its tools', async () => {
    const text = readFileSync(join(workspace, '.mcp.json'), 'utf8').replace('// keep me', '');
    const { command, args } = JSON.parse(text).mcpServers.lattice;
    const transport = new StdioClientTransport({ command, args, cwd: workspace, env: { PATH: process.env.PATH ?? '', HOME: folders.home }, stderr: 'pipe' });
    const client = new Client({ name: 'lattice-editor-tests', version: '1.0.0' });
    try {
      await client.connect(transport, { timeout: TIMEOUT_MS });
      const { tools } = await client.listTools(undefined, { timeout: TIMEOUT_MS });
      assert.ok(tools.some(tool => tool.name === 'search_code'));
      const answer = await client.callTool({ name: 'search_code', arguments: { query: 'formatMoney' } }, { timeout: TIMEOUT_MS });
      assert.match(JSON.stringify(answer.structuredContent), /api\/src\/money\.ts::formatMoney/);
    } finally {
      await client.close();
    }
  });
}
