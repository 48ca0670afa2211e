import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { KEPT_TABLES, RESTORED_TABLES, ROOM_CHECKS, ROOM_KINDS, ROOM_MIGRATIONS, VERSIONED_RESTORES } from '../../server/src/main/rooms';
import { STORE_MIGRATIONS } from '../../server/src/store/migrations';
import { ProjectRecords } from '../../server/src/store/projectRecords';
import { StoreBackups } from '../../server/src/store/upkeep/backups';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';
import { MemoryDisk } from '../storage/memoryDisk';
import { ManualClock, openStore, PROJECT, SQL_WASM } from '../storage/storeHost';

interface Door {
  readonly records: ProjectRecords;
  ask(name: string, input: object): Promise<Readonly<Record<string, unknown>>>;
  /** The data of an answer that must be a good one. */
  data(name: string, input: object): Promise<Readonly<Record<string, unknown>>>;
}

async function door(): Promise<Door> {
  const disk = new MemoryDisk();
  const clock = new ManualClock();
  clock.time = Date.UTC(2026, 4, 10, 12);
  const store = await openStore(disk, { kinds: ROOM_KINDS, migrations: ROOM_MIGRATIONS, clock });
  let ids = 0;
  const newId = (): string => `${(++ids).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const records = new ProjectRecords({ store, projectId: 'p', newId, checkout: '/shop' });
  const backups = new StoreBackups({
    folder: PROJECT.backups,
    projectId: 'p',
    disk,
    clock,
    log: { write: () => undefined },
    random: () => (++ids).toString(16).padStart(8, '0'),
    sqlWasm: async () => SQL_WASM,
    migrations: [...STORE_MIGRATIONS, ...ROOM_MIGRATIONS],
    tables: RESTORED_TABLES,
    revising: VERSIONED_RESTORES,
    records,
    exportView: () => store.exportView(),
    mayWrite: () => true,
  });
  const workspace = workspaceOf(shop, { records, backups });
  const ask = async (name: string, input: object): Promise<Readonly<Record<string, unknown>>> => {
    const call = { name, input: { ...input, profile: 'debug' }, agentId: 'ada', sessionId: 's' };
    return { ...(await invoke(TOOLS, workspace, call, neverCancelled)).envelope };
  };
  const data = async (name: string, input: object): Promise<Readonly<Record<string, unknown>>> => {
    const envelope = await ask(name, input);
    expect(envelope, JSON.stringify(envelope)).toMatchObject({ ok: true });
    return envelope['data'] as Readonly<Record<string, unknown>>;
  };
  return { records, ask, data };
}

async function withKnowledge(): Promise<Door & { readonly atom: string; readonly task: string }> {
  const opened = await door();
  const { data } = opened;
  const made = await data('manage_container', { operation: 'create', containerType: 'task', name: 'Rework' });
  const task = (made['task'] as { readonly id: string }).id;
  const atom = String((await data('manage_graph', { operation: 'create', entityType: 'atom', name: 'Pay', paths: ['src/**'], createdByTaskId: task }))['id']);
  return { ...opened, atom, task };
}

test('every table of the store is either restored or kept, and none both', async () => {
  const { records } = await door();
  const names = records.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").map(row => String(row['name']));
  expect([...Object.values(RESTORED_TABLES).flat(), ...KEPT_TABLES].sort()).toEqual(names.sort());
});

test('knowledge and work that were deleted come back, and views see them at once', async () => {
  const { ask, atom, data, task } = await withKnowledge();
  const { backupId, counts, sha256 } = await data('graph_backup', { label: 'before' });
  expect([counts, sha256]).toEqual([expect.objectContaining({ graph_atoms: 1, work_containers: 1 }), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  await data('manage_graph', { operation: 'delete', entityType: 'atom', id: atom, version: 1 });
  await data('manage_container', { operation: 'delete', containerType: 'task', id: task, version: 1 });
  expect(await ask('query_graph', { operation: 'get', entityType: 'atom', id: atom })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });

  const checked = await ask('graph_restore', { backupId });
  expect(checked).toMatchObject({
    ok: true,
    summary: expect.stringContaining('would undo 2 transactions since then'),
    data: { isRestored: false, transactionsSince: 2 },
  });
  expect(await ask('query_graph', { operation: 'get', entityType: 'atom', id: atom })).toMatchObject({ ok: false });

  const restored = await data('graph_restore', { backupId, verifyOnly: false });
  expect(restored).toMatchObject({ isRestored: true, transactionsSince: 2, previousBackupId: expect.any(String) });
  expect(await data('query_graph', { operation: 'get', entityType: 'atom', id: atom })).toMatchObject({ atom: { name: 'Pay' } });
  expect(await data('query_container', { operation: 'get', id: task })).toMatchObject({ task: { name: 'Rework' } });

  await data('graph_restore', { backupId: restored['previousBackupId'], verifyOnly: false });
  expect(await ask('query_graph', { operation: 'get', entityType: 'atom', id: atom })).toMatchObject({ ok: false });
});

test('an unknown backup is not found, with those that there are', async () => {
  const { ask, data } = await withKnowledge();
  const { backupId } = await data('graph_backup', {});
  expect(await ask('graph_restore', { backupId: 'nothing' })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND', data: { suggestions: [backupId] } });
});

test('what a restore brings back is a new version: whoever knows one that came since overwrites nothing unseen', async () => {
  const { ask, atom, data, records, task } = await withKnowledge();
  const section = (await data('manage_sections', { operation: 'create', containerId: task, title: 'Notes', content: 'then' }))['sectionId'];
  const gone = String(
    (await data('manage_graph', { operation: 'create', entityType: 'atom', name: 'Gone', paths: ['a/**'], createdByTaskId: 'manual' }))['id'],
  );
  const saveAtom = (id: string, version: number, knowledge: string): Promise<Readonly<Record<string, unknown>>> =>
    ask('manage_graph', { operation: 'update', entityType: 'atom', id, version, knowledge, lastTaskId: 'manual' });
  const saveTask = (version: number, summary: string): Promise<Readonly<Record<string, unknown>>> =>
    ask('task_update', { taskId: task, version, fields: { summary } });
  const saveSection = (version: number, content: string): Promise<Readonly<Record<string, unknown>>> =>
    ask('manage_sections', { operation: 'update', id: section, version, content });
  const { backupId } = await data('graph_backup', {});
  for (const version of [1, 2]) {
    for (const saved of [
      saveAtom(atom, version, `v${version}`),
      saveAtom(gone, version, `v${version}`),
      saveTask(version, 'since'),
      saveSection(version, 'since'),
    ]) {
      expect(await saved).toMatchObject({ ok: true });
    }
  }
  await data('manage_graph', { operation: 'delete', entityType: 'atom', id: gone, version: 3 });
  const later = (await data('manage_container', { operation: 'create', containerType: 'task', name: 'Later' }))['task'] as { readonly id: string };
  await data('graph_restore', { backupId, verifyOnly: false });
  for (const [save, currentVersion] of [
    [(version: number) => saveAtom(atom, version, 'late'), 4],
    [(version: number) => saveAtom(gone, version, 'late'), 4],
    [(version: number) => saveTask(version, 'late'), 4],
    [(version: number) => saveSection(version, 'late'), 4],
  ] as const) {
    for (const version of [1, 2, 3]) expect(await save(version)).toMatchObject({ ok: false, errorCode: 'CONFLICT', data: { currentVersion } });
    expect(await save(currentVersion)).toMatchObject({ ok: true });
  }
  expect(await ask('query_container', { operation: 'get', id: later.id })).toMatchObject({ ok: false, errorCode: 'NOT_FOUND' });
  const { history } = await data('query_container', { operation: 'get', id: task, history: true });
  expect(history).toMatchObject([
    { version: 5 },
    { version: 4, reason: `restored from backup ${String(backupId)}`, changedFields: ['summary'] },
    { version: 3 },
    {},
    {},
  ]);
  for (const { broken, name } of ROOM_CHECKS) expect(records.query(broken), name).toEqual([]);
  const again = await data('graph_restore', { backupId });
  expect(again['differences']).toEqual([
    { table: 'graph_atoms', added: 0, changed: 2, removed: 0 },
    { table: 'work_containers', added: 0, changed: 1, removed: 0 },
    { table: 'work_sections', added: 0, changed: 1, removed: 0 },
  ]);
});
