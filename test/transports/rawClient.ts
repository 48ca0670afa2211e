import type { PassThrough } from 'node:stream';
import { CancellationSource } from '../../server/src/base/cancellation';
import { serveMcp } from '../../server/src/transports/mcpServer';
import { type FakeHost, fakeIo } from './fakeHost';

export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that writes raw lines and reads raw lines. */
export class RawClient {
  readonly messages: Message[] = [];
  readonly ended: Promise<number>;
  readonly #input: PassThrough;
  #waiting: { readonly accept: (message: Message) => boolean; readonly resolve: (message: Message) => void }[] = [];
  #id = 0;

  constructor(
    host: FakeHost,
    root: string,
    options: {
      readonly tools?: string;
      readonly firstIndexLimitMs?: number;
      readonly closeLimitMs?: number;
      readonly grantedRoots?: readonly string[];
      readonly env?: Record<string, string>;
    } = {},
  ) {
    const io = fakeIo(root, { env: options.env ?? {} });
    this.#input = io.stdin as PassThrough;
    let rest = '';
    (io.stdout as unknown as PassThrough).on('data', chunk => {
      rest += String(chunk);
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#receive(JSON.parse(line) as Message);
    });
    const selected = host.selectTools(options.tools ?? 'core');
    if (!selected.ok) throw new Error(selected.error.message);
    this.ended = serveMcp({
      host,
      io,
      root,
      tools: selected.value,
      grantedRoots: options.grantedRoots ?? [],
      autoClaim: true,
      now: () => performance.now(),
      token: new CancellationSource().token,
      firstIndexLimitMs: options.firstIndexLimitMs ?? 60_000,
      closeLimitMs: options.closeLimitMs ?? 60_000,
    });
  }

  write(line: string): void {
    this.#input.write(`${line}\n`);
  }

  raw(bytes: Buffer): void {
    this.#input.write(bytes);
  }

  send(message: object): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  request(method: string, params: object = {}): Promise<Message> {
    const id = ++this.#id;
    const answer = this.next(message => message.id === id && message.method === undefined);
    this.send({ id, method, params });
    return answer;
  }

  next(accept: (message: Message) => boolean): Promise<Message> {
    return new Promise(resolve => this.#waiting.push({ accept, resolve }));
  }

  async handshake(protocolVersion = '2025-11-25', name = 'test-client'): Promise<Message> {
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name, version: '1' } });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  call(name: string, input: object = {}, more: object = {}): Promise<Message> {
    return this.request('tools/call', { name, arguments: input, ...more });
  }

  end(): void {
    this.#input.end();
  }

  #receive(message: Message): void {
    this.messages.push(message);
    for (const waiting of this.#waiting.filter(each => each.accept(message))) waiting.resolve(message);
    this.#waiting = this.#waiting.filter(each => !each.accept(message));
  }
}

/** What a request of the newer era carries. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'modern-client', version: '1' },
};
