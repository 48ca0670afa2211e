import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ProjectStore } from '../../server/src/store/projectStore';
import { ProjectStore as Store } from '../../server/src/store/projectStore';
import { Died, MemoryDisk } from './memoryDisk';
import { ManualClock, ManualTimers, NOTE_KIND, NOTE_MIGRATION, note, notesOf, openStore, PROJECT, storeOptions } from './storeHost';

/** A life of two processes: writes, a snapshot in the middle, more writes, a clean end, and the same again. Gives what was acknowledged. */
async function live(disk: MemoryDisk, acknowledged: string[]): Promise<void> {
  for (const life of ['a', 'b', 'c']) {
    const store = await openStore(disk);
    const write = async (text: string): Promise<void> => {
      if (await note(store, text)) acknowledged.push(text);
    };
    await Promise.all([write(`${life}1`), write(`${life}2`)]);
    await store.snapshot();
    await write(`${life}3`);
    await store.close();
  }
}

test.each(['killed', 'powerLoss'] as const)('after a crash at any moment (%s), all confirmed writes are saved and none is incomplete', async how => {
  const whole = new MemoryDisk();
  await live(whole, []);
  for (let dieAt = 1; dieAt <= whole.operations; dieAt++) {
    const disk = new MemoryDisk();
    disk.dieAt = dieAt;
    const acknowledged: string[] = [];
    try {
      await live(disk, acknowledged);
    } catch {
      // The process died while it opened its store.
    }
    const next = disk.survivor(how);
    const store = await openStore(next);
    const found = notesOf(store);
    expect(found.filter(text => acknowledged.includes(text))).toEqual(acknowledged);
    expect(new Set(found).size).toBe(found.length);
    expect(store.needsHashCheck).toBe(false);
    expect(await note(store, 'after')).toBe(true);
    await store.close();
    const again = await openStore(next);
    expect(notesOf(again)).toEqual([...found, 'after']);
    await again.close();
  }
});

test('a dying disk is not mistaken for a failing one', async () => {
  const disk = new MemoryDisk();
  disk.dieAt = 1;
  await expect(disk.makeFolder('/x')).rejects.toBeInstanceOf(Died);
});

test('appends that wait together share one sync and are carried out in order', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  const before = disk.syncs;
  const texts = Array.from({ length: 50 }, (_, at) => `n${at}`);
  const written = await Promise.all(texts.map(text => store.append({ kind: 'note', payload: { text } })));
  expect(disk.syncs - before).toBe(1);
  expect(notesOf(store)).toEqual(texts);
  expect(written.map(outcome => outcome.ok && outcome.value.seq)).toEqual(texts.map((_, at) => at + 1));
  await store.close();
});

test('after a clock that was years ahead was put right, records have the right time again, and their order stays', async () => {
  const disk = new MemoryDisk();
  const clock = new ManualClock();
  const stamps: number[] = [];
  for (const time of [Date.UTC(2026, 1), Date.UTC(2037, 1), Date.UTC(2026, 2)]) {
    clock.time = time;
    const store = await openStore(disk, { clock });
    for (let n = 0; n < 2; n++) await note(store, String(time + n));
    stamps.push(store.now());
    await store.close();
  }
  expect(stamps.map(stamp => new Date(stamp).getUTCFullYear())).toEqual([2026, 2037, 2026]);
  const store = await openStore(disk.survivor('killed'), { clock });
  expect(notesOf(store)).toEqual([Date.UTC(2026, 1), Date.UTC(2037, 1), Date.UTC(2026, 2)].flatMap(time => [String(time), String(time + 1)]));
});

test('timestamps go up although the clock is set back, also over a restart', async () => {
  const disk = new MemoryDisk();
  const clock = new ManualClock();
  const stamps: number[] = [];
  for (const time of [5000, 3000, 1000]) {
    clock.time = time;
    const store = await openStore(disk, { clock });
    for (let n = 0; n < 2; n++) {
      const written = await store.append({ kind: 'note', payload: { text: 'x' } });
      if (written.ok) stamps.push(written.value.timestamp);
    }
    await store.close();
  }
  expect(stamps).toEqual([5000, 5001, 5002, 5003, 5004, 5005]);
});

test.each([
  ['ENOSPC', 'append', 'STORE_DISK_FULL'],
  ['ENOSPC', 'sync', 'STORE_DISK_FULL'],
  ['EROFS', 'openAppend', 'STORE_READ_ONLY'],
  ['EIO', 'sync', 'STORE_IO'],
])('%s at %s: the write is refused with %s, not acknowledged, and later writes work', async (code, operation, expected) => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  await note(store, 'before');
  await store.snapshot();
  disk.fault = (name, path) => (name === operation && path.startsWith(PROJECT.journal) ? code : undefined);
  expect(await store.append({ kind: 'note', payload: { text: 'lost' } })).toMatchObject({ ok: false, error: { code: expected } });
  disk.fault = () => undefined;
  expect(await note(store, 'after')).toBe(true);
  await store.close();
  const again = await openStore(disk);
  expect(notesOf(again)).toEqual(['before', 'after']);
  expect(again.recovered).toEqual([]);
  await again.close();
});

