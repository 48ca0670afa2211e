import { expect, test } from 'vitest';
import { changelogOf, newestEntries, touchedBy } from '../../../server/src/knowledge/reads';
import { drafts } from '../../../server/src/knowledge/tables';
import { addEntry, type CreateInput, create } from '../../../server/src/knowledge/writes';
import { paramRef } from '../../../server/src/model/hints';
import { type MemoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { knowing } from './knowing';

const TASK = 'task::aaaaaaaa-0000-4000-8000-000000000001';

function addTask(records: MemoryRecords, id: string): void {
  records.query(
    `INSERT INTO work_containers (id, project_id, type, name, summary, status, priority, tags, position, version, created_at, updated_at)
     VALUES (?, ?, 'task', 'T', '', 'pending', 'medium', '[]', 0, 1, '', '')`,
    [id, records.projectId],
  );
}

test('the tables have every column and index', async () => {
  const { records } = await knowing();
  const columns = (table: string): unknown[] => records.query(`SELECT name FROM pragma_table_info('${table}')`).map(row => row['name']);
  const own = ['id', 'project_id', 'name', 'knowledge', 'created_by_task_id', 'last_task_id', 'version', 'created_at', 'updated_at'];
  expect(columns('graph_molecules')).toEqual(expect.arrayContaining([...own, 'related_molecules']));
  expect(columns('graph_atoms')).toEqual(expect.arrayContaining([...own, 'molecule_id', 'paths', 'related_atoms']));
  expect(columns('graph_changelog')).toEqual(['id', 'parent_type', 'parent_id', 'task_id', 'summary', 'created_at']);
  const indexes = records.query("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '%graph_%' AND name LIKE 'idx_graph_%' ORDER BY name");
  expect(indexes.map(row => String(row['sql']).replace(/^CREATE INDEX /, ''))).toEqual([
    'idx_graph_atoms_molecule ON graph_atoms (molecule_id)',
    'idx_graph_atoms_project ON graph_atoms (project_id)',
    'idx_graph_changelog_parent ON graph_changelog (parent_type, parent_id)',
    'idx_graph_changelog_task ON graph_changelog (task_id)',
    'idx_graph_molecules_project ON graph_molecules (project_id)',
  ]);
  expect(() => records.query("INSERT INTO graph_changelog VALUES ('c', 'task', 'x', 'manual', 's', 't')")).toThrow(/CHECK/);
});

test('what is created is read back with its defaults', async () => {
  const { atom, molecule, view } = await knowing();
  const moleculeId = await molecule(' API Layer ');
  const id = await atom('Checkout', { moleculeId, paths: ['./src\\a/**', 'src/a/**', 'b.ts'] });
  const [at, later] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z'];
  const common = { projectId: 'p', knowledge: '', createdByTaskId: 'manual', lastTaskId: 'manual', version: 1, anchors: [] };
  expect(view.molecule(moleculeId)).toEqual({ ...common, id: moleculeId, name: 'API Layer', relatedMolecules: [], createdAt: at, updatedAt: at });
  expect(view.atom(id)).toEqual({
    ...common,
    id,
    name: 'Checkout',
    moleculeId,
    paths: ['src/a/**', 'b.ts'],
    relatedAtoms: [],
    createdAt: later,
    updatedAt: later,
  });
  expect([moleculeId, id].map(each => each.split('::')[0])).toEqual(['molecule', 'atom']);
});

const many = (count: number, of: (at: number) => string): string[] => Array.from({ length: count }, (_, at) => of(at));

test.each<[string, Partial<CreateInput>, Partial<CreateInput>]>([
  ['patterns', { paths: many(20, at => `a${at}`) }, { paths: many(21, at => `a${at}`) }],
  ['a pattern', { paths: ['x'.repeat(512)] }, { paths: ['x'.repeat(513)] }],
  ['a name', { name: '😀'.repeat(255) }, { name: 'x'.repeat(256) }],
  ['a name there must be', { name: 'x' }, { name: ' \n ' }],
  ['knowledge in bytes', { knowledge: `${'é'.repeat(16_384)}` }, { knowledge: `${'é'.repeat(16_384)}x` }],
  ['an absolute pattern', { paths: ['a'] }, { paths: ['a', '/abs'] }],
  ['a pattern that leaves', { paths: ['a/b'] }, { paths: ['a/../b'] }],
  ['a broken glob', { paths: ['a[b]'] }, { paths: ['a[b'] }],
])('the bound of %s holds on create and update', async (_, fine, wrong) => {
  const { atom, create, update, view } = await knowing();
  expect(await create({ entityType: 'atom', ...fine })).toMatchObject({ ok: true });
  expect(await create({ entityType: 'atom', ...wrong })).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR', data: { issues: [{}] }, hint: /\w/ } });
  const id = await atom('A');
  expect(await update({ entityType: 'atom', id, version: 1, ...wrong })).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  expect(view.atom(id)?.version).toBe(1);
  expect(await update({ entityType: 'atom', id, version: 1, ...fine })).toMatchObject({ ok: true, value: { result: { version: 2 } } });
});

test.each([50, 51])('%i related entries', async count => {
  const { atom, create, molecule, update } = await knowing();
  const atoms = await Promise.all(many(count, at => `a${at}`).map(name => atom(name)));
  const molecules = await Promise.all(many(count, at => `m${at}`).map(name => molecule(name)));
  const related = (ids: readonly string[]) => ({ related: ids.map(id => ({ id: id.slice(id.indexOf('::') + 2), reason: ' why ' })) });
  const outcome = count <= 50 ? { ok: true } : { ok: false, error: { code: 'VALIDATION_ERROR' } };
  expect(await create({ entityType: 'atom', ...related(atoms) })).toMatchObject(outcome);
  expect(await create({ entityType: 'molecule', ...related(molecules) })).toMatchObject(outcome);
  const others = await Promise.all(['x', 'y'].map(name => atom(name)));
  expect(await update({ entityType: 'atom', id: others[0] ?? '', version: 1, ...related(others) })).toMatchObject({
    error: { code: 'VALIDATION_ERROR', message: expect.stringContaining('itself') },
  });
});

test('related entries must exist, each once; the full id is kept with its reason', async () => {
  const { atom, create, update, view } = await knowing();
  const [a, b] = [await atom('a'), await atom('b')];
  expect(await create({ entityType: 'atom', related: [{ id: 'atom::ffffffff-0000-4000-8000-000000000000', reason: '' }] })).toMatchObject({
    error: { code: 'NOT_FOUND' },
  });
  const twice = [
    { id: a, reason: '' },
    { id: a, reason: '' },
  ];
  expect(await create({ entityType: 'atom', related: twice })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  await update({ entityType: 'atom', id: a, version: 1, related: [{ id: b.replace('atom::', ''), reason: ' calls it ' }] });
  expect(view.atom(a)?.relatedAtoms).toEqual([{ atomId: b, reason: 'calls it' }]);
});

test('an atom without patterns breaks an invariant, on create and on update', async () => {
  const { atom, create, update } = await knowing();
  const refusal = { ok: false, error: { code: 'INVARIANT_VIOLATION', hint: /1 to 20/ } };
  expect(await create({ entityType: 'atom', paths: [] })).toMatchObject(refusal);
  expect(await update({ entityType: 'atom', id: await atom('A'), version: 1, paths: [] })).toMatchObject(refusal);
});

test('an old version is refused before anything else, and the row stays', async () => {
  const { atom, molecule, remove, update, view } = await knowing();
  const ids = { atom: await atom('A'), molecule: await molecule('M') } as const;
  for (const entityType of ['atom', 'molecule'] as const) {
    const id = ids[entityType];
    expect(await update({ entityType, id, version: 1, name: 'B' })).toMatchObject({ ok: true });
    const before = view[entityType](id);
    const conflict = { ok: false, error: { code: 'CONFLICT', data: { currentVersion: 2 }, hint: expect.arrayContaining([paramRef('version', 2)]) } };
    expect(await update({ entityType, id, version: 1, name: '' })).toMatchObject(conflict);
    expect(await remove({ entityType, id, version: 1, cascade: false })).toMatchObject(conflict);
    expect(await update({ entityType, id, version: 3 })).toMatchObject(conflict);
    expect(view[entityType](id)).toEqual(before);
    expect(await update({ entityType, id: `${entityType}::ffffffff-0000-4000-8000-000000000000`, version: 1 })).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('of two writers at once exactly one wins', async () => {
  const { atom, update, view } = await knowing();
  const id = await atom('A');
  const outcomes = await Promise.all(['x', 'y'].map(name => update({ entityType: 'atom', id, version: 1, name })));
  expect(outcomes.map(outcome => outcome.ok)).toEqual([true, false]);
  expect(view.atom(id)).toMatchObject({ name: 'x', version: 2 });
});

test('the version is part of the row’s change: a record of an old version changes nothing', async () => {
  const { atom, records, update, view } = await knowing();
  const id = await atom('A');
  const first = view.atom(id);
  if (first === undefined) throw new Error('there is no atom');
  await update({ entityType: 'atom', id, version: 1, name: 'B' });
  await records.write(SOMEBODY, () => ({ ok: true, value: { records: [drafts.putAtom({ ...first, version: 2, name: 'late' })], result: 0 } }));
  expect(view.atom(id)).toMatchObject({ name: 'B', version: 2 });
});

test('appending keeps the text and says when and for which task; overwriting replaces', async () => {
  const { atom, records, update, view } = await knowing();
  addTask(records, TASK);
  const id = await atom('A');
  records.time = Date.UTC(2026, 1, 2, 3, 4, 5, 6);
  const text = (): string | undefined => view.atom(id)?.knowledge;
  await update({ entityType: 'atom', id, version: 1, knowledge: ' first\r\nline ', knowledgeMode: 'append', lastTaskId: TASK });
  expect(text()).toBe('---[2026-02-02T03:04:05.006Z task:aaaaaaaa-0000-4000-8000-000000000001]---\nfirst\nline');
  await update({ entityType: 'atom', id, version: 2, knowledge: 'whole' });
  expect(text()).toBe('whole');
  await update({ entityType: 'atom', id, version: 3, knowledge: 'more', knowledgeMode: 'append' });
  expect(text()).toBe('whole\n\n---[2026-02-02T03:04:05.008Z task:manual]---\nmore');
  const separator = '\n\n---[2026-02-02T03:04:05.009Z task:manual]---\n'.length;
  await update({ entityType: 'atom', id, version: 4, knowledge: 'x'.repeat(32_768 - separator - 1) });
  expect(await update({ entityType: 'atom', id, version: 5, knowledge: 'yz', knowledgeMode: 'append' })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  expect(await update({ entityType: 'atom', id, version: 5, knowledge: 'y', knowledgeMode: 'append' })).toMatchObject({ ok: true });
});

test('absent fields stay, the writer and the time move on', async () => {
  const { atom, records, update, view } = await knowing();
  addTask(records, TASK);
  const id = await atom('A', { knowledge: 'k' });
  const before = view.atom(id);
  await update({ entityType: 'atom', id, version: 1, lastTaskId: TASK.replace('task::', '') });
  expect(view.atom(id)).toEqual({ ...before, version: 2, lastTaskId: TASK, updatedAt: '2026-01-01T00:00:00.001Z' });
  records.time = 0;
  await update({ entityType: 'atom', id, version: 2, lastTaskId: 'import' });
  expect(view.atom(id)).toMatchObject({ lastTaskId: 'import', updatedAt: '2026-01-01T00:00:00.002Z', createdByTaskId: 'manual' });
});

test.each([false, true])('deleting a molecule with cascade %s', async cascade => {
  const { atom, molecule, records, remove, view } = await knowing();
  addTask(records, TASK);
  const moleculeId = await molecule('M');
  const [member, other] = [await atom('A', { moleculeId }), await atom('B')];
  const log = (parentType: 'atom' | 'molecule', parentId: string) => addEntry(records, SOMEBODY, { parentType, parentId, taskId: 'manual', summary: 's' });
  await log('molecule', moleculeId);
  await log('atom', member);
  await log('atom', other);
  const written = await remove({ entityType: 'molecule', id: moleculeId, version: 1, cascade, lastTaskId: TASK });
  const ids = { orphanedAtomIds: cascade ? [] : [member], deletedAtomIds: cascade ? [member] : [] };
  expect(written).toMatchObject({ ok: true, value: { result: { deletedId: moleculeId, ...ids } } });
  expect(view.molecule(moleculeId)).toBeUndefined();
  const left = records.query('SELECT parent_id FROM graph_changelog ORDER BY parent_id').map(row => row['parent_id']);
  expect(left).toEqual(cascade ? [other] : [member, other].sort());
  if (cascade) expect(view.atom(member)).toBeUndefined();
  else expect(view.atom(member)).toMatchObject({ moleculeId: null, version: 2, lastTaskId: TASK, updatedAt: expect.not.stringMatching('00.001Z') });
  expect(view.atom(other)).toMatchObject({ version: 1 });
});

test('deleting an atom takes its changelog; links to it stay stored', async () => {
  const { atom, records, remove, update, view } = await knowing();
  const [a, b] = [await atom('a'), await atom('b')];
  await update({ entityType: 'atom', id: b, version: 1, related: [{ id: a, reason: 'r' }] });
  await addEntry(records, SOMEBODY, { parentType: 'atom', parentId: a, taskId: 'manual', summary: 's' });
  expect(await remove({ entityType: 'atom', id: a, version: 1, cascade: true })).toMatchObject({
    value: { result: { deletedId: a, orphanedAtomIds: [], deletedAtomIds: [] } },
  });
  expect(records.query('SELECT * FROM graph_changelog')).toEqual([]);
  expect(view.atom(b)?.relatedAtoms).toEqual([{ atomId: a, reason: 'r' }]);
});

test('two projects never mix, and a molecule of another one is no home', async () => {
  const { atom, create, molecule, records } = await knowing('p');
  const here = await molecule('Here');
  await atom('A', { paths: ['src/a.ts'] });
  const companions = new Map<unknown, unknown>();
  const elsewhere = {
    ...records,
    projectId: 'q',
    companion: <T>(make: (own: typeof elsewhere) => T): T => {
      if (!companions.has(make)) companions.set(make, make(elsewhere));
      return companions.get(make) as T;
    },
  } as typeof records;
  const there = await knowing('q', elsewhere);
  expect(await there.create({ entityType: 'atom', moleculeId: here })).toMatchObject({ error: { code: 'INVARIANT_VIOLATION', hint: /\w/ } });
  expect(await there.create({ entityType: 'atom', moleculeId: 'molecule::ffffffff-0000-4000-8000-000000000000' })).toMatchObject({
    error: { code: 'NOT_FOUND' },
  });
  const other = await there.atom('B', { paths: ['src/a.ts'] });
  expect(there.view.atomsCovering('src/a.ts').map(found => found.id)).toEqual([other]);
  expect(there.view.molecule(here)).toBeUndefined();
  expect(await create({ entityType: 'atom', related: [{ id: other, reason: '' }] })).toMatchObject({ error: { code: 'NOT_FOUND' } });
  expect(await addEntry(records, SOMEBODY, { parentType: 'atom', parentId: other, taskId: 'manual', summary: 's' })).toMatchObject({
    error: { code: 'NOT_FOUND' },
  });
});

test('the changelog is newest first, also when the clock goes back; pages are stable; nothing is logged by itself', async () => {
  const { atom, records, update } = await knowing();
  const id = await atom('A');
  await update({ entityType: 'atom', id, version: 1, name: 'B' });
  expect(changelogOf(records, 'atom', id, { limit: 20, offset: 0 })).toEqual({ entries: [], total: 0 });
  for (let at = 0; at < 7; at++) {
    records.time = Date.UTC(2026, 0, 2) - at * 1000;
    await addEntry(records, SOMEBODY, { parentType: 'atom', parentId: id, taskId: 'manual', summary: `s${at}` });
  }
  const summaries = (limit: number, offset: number): string[] => changelogOf(records, 'atom', id, { limit, offset }).entries.map(entry => entry.summary);
  expect([...summaries(3, 0), ...summaries(3, 3), ...summaries(3, 6)]).toEqual(['s6', 's5', 's4', 's3', 's2', 's1', 's0']);
  expect(
    newestEntries(records, 'atom', [id], 5)
      .get(id)
      ?.map(entry => entry.summary),
  ).toEqual(['s6', 's5', 's4', 's3', 's2']);
});

test.each([
  ['x'.repeat(4096), true],
  ['x'.repeat(4097), false],
  [`${'é'.repeat(2048)}x`, false],
  ['  ', false],
])('a summary of some bytes', async (summary, isFine) => {
  const { atom, records } = await knowing();
  const written = await addEntry(records, SOMEBODY, { parentType: 'atom', parentId: await atom('A'), taskId: 'manual', summary });
  expect(written).toMatchObject(isFine ? { ok: true } : { ok: false, error: { code: 'VALIDATION_ERROR', data: { issues: [{ field: 'summary' }] } } });
});

test('knowledge outlives its task; writing with a task that is gone is refused', async () => {
  const { atom, create, records, update, view } = await knowing();
  addTask(records, TASK);
  const id = await atom('A', { createdByTaskId: TASK });
  const log = () => addEntry(records, SOMEBODY, { parentType: 'atom', parentId: id, taskId: TASK, summary: 's' });
  expect(await log()).toMatchObject({ ok: true, value: { result: { taskId: TASK } } });
  records.query('DELETE FROM work_containers');
  const refusal = { ok: false, error: { code: 'NOT_FOUND', hint: expect.stringContaining('manual') } };
  expect(await log()).toMatchObject(refusal);
  expect(await update({ entityType: 'atom', id, version: 1, lastTaskId: TASK })).toMatchObject(refusal);
  expect(await create({ entityType: 'molecule', createdByTaskId: 'nonsense' })).toMatchObject(refusal);
  expect(view.atom(id)).toMatchObject({ createdByTaskId: TASK });
  expect(touchedBy(records, TASK).map(entity => entity.id)).toEqual([id]);
});

test('a call that is tried again with its key writes once and is answered alike', async () => {
  const { records, view } = await knowing();
  const again = () => create(records, { ...SOMEBODY, key: 'k' }, { entityType: 'molecule', name: 'M', createdByTaskId: 'manual' }, () => []);
  const [first, second] = [await again(), await again()];
  expect(first.ok && second.ok && first.value.result).toEqual(second.ok && second.value.result);
  expect(view.molecules()).toHaveLength(1);
});
