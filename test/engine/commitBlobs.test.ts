/** What of a commit cannot be read now is never taken for what was not there then. */
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { err, ok } from '../../server/src/base/result';
import { Blobs, BlobUnavailable, type ReadBlobs } from '../../server/src/engine/changes/past/blobs';
import { indexCommit } from '../../server/src/engine/changes/past/commitIndex';
import { KeptLinks } from '../../server/src/engine/changes/past/keptLinks';
import { IndexState } from '../../server/src/engine/indexing/indexState';
import { PackedSurfaces } from '../../server/src/engine/indexing/services/savedSurface';
import { ServiceFileReader } from '../../server/src/engine/indexing/services/serviceFileReader';
import { ServicesLayer } from '../../server/src/layers/services/servicesLayer';
import type { NodeHandle } from '../../server/src/model/ids';
import { DEFAULT_SETTINGS } from '../../server/src/model/settings';

const slow = { code: 'UNAVAILABLE', message: 'git cat-file took too long.' };
const bytes = (text: string): Uint8Array => Buffer.from(text);

test('a portion that git does not give in time is asked for in part', async () => {
  const asked: (readonly string[])[] = [];
  const read: ReadBlobs = async names => {
    asked.push(names);
    return names.length > 1 ? err(slow) : ok(new Map([[names[0] ?? '', bytes('a')]]));
  };
  const order = ['a', 'b'].map(blob => ({ blob, sizeBytes: 1 }));
  expect(await new Blobs(read, order).read('a')).toEqual(bytes('a'));
  expect(asked).toEqual([['a', 'b'], ['a']]);
});

test('a portion has what comes after the content that is asked for, and what was passed over before it', async () => {
  const asked: (readonly string[])[] = [];
  const read: ReadBlobs = async names => {
    asked.push(names);
    return ok(new Map(names.map(name => [name, bytes(name)])));
  };
  const blobs = new Blobs(
    read,
    ['a', 'b', 'c'].map(blob => ({ blob, sizeBytes: 1 })),
  );
  for (const name of ['b', 'c', 'a']) expect(await blobs.read(name)).toEqual(bytes(name));
  expect(asked).toEqual([['b', 'c', 'a']]);
});

test('what may be asked for later is not in the portions of what is needed, and comes in portions of its own', async () => {
  const asked: (readonly string[])[] = [];
  const read: ReadBlobs = async names => {
    asked.push(names);
    return ok(new Map(names.map(name => [name, bytes(name)])));
  };
  const filesOf = (names: readonly string[]): { blob: string; sizeBytes: number }[] => names.map(blob => ({ blob, sizeBytes: 1 }));
  const blobs = new Blobs(read, filesOf(['a', 'b']), filesOf(['c', 'b', 'd']));
  for (const name of ['a', 'b']) expect(await blobs.read(name)).toEqual(bytes(name));
  expect(asked).toEqual([['a', 'b']]);
  for (const name of ['d', 'c', 'b']) expect(await blobs.read(name)).toEqual(bytes(name));
  expect(asked).toEqual([
    ['a', 'b'],
    ['d', 'c'],
  ]);
});

test('a content that the repository does not have is missing; one that git cannot be asked for is an error, unless it is huge', async () => {
  const none = new Blobs(async () => ok(new Map()), [{ blob: 'a', sizeBytes: 1 }]);
  expect(await none.read('a')).toBeUndefined();
  expect([...none.missing]).toEqual(['a']);
  const order = [
    { blob: 'a', sizeBytes: 1 },
    { blob: 'huge', sizeBytes: 100 << 20 },
  ];
  const failing = new Blobs(async () => err(slow), order);
  await expect(failing.read('a')).rejects.toThrow(BlobUnavailable);
  expect(failing.failure).toEqual(slow);
  expect(await failing.read('huge')).toBeUndefined();
});

test.each(['src/a.ts', 'package.json'])('no graph is made of a commit of which %s could not be read', async path => {
  const made = await indexCommit(
    {
      root: '/nowhere',
      caseInsensitive: false,
      files: [{ path, blob: 'a', kind: 'file', sizeBytes: 1 }],
      hasTexts: true,
      readBlobs: async () => err(slow),
      services: {
        workspaceName: 'nowhere',
        layer: new ServicesLayer(),
        reader: new ServiceFileReader({ workerFile: '/nowhere', timers: { after: () => ({ dispose: () => undefined }) } }),
        saved: new PackedSurfaces(undefined, '1', { read: async () => undefined }),
        readBlobs: async () => err(slow),
        logError: () => undefined,
      },
      live: { state: new IndexState(0), inLane: work => work(neverCancelled), prime: async () => [] },
      kept: new KeptLinks(undefined, new Interner<NodeHandle>(), '1'),
      known: { of: async () => undefined, keep: () => undefined },
      parsing: { concurrency: 1, decode: () => undefined, run: () => Promise.reject(new Error('nothing is there to be parsed')) },
      pack: undefined,
      settings: DEFAULT_SETTINGS,
      clock: { now: () => 0, monotonic: () => 0 },
      yieldTurn: async () => undefined,
      onProgress: () => undefined,
    },
    neverCancelled,
  );
  expect(made).toEqual(err(slow));
});
