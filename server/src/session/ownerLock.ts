import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../base/emitter';
import { err, ok, type Result } from '../base/result';
import { makeFolder, messageOf, withAdvice } from './addresses';
import type { ProcessOrigin } from './processOrigin';

/**
 * Who owns a project: the lock that lets exactly one process host its engines.
 *
 * A lock folder holds one card per *generation* of owner. A candidate first listens on a socket of its own, then creates the card of the next generation,
 * which can succeed for one process only (`link` of a finished file), then looks again: with a higher generation present it has lost.
 * The highest card names the owner; the owner is alive when its socket answers. No age, no process id and no clock decides anything,
 * so a reused pid, a crash between any two steps and a wrong clock cannot make two owners.
 * Cards are never removed while they are the highest; the newest few stay, so that a slow look at the folder cannot miss all of them.
 *
 * An owner whose main loop is held while it starts looks like one that is frozen. Who supersedes an owner that never served is given twice its time
 * (`patienceMs`), so on a machine that is too slow for the shortest time one of them serves in the end, instead of all taking the place from each other.
 *
 * An owner whose socket does not answer may be alive all the same: suspended, hung, or with a socket that others cannot see (its folder was cleaned away,
 * another mount namespace). It may be superseded; `OwnerLease.holds` looks at the cards, and it is asked before anything is acknowledged.
 */
export interface OwnerCard {
  readonly generation: number;
  readonly address: string;
  readonly token: string;
  readonly pid: number;
  readonly protocol: number;
  readonly oldest: number;
  readonly engineVersion: string;
  /** Absent while the owner starts, and in cards of earlier versions. `ended`: it has let go of everything by itself. */
  readonly state?: 'serving' | 'ended';
  /** A second socket, in the lock folder, for those who do not see the first. */
  readonly near?: string;
  /** How long it may be silent while it starts. */
  readonly patienceMs?: number;
  /** Where its process runs; absent in cards of earlier versions. */
  readonly seat?: ProcessOrigin;
}

/**
 * An owner that is asked and says nothing for this long is taken for gone. It may be frozen or only slow: a takeover is no danger to what it
 * acknowledges, so the bound is short. With the probe that follows, a caller of a frozen owner waits for less than five seconds.
 */
export const SILENCE_MS = 1_500;
const MAX_PATIENCE_MS = 60_000;

/** How long an owner may be silent. */
export function silenceLimitOf({ patienceMs = SILENCE_MS, state }: OwnerCard): number {
  return state === undefined ? Math.min(Math.max(SILENCE_MS, patienceMs), MAX_PATIENCE_MS) : SILENCE_MS;
}

/** What a candidate is, before it has a generation. It must already listen on `address`. */
export type Candidate = Omit<OwnerCard, 'generation'>;

/** `dead`: nothing listens there. `silent`: something accepts connections and says nothing within its bound. */
export type Liveness = 'alive' | 'dead' | 'silent';

export type Claim = { readonly kind: 'owner'; readonly lease: OwnerLease } | { readonly kind: 'guest'; readonly card: OwnerCard };

const KEPT_GENERATIONS = 8;
/** Begins the names of files that ask whether an owner is there. */
export const KNOCK_PREFIX = 'knock-';
const CARD = /^owner\.(\d{1,15})\.json$/;

/** The card of the newest owner, alive or not. */
export async function readNewestCard(folder: string): Promise<OwnerCard | undefined> {
  const newest = highest(await cardsIn(folder));
  return newest === 0 ? undefined : readCard(folder, newest);
}

export interface Claiming {
  /** Asked for only when there is no living owner: it starts to listen. It is not closed here when the claim is lost. */
  candidate(): Promise<Result<Candidate>>;
  liveness(card: OwnerCard): Promise<Liveness>;
  /** What else says of earlier owners: the generation is at least this. */
  lowestGeneration(): Promise<number>;
  /** Asked where the folder knows no owner: resolves when none is left that may be about to put back what it holds. Absent: nobody is waited for. */
  waitForOwnersToExit?(): Promise<void>;
}

