import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostHeaderValidationResponse, localhostAllowedHostnames, localhostAllowedOrigins, originValidationResponse } from '@modelcontextprotocol/server';
import { err, type Failure, ok, type Result } from '../../base/result';
import { closeIdleConnections, refuseUnreadable } from './httpConnections';
import { HttpSessions } from './httpSessions';
import { type HttpToken, httpToken } from './httpToken';
import { agentCard, CARD_PATH, isLoopback } from './instructions';
import { MAX_MESSAGE_BYTES, TOO_LONG } from './messageLimits';
import type { Serving } from './newServer';
import type { Subscriptions } from './subscriptions';

/** Where to listen. Port 0 takes any that is free. */
export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** Names under which clients reach this machine, besides those of the loopback interface. */
  readonly names: readonly string[];
}

export interface HttpEndpointOptions {
  readonly serving: Serving;
  readonly address: HttpAddress;
  readonly dataFolder: string;
  /** Listeners for the workspace that is open. */
  readonly followers: Set<Subscriptions>;
}

export interface HttpEndpoint {
  readonly url: string;
  /** File with the bearer token. */
  readonly tokenPath: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
const METHODS = ['GET', 'POST', 'DELETE'];
/** How long a client may take to send its headers, and a whole request, in milliseconds. */
const MAX_HEADERS_MS = 10_000;
const MAX_REQUEST_MS = 60_000;

/**
 * MCP over HTTP (Streamable HTTP) at `/mcp`. Every request is refused that does not name this machine as its host, comes from a foreign web page,
 * or lacks the token of this user's data folder: being able to reach a port is no right to read the code. The agent card alone needs no token on this machine.
 */
export async function listenOnHttp(options: HttpEndpointOptions): Promise<Result<HttpEndpoint, Failure>> {
  const { address, dataFolder, followers, serving } = options;
  let token: HttpToken;
  try {
    token = await httpToken(dataFolder);
  } catch (error) {
    return err({ code: 'UNAVAILABLE', message: `The HTTP token cannot be saved in ${dataFolder}: ${messageOf(error)}` });
  }
  const sessions = new HttpSessions(serving, followers);
  const server = createServer({ headersTimeout: MAX_HEADERS_MS, requestTimeout: MAX_REQUEST_MS }, (request, response) => {
    answer({ request, response, token, address, sessions, serving }).catch((error: unknown) => {
      serving.report(error instanceof Error ? error : new Error(String(error)));
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'Internal error.');
    });
  });
  closeIdleConnections(server);
  refuseUnreadable(server, METHODS);
  const bound = await listening(server, address);
  if (!bound.ok) {
    await sessions.close();
    return bound;
  }
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const close = async (): Promise<void> => {
    await sessions.close();
    server.closeAllConnections();
    await new Promise<void>(resolve => {
      server.close(() => resolve());
    });
  };
  return ok({ url: `http://${host}:${bound.value.port}${PATH}`, tokenPath: token.path, close });
}

function listening(server: Server, { host, port }: HttpAddress): Promise<Result<AddressInfo, Failure>> {
  return new Promise(resolve => {
    server.once('error', error => {
      const advice = 'code' in error && error.code === 'EADDRINUSE' ? ' Use another port, or 0 for any free port.' : '';
      resolve(err({ code: 'UNAVAILABLE', message: `Cannot listen on ${host}:${port}: ${messageOf(error)}.${advice}` }));
    });
    server.listen(port, host, () => resolve(ok(server.address() as AddressInfo)));
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly token: HttpToken;
  readonly address: HttpAddress;
  readonly sessions: HttpSessions;
  readonly serving: Serving;
}

async function answer({ address, request, response, serving, sessions, token }: Exchange): Promise<void> {
  const method = request.method ?? '';
  if (!METHODS.includes(method)) {
    response.setHeader('allow', METHODS.join(', '));
    return refuse(response, 405, `The MCP endpoint accepts ${METHODS.join(', ')}.`);
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) for (const each of [value ?? []].flat()) headers.append(name, each);
  // The path alone counts: what the request claims to be its host is checked below and never used.
  const url = new URL(request.url?.startsWith('/') === true ? request.url : '/', 'http://localhost');
  const asked = new Request(url, { method, headers, signal: gone.signal });
  const hosts = [...localhostAllowedHostnames(), ...address.names];
  const foreign = hostHeaderValidationResponse(asked, hosts) ?? originValidationResponse(asked, [...localhostAllowedOrigins(), ...address.names]);
  if (foreign !== undefined) return send(foreign, request, response);
  if (url.pathname === CARD_PATH && method === 'GET' && isLoopback(request.socket.remoteAddress)) {
    response.writeHead(200, { 'content-type': 'application/ld+json' });
    response.end(JSON.stringify(agentCard(serving, PATH)));
    return;
  }
  if (url.pathname !== PATH) return refuse(response, 404, `The MCP endpoint is ${PATH}.`);
  if (!token.admits(headers.get('authorization'))) {
    response.setHeader('www-authenticate', 'Bearer');
    return refuse(response, 401, `A bearer token is required. It is in the file mcp-token in the Lattice data folder.`);
  }
  if (method !== 'POST') return send(await sessions.handle(asked, undefined), request, response);
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, 413, TOO_LONG);
  await send(await sessions.handle(new Request(url, { method, headers, body, signal: gone.signal }), body), request, response);
}

/** `undefined` when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_MESSAGE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function send(answered: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // What is left of a body that nobody wants to read must not block the connection.
  request.resume();
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answered.body.getReader();
  response.once('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    if (!response.write(value))
      await new Promise<void>(resolve => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
  }
  response.end();
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
