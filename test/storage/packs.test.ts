import { expect, test } from 'vitest';
import { PackFile } from '../../server/src/store/packs';
import { MemoryDisk } from './memoryDisk';

const PATH = '/data/facts.pack';

async function openPack(disk: MemoryDisk, version = '1'): Promise<PackFile> {
  const opened = await PackFile.open({ path: PATH, version, disk });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

const value = (text: string): Uint8Array => Buffer.from(text);
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

async function filled(texts: Readonly<Record<string, string>>): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  const pack = await openPack(disk);
  for (const [key, text] of Object.entries(texts)) pack.put(key, value(text));
  await pack.flush();
  return disk;
}

async function contentOf(pack: PackFile): Promise<Record<string, string | undefined>> {
  const content: Record<string, string | undefined> = {};
  for (const key of pack.keys()) content[key] = textOf(await pack.get(key));
  return content;
}

test('values are readable at once, and after a restart once flushed', async () => {
  const disk = await filled({ a: 'one', b: '' });
  const pack = await openPack(disk);
  pack.put('a', value('newer'));
  pack.put('ü', value('three'));
  expect([pack.size, pack.has('ü'), textOf(await pack.get('a')), textOf(pack.preloaded('b'))]).toEqual([3, true, 'newer', '']);
  expect(await contentOf(await openPack(disk.survivor('powerLoss')))).toEqual({ a: 'one', b: '' });
  await pack.flush();
  pack.releaseImage();
  expect([pack.preloaded('a'), textOf(await pack.get('a')), await pack.get('none')]).toEqual([undefined, 'newer', undefined]);
  expect(await contentOf(await openPack(disk.survivor('powerLoss')))).toEqual({ a: 'newer', b: '', ü: 'three' });
});

test('a pack of another version is started afresh, without complaint', async () => {
  const disk = await filled({ a: 'one' });
  const pack = await openPack(disk, '2');
  expect([pack.size, pack.problems]).toEqual([0, []]);
  pack.put('a', value('two'));
  await pack.flush();
  expect(await contentOf(await openPack(disk, '2'))).toEqual({ a: 'two' });
});

test('a pack cut at any byte keeps the records before the cut and takes new ones', async () => {
  const texts = { a: 'one', bb: 'two two', ccc: 'three' };
  const whole = await filled(texts);
  const size = whole.bytesOf(PATH).length;
  for (let length = 0; length < size; length++) {
    const disk = whole.survivor('killed');
    disk.change(PATH, bytes => bytes.subarray(0, length));
    const pack = await openPack(disk);
    expect(texts).toMatchObject(await contentOf(pack));
    pack.put('new', value('new'));
    await pack.flush();
    const again = await openPack(disk);
    expect(again.problems).toEqual([]);
    expect(textOf(await again.get('new'))).toBe('new');
  }
});

test('no flipped bit gives a wrong value; the other records stay', async () => {
  const texts = { a: 'one', bb: 'two two', ccc: 'three' };
  const whole = await filled(texts);
  const head = whole.bytesOf(PATH).indexOf(10) + 1;
  for (let bit = head * 8; bit < whole.bytesOf(PATH).length * 8; bit++) {
    const disk = whole.survivor('killed');
    disk.change(PATH, bytes => {
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return bytes;
    });
    const pack = await openPack(disk);
    const found = Object.entries(await contentOf(pack)).filter(([, text]) => text !== undefined);
    expect(texts).toMatchObject(Object.fromEntries(found));
    expect(found).toHaveLength(2);
    expect(pack.problems.length).toBeGreaterThan(0);
  }
});

test('damage between records is named at the start that finds it, and not again', async () => {
  const disk = await filled({ a: 'one', bb: 'two two', ccc: 'three' });
  const at = Buffer.from(disk.bytesOf(PATH)).indexOf('bb');
  disk.change(PATH, bytes => {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  });
  const first = await openPack(disk);
  expect(first.problems).toEqual([expect.stringContaining('damaged')]);
  expect(await contentOf(first)).toEqual({ a: 'one', ccc: 'three' });
  await first.close();
  const second = await openPack(disk);
  expect([second.problems, await contentOf(second)]).toEqual([[], { a: 'one', ccc: 'three' }]);
  second.put('bb', value('again'));
  expect((await second.flush()).ok).toBe(true);
  expect(await contentOf(await openPack(disk))).toEqual({ a: 'one', ccc: 'three', bb: 'again' });
});

