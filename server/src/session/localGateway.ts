import type { CancellationToken } from '../base/cancellation';
import type { Event } from '../base/emitter';
import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import type { WorkspaceSettings } from '../model/settings';
import type { EngineHealth, IndexProgress, Workspace } from '../workspace/snapshot';
import type { Answering } from './answering';
import type { AttachedCheckout } from './checkoutHost';
import type { Caller, FileEvent, OverlayChange, ToolAnswer, ToolCall } from './gateway';
import type { IdempotentCalls } from './idempotency';

/** The connection to the owner broke; the call may or may not have been carried out. Only the session machinery sees it. */
export class ConnectionLost extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ConnectionLost';
  }
}

/** The owner answered what this version cannot read. Asking again would give the same. Only the session machinery sees it. */
export class UnreadableAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableAnswer';
  }
}

/** A gateway as long as one owner lives: what `projectSession` renews under the transports. Calls throw `ConnectionLost` when it is gone. */
export interface Backend {
  readonly role: 'owner' | 'guest';
  readonly root: string;
  callTool(call: ToolCall, token: CancellationToken): Promise<ToolAnswer>;
  query(feature: string, params: unknown, caller: Caller, token: CancellationToken): Promise<Result<unknown, Failure>>;
  health(): Promise<EngineHealth>;
  ready(token: CancellationToken): Promise<Result<void, Failure>>;
  notifyFiles(events: readonly FileEvent[]): void;
  overlay(changes: readonly OverlayChange[], caller: Caller): void;
  configure(settings: Partial<WorkspaceSettings>): void;
  readonly onProgress: Event<IndexProgress>;
  readonly onRevision: Event<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>;
  readonly onRecords: Event<readonly string[]>;
  close(): void;
}

export interface LocalGatewayOptions {
  readonly checkout: AttachedCheckout;
  readonly answering: Answering;
  readonly calls: IdempotentCalls;
  /** Names this connection, so that sessions of different connections keep their unsaved documents apart. */
  readonly connection: string;
  /** Who is on the other side, when that is another process: it is told that it is a guest. */
  readonly asker?: 'guest';
  /** False when this process has been superseded as owner: nothing may be acknowledged. */
  readonly mayAnswer: () => boolean;
}

/** Answers from an engine in this process: for the owner itself, and on behalf of one guest each. */
export class LocalGateway implements Backend {
  readonly role = 'owner';
  readonly root: string;
  readonly onProgress: Backend['onProgress'];
  readonly onRevision: Backend['onRevision'];
  readonly onRecords: Backend['onRecords'];
  readonly #options: LocalGatewayOptions;
  #closed = false;

  constructor(options: LocalGatewayOptions) {
    this.#options = options;
    this.root = options.checkout.root;
    this.onProgress = options.checkout.onProgress;
    this.onRevision = options.checkout.onRevision;
    this.onRecords = options.checkout.onRecords;
  }

  async callTool(call: ToolCall, token: CancellationToken): Promise<ToolAnswer> {
    const { answering, calls, checkout } = this.#options;
    const run = (): Promise<ToolAnswer> => checkout.answering(() => answering.callTool(this.#workspace(call.caller), call, token));
    return this.#acknowledged(() => (answering.changes(call.name) ? calls.run(call.idempotencyKey, run) : run()));
  }

  async query(feature: string, params: unknown, caller: Caller, token: CancellationToken): Promise<Result<unknown, Failure>> {
    const { answering, checkout } = this.#options;
    return this.#acknowledged(() => checkout.answering(() => answering.query(this.#workspace(caller), feature, params, token)));
  }

  health(): Promise<EngineHealth> {
    return this.#acknowledged(async () => this.#options.checkout.health());
  }

  async ready(token: CancellationToken): Promise<Result<void, Failure>> {
    return this.#acknowledged(() => this.#options.checkout.ready(token));
  }

  notifyFiles(events: readonly FileEvent[]): void {
    this.#options.checkout.notifyFiles(events);
  }

  overlay(changes: readonly OverlayChange[], caller: Caller): void {
    this.#options.checkout.overlay(this.#viewer(caller), changes);
  }

  configure(settings: Partial<WorkspaceSettings>): void {
    this.#options.checkout.configure(settings);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#options.checkout.dispose();
  }

  #workspace(caller: Caller): Workspace {
    const { asker, checkout } = this.#options;
    const workspace = checkout.workspace(caller.kind === 'editor' ? this.#viewer(caller) : undefined);
    if (asker === undefined) return workspace;
    return Object.create(workspace, { health: { value: (): EngineHealth => ({ ...workspace.health(), role: asker }) } }) as Workspace;
  }

  #viewer(caller: Caller): string {
    return `${this.#options.connection}/${caller.sessionId}`;
  }

  /** What a store that is being let go of answers, or fails with, is nobody's answer. */
  async #acknowledged<T>(ask: () => Promise<T>): Promise<T> {
    // What fails before there is a promise fails in the same way.
    const [settled] = await Promise.allSettled([(async () => ask())()]);
    if (this.#closed) throw new ConnectionLost('the checkout was closed');
    if (!this.#options.mayAnswer()) throw new ConnectionLost('another process has become the owner');
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }
}
