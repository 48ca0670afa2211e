import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { IN_FLIGHT, MAX_MESSAGE_BYTES, TOO_LONG } from './messageLimits';
import { shapeFault } from './requestShape';

/** How long lines may be read in one go before others have their turn, in milliseconds. */
const TURN_MS = 8;
/** How long requests in flight may still be answered after stdin has ended, in milliseconds: what `printf … | lattice mcp` relies on. */
const MAX_DRAIN_MS = 2000;

type MessageId = string | number;

/** What is kept of each end of a line that is too long. */
const LINE_END_BYTES = 1024;
const ID = /"id"\s*:\s*(?<id>-?\d{1,15}|"[^"\\]{0,200}")/.source;
const OTHERS = /"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"/.source;
/** A member of the message itself: only its short members stand between the id and the begin or the end. */
const ID_AT_BEGIN = new RegExp(`^\\s*\\{\\s*(?:${OTHERS}\\s*,\\s*)*${ID}\\s*,`);
const ID_AT_END = new RegExp(`,\\s*${ID}\\s*(?:,\\s*${OTHERS}\\s*)*\\}\\s*$`);

/** The id of a message of which only begin and end are there. */
function idOfLong(begin: string, end: string): MessageId | undefined {
  const found = (ID_AT_BEGIN.exec(begin) ?? ID_AT_END.exec(end))?.groups?.['id'];
  return found === undefined ? undefined : (JSON.parse(found) as MessageId);
}

/**
 * MCP's stdio framing: one JSON-RPC message per line, in both directions.
 * Many lines at once are read in turns with everything else. A line that is no message is answered with a protocol error and the connection lives on; the end of stdin closes it,
 * at once or as soon as the requests in flight are answered.
 */
