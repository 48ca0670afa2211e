import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { link, open, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Emitter } from '../base/emitter';
import { err, ok, type Result } from '../base/result';
import { makeFolder, messageOf, withAdvice } from './addresses';

/**
 * Who owns a project: the lock that lets exactly one process host its engines.
 *
 * A lock folder holds one card per *generation* of owner. A candidate first listens on a socket of its own, then creates the card of the next generation,
 * which can succeed for one process only (`link` of a finished file), then looks again: with a higher generation present it has lost.
 * The highest card names the owner; the owner is alive when its socket answers. No age, no process id and no clock decides anything,
 * so a reused pid, a crash between any two steps and a wrong clock cannot make two owners.
 * Cards are never removed while they are the highest; the newest few stay, so that a slow look at the folder cannot miss all of them.
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
}

/** What a candidate is, before it has a generation. It must already listen on `address`. */
export type Candidate = Omit<OwnerCard, 'generation'>;

/** `dead`: nothing listens there. `silent`: something accepts connections and says nothing within its bound. */
export type Liveness = 'alive' | 'dead' | 'silent';

export type Claim = { readonly kind: 'owner'; readonly lease: OwnerLease } | { readonly kind: 'guest'; readonly card: OwnerCard };

const KEPT_GENERATIONS = 8;
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
}

/** Becomes the owner, or learns who is. */
export async function claimOwnership(folder: string, claiming: Claiming): Promise<Result<Claim>> {
  try {
    await makeFolder(folder);
    for (;;) {
      const newest = highest(await cardsIn(folder));
      const card = newest === 0 ? undefined : await readCard(folder, newest);
      const liveness = card === undefined ? 'dead' : await claiming.liveness(card);
      if (card !== undefined && liveness === 'alive') return ok({ kind: 'guest', card });
      const self = await claiming.candidate();
      if (!self.ok) return self;
      const mine: OwnerCard = { generation: Math.max(newest + 1, await claiming.lowestGeneration()), ...self.value };
      if (!(await createCard(folder, mine))) continue;
      if (highest(await cardsIn(folder)) > mine.generation) {
        await rm(cardPath(folder, mine.generation), { force: true });
        continue;
      }
      if (card !== undefined && liveness === 'dead') await removeSocket(card);
      await removeOldCards(folder, mine.generation);
      return ok({ kind: 'owner', lease: new OwnerLease(folder, mine) });
    }
  } catch (error) {
    return err({ code: 'UNAVAILABLE', message: `The owner lock in ${folder} cannot be used: ${withAdvice(error)}` });
  }
}

/** An owner that has nothing to acknowledge notices after this long that it was superseded or that its folder is gone. */
const LOOK_EVERY_MS = 1_000;

/** Held by the owner. It ends when the owner's socket closes; there is nothing to release on disk. */
export class OwnerLease {
  #lost = false;
  readonly #timer: NodeJS.Timeout;
  readonly #onLost = new Emitter<string>();

  /** Fires once, with the reason, when this process is found to be no longer the owner. */
  readonly onLost = this.#onLost.event;

  constructor(
    readonly folder: string,
    readonly card: OwnerCard,
  ) {
    this.#timer = setInterval(() => this.holds(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  get generation(): number {
    return this.card.generation;
  }

  /** False once another process has taken over, or when the lock folder is gone or is another one. Looks at the disk each time; asked before every acknowledgement. */
  holds(): boolean {
    if (this.#lost) return false;
    const problem = this.#problem();
    if (problem !== undefined) this.lose(problem);
    return problem === undefined;
  }

  lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = true;
    this.stop();
    this.#onLost.fire(reason);
  }

  /** Tells others of another socket. Rejects with the system's error. */
  async listensAt(address: string): Promise<void> {
    const draft = draftPath(this.folder);
    await writeFile(draft, JSON.stringify({ ...this.card, address }), { mode: 0o600, flag: 'wx' });
    await rename(draft, cardPath(this.folder, this.card.generation));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #problem(): string | undefined {
    try {
      const present = generations(readdirSync(this.folder));
      if (highest(present) > this.card.generation) return 'another process has taken over';
      return present.includes(this.card.generation) ? undefined : GONE;
    } catch (error) {
      return isGone(error) ? GONE : `its lock cannot be read: ${messageOf(error)}`;
    }
  }
}

const GONE = 'its data folder was removed or replaced';

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
    if (card !== undefined) await removeSocket(card);
  }
}

/** Of an owner that was killed. Its address is its own, so nobody else is cut off; another user's folder, or one that is gone, is nothing to us. */
async function removeSocket({ address }: OwnerCard): Promise<void> {
  if (address.startsWith('/')) await rm(address, { force: true }).catch(() => undefined);
}
