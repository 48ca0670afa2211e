import { expect, test } from 'vitest';
import { loadGraphPack, saveGraphPack } from '../../server/src/store/graphPack';
import { MemoryDisk } from './memoryDisk';

const PATH = '/data/graph.pack';
const PARTS = [Buffer.from('graph'), Buffer.alloc(0), Buffer.from([0, 10, 255])];

async function saved(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  await saveGraphPack(disk, PATH, 'v1', PARTS);
  return disk;
}

test('parts come back as they were', async () => {
  const content = await loadGraphPack(await saved(), PATH, 'v1');
  expect('parts' in content && content.parts.map(part => Buffer.from(part))).toEqual(PARTS);
});

test('a missing pack and one of another version are simply missing', async () => {
  expect(await loadGraphPack(new MemoryDisk(), PATH, 'v1')).toEqual({ missing: true });
  expect(await loadGraphPack(await saved(), PATH, 'v2')).toEqual({ missing: true });
});

test('damage anywhere is noticed, and the file deleted', async () => {
  const size = (await saved()).bytesOf(PATH).length;
  for (let at = 0; at < size; at++) {
    const disk = await saved();
    disk.change(PATH, bytes => {
      bytes[at] = (bytes[at] ?? 0) ^ 8;
      return bytes;
    });
    expect(await loadGraphPack(disk, PATH, 'v1')).toEqual({ problem: expect.stringContaining('could not be used') });
    expect(disk.files.has(PATH)).toBe(false);
  }
});

test('a crash or a full disk while saving leaves the pack of before', async () => {
  for (const operation of ['write', 'rename']) {
    const disk = await saved();
    disk.fault = name => (name === operation ? 'ENOSPC' : undefined);
    expect(await saveGraphPack(disk, PATH, 'v1', [Buffer.from('newer')])).toMatchObject({ ok: false, error: { code: 'STORE_DISK_FULL' } });
    disk.fault = () => undefined;
    expect(await loadGraphPack(disk, PATH, 'v1')).toMatchObject({ parts: PARTS });
  }
});
