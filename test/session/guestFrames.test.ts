import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Emitter } from '../../server/src/base/emitter';
import { ok, type Result } from '../../server/src/base/result';
import { ensurePrivateFolder, runtimeFolder, type SocketPlace, socketAddress } from '../../server/src/session/addresses';
import type { AttachedCheckout, CheckoutHost } from '../../server/src/session/checkoutHost';
import { IdempotentCalls } from '../../server/src/session/idempotency';
import { OwnerServer } from '../../server/src/session/ownerServer';
import { encodeFrame, type Frame, FrameDecoder, MAX_FRAME_BYTES } from '../../server/src/session/wire';
import type { EngineHealth, Workspace } from '../../server/src/workspace/snapshot';
import { removeFolder } from '../helpers/removeFolder.mjs';

const versions = { protocol: 2, oldest: 1 };
const caller = { sessionId: 's', kind: 'editor' };

let folder: string;
let server: OwnerServer;
/** What reached the engine. */
let reached: unknown[];

const checkout: AttachedCheckout = {
  root: '/w',
  workspace: viewer => {
    reached.push(viewer);
    return { health: checkout.health } as Workspace;
  },
  answering: find => find(),
  ready: () => Promise.resolve(ok(undefined)),
  health: () => ({ progress: { phase: 'ready', done: 0, total: 0 }, role: 'owner' }) as unknown as EngineHealth,
  notifyFiles: events => void reached.push(events),
  overlay: (viewer, changes) => void reached.push(viewer, changes),
  configure: settings => void reached.push(settings),
  onProgress: new Emitter<never>().event,
  onRevision: new Emitter<never>().event,
  onRecords: new Emitter<never>().event,
  dispose: () => undefined,
};
const host: CheckoutHost = {
  attach: (_, { settings }) => {
    reached.push(settings);
    return Promise.resolve(ok(checkout));
  },
  recall: () => undefined,
  remember: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

beforeEach(async () => {
  reached = [];
  folder = mkdtempSync(join(tmpdir(), 'lattice-frames-'));
  const place: SocketPlace = { platform: process.platform, env: {}, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1, dataFolder: folder };
  await ensurePrivateFolder(runtimeFolder(place) ?? folder, place.uid);
  const address = socketAddress(place, folder);
  const listening = await OwnerServer.listen({ address, token: 'secret', versions, engineVersion: '1', log: { write: () => undefined } });
  if (!listening.ok) throw new Error(listening.error.message);
  server = listening.value;
  const query = (workspace: Workspace): Promise<Result<unknown>> => Promise.resolve(ok(workspace.health().role));
  const answering = { callTool: () => Promise.reject(new Error('unused')), query, changes: () => false };
  server.serve({ host, calls: new IdempotentCalls(host), answering, mayAnswer: () => true, onYield: () => undefined });
});
afterEach(async () => {
  await server.close();
  removeFolder(folder);
});

/** Says hello with what is added to it, sends the frames, and resolves with what came back once the owner has answered a last ping or closed. */
function send(frames: readonly Frame[], hello: Frame = {}): Promise<Frame[]> {
  const decoder = new FrameDecoder(MAX_FRAME_BYTES);
  const back: Frame[] = [];
  const greeting = { type: 'hello', ...versions, token: 'secret', root: '/w', watch: 'none', longLived: true, pid: 1, ...hello };
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(server.options.address, () => {
      for (const frame of [greeting, ...frames, { type: 'ping' }]) socket.write(encodeFrame(frame));
    });
    socket.on('data', chunk => {
      const got = decoder.push(chunk);
      if (got.ok) back.push(...got.value);
      const answered = frames.every(frame => frame['method'] === undefined || back.some(({ id }) => id === frame['id']));
      if (answered && back.some(frame => frame['type'] === 'pong')) socket.end();
    });
    socket.on('close', () => resolve(back));
    socket.on('error', reject);
  });
}

test('Settings of the wrong kind are left out, in a hello and later', async () => {
  const settings = { ignorePatterns: 5, excludes: ['a', 1], maxFileSizeKb: 9, respectGitignore: 'no', more: true };
  await send(
    [
      { type: 'configure', settings },
      { type: 'configure', settings: null },
    ],
    { settings },
  );
  expect(reached).toEqual([{ maxFileSizeKb: 9 }, { maxFileSizeKb: 9 }, {}]);
});

test('What is answered to a guest says that it is one', async () => {
  const back = await send([{ type: 'request', id: 7, method: 'query', params: { feature: 'health', params: {}, caller } }]);
  expect(back.find(({ id }) => id === 7)).toMatchObject({ value: { ok: true, value: 'guest' } });
});

test('Only files inside the workspace are spoken of', async () => {
  const paths = ['src/a.ts', '../b.ts', '/etc/passwd', 'C:\\c.ts', 'src/../../d.ts', 'e\u0000.ts', '', 7];
  await send([
    { type: 'files', events: [null, 'x', ...paths.map(path => ({ path, kind: 'changed' })), { path: 'f.ts', kind: 'exploded' }] },
    { type: 'files', events: 'all' },
    { type: 'overlay', caller, changes: [undefined, ...paths.map(path => ({ path, version: 1, text: 'x' }))] },
  ]);
  expect(reached).toEqual([
    undefined,
    [{ path: 'src/a.ts', kind: 'changed' }],
    [],
    expect.stringMatching(/\/s$/),
    [{ path: 'src/a.ts', version: 1, text: 'x' }],
  ]);
});

test.each([
  { name: 'an overlay of nobody', frame: { type: 'overlay', changes: [] } },
  { name: 'an overlay of a strange caller', frame: { type: 'overlay', changes: [], caller: { sessionId: 1, kind: 'editor' } } },
  { name: 'a request without an id', frame: { type: 'request', method: 'health' } },
])('$name costs the guest its connection, and the owner lives', async ({ frame }) => {
  expect((await send([frame])).at(-1)).toMatchObject({ type: 'bye' });
  expect((await send([])).at(-1)).toMatchObject({ type: 'pong' });
});

test.each<{ method: string; params: Frame }>([
  { method: 'callTool', params: {} },
  { method: 'callTool', params: { call: { name: 'x', input: {}, idempotencyKey: 'k' } } },
  { method: 'query', params: { feature: 'hover', params: {} } },
])('A malformed $method is answered with an error', async ({ method, params }) => {
  const back = await send([{ type: 'request', id: 1, method, params }]);
  expect(back.find(frame => frame['id'] === 1)).toMatchObject({ error: { code: 'INTERNAL' } });
});

test('An owner that closes does not wait for connections that send nothing', async () => {
  // The time in which they have to say something never comes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const socket = connect(server.options.address);
  const closed = new Promise(resolve => socket.once('close', resolve));
  await new Promise(resolve => socket.once('connect', resolve));
  socket.on('error', () => undefined).resume();
  await server.close();
  await closed;
});
