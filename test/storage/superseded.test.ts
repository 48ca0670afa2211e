import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Fence } from '../../server/src/store/fence';
import { ProjectStore } from '../../server/src/store/projectStore';
import { MemoryDisk } from './memoryDisk';
import { newFence, note, notesOf, openStore, PROJECT, storeOptions } from './storeHost';

/** A hold that can be taken away. */
function losable(): Fence & { isHeld: boolean; reasons: string[] } {
  const fence = {
    ...newFence(),
    isHeld: true,
    reasons: [] as string[],
    holds: () => fence.isHeld,
    lose: (why: string) => void (fence.reasons.push(why), (fence.isHeld = false)),
  };
  return fence;
}

test('an owner that was superseded acknowledges nothing, saves no view and drops nothing of its successor', async () => {
  const disk = new MemoryDisk();
  const fence = losable();
  const old = await openStore(disk, { fence });
  await note(old, 'of the old one');
  const next = await openStore(disk);
  fence.isHeld = false;
  await note(next, 'of the new one');
  await next.snapshot();
  await note(next, 'and more');
  await next.snapshot();
  const before = [...disk.files].map(([path, { bytes }]) => `${path} ${bytes.length}`);
  expect(await old.append({ kind: 'note', payload: { text: 'a lie' } })).toMatchObject({ ok: false, error: { code: 'STORE_SUPERSEDED' } });
  expect(await old.snapshot()).toMatchObject({ ok: false });
  await old.abandon();
  expect([...disk.files].map(([path, { bytes }]) => `${path} ${bytes.length}`)).toEqual(before);
  await next.close();
  expect(notesOf(await openStore(disk))).toEqual(['of the old one', 'of the new one', 'and more']);
});

test('a view that two owners save at the same time is there twice, and neither overwrites the other', async () => {
  const disk = new MemoryDisk();
  const old = await openStore(disk);
  await note(old, 'one');
  const next = await openStore(disk);
  await note(next, 'two');
  // The old one was frozen after its last look.
  expect(await Promise.all([old.snapshot(), next.snapshot()])).toMatchObject([{ ok: true }, { ok: true }]);
  expect(await disk.list(PROJECT.view)).toEqual(['view-00000001.db', 'view-00000002.db']);
  expect(notesOf(await openStore(disk.survivor('killed')))).toEqual(['one', 'two']);
});

test('a project with segments of a later owner is not opened', async () => {
  const disk = new MemoryDisk();
  const earlier = newFence();
  await note(await openStore(disk), 'later');
  expect(await ProjectStore.open(storeOptions(disk, { fence: earlier }))).toMatchObject({ ok: false, error: { code: 'STORE_SUPERSEDED' } });
});

test('segments of an earlier Lattice, whose names do not say their generation, are read', async () => {
  const disk = new MemoryDisk();
  const first = await openStore(disk);
  for (const text of ['one', 'two']) await note(first, text);
  const named = disk.find(/^journal-/);
  const bytes = disk.bytesOf(named);
  disk.files.delete(named);
  disk.files.delete(PROJECT.acknowledged);
  await disk.write(join(PROJECT.journal, 'journal-00000001-00c0ffee.ndjson'), [bytes]);
  const second = await openStore(disk);
  expect([notesOf(second), second.recovered, second.needsHashCheck]).toEqual([['one', 'two'], [], false]);
  await note(second, 'three');
  expect(notesOf(await openStore(disk.survivor('killed')))).toEqual(['one', 'two', 'three']);
});

test('of two owners that an earlier Lattice let acknowledge the same number, a loss is told of', async () => {
  const disk = new MemoryDisk();
  const first = await openStore(disk);
  await note(first, 'one');
  const bytes = disk.bytesOf(disk.find(/^journal-/));
  const second = await openStore(disk);
  await note(second, 'two');
  const record = disk.bytesOf(disk.find(/^journal-00000002/));
  await disk.write(join(PROJECT.journal, 'journal-00000001-00c0ffee.ndjson'), [bytes, record]);
  const store = await openStore(disk.survivor('killed'));
  expect(notesOf(store)).toEqual(['one', 'two']);
  expect(store.recovered.join('\n')).toMatch(/confirmed changes? may be lost/);
});

/** The folder goes under an owner that holds two notes, and `there` stands in its place. */
async function replaced(
  there: (disk: MemoryDisk) => Promise<void>,
): Promise<{ readonly disk: MemoryDisk; readonly outcome: unknown; readonly reasons: readonly string[] }> {
  const disk = new MemoryDisk();
  const fence = losable();
  const store = await openStore(disk, { fence });
  for (const text of ['one', 'two']) await note(store, text);
  await disk.remove(PROJECT.folder);
  await there(disk);
  const outcome = await store.append({ kind: 'note', payload: { text: 'not saved' } });
  await store.abandon();
  return { disk, outcome, reasons: fence.reasons };
}

