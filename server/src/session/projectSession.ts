import { randomBytes } from 'node:crypto';
import { type CancellationToken, throwIfCancelled } from '../base/cancellation';
import { type Disposable, DisposableStore } from '../base/disposable';
import { Emitter } from '../base/emitter';
import type { WorkspacePath } from '../base/path';
import type { Log } from '../base/ports';
import { err, type Failure, ok, type Result } from '../base/result';
import type { WorkspaceSettings } from '../model/settings';
import type { EngineHealth, IndexProgress } from '../workspace/snapshot';
import { messageOf, removeSocketPlace, type SocketPlace, socketAddress, socketsOf, usablePlace } from './addresses';
import { type Answering, failedAnswer } from './answering';
import type { AttachOptions, CheckoutHost } from './checkoutHost';
import type { Caller, FileEvent, Gateway, OverlayChange, ToolAnswer, ToolCall } from './gateway';
import { connectGuest } from './guestGateway';
import { IdempotentCalls } from './idempotency';
import { answerKnocks } from './knocks';
import { livenessOf, MAX_RESCUE_MS, SUCCESSOR_MS, waitForOwnersToExit } from './liveness';
import { type Backend, ConnectionLost, LocalGateway, UnreadableAnswer } from './localGateway';
import type { ProtocolRange } from './messages';
import { type Candidate, claimOwnership, type OwnerCard, type OwnerLease, readNewestCard } from './ownerLock';
import { OwnerServer } from './ownerServer';
import { processOrigin } from './processOrigin';
import { SocketKeeper } from './socketKeeper';

/**
 * Door of the session room: one gateway per folder, for owners and guests alike.
 *
 * The first process of a project becomes its owner and serves the others on a local socket; when it goes, the others race for its place
 * and calls in flight are asked again under their idempotency key. A transport sees none of it.
 * Knows no engine: `createHost` makes one when this process is to own the project. At most one process per project has a host at any time.
 */
export interface SessionOptions {
  /** Real path of the checkout. */
  readonly root: string;
  /** The same for every process of the project, whatever its environment. */
  readonly lockFolder: string;
  readonly projectKey: string;
  readonly place: SocketPlace;
  readonly attach: AttachOptions;
  readonly versions: ProtocolRange;
  readonly engineVersion: string;
  readonly answering: Answering;
  readonly log: Log;
  /** What the project's data says of earlier owners, should the lock's own files be gone: a new one is of this generation at least. */
  lowestGeneration(): Promise<number>;
  createHost(lease: OwnerLease): Promise<Result<CheckoutHost>>;
}

/**
 * After this long without an owner a call fails with `UNAVAILABLE`. A takeover takes half a second; a machine that is short of everything may need twenty times
 * as long, and its caller, who waits a minute as a rule, rather has an answer late than none.
 */
const TAKEOVER_MS = 30_000;
/** Owners that one call may see go. */
const MAX_LOSSES = 10;
/** A first connection may have to wait for an owner that is opening its store. */
const OPEN_MS = 30_000;
const RETRY_MS = 20;
const BACKGROUND_RETRY_MS = 1_000;
/** An owner that was asked to make room leaves the place alone for this long. */
const YIELD_MS = 3_000;
/** An owner that somebody can neither reach nor do without serves this long before it makes room. */
const TERM_MS = 2_000;

/** The gateway of a checkout: of an owner in this process, or as a guest of the one that there is. Fails when the place cannot be used. */
export async function openGateway(options: SessionOptions): Promise<Result<Gateway>> {
  const usable = await usablePlace(options.place);
  if (!usable.ok) return usable;
  const session = new ProjectSession({ ...options, place: usable.value });
  const opened = await session.open();
  if (opened.ok) return ok(session);
  await session.close();
  return opened;
}

/** This process as the owner. */
interface Ownership {
  readonly lease: OwnerLease;
  readonly server: OwnerServer;
  readonly host: CheckoutHost;
  readonly local: LocalGateway;
  readonly keeper: SocketKeeper;
  ending: Promise<void> | undefined;
}

class ProjectSession implements Gateway {
  readonly #options: SessionOptions;
  readonly #progress = new Emitter<IndexProgress>();
  readonly #revision = new Emitter<{ readonly revision: number; readonly changed: readonly WorkspacePath[] }>();
  readonly #records = new Emitter<readonly string[]>();
  /** Unsaved documents by session, to be told to the next owner. */
  readonly #overlays = new Map<string, { readonly caller: Caller; readonly documents: Map<WorkspacePath, OverlayChange> }>();
  #settings: Partial<WorkspaceSettings> | undefined;
  #backend: Backend | undefined;
  #heard: Disposable | undefined;
  #ownership: Ownership | undefined;
  #candidate: OwnerServer | undefined;
  #establishing: Promise<Result<Backend>> | undefined;
  #closing: Promise<void> | undefined;
  /** How long an owner that this process does not see is waited for when the project is suddenly not there: 0 unless there was or may have been another. */
  #waitMs = 0;
  /** Generation that this process gave away, and until when it does not take the place again. */
  #yielded: { readonly generation: number; readonly until: number } | undefined;

