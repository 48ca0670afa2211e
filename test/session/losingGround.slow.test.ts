/** What the ground an owner stands on may do: its socket, its data folder and its time may be taken away. Nothing acknowledged is lost, and nobody lies. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DIST } from '../transports/bundles';
import { type Door, openMcp, SharedPlace, type Surroundings } from './doors';
import { expectLedger, Ledger, prepareRows, type SharedRows, Writer } from './writers';

let place: SharedPlace;
let sockets: string;
let user: number | undefined;
const doors = new Set<Door>();
let ledger: Ledger;
let rows: SharedRows;

beforeEach(() => {
  place = new SharedPlace();
  sockets = join(place.base, 'run');
  user = undefined;
  makeSockets();
  ledger = new Ledger();
});
afterEach(async () => {
  await Promise.all([...doors].map(door => door.kill()));
  doors.clear();
  place.remove();
});

/** From here on processes are those of another user, who owns the data and may only read the workspace. */
function asOther(): void {
  user = OTHER;
  mkdirSync(place.home, { mode: 0o700 });
  for (const path of [place.base, place.home, sockets]) chownSync(path, OTHER, OTHER);
  for (let folder = place.base; folder !== '/'; folder = dirname(folder)) if ((statSync(folder).mode & 0o001) === 0) chmodSync(folder, 0o755);
}

function makeSockets(): void {
  mkdirSync(sockets, { mode: 0o700 });
  if (user !== undefined) chownSync(sockets, user, user);
}

function open(surroundings: Surroundings = {}): Door {
  const door = openMcp(place, { ...surroundings, ...(user === undefined ? {} : { user }), env: { XDG_RUNTIME_DIR: sockets, ...surroundings.env } });
  doors.add(door);
  return door;
}

/** A door that has written what all writers share. */
async function openFirst(): Promise<Door> {
  const door = open();
  rows = await prepareRows(door);
  return door;
}

async function write(door: Door, name: string): Promise<boolean> {
  ledger.tasksTried.add(name);
  const answer = await door.call('manage_container', { operation: 'create', containerType: 'task', name, templateId: rows.templateId });
  if (answer.ok) ledger.tasksDone.add(name);
  return answer.ok;
}

async function end(): Promise<void> {
  await Promise.all([...doors].map(door => door.end()));
  doors.clear();
}

async function expectAllKept(): Promise<void> {
  expect(ledger.refusals).toEqual([]);
  const store = await place.store();
  expectLedger(store, ledger, rows, true);
  expect(store.needsHashCheck).toBe(false);
  await store.abandon();
}

function owners(): string {
  return join(place.project, 'owner');
}

let names = 0;

/** Both change the same things at once; whichever of them is the owner, or whether they take it from each other, is for them to find out. */
async function bothWrite(first: Door, second: Door, count: number): Promise<void> {
  const enough = ledger.acknowledged + count;
  const writers = [first, second].map(door => new Writer(door, `w${names++}`, rows, ledger));
  while (ledger.acknowledged < enough) await after(20);
  await Promise.all(writers.map(writer => writer.stop()));
}

/** Time enough for a process that does not wait to take a folder that is empty. */
const TO_TAKE_A_FOLDER_MS = 1_000;

const isPosix = process.platform !== 'win32';
/** Nobody in particular. */
const OTHER = 65_534;
/** Only root may become somebody else, who must be able to read the bundles. */
const hasOther =
  isPosix &&
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', `require('fs').readdirSync(${JSON.stringify(DIST)})`], { uid: OTHER, cwd: '/' }).status === 0;
/** Whether this user may have a mount namespace of its own. */
const hasNamespaces = spawnSync('unshare', ['--mount', 'true']).status === 0;

