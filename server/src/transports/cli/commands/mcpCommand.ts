import { EXIT } from '../../exitCodes';
import { serveMcp } from '../../mcpServer';
import type { Command } from '../command';

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve the tools to an agent over MCP on stdin and stdout.',
  when: 'In the configuration of Claude Code, Cursor, Codex, VS Code and other MCP clients; not by hand.',
  returns: 'JSON-RPC on stdout until stdin ends; messages for people on stderr.',
  examples: ['claude mcp add lattice -- lattice mcp --workspace .', 'lattice mcp --workspace ~/work/shop --tools full'],
  flags: [
    { name: 'tools', kind: 'string', value: 'core|full|NAMES', help: 'Tools to offer: a profile or names, comma-separated.', fallback: 'core' },
    { name: 'root', kind: 'list', value: 'DIR,…', help: 'Folders that graph_set_workspace may switch to.', fallback: 'the workspace' },
  ],
  positionals: [],
  run: async context => {
    const { host, io, root, now } = context.options;
    const selected = host.selectTools(context.text('tools') ?? 'core');
    if (!selected.ok) return context.fail(EXIT.usage, 'USAGE', selected.error.message);
    return serveMcp({ host, io, root, tools: selected.value, grantedRoots: context.list('root'), now, token: context.token });
  },
};
