import { expect, test } from 'vitest';
import { checkStore, repairStore } from '../../server/src/store/doctor';
import { PackFile } from '../../server/src/store/packs';
import { MemoryDisk } from './memoryDisk';
import { note, notesOf, openStore, PROJECT } from './storeHost';

async function used(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  const store = await openStore(disk);
  for (const text of ['one', 'two']) {
    await note(store, text);
    await store.snapshot();
  }
  await note(store, 'three');
  const pack = await PackFile.open({ path: PROJECT.factsPack, version: '1', disk });
  if (pack.ok) {
    pack.value.put('a', Buffer.from('value of a'));
    await pack.value.flush();
  }
  return disk.survivor('killed');
}

const severities = async (disk: MemoryDisk): Promise<readonly string[]> =>
  [...new Set((await checkStore(disk, PROJECT)).map(({ severity }) => severity))].sort();

test('a sound store is found sound, and there is nothing to repair', async () => {
  const disk = await used();
  expect(await severities(disk)).toEqual(['ok']);
  expect(await repairStore(disk, PROJECT)).toEqual([]);
});

test.each([
  ['the newest view', /^view-00000002\.db$/, 100],
  ['the last segment', /^journal-00000003-/, 5],
  ['the facts', /^facts\.pack$/, -2],
])('damage in %s is found and repaired', async (_, name, at) => {
  const disk = await used();
  disk.change(disk.find(name), bytes => {
    const place = at < 0 ? bytes.length + at : at;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    return bytes;
  });
  const files = disk.files.size;
  expect(await severities(disk)).toContain('damaged');
  expect(disk.files.size).toBe(files);
  expect(await repairStore(disk, PROJECT)).toHaveLength(1);
  expect(await severities(disk)).not.toContain('damaged');
  const store = await openStore(disk);
  expect(notesOf(store)).toEqual(expect.arrayContaining(['one', 'two']));
});

test.each([false, true])(
  'of a journal cut at its end nobody says that nothing was acknowledged, also when an owner has opened it since: %s',
  async isOpened => {
    const disk = await used();
    disk.change(disk.find(/^journal-00000003-/), bytes => bytes.subarray(0, bytes.length - 20));
    if (isOpened) {
      const store = await openStore(disk);
      expect(store.recovered.join(' ')).toContain('a confirmed change may be lost');
      await note(store, 'later');
      await store.snapshot();
    }
    const said = (await checkStore(disk, PROJECT)).map(({ message }) => message).join(' ');
    expect(said).toContain('may be lost');
    expect(said).not.toContain('never confirmed');
  },
);
