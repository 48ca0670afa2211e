import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { anchorStates } from '../../../server/src/features/knowledge/anchors';
import { knowledgeContext, knowledgeEntity, knowledgeOfTask } from '../../../server/src/features/knowledge/answers';
import { createKnowledge, deleteKnowledge, updateKnowledge } from '../../../server/src/features/knowledge/edits';
import { FilePatterns } from '../../../server/src/features/knowledge/filePatterns';
import { projectPaths } from '../../../server/src/features/knowledge/projectPaths';
import type { UpdateInput } from '../../../server/src/knowledge/writes';
import { NO_NODE } from '../../../server/src/model/ids';
import { graphOf, type WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

test.each<[string, string]>([
  ['src/a.ts', 'src/a.ts'],
  ['./src/a.ts', 'src/a.ts'],
  ['src\\a.ts', 'src/a.ts'],
  ['src/b/../a.ts', 'src/a.ts'],
  ['file::src/a.ts', 'src/a.ts'],
  ['src/a.ts::Shop::pay', 'src/a.ts'],
  ['symbol::src/a.ts::pay', 'src/a.ts'],
  ['/home/ada/shop/src/a.ts', 'src/a.ts'],
  ['/home/ada/other/a.ts', '/home/ada/other/a.ts'],
  ['../../a.ts', '../../a.ts'],
])('the path %s is %s', (given, path) => {
  expect(projectPaths({ root: '/home/ada/shop' }, [given, given, ' '])).toEqual([path]);
});

test('a Windows root takes Windows paths in any case', () => {
  expect(projectPaths({ root: 'C:\\work\\shop' }, ['c:/Work/Shop/src/a.ts', 'C:\\work\\shop\\src\\b.ts', 'D:\\x'])).toEqual(['src/a.ts', 'src/b.ts', 'D:\\x']);
});

const files: WorkspaceSketch = {
  'src/a.ts': {
    symbols: [
      { name: 'pay', lines: [1, 3] },
      { name: 'Till.add', lines: [4, 9] },
    ],
  },
  'src/b.ts': {},
  'lib/c.ts': {},
};

/** The same records with another state of the code. */
function withCode(workspace: MemoryWorkspace, sketch: WorkspaceSketch): MemoryWorkspace {
  return workspaceOf(sketch, { records: workspace.records });
}

async function noted(knowledge: string, paths = ['src/**']): Promise<{ workspace: MemoryWorkspace; id: string }> {
  const workspace = workspaceOf(files, { records: await memoryRecords() });
  const made = await createKnowledge(workspace, SOMEBODY, { entityType: 'atom', name: 'A', paths, knowledge, createdByTaskId: 'manual' }, neverCancelled);
  if (!made.ok) throw new Error(made.error.message);
  return { workspace, id: made.value.saved.id };
}

async function anchors(workspace: MemoryWorkspace, id: string): Promise<unknown> {
  const [got, context] = await Promise.all([
    knowledgeEntity(workspace, { entityType: 'atom', id }, neverCancelled),
    knowledgeContext(workspace, { paths: ['src/a.ts', 'lib/c.ts'] }, neverCancelled),
  ]);
  const inEntity = got.ok && 'atom' in got.value ? got.value.atom.anchors : 'failed';
  expect(context.ok && context.value.orphanAtoms[0]?.anchors).toEqual(inEntity);
  return inEntity;
}

const NAMES = 'Use `src/a.ts::pay`, `src/a.ts#Till.add`, `./src/b.ts`, `src/b.ts:10-20`; not `nothing/here.ts`, `word` or `../x.ts`.';

test('what a text names and what its patterns cover is anchored', async () => {
  const { workspace, id } = await noted(NAMES);
  expect(await anchors(workspace, id)).toEqual({ current: ['src/a.ts::pay', 'src/a.ts::Till::add', 'src/b.ts', 'src/**'] });
  expect(workspace.touched).toEqual(expect.arrayContaining(['src/a.ts', 'src/b.ts']));
});

test.each<[string, WorkspaceSketch, unknown]>([
  [
    'a symbol is gone',
    { ...files, 'src/a.ts': { symbols: [{ name: 'Till.add', lines: [4, 9] }] } },
    { current: ['src/a.ts::Till::add', 'src/b.ts', 'src/**'], gone: ['src/a.ts::pay'] },
  ],
  ['a file is gone', { 'src/a.ts': files['src/a.ts'] ?? {} }, { current: ['src/a.ts::pay', 'src/a.ts::Till::add'], changed: ['src/**'], gone: ['src/b.ts'] }],
  ['a file is new', { ...files, 'src/d.ts': {} }, { current: ['src/a.ts::pay', 'src/a.ts::Till::add', 'src/b.ts'], changed: ['src/**'] }],
  ['elsewhere is no matter', { ...files, 'docs/d.ts': {} }, { current: ['src/a.ts::pay', 'src/a.ts::Till::add', 'src/b.ts', 'src/**'] }],
  ['all is gone', { 'lib/c.ts': {} }, { gone: ['src/a.ts::pay', 'src/a.ts::Till::add', 'src/b.ts', 'src/**'] }],
])('when %s, the anchors say so', async (_, code, states) => {
  const { workspace, id } = await noted(NAMES);
  const later = withCode(workspace, code);
  const got = await knowledgeEntity(later, { entityType: 'atom', id }, neverCancelled);
  expect(got.ok && 'atom' in got.value && got.value.atom.anchors).toEqual(states);
});

test('code that reads otherwise now has changed', () => {
  const { view } = graphOf(files);
  const hash = (id: string): string => view.node(view.find(id) ?? NO_NODE).contentHash;
  const states = anchorStates(view, new FilePatterns(), [
    { ref: 'src/a.ts', hash: hash('src/a.ts') },
    { ref: 'src/a.ts::pay', hash: 'of yesterday' },
    { ref: 'src/b.ts', hash: 'of yesterday' },
  ]);
  expect(states).toEqual({ current: ['src/a.ts'], changed: ['src/a.ts::pay', 'src/b.ts'] });
});

test('whoever writes the text anew vouches for it; appending, renaming and new patterns do not', async () => {
  const { workspace, id } = await noted('Use `src/b.ts`.', ['src/**', 'lib/**']);
  const later = withCode(workspace, { 'src/a.ts': files['src/a.ts'] ?? {}, 'lib/c.ts': {} });
  const update = async (version: number, fields: Partial<UpdateInput>): Promise<void> => {
    const input: UpdateInput = { entityType: 'atom', id, version, knowledgeMode: 'overwrite', lastTaskId: 'manual', ...fields };
    expect(await updateKnowledge(later, SOMEBODY, input, neverCancelled)).toMatchObject({ ok: true });
  };
  expect(await anchors(later, id)).toEqual({ gone: ['src/b.ts'], changed: ['src/**'], current: ['lib/**'] });
  await update(1, { name: 'B' });
  expect(await anchors(later, id)).toEqual({ gone: ['src/b.ts'], changed: ['src/**'], current: ['lib/**'] });
  await update(2, { knowledge: 'Also `src/a.ts::pay`.', knowledgeMode: 'append' });
  expect(await anchors(later, id)).toEqual({ gone: ['src/b.ts'], changed: ['src/**'], current: ['lib/**', 'src/a.ts::pay'] });
  await update(3, { paths: ['src/*.ts', 'lib/**'] });
  expect(await anchors(later, id)).toEqual({ gone: ['src/b.ts'], current: ['src/a.ts::pay', 'src/*.ts', 'lib/**'] });
  await update(4, { knowledge: 'Now `src/b.ts` is gone, see `src/a.ts`.' });
  expect(await anchors(later, id)).toEqual({ current: ['src/a.ts', 'src/*.ts', 'lib/**'] });
});

test('before the first index knowledge is written and read, without anchors', async () => {
  const workspace = workspaceOf(files, { records: await memoryRecords(), notReady: true });
  const input = { entityType: 'atom', name: 'A', paths: ['src/**'], knowledge: 'See `src/a.ts`.', createdByTaskId: 'manual' } as const;
  expect(await createKnowledge(workspace, SOMEBODY, input, neverCancelled)).toMatchObject({ ok: true });
  const context = await knowledgeContext(workspace, { paths: ['src/a.ts', 'x'] }, neverCancelled);
  expect(context).toMatchObject({ ok: true, value: { orphanAtoms: [{ name: 'A' }], unmatchedPaths: ['x'], stamp: { revision: 0 } } });
  expect(context.ok && context.value.orphanAtoms[0]).not.toHaveProperty('anchors');
});

test('related atoms come with their names, and without those that are gone; the changelog can be left out', async () => {
  const { workspace, id } = await noted('');
  const related = [{ id, reason: 'calls it' }];
  const made = await createKnowledge(
    workspace,
    SOMEBODY,
    { entityType: 'atom', name: 'B', paths: ['lib/**'], related, createdByTaskId: 'manual' },
    neverCancelled,
  );
  const b = made.ok ? made.value.saved.id : '';
  const relatedOf = async (): Promise<unknown> => {
    const got = await knowledgeEntity(workspace, { entityType: 'atom', id: b, includeChangelog: false }, neverCancelled);
    expect(got.ok && 'atom' in got.value && got.value.atom).not.toHaveProperty('changelog');
    return got.ok && 'atom' in got.value ? got.value.atom.relatedAtoms : undefined;
  };
  expect(await relatedOf()).toEqual([{ atomId: id, name: 'A', reason: 'calls it' }]);
  await deleteKnowledge(workspace, SOMEBODY, { entityType: 'atom', id, version: 1, cascade: false });
  expect(await relatedOf()).toEqual([]);
});

test('what a task touched is found through it', async () => {
  const { workspace, id } = await noted('');
  expect(await knowledgeOfTask(workspace, { taskId: 'manual' }, neverCancelled)).toEqual({ ok: true, value: { items: [{ id, name: 'A' }] } });
  expect(await knowledgeOfTask(workspace, { taskId: 'import' }, neverCancelled)).toEqual({ ok: true, value: { items: [] } });
});
