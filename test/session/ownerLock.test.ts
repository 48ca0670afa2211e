import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../../server/src/base/result';
import { type Candidate, type Claim, claimOwnership, type Liveness, type OwnerCard, readNewestCard } from '../../server/src/session/ownerLock';
import { removeFolder } from '../helpers/removeFolder.mjs';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lattice-lock-')), 'owner');
});
afterEach(() => removeFolder(join(folder, '..')));

const candidate = (name: string): Candidate => ({ address: name, token: 't', pid: process.pid, protocol: 2, oldest: 1, engineVersion: '1' });

async function claim(name: string, liveness: (card: OwnerCard) => Liveness): Promise<Claim> {
  const claimed = await claimOwnership(folder, {
    candidate: () => Promise.resolve(ok(candidate(name))),
    liveness: card => Promise.resolve(liveness(card)),
    lowestGeneration: () => Promise.resolve(1),
  });
  if (!claimed.ok) throw new Error(claimed.error.message);
  if (claimed.value.kind === 'owner') claimed.value.lease.stop();
  return claimed.value;
}

const addressOf = (claimed: Claim): string => (claimed.kind === 'owner' ? claimed.lease.card.address : claimed.card.address);

test('Of many candidates at once one becomes the owner, and the others learn who', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `candidate${at}`);
  const claims = await Promise.all(names.map(name => claim(name, () => 'alive')));
  const owners = claims.filter(({ kind }) => kind === 'owner');
  expect(owners).toHaveLength(1);
  expect(new Set(claims.map(addressOf))).toEqual(new Set(owners.map(addressOf)));
});

test('After every death one of those left takes over, whatever the process ids are', async () => {
  const dead = new Set<string>();
  const liveness = ({ address }: OwnerCard): Liveness => (dead.has(address) ? 'dead' : 'alive');
  for (let round = 0; round < 20; round++) {
    const claims = await Promise.all(['a', 'b', 'c'].map(name => claim(`${round}${name}`, liveness)));
    expect(claims.filter(({ kind }) => kind === 'owner')).toHaveLength(1);
    dead.add(addressOf(claims[0] as Claim));
  }
  expect(readdirSync(folder).length).toBeLessThanOrEqual(9);
});

test('An owner whose lock folder was replaced by a copy of it has lost its place', async () => {
  const claimed = await claim('first', () => 'alive');
  if (claimed.kind !== 'owner') throw new Error('nobody else was there');
  expect(claimed.lease.holds()).toBe(true);
  cpSync(folder, `${folder}-copy`, { recursive: true });
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-copy`, folder);
  expect(claimed.lease.holds()).toBe(false);
});

test.each([
  { name: 'empty', text: '' },
  { name: 'of noise', text: '\u0000\u0001{' },
  { name: 'of another shape', text: '{"pid": 1}' },
])('A card that is $name stands for nobody', async ({ text }) => {
  await claim('first', () => 'alive');
  writeFileSync(join(folder, 'owner.2.json'), text);
  const next = await claim('second', () => 'alive');
  expect(next).toMatchObject({ kind: 'owner', lease: { card: { generation: 3 } } });
  expect(await readNewestCard(folder)).toMatchObject({ address: 'second', generation: 3 });
});

test("What a crash left half done is in nobody's way", async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'draft-0011223344'), '{}');
  writeFileSync(join(folder, 'owner.x.json'), '{}');
  expect(await claim('first', () => 'alive')).toMatchObject({ kind: 'owner' });
});

test('The card with the token is for its user only', async () => {
  await claim('first', () => 'alive');
  // Windows keeps others out by the folder of the user, not by mode bits.
  if (process.platform !== 'win32') expect(statSync(join(folder, 'owner.1.json')).mode & 0o077).toBe(0);
});

test.each([
  ['ENOSPC', /the disk is full\. Free some space/],
  ['EDQUOT', /quota is exceeded\. Free some space/],
  ['EROFS', /is not writable\. .* set LATTICE_HOME/],
  ['EACCES', /is not writable\. .* set LATTICE_HOME/],
])('who cannot write the lock (%s) is told what to do', async (code, message) => {
  const failing = (): Promise<never> => Promise.reject(Object.assign(new Error(`${code}: not possible, write`), { code }));
  const claimed = await claimOwnership(folder, {
    candidate: failing,
    liveness: () => Promise.resolve('dead'),
    lowestGeneration: () => Promise.resolve(1),
  });
  expect(claimed).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', message: expect.stringMatching(message) } });
});
