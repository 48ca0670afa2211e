import { beforeEach, expect, test } from 'vitest';
import type { BackupInfo } from '../../server/src/model/backups';
import type { Author, RecordKind } from '../../server/src/model/records';
import { STORE_MIGRATIONS } from '../../server/src/store/migrations';
import { ProjectRecords } from '../../server/src/store/projectRecords';
import type { ProjectStore } from '../../server/src/store/projectStore';
import { BackupFolder } from '../../server/src/store/upkeep/backupFolder';
import { restoreKinds, StoreBackups } from '../../server/src/store/upkeep/backups';
import { MemoryDisk } from './memoryDisk';
import { ManualClock, NOTE_KIND, NOTE_MIGRATION, openStore, PROJECT, SQL_WASM } from './storeHost';

const TABLES = { note: ['note'] };
const KINDS: readonly RecordKind[] = [
  { kind: 'note.put', apply: NOTE_KIND.apply },
  { kind: 'note.drop', apply: (view, payload) => view.run('DELETE FROM note WHERE text = ?', [(payload as { text: string }).text]) },
  ...restoreKinds(TABLES),
];
const ADA: Author = { agentId: 'ada', sessionId: undefined, key: undefined };
const DAY = 86_400_000;

let disk: MemoryDisk;
let clock: ManualClock;
let store: ProjectStore;
let records: ProjectRecords;
let backups: StoreBackups;
let ids: number;

beforeEach(async () => {
  disk = new MemoryDisk();
  clock = new ManualClock();
  clock.time = Date.UTC(2026, 4, 10, 12);
  ids = 0;
  await begin();
});

async function begin(): Promise<void> {
  store = await openStore(disk, { kinds: KINDS, clock });
  records = new ProjectRecords({ store, projectId: 'p', newId: () => `tx${++ids}`, checkout: '/shop' });
  backups = new StoreBackups({
    folder: PROJECT.backups,
    projectId: 'p',
    disk,
    clock,
    log: { write: () => undefined },
    random: () => (++ids).toString(16).padStart(8, '0'),
    sqlWasm: async () => SQL_WASM,
    migrations: [...STORE_MIGRATIONS, NOTE_MIGRATION],
    tables: TABLES,
    revising: {},
    records,
    exportView: () => store.exportView(),
    mayWrite: () => true,
  });
}

function folder(): BackupFolder {
  const migrations = [...STORE_MIGRATIONS, NOTE_MIGRATION];
  return new BackupFolder({ folder: PROJECT.backups, projectId: 'p', disk, sqlWasm: async () => SQL_WASM, migrations });
}

async function write(kind: 'put' | 'drop', text: string): Promise<void> {
  const done = await records.write(ADA, () => ({ ok: true, value: { records: [{ kind: `note.${kind}`, payload: { text } }], result: undefined } }));
  if (!done.ok) throw new Error(done.error.message);
}

function notes(): string[] {
  return records.query('SELECT text FROM note ORDER BY text').map(row => String(row['text']));
}

async function made(label?: string): Promise<BackupInfo> {
  const backup = await backups.create(label);
  if (!backup.ok) throw new Error(backup.error.message);
  return backup.value;
}

async function all(): Promise<readonly BackupInfo[]> {
  const list = await backups.list();
  if (!list.ok) throw new Error(list.error.message);
  return list.value;
}