export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** Called once after the connection is closed; the SDK takes `onclose` for itself. */
  onended?: (() => void) | undefined;
  /** Hears every request before it is served: the SDK serves `subscriptions/listen` by itself and tells nobody what was asked for. */
  onrequest?: ((method: string, params: unknown) => void) | undefined;

  /** Requests whose answer has not left yet. */
  readonly #unanswered = new Set<MessageId>();
  /** Requests without an answer: an id is free again as soon as its answer is on the way. */
  readonly #inFlight = new Set<MessageId>();
  /** Come and not yet cut into lines. */
  readonly #unread: Buffer[] = [];
  #isReading = false;
  #hasEnded = false;
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  /** The line is too long to be read: only its begin and its end are kept, for the id. */
  #skippingLine = false;
  #lineBegin = Buffer.alloc(0);
  #lineEnd = Buffer.alloc(0);
  #ended = false;
  #closed = false;
  #drainTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {}

  async start(): Promise<void> {
    this.input.on('data', this.#onData);
    this.input.on('end', this.#onEnd);
    this.input.on('close', this.#onEnd);
    this.input.on('error', this.#onInputError);
    this.output.on('error', this.#onOutputError);
    if (this.input.readableEnded || this.input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return;
    if (!('method' in message) && message.id !== undefined) this.#inFlight.delete(message.id);
    await this.#write(message);
    if (!('method' in message) && message.id !== undefined) this.#answered(message.id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#drainTimer);
    this.input.off('data', this.#onData);
    this.input.pause();
    this.#chunks = [];
    this.onclose?.();
    this.onended?.();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#unread.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    if (!this.#isReading) this.#read();
  };

  /** Goes through what has come until its turn is over; meanwhile nothing more is taken in. */
  #read(): void {
    const until = performance.now() + TURN_MS;
    this.#isReading = true;
    for (let rest = this.#unread.shift(); rest !== undefined; rest = this.#unread.shift()) {
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        this.#take(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
        this.#endLine();
        if (this.#closed) return;
        if (performance.now() < until) continue;
        this.#unread.unshift(rest);
        this.input.pause();
        setImmediate(() => this.#read());
        return;
      }
      this.#take(rest);
    }
    this.#isReading = false;
    if (this.#hasEnded) this.#onEnd();
    else this.input.resume();
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (this.#ended || this.#closed || this.#isReading) return;
    this.#ended = true;
    if (this.#bufferedBytes > 0 || this.#skippingLine) this.#endLine();
    if (this.#unanswered.size === 0) void this.close();
    else this.#drainTimer = setTimeout(() => void this.close(), MAX_DRAIN_MS);
  };

  readonly #onInputError = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  readonly #onOutputError = (error: Error): void => {
    if (!this.#closed) this.onerror?.(error);
    void this.close();
  };

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#skippingLine) {
      // A copy: the whole of what came is not to be kept for it.
      this.#lineEnd = Buffer.from(Buffer.concat([this.#lineEnd, piece.subarray(-LINE_END_BYTES)]).subarray(-LINE_END_BYTES));
      return;
    }
    this.#bufferedBytes += piece.length;
    this.#chunks.push(piece);
    if (this.#bufferedBytes <= MAX_MESSAGE_BYTES) return;
    const line = Buffer.concat(this.#chunks);
    this.#skippingLine = true;
    this.#lineBegin = Buffer.from(line.subarray(0, LINE_END_BYTES));
    this.#lineEnd = Buffer.from(line.subarray(-LINE_END_BYTES));
    this.#chunks = [];
    this.#bufferedBytes = 0;
  }

  /** Without its id, the client would wait for an answer until its own timeout. */
  #refuseLong(): void {
    const found = idOfLong(this.#lineBegin.toString('utf8'), this.#lineEnd.toString('utf8'));
    this.#skippingLine = false;
    this.#lineBegin = this.#lineEnd = Buffer.alloc(0);
    this.#refuse(found === undefined || this.#inFlight.has(found) ? null : found, ProtocolErrorCode.InvalidRequest, TOO_LONG);
  }

  #endLine(): void {
    if (this.#skippingLine) return this.#refuseLong();
    const line = Buffer.concat(this.#chunks).toString('utf8').trim();
    this.#chunks = [];
    this.#bufferedBytes = 0;
    if (line !== '') this.#receive(line);
  }

  #receive(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, 'Parse error: each line must contain one JSON-RPC message.');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuseValue(value);
      return;
    }
    if ('method' in message && 'id' in message) {
      const fault = shapeFault(message.method, message.params);
      if (this.#inFlight.has(message.id)) return this.#refuse(message.id, ProtocolErrorCode.InvalidRequest, IN_FLIGHT);
      if (fault !== undefined) return this.#refuse(message.id, ProtocolErrorCode.InvalidParams, fault);
      this.#inFlight.add(message.id);
      this.#unanswered.add(message.id);
      this.onrequest?.(message.method, message.params);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.['requestId'];
      if (typeof cancelled === 'string' || typeof cancelled === 'number') {
        this.#inFlight.delete(cancelled);
        this.#answered(cancelled);
      }
    }
    this.onmessage?.(message);
  }

  /** A notification that is malformed is dropped, as JSON-RPC demands; anything else is answered. */
  #refuseValue(value: unknown): void {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const id: unknown = isObject ? Reflect.get(value, 'id') : undefined;
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    const isNotification = isObject && typeof Reflect.get(value, 'method') === 'string' && !('id' in value);
    if (isNotification) this.onerror?.(new Error('Dropped a malformed notification.'));
    else
      this.#refuse(
        known,
        ProtocolErrorCode.InvalidRequest,
        Array.isArray(value) ? 'Invalid request: batches are not supported.' : 'Invalid request: not a JSON-RPC 2.0 message.',
      );
  }

  #refuse(id: MessageId | null, code: number, message: string): void {
    this.onerror?.(new Error(message));
    void this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #answered(id: MessageId): void {
    this.#unanswered.delete(id);
    if (this.#ended && this.#unanswered.size === 0) void this.close();
  }

  /** Resolves when the message has left, also when the reader has gone (then `error` closes the connection). */
  async #write(message: object): Promise<void> {
    await new Promise<void>(resolve => {
      this.output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }
}
