import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { ensurePrivateFolder, runtimeFolder, type SocketPlace, socketAddress } from '../../server/src/session/addresses';
import { Channel } from '../../server/src/session/channel';
import { connectGuest, type GuestGateway } from '../../server/src/session/guestGateway';
import type { Frame } from '../../server/src/session/wire';
import { removeFolder } from '../helpers/removeFolder.mjs';

const versions = { protocol: 2, oldest: 1 };
const caller = { sessionId: 's', kind: 'agent', agentId: undefined } as const;
const welcome = { type: 'welcome', protocol: 2, pid: 7, engineVersion: '9.0.0', root: '/w' };
const envelope = { ok: true, summary: 'Done.', profile: 'compact', _tokenEstimate: 1 };
const health = {
  progress: { phase: 'ready', done: 1, total: 1 },
  pendingFiles: 0,
  languages: [],
  problems: [],
  recentEvents: [],
  recovered: [],
  skipped: {},
  storeBytes: {},
  dataFolder: '/d',
  engineVersion: '9.0.0',
};

let folder: string;
let owner: Server;
let address: string;
/** What the owner says first, and to each request. */
let greeting: Frame;
let value: unknown;
let channel: Channel;

beforeEach(async () => {
  greeting = welcome;
  folder = mkdtempSync(join(tmpdir(), 'lattice-newer-'));
  const place: SocketPlace = { platform: process.platform, env: {}, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1, dataFolder: folder };
  await ensurePrivateFolder(runtimeFolder(place) ?? folder, place.uid);
  address = socketAddress(place, folder);
  owner = createServer(socket => {
    channel = new Channel(socket, 1 << 20);
    channel.listen(({ id, type }) => {
      if (type === 'hello') channel.send(greeting);
      if (type === 'request') channel.send({ type: 'response', id, value, cost: 3 });
    });
  });
  await new Promise<void>(resolve => {
    owner.listen(address, resolve);
  });
});
afterEach(async () => {
  channel.close('the test is over');
  await new Promise(resolve => {
    owner.close(resolve);
  });
  removeFolder(folder);
});

async function joined(): Promise<GuestGateway> {
  const card = { generation: 1, address, token: 'secret', pid: 7, ...versions, engineVersion: '9.0.0' };
  const guest = await connectGuest(card, '/w', { watch: 'none', settings: undefined, longLived: false }, versions);
  if (!guest.ok) throw new Error(guest.error.message);
  return guest.value;
}

const ASK: Readonly<Record<string, (guest: GuestGateway) => Promise<unknown>>> = {
  callTool: guest => guest.callTool({ name: 'x', input: {}, caller, idempotencyKey: 'k' }, neverCancelled),
  query: guest => guest.query('hover', {}, caller, neverCancelled),
  ready: guest => guest.ready(neverCancelled),
  health: guest => guest.health(),
};

test.each<{ method: string; answer: unknown }>([
  { method: 'callTool', answer: { envelope: { ...envelope, stamp: { revision: 1, epoch: 4 }, cost: 2 }, text: 'Done.', html: '<p>' } },
  { method: 'callTool', answer: { envelope: { ...envelope, ok: false, profile: 'terse', errorCode: 'QUOTA' }, text: '' } },
  { method: 'query', answer: { ok: true, value: { lines: [], more: 1 }, cached: true } },
  { method: 'query', answer: { ok: false, error: { code: 'QUOTA', message: 'Enough.', retryAfter: 3 } } },
  { method: 'ready', answer: { ok: true, since: 5 } },
  { method: 'health', answer: { ...health, mood: 'good', progress: { ...health.progress, eta: 3 } } },
])('What a newer owner adds to an answer of $method stays in it', async ({ method, answer }) => {
  greeting = { ...welcome, motto: 'more' };
  value = answer;
  expect(await ASK[method]?.(await joined())).toMatchObject(answer as object);
});

test.each<{ method: string; answer: unknown }>([
  { method: 'callTool', answer: undefined },
  { method: 'callTool', answer: { envelope, text: 5 } },
  { method: 'callTool', answer: { envelope: { ...envelope, ok: 'yes' }, text: '' } },
  { method: 'callTool', answer: { envelope: { ...envelope, data: 'x' }, text: '' } },
  { method: 'query', answer: { value: 1 } },
  { method: 'query', answer: { ok: false, error: 'no' } },
  { method: 'ready', answer: null },
  { method: 'health', answer: { ...health, languages: undefined } },
  { method: 'health', answer: { ...health, progress: { phase: 'dreaming', done: 1, total: 1 } } },
])('A wrong answer of $method is refused, and names the owner: $answer', async ({ method, answer }) => {
  value = answer;
  const guest = await joined();
  await expect(ASK[method]?.(guest)).rejects.toThrow(/owner \(process 7, version 9\.0\.0\) answered/);
  expect(guest.lost).toBe(false);
});

test('Messages and events of kinds that are not known are passed over', async () => {
  const guest = await joined();
  const told: unknown[] = [];
  guest.onProgress(event => told.push(event));
  guest.onRevision(event => told.push(event));
  guest.onRecords(areas => told.push(areas));
  channel.send({ type: 'weather', sun: true });
  channel.send({ type: 'progress', event: { phase: 'dreaming', done: 0, total: 0 } });
  channel.send({ type: 'revision', event: { revision: 'next' } });
  channel.send({ type: 'records', areas: [1] });
  channel.send({ type: 'progress', event: { ...health.progress, eta: 1 } });
  channel.send({ type: 'revision', event: { revision: 2, changed: ['a.ts'], by: 'x' } });
  channel.send({ type: 'records', areas: ['work', 'weather'] });
  value = { ok: true };
  await guest.ready(neverCancelled);
  expect(told).toEqual([{ ...health.progress, eta: 1 }, { revision: 2, changed: ['a.ts'] }, ['work', 'weather']]);
});

test('A welcome that lacks something is a refusal', async () => {
  greeting = { type: 'welcome', protocol: 2 };
  await expect(joined()).rejects.toThrow('The owner sent a malformed welcome.');
});