/** Becomes the owner, or learns who is. */
export async function claimOwnership(folder: string, claiming: Claiming): Promise<Result<Claim>> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await claim(folder, claiming);
    } catch (error) {
      // Somebody may be removing the folder at this moment: it is made again.
      if (!isGone(error) || attempt === FOLDER_ATTEMPTS)
        return err({ code: 'UNAVAILABLE', message: `The owner lock in ${folder} cannot be used: ${withAdvice(error)}` });
      await new Promise(resolve => setTimeout(resolve, FOLDER_RETRY_MS));
    }
  }
}

async function claim(folder: string, claiming: Claiming): Promise<Result<Claim>> {
  await makeFolder(folder);
  for (;;) {
    let newest = highest(await cardsIn(folder));
    if (newest === 0) {
      await claiming.waitForOwnersToExit?.();
      newest = highest(await cardsIn(folder));
    }
    const card = newest === 0 ? undefined : await readCard(folder, newest);
    const liveness = card === undefined ? 'dead' : await claiming.liveness(card);
    if (card !== undefined && liveness === 'alive') return ok({ kind: 'guest', card });
    const self = await claiming.candidate();
    if (!self.ok) return self;
    const generation = Math.max(newest + 1, await claiming.lowestGeneration());
    const neverServed = liveness === 'silent' && card !== undefined && card.state === undefined;
    const mine: OwnerCard = { generation, ...self.value, ...(neverServed ? { patienceMs: 2 * silenceLimitOf(card) } : {}) };
    if (!(await createCard(folder, mine))) continue;
    if (highest(await cardsIn(folder)) > mine.generation) {
      await rm(cardPath(folder, mine.generation), { force: true });
      continue;
    }
    if (card !== undefined && liveness === 'dead') await removeSockets(card);
    await removeOldCards(folder, mine.generation);
    return ok({ kind: 'owner', lease: new OwnerLease(folder, mine) });
  }
}

const FOLDER_ATTEMPTS = 50;
const FOLDER_RETRY_MS = 20;

/** An owner that has nothing to acknowledge notices after this long that it was superseded, that its folder is gone, or that somebody knocks. */
const CHECK_INTERVAL_MS = 1_000;

/** Held by the owner. It ends when the owner's socket closes; there is nothing that has to be released on disk. */
export class OwnerLease {
  #lost = false;
  #isGone = false;
  /** Of `performance.now`: when the lock was last seen to be this process's. */
  #heldAt = performance.now();
  #card: OwnerCard;
  #telling: Promise<void> = Promise.resolve();
  #knocks: readonly string[] = [];
  /** A copy of the folder has the same cards. */
  readonly #identity: string | undefined;
  #isAnswering = false;
  readonly #timer: NodeJS.Timeout;
  readonly #onLost = new Emitter<string>();

  /** Fires once, with the reason, when this process is found to be no longer the owner. */
  readonly onLost = this.#onLost.event;
  /** Somebody did not reach this owner by its card, which named these sockets in the lock folder ('' for none). They are told that it lives when it resolves. */
  onKnock: (tried: readonly string[]) => Promise<void> = () => Promise.resolve();

  constructor(
    readonly folder: string,
    card: OwnerCard,
  ) {
    this.#card = card;
    this.#identity = identityOf(folder);
    this.#timer = setInterval(() => void this.#look(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  get card(): OwnerCard {
    return this.#card;
  }

  get generation(): number {
    return this.#card.generation;
  }

  /** Somebody may be removing all of the data folder, the lock first. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** It has not been looked at for as long as another process needs to take over. */
  get isStale(): boolean {
    return performance.now() - this.#heldAt >= SILENCE_MS;
  }

  /** False once another process has taken over, or when the lock folder is gone or is another one. Looks at the disk each time; asked before every acknowledgement. */
  holds(): boolean {
    if (this.#lost) return false;
    const problem = this.#problem();
    if (problem === undefined) this.#heldAt = performance.now();
    else this.lose(problem);
    return problem === undefined;
  }

  lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#isGone = reason === GONE;
    this.stop();
    this.#onLost.fire(reason);
  }

  /** Tells others what has changed, unless the card there is no longer this one's. Rejects with the system's error. */
  tell(changes: Partial<Pick<OwnerCard, 'address' | 'near' | 'state'>>): Promise<void> {
    this.#card = { ...this.#card, ...changes };
    const written = this.#telling.then(() => this.#write());
    this.#telling = written.catch(() => undefined);
    return written;
  }

