import type { Readable } from 'node:stream';
import { AbstractMessageReader, type DataCallback, type Disposable, type Message } from 'vscode-languageserver/node';

const SEPARATOR = '\r\n\r\n';
/** Longest header block, in bytes; what is longer without an end is no header. */
const MAX_HEADER_BYTES = 16 * 1024;
/** No message is longer, in bytes: who announces more would be waited for without end. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Reads messages framed by `Content-Length`. Unlike the library's reader, it recovers:
 * after a wrong length or stray bytes it continues at the next `Content-Length`. Each fault is reported by `onError`.
 */
export class ResyncingReader extends AbstractMessageReader {
  #buffer: Buffer = Buffer.alloc(0);
  /** Received and not yet joined to the buffer. */
  #pieces: Buffer[] = [];
  #pending = 0;
  /** Bytes that must be there before another look is worth it; keeps a large message that comes in pieces linear. */
  #wanted = 0;
  #callback: DataCallback = () => undefined;

  constructor(private readonly input: Readable) {
    super();
  }

  listen(callback: DataCallback): Disposable {
    this.#callback = callback;
    const onData = (chunk: Buffer | string): void => this.#take(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    this.input.on('data', onData);
    this.input.on('error', error => this.fireError(error));
    this.input.on('close', () => this.fireClose());
    return { dispose: () => this.input.off('data', onData) };
  }

  #take(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#pending += chunk.length;
    if (this.#buffer.length + this.#pending < this.#wanted) return;
    this.#buffer = Buffer.concat([this.#buffer, ...this.#pieces]);
    this.#pieces = [];
    this.#pending = 0;
    while (this.#readOne());
  }

  /** Reads one message or drops one fault; false when more bytes are needed. */
  #readOne(): boolean {
    const end = this.#buffer.indexOf(SEPARATOR);
    if (end < 0) {
      this.#wanted = 0;
      if (this.#buffer.length > MAX_HEADER_BYTES) this.#drop(this.#buffer.length, 'A header has no end.');
      return false;
    }
    const header = /^(?<before>.*)content-length:[ \t]*(?<length>\d{1,15})[ \t]*(?:\r\n|$)/is.exec(this.#buffer.toString('latin1', 0, end))?.groups;
    const start = end + SEPARATOR.length;
    if (header === undefined) return this.#drop(start, 'A header must give Content-Length as a number.');
    if (Number(header['length']) > MAX_BODY_BYTES) return this.#drop(start, `Content-Length must not exceed ${MAX_BODY_BYTES}.`);
    const stop = start + Number(header['length']);
    this.#wanted = stop;
    if (this.#buffer.length < stop) return false;
    this.#wanted = 0;
    if (!/^(?:[\w-]+:[^\r\n]*\r\n)*$/.test(header['before'] ?? '')) this.fireError(new Error('Stray bytes before a header.'));
    const body = this.#buffer.toString('utf8', start, stop);
    this.#buffer = this.#buffer.subarray(stop);
    this.#deliver(body);
    return true;
  }

  #deliver(body: string): void {
    let message: unknown;
    try {
      message = JSON.parse(body);
    } catch {
      this.fireError(new Error('The body of a message is not JSON.'));
      return;
    }
    if (typeof message === 'object' && message !== null) this.#callback(message as Message);
    else this.fireError(new Error('The body of a message is not an object.'));
  }

  #drop(length: number, reason: string): true {
    this.#buffer = this.#buffer.subarray(length);
    this.fireError(new Error(reason));
    return true;
  }
}
