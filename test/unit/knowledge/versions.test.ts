import { expect, test } from 'vitest';
import { withRetention } from '../../../server/src/knowledge/retention';
import { KNOWLEDGE_CHECKS } from '../../../server/src/knowledge/rowChecks';
import { KNOWLEDGE_MIGRATIONS } from '../../../server/src/knowledge/tables';
import { deletedEntities, entityAt, historyOf } from '../../../server/src/knowledge/versions';
import { update } from '../../../server/src/knowledge/writes';
import type { Records } from '../../../server/src/model/records';
import { SOMEBODY } from '../../helpers/memoryRecords';
import { type Knowing, knowing, UNANCHORED } from './knowing';

/** `version:fields` of each version, newest first. */
const shortly = (records: Records, id: string): readonly string[] | undefined =>
  historyOf(records, id)?.versions.map(({ version, changedFields }) => `${version}:${changedFields.join(' ')}`);
const lives = (records: Records, id: string): readonly unknown[] =>
  records.query('SELECT version, valid_from, valid_to FROM knowledge_versions WHERE entity_id = ? ORDER BY seq, version', [id]).map(row => Object.values(row));

test('an update keeps what it replaced, with who, why and in which transaction', async () => {
  const { atom, records } = await knowing();
  const id = await atom('A', { knowledge: 'one' });
  const first = entityAt(records, id, 1);
  const ada = { ...SOMEBODY, agentId: 'ada' };
  const change = { entityType: 'atom', id, version: 1, lastTaskId: 'manual', knowledgeMode: 'append', knowledge: 'two', paths: ['lib/**'] } as const;
  await update(records, ada, change, UNANCHORED);
  expect(entityAt(records, id, 1)).toEqual(first);
  expect(entityAt(records, id, 2)).toMatchObject({ paths: ['lib/**'], knowledge: expect.stringContaining('two') });
  expect(historyOf(records, id)).toEqual({
    versions: [
      { version: 2, changedFields: ['knowledge', 'paths'], taskId: 'manual', agentId: 'ada', txId: 'tx-2', at: '2026-01-01T00:00:00.002Z' },
      { version: 1, changedFields: ['name', 'knowledge', 'paths'], taskId: 'manual', agentId: null, txId: 'tx-1', at: '2026-01-01T00:00:00.001Z' },
    ],
  });
});

test('versions follow each other without gap or overlap, and one is current', async () => {
  const { atom, records, remove, update: change } = await knowing();
  const id = await atom('A');
  const start = records.time;
  await change({ entityType: 'atom', id, version: 1, name: 'B' });
  await change({ entityType: 'atom', id, version: 1, name: 'C' });
  await change({ entityType: 'atom', id, version: 2, knowledge: 'x' });
  expect(lives(records, id)).toEqual([
    [1, start, start + 1],
    [2, start + 1, start + 2],
    [3, start + 2, null],
  ]);
  await remove({ entityType: 'atom', id, version: 3, cascade: false });
  expect(lives(records, id)[2]).toEqual([3, start + 2, start + 3]);
});

test.each([false, true])('a deleted molecule and its atoms stay in the history (cascade: %s)', async cascade => {
  const { atom, molecule, records, remove } = await knowing();
  const home = await molecule('M', { knowledge: 'shared' });
  const id = await atom('A', { moleculeId: home });
  await remove({ entityType: 'molecule', id: home, version: 1, cascade });
  expect(entityAt(records, home, 1)).toMatchObject({ name: 'M', knowledge: 'shared' });
  expect(historyOf(records, home)?.deletedAt).toBe(new Date(records.time).toISOString());
  expect(entityAt(records, id, 1)).toMatchObject({ moleculeId: home, version: 1 });
  expect(shortly(records, id)).toEqual(cascade ? ['1:name paths moleculeId'] : ['2:moleculeId', '1:name paths moleculeId']);
  const gone = deletedEntities(records, 10).map(({ entityType, name, version }) => `${entityType} ${name} ${version}`);
  expect([...gone].sort()).toEqual(cascade ? ['atom A 1', 'molecule M 1'] : ['molecule M 1']);
});

