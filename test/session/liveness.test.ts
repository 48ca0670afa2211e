/** Who does not see the owner's socket finds it all the same, and takes the place only of one that is gone. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../../server/src/base/result';
import { ensurePrivateFolder, runtimeFolder, type SocketPlace, socketAddress, socketsOf } from '../../server/src/session/addresses';
import { IdempotentCalls } from '../../server/src/session/idempotency';
import { answerKnocks } from '../../server/src/session/knocks';
import { livenessOf, reachOwner, waitForOwnersToExit } from '../../server/src/session/liveness';
import { claimOwnership, type OwnerCard, type OwnerLease, readNewestCard, SILENCE_MS, silenceLimitOf } from '../../server/src/session/ownerLock';
import { OwnerServer } from '../../server/src/session/ownerServer';
import { processOrigin } from '../../server/src/session/processOrigin';
import { removeFolder } from '../helpers/removeFolder.mjs';

const versions = { protocol: 2, oldest: 1 };
const log = { write: () => undefined };

let base: string;
let folder: string;
let address: string;
let server: OwnerServer;
let lease: OwnerLease;
let unreached: number;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'lattice-liveness-'));
  folder = join(base, 'owner');
  unreached = 0;
});
afterEach(async () => {
  lease.stop();
  await server.close();
  removeFolder(base);
});

async function own(): Promise<void> {
  const place: SocketPlace = { platform: process.platform, env: {}, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1, dataFolder: base };
  await ensurePrivateFolder(runtimeFolder(place) ?? base, place.uid);
  address = socketAddress(place, base);
  const listening = await OwnerServer.listen({ address, token: 'secret', versions, engineVersion: '1', log });
  if (!listening.ok) throw new Error(listening.error.message);
  server = listening.value;
  const claim = await claimOwnership(folder, {
    candidate: () => Promise.resolve(ok({ address, token: 'secret', pid: process.pid, seat: processOrigin(), ...versions, engineVersion: '1' })),
    liveness: () => Promise.resolve('dead'),
    lowestGeneration: () => Promise.resolve(1),
  });
  if (!claim.ok || claim.value.kind !== 'owner') throw new Error('nobody else was there');
  lease = claim.value.lease;
  answerKnocks({ lease, server, log, onUnreachable: () => void unreached++ });
}

async function newest(): Promise<OwnerCard> {
  const card = await readNewestCard(folder);
  if (card === undefined) throw new Error('there is no card');
  return card;
}

// Pipes of Windows are in no folder.
test.runIf(process.platform !== 'win32')(
  'an owner whose socket is not seen listens in the lock folder for who knocks, and takes that socket along',
  async () => {
    await own();
    rmSync(address);
    expect(await livenessOf(await newest(), folder)).toBe('alive');
    const card = await newest();
    expect(card.near?.startsWith(folder)).toBe(true);
    expect((await reachOwner(card, 1_000)).ok).toBe(true);
    expect(await livenessOf(card, folder)).toBe('alive');
    expect(readdirSync(folder).filter(name => name.startsWith('knock-'))).toEqual([]);
    await lease.end();
    await server.close();
    expect(existsSync(card.near ?? '')).toBe(false);
  },
);

test.runIf(process.platform !== 'win32')('an owner that cannot be reached in any way says that it lives, and hears of it', async () => {
  folder = join(base, 'long'.repeat(20), 'owner');
  await own();
  rmSync(address);
  expect(await livenessOf(await newest(), folder)).toBe('alive');
  expect((await newest()).near).toBeUndefined();
  expect(unreached).toBe(1);
});

test.runIf(process.platform !== 'win32')('who knows its second socket and does not reach it either is somebody to make room for', async () => {
  await own();
  rmSync(address);
  await livenessOf(await newest(), folder);
  const card = await newest();
  rmSync(card.near ?? '');
  expect(await livenessOf(card, folder)).toBe('alive');
  expect(unreached).toBe(1);
});

test('an owner that has left, or whose process is gone, is dead without a knock', async () => {
  await own();
  await lease.end();
  await server.close();
  expect(await livenessOf(await newest(), folder)).toBe('dead');
  const { state: _, ...card } = await newest();
  const seat = processOrigin();
  // No process has this id on any system.
  expect(await livenessOf({ ...card, pid: 2 ** 30, seat }, folder)).toBe('dead');
  expect(await livenessOf({ ...card, seat: { ...seat, boot: 'an earlier one' } }, folder)).toBe('dead');
});

test('an owner that does not answer a knock is silent, and leaves no knock behind', async () => {
  await own();
  const { state: _, ...card } = await newest();
  lease.stop();
  await server.close();
  expect(await livenessOf(card, folder)).toBe('silent');
  expect(readdirSync(folder).filter(name => name.startsWith('knock-'))).toEqual([]);
});

test('a card is not written where another owner of the same number stands by now', async () => {
  await own();
  const card = await newest();
  writeFileSync(join(folder, `owner.${card.generation}.json`), JSON.stringify({ ...card, token: 'of another' }));
  await lease.tell({ state: 'serving' });
  expect(await newest()).toMatchObject({ token: 'of another' });
  expect((await newest()).state).toBeUndefined();
});

test('who supersedes an owner that never served is given twice its time; one that served has the shortest', async () => {
  await own();
  const superseded = async (): Promise<OwnerCard> => {
    const claim = await claimOwnership(folder, {
      candidate: () => Promise.resolve(ok({ address, token: 'next', pid: process.pid, ...versions, engineVersion: '1' })),
      liveness: () => Promise.resolve('silent'),
      lowestGeneration: () => Promise.resolve(1),
    });
    if (!claim.ok || claim.value.kind !== 'owner') throw new Error('a silent owner is superseded');
    lease = claim.value.lease;
    lease.stop();
    return newest();
  };
  expect(silenceLimitOf(await newest())).toBe(SILENCE_MS);
  expect(silenceLimitOf(await superseded())).toBe(2 * SILENCE_MS);
  expect(silenceLimitOf(await superseded())).toBe(4 * SILENCE_MS);
  await lease.tell({ state: 'serving' });
  expect(silenceLimitOf(await newest())).toBe(SILENCE_MS);
  expect(silenceLimitOf(await superseded())).toBe(SILENCE_MS);
});

test.runIf(process.platform !== 'win32')(
  'an owner whose data folder is gone is asked by who comes, and waited for until it has put back what it holds',
  async () => {
    await own();
    const place: SocketPlace = { platform: process.platform, env: {}, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1, dataFolder: base };
    expect(await socketsOf(place, base)).toEqual([address]);
    expect(await socketsOf(place, 'another project')).toEqual([]);
    await waitForOwnersToExit([address], folder, 0);
    const done: string[] = [];
    const host = {
      attach: () => Promise.reject(new Error('unused')),
      recall: () => undefined,
      remember: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const mayAnswer = (): boolean => {
      if (!done.includes('looked')) void nextTurn().then(() => (done.push('put back'), server.close()));
      done.push('looked');
      return false;
    };
    const answering = { callTool: () => Promise.reject(new Error('unused')), query: () => Promise.reject(new Error('unused')), changes: () => false };
    server.serve({ host, answering, calls: new IdempotentCalls(host), mayAnswer, onYield: () => undefined });
    await waitForOwnersToExit([address], folder, 0);
    expect(done).toContain('put back');
  },
);

function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}
