import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../base/result';
import { type Channel, connectChannel } from './channel';
import { KNOCK_PREFIX, type Liveness, type OwnerCard, readNewestCard, SILENCE_MS, silenceLimitOf } from './ownerLock';
import { isProcessGone } from './processOrigin';

/**
 * Whether anybody is behind a card, and which way leads there.
 *
 * An owner is asked on its socket. That there is no socket at its address says little: the owner may have left, or its socket may be hidden from this
 * process (a sandbox with a folder for temporary files of its own, another mount namespace) or cleaned away. What both see for certain is the lock folder.
 * So who finds no socket looks whether the process is gone, and else *knocks*: it puts a file there, which an owner whose main loop turns takes away.
 * The owner then also listens in the lock folder itself (`near`), and who was cut off becomes its guest. Where not even that can be reached (another
 * machine, a path too long for a socket), the owner makes room after a while, so that the two work in turns.
 *
 * What is waited for here are other processes, and nothing tells of them for sure: a file system that machines share reports no changes, a hidden socket
 * does not answer, a killed process says nothing. So this room looks again at intervals, with a deadline each time, where a watcher of the folder may miss
 * the one change that matters.
 */

const CONNECT_TIMEOUT_MS = 1_500;
/** An owner that is not reached by a socket looks for knocks every second. */
const KNOCK_MS = 5_000;
const CHECK_INTERVAL_MS = 100;

/** Codes: those of `connectChannel`. */
export async function reachOwner(card: OwnerCard, maxInboundBytes: number): Promise<Result<Channel>> {
  const connected = await connectChannel(card.address, maxInboundBytes, CONNECT_TIMEOUT_MS);
  if (connected.ok || connected.error.code !== 'MISSING' || card.near === undefined) return connected;
  const near = await connectChannel(card.near, maxInboundBytes, CONNECT_TIMEOUT_MS);
  // A socket in a folder that another machine shares refuses, whether or not a process listens there.
  return near.ok ? near : connected;
}

/** As far as its sockets tell: `unseen` when there is none at its address. Does not need the token, nor a common protocol. */
export async function probe(card: OwnerCard): Promise<Liveness | 'unseen'> {
  for (let attempt = 0; ; attempt++) {
    const connected = await reachOwner(card, 64 * 1024);
    if (!connected.ok && connected.error.code === 'MISSING') return 'unseen';
    const liveness = connected.ok ? await answerWithin(connected.value, silenceLimitOf(card)) : connected.error.code === 'REFUSED' ? 'dead' : 'silent';
    if (liveness !== 'dead') return liveness;
    // A full backlog looks like a refusal on some systems, and one that is being killed may still accept: ask again before believing it.
    if (attempt === 2) return 'dead';
    await pause(10);
  }
}

/** Whether anybody is behind a card of this lock folder. Rejects when the folder cannot be written. */
export async function livenessOf(card: OwnerCard, folder: string): Promise<Liveness> {
  const found = await probe(card);
  if (found !== 'unseen') return found;
  // Earlier versions say nothing of where they run, and know no knocks.
  if (card.state === 'ended' || card.seat === undefined || isProcessGone(card.pid, card.seat)) return 'dead';
  return afterKnock(card, card.seat, folder);
}

async function afterKnock(card: OwnerCard, seat: NonNullable<OwnerCard['seat']>, folder: string): Promise<Liveness> {
  const knock = join(folder, `${KNOCK_PREFIX}${randomBytes(6).toString('hex')}`);
  const until = performance.now() + Math.max(KNOCK_MS, silenceLimitOf(card));
  await writeFile(knock, JSON.stringify({ tried: card.near ?? '' }), { mode: 0o600, flag: 'wx' });
  try {
    while (performance.now() < until) {
      await pause(CHECK_INTERVAL_MS);
      if (!existsSync(knock)) return 'alive';
      const now = await readNewestCard(folder);
      // Somebody else owns the project by now, who may be reached.
      if (now?.generation !== card.generation || now.near !== card.near) return 'alive';
      if (now.state === 'ended' || isProcessGone(card.pid, seat)) return 'dead';
    }
    return 'silent';
  } finally {
    await rm(knock, { force: true });
  }
}

/** An owner whose data folder was removed needs this long at the most to put back what it holds. */
export const MAX_RESCUE_MS = 10_000;
/** One that cannot tell whether it had a successor leaves it this long; less than anybody else, since it may have been the last. */
export const SUCCESSOR_MS = 4_000;

/**
 * For a project of which the disk knows no owner: its data folder may have been removed a moment ago, under an owner that has not noticed.
 * Resolves when no process serves at these sockets any more, and one whose socket this process may not see has put its card into the lock folder or has
 * not done so for `waitMs`. Being asked is what makes an owner look (`OwnerServer`); without that it does so every second.
 */
export async function waitForOwnersToExit(addresses: readonly string[], folder: string, waitMs: number): Promise<void> {
  const from = performance.now();
  for (const address of addresses) while (performance.now() < from + MAX_RESCUE_MS && (await servesAt(address))) await pause(CHECK_INTERVAL_MS);
  while (performance.now() < from + waitMs && (await readNewestCard(folder).catch(() => undefined)) === undefined) await pause(CHECK_INTERVAL_MS);
}

async function servesAt(address: string): Promise<boolean> {
  const connected = await connectChannel(address, 64 * 1024, CONNECT_TIMEOUT_MS);
  if (!connected.ok) return false;
  const channel = connected.value;
  return new Promise(resolve => {
    const end = (serves: boolean): void => {
      clearTimeout(timer);
      resolve(serves);
      channel.close('asked whether it serves');
    };
    const timer = setTimeout(() => end(false), SILENCE_MS);
    channel.listen(frame => end(frame['serves'] === true));
    channel.onClose(() => end(false));
    channel.send({ type: 'probe' });
  });
}

function answerWithin(channel: Channel, timeoutMs: number): Promise<Liveness> {
  return new Promise(resolve => {
    const end = (answer: Liveness): void => {
      clearTimeout(timer);
      resolve(answer);
      channel.close('asked whether it lives');
    };
    const timer = setTimeout(() => void turn().then(() => end('silent')), timeoutMs);
    channel.listen(() => end('alive'));
    channel.onClose(() => end('dead'));
    channel.send({ type: 'probe' });
  });
}

/** What has come in while this process stood still is read first. */
function turn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(() => setImmediate(resolve));
  });
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, ms);
  });
}
