import { isIP } from 'node:net';
import { err, type Failure, ok, type Result } from '../../../base/result';
import { EXIT } from '../../exitCodes';
import type { HttpAddress } from '../../mcp/httpEndpoint';
import type { Command } from '../command';

const LOOPBACK = '127.0.0.1';
const DEFAULT_PORT = 7823;

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve the tools to an agent over MCP, on stdin and stdout or over HTTP.',
  when: 'In the configuration of Claude Code, Cursor, Codex, VS Code and other MCP clients; with --http by hand, for clients that cannot start a process.',
  returns: 'JSON-RPC on stdout until stdin ends, or at http://127.0.0.1:7823/mcp until it is interrupted; messages for people on stderr.',
  examples: ['claude mcp add lattice -- lattice mcp --workspace .', 'lattice mcp --workspace ~/work/shop --tools full', 'lattice mcp --http 127.0.0.1:0'],
  flags: [
    { name: 'tools', kind: 'string', value: 'core|full|NAMES', help: 'Tools to offer: a profile or names, comma-separated.', fallback: 'core' },
    { name: 'root', kind: 'list', value: 'DIR,…', help: 'Folders that graph_set_workspace may switch to; not over HTTP.', fallback: 'the workspace' },
    { name: 'http', kind: 'boolean', help: 'Serve over HTTP, for whoever sends the token in the data folder; also LATTICE_MCP_TRANSPORT=http.' },
    {
      name: 'host',
      kind: 'list',
      value: 'NAME,…',
      help: 'Names under which other machines reach this one; needed to listen on any address but the loopback one.',
    },
  ],
  positionals: [
    { name: 'address', required: false, many: false, help: 'With --http: HOST:PORT or PORT to listen on; 127.0.0.1:7823 by default, port 0 for any.' },
  ],
  run: async context => {
    const { args, host, io, root, now } = context.options;
    // The library makes hundreds of schemas when it is loaded: other commands do without.
    const { serveMcp, serveMcpOverHttp } = await import('../../mcpServer');
    const selected = host.selectTools(context.text('tools') ?? 'core');
    if (!selected.ok) return context.fail(EXIT.usage, 'USAGE', selected.error.message);
    const options = { host, io, root, tools: selected.value, grantedRoots: context.list('root'), now, token: context.token };
    const [address] = args.positionals;
    if (!context.flag('http') && (args.flags.has('http') || io.env['LATTICE_MCP_TRANSPORT'] !== 'http')) {
      if (address !== undefined) return context.fail(EXIT.usage, 'USAGE', `${address} is an address for --http.`);
      return serveMcp(options);
    }
    if (options.grantedRoots.length > 0)
      return context.fail(EXIT.usage, 'USAGE', '--root does not go with --http: clients share one workspace; start one server for each.');
    const read = readAddress(address ?? '', context.list('host'));
    return read.ok ? serveMcpOverHttp(options, read.value) : context.fail(EXIT.usage, 'USAGE', read.error.message);
  },
};

/** `HOST:PORT`, `[IPV6]:PORT`, `HOST` or `PORT`. */
function readAddress(text: string, names: readonly string[]): Result<HttpAddress, Failure> {
  const found = /^(?:(?<six>\[[0-9a-f:.]+\])|(?<host>[a-z][\w.-]*|\d+(?:\.\d+){3}))?:?(?<port>\d{1,5})?$/i.exec(text);
  const { host, port, six } = found?.groups ?? {};
  const number = Number(port ?? DEFAULT_PORT);
  if (found === null || number > 65_535 || (text.endsWith(':') && text !== '')) {
    return err({ code: 'USAGE', message: `${text} is no address: give HOST:PORT, for example 127.0.0.1:${DEFAULT_PORT}.` });
  }
  const chosen = six?.slice(1, -1) ?? host ?? LOOPBACK;
  if (!isLoopback(chosen) && names.length === 0) {
    const message = `Listening on ${chosen} lets other machines in: name this one as they reach it with --host, and give its token to nobody else.`;
    return err({ code: 'USAGE', message });
  }
  return ok({ host: chosen, port: number, names });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
