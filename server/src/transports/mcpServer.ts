import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type CancellationToken, onCancelled } from '../base/cancellation';
import { newSessionId } from './callers';
import { EXIT, type ExitCode } from './exitCodes';
import type { ToolRow, TransportHost } from './host';
import { type HttpAddress, listenOnHttp } from './mcp/httpEndpoint';
import { LineTransport } from './mcp/lineTransport';
import { newServer, type ProgramSession } from './mcp/newServer';
import { Subscriptions } from './mcp/subscriptions';
import { WorkspaceSession } from './mcp/workspaceSession';
import type { ProcessIo } from './processIo';
import { within } from './waiting';

/**
 * Door of MCP over stdio and HTTP, in both eras of the protocol: `server/discover` with stateless requests (2026-07-28) and the `initialize` handshake before it.
 *
 * Does not know what a tool does, and asks nothing of the client: no roots, no sampling, no elicitation.
 * Invariants: stdout carries JSON-RPC only; the list of tools never changes; the process ends soon after stdin does.
 */
export interface McpOptions {
  readonly host: TransportHost;
  readonly io: ProcessIo;
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly tools: readonly ToolRow[];
  /** `context_pack` claims for an agent that names itself. */
  readonly autoClaim: boolean;
  /** Folders that `graph_set_workspace` may switch to, beside the workspace. */
  readonly grantedRoots: readonly string[];
  readonly now: () => number;
  readonly token: CancellationToken;
  readonly firstIndexLimitMs?: number;
  readonly closeLimitMs?: number;
}

/** How long the workspace may take to be left in good order, in milliseconds; then the process ends as it is. What was acknowledged is durable before that. */
const MAX_CLOSE_MS = 5000;

/** Serves until stdin ends or the token is cancelled; the workspace is left in good order by then. */
export async function serveMcp(options: McpOptions): Promise<ExitCode> {
  const { host, io, root, grantedRoots, token } = options;
  const transport = new LineTransport(io.stdin, io.stdout);
  const report = reporter(io);
  const subscriptions = new Subscriptions(report);
  const session = new WorkspaceSession(host, root, grantedRoots, io.platform, gateway => subscriptions.follow(gateway));
  transport.onrequest = (method, params) => subscriptions.hear(method, params);
  await new Promise<void>(resolve => {
    transport.onended = resolve;
    const serving = { ...options, session, report, startedBy: sessionIn(io.env) };
    const handle = serveStdio(() => newServer(serving, newSessionId(), subscriptions), { transport, onerror: report });
    onCancelled(token, () => void handle.close());
  });
  subscriptions.dispose();
  return leave(options, session);
}

/** Serves HTTP until the token is cancelled. The address and where the token lies are told on stderr, the token itself never. */
export async function serveMcpOverHttp(options: McpOptions, address: HttpAddress): Promise<ExitCode> {
  const { host, io, root, token } = options;
  const report = reporter(io);
  const followers = new Set<Subscriptions>();
  const session = new WorkspaceSession(host, root, [], io.platform, gateway => {
    for (const follower of followers) follower.follow(gateway);
  });
  const listening = await listenOnHttp({ serving: { ...options, session, report }, address, dataFolder: host.data.folder, followers });
  if (!listening.ok) {
    io.stderr.write(`lattice mcp: ${listening.error.message}\n`);
    await leave(options, session);
    return EXIT.workspaceFailed;
  }
  const { tokenPath, url } = listening.value;
  io.stderr.write(`lattice mcp: serving ${root} at ${url}. Clients must send the token in ${tokenPath} as "Authorization: Bearer TOKEN".\n`);
  await new Promise<void>(resolve => onCancelled(token, resolve));
  await listening.value.close();
  return leave(options, session);
}

/** Claude Code tells the servers that it starts which session they are for: with the id that its hooks have, both know an agent by one name. */
function sessionIn(env: ProcessIo['env']): ProgramSession | undefined {
  const sessionId = env['CLAUDE_CODE_SESSION_ID'] ?? '';
  return sessionId === '' ? undefined : { client: 'claude-code', sessionId };
}

function reporter(io: ProcessIo): (error: Error) => void {
  return error => {
    if (io.env['LATTICE_LOG'] === 'debug') io.stderr.write(`lattice mcp: ${error.message}\n`);
  };
}

async function leave({ closeLimitMs, io, token }: McpOptions, session: WorkspaceSession): Promise<ExitCode> {
  if (!(await within(session.close(), closeLimitMs ?? MAX_CLOSE_MS))) io.exitImmediately?.();
  return token.isCancellationRequested ? EXIT.interrupted : EXIT.ok;
}
