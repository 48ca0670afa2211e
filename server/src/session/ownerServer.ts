import { timingSafeEqual } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { CancellationSource } from '../base/cancellation';
import { type Disposable, DisposableStore } from '../base/disposable';
import type { Log } from '../base/ports';
import { err, ok, type Result } from '../base/result';
import { readSettings } from '../model/settings';
import { ensurePrivateFolder, isRuntimeFolder, messageOf, removeIfUnused } from './addresses';
import type { Answering } from './answering';
import { Channel } from './channel';
import type { CheckoutHost } from './checkoutHost';
import type { IdempotentCalls } from './idempotency';
import { ConnectionLost, LocalGateway } from './localGateway';
import {
  commonProtocol,
  type Hello,
  type ProtocolRange,
  type RefusalCode,
  type Request,
  readCall,
  readCaller,
  readFileEvents,
  readHello,
  readOverlayChanges,
  readRequest,
} from './messages';
import { type Frame, MAX_FRAME_BYTES } from './wire';

/** Before a peer has shown the token it may send this much, and has this long to do so. */
const MAX_HELLO_BYTES = 64 * 1024;
const HELLO_TIMEOUT_MS = 10_000;
const PROGRESS_EVERY_MS = 100;
/** Reasons of the host that a guest is told as they are. */
const PASSED_ON = ['NOT_FOUND', 'FORBIDDEN', 'CLOSING'] as const;
const CLOSING = 'The process that owns the index is shutting down. Try again.';

const FOLDER_ATTEMPTS = 3;

interface Listening {
  readonly server: Server;
  readonly address: string;
  /** Device and number of the socket's file. */
  readonly identity: string | undefined;
}

/** What a server needs once its process is the owner. */
export interface Serving {
  readonly host: CheckoutHost;
  readonly answering: Answering;
  readonly calls: IdempotentCalls;
  readonly mayAnswer: () => boolean;
  /** A newer guest asks this owner to make room. */
  readonly onYield: () => void;
}

export interface OwnerServerOptions {
  readonly address: string;
  readonly token: string;
  readonly versions: ProtocolRange;
  readonly engineVersion: string;
  readonly log: Log;
}

/** Listens from before the lock is taken; guests that come early wait until `serve` or `close`. */
export class OwnerServer {
  /** The one that others find, and those whose sockets were taken away: their guests stay. */
  readonly #servers: Listening[] = [];
  /** In the lock folder, for those who do not see the others. */
  readonly #near: Listening[] = [];
  readonly #guests = new Set<Guest>();
  readonly #channels = new Set<Channel>();
  readonly #waiting: { readonly channel: Channel; readonly hello: Frame }[] = [];
  #serving: Serving | undefined;
  #closing = false;
  #nextGuest = 1;

  private constructor(readonly options: OwnerServerOptions) {}

  static async listen(options: OwnerServerOptions): Promise<Result<OwnerServer>> {
    const owner = new OwnerServer(options);
    const listening = await owner.listenAt(options.address);
    return listening.ok ? ok(owner) : listening;
  }

  /** Opens one more socket: the one before may have been cleaned away. Codes: `UNAVAILABLE`. */
  listenAt(address: string): Promise<Result<void>> {
    return this.#listen(address, this.#servers);
  }

  /** Opens one more socket beside the others. Codes: `UNAVAILABLE`. */
  listenNear(address: string): Promise<Result<void>> {
    return this.#listen(address, this.#near);
  }

  async #listen(address: string, servers: Listening[]): Promise<Result<void>> {
    for (let attempt = 0; ; attempt++) {
      const server = createServer(socket => this.#accept(new Channel(socket, MAX_HELLO_BYTES)));
      const problem = await this.#open(server, address);
      if (problem === undefined) {
        // Since it was looked at, the folder may have been removed, and made anew by another user.
        const isOurs = isRuntimeFolder(dirname(address)) ? await ensurePrivateFolder(dirname(address), ownUser()) : ok(undefined);
        if (!isOurs.ok) {
          server.close();
          return isOurs;
        }
        servers.push({ server, address, identity: await identityOf(address) });
        return ok(undefined);
      }
      // The last process that used the folder has removed it. The folder of the lock is not created again: without it nothing is owned.
      const isFolderGone = servers === this.#servers && (problem.code === 'ENOENT' || problem.code === 'EACCES');
      if (!isFolderGone || attempt === FOLDER_ATTEMPTS) return err({ code: 'UNAVAILABLE', message: `No socket at ${address}: ${messageOf(problem)}` });
      await ensurePrivateFolder(dirname(address), ownUser());
    }
  }

  /** False when the socket that others know of is no longer this one. */
  async isReachable(): Promise<boolean> {
    const newest = this.#servers.at(-1);
    return newest !== undefined && (!newest.address.startsWith('/') || (await identityOf(newest.address)) === newest.identity);
  }

  get guestCount(): number {
    return this.#guests.size;
  }

