import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOM_KINDS, ROOM_MIGRATIONS } from '../../server/src/main/rooms';
import { ProjectRecords } from '../../server/src/store/projectRecords';
import type { ProjectStore } from '../../server/src/store/projectStore';
import { lostWrites, salvage } from '../../server/src/store/upkeep/salvage';
import { MemoryDisk } from './memoryDisk';
import { openStore, PROJECT } from './storeHost';

const TABLES = ['work_containers'];

function open(disk: MemoryDisk): Promise<ProjectStore> {
  return openStore(disk, { kinds: ROOM_KINDS, migrations: ROOM_MIGRATIONS });
}

let ids = 0;

/** One version of a task, as one write. */
async function put(store: ProjectStore, id: string, version: number): Promise<void> {
  const records = new ProjectRecords({ store, projectId: 'p', newId: () => `tx${++ids}`, checkout: '/shop' });
  const row = { id, projectId: 'p', type: 'task', featureId: null, name: id, summary: '', status: 'pending', priority: 'medium', tags: [], order: 0 };
  const rest = {
    outcome: null,
    blockedReason: null,
    statusBeforeBlock: null,
    assignedAgentId: null,
    startTxId: null,
    closedAt: null,
    createdAt: '',
    updatedAt: '',
  };
  const payload = { entity: { ...row, ...rest, version }, changedFields: [], agentId: null, reason: null };
  const written = await records.write({ agentId: undefined, sessionId: undefined, key: undefined }, () => ({
    ok: true,
    value: { records: [{ kind: 'work.container', payload }], result: {} },
  }));
  expect(written.ok).toBe(true);
}

function tasks(store: ProjectStore): readonly string[] {
  return store.query('SELECT id, version FROM work_containers ORDER BY id').map(({ id, version }) => `${String(id)} ${String(version)}`);
}

test('what stands intact in a damaged file and in no other is put back once; what would take back something newer stays there', async () => {
  const disk = new MemoryDisk();
  const first = await open(disk);
  await put(first, 'a', 1);
  await put(first, 'b', 1);
  await put(first, 'c', 2);
  await put(first, 'd', 1);
  // As an earlier Lattice left it: from the damage on, everything was put in a side file and not replayed; b is what the damage hit.
  const segment = disk.find(/^journal-/);
  const bytes = disk.bytesOf(segment);
  const lines = bytes.toString('latin1').split('\n');
  const damagedAt = (lines[0]?.length ?? 0) + 1;
  const aside = Buffer.from(bytes.subarray(damagedAt));
  aside[40] = 0;
  disk.change(segment, all => all.subarray(0, damagedAt));
  disk.files.delete(PROJECT.acknowledged);
  await disk.write(join(PROJECT.journal, `${segment.split('/').at(-1)}.damaged-1`), [aside]);

  const store = await open(disk.survivor('killed'));
  await put(store, 'c', 3);
  expect(tasks(store)).toEqual(['a 1', 'c 3']);
  const lost = await lostWrites(store, disk, PROJECT);
  expect(lost).toHaveLength(2);
  expect(await salvage(store, lost, TABLES)).toEqual([
    expect.stringMatching(/^Restored from journal-.*\.damaged-1: 1 change\. Not restored, because the items have changed since: 1\.$/),
  ]);
  expect(tasks(store)).toEqual(['a 1', 'c 3', 'd 1']);
  expect(await lostWrites(store, disk, PROJECT)).toHaveLength(1);
  await store.close();
});

test('a file that the store has read behind its damage holds nothing more', async () => {
  const disk = new MemoryDisk();
  const first = await open(disk);
  for (const id of ['a', 'b', 'c']) await put(first, id, 1);
  const next = disk.survivor('killed');
  next.change(next.find(/^journal-/), bytes => {
    bytes[bytes.indexOf('\n') + 40] = 0;
    return bytes;
  });
  const store = await open(next);
  expect(tasks(store)).toEqual(['a 1', 'c 1']);
  expect(await lostWrites(store, next, PROJECT)).toEqual([]);
  await store.close();
});
