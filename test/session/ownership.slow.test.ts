import { afterEach, beforeEach, expect, test } from 'vitest';
import { SILENCE_MS } from '../../server/src/session/ownerLock';
import { type Actor, Actors } from './actors';

let actors: Actors;
beforeEach(() => {
  actors = new Actors();
});
afterEach(() => actors.dispose());

/** Every owner has ended or was killed before the next begins, and does nothing after that. */
function expectOneOwnerAtATime(killed: ReadonlySet<number>): number {
  let owner: number | undefined;
  let owners = 0;
  for (const { word, pid } of actors.markers()) {
    if (word === 'begin') {
      expect(owner === undefined || killed.has(owner), `${pid} began while ${owner} was the owner`).toBe(true);
      owner = pid;
      owners++;
    } else expect(pid, `${word} of a process that is not the owner`).toBe(owner);
    if (word === 'end') owner = undefined;
  }
  return owners;
}

async function startMany(count: number): Promise<Actor[]> {
  return Promise.all(Array.from({ length: count }, () => actors.start()));
}

test('Eight processes that start at once make one owner, and so do the survivors of each kill', async () => {
  const living = await startMany(8);
  const killed = new Set<number>();
  while (living.length > 1) {
    const { ownerPid } = await (living[0] as Actor).health();
    const roles = await Promise.all(living.map(actor => actor.health()));
    expect(roles.filter(({ role }) => role === 'owner')).toHaveLength(1);
    expect(new Set(roles.map(health => health.ownerPid))).toEqual(new Set([ownerPid]));
    const at = living.findIndex(actor => actor.pid === ownerPid);
    const [victim] = living.splice(at, 1) as [Actor];
    const inFlight = living.map((actor, index) => actor.ask('write', `key-${killed.size}-${index}`));
    killed.add(victim.pid);
    await victim.kill();
    for (const answer of (await Promise.all(inFlight)) as { envelope: { ok: boolean } }[]) expect(answer.envelope.ok).toBe(true);
    expect((await (living[0] as Actor).health()).ownerPid).not.toBe(victim.pid);
  }
  expect(expectOneOwnerAtATime(killed)).toBe(8);
});

test('Newcomers that race a dying owner never make a second one', async () => {
  const killed = new Set<number>();
  for (let round = 0; round < 6; round++) {
    const first = await actors.start();
    const { ownerPid } = await first.health();
    expect(ownerPid).toBe(first.pid);
    const racing = startMany(4);
    killed.add(first.pid);
    await first.kill();
    for (const actor of await racing) {
      killed.add(actor.pid);
      expect(await actor.health()).toMatchObject({ ownerPid: expect.any(Number) });
    }
    const living = await racing;
    expect(new Set(await Promise.all(living.map(async actor => (await actor.health()).ownerPid))).size).toBe(1);
    for (const actor of living) await actor.kill();
  }
  expectOneOwnerAtATime(killed);
});

test('If every start takes longer than the time limit for owners, one owner remains', async () => {
  const living = await Promise.all(Array.from({ length: 4 }, () => actors.start({ heldMs: 2 * SILENCE_MS })));
  const answers = await Promise.all(living.map(actor => actor.ask('write', `key-${actor.pid}`)));
  for (const answer of answers as { envelope: { ok: boolean } }[]) expect(answer.envelope.ok).toBe(true);
  expect(new Set(await Promise.all(living.map(async actor => (await actor.health()).ownerPid))).size).toBe(1);
});

test('A call that was in flight when the owner was killed is answered by the next owner', async () => {
  const owner = await actors.start();
  const guest = await actors.start();
  const answer = guest.ask('write', 'the-key');
  await owner.kill();
  expect(await answer).toMatchObject({ envelope: { ok: true } });
});

test('A write is carried out once, however often and wherever its key is repeated', async () => {
  const owner = await actors.start();
  const guest = await actors.start();
  const first = await guest.ask('write', 'same');
  expect(await owner.ask('write', 'same')).toEqual(first);
  await owner.kill();
  expect(await guest.ask('write', 'same')).toEqual(first);
});

test('An owner that leaves hands over and exits', async () => {
  const oneShot = await actors.start({ longLived: false });
  const guest = await actors.start();
  expect(await oneShot.end()).toBe(0);
  expect(await guest.health()).toEqual({ role: 'owner', ownerPid: guest.pid });
  expectOneOwnerAtATime(new Set());
});

test('What is asked of an owner that is leaving is answered by the next one', async () => {
  const owner = await actors.start({ closingMs: 300 });
  const guest = await actors.start();
  const left = owner.end();
  for (let at = 0, role = 'guest'; role === 'guest'; at++) {
    expect(await guest.ask('write', `key-${at}`)).toMatchObject({ envelope: { ok: true } });
    role = (await guest.health()).role;
  }
  expect(await left).toBe(0);
});

test('A process exits by itself when its input ends, as owner and as guest', async () => {
  const owner = await actors.start();
  const guest = await actors.start();
  expect(await guest.end()).toBe(0);
  expect(await owner.end()).toBe(0);
});

// Windows has no signal that suspends a process.
if (process.platform !== 'win32') {
  test('A suspended owner that wakes up after a takeover gives up its place', async () => {
    const owner = await actors.start();
    const guest = await actors.start();
    owner.child.kill('SIGSTOP');
    const taken = guest.ask('read');
    await expect.poll(async () => (await guest.health()).ownerPid, { interval: 200 }).toBe(guest.pid);
    owner.child.kill('SIGCONT');
    await expect.poll(async () => (await owner.health()).role, { interval: 100 }).toBe('guest');
    expect(await taken).toBeDefined();
    expect(await owner.ask('read')).toMatchObject({ envelope: { ok: true, summary: String(guest.pid) } });
  });
}

test.each([
  { name: 'An older guest within one version is served', owner: [3, 2], guest: [2, 1], role: 'guest' },
  { name: 'A newer guest within one version is served', owner: [2, 1], guest: [3, 2], role: 'guest' },
  { name: 'A guest far newer makes the owner yield', owner: [2, 1], guest: [5, 4], role: 'owner' },
])('$name', async ({ owner: [protocol, oldest], guest: [theirs, theirOldest], role }) => {
  const owner = await actors.start({ protocol, oldest });
  const guest = await actors.start({ protocol: theirs, oldest: theirOldest });
  expect(await guest.health()).toEqual({ role, ownerPid: role === 'owner' ? guest.pid : owner.pid });
});

test('A guest far older is refused with advice, and the owner lives', async () => {
  const owner = await actors.start({ protocol: 5, oldest: 4 });
  const guest = await actors.start({ protocol: 2, oldest: 1 });
  const { failed } = await guest.started;
  expect(failed?.code).toBe('UNAVAILABLE');
  expect(failed?.message).toContain('Update this copy of Lattice');
  expect(await owner.health()).toEqual({ role: 'owner', ownerPid: owner.pid });
});

test('Unsaved text is seen by its own window, as guest and after a takeover, and by nobody else', async () => {
  const owner = await actors.start();
  const guest = await actors.start();
  await guest.ask('overlay', 'unsaved');
  const text = async (actor: Actor, who = ''): Promise<unknown> => ((await actor.ask('text', who)) as { value: { value: string } }).value.value;
  expect(await text(guest)).toBe('unsaved');
  expect(await text(guest, 'agent')).toBe('on disk');
  expect(await text(owner)).toBe('on disk');
  await owner.kill();
  expect(await text(guest)).toBe('unsaved');
});