  serve(serving: Serving): void {
    this.#serving = serving;
    for (const { channel, hello } of this.#waiting.splice(0)) this.#greet(channel, hello, serving);
  }

  /** New guests are turned away from here on; the present ones are told that the owner goes. */
  announceEnd(): void {
    this.#closing = true;
    for (const { channel } of this.#waiting.splice(0)) this.#refuse(channel, 'CLOSING', CLOSING);
  }

  /** Ends ownership in the eyes of everybody else: from here on nothing answers at the address. */
  async close(): Promise<void> {
    this.announceEnd();
    for (const guest of this.#guests) guest.end('the owner has closed');
    // Including those that never identified themselves: no connection may delay the end.
    for (const channel of this.#channels) channel.close('the owner has closed');
    for (const { address, server } of [...this.#servers, ...this.#near]) {
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
      if (address.startsWith('/')) await removeSocket(address);
    }
  }

  /** The problem, if there is one. */
  #open(server: Server, address: string): Promise<NodeJS.ErrnoException | undefined> {
    return new Promise(resolve => {
      server.once('error', resolve);
      // The folder is private (0700), so there is no moment at which another user could connect, also before the socket itself is.
      server.listen({ path: address, readableAll: false, writableAll: false }, () => {
        server.removeAllListeners('error');
        server.on('error', error => this.options.log.write('warn', `owner socket: ${messageOf(error)}`));
        this.#makePrivate(address);
        resolve(undefined);
      });
    });
  }

  #refuse(channel: Channel, code: RefusalCode, message: string): void {
    channel.send({ type: 'refused', code, message, protocol: this.options.versions.protocol });
    channel.close(message);
  }

  /** A probe is answered at any time; a hello waits until this process has opened its engines. */
  #accept(channel: Channel): void {
    const timer = setTimeout(() => this.#refuse(channel, 'MALFORMED', 'No hello message was received in time.'), HELLO_TIMEOUT_MS);
    timer.unref();
    this.#channels.add(channel);
    channel.onClose(() => {
      clearTimeout(timer);
      this.#channels.delete(channel);
    });
    let greeted = false;
    channel.listen(frame => {
      if (greeted) return;
      if (frame['type'] === 'probe') {
        channel.send({ type: 'present', protocol: this.options.versions.protocol, pid: process.pid, serves: this.#serving !== undefined });
        // The process that asks may have found nothing on the disk: this owner checks whether it still is the owner.
        this.#serving?.mayAnswer();
        return;
      }
      greeted = true;
      clearTimeout(timer);
      if (this.#closing) this.#refuse(channel, 'CLOSING', CLOSING);
      else if (this.#serving === undefined) this.#waiting.push({ channel, hello: frame });
      else this.#greet(channel, frame, this.#serving);
    });
  }

  /** Pipes of Windows have no mode. */
  #makePrivate(address: string): void {
    const { log } = this.options;
    if (address.startsWith('\\\\')) return;
    try {
      chmodSync(address, 0o600);
    } catch (error) {
      log.write('warn', `owner socket: ${messageOf(error)}; access is restricted by its folder`);
    }
  }

  #greet(channel: Channel, frame: Frame, serving: Serving): void {
    const hello = readHello(frame);
    if (hello === undefined) {
      this.#refuse(channel, 'MALFORMED', 'The first message must be a hello.');
      return;
    }
    if (!sameSecret(hello.token, this.options.token)) {
      this.#refuse(channel, 'BAD_TOKEN', 'The token is not the one in the discovery file.');
      return;
    }
    const { versions } = this.options;
    const protocol = commonProtocol(hello, versions);
    if (protocol === undefined) {
      const advice = hello.protocol > versions.protocol ? 'The newer version takes over.' : 'Update this copy of Lattice, or reload the window that runs it.';
      this.#refuse(
        channel,
        'PROTOCOL',
        `The owner supports protocol versions ${versions.oldest} to ${versions.protocol}, the guest ${hello.oldest} to ${hello.protocol}. ${advice}`,
      );
      if (hello.protocol > versions.protocol) serving.onYield();
      return;
    }
    channel.allow(MAX_FRAME_BYTES);
    const guest = new Guest(channel, hello, protocol, serving, `guest${this.#nextGuest++}`, this.options);
    this.#guests.add(guest);
    channel.onClose(() => this.#guests.delete(guest));
  }
}

/** One connected guest: its requests in, answers and events out. */
class Guest {
  readonly #running = new Map<number, CancellationSource>();
  readonly #held = new DisposableStore();
  readonly #early: Frame[] = [];
  #gateway: LocalGateway | undefined;

  constructor(
    private readonly channel: Channel,
    private readonly hello: Hello,
    private readonly protocol: number,
    private readonly serving: Serving,
    private readonly name: string,
    private readonly options: OwnerServerOptions,
  ) {
    channel.listen(frame => this.#take(frame));
    channel.onClose(() => this.#leave());
    void this.#attach();
  }

  end(reason: string): void {
    if (this.protocol >= 2) this.channel.send({ type: 'bye', reason });
    this.channel.close(reason);
  }

  async #attach(): Promise<void> {
    const { root, watch, settings, longLived } = this.hello;
    const attached = await this.serving.host
      .attach(root, { watch, settings, longLived })
      .catch((error: unknown) => err({ code: 'UNAVAILABLE', message: messageOf(error) }));
    if (!attached.ok) {
      const known = PASSED_ON.find(code => code === attached.error.code) ?? 'UNAVAILABLE';
      this.channel.send({ type: 'refused', code: known, message: attached.error.message, protocol: this.options.versions.protocol });
      this.channel.close(attached.error.message);
      return;
    }
    const gateway = new LocalGateway({ ...this.serving, checkout: attached.value, connection: this.name, asker: 'guest' });
    this.#held.add({ dispose: () => gateway.close() });
    if (this.channel.closedBecause !== undefined) {
      this.#held.dispose();
      return;
    }
    this.#held.add(gateway.onRevision(event => this.channel.send({ type: 'revision', event })));
    this.#held.add(gateway.onRecords(areas => this.channel.send({ type: 'records', areas })));
    this.#held.add(throttled(PROGRESS_EVERY_MS, gateway.onProgress, event => this.channel.send({ type: 'progress', event })));
    this.channel.send({ type: 'welcome', protocol: this.protocol, pid: process.pid, engineVersion: this.options.engineVersion, root: gateway.root });
    this.channel.send({ type: 'progress', event: attached.value.health().progress });
    this.#gateway = gateway;
    for (const frame of this.#early.splice(0)) this.#take(frame);
  }

  /** A guest that sends nonsense loses its connection; the owner lives. */
  #take(frame: Frame): void {
    try {
      this.#receive(frame);
    } catch (error) {
      this.options.log.write('warn', `${this.name} sent an invalid message: ${messageOf(error)}`);
      this.end('a message was malformed');
    }
  }

  #receive(frame: Frame): void {
    const gateway = this.#gateway;
    if (gateway === undefined) {
      this.#early.push(frame);
      return;
    }
    switch (frame['type']) {
      case 'request': {
        const request = readRequest(frame);
        if (request === undefined) this.end('a request was malformed');
        else void this.#answer(gateway, request);
        return;
      }
      case 'cancel':
        this.#running.get(Number(frame['id']))?.cancel();
        return;
      case 'ping':
        this.channel.send({ type: 'pong' });
        return;
      case 'files':
        gateway.notifyFiles(readFileEvents(frame['events']));
        return;
      case 'overlay':
        gateway.overlay(readOverlayChanges(frame['changes']), readCaller(frame['caller']));
        return;
      case 'configure':
        gateway.configure(readSettings(frame['settings']));
        return;
      default:
        // A message of a later version: what this version does not know it does not need.
        return;
    }
  }

  async #answer(gateway: LocalGateway, request: Request): Promise<void> {
    const source = new CancellationSource();
    this.#running.set(request.id, source);
    const { id, params } = request;
    try {
      const value = await carryOut(gateway, request, params, source);
      this.channel.send({ type: 'response', id, value });
    } catch (error) {
      // This process is no longer the owner. Its guests are told when it has let go of everything: who comes earlier finds less than was acknowledged.
      if (error instanceof ConnectionLost) return;
      if (source.token.isCancellationRequested)
        this.channel.send({ type: 'response', id, error: { code: 'CANCELLED', message: 'The operation was cancelled.' } });
      else {
        this.options.log.write('error', `${request.method} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        this.channel.send({ type: 'response', id, error: { code: 'INTERNAL', message: messageOf(error) } });
      }
    } finally {
      this.#running.delete(id);
    }
  }

  #leave(): void {
    for (const source of this.#running.values()) source.cancel();
    this.#held.dispose();
  }
}

function ownUser(): number {
  return process.getuid?.() ?? -1;
}

async function identityOf(address: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(address, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** With its folder when that is one of ours and empty: nothing of ours is left in the folder for temporary files. */
async function removeSocket(address: string): Promise<void> {
  await rm(address, { force: true }).catch(() => undefined);
  await removeIfUnused(dirname(address));
}

function carryOut(gateway: LocalGateway, request: Request, params: Frame, source: CancellationSource): Promise<unknown> {
  switch (request.method) {
    case 'callTool':
      return gateway.callTool(readCall(params['call']), source.token);
    case 'query':
      return gateway.query(String(params['feature']), params['params'], readCaller(params['caller']), source.token);
    case 'health':
      return gateway.health();
    case 'ready':
      return gateway.ready(source.token);
  }
}

function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Passes on the first event at once and then the newest at most every `everyMs`. */
function throttled<T>(everyMs: number, event: (listener: (value: T) => void) => Disposable, listener: (value: T) => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let next: { readonly value: T } | undefined;
  const tick = (): void => {
    timer = undefined;
    if (next === undefined) return;
    listener(next.value);
    next = undefined;
    timer = setTimeout(tick, everyMs);
    timer.unref();
  };
  const registration = event(value => {
    if (timer !== undefined) next = { value };
    else {
      listener(value);
      timer = setTimeout(tick, everyMs);
      timer.unref();
    }
  });
  return {
    dispose: () => {
      registration.dispose();
      clearTimeout(timer);
    },
  };
}