if (isPosix) {
  test('the socket folder of the owner is deleted: who comes then and who was there both write, and nothing is lost', async () => {
    const first = await openFirst();
    rmSync(sockets, { recursive: true });
    makeSockets();
    await bothWrite(first, open(), 300);
    await end();
    await expectAllKept();
  });

  test('an owner without its socket makes it anew, and others find it', async () => {
    await openFirst();
    const owner = place.ownerPid();
    rmSync(sockets, { recursive: true });
    makeSockets();
    await expect.poll(() => readdirSync(sockets, { recursive: true }).filter(name => String(name).endsWith('.s'))).toHaveLength(1);
    expect(await write(open(), 'of a guest')).toBe(true);
    expect(place.ownerPid()).toBe(owner);
    await end();
    await expectAllKept();
  });

  test('processes with different folders for temporary files find each other', async () => {
    const first = await openFirst();
    const elsewhere = join(place.base, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    await bothWrite(first, open({ env: { XDG_RUNTIME_DIR: elsewhere, TMPDIR: elsewhere } }), 20);
    expect(place.ownerPid()).toBe(first.pid);
    await end();
    await expectAllKept();
  });

  test('the last to leave leaves no folder for sockets behind', async () => {
    const first = await openFirst();
    const second = open();
    await bothWrite(first, second, 10);
    await first.kill();
    doors.delete(first);
    expect(await write(second, 'after')).toBe(true);
    await end();
    expect(readdirSync(sockets, { recursive: true })).toEqual([]);
  });

  test.each([
    ['removed', () => rmSync(place.home, { recursive: true })],
    ['moved away', () => renameSync(place.home, `${place.home}-moved`)],
    ['replaced by an empty one', () => (renameSync(place.home, `${place.home}-moved`), mkdirSync(place.home))],
    [
      'replaced by a copy of itself',
      () => {
        cpSync(place.home, `${place.home}-copy`, { recursive: true, preserveTimestamps: true, filter: path => !path.endsWith('.s') });
        rmSync(place.home, { recursive: true });
        renameSync(`${place.home}-copy`, place.home);
      },
    ],
  ])('the data folder is %s while the owner runs: the owner restores it from memory', async (_, take) => {
    const first = await openFirst();
    const second = open();
    await bothWrite(first, second, 20);
    take();
    expect(await write(first, 'after, by the first')).toBe(true);
    expect(await write(second, 'after, by the second')).toBe(true);
    expect(existsSync(place.project)).toBe(true);
    await end();
    await expectAllKept();
  });

  test('a frozen owner is replaced, and detects it before it confirms anything', async () => {
    const first = await openFirst();
    const second = open();
    await bothWrite(first, second, 20);
    process.kill(place.ownerPid() ?? 0, 'SIGSTOP');
    const frozen = place.ownerPid() === first.pid ? first : second;
    const other = frozen === first ? second : first;
    const late = write(frozen, 'asked of the frozen one');
    late.catch(() => undefined);
    const began = performance.now();
    expect(await write(other, 'meanwhile')).toBe(true);
    console.log(`a frozen owner was replaced within ${Math.round(performance.now() - began)} ms`);
    expect(place.ownerPid()).toBe(other.pid);
    process.kill(frozen.pid, 'SIGCONT');
    expect(await late).toBe(true);
    expect(await write(frozen, 'after')).toBe(true);
    await end();
    await expectAllKept();
  });

  test('the data folder is removed while a process looks for an owner whose socket it does not see: it waits until the owner has begun anew', async () => {
    const first = await openFirst();
    rmSync(sockets, { recursive: true });
    makeSockets();
    // Else it would make its socket anew.
    process.kill(first.pid, 'SIGSTOP');
    const second = open();
    const writing = write(second, 'by who looked for the owner');
    await expect.poll(() => readdirSync(owners()).filter(name => name.startsWith('knock-')), { timeout: 30_000, interval: 10 }).toHaveLength(1);
    rmSync(place.home, { recursive: true });
    await expect.poll(() => existsSync(owners()), { timeout: 30_000 }).toBe(true);
    await after(TO_TAKE_A_FOLDER_MS);
    process.kill(first.pid, 'SIGCONT');
    expect(await writing).toBe(true);
    expect(await write(first, 'by the owner')).toBe(true);
    await end();
    await expectAllKept();
  });

  test('the data folder is removed before an owner that was frozen sees who took over: it waits until that one has begun anew', async () => {
    const first = await openFirst();
    const elsewhere = join(place.base, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    process.kill(first.pid, 'SIGSTOP');
    const second = open({ env: { XDG_RUNTIME_DIR: elsewhere, TMPDIR: elsewhere } });
    expect(await write(second, 'by who took over')).toBe(true);
    process.kill(second.pid, 'SIGSTOP');
    rmSync(place.home, { recursive: true });
    process.kill(first.pid, 'SIGCONT');
    await expect.poll(() => existsSync(owners()), { timeout: 30_000 }).toBe(true);
    await after(TO_TAKE_A_FOLDER_MS);
    process.kill(second.pid, 'SIGCONT');
    expect(await write(first, 'by who was frozen')).toBe(true);
    expect(await write(second, 'by the owner')).toBe(true);
    await end();
    await expectAllKept();
  });
}

if (hasNamespaces) {
  test('a process of another mount namespace, which sees the data and not the socket: both write, and nothing is lost', async () => {
    const first = await openFirst();
    const hide = ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs none ${sockets} && exec "$@"`, 'sh'];
    await bothWrite(first, open({ within: hide }), 60);
    await end();
    await expectAllKept();
  });

  test(`processes that do not see each other's sockets become guests of one owner, which is not replaced`, async () => {
    const first = await openFirst();
    const hide = ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs none ${sockets} && exec "$@"`, 'sh'];
    const contained = ['unshare', '--mount', '--pid', '--fork', '--kill-child', ...hide.slice(2)];
    const hidden = [open({ within: hide }), open({ within: hide }), open({ within: contained })];
    for (const [at, door] of hidden.entries()) expect(await write(door, `by the hidden one ${at}`)).toBe(true);
    expect(await write(first, 'by the first')).toBe(true);
    expect(place.ownerPid()).toBe(first.pid);
    expect(readdirSync(owners()).filter(name => name.startsWith('owner.'))).toEqual(['owner.1.json']);
    await end();
    expect(readdirSync(owners())).toEqual(['owner.1.json']);
    await expectAllKept();
  });

  test('where the data folder has no room for a socket, processes that do not see each other work in turns', async () => {
    place.remove();
    place = new SharedPlace('a-folder-with-a-name-so-long-that-no-socket-fits');
    sockets = join(place.base, 'run');
    makeSockets();
    const first = await openFirst();
    const hide = ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs none ${sockets} && exec "$@"`, 'sh'];
    const second = open({ within: hide });
    for (let turn = 0; turn < 2; turn++) {
      expect(await write(second, `by the hidden one ${turn}`)).toBe(true);
      expect(await write(first, `by the first ${turn}`)).toBe(true);
    }
    await end();
    await expectAllKept();
  });
}

if (hasOther) {
  test.each([
    ['its socket', () => (rmSync(sockets, { recursive: true }), makeSockets())],
    ['its data folder', () => rmSync(place.home, { recursive: true })],
    ['its time', () => void process.kill(place.ownerPid() ?? 0, 'SIGSTOP')],
  ])('a user who may only read the workspace loses nothing either when the owner loses %s', async (_, take) => {
    asOther();
    const first = await openFirst();
    const second = open();
    await bothWrite(first, second, 20);
    const owner = place.ownerPid();
    take();
    const writing = write(first, 'by the first');
    expect(await write(first.pid === owner ? second : open(), 'by another')).toBe(true);
    process.kill(owner ?? 0, 'SIGCONT');
    expect(await writing).toBe(true);
    await end();
    await expectAllKept();
  });
}
