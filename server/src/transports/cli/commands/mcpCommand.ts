import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { err, type Failure, ok, type Result } from '../../../base/result';
import { EXIT } from '../../exitCodes';
import type { HttpAddress } from '../../mcp/httpEndpoint';
import type { Command } from '../command';

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORT = 7823;

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Start the MCP server for agents, over stdio or HTTP.',
  when: 'In the configuration of Claude Code, Cursor, Codex, VS Code and other MCP clients. Use --http for clients that cannot start a process.',
  returns: 'JSON-RPC on stdout until stdin is closed, or at http://127.0.0.1:7823/mcp until it is interrupted. Log messages go to stderr.',
  examples: ['claude mcp add lattice -- lattice mcp --workspace .', 'lattice mcp --workspace ../shop --tools full', 'lattice mcp --http 127.0.0.1:0'],
  flags: [
    {
      name: 'tools',
      kind: 'string',
      value: 'core|agent|full|admin|NAMES',
      help: 'Tools to offer: a comma-separated list of tool sets and names.',
      fallback: 'core',
    },
    {
      name: 'root',
      kind: 'list',
      value: 'DIR,…',
      help: 'Folders that graph_set_workspace can switch to, besides the workspace. They must exist. Adds that tool. Not available with --http.',
    },
    { name: 'no-auto-claim', kind: 'boolean', help: 'Do not let context_pack claim the task, or the code to start at, for agents that pass their agentId.' },
    { name: 'http', kind: 'boolean', help: 'Serve over HTTP. Clients must send the token from the data folder. Same as LATTICE_MCP_TRANSPORT=http.' },
    {
      name: 'host',
      kind: 'list',
      value: 'NAME,…',
      help: 'Host names that clients use to reach this machine. Required to listen on an address other than loopback.',
    },
  ],
  positionals: [
    {
      name: 'ADDRESS',
      required: false,
      many: false,
      help: 'HOST:PORT or PORT to listen on with --http. Default: 127.0.0.1:7823. Use port 0 for any free port.',
    },
  ],
  run: async context => {
    const { args, host, io, root, now } = context.options;
    // The library makes hundreds of schemas when it is loaded: other commands do without.
    const { serveMcp, serveMcpOverHttp } = await import('../../mcpServer');
    const grantedRoots = context.list('root');
    // Further folders are of no use without the tool that switches to them.
    const wanted = [context.text('tools') || 'core', ...(grantedRoots.length === 0 ? [] : ['graph_set_workspace'])];
    const selected = host.selectTools(wanted.join(','));
    if (!selected.ok) return context.fail(EXIT.usage, 'USAGE', selected.error.message);
    const autoClaim = !context.flag('no-auto-claim');
    const options = { host, io, root, tools: selected.value, autoClaim, grantedRoots, now, token: context.token };
    const [address] = args.positionals;
    if (!context.flag('http') && (args.flags.has('http') || io.env['LATTICE_MCP_TRANSPORT'] !== 'http')) {
      if (address !== undefined) return context.fail(EXIT.usage, 'USAGE', `The address ${address} requires --http.`);
      const missing = grantedRoots.find(folder => !isFolder(resolve(root, folder)));
      return missing === undefined
        ? serveMcp(options)
        : context.fail(EXIT.usage, 'USAGE', `The folder ${missing} of --root does not exist. Create it, or start the server without it.`);
    }
    if (options.grantedRoots.length > 0)
      return context.fail(EXIT.usage, 'USAGE', '--root cannot be used with --http, because all clients share one workspace. Start one server per workspace.');
    const read = readAddress(address ?? '', context.list('host'));
    return read.ok ? serveMcpOverHttp(options, read.value) : context.fail(EXIT.usage, 'USAGE', read.error.message);
  },
};

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** `HOST:PORT`, `[IPV6]:PORT`, `HOST` or `PORT`. */
function readAddress(text: string, names: readonly string[]): Result<HttpAddress, Failure> {
  const found = /^(?:(?<six>\[[0-9a-f:.]+\])|(?<host>[a-z][\w.-]*|\d+(?:\.\d+){3}))?:?(?<port>\d{1,5})?$/i.exec(text);
  const { host, port, six } = found?.groups ?? {};
  const number = Number(port ?? DEFAULT_PORT);
  if (found === null || number > 65_535 || (text.endsWith(':') && text !== '')) {
    return err({ code: 'USAGE', message: `${text} is not a valid address. Use HOST:PORT, such as 127.0.0.1:${DEFAULT_PORT}.` });
  }
  const chosen = six?.slice(1, -1) ?? host ?? LOOPBACK;
  if (!isLoopback(chosen) && names.length === 0) {
    const message = `Other machines can connect to ${chosen}. Specify the host names they use with --host, and keep the token secret.`;
    return err({ code: 'USAGE', message });
  }
  return ok({ host: chosen, port: number, names });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