test('a file that is no pack is deleted and said', async () => {
  const disk = new MemoryDisk();
  disk.change(PATH, () => Buffer.from('something else'));
  const pack = await openPack(disk);
  expect(pack.problems).toEqual([expect.stringContaining('is not a pack')]);
  pack.put('a', value('one'));
  expect((await pack.flush()).ok).toBe(true);
  expect(await contentOf(await openPack(disk))).toEqual({ a: 'one' });
});

test('a full disk at a flush keeps what was put; the next flush writes it', async () => {
  const disk = await filled({ a: 'one' });
  const pack = await openPack(disk);
  pack.put('b', value('two'));
  disk.fault = operation => (operation === 'append' ? 'ENOSPC' : undefined);
  expect(await pack.flush()).toMatchObject({ ok: false, error: { code: 'STORE_DISK_FULL' } });
  expect(textOf(await pack.get('b'))).toBe('two');
  disk.fault = () => undefined;
  expect((await pack.flush()).ok).toBe(true);
  const again = await openPack(disk);
  expect([again.problems, await contentOf(again)]).toEqual([[], { a: 'one', b: 'two' }]);
});

const LARGE = 'x'.repeat(100_000);

async function grown(disk: MemoryDisk): Promise<PackFile> {
  const pack = await openPack(disk);
  for (let n = 0; n < 30; n++) pack.put(`old${n}`, value(`${n}${LARGE}`));
  pack.put('live', value('live'));
  pack.put('also', value(LARGE));
  await pack.flush();
  return pack;
}

test('compaction keeps the live records and some of the newest others', async () => {
  const disk = new MemoryDisk();
  const pack = await grown(disk);
  const live = new Set(['live', 'also', ...Array.from({ length: 5 }, (_, n) => `old${n}`)]);
  expect(await pack.compact(live)).toEqual({ ok: true, value: true });
  expect(new Set(pack.keys())).toEqual(new Set([...live, 'old27', 'old28', 'old29']));
  pack.put('after', value('after'));
  await pack.flush();
  const again = await openPack(disk);
  expect([textOf(await again.get('live')), textOf(await again.get('after')), textOf(await again.get('old3'))]).toEqual(['live', 'after', `3${LARGE}`]);
  expect(await again.compact(new Set(again.keys()))).toEqual({ ok: true, value: false });
});

test('a read while the file is compacted finds its record', async () => {
  const pack = await grown(new MemoryDisk());
  const compaction = pack.compact(new Set(['live']));
  const read = pack.get('live');
  await compaction;
  expect(textOf(await read)).toBe('live');
});

test('dying at any moment of a compaction leaves the old file or the new one', async () => {
  const disk = new MemoryDisk();
  await grown(disk);
  for (let step = 1; step <= 3; step++) {
    const next = disk.survivor('killed');
    const pack = await openPack(next);
    next.dieAt = next.operations + step;
    await pack.compact(new Set(['live'])).catch(() => undefined);
    const after = await openPack(next.survivor('killed'));
    expect([textOf(await after.get('live')), after.problems]).toEqual(['live', []]);
  }
});

test('what is asked for together is read together where it lies close; a value is a copy of its own', async () => {
  const disk = await filled({ a: 'one', b: 'two', far: LARGE, c: 'three', d: 'four' });
  const pack = await openPack(disk);
  pack.releaseImage();
  const values = await Promise.all(['d', 'a', 'none', 'c', 'b', 'a'].map(key => pack.get(key)));
  expect(values.map(textOf)).toEqual(['four', 'one', undefined, 'three', 'two', 'one']);
  expect(disk.reads).toHaveLength(2);
  expect(values[1]?.buffer.byteLength).toBeLessThan(100);
});

test('many large records are read in pieces of bounded size', async () => {
  const disk = new MemoryDisk();
  const pack = await grown(disk);
  pack.releaseImage();
  const found = await Promise.all(Array.from({ length: 30 }, (_, n) => pack.get(`old${n}`)));
  expect(found.map(textOf)).toEqual(Array.from({ length: 30 }, (_, n) => `${n}${LARGE}`));
  expect(disk.reads.length).toBeLessThan(10);
  expect(Math.max(...disk.reads.map(({ length }) => length))).toBeLessThanOrEqual(1 << 20);
});

test('a place of the disk that cannot be read costs the record that is there, and no other that was read with it', async () => {
  const disk = await filled({ a: 'one', bb: 'two two', ccc: 'three' });
  const pack = await openPack(disk);
  pack.releaseImage();
  disk.badBytes = [Buffer.from(disk.bytesOf(PATH)).indexOf('two two') + 2];
  const values = await Promise.all(['a', 'bb', 'ccc'].map(key => pack.get(key)));
  expect([values.map(textOf), pack.problems]).toEqual([['one', undefined, 'three'], [expect.stringContaining('bb was dropped')]]);
});
