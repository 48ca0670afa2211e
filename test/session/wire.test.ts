import { existsSync, mkdtempSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { err, ok } from '../../server/src/base/result';
import {
  ensurePrivateFolder,
  MAX_ADDRESS_BYTES,
  removeSocketPlace,
  runtimeFolder,
  type SocketPlace,
  socketAddress,
  usablePlace,
} from '../../server/src/session/addresses';
import type { CheckoutHost } from '../../server/src/session/checkoutHost';
import { connectGuest } from '../../server/src/session/guestGateway';
import { IdempotentCalls } from '../../server/src/session/idempotency';
import { livenessOf } from '../../server/src/session/liveness';
import type { OwnerCard } from '../../server/src/session/ownerLock';
import { OwnerServer } from '../../server/src/session/ownerServer';
import { encodeFrame, FrameDecoder } from '../../server/src/session/wire';
import { removeFolder } from '../helpers/removeFolder.mjs';

const versions = { protocol: 2, oldest: 1 };
const longHome = `/home/${'n'.repeat(90)}`;

test.each<{ name: string; place: Partial<SocketPlace>; expected: RegExp }>([
  {
    name: 'Linux with a runtime folder',
    place: { env: { XDG_RUNTIME_DIR: '/run/user/7' } },
    expected: /^\/run\/user\/7\/lattice-7-[0-9a-f]{8}\/[0-9a-f-]+\.s$/,
  },
  { name: 'Linux without one', place: {}, expected: /^\/tmp\/lattice-7-[0-9a-f]{8}\/[0-9a-f-]+\.s$/ },
  { name: 'a runtime folder with a long name', place: { env: { XDG_RUNTIME_DIR: longHome } }, expected: /^\/tmp\/lattice-7-/ },
  {
    name: 'macOS',
    place: { platform: 'darwin', tmpdir: '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T' },
    expected: /^\/var\/folders\/zz\/zyxvpxvq6csfxvn_n0000000000000\/T\/lattice-7-[0-9a-f]{8}\/[0-9a-f-]+\.s$/,
  },
  { name: 'Windows', place: { platform: 'win32', tmpdir: 'C:\\Temp', uid: -1 }, expected: /^\\\\\.\\pipe\\lattice-[0-9a-f]{8}-[0-9a-f-]+$/ },
])('The address on $name is short, private and new each time', ({ place, expected }) => {
  const full: SocketPlace = { platform: 'linux', env: {}, tmpdir: '/tmp', uid: 7, dataFolder: '/data', ...place };
  const address = socketAddress(full, 'project');
  expect(address).toMatch(expected);
  expect(Buffer.byteLength(address)).toBeLessThanOrEqual(MAX_ADDRESS_BYTES);
  expect(socketAddress(full, 'project')).not.toBe(address);
  expect(socketAddress({ ...full, dataFolder: '/other' }, 'project').slice(0, -22)).not.toBe(address.slice(0, -22));
});

test('Frames survive any cut of the stream', () => {
  const frames = [{ a: 1 }, { text: 'ä'.repeat(300) }, {}];
  const bytes = Buffer.concat(frames.map(encodeFrame));
  for (let size = 1; size < 40; size++) {
    const decoder = new FrameDecoder(10_000);
    const read: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      const got = decoder.push(bytes.subarray(at, at + size));
      read.push(...(got.ok ? got.value : [got.error]));
    }
    expect(read).toEqual(frames);
  }
});

const frameOf = (body: string): Buffer => {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(Buffer.byteLength(body));
  return Buffer.concat([header, Buffer.from(body)]);
};

const MALFORMED: readonly { readonly name: string; readonly bytes: Buffer }[] = [
  { name: 'a frame that is not JSON', bytes: frameOf('{') },
  { name: 'a frame that is not an object', bytes: frameOf('[1]') },
  { name: 'a frame that announces two gigabytes', bytes: Buffer.from([0x7f, 0xff, 0xff, 0xff]) },
  { name: 'text of another protocol', bytes: Buffer.from('GET / HTTP/1.1\r\n\r\n') },
  { name: 'a first message that is no hello', bytes: encodeFrame({ type: 'request', id: 1 }) },
  { name: 'a hello with a wrong token', bytes: encodeFrame({ type: 'hello', ...versions, token: 'guess', root: '/w' }) },
];

