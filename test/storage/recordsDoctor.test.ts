import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RESTORED_TABLES, ROOM_CHECKS, ROOM_KINDS, ROOM_MIGRATIONS } from '../../server/src/main/rooms';
import type { RecordKind } from '../../server/src/model/records';
import { STORE_MIGRATIONS } from '../../server/src/store/migrations';
import { type ProjectStore, RECOVERED_KIND } from '../../server/src/store/projectStore';
import { TRANSACTION_KINDS } from '../../server/src/store/transactions';
import { checkRecords, type RecordFinding, repairRows } from '../../server/src/store/upkeep/recordsDoctor';
import { MemoryDisk } from './memoryDisk';
import { openStore, PROJECT, SQL_WASM } from './storeHost';

/** Writes what no room would: rows as a test wants them. */
const SQL_KIND: RecordKind = { kind: 'test.sql', apply: (view, payload) => view.script(String(payload)) };

/** What an earlier version of a kind made of a record may differ from what this one makes of it. */
let mood = 'one';
const MOODY_KIND: RecordKind = { kind: 'test.moody', apply: view => view.run('UPDATE graph_atoms SET name = ?', [mood]) };

const KINDS = [...ROOM_KINDS, SQL_KIND, MOODY_KIND];

const ATOM =
  "INSERT INTO graph_atoms (id, project_id, molecule_id, name, paths, created_by_task_id, last_task_id, created_at, updated_at) VALUES ('atom::1', 'p', NULL, 'A', '[\"src/**\"]', 'manual', 'manual', '', '');INSERT INTO knowledge_versions VALUES ('atom::1', 1, 'p', '[]', 'manual', 1, 1, NULL, NULL, NULL);";
const ENTRY = "INSERT INTO graph_changelog VALUES ('changelog::1', 'atom', 'atom::1', 'manual', 's', '');";

function open(disk: MemoryDisk, kinds = KINDS): Promise<ProjectStore> {
  return openStore(disk, { kinds, migrations: ROOM_MIGRATIONS });
}

async function store(...statements: string[]): Promise<{ readonly disk: MemoryDisk; readonly store: ProjectStore }> {
  const disk = new MemoryDisk();
  const opened = await open(disk);
  for (const sql of [ATOM, ENTRY, ...statements]) await opened.append({ kind: 'test.sql', payload: sql });
  return { disk, store: opened };
}

function check(disk: MemoryDisk, kinds = KINDS): Promise<readonly RecordFinding[]> {
  return checkRecords({
    disk,
    project: PROJECT,
    sqlWasm: SQL_WASM,
    kinds: [RECOVERED_KIND, ...TRANSACTION_KINDS, ...kinds],
    migrations: [...STORE_MIGRATIONS, ...ROOM_MIGRATIONS],
    checks: ROOM_CHECKS,
    tables: Object.values(RESTORED_TABLES).flat(),
  });
}

test('sound rows are counted, beside an owner and after it, and nothing is changed', async () => {
  const { disk, store: owner } = await store();
  const sound = [{ severity: 'ok', message: 'graph_atoms 1, graph_changelog 1, knowledge_versions 1' }];
  const before = disk.operations;
  expect(await check(disk)).toEqual(sound);
  expect(disk.operations).toBe(before);
  await owner.snapshot();
  await owner.append({ kind: 'test.sql', payload: "UPDATE graph_atoms SET name = 'B'" });
  await owner.close();
  expect(await check(disk)).toEqual([...sound, { severity: 'ok', message: 'the saved views and the journal agree' }]);
  expect(await check(new MemoryDisk())).toEqual([{ severity: 'ok', message: 'nothing written yet' }]);
});

