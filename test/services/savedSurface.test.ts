/** What a process read of the code is there for the next one, as long as nothing it was read from has changed. */
import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { nodeHost } from '../../server/src/code/files/nodeHost';
import { FileTable, type TrackedFile } from '../../server/src/engine/indexing/fileTable';
import { PackedSurfaces, SavedSurface } from '../../server/src/engine/indexing/services/savedSurface';
import { ServiceFileReader } from '../../server/src/engine/indexing/services/serviceFileReader';
import { ServiceFiles } from '../../server/src/engine/indexing/services/serviceFiles';
import { ServiceIndex } from '../../server/src/engine/indexing/services/serviceIndex';
import { systemTimers } from '../../server/src/main/platform';
import type { FileFacts } from '../../server/src/model/facts';
import { DEFAULT_SERVICES } from '../../server/src/model/settings';
import type { CodeSurface } from '../../server/src/services/surface';
import { PackFile } from '../../server/src/store/packs';
import { resolverFiles, testTurn } from '../helpers/resolveFixture';
import { readTexts } from '../helpers/surfaceOf';
import { MemoryDisk } from '../storage/memoryDisk';

const PATH = '/services.pack';

let disk: MemoryDisk;
let mayWrite: boolean;

beforeEach(() => {
  disk = new MemoryDisk();
  mayWrite = true;
});

