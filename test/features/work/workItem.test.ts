import { expect, test } from 'vitest';
import { changeWork } from '../../../server/src/features/work/writing';
import { type CreateContainer, createContainer } from '../../../server/src/work/containers';
import { addDependency } from '../../../server/src/work/dependencies';
import type { Container } from '../../../server/src/work/entities';
import { createSection } from '../../../server/src/work/sections';
import { outcomeOf } from '../../helpers/askFeature';
import { memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

const empty = async (): Promise<MemoryWorkspace> => workspaceOf(shop, { records: await memoryRecords() });

async function made(workspace: MemoryWorkspace, request: CreateContainer): Promise<Container> {
  const written = await changeWork(workspace, SOMEBODY, (records, author) => createContainer(records, author, request));
  if (!written.ok) throw new Error(written.error.message);
  return written.value;
}

test('a task comes whole, with both directions of its dependencies, its versions and the files that it names', async () => {
  const workspace = await empty();
  const summary = 'Long. '.repeat(600);
  const first = await made(workspace, { type: 'task', name: 'Store them' });
  const task = await made(workspace, { type: 'task', name: 'Redeem them', summary });
  const last = await made(workspace, { type: 'task', name: 'Announce them' });
  for (const [fromId, toId] of [
    [first.id, task.id],
    [task.id, last.id],
  ] as const) {
    await changeWork(workspace, SOMEBODY, (records, author) => addDependency(records, author, { fromId, toId }));
  }
  await changeWork(workspace, SOMEBODY, (records, author) =>
    createSection(records, author, { containerId: task.id, title: 'Context Files', content: '- `src/pay.ts`' }),
  );
  const found = await outcomeOf('workItem', { id: task.id, type: 'task' }, workspace);
  expect(found).toMatchObject({
    container: { id: task.id, summary: summary.trim(), featureId: null, status: 'pending' },
    sections: [{ title: 'Context Files' }],
    tasks: [],
    history: [{ version: 1 }],
    contextFiles: ['src/pay.ts'],
  });
  expect(new Set(found.dependencies.map(row => `${row.fromName} → ${row.toName}`))).toEqual(
    new Set(['Redeem them → Announce them', 'Store them → Redeem them']),
  );
});

test('a feature comes with its tasks; an id of the other type is not found', async () => {
  const workspace = await empty();
  const feature = await made(workspace, { type: 'feature', name: 'Vouchers' });
  await made(workspace, { type: 'task', name: 'Store them', featureId: feature.id });
  expect(await outcomeOf('workItem', { id: feature.id }, workspace)).toMatchObject({ tasks: [{ name: 'Store them' }], dependencies: [], contextFiles: [] });
  expect(await outcomeOf('workItem', { id: feature.id, type: 'task' }, workspace)).toMatchObject({ failed: 'NOT_FOUND' });
});

test('a search finds tasks or features by all of its words', async () => {
  const workspace = await empty();
  const task = await made(workspace, { type: 'task', name: 'Store vouchers', summary: 'In the till.' });
  await made(workspace, { type: 'task', name: 'Print vouchers' });
  const found = (params: object): Promise<unknown> => outcomeOf('workSearch', { type: 'task', limit: 10, ...params }, workspace);
  expect(await found({ query: 'voucher till' })).toEqual({ items: [{ id: task.id, name: 'Store vouchers', status: 'pending' }] });
  expect(await found({ query: 'voucher', type: 'feature' })).toEqual({ items: [] });
});
