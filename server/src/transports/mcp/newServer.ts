import { CLIENT_INFO_META_KEY, McpServer, ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { Cancelled } from '../../base/cancellation';
import type { ToolRow, TransportHost } from '../host';
import type { ProcessIo } from '../processIo';
import { callTool, failure, type ToolCaller } from './callTool';
import { registerGraphApp } from './graphApp';
import { INSTRUCTIONS } from './instructions';
import { registerPrompts } from './prompts';
import { registerResources } from './resources';
import type { Subscriptions } from './subscriptions';
import { toolList } from './toolList';
import type { WorkspaceSession } from './workspaceSession';

/** What every server instance of a process shares, whatever carries its messages. */
export interface Serving {
  readonly host: TransportHost;
  readonly io: ProcessIo;
  readonly tools: readonly ToolRow[];
  readonly autoClaim: boolean;
  readonly session: WorkspaceSession;
  readonly report: (error: Error) => void;
  readonly now: () => number;
  readonly firstIndexLimitMs?: number;
  /** Session of the program that started this process, for a client of that name. */
  readonly startedBy?: ProgramSession | undefined;
}

/** A session of a program for agents, as its hooks name it too. */
export interface ProgramSession {
  readonly client: string;
  readonly sessionId: string;
}

/** How long clients may keep the list of tools, in milliseconds. */
const LIST_LIFETIME_MS = 300_000;
/** What a process offers it offers until it ends; the library would say otherwise by itself. */
const STATIC = { listChanged: false } as const;
const LISTS = ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const;

/** One instance for those who share `sessionId`: a connection, a session, or one request. `subscriptions` where it lives long enough to tell of changes. */
export function newServer(serving: Serving, sessionId: string, subscriptions?: Subscriptions): McpServer {
  const { autoClaim, host, io, now, report, session, startedBy, tools } = serving;
  const server = new McpServer(
    { name: 'lattice', title: 'Lattice', version: host.version },
    {
      capabilities: { tools: STATIC, resources: { subscribe: true, ...STATIC }, prompts: STATIC, completions: {} },
      instructions: INSTRUCTIONS,
      cacheHints: Object.fromEntries(LISTS.map(method => [method, { ttlMs: LIST_LIFETIME_MS, cacheScope: 'private' as const }])),
    },
  );
  const caller: ToolCaller = {
    host,
    tools,
    session,
    sessionId,
    now,
    autoClaim,
    askerOf: context => {
      const client = clientNameOf(server, context);
      const own = startedBy?.client === client ? startedBy.sessionId : sessionId;
      return { agentId: io.env['LATTICE_AGENT_ID'] ?? `${client}:${own.slice(0, 8)}`, sessionId: own };
    },
    ...(serving.firstIndexLimitMs === undefined ? {} : { firstIndexLimitMs: serving.firstIndexLimitMs }),
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
      io.stderr.write(`lattice mcp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      return failure('INTERNAL', 'Internal error. See the log on stderr for details.', 'Try again. If it happens again, run `lattice doctor`.');
    }
  });
  registerResources(server, caller);
  registerGraphApp(server, caller);
  registerPrompts(server, caller);
  subscriptions?.serve(server, startedBy === undefined ? [sessionId] : [sessionId, startedBy.sessionId]);
  return server;
}

/** The name a client gives itself: with each request in the newer era, once in the handshake of the older one. */
function clientNameOf(server: McpServer, context: ServerContext): string {
  const { envelope } = context.mcpReq;
  const info: unknown = envelope === undefined ? server.server.getClientVersion() : Reflect.get(envelope, CLIENT_INFO_META_KEY);
  const name: unknown = typeof info === 'object' && info !== null ? Reflect.get(info, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : 'agent';
}
