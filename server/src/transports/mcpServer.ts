import { CLIENT_INFO_META_KEY, McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type CancellationToken, Cancelled } from '../base/cancellation';
import { newSessionId } from './callers';
import { EXIT, type ExitCode } from './exitCodes';
import type { ToolRow, TransportHost } from './host';
import { callTool, failure, type ToolCaller } from './mcp/callTool';
import { registerGraphApp } from './mcp/graphApp';
import { INSTRUCTIONS } from './mcp/instructions';
import { LineTransport } from './mcp/lineTransport';
import { registerPrompts } from './mcp/prompts';
import { registerResources } from './mcp/resources';
import { Subscriptions } from './mcp/subscriptions';
import { toolList } from './mcp/toolList';
import { WorkspaceSession } from './mcp/workspaceSession';
import type { ProcessIo } from './processIo';
import { within } from './waiting';

/**
 * Door of MCP over stdio, in both eras of the protocol: `server/discover` with stateless requests (2026-07-28) and the `initialize` handshake before it.
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
  /** Folders that `graph_set_workspace` may switch to; the workspace when empty. */
  readonly grantedRoots: readonly string[];
  readonly now: () => number;
  readonly token: CancellationToken;
  readonly firstIndexLimitMs?: number;
  readonly closeLimitMs?: number;
}

/** How long clients may keep the list of tools, in milliseconds. */
const LIST_LIFETIME_MS = 300_000;
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const;
/** How long the workspace may take to be left in good order, in milliseconds; then the process ends as it is. What was acknowledged is durable before that. */
const CLOSE_LIMIT_MS = 5000;
/** How often the token is looked at, in milliseconds. */
const TOKEN_CHECK_MS = 200;

/** Serves until stdin ends or the token is cancelled; the workspace is left in good order by then. */
export async function serveMcp(options: McpOptions): Promise<ExitCode> {
  const { host, io, root, grantedRoots, token } = options;
  const transport = new LineTransport(io.stdin, io.stdout);
  const report = (error: Error): void => {
    if (io.env['LATTICE_LOG'] === 'debug') io.stderr.write(`lattice mcp: ${error.message}\n`);
  };
  const subscriptions = new Subscriptions(report);
  const session = new WorkspaceSession(host, root, grantedRoots, io.platform, gateway => subscriptions.follow(gateway));
  transport.onrequest = (method, params) => subscriptions.hear(method, params);
  await new Promise<void>(resolve => {
    transport.onended = resolve;
    const handle = serveStdio(() => newServer(options, session, subscriptions, report), { transport, onerror: report });
    const timer = setInterval(() => {
      if (!token.isCancellationRequested) return;
      clearInterval(timer);
      void handle.close();
    }, TOKEN_CHECK_MS);
    timer.unref();
  });
  subscriptions.dispose();
  if (!(await within(session.close(), options.closeLimitMs ?? CLOSE_LIMIT_MS))) io.endAtOnce?.();
  return token.isCancellationRequested ? EXIT.interrupted : EXIT.ok;
}

/** One instance per connection; the SDK calls this once it knows the era. */
function newServer(options: McpOptions, session: WorkspaceSession, subscriptions: Subscriptions, report: (error: Error) => void): McpServer {
  const { host, tools, now } = options;
  const server = new McpServer(
    { name: 'lattice', title: 'Lattice', version: host.version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      instructions: INSTRUCTIONS,
      cacheHints: Object.fromEntries(LISTS.map(method => [method, { ttlMs: LIST_LIFETIME_MS, cacheScope: 'private' as const }])),
    },
  );
  const sessionId = newSessionId();
  const caller: ToolCaller = {
    host,
    tools,
    session,
    sessionId,
    now,
    defaultAgentId: context => options.io.env['LATTICE_AGENT_ID'] ?? `${clientNameOf(server, context)}:${sessionId.slice(0, 8)}`,
    ...(options.firstIndexLimitMs === undefined ? {} : { firstIndexLimitMs: options.firstIndexLimitMs }),
  };
  let list: ReturnType<typeof toolList> | undefined;
  server.server.setRequestHandler('tools/list', () => {
    list ??= toolList(tools);
    return { tools: list };
  });
  server.server.setRequestHandler('tools/call', async (request, context) => {
    try {
      return await callTool(caller, request.params.name, request.params.arguments ?? {}, context);
    } catch (error) {
      if (error instanceof ProtocolError || error instanceof Cancelled) throw error;
      report(error instanceof Error ? error : new Error(String(error)));
      options.io.stderr.write(`lattice mcp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      return failure(
        'INTERNAL',
        'Lattice failed while answering; the reason is in its log on stderr.',
        'Try again; if it happens again, run `lattice doctor`.',
      );
    }
  });
  registerResources(server, caller);
  registerGraphApp(server, caller);
  registerPrompts(server, caller);
  subscriptions.serve(server);
  return server;
}

/** The name a client gives itself: with each request in the newer era, once in the handshake of the older one. */
function clientNameOf(server: McpServer, context: ServerContext): string {
  const { envelope } = context.mcpReq;
  const info: unknown = envelope === undefined ? server.server.getClientVersion() : Reflect.get(envelope, CLIENT_INFO_META_KEY);
  const name: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : 'agent';
}