test('a full disk at the snapshot loses nothing and leaves the journal in place', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  await note(store, 'kept');
  disk.fault = (name, path) => (name === 'write' && path.startsWith(PROJECT.view) ? 'ENOSPC' : undefined);
  expect(await store.snapshot()).toMatchObject({ ok: false, error: { code: 'STORE_DISK_FULL' } });
  expect(await store.close()).toMatchObject({ ok: false });
  disk.fault = () => undefined;
  const again = await openStore(disk);
  expect(notesOf(again)).toEqual(['kept']);
  await again.close();
});

test('a store on a read-only disk opens and reads', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  await note(store, 'kept');
  await store.close();
  disk.fault = name => (name === 'makeFolder' ? undefined : 'EROFS');
  const again = await openStore(disk);
  expect(notesOf(again)).toEqual(['kept']);
  expect(await again.append({ kind: 'note', payload: { text: 'x' } })).toMatchObject({ ok: false, error: { code: 'STORE_READ_ONLY' } });
});

test('a snapshot comes 30 s after the last write', async () => {
  const timers = new ManualTimers();
  const disk = new MemoryDisk();
  const store = await openStore(disk, { timers });
  await note(store, 'one');
  await note(store, 'two');
  expect([...timers.waiting].map(({ ms }) => ms)).toEqual([30_000]);
  timers.fire();
  await store.snapshot();
  expect(await disk.list(PROJECT.view)).toEqual(['view-00000001.db']);
  await store.close();
});

test('a snapshot comes when 4 MB of journal have no snapshot', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  const text = 'x'.repeat(700_000);
  for (let n = 0; n < 5; n++) await note(store, text);
  expect(await disk.list(PROJECT.view)).toEqual([]);
  await note(store, text);
  await store.snapshot();
  expect(await disk.list(PROJECT.view)).toEqual(['view-00000001.db']);
  await store.close();
});

test('what an owner had to replay goes into a snapshot at once when it is more than 1 MB, so that owners that are killed young leave no more to the next', async () => {
  const disk = new MemoryDisk();
  const text = 'x'.repeat(700_000);
  await note(await openStore(disk), text);
  const second = await openStore(disk.survivor('killed'));
  expect(second.query('SELECT 1 FROM note')).toHaveLength(1);
  await note(second, text);
  const after = disk.survivor('killed');
  const third = await openStore(after);
  await note(third, text);
  const found = after.survivor('killed');
  const next = await openStore(found);
  await expect.poll(() => found.list(PROJECT.view)).toEqual(['view-00000001.db']);
  expect(notesOf(next)).toHaveLength(2);
  await next.close();
});

test('what keys were answered is kept up to 1 MB; what is older is known to be carried out', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  const answer = 'x'.repeat(10_000);
  for (let at = 0; at < 300; at++) await store.append({ kind: 'note', payload: { text: '' }, key: `k${at}`, result: answer });
  const kept = store.query('SELECT sum(length(result)) AS n FROM applied_key WHERE seq <= 256')[0]?.['n'];
  expect(Number(kept)).toBeLessThan(1024 * 1024 + 11_000);
  expect([store.resultOf('k0'), store.resultOf('k299')]).toEqual([{ result: undefined, isForgotten: true }, { result: answer }]);
  expect(await store.append({ kind: 'note', payload: { text: 'again' }, key: 'k0' })).toMatchObject({ ok: true, value: { repeated: true } });
  await store.close();
  expect((await openStore(disk)).resultOf('k0')).toEqual({ result: undefined, isForgotten: true });
});

test('a failed write leaves no number without a record', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  await note(store, 'one');
  disk.fault = operation => (operation === 'append' ? 'ENOSPC' : undefined);
  expect(await note(store, 'full')).toBe(false);
  disk.fault = () => undefined;
  await note(store, 'two');
  expect(store.query('SELECT seq FROM note').map(row => row['seq'])).toEqual([1, 2]);
});

