import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const MAX_CONNECTIONS = 128;

/**
 * Keeps the number of connections bounded without turning anybody away who has something to ask: the connection that has been without a request
 * for longest makes room. Only when all are being answered is the new one closed.
 */
export function closeIdleConnections(server: Server, most = MAX_CONNECTIONS): void {
  /** Without a request; the one that has been so for longest stands first. */
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', socket => {
    open++;
    idle.add(socket);
    socket.once('close', () => {
      open--;
      idle.delete(socket);
    });
    if (open <= most) return;
    const [oldest = socket] = idle;
    idle.delete(oldest);
    oldest.destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}

const NOT_ALLOWED = '405 Method Not Allowed';
const STATUS: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: NOT_ALLOWED,
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers requests that never reach a handler: methods that HTTP does not know, `CONNECT`, and what is no request at all. */
export function refuseUnreadable(server: Server, methods: readonly string[]): void {
  const end = (socket: Duplex, status: string): void => {
    if (!socket.writable) socket.destroy();
    else
      socket.end(
        `HTTP/1.1 ${status}\r\n${status === NOT_ALLOWED ? `Allow: ${methods.join(', ')}\r\n` : ''}Content-Length: 0\r\nConnection: close\r\n\r\n`,
        () => socket.destroy(),
      );
  };
  server.on('connect', (_, socket) => end(socket, NOT_ALLOWED));
  server.on('clientError', (error, socket) => end(socket, STATUS['code' in error ? String(error.code) : ''] ?? '400 Bad Request'));
}