test.each([
  ['DELETE FROM graph_atoms; DELETE FROM knowledge_versions', 'changelog entries of deleted atoms or molecules (1): changelog::1', true],
  ["UPDATE graph_atoms SET molecule_id = 'molecule::9'", 'atoms whose molecule does not exist; restore the molecule, or move the atoms (1)', false],
  ['UPDATE graph_atoms SET version = 2', 'atoms or molecules whose latest version does not match their history (1): atom::1', true],
  ["UPDATE graph_atoms SET paths = '[]'", 'atoms without patterns (1): atom::1', false],
  [
    "INSERT INTO work_sections VALUES ('section::1', 'p', 'task::9', 't', 'c', 0, 1, '', ''); INSERT INTO work_versions VALUES ('section::1', 1, 'p', '[]', '{}', NULL, NULL, 1, 1)",
    'sections of deleted tasks or features (1): section::1',
    true,
  ],
  ["INSERT INTO work_dependencies VALUES ('task::1', 'task::2', 'p', '')", 'dependencies on deleted tasks (1): task::1', true],
  [
    "INSERT INTO work_containers VALUES ('task::1', 'p', 'task', 'feature::9', 'n', '', 'pending', 'medium', '[]', 0, NULL, NULL, NULL, NULL, NULL, NULL, 1, '', ''); INSERT INTO work_versions VALUES ('task::1', 1, 'p', '[]', '{}', NULL, NULL, 1, 1)",
    'tasks of deleted features (1): task::1',
    true,
  ],
  [
    "INSERT INTO work_containers VALUES ('task::1', 'p', 'task', NULL, 'n', '', 'pending', 'medium', '[]', 0, NULL, NULL, NULL, NULL, NULL, NULL, 2, '', '')",
    'tasks, features or sections whose latest version is not in their history (1): task::1',
    false,
  ],
])('%s is found, and put right for good where that can be', async (sql, message, isRepairable) => {
  const { disk, store: owner } = await store(sql);
  const broken = (await check(disk)).filter(({ severity }) => severity !== 'ok');
  expect(broken).toEqual([{ severity: 'warning', message: expect.stringContaining(message), isRepairable }]);
  const done = await repairRows(owner, ROOM_CHECKS);
  expect(done).toHaveLength(isRepairable ? 1 : 0);
  await owner.close();
  const later = disk.survivor('killed');
  expect((await check(later)).filter(({ severity }) => severity !== 'ok')).toHaveLength(isRepairable ? 0 : 1);
});

test('records of kinds that nobody knows are told of', async () => {
  const { disk, store: owner } = await store();
  await owner.close();
  const [finding] = (await check(disk, [...ROOM_KINDS])).filter(({ severity }) => severity !== 'ok');
  expect(finding).toBeUndefined();
  const unknown = await open(disk);
  await unknown.append({ kind: 'test.moody', payload: {} });
  const found = await check(disk, [...ROOM_KINDS]);
  expect(found.find(({ severity }) => severity === 'warning')?.message).toMatch(
    /^journal records that are kept but have no effect: 1 \(test\.moody\): this version of Lattice does not know the kind/,
  );
});

test('views that an older Lattice saved are not held against each other: what is made of them depends on their age', async () => {
  const disk = new MemoryDisk();
  const before = ROOM_MIGRATIONS.filter(({ version }) => version < 30);
  const owner = await openStore(disk, { kinds: KINDS, migrations: before });
  await owner.append({ kind: 'test.sql', payload: ATOM.split('INSERT INTO knowledge_versions')[0] });
  await owner.snapshot();
  await owner.append({ kind: 'test.sql', payload: 'UPDATE graph_atoms SET version = 2' });
  await owner.close();
  expect((await check(disk)).filter(({ severity }) => severity === 'damaged')).toEqual([]);
  const later = await open(disk);
  expect(later.query('SELECT version, valid_to FROM knowledge_versions')).toEqual([{ version: 2, valid_to: null }]);
  await later.close();
});

test('views that do not agree with the journal are told of', async () => {
  const { disk, store: owner } = await store();
  await owner.snapshot();
  mood = 'one';
  await owner.append({ kind: 'test.moody', payload: {} });
  await owner.snapshot();
  mood = 'two';
  expect(await check(disk)).toContainEqual({
    severity: 'damaged',
    message: 'the newest saved view and the journal after the older one disagree about graph_atoms',
  });
  mood = 'one';
  expect(await check(disk)).toContainEqual({ severity: 'ok', message: 'the saved views and the journal agree' });
});

test('records that are in no file any more are told of, before the next start and after it', async () => {
  const { disk, store: owner } = await store();
  await owner.snapshot();
  mood = 'one';
  for (let at = 0; at < 2; at++) {
    await owner.append({ kind: 'test.moody', payload: {} });
    await owner.snapshot();
  }
  for (const name of await disk.list(PROJECT.view)) await disk.remove(join(PROJECT.view, name));
  const missing = /^the records 1 to \d of the journal are missing$/;
  expect((await check(disk)).filter(({ severity }) => severity === 'damaged')).toEqual([{ severity: 'damaged', message: expect.stringMatching(missing) }]);
  const next = await open(disk.survivor('killed'));
  expect(next.recovered).toEqual([
    expect.stringMatching(/^The records 1 to \d of the journal are missing: confirmed changes may be lost\. .* run lattice tool graph_restore\.$/),
  ]);
  const after = disk.survivor('killed');
  await (await open(after)).close();
  expect(await check(after)).toContainEqual({ severity: 'warning', message: expect.stringMatching(/^found on \d{4}-\d\d-\d\d: The records 1 to/) });
  await owner.abandon();
});