test('a backup has an id, counts and checksums, and is listed', async () => {
  await write('put', 'a');
  await write('put', 'b');
  const backup = await made('before the move');
  expect(backup).toMatchObject({
    backupId: expect.stringMatching(/^20260510T120000000Z-[0-9a-f]{8}$/),
    label: 'before the move',
    createdAt: '2026-05-10T12:00:00.000Z',
    counts: { note: 2 },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(await all()).toEqual([backup]);
});

test('verifying says what a restore would undo, and changes nothing', async () => {
  for (const text of ['same', 'gone']) await write('put', text);
  const backup = await made();
  await write('drop', 'gone');
  await write('put', 'new');
  clock.time += 1000;
  const before = [...disk.files.keys()];
  const verified = await backups.restore(backup.backupId, true, ADA);
  expect(verified).toMatchObject({
    ok: true,
    value: {
      isRestored: false,
      transactionsSince: 2,
      differences: [{ table: 'note', added: 1, changed: 0, removed: 1 }],
      recent: [{ agentId: 'ada' }, { agentId: 'ada' }],
    },
  });
  expect(notes()).toEqual(['new', 'same']);
  expect([...disk.files.keys()]).toEqual(before);
});

test('a restore puts the rows back as one transaction, tells listeners, survives a restart, and can be taken back', async () => {
  await write('put', 'a');
  const backup = await made();
  await write('drop', 'a');
  await write('put', 'later');
  const told: (readonly string[])[] = [];
  records.onWritten(areas => told.push(areas));
  const restored = await backups.restore(backup.backupId, false, ADA);
  if (!restored.ok) throw new Error(restored.error.message);
  expect(restored.value).toMatchObject({ isRestored: true, transactionsSince: 2, differences: [{ table: 'note', added: 1, removed: 1 }] });
  expect([notes(), told]).toEqual([['a'], [['note']]]);
  await store.close();
  await begin();
  expect(notes()).toEqual(['a']);
  await backups.restore(restored.value.previousBackupId ?? '', false, ADA);
  expect(notes()).toEqual(['later']);
});

test('whatever the moment of death, a restore is whole or has not begun, and what it replaced is kept', async () => {
  const life = async (): Promise<boolean> => {
    for (const text of ['a', 'b']) await write('put', text);
    const backup = await made();
    for (const text of ['a', 'b']) await write('drop', text);
    await write('put', 'later');
    clock.time += 1;
    return (await backups.restore(backup.backupId, false, ADA)).ok;
  };
  await life();
  const operations = disk.operations;
  for (let dieAt = 20; dieAt <= operations; dieAt += 1) {
    disk = new MemoryDisk();
    await begin();
    disk.dieAt = dieAt;
    const acknowledged = await life().catch(() => undefined);
    disk = disk.survivor('powerLoss');
    await begin();
    const found = notes().join();
    expect(['', 'a', 'a,b', 'b', 'later']).toContain(found);
    if (acknowledged === true) expect(found).toBe('a,b');
    expect((await folder().check()).filter(({ problem }) => problem !== undefined)).toEqual([]);
  }
});

test('who writes while a restore is prepared stops it, and loses nothing', async () => {
  await write('put', 'a');
  const backup = await made();
  const restoring = backups.restore(backup.backupId, false, ADA);
  const exported = store.exportView.bind(store);
  Object.assign(store, {
    exportView: () => {
      void write('put', 'meanwhile');
      return exported();
    },
  });
  expect(await restoring).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
  expect(notes()).toEqual(['a', 'meanwhile']);
});

function overwrite(path: string, change: (bytes: Buffer) => Buffer): void {
  disk.change(path, change);
}

function flip(bytes: Buffer): Buffer {
  bytes[5000] = (bytes[5000] ?? 0) ^ 1;
  return bytes;
}

test.each<[string, (path: string) => void, string]>([
  ['a flipped bit', path => overwrite(path, flip), 'its checksum does not match'],
  ['a file cut short', path => overwrite(path, bytes => bytes.subarray(0, 4096)), 'its checksum does not match'],
  ['a missing file', path => void disk.files.delete(path), 'its file is missing'],
])('a backup with %s is refused before anything is replaced', async (_, spoil, message) => {
  await write('put', 'a');
  const { backupId } = await made();
  await write('put', 'b');
  spoil(`${PROJECT.backups}/${backupId}.db`);
  for (const verifyOnly of [true, false]) {
    expect(await backups.restore(backupId, verifyOnly, ADA)).toMatchObject({
      ok: false,
      error: { code: 'STORE_DAMAGED', message: expect.stringContaining(message) },
    });
  }
  expect(await folder().check()).toEqual([{ backupId, problem: expect.stringContaining(message) }]);
  expect(notes()).toEqual(['a', 'b']);
});

test.each([['20260510T120000000Z-00000099'], ['../view/view-00000001'], ['']])('%j is no backup', async backupId => {
  expect(await backups.restore(backupId, true, ADA)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});

test('daily: once after 03:00 UTC, for what was written before, and only when something was', async () => {
  await backups.createIfDue();
  await write('put', 'a');
  await backups.createIfDue();
  expect(await all()).toEqual([]);
  clock.time = Date.UTC(2026, 4, 11, 2, 59);
  await backups.createIfDue();
  expect(await all()).toEqual([]);
  clock.time = Date.UTC(2026, 4, 11, 3, 10);
  await backups.createIfDue();
  await write('put', 'b');
  await backups.createIfDue();
  expect(await all()).toMatchObject([{ label: 'daily', counts: { note: 1 } }]);
  clock.time += DAY;
  await begin();
  await backups.createIfDue();
  expect(await all()).toHaveLength(2);
  clock.time += DAY;
  await backups.createIfDue();
  expect(await all()).toHaveLength(2);
});

test('backups are kept for 30 days, the newest one for ever', async () => {
  await write('put', 'a');
  const first = await made();
  clock.time += 20 * DAY;
  const second = await made();
  expect(await all()).toEqual([second, first]);
  clock.time += 11 * DAY;
  const third = await made();
  expect(await all()).toEqual([third, second]);
  clock.time += 100 * DAY;
  expect(await all()).toEqual([third, second]);
  const fourth = await made();
  expect(await all()).toEqual([fourth]);
  expect([...disk.files.keys()].filter(path => path.startsWith(PROJECT.backups))).toHaveLength(2);
});