let folder: string;
let server: OwnerServer;
let card: OwnerCard;

const host: CheckoutHost = {
  attach: () => Promise.resolve(err({ code: 'NOT_FOUND', message: 'no such folder' })),
  recall: () => undefined,
  remember: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lattice-wire-'));
  const place: SocketPlace = { platform: process.platform, env: {}, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1, dataFolder: folder };
  await ensurePrivateFolder(runtimeFolder(place) ?? folder, place.uid);
  const address = socketAddress(place, folder);
  const listening = await OwnerServer.listen({ address, token: 'secret', versions, engineVersion: '1', log: { write: () => undefined } });
  if (!listening.ok) throw new Error(listening.error.message);
  server = listening.value;
  card = { generation: 1, address, token: 'secret', pid: process.pid, ...versions, engineVersion: '1' };
});
afterEach(async () => {
  await server.close();
  removeFolder(folder);
});

function serve(): void {
  const calls = new IdempotentCalls(host);
  const answering = { callTool: () => Promise.reject(new Error('unused')), query: () => Promise.resolve(ok(1)), changes: () => false };
  server.serve({ host, calls, answering, mayAnswer: () => true, onYield: () => undefined });
}

test.each(MALFORMED)('$name closes that connection with a refusal, and the owner lives', async ({ bytes }) => {
  serve();
  const decoder = new FrameDecoder(100_000);
  const frames: unknown[] = [];
  await new Promise<void>((resolve, reject) => {
    const socket = connect(card.address, () => socket.write(bytes));
    socket.on('data', chunk => {
      const got = decoder.push(chunk);
      if (got.ok) frames.push(...got.value);
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
  expect(frames).toEqual([expect.objectContaining({ type: 'refused', message: expect.any(String) })]);
  expect(await livenessOf(card, folder)).toBe('alive');
});

test('A folder that the owner cannot open is refused with the reason', async () => {
  serve();
  const guest = await connectGuest(card, '/missing', { watch: 'none', settings: undefined, longLived: false }, versions);
  expect(guest).toEqual(err({ code: 'NOT_FOUND', message: 'no such folder' }));
});

test('A probe is answered before the owner has opened its engines, a hello only afterwards', async () => {
  expect(await livenessOf(card, folder)).toBe('alive');
  const joining = connectGuest(card, '/missing', { watch: 'none', settings: undefined, longLived: false }, versions);
  expect(await livenessOf(card, folder)).toBe('alive');
  serve();
  expect((await joining).ok).toBe(false);
});

test.runIf(process.platform !== 'win32')('A runtime folder that cannot be made is replaced by the temporary folder', async () => {
  const inTheWay = join(folder, 'file');
  writeFileSync(inTheWay, '');
  const place: SocketPlace = {
    platform: process.platform,
    env: { XDG_RUNTIME_DIR: inTheWay },
    tmpdir: folder,
    uid: process.getuid?.() ?? -1,
    dataFolder: folder,
  };
  const usable = await usablePlace(place);
  const found = usable.ok ? runtimeFolder(usable.value) : usable.error.message;
  expect(found).toBe(runtimeFolder({ ...place, env: {} }));
  expect(existsSync(found ?? '')).toBe(true);
});

test('An owner that closed is dead to everybody', async () => {
  serve();
  await server.close();
  expect(await livenessOf(card, folder)).toBe('dead');
});

test.runIf(process.platform !== 'win32')('If another user has taken the name of the socket folder, an unpredictable name is used', async () => {
  const place: SocketPlace = { platform: process.platform, env: {}, tmpdir: folder, uid: process.getuid?.() ?? -1, dataFolder: join(folder, 'data') };
  const taken = new Set([place, { ...place, tmpdir: '/tmp' }].map(each => runtimeFolder(each) ?? ''));
  for (const path of taken) writeFileSync(path, '');
  try {
    const found = await Promise.all([usablePlace(place), usablePlace(place)]);
    const folders = found.map(usable => (usable.ok ? (runtimeFolder(usable.value) ?? '') : usable.error.message));
    expect(new Set([...taken, ...folders]).size).toBe(taken.size + 2);
    for (const path of folders) expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const usable of found) if (usable.ok) await removeSocketPlace(usable.value);
    expect(folders.filter(path => existsSync(path))).toEqual([]);
  } finally {
    for (const path of taken) unlinkSync(path);
  }
});