async function restore({ records, update: change }: Knowing, id: string, version: number, restoreVersion: number, more: object = {}): Promise<unknown> {
  const entityType = id.startsWith('atom') ? 'atom' : 'molecule';
  const written = await change({ entityType, id, version, restoreVersion, ...more });
  return written.ok ? entityAt(records, id) : written.error;
}

test('an old version is written again as a new one', async () => {
  const known = await knowing();
  const id = await known.atom('A', { knowledge: 'one', paths: ['a'] });
  await known.update({ entityType: 'atom', id, version: 1, knowledge: 'two', paths: ['b'], name: 'B' });
  expect(await restore(known, id, 1, 1)).toMatchObject({ code: 'CONFLICT', data: { currentVersion: 2 } });
  expect(await restore(known, id, 2, 9)).toMatchObject({ code: 'NOT_FOUND', data: { suggestions: [2, 1] } });
  expect(await restore(known, id, 2, 1, { name: 'C' })).toMatchObject({ code: 'VALIDATION_ERROR', data: { field: 'name' } });
  expect(await restore(known, id, 2, 1)).toMatchObject({ version: 3, name: 'A', knowledge: 'one', paths: ['a'] });
  expect(known.view.atom(id)).toEqual(entityAt(known.records, id, 3));
  expect(known.view.atomsCovering('a')).toHaveLength(1);
  expect(shortly(known.records, id)).toEqual(['3:name knowledge paths', '2:name knowledge paths', '1:name knowledge paths']);
});

test('what was deleted comes back, without the molecule that is gone', async () => {
  const known = await knowing();
  const home = await known.molecule('M', { knowledge: 'shared' });
  const id = await known.atom('A', { moleculeId: home });
  await known.remove({ entityType: 'molecule', id: home, version: 1, cascade: true });
  expect(await restore(known, id, 2, 1)).toMatchObject({ code: 'CONFLICT', data: { currentVersion: 1 } });
  expect(await restore(known, id, 1, 1)).toMatchObject({ version: 2, moleculeId: null });
  expect(await restore(known, home, 1, 1)).toMatchObject({ version: 2, knowledge: 'shared' });
  expect(known.view.molecule(home)).toMatchObject({ version: 2 });
  expect(deletedEntities(known.records, 10)).toEqual([]);
  expect(historyOf(known.records, id)?.deletedAt).toBeUndefined();
  expect(await restore(known, 'atom::00000000-0000-4000-8000-0000000000ff', 1, 1)).toMatchObject({ code: 'NOT_FOUND' });
});

test('a store from before versions were kept gets the newest ones, by nobody', async () => {
  const { atom, records } = await knowing();
  const id = await atom('A', { knowledge: 'one' });
  records.query('DROP TABLE knowledge_versions');
  const run = (sql: string): void => sql.split(';').forEach(each => void (each.trim() === '' || records.query(each)));
  KNOWLEDGE_MIGRATIONS.find(migration => migration.version === 30)?.apply({ script: run, run, all: () => [], first: () => undefined });
  const at = '2026-01-01T00:00:00.000Z';
  expect(historyOf(records, id)).toEqual({ versions: [{ version: 1, changedFields: [], taskId: 'manual', agentId: null, txId: null, at }] });
  expect(entityAt(records, id, 1)).toMatchObject({ knowledge: 'one' });
});

test('doctor finds an entity whose version is not in its history', async () => {
  const { atom, records } = await knowing();
  const check = KNOWLEDGE_CHECKS.find(({ name }) => name === 'knowledge.versions');
  const broken = (): ReadonlySet<unknown> => new Set(records.query(check?.broken ?? '').map(row => row['id']));
  const [lost, wrong] = [await atom('A'), await atom('B')];
  expect(broken()).toEqual(new Set());
  records.query('DELETE FROM knowledge_versions WHERE entity_id = ?', [lost]);
  records.query('UPDATE knowledge_versions SET version = 7 WHERE entity_id = ?', [wrong]);
  expect(broken()).toEqual(new Set([lost, wrong]));
  for (const sql of check?.repair ?? []) records.query(sql);
  expect(broken()).toEqual(new Set());
});

