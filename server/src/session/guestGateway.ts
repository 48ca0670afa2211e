import { type CancellationToken, Cancelled } from '../base/cancellation';
import { Emitter } from '../base/emitter';
import type { WorkspacePath } from '../base/path';
import { err, type Failure, ok, type Result } from '../base/result';
import type { WorkspaceSettings } from '../model/settings';
import type { EngineHealth, IndexProgress } from '../workspace/snapshot';
import { type Channel, connectChannel } from './channel';
import type { AttachOptions } from './checkoutHost';
import type { Caller, FileEvent, OverlayChange, ToolAnswer, ToolCall } from './gateway';
import { type Backend, ConnectionLost } from './localGateway';
import { type ProtocolRange, type Request, readWelcome, type Welcome } from './messages';
import type { Liveness, OwnerCard } from './ownerLock';
import { type Frame, MAX_FRAME_BYTES } from './wire';

const CONNECT_TIMEOUT_MS = 5_000;
/** An owner that says nothing for this long, though it was asked, is taken for gone. */
export const SILENCE_MS = 10_000;
const PING_EVERY_MS = 2_500;
/** Cancellation tokens have no event, so they are looked at while a call is under way. */
const CANCEL_POLL_MS = 20;

/** Whether anybody is behind a card. Does not need the token, nor a common protocol. */
export async function livenessOf(card: OwnerCard): Promise<Liveness> {
  for (let attempt = 0; ; attempt++) {
    const connected = await connectChannel(card.address, 64 * 1024, CONNECT_TIMEOUT_MS);
    if (connected.ok) return (await answersWithin(connected.value, SILENCE_MS)) ? 'alive' : 'silent';
    if (connected.error.code !== 'REFUSED') return 'silent';
    // A full backlog looks like a refusal on some systems: ask again before believing it.
    if (attempt === 2) return 'dead';
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

function answersWithin(channel: Channel, timeoutMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const end = (answer: boolean): void => {
      clearTimeout(timer);
      resolve(answer);
      channel.close('asked whether it lives');
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    channel.listen(() => end(true));
    channel.onClose(() => end(false));
    channel.send({ type: 'probe' });
  });
}

/** Codes: those of `RefusalCode`, `REFUSED` when nobody listens, `TIMEOUT`. */
export async function connectGuest(card: OwnerCard, root: string, attach: AttachOptions, versions: ProtocolRange): Promise<Result<GuestGateway>> {
  const connected = await connectChannel(card.address, MAX_FRAME_BYTES, CONNECT_TIMEOUT_MS);
  if (!connected.ok) return connected;
  const channel = connected.value;
  return new Promise(resolve => {
    let guest: GuestGateway | undefined;
    const timer = setTimeout(
      () => fail('TIMEOUT', `The owner (process ${card.pid}) accepted the connection and said nothing for ${SILENCE_MS} ms.`),
      SILENCE_MS,
    );
    const fail = (code: string, message: string): void => {
      clearTimeout(timer);
      resolve(err({ code, message }));
      channel.close(message);
    };
    channel.onClose(reason => {
      if (guest === undefined) fail('REFUSED', reason);
    });
    channel.listen(frame => {
      if (guest !== undefined) {
        guest.receive(frame);
        return;
      }
      const greeting = readWelcome(frame);
      if (greeting === undefined) return;
      if (greeting.type === 'refused') fail(greeting.code, greeting.message);
      else {
        clearTimeout(timer);
        guest = new GuestGateway(channel, greeting);
        resolve(ok(guest));
      }
    });
    const { settings, watch, longLived } = attach;
    channel.send({ type: 'hello', ...versions, token: card.token, root, watch, longLived, pid: process.pid, ...(settings === undefined ? {} : { settings }) });
  });
}

interface Pending {
  readonly token: CancellationToken | undefined;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The same face as `LocalGateway`, with the engine in another process. */
export class GuestGateway implements Backend {
  readonly role = 'guest';
  readonly root: string;
  readonly #progress = new Emitter<IndexProgress>();
  readonly #revision = new Emitter<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>();
  readonly #records = new Emitter<readonly string[]>();
  readonly #lost = new Emitter<string>();
  readonly #pending = new Map<number, Pending>();
  readonly #heart: NodeJS.Timeout;
  #cancelPoll: NodeJS.Timeout | undefined;
  #nextId = 1;
  #heardAt = performance.now();
  #pingedAt: number | undefined;

  readonly onProgress = this.#progress.event;
  readonly onRevision = this.#revision.event;
  readonly onRecords = this.#records.event;
  /** Fires once when the owner is gone. */
  readonly onLost = this.#lost.event;

  constructor(
    private readonly channel: Channel,
    private readonly welcome: Welcome,
  ) {
    this.root = welcome.root;
    this.#heart = setInterval(() => this.#beat(), PING_EVERY_MS);
    this.#heart.unref();
    channel.onClose(reason => this.#end(reason));
  }

  get lost(): boolean {
    return this.channel.closedBecause !== undefined;
  }

  callTool(call: ToolCall, token: CancellationToken): Promise<ToolAnswer> {
    return this.#ask('callTool', { call }, token) as Promise<ToolAnswer>;
  }

  query(feature: string, params: unknown, caller: Caller, token: CancellationToken): Promise<Result<unknown, Failure>> {
    return this.#ask('query', { feature, params, caller }, token) as Promise<Result<unknown, Failure>>;
  }

  async health(): Promise<EngineHealth> {
    const health = (await this.#ask('health', {}, undefined)) as EngineHealth;
    return { ...health, role: 'guest', ownerPid: this.welcome.pid };
  }

  ready(token: CancellationToken): Promise<Result<void, Failure>> {
    return this.#ask('ready', {}, token) as Promise<Result<void, Failure>>;
  }

  notifyFiles(events: readonly FileEvent[]): void {
    this.channel.send({ type: 'files', events });
  }

  overlay(changes: readonly OverlayChange[], caller: Caller): void {
    this.channel.send({ type: 'overlay', changes, caller });
  }

  configure(settings: Partial<WorkspaceSettings>): void {
    this.channel.send({ type: 'configure', settings });
  }

  close(): void {
    this.channel.close('this guest has left');
  }

  receive(frame: Frame): void {
    this.#heardAt = performance.now();
    this.#pingedAt = undefined;
    switch (frame['type']) {
      case 'response':
        this.#settle(frame);
        return;
      case 'progress':
        this.#progress.fire(frame['event'] as IndexProgress);
        return;
      case 'revision':
        this.#revision.fire(frame['event'] as { revision: number; changed: WorkspacePath[] });
        return;
      case 'records':
        this.#records.fire(frame['areas'] as readonly string[]);
        return;
      case 'bye':
        this.channel.close(String(frame['reason']));
        return;
      default:
        return;
    }
  }

  #ask(method: Request['method'], params: Frame, token: CancellationToken | undefined): Promise<unknown> {
    if (this.channel.closedBecause !== undefined) return Promise.reject(new ConnectionLost(this.channel.closedBecause));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { token, resolve, reject });
      this.#cancelPoll ??= setInterval(() => this.#lookAtTokens(), CANCEL_POLL_MS);
      this.channel.send({ type: 'request', id, method, params });
    });
  }

  #settle(frame: Frame): void {
    const id = Number(frame['id']);
    const pending = this.#forget(id);
    if (pending === undefined) return;
    const error = frame['error'] as Failure | undefined;
    if (error === undefined) pending.resolve(frame['value']);
    else pending.reject(error.code === 'CANCELLED' ? new Cancelled() : new Error(error.message));
  }

  #forget(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) {
      clearInterval(this.#cancelPoll);
      this.#cancelPoll = undefined;
    }
    return pending;
  }

  #lookAtTokens(): void {
    for (const [id, pending] of this.#pending) {
      if (pending.token?.isCancellationRequested !== true) continue;
      this.channel.send({ type: 'cancel', id });
      this.#forget(id);
      pending.reject(new Cancelled());
    }
  }

  #beat(): void {
    const now = performance.now();
    if (this.#pingedAt !== undefined && now - this.#pingedAt > SILENCE_MS) {
      this.channel.close(`the owner (process ${this.welcome.pid}) has not answered for ${SILENCE_MS} ms`);
      return;
    }
    if (this.#pingedAt === undefined && now - this.#heardAt >= PING_EVERY_MS && this.welcome.protocol >= 2) {
      this.#pingedAt = now;
      this.channel.send({ type: 'ping' });
    }
  }

  #end(reason: string): void {
    clearInterval(this.#heart);
    clearInterval(this.#cancelPoll);
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    this.#lost.fire(reason);
    for (const { reject } of pending) reject(new ConnectionLost(reason));
  }
}