test('two snapshots are kept, and a segment goes only when both contain it', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  const seen: [string[], number][] = [];
  for (const text of ['one', 'two', 'three', 'four']) {
    await note(store, text);
    await store.snapshot();
    seen.push([[...(await disk.list(PROJECT.view))], (await disk.list(PROJECT.journal)).length]);
  }
  expect(seen).toEqual([
    [['view-00000001.db'], 1],
    [['view-00000001.db', 'view-00000002.db'], 1],
    [['view-00000002.db', 'view-00000003.db'], 1],
    [['view-00000003.db', 'view-00000004.db'], 1],
  ]);
  await store.close();
});

async function twoSnapshots(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  for (const text of ['one', 'two']) {
    await note(store, text);
    await store.snapshot();
  }
  await note(store, 'three');
  return disk.survivor('killed');
}

function flip(disk: MemoryDisk, name: string, at: number): void {
  disk.change(join(PROJECT.view, name), bytes => {
    const place = at < 0 ? bytes.length + at : at;
    bytes[place] = (bytes[place] ?? 0) ^ 4;
    return bytes;
  });
}

test.each([0, 5, 40, 200, 5000, -1])(
  'a flipped bit at byte %i of the newest snapshot: the older one and the journal give everything, and the file is kept',
  async at => {
    const disk = await twoSnapshots();
    flip(disk, 'view-00000002.db', at);
    const store = await openStore(disk);
    expect(notesOf(store)).toEqual(['one', 'two', 'three']);
    expect(store.needsHashCheck).toBe(false);
    expect(store.recovered).toEqual([expect.stringContaining('view-00000002.db.damaged-1')]);
    await store.close();
    const again = await openStore(disk);
    expect(again.recovered).toHaveLength(1);
    expect(await disk.list(PROJECT.view)).toContain('view-00000002.db.damaged-1');
    await again.close();
  },
);

test('a truncated snapshot is not used', async () => {
  const disk = await twoSnapshots();
  disk.change(join(PROJECT.view, 'view-00000002.db'), bytes => bytes.subarray(0, bytes.length - 4096));
  const store = await openStore(disk);
  expect(notesOf(store)).toEqual(['one', 'two', 'three']);
  await store.close();
});

test('with both snapshots damaged the journal gives what it has, and says that it may not be all', async () => {
  const disk = await twoSnapshots();
  flip(disk, 'view-00000001.db', -1);
  flip(disk, 'view-00000002.db', -1);
  const store = await openStore(disk);
  expect(notesOf(store)).toEqual(['two', 'three']);
  expect(store.needsHashCheck).toBe(true);
  expect(store.recovered.join('\n')).toContain('entries older than its first record are not in it');
  await store.close();
});

test('damage inside the journal costs one record: what follows is replayed, the file is kept, the loss is said', async () => {
  const disk = new MemoryDisk();
  const first = await openStore(disk);
  for (const text of ['one', 'two', 'three']) await note(first, text);
  const next = disk.survivor('killed');
  const segment = next.find(/^journal-/);
  next.change(segment, bytes => {
    const second = bytes.indexOf('two');
    bytes[second] = 0x54;
    return bytes;
  });
  const store = await openStore(next);
  expect(notesOf(store)).toEqual(['one', 'three']);
  expect(store.needsHashCheck).toBe(true);
  expect(store.recovered[0]).toContain('is damaged at byte');
  expect(store.recovered[1]).toContain('The record 2 of the journal is missing: confirmed changes may be lost.');
  expect(next.bytesOf(`${segment}.damaged-1`)).toEqual(next.bytesOf(segment));
  expect(await note(store, 'after')).toBe(true);
  await store.close();
  const again = await openStore(next);
  expect(notesOf(again)).toEqual(['one', 'three', 'after']);
  expect(again.needsHashCheck).toBe(false);
  expect(again.recovered, 'nobody says that nothing is lost').toHaveLength(2);
  await again.close();
});

test.each([
  ['cut at the end of a record', (disk: MemoryDisk, path: string) => disk.change(path, bytes => bytes.subarray(0, bytes.indexOf('\n') + 1))],
  ['cut within a record', (disk: MemoryDisk, path: string) => disk.change(path, bytes => bytes.subarray(0, bytes.indexOf('two')))],
  ['empty', (disk: MemoryDisk, path: string) => disk.change(path, () => Buffer.alloc(0))],
  ['lost', (disk: MemoryDisk, path: string) => void disk.files.delete(path)],
])('of a journal that is %s, with no saved view, the message says that confirmed changes may be lost', async (_, damage) => {
  const disk = new MemoryDisk();
  const first = await openStore(disk);
  for (const text of ['one', 'two']) await note(first, text);
  const next = disk.survivor('killed');
  damage(next, next.find(/^journal-/));
  const store = await openStore(next);
  expect(store.needsHashCheck).toBe(true);
  expect(store.recovered.join('\n')).toMatch(/ 2 of the journal (is|are) missing: confirmed changes may be lost/);
  expect(await note(store, 'after')).toBe(true);
  expect(notesOf(await openStore(next.survivor('killed'))).at(-1)).toBe('after');
});