interface Run {
  /** Files whose facts were asked for. */
  readonly read: readonly string[];
  readonly endpoints: readonly string[];
  /** Goes on with other texts in the same process. */
  next(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A process that makes the model of a workspace with one file. */
async function run(first: string, { isNoted = false, signature = '', version = '1', beside = '', besideText = '' } = {}): Promise<Run> {
  let text = first;
  let graph = (await readTexts(new Map([['app.py', text]]))).graph;
  const read: string[] = [];
  const table = new FileTable();
  const factsNow = async (): Promise<FileFacts | undefined> => (await resolverFiles(new Map([['app.py', text]])))[0]?.facts;
  const track = async (): Promise<void> => {
    const contentHash = createHash('sha256').update(text).digest('hex');
    const record = { path: 'app.py', language: 'python', contentHash, sizeBytes: text.length, isTest: false, isGenerated: false } as const;
    const file = { sizeBytes: text.length, mtimeMs: 0, inode: 1 };
    const tracked: TrackedFile = { record, signature: file, factsKey: contentHash, syntax: undefined, symbols: 1, isMinified: false, problem: undefined };
    table.set(tracked);
    if (beside !== '') table.set({ ...tracked, record: { ...record, path: beside, language: undefined, contentHash: `${besideText}1` }, factsKey: undefined });
    const facts = isNoted ? await factsNow() : undefined;
    if (facts !== undefined) index.note(tracked, facts);
  };
  const index = new ServiceIndex({
    workspaceName: 'shop',
    table,
    files: new ServiceFiles({ root: '/nowhere', host: nodeHost, table, reader: new ServiceFileReader({ workerFile: '', timers: systemTimers }) }),
    saved: new SavedSurface({ disk, packPath: PATH, version, mayWrite: () => mayWrite }),
    signature: () => signature,
    graph: () => graph,
    digestOf: async ({ record }) => {
      read.push(record.path);
      return (await factsNow())?.digest;
    },
    sink: { follow: () => undefined },
    settings: () => DEFAULT_SERVICES,
    clock: { now: () => 0, monotonic: () => 0 },
    turn: testTurn,
    logError: (_, error) => {
      throw error;
    },
  });
  const endpoints: string[] = [];
  const make = async (): Promise<void> => {
    const model = await index.model();
    endpoints.splice(0, endpoints.length, ...(model?.endpoints ?? []).map(({ method, path }) => `${method} ${path}`));
  };
  await track();
  await make();
  const next = async (changed: string): Promise<void> => {
    text = changed;
    graph = (await readTexts(new Map([['app.py', text]]))).graph;
    await track();
    await make();
  };
  return { read, endpoints, next, close: () => index.close() };
}

async function whole(...of: Parameters<typeof run>): Promise<Run> {
  const done = await run(...of);
  await done.close();
  return done;
}

const app = (path: string): string => `from flask import Flask\n\napp = Flask(__name__)\n\n@app.get('${path}')\ndef show():\n    return ''\n`;

test('the next process reads no code again, and has the same', async () => {
  expect(await whole(app('/orders'))).toMatchObject({ endpoints: ['GET /orders'], read: ['app.py'] });
  expect(await whole(app('/orders'))).toMatchObject({ endpoints: ['GET /orders'], read: [] });
});

test('what the index said of the code while it read it is not read again, and what it says anew neither', async () => {
  const noted = await run(app('/orders'), { isNoted: true });
  expect(noted).toMatchObject({ endpoints: ['GET /orders'], read: [] });
  await noted.next(app('/bills'));
  expect(noted).toMatchObject({ endpoints: ['GET /bills'], read: [] });
  await noted.close();
});

test.each([
  ['a text', app('/bills'), {}, 'GET /bills'],
  ['what else the graph is made of', app('/orders'), { signature: 'an index' }, 'GET /orders'],
  ['the version', app('/orders'), { version: '2' }, 'GET /orders'],
])('with %s changed it is read again', async (_, text, how, endpoint) => {
  await whole(app('/orders'));
  expect(await whole(text, how)).toMatchObject({ endpoints: [endpoint], read: ['app.py'] });
});

test('what changed while the process ran is saved when it ends', async () => {
  const first = await run(app('/orders'));
  await first.next(app('/bills'));
  expect(first.endpoints).toEqual(['GET /bills']);
  const other = await whole(app('/bills'));
  expect(other.read).toEqual(['app.py']);
  await first.close();
  disk = disk.survivor('killed');
  expect(await whole(app('/bills'))).toMatchObject({ endpoints: ['GET /bills'], read: [] });
});

test('a process that was superseded writes nothing', async () => {
  mayWrite = false;
  await whole(app('/orders'));
  expect((await whole(app('/orders'))).read).toEqual(['app.py']);
});

test('what is damaged is read again', async () => {
  await whole(app('/orders'));
  const bytes = disk.files.get(PATH)?.bytes ?? Buffer.of();
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
  expect(await whole(app('/orders'))).toMatchObject({ endpoints: ['GET /orders'], read: ['app.py'] });
});

test('a surface of the current code is that of a past state of the same key, and is found again by a name', async () => {
  const [live, other] = [surfaceAt('/live'), surfaceAt('/other')];
  const opened = await PackFile.open({ path: '/facts.pack', version: '1', disk });
  if (!opened.ok) throw new Error(opened.error.message);
  const surfaces = new PackedSurfaces(opened.value, '1', { read: async key => (key === 'now' ? live : undefined) });
  expect(await surfaces.keysOf('base')).toEqual([]);
  expect(await surfaces.named('base').read('then')).toBeUndefined();
  expect(await surfaces.keysOf('base')).toEqual([]);
  await surfaces.named('base').keep('then', other);
  await surfaces.named('head').read('now');
  const later = new PackedSurfaces(opened.value, '1', { read: async () => undefined });
  expect([await later.read('now'), await later.read('then'), await later.read('never')]).toEqual([live, other, undefined]);
  for (const name of ['base', 'head']) {
    const keys = await later.keysOf(name);
    expect(keys).toHaveLength(2);
    expect(keys.every(key => opened.value.has(key))).toBe(true);
  }
  expect(await new PackedSurfaces(opened.value, '2', { read: async () => undefined }).read('then')).toBeUndefined();
});

function surfaceAt(path: string): CodeSurface {
  const route = { method: 'GET', path, handler: undefined, handlerPlace: { file: 'a.py', line: 1 } };
  const shown = { framework: 'flask', confidence: 1, place: { file: 'a.py', line: 1 } };
  return { routes: [{ ...route, ...shown }], calls: [], events: [], rpcs: [], stores: [], starts: [], skipped: [], hosted: [], bindings: [] };
}

test('what a surface was read from has not changed when only the text of a document has', async () => {
  const first = await run('from flask import Flask\napp = Flask(__name__)\n@app.get("/a")\ndef a(): ...\n', { beside: 'README.md' });
  await first.close();
  const second = await run('from flask import Flask\napp = Flask(__name__)\n@app.get("/a")\ndef a(): ...\n', { beside: 'README.md', besideText: 'other' });
  expect(second.endpoints).toEqual(['GET /a']);
  expect(second.read).toEqual([]);
  await second.close();
  const third = await run('from flask import Flask\napp = Flask(__name__)\n@app.get("/a")\ndef a(): ...\n', { beside: 'pyproject.toml', besideText: 'other' });
  expect(third.read).toEqual(['app.py']);
  await third.close();
});