  /** Says that nobody is behind this card any more: who finds no socket need not ask further. Never rejects. */
  async end(): Promise<void> {
    this.stop();
    await this.tell({ state: 'ended' }).catch(() => undefined);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #write(): Promise<void> {
    const found = await readCard(this.folder, this.generation);
    if (found?.token !== this.#card.token) return;
    const draft = draftPath(this.folder);
    await writeFile(draft, JSON.stringify(this.#card), { mode: 0o600, flag: 'wx' });
    await rename(draft, cardPath(this.folder, this.generation));
  }

  async #look(): Promise<void> {
    if (!this.holds() || this.#knocks.length === 0 || this.#isAnswering) return;
    this.#isAnswering = true;
    try {
      const knocks = this.#knocks.map(name => join(this.folder, name));
      await this.onKnock(await Promise.all(knocks.map(triedBy)));
      for (const knock of knocks) await rm(knock, { force: true });
    } catch {
      // A folder that is being removed: the next look says so.
    } finally {
      this.#isAnswering = false;
    }
  }

  #problem(): string | undefined {
    try {
      if (identityOf(this.folder) !== this.#identity) return GONE;
      const names = readdirSync(this.folder);
      const present = generations(names);
      this.#knocks = names.filter(name => name.startsWith(KNOCK_PREFIX));
      if (highest(present) > this.generation) return 'another process has taken over';
      return present.includes(this.generation) ? undefined : GONE;
    } catch (error) {
      return isGone(error) ? GONE : `its lock cannot be read: ${messageOf(error)}`;
    }
  }
}

/** The socket in the lock folder that who knocks has tried; '' for none. */
async function triedBy(knock: string): Promise<string> {
  try {
    const { tried } = JSON.parse(await readFile(knock, 'utf8')) as { readonly tried?: unknown };
    return typeof tried === 'string' ? tried : '';
  } catch {
    return '';
  }
}

const GONE = 'its data folder was removed or replaced';

function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function draftPath(folder: string): string {
  return join(folder, `draft-${randomBytes(6).toString('hex')}`);
}

function cardPath(folder: string, generation: number): string {
  return join(folder, `owner.${generation}.json`);
}

async function cardsIn(folder: string): Promise<number[]> {
  return generations(await readdir(folder));
}

function generations(names: readonly string[]): number[] {
  return names.flatMap(name => {
    const generation = CARD.exec(name)?.[1];
    return generation === undefined ? [] : [Number(generation)];
  });
}

function highest(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}

/** Undefined for a card that says nothing (damaged by a crash of the machine): nobody can be behind it. */
async function readCard(folder: string, generation: number): Promise<OwnerCard | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const value = JSON.parse(await readFile(cardPath(folder, generation), 'utf8')) as Partial<OwnerCard>;
      if (typeof value.address === 'string' && typeof value.token === 'string') return { ...(value as OwnerCard), generation };
    } catch {
      // A file system without hard links fills the card after creating it: look again.
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return undefined;
}

/** False when another process has created this generation. */
async function createCard(folder: string, card: OwnerCard): Promise<boolean> {
  const target = cardPath(folder, card.generation);
  const draft = draftPath(folder);
  await writeFile(draft, JSON.stringify(card), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, target);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS' || code === 'EOPNOTSUPP') return await createWithoutLinks(target, draft);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** File systems without hard links: the empty file decides, its content follows by rename. */
async function createWithoutLinks(target: string, draft: string): Promise<boolean> {
  try {
    await (await open(target, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await rename(draft, target);
  return true;
}

async function removeOldCards(folder: string, generation: number): Promise<void> {
  for (const old of await cardsIn(folder)) {
    if (old > generation - KEPT_GENERATIONS) continue;
    const card = await readCard(folder, old);
    await unlink(cardPath(folder, old)).catch(() => undefined);
    if (card !== undefined) await removeSockets(card);
  }
}

/** Of an owner that was killed. Its addresses are its own, so nobody else is cut off; another user's folder, or one that is gone, is nothing to us. */
async function removeSockets({ address, near }: OwnerCard): Promise<void> {
  for (const path of [address, near]) if (path?.startsWith('/')) await rm(path, { force: true }).catch(() => undefined);
}