/** Writes the atom until it has this version. */
async function writeUpTo({ update: change, view }: Knowing, id: string, version: number): Promise<void> {
  for (let at = view.atom(id)?.version ?? 1; at < version; at++) await change({ entityType: 'atom', id, version: at, knowledge: `text ${at + 1}` });
}

const DAY = 86_400_000;
const UNLIMITED = { keepDays: 1e6, keepTransactions: 1e9, maxBytes: 1e12 };

async function forgetting(known: Knowing, retention: object): Promise<void> {
  // A look of its own, whatever the writes before have counted.
  const records: Records = { ...known.records, companion: make => make(known.records) };
  const draft = { kind: 'work.tagRemoved', payload: { id: 'none' } };
  await known.records.write(SOMEBODY, () => withRetention(records, { ok: true, value: { records: [draft], result: 0 } }, { ...UNLIMITED, ...retention }));
}

test.each<[string, object, number]>([
  ['nothing without a limit', {}, 1],
  ['days', { keepDays: 1 }, 11],
  ['transactions', { keepTransactions: 25 }, 36],
  ['bytes', { maxBytes: 0 }, 41],
])('old versions go by %s; those of the newest twenty transactions stay', async (_, retention, oldest) => {
  const known = await knowing();
  const id = await known.atom('A');
  await writeUpTo(known, id, 11);
  known.records.time += 2 * DAY;
  await writeUpTo(known, id, 60);
  await forgetting(known, retention);
  expect(historyOf(known.records, id)?.versions.at(-1)?.version).toBe(oldest);
  expect(entityAt(known.records, id, oldest)).toMatchObject({ version: oldest });
  expect(known.view.atom(id)?.version).toBe(60);
});

test('what goes when the clock was years ahead for a while leaves no gap: the oldest go first, whatever their times', async () => {
  const known = await knowing();
  const id = await known.atom('A');
  await writeUpTo(known, id, 10);
  known.records.time += 4000 * DAY;
  await writeUpTo(known, id, 15);
  known.records.time -= 3990 * DAY;
  await writeUpTo(known, id, 60);
  known.records.time += 3995 * DAY;
  await forgetting(known, { keepDays: 1 });
  const kept = historyOf(known.records, id)?.versions.map(({ version }) => version) ?? [];
  expect(kept).toEqual(kept.map((_, at) => 60 - at));
  expect(kept.at(-1)).toBeGreaterThan(1);
});

test('what was current when an open task began stays until the task is closed', async () => {
  const known = await knowing();
  const id = await known.atom('A');
  await writeUpTo(known, id, 5);
  known.records.query(
    `INSERT INTO work_containers (id, project_id, type, name, summary, status, priority, tags, position, start_tx_id, version, created_at, updated_at)
     VALUES ('task::1', 'p', 'task', 'T', '', 'in_progress', 'medium', '[]', 0, 'tx-3', 1, '', '')`,
  );
  await writeUpTo(known, id, 40);
  const kept = async (): Promise<unknown> => {
    await forgetting(known, { maxBytes: 0 });
    return historyOf(known.records, id)
      ?.versions.map(({ version }) => version)
      .slice(-2);
  };
  expect(await kept()).toEqual([21, 3]);
  known.records.query("UPDATE work_containers SET status = 'completed'");
  expect(await kept()).toEqual([23, 22]);
});

test('writes let old versions go by themselves', async () => {
  const known = await knowing();
  const id = await known.atom('A');
  await writeUpTo(known, id, 30);
  known.records.time += 31 * DAY;
  await writeUpTo(known, id, 230);
  expect(historyOf(known.records, id)?.versions.at(-1)?.version).toBe(30);
});
