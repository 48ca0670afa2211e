import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