test('a last record that a write left unfinished was acknowledged to nobody, and nothing is said of it', async () => {
  const disk = new MemoryDisk();
  const first = await openStore(disk);
  await note(first, 'one');
  const next = disk.survivor('killed');
  next.change(next.find(/^journal-/), bytes => Buffer.concat([bytes, bytes.subarray(0, 20)]));
  const store = await openStore(next);
  expect([store.recovered, store.needsHashCheck, notesOf(store)]).toEqual([[], false, ['one']]);
});

test('where nothing was noted of acknowledgements (an earlier Lattice), the same is possibly a loss', async () => {
  const disk = new MemoryDisk();
  const first = await openStore(disk);
  await note(first, 'one');
  const next = disk.survivor('killed');
  next.files.delete(PROJECT.acknowledged);
  next.change(next.find(/^journal-/), bytes => Buffer.concat([bytes, bytes.subarray(0, 20)]));
  const store = await openStore(next);
  expect(store.recovered[0]).toMatch(/ends in an unfinished record of 20 bytes: a confirmed change may be lost/);
});

test('a retried write is carried out once: at the same time, later, and after a restart', async () => {
  const disk = new MemoryDisk();
  const write = (store: ProjectStore) => store.append({ kind: 'note', payload: { text: 'once' }, key: 'k1', result: { id: 'n1' } });
  const store = await openStore(disk);
  const [first, second] = await Promise.all([write(store), write(store)]);
  expect([first, second]).toMatchObject([
    { ok: true, value: { repeated: false, result: { id: 'n1' } } },
    { ok: true, value: { repeated: true, result: { id: 'n1' } } },
  ]);
  const again = await openStore(disk.survivor('killed'));
  expect(await write(again)).toMatchObject({ ok: true, value: { repeated: true, result: { id: 'n1' } } });
  expect(notesOf(again)).toEqual(['once']);
  expect(again.resultOf('k2')).toBeUndefined();
});

test('several changes in one record are carried out together or not at all', async () => {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  const entry = (text: unknown) => ({ kind: 'note', payload: { text } });
  expect(await store.appendAll([entry('a'), entry('b')])).toMatchObject({ ok: true });
  expect(await store.appendAll([entry('c'), { kind: 'unheard', payload: {} }])).toMatchObject({ ok: false, error: { code: 'STORE_NOT_APPLIED' } });
  expect(notesOf(store)).toEqual(['a', 'b']);
  await store.close();
});

test('records of a kind that only a newer Lattice knows wait for it', async () => {
  const disk = new MemoryDisk();
  const newer = await openStore(disk, { kinds: [NOTE_KIND, { ...NOTE_KIND, kind: 'later' }] });
  await newer.append({ kind: 'later', payload: { text: 'from the future' } });
  const older = await openStore(disk.survivor('killed'), {});
  expect(notesOf(older)).toEqual([]);
  expect(older.recovered[0]).toContain('does not know the kind "later"');
  const between = disk.survivor('killed');
  await (await openStore(between)).close();
  const updated = await openStore(between, { kinds: [NOTE_KIND, { ...NOTE_KIND, kind: 'later' }] });
  expect(notesOf(updated)).toEqual(['from the future']);
});

test('data of an older schema is migrated; data of a newer one is refused and left alone', async () => {
  const disk = new MemoryDisk();
  const old = await openStore(disk);
  await note(old, 'old');
  await old.close();
  const renamed = { version: 1001, name: 'importance', apply: NOTE_MIGRATION.apply };
  const migrations = [
    NOTE_MIGRATION,
    {
      ...renamed,
      apply: (database: Parameters<typeof NOTE_MIGRATION.apply>[0]) => database.script('ALTER TABLE note ADD COLUMN importance INTEGER DEFAULT 3'),
    },
  ];
  const updated = await openStore(disk, { migrations });
  expect(updated.query('SELECT text, importance FROM note')).toEqual([{ text: 'old', importance: 3 }]);
  await note(updated, 'new');
  await updated.close();
  const before = [...disk.files.keys()].sort();
  expect(await Store.open(storeOptions(disk))).toMatchObject({ ok: false, error: { code: 'STORE_NEWER' } });
  expect([...disk.files.keys()].sort()).toEqual(before);
});

test('after close nothing is accepted', async () => {
  const store = await openStore(new MemoryDisk());
  await store.close();
  expect(await store.append({ kind: 'note', payload: { text: 'late' } })).toMatchObject({ ok: false, error: { code: 'STORE_CLOSED' } });
});