  readonly root: string;
  readonly onProgress = this.#progress.event;
  readonly onRevision = this.#revision.event;
  readonly onRecords = this.#records.event;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#settings = options.attach.settings;
    this.root = options.root;
  }

  get role(): 'owner' | 'guest' {
    return this.#backend?.role ?? 'guest';
  }

  open(): Promise<Result<Backend>> {
    return this.#establish(OPEN_MS);
  }

  callTool(call: ToolCall, token: CancellationToken): Promise<ToolAnswer> {
    return this.#ask<ToolAnswer>(
      token,
      backend => backend.callTool(call, token),
      message => failedAnswer('UNAVAILABLE', `Lattice cannot answer: ${message}`, 'Try again in a few seconds, or run `lattice doctor`.'),
    );
  }

  query(feature: string, params: unknown, caller: Caller, token: CancellationToken): Promise<Result<unknown, Failure>> {
    return this.#ask<Result<unknown, Failure>>(
      token,
      backend => backend.query(feature, params, caller, token),
      message => err({ code: 'UNAVAILABLE', message }),
    );
  }

  async health(): Promise<EngineHealth> {
    const answer = await this.#ask<Result<EngineHealth>>(
      undefined,
      async backend => ok(await backend.health()),
      message => err({ code: 'UNAVAILABLE', message }),
    );
    if (answer.ok) return answer.value;
    return unavailableHealth(answer.error.message, this.#options);
  }

  ready(token: CancellationToken): Promise<Result<void, Failure>> {
    return this.#ask<Result<void, Failure>>(
      token,
      backend => backend.ready(token),
      message => err({ code: 'UNAVAILABLE', message }),
    );
  }

  notifyFiles(events: readonly FileEvent[]): void {
    this.#backend?.notifyFiles(events);
  }

  overlay(changes: readonly OverlayChange[], caller: Caller): void {
    let entry = this.#overlays.get(caller.sessionId);
    if (entry === undefined) {
      entry = { caller, documents: new Map() };
      this.#overlays.set(caller.sessionId, entry);
    }
    for (const change of changes) {
      if (change.text === undefined) entry.documents.delete(change.path);
      else entry.documents.set(change.path, change);
    }
    if (entry.documents.size === 0) this.#overlays.delete(caller.sessionId);
    this.#backend?.overlay(changes, caller);
  }

  configure(settings: Partial<WorkspaceSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#backend?.configure(settings);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  dispose(): void {
    void this.close();
  }

  async #end(): Promise<void> {
    await this.#establishing;
    this.#heard?.dispose();
    if (this.#ownership !== undefined) await this.#giveUp(this.#ownership);
    else this.#backend?.close();
    await this.#candidate?.close();
    await removeSocketPlace(this.#options.place);
    this.#backend = undefined;
    this.#progress.dispose();
    this.#revision.dispose();
  }

  /** Runs a call on the current owner; after a loss, on the next one, for which there is the same time again. */
  async #ask<T>(token: CancellationToken | undefined, run: (backend: Backend) => Promise<T>, unavailable: (message: string) => T): Promise<T> {
    let deadline: number | undefined;
    let losses = 0;
    for (;;) {
      if (token !== undefined) throwIfCancelled(token);
      if (this.#closing !== undefined) return unavailable('this connection is closed');
      const backend = this.#backend;
      if (backend === undefined) {
        deadline ??= performance.now() + TAKEOVER_MS;
        const established = await within(this.#establish(TAKEOVER_MS), deadline);
        if (established === undefined) return unavailable(`no owner answered within ${TAKEOVER_MS} ms`);
        if (!established.ok) return unavailable(established.error.message);
        if (token !== undefined)
          await within(
            established.value.ready(token).catch(() => undefined),
            deadline,
          );
        continue;
      }
      try {
        return await run(backend);
      } catch (error) {
        if (error instanceof UnreadableAnswer) return unavailable(error.message);
        if (!(error instanceof ConnectionLost)) throw error;
        // A call that outlives this many owners may be what ends them.
        if (++losses > MAX_LOSSES) return unavailable(error.message);
        deadline = performance.now() + TAKEOVER_MS;
        this.#drop(backend);
      }
    }
  }

  #establish(timeoutMs: number): Promise<Result<Backend>> {
    if (this.#backend !== undefined) return Promise.resolve(ok(this.#backend));
    this.#establishing ??= this.#findOwner(performance.now() + timeoutMs).finally(() => {
      this.#establishing = undefined;
    });
    return this.#establishing;
  }

  async #findOwner(deadline: number): Promise<Result<Backend>> {
    await this.#ownership?.ending;
    let last: Failure = { code: 'UNAVAILABLE', message: 'no owner was found' };
    while (this.#closing === undefined && performance.now() < deadline) {
      if (await this.#shouldWaitForOthers()) {
        await pause(RETRY_MS);
        continue;
      }
      const { lockFolder, lowestGeneration, place, projectKey } = this.#options;
      const claim = await claimOwnership(lockFolder, {
        candidate: () => this.#listen(),
        liveness: card => {
          this.#waitMs = MAX_RESCUE_MS;
          return livenessOf(card, lockFolder);
        },
        lowestGeneration,
        waitForOwnersToExit: async () => waitForOwnersToExit(await socketsOf(place, projectKey), lockFolder, this.#waitMs),
      });
      if (!claim.ok) return claim;
      const backend = claim.value.kind === 'owner' ? await this.#becomeOwner(claim.value.lease) : await this.#becomeGuest(claim.value.card);
      if (backend.ok) return ok(this.#use(backend.value));
      last = backend.error;
      if (!TRANSIENT.has(last.code)) return err({ code: publicCode(last.code), message: last.message });
      await pause(RETRY_MS);
    }
    return err({ code: 'UNAVAILABLE', message: last.message });
  }

  async #shouldWaitForOthers(): Promise<boolean> {
    const yielded = this.#yielded;
    if (yielded === undefined || performance.now() > yielded.until) return false;
    return ((await readNewestCard(this.#options.lockFolder))?.generation ?? 0) <= yielded.generation;
  }

  async #listen(): Promise<Result<Candidate>> {
    const { place, projectKey, versions, engineVersion, log } = this.#options;
    if (this.#candidate === undefined) {
      const listening = await OwnerServer.listen({
        address: socketAddress(place, projectKey),
        token: randomBytes(24).toString('hex'),
        versions,
        engineVersion,
        log,
      });
      if (!listening.ok) return listening;
      this.#candidate = listening.value;
    }
    const { address, token } = this.#candidate.options;
    return ok({ address, token, pid: process.pid, seat: processOrigin(), ...versions, engineVersion });
  }

  async #becomeOwner(lease: OwnerLease): Promise<Result<Backend>> {
    const { answering, attach, log, place, projectKey, root } = this.#options;
    const server = this.#candidate;
    this.#candidate = undefined;
    if (server === undefined) return err({ code: 'UNAVAILABLE', message: 'the socket of the owner is gone' });
    let giveWay: () => void = () => undefined;
    answerKnocks({ lease, server, log, onUnreachable: () => giveWay() });
    const host = await attempt(() => this.#options.createHost(lease));
    if (!host.ok) return this.#resign(lease, server, undefined, host.error);
    if (!lease.holds()) return this.#resign(lease, server, host.value, OVERTAKEN);
    const checkout = await attempt(() => host.value.attach(root, { ...attach, settings: this.#settings }));
    if (!checkout.ok) return this.#resign(lease, server, host.value, checkout.error);
    if (!lease.holds()) return this.#resign(lease, server, host.value, OVERTAKEN);
    const calls = new IdempotentCalls(host.value);
    // Also of an owner that leaves by itself: what its store answers while it is closed is nobody's answer.
    const mayAnswer = (): boolean => ownership.ending === undefined && lease.holds();
    const local = new LocalGateway({ checkout: checkout.value, answering, calls, connection: 'local', mayAnswer });
    const onUnreachable = (): void => stepDown('no process can reach it');
    const keeper = new SocketKeeper({ server, lease, place, projectKey, log, onUnreachable });
    const ownership: Ownership = { lease, server, host: host.value, local, keeper, ending: undefined };
    this.#ownership = ownership;
    // A former owner has nothing to restore any more.
    this.#waitMs = 0;
    const stepDown = (why: string): void => {
      log.write('info', `Ownership of the project was lost: ${why}`);
      this.#waitMs = lease.isGone ? (lease.isStale ? SUCCESSOR_MS : 0) : MAX_RESCUE_MS;
      void this.#giveUp(ownership).then(() => this.#drop(local));
    };
    lease.onLost(stepDown);
    const makeRoom = (why: string): void => {
      this.#yielded = { generation: lease.generation, until: performance.now() + YIELD_MS };
      stepDown(why);
    };
    const servesUntil = performance.now() + TERM_MS;
    giveWay = () => {
      if (performance.now() > servesUntil) makeRoom('a process that cannot reach this one takes over');
    };
    server.serve({ host: host.value, answering, calls, mayAnswer, onYield: () => makeRoom('a newer version of Lattice takes over') });
    await lease.tell({ state: 'serving' }).catch((error: unknown) => log.write('warn', `owner card: ${messageOf(error)}`));
    return ok(local);
  }

  async #resign(lease: OwnerLease, server: OwnerServer, host: CheckoutHost | undefined, error: Failure): Promise<Result<never>> {
    await host?.close();
    await lease.end();
    await server.close();
    return err(error);
  }

  async #becomeGuest(card: OwnerCard): Promise<Result<Backend>> {
    await this.#candidate?.close();
    this.#candidate = undefined;
    const { attach, root, versions } = this.#options;
    const guest = await connectGuest(card, root, { ...attach, settings: this.#settings }, versions);
    if (!guest.ok) {
      const waits = guest.error.code === 'PROTOCOL' && card.protocol < versions.protocol;
      return waits ? err({ ...guest.error, code: 'CLOSING' }) : guest;
    }
    if (guest.value.lost) return err({ code: 'REFUSED', message: 'the owner exited during the connection' });
    guest.value.onLost(() => this.#drop(guest.value));
    return guest;
  }

  #use(backend: Backend): Backend {
    const heard = new DisposableStore();
    heard.add(backend.onProgress(event => this.#progress.fire(event)));
    heard.add(backend.onRevision(event => this.#revision.fire(event)));
    heard.add(backend.onRecords(areas => this.#records.fire(areas)));
    this.#heard = heard;
    this.#backend = backend;
    for (const { caller, documents } of this.#overlays.values()) backend.overlay([...documents.values()], caller);
    return backend;
  }

  /** The backend is gone: look for the next one at once, and keep looking when others depend on this process. */
  #drop(backend: Backend): void {
    if (this.#backend !== backend) return;
    this.#backend = undefined;
    this.#heard?.dispose();
    if (this.#closing === undefined) void this.#renew();
  }

  async #renew(): Promise<void> {
    while (this.#closing === undefined && this.#backend === undefined) {
      const established = await this.#establish(TAKEOVER_MS);
      if (established.ok) return this.#tellProgress(established.value);
      if (!this.#options.attach.longLived) return this.#progress.fire({ phase: 'failed', done: 0, total: 0, problem: established.error.message });
      this.#options.log.write('warn', `Could not connect to an owner or become one: ${established.error.message}`);
      await new Promise(resolve => setTimeout(resolve, BACKGROUND_RETRY_MS).unref());
    }
  }

  /** The next owner may have reported that its index is ready before anybody here could hear it. */
  async #tellProgress(backend: Backend): Promise<void> {
    const health = await backend.health().catch(() => undefined);
    if (health !== undefined && this.#backend === backend) this.#progress.fire(health.progress);
  }

  /** Makes everything durable first, then lets the socket go, which is what ends ownership; guests race from that instant on. */
  #giveUp(ownership: Ownership): Promise<void> {
    ownership.ending ??= (async () => {
      const { host, keeper, lease, local, server } = ownership;
      keeper.stop();
      server.announceEnd();
      local.close();
      await host.close().catch((error: unknown) => this.#options.log.write('error', `closing: ${messageOf(error)}`));
      await lease.end();
      await server.close();
      if (this.#ownership === ownership) this.#ownership = undefined;
    })();
    return ownership.ending;
  }
}

const OVERTAKEN: Failure = { code: 'CLOSING', message: 'another process has become the owner meanwhile' };
/** The owner is coming or going: worth asking again. */
const TRANSIENT: ReadonlySet<string> = new Set(['CLOSING', 'REFUSED', 'MISSING', 'TIMEOUT', 'BAD_TOKEN', 'STORE_SUPERSEDED', 'STORE_MOVED']);

function publicCode(code: string): string {
  return code === 'NOT_FOUND' || code === 'FORBIDDEN' ? code : 'UNAVAILABLE';
}

async function attempt<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run();
  } catch (error) {
    return err({ code: 'UNAVAILABLE', message: messageOf(error) });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms);
  });
}

/** Undefined when the deadline (of `performance.now`) passes first. */
async function within<T>(promise: Promise<T>, deadline: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unavailableHealth(problem: string, options: SessionOptions): EngineHealth {
  return {
    progress: { phase: 'failed', done: 0, total: 0, problem },
    watcherState: 'not_started',
    pendingFiles: 0,
    languages: [],
    problems: [],
    problemCounts: {},
    skipped: { ignored: 0, generated: 0, minified: 0 },
    latestTxId: '',
    latestTxTimestamp: 0,
    txCount: 0,
    recentEvents: [],
    storeBytes: { journal: 0, view: 0, packs: 0 },
    recovered: [],
    lastIndex: undefined,
    dataFolder: '',
    role: 'guest',
    ownerPid: 0,
    engineVersion: options.engineVersion,
  };
}
