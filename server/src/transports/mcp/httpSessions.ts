import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { newSessionId } from '../callers';
import { newServer, type Serving } from './newServer';
import { Subscriptions } from './subscriptions';

/** A session that nobody asks anything is given up when there are more than this; its client is told to begin anew. */
const MOST_SESSIONS = 100;
/** Longest body, in characters, that is looked into for its era; the caller has bounded it in bytes. */
const LONGEST_BODY = 10 * 1024 * 1024;

interface HttpSession {
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
    const options = parsed === undefined ? undefined : { parsedBody: parsed };
    if (!(await isLegacyRequest(request, parsed, { maxRequestBodySize: LONGEST_BODY }))) {
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
      onsessioninitialized: () => this.#keep(sessionId, { transport, subscriptions }),
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
    for (const [, { transport }] of [...this.#sessions].slice(0, Math.max(0, this.#sessions.size - MOST_SESSIONS))) await transport.close();
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

/** `undefined` for no JSON: whoever is handed the request says what is wrong with it. */
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
