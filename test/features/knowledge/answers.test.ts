import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { createKnowledge, deleteKnowledge, logKnowledge, updateKnowledge } from '../../../server/src/features/knowledge/edits';
import type { CreateInput } from '../../../server/src/knowledge/writes';
import { outcomeOf } from '../../helpers/askFeature';
import { memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

const empty = async (): Promise<MemoryWorkspace> => workspaceOf(shop, { records: await memoryRecords() });

async function made(workspace: MemoryWorkspace, input: Partial<CreateInput> & Pick<CreateInput, 'entityType' | 'name'>): Promise<string> {
  const answer = await createKnowledge(
    workspace,
    SOMEBODY,
    { createdByTaskId: 'manual', ...(input.entityType === 'atom' ? { paths: ['src/pay.ts'] } : {}), ...input },
    neverCancelled,
  );
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.saved.id;
}

test('an atom comes with its fields and changelog, a molecule with its atoms', async () => {
  const workspace = await empty();
  const molecule = await made(workspace, { entityType: 'molecule', name: 'Money', knowledge: 'Cents.' });
  const atom = await made(workspace, { entityType: 'atom', name: 'Till', paths: ['src/pay.ts'], moleculeId: molecule });
  await logKnowledge(workspace, SOMEBODY, { parentType: 'atom', parentId: atom, taskId: 'manual', summary: 'Counts anew.' });
  expect(await outcomeOf('knowledgeEntity', { entityType: 'atom', id: atom }, workspace)).toMatchObject({
    atom: { id: atom, name: 'Till', paths: ['src/pay.ts'], moleculeId: molecule, version: 1, changelog: [{ summary: 'Counts anew.' }] },
  });
  expect(await outcomeOf('knowledgeEntity', { entityType: 'atom', id: atom, includeChangelog: false }, workspace)).not.toHaveProperty('atom.changelog');
  expect(await outcomeOf('knowledgeEntity', { entityType: 'molecule', id: molecule }, workspace)).toMatchObject({
    molecule: { name: 'Money', knowledge: 'Cents.', atoms: [{ id: atom, name: 'Till' }] },
  });
  expect(await outcomeOf('knowledgeEntity', { entityType: 'atom', id: 'atom::none' }, workspace)).toMatchObject({ failed: 'NOT_FOUND' });
});

test('an older version says what stood then, also of what is gone', async () => {
  const workspace = await empty();
  const id = await made(workspace, { entityType: 'atom', name: 'Till', paths: ['src/pay.ts'], knowledge: 'Old.' });
  const change = { entityType: 'atom', id, version: 1, knowledge: 'New.', knowledgeMode: 'overwrite', lastTaskId: 'manual' } as const;
  expect(await updateKnowledge(workspace, SOMEBODY, change, neverCancelled)).toMatchObject({ ok: true });
  const ask = (params: object) => outcomeOf('knowledgeEntity', { entityType: 'atom', id, ...params }, workspace);
  expect(await ask({})).toMatchObject({ atom: { knowledge: 'New.', version: 2 } });
  expect(await ask({ version: 1 })).toMatchObject({ atom: { knowledge: 'Old.', version: 1 } });
  expect(await ask({ history: true })).toMatchObject({ history: [{ version: 2 }, { version: 1 }] });
  expect(await ask({ version: 9 })).toMatchObject({ failed: 'NOT_FOUND' });
  await deleteKnowledge(workspace, SOMEBODY, { entityType: 'atom', id, version: 2, cascade: false });
  expect(await ask({})).toHaveProperty('failed');
  expect(await ask({ version: 1 })).toMatchObject({ atom: { knowledge: 'Old.' }, deletedAt: expect.any(String) });
});

test('what was deleted is listed, the newest first', async () => {
  const workspace = await empty();
  const [first, second] = [await made(workspace, { entityType: 'atom', name: 'One' }), await made(workspace, { entityType: 'molecule', name: 'Two' })];
  expect(await outcomeOf('deletedKnowledge', {}, workspace)).toEqual({ items: [] });
  await deleteKnowledge(workspace, SOMEBODY, { entityType: 'atom', id: first, version: 1, cascade: false });
  await deleteKnowledge(workspace, SOMEBODY, { entityType: 'molecule', id: second, version: 1, cascade: false });
  expect((await outcomeOf('deletedKnowledge', {}, workspace)).items).toMatchObject([
    { id: second, entityType: 'molecule', name: 'Two', version: 1 },
    { id: first, entityType: 'atom', name: 'One', version: 1 },
  ]);
});

test('a changelog is read page by page, the newest entry first', async () => {
  const workspace = await empty();
  const parentId = await made(workspace, { entityType: 'atom', name: 'Till' });
  for (const summary of ['first', 'second', 'third']) await logKnowledge(workspace, SOMEBODY, { parentType: 'atom', parentId, taskId: 'manual', summary });
  const page = (params: object) => outcomeOf('knowledgeChangelog', { parentType: 'atom', parentId, ...params }, workspace);
  const all = await page({});
  const told = all.entries.map(entry => entry.summary);
  expect(told.slice(0, 3)).toEqual(['third', 'second', 'first']);
  expect(await page({ limit: 1, offset: 1 })).toMatchObject({ entries: [{ summary: 'second' }], total: all.total, limit: 1, offset: 1 });
  expect(await outcomeOf('knowledgeChangelog', { parentType: 'atom', parentId: 'atom::none' }, workspace)).toMatchObject({ failed: 'NOT_FOUND' });
});

test('the knowledge of a task is what it made, wrote last or logged a change of', async () => {
  const workspace = await empty();
  const id = await made(workspace, { entityType: 'atom', name: 'Till' });
  await made(workspace, { entityType: 'atom', name: 'Other' });
  expect(await outcomeOf('knowledgeOfTask', { taskId: 'manual' }, workspace)).toMatchObject({ items: expect.arrayContaining([{ id, name: 'Till' }]) });
  expect(await outcomeOf('knowledgeOfTask', { taskId: 'task::none' }, workspace)).toEqual({ items: [] });
});

test('the knowledge about files stands under its molecule, and paths without any are told', async () => {
  const workspace = await empty();
  const molecule = await made(workspace, { entityType: 'molecule', name: 'Money', knowledge: 'Cents.' });
  const atom = await made(workspace, { entityType: 'atom', name: 'Till', paths: ['src/pay.ts'], moleculeId: molecule, knowledge: 'Rounds down.' });
  const answer = await outcomeOf('knowledgeContext', { paths: ['src/pay.ts', 'src/none.ts'], includeChangelog: false }, workspace);
  expect(answer).toMatchObject({
    molecules: [{ id: molecule, atoms: [{ id: atom, knowledge: 'Rounds down.', matchedPaths: ['src/pay.ts'] }] }],
    orphanAtoms: [],
    unmatchedPaths: ['src/none.ts'],
  });
  expect(answer.molecules[0]?.atoms[0]?.changelog).toBeUndefined();
});

test('a search finds atoms or molecules by their words, no more than asked for', async () => {
  const workspace = await empty();
  const till = await made(workspace, { entityType: 'atom', name: 'Till of the shop' });
  await made(workspace, { entityType: 'atom', name: 'Shop window' });
  const found = (params: object): Promise<unknown> => outcomeOf('knowledgeSearch', { entityType: 'atom', limit: 10, ...params }, workspace);
  expect(await found({ query: 'till shop' })).toEqual({ items: [{ id: till, name: 'Till of the shop' }] });
  expect(await found({ query: 'shop', limit: 1 })).toMatchObject({ items: [expect.anything()] });
  expect(await found({ query: 'shop', entityType: 'molecule' })).toEqual({ items: [] });
});
