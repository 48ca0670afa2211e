import { type CancellationToken, Cancelled, onCancelled } from '../base/cancellation';
import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { WorkspacePath } from '../base/path';
import { err, type Failure, ok, type Result } from '../base/result';
import type { WorkspaceSettings } from '../model/settings';
import type { EngineHealth, IndexProgress } from '../workspace/snapshot';
import type { Channel } from './channel';
import type { AttachOptions } from './checkoutHost';
import type { Caller, FileEvent, OverlayChange, ToolAnswer, ToolCall } from './gateway';
import { probe, reachOwner } from './liveness';
import { type Backend, ConnectionLost, UnreadableAnswer } from './localGateway';
import {
  type ProtocolRange,
  type Request,
  readAreas,
  readHealth,
  readProgress,
  readResult,
  readRevision,
  readToolAnswer,
  readWelcome,
  type Welcome,
} from './messages';
import { type OwnerCard, SILENCE_MS } from './ownerLock';
import { type Frame, MAX_FRAME_BYTES } from './wire';

/** An idle connection is looked after this often, … */
const PING_EVERY_MS = 2_500;
/** … one on which somebody waits for an answer this often. */
const PING_WHILE_WAITING_MS = 500;

/** Codes: those of `RefusalCode`, `REFUSED` when nobody listens, `MISSING` when there is no socket, `TIMEOUT` when the owner no longer lives. It may take its time to open the project. */
export async function connectGuest(card: OwnerCard, root: string, attach: AttachOptions, versions: ProtocolRange): Promise<Result<GuestGateway>> {
  const connected = await reachOwner(card, MAX_FRAME_BYTES);
  if (!connected.ok) return connected;
  const channel = connected.value;
  return new Promise(resolve => {
    let guest: GuestGateway | undefined;
    const look = async (): Promise<void> => {
      if ((await probe(card)) !== 'alive') fail('TIMEOUT', `The owner (process ${card.pid}) accepted the connection but does not respond.`);
      else if (guest === undefined && channel.closedBecause === undefined) timer = setTimeout(() => void look(), SILENCE_MS);
    };
    let timer = setTimeout(() => void look(), SILENCE_MS);
    const fail = (code: string, message: string): void => {
      if (guest !== undefined) return;
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

/** Events that cannot be read are left out: a newer owner may know more of them. */
function fire<Value>(emitter: Emitter<Value>, value: Value | undefined): void {
  if (value !== undefined) emitter.fire(value);
}

interface Pending {
  /** To the token of who asked. */
  listening: Disposable | undefined;
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
  #heart: NodeJS.Timeout | undefined;
  #beatAt = performance.now();
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
    this.#pace();
    channel.onClose(reason => this.#end(reason));
  }

  get lost(): boolean {
    return this.channel.closedBecause !== undefined;
  }

  callTool(call: ToolCall, token: CancellationToken): Promise<ToolAnswer> {
    return this.#ask('callTool', { call }, token, readToolAnswer);
  }

  query(feature: string, params: unknown, caller: Caller, token: CancellationToken): Promise<Result<unknown, Failure>> {
    return this.#ask('query', { feature, params, caller }, token, readResult);
  }

  async health(): Promise<EngineHealth> {
    const health = await this.#ask('health', {}, undefined, readHealth);
    return { ...health, role: 'guest', ownerPid: this.welcome.pid };
  }

  ready(token: CancellationToken): Promise<Result<void, Failure>> {
    return this.#ask('ready', {}, token, readResult) as Promise<Result<void, Failure>>;
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
    this.channel.close('this guest was closed');
  }

  receive(frame: Frame): void {
    this.#heardAt = performance.now();
    this.#pingedAt = undefined;
    switch (frame['type']) {
      case 'response':
        this.#settle(frame);
        return;
      case 'progress':
        fire(this.#progress, readProgress(frame['event']));
        return;
      case 'revision':
        fire(this.#revision, readRevision(frame['event']));
        return;
      case 'records':
        fire(this.#records, readAreas(frame['areas']));
        return;
      case 'bye':
        this.channel.close(String(frame['reason']));
        return;
      default:
        return;
    }
  }

  /** `read` makes sure that an answer is one; what it does not know of a newer owner's stays in it. */
  #ask<Value>(method: Request['method'], params: Frame, token: CancellationToken | undefined, read: (value: unknown) => Value | undefined): Promise<Value> {
    if (this.channel.closedBecause !== undefined) return Promise.reject(new ConnectionLost(this.channel.closedBecause));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const take = (value: unknown): void => {
        const answer = read(value);
        if (answer === undefined) reject(new UnreadableAnswer(this.#unreadable(method)));
        else resolve(answer);
      };
      const pending: Pending = { listening: undefined, resolve: take, reject };
      this.#pending.set(id, pending);
      if (this.#pending.size === 1) this.#pace();
      this.channel.send({ type: 'request', id, method, params });
      if (token !== undefined) pending.listening = onCancelled(token, () => this.#cancel(id));
    });
  }

  #unreadable(method: string): string {
    const { engineVersion, pid } = this.welcome;
    return `The owner (process ${pid}, version ${engineVersion}) answered "${method}" in a way that this version cannot read. Use the same version everywhere.`;
  }

  #settle(frame: Frame): void {
    const id = Number(frame['id']);
    const pending = this.#forget(id);
    if (pending === undefined) return;
    const error = frame['error'] as Partial<Failure> | null | undefined;
    if (error === undefined) pending.resolve(frame['value']);
    else pending.reject(error?.code === 'CANCELLED' ? new Cancelled() : new Error(String(error?.message)));
  }

  #forget(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#pace();
    pending?.listening?.dispose();
    return pending;
  }

  #cancel(id: number): void {
    this.channel.send({ type: 'cancel', id });
    this.#forget(id)?.reject(new Cancelled());
  }

  #beat(): void {
    const now = performance.now();
    // A process that stood still itself has heard nothing: the owner gets its time anew.
    if (now - this.#beatAt > SILENCE_MS && this.#pingedAt !== undefined) this.#pingedAt = now;
    this.#beatAt = now;
    if (this.#pingedAt !== undefined && now - this.#pingedAt > SILENCE_MS) {
      this.channel.close(`the owner (process ${this.welcome.pid}) has not answered for ${SILENCE_MS} ms`);
      return;
    }
    const pingAfter = this.#pending.size > 0 ? PING_WHILE_WAITING_MS : PING_EVERY_MS;
    if (this.#pingedAt === undefined && now - this.#heardAt >= pingAfter && this.welcome.protocol >= 2) {
      this.#pingedAt = now;
      this.channel.send({ type: 'ping' });
    }
  }

  /** Beats as fast as somebody waits. */
  #pace(): void {
    clearInterval(this.#heart);
    if (this.channel.closedBecause !== undefined) return;
    this.#beatAt = performance.now();
    this.#heart = setInterval(() => this.#beat(), this.#pending.size > 0 ? PING_WHILE_WAITING_MS : PING_EVERY_MS);
    this.#heart.unref();
  }

  #end(reason: string): void {
    clearInterval(this.#heart);
    const pending = [...this.#pending.keys()].flatMap(id => this.#forget(id) ?? []);
    this.#lost.fire(reason);
    for (const { reject } of pending) reject(new ConnectionLost(reason));
  }
}
