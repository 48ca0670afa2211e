import { connect, type Socket } from 'node:net';
import { Emitter, type Event } from '../base/emitter';
import { err, ok, type Result } from '../base/result';
import { messageOf } from './addresses';
import { encodeFrame, type Frame, FrameDecoder, MAX_FRAME_BYTES } from './wire';

/** What may wait for a peer that has stopped reading (a suspended process), in bytes; then it loses the connection. */
const MAX_UNREAD_BYTES = 4 * MAX_FRAME_BYTES;

/** One connection, seen as frames. Says once that it closed, with the reason. */
export class Channel {
  readonly #decoder: FrameDecoder;
  readonly #frames = new Emitter<Frame>();
  readonly #closed = new Emitter<string>();
  #reason: string | undefined;
  #early: Frame[] | undefined = [];

  constructor(
    readonly socket: Socket,
    maxInboundBytes: number,
  ) {
    this.#decoder = new FrameDecoder(maxInboundBytes);
    socket.on('data', chunk => this.#receive(chunk));
    socket.on('error', error => this.#end(messageOf(error)));
    socket.on('close', () => this.#end('the other side closed the connection'));
    socket.on('end', () => this.#end('the other side closed the connection'));
  }

  get closedBecause(): string | undefined {
    return this.#reason;
  }

  /** Frames that came before the first listener are kept for it. */
  listen(listener: (frame: Frame) => void): void {
    this.#frames.event(listener);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const frame of early) listener(frame);
  }

  readonly onClose: Event<string> = listener => {
    if (this.#reason === undefined) return this.#closed.event(listener);
    listener(this.#reason);
    return { dispose: () => undefined };
  };

  allow(maxInboundBytes: number): void {
    this.#decoder.maxBytes = maxInboundBytes;
  }

  send(frame: Frame): void {
    if (this.#reason !== undefined) return;
    this.socket.write(encodeFrame(frame));
    if (this.socket.writableLength <= MAX_UNREAD_BYTES) return;
    this.#end('the other side does not read');
    this.socket.destroy();
  }

  /** Sends what is queued, then closes. */
  close(reason: string): void {
    if (this.#reason !== undefined) return;
    this.socket.end();
    this.#end(reason);
    const socket = this.socket;
    const timer = setTimeout(() => socket.destroy(), 1_000);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  }

  #receive(chunk: Buffer): void {
    if (this.#reason !== undefined) return;
    const frames = this.#decoder.push(chunk);
    if (!frames.ok) {
      this.send({ type: 'refused', code: 'MALFORMED', message: frames.error.message, protocol: 0 });
      this.close(frames.error.message);
      return;
    }
    for (const frame of frames.value) {
      if (this.#early !== undefined) this.#early.push(frame);
      else this.#frames.fire(frame);
    }
  }

  #end(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#closed.fire(reason);
    this.#closed.dispose();
    this.#frames.dispose();
  }
}

/** Codes: `REFUSED` when nothing listens, `MISSING` when there is no socket that this process may use, `TIMEOUT` when nobody accepts in time, `UNAVAILABLE` otherwise. */
export function connectChannel(address: string, maxInboundBytes: number, timeoutMs: number): Promise<Result<Channel>> {
  return new Promise(resolve => {
    const socket = connect(address);
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(err({ code: 'TIMEOUT', message: `no process accepted the connection to ${address} within ${timeoutMs} ms` }));
    }, timeoutMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve(ok(new Channel(socket, maxInboundBytes)));
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const code = error.code === 'ECONNREFUSED' ? 'REFUSED' : MISSING.has(error.code ?? '') ? 'MISSING' : 'UNAVAILABLE';
      resolve(err({ code, message: error.message }));
    });
  });
}

const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENOTSOCK', 'EACCES', 'EPERM', 'ENAMETOOLONG']);
