import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { newSessionId } from '../callers';
import { IN_FLIGHT, MAX_MESSAGE_BYTES } from './messageLimits';
import { newServer, type Serving } from './newServer';
import { shapeFault } from './requestShape';
import { Subscriptions } from './subscriptions';

/** A session that nobody asks anything is given up when there are more than this; its client is told to begin anew. */
const MAX_SESSIONS = 100;

interface HttpSession {
  /** Ids of requests that are being answered. */
  readonly inFlight: Set<unknown>;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly subscriptions: Subscriptions;
}

/**
 * Both eras of MCP over HTTP on one workspace: requests that stand by themselves (2026-07-28), and sessions that begin with `initialize`,
 * each with its own identity, so that parallel agents are told apart.
 */
export class HttpSessions {
  /** By session id; the one asked last stands last. */
  readonly #sessions = new Map<string, HttpSession>();
  readonly #modern: McpHttpHandler;
  readonly #listeners: Subscriptions;

  constructor(
    private readonly serving: Serving,
    private readonly followers: Set<Subscriptions>,
  ) {
    const sessionId = newSessionId();
    this.#modern = createMcpHandler(() => newServer(serving, sessionId), { legacy: 'reject', onerror: serving.report });
    this.#listeners = this.#follower();
    this.#listeners.publishTo(async uri => this.#modern.notify.resourceUpdated(uri));
  }

  /** Answers one request that may be answered. `body` is its text. */
  async handle(request: Request, body: string | undefined): Promise<Response> {
    if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type'))) return refusal(415, 'The content type must be application/json.');
    const parsed = parse(body);
    const fault = faultOf(parsed);
    if (fault !== undefined) return fault;
    const options = parsed === undefined ? undefined : { parsedBody: parsed };
    if (!(await isLegacyRequest(request, parsed, { maxRequestBodySize: MAX_MESSAGE_BYTES }))) {
      const { method, params } = Object(parsed) as { readonly method?: unknown; readonly params?: unknown };
      if (typeof method === 'string') this.#listeners.hear(method, params);
      return this.#modern.fetch(request, options);
    }
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await this.#begin()).handleRequest(request, options);
    const session = this.#sessions.get(id);
    if (session === undefined) return refusal(404, 'This session has ended. Start a new one with initialize.');
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const asked = requestsIn(parsed);
    const taken = asked.filter((each, at) => session.inFlight.has(each.id) || asked.findIndex(other => other.id === each.id) !== at);
    if (taken.length > 0) {
      const ids = new Set(taken.map(each => each.id));
      return refused(parsed, asked, each => (ids.has(each.id) ? { code: ProtocolErrorCode.InvalidRequest, message: IN_FLIGHT } : undefined));
    }
    for (const each of asked) session.inFlight.add(each.id);
    // Ends with the response, also when its reader has gone.
    request.signal.addEventListener('abort', () => {
      for (const each of asked) session.inFlight.delete(each.id);
    });
    return session.transport.handleRequest(request, options);
  }

  async close(): Promise<void> {
    this.#drop(this.#listeners);
    await this.#modern.close();
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  /** A session that is not kept unless it was begun with `initialize`. */
  async #begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const subscriptions = new Subscriptions(this.serving.report);
    const sessionId = newSessionId();
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => sessionId,
      onsessioninitialized: () => this.#keep(sessionId, { transport, subscriptions, inFlight: new Set() }),
    });
    await newServer(this.serving, sessionId, subscriptions).connect(transport);
    const close = transport.onclose;
    transport.onclose = () => {
      this.#sessions.delete(sessionId);
      this.#drop(subscriptions);
      close?.();
    };
    return transport;
  }

  async #keep(id: string, session: HttpSession): Promise<void> {
    this.#sessions.set(id, session);
    this.followers.add(session.subscriptions);
    await this.#followNow(session.subscriptions);
    for (const [, { transport }] of [...this.#sessions].slice(0, Math.max(0, this.#sessions.size - MAX_SESSIONS))) await transport.close();
  }

  #follower(): Subscriptions {
    const subscriptions = new Subscriptions(this.serving.report);
    this.followers.add(subscriptions);
    void this.#followNow(subscriptions);
    return subscriptions;
  }

  async #followNow(subscriptions: Subscriptions): Promise<void> {
    const opened = await this.serving.session.gateway;
    if (opened.ok && this.followers.has(subscriptions)) subscriptions.follow(opened.value);
  }

  #drop(subscriptions: Subscriptions): void {
    this.followers.delete(subscriptions);
    subscriptions.dispose();
  }
}

interface AskedRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** The requests of a body, which is one message or, in older versions of the protocol, several. */
function requestsIn(parsed: unknown): readonly AskedRequest[] {
  return [parsed].flat().filter((each): each is AskedRequest => {
    const { id, method } = Object(each) as Readonly<Record<string, unknown>>;
    return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
  });
}

/** The answer to requests of which one has parameters that the protocol does not allow. */
function faultOf(parsed: unknown): Response | undefined {
  const asked = requestsIn(parsed);
  const faults = new Map<AskedRequest, RpcError>();
  for (const each of asked) {
    const message = shapeFault(each.method, each.params);
    if (message !== undefined) faults.set(each, { code: ProtocolErrorCode.InvalidParams, message });
  }
  return faults.size === 0 ? undefined : refused(parsed, asked, each => faults.get(each));
}

interface RpcError {
  readonly code: number;
  readonly message: string;
}

const NOT_CARRIED_OUT: RpcError = { code: ProtocolErrorCode.InvalidRequest, message: 'Not processed, because another request in this batch was rejected.' };

/** Refuses all that was asked with an error for each request, so that nobody waits for an answer. */
function refused(parsed: unknown, asked: readonly AskedRequest[], errorOf: (request: AskedRequest) => RpcError | undefined): Response {
  const all = asked.map(each => ({ jsonrpc: '2.0', id: each.id, error: errorOf(each) ?? NOT_CARRIED_OUT }));
  return Response.json(Array.isArray(parsed) ? all : all[0], { status: 400 });
}

/** `undefined` for invalid JSON: the transport that gets the request reports what is wrong with it. */
function parse(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

function refusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }, { status });
}