test.each([
  ['removed', async () => undefined],
  ['replaced by an empty one', (disk: MemoryDisk) => disk.makeFolder(PROJECT.journal)],
])('the data folder is %s: the write fails with what to do, and the next owner has what was in memory', async (_, there) => {
  const { disk, outcome, reasons } = await replaced(there);
  expect(outcome).toMatchObject({ ok: false, error: { code: 'STORE_MOVED', message: expect.stringContaining('Try again') } });
  expect(reasons).toEqual(['its data folder was removed or replaced']);
  const next = await openStore(disk);
  expect(notesOf(next)).toEqual(['one', 'two']);
  expect(next.recovered).toEqual([expect.stringContaining('was removed or replaced while Lattice was running')]);
  expect(next.needsHashCheck).toBe(false);
  expect((await disk.list(PROJECT.view)).filter(name => name.startsWith('rescued'))).toEqual([]);
  await note(next, 'three');
  expect(notesOf(await openStore(disk.survivor('killed')))).toEqual(['one', 'two', 'three']);
});

test.each([
  ['fails', 'rename'],
  ['was done', 'syncFolder'],
])('whoever removes the data folder is still at it when the rescue %s: it is done again', async (_, operation) => {
  const disk = new MemoryDisk();
  const fence = losable();
  const store = await openStore(disk, { fence });
  await note(store, 'one');
  await disk.remove(PROJECT.folder);
  let removals = 0;
  disk.fault = (done, path) => {
    if (done !== operation || !path.startsWith(PROJECT.view) || removals > 2) return undefined;
    removals++;
    setImmediate(() => void disk.remove(PROJECT.folder));
    return operation === 'rename' ? 'ENOENT' : undefined;
  };
  await store.abandon();
  expect(removals).toBe(3);
  expect(notesOf(await openStore(disk))).toEqual(['one']);
});

test('the lock goes before the rest of the data folder does: what was in memory is kept all the same', async () => {
  const disk = new MemoryDisk();
  const fence = Object.assign(losable(), { isGone: false });
  const store = await openStore(disk, { fence });
  await note(store, 'one');
  Object.assign(fence, { isHeld: false, isGone: true });
  const abandoned = store.abandon();
  setImmediate(() => void disk.remove(PROJECT.folder));
  await abandoned;
  expect(notesOf(await openStore(disk))).toEqual(['one']);
});

test('the journal is removed under a running owner: the write fails with what to do, and the next owner has what was in memory', async () => {
  const disk = new MemoryDisk();
  const fence = losable();
  const store = await openStore(disk, { fence });
  for (const text of ['one', 'two']) await note(store, text);
  await disk.remove(disk.find(/^journal-/));
  expect(await store.append({ kind: 'note', payload: { text: 'not saved' } })).toMatchObject({ ok: false, error: { code: 'STORE_MOVED' } });
  await store.abandon();
  const next = await openStore(disk);
  expect([notesOf(next), next.needsHashCheck]).toEqual([['one', 'two'], false]);
});

test.each([
  ['with a saved view', true, false],
  ['whose view was never saved', false, false],
  ['whose view was never saved, by an owner that read the journal of another', false, true],
])(
  'the data folder is replaced by an older copy %s, and the owner leaves without another write: the next owner has what was in memory',
  async (_, isSaved, isSecond) => {
    const disk = new MemoryDisk();
    const first = await openStore(disk);
    await note(first, 'zero');
    await note(first, 'one');
    const store = isSecond ? await openStore(disk) : first;
    if (isSaved) await store.snapshot();
    const copied = disk.survivor('killed');
    await note(store, 'two');
    if (isSaved) await store.snapshot();
    disk.files.clear();
    for (const [path, file] of copied.files) disk.files.set(path, file);
    disk.folders.set(PROJECT.journal, 'that of the copy');
    await store.close();
    const next = await openStore(disk);
    expect(notesOf(next)).toEqual(['zero', 'one', 'two']);
    expect(next.recovered).toEqual([expect.stringContaining('it was restored from memory')]);
  },
);

test('the data folder is replaced by that of another history: that one counts, and what was in memory is kept and named', async () => {
  const { disk } = await replaced(async disk => {
    const other = await openStore(disk, { clock: { now: () => 5, monotonic: () => 5 } });
    await note(other, 'foreign');
    await other.close();
  });
  const next = await openStore(disk);
  expect(notesOf(next)).toEqual(['foreign']);
  expect(next.recovered).toEqual([expect.stringMatching(/is kept as .*rescued-.*\.view/)]);
});

test('another owner had gone on from a copy of the folder: what was in memory is in its view, and nothing is said', async () => {
  const disk = new MemoryDisk();
  const fence = losable();
  const old = await openStore(disk, { fence });
  const start = { checkout: '/c', type: 'agent_edit', agentId: null, sessionId: null, gitCommit: null, gitBranch: null, gitDirty: null } as const;
  const end = { nodeCount: 0, edgeCount: 0, filesParsed: 0, durationMs: 0, filesAffected: [] };
  await old.transactions.record({ id: 'tx', ...start, ...end });
  disk.folders.set(PROJECT.journal, 'that of the copy');
  const next = await openStore(disk);
  await note(next, 'later');
  await old.abandon();
  expect((await disk.list(PROJECT.view)).filter(name => name.startsWith('rescued'))).toHaveLength(1);
  const last = await openStore(disk.survivor('killed'));
  expect([notesOf(last), last.recovered]).toEqual([['later'], []]);
});
