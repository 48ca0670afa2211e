import { expect, test } from 'vitest';
import { changeWork } from '../../../server/src/features/work/writing';
import { type CreateContainer, createContainer } from '../../../server/src/work/containers';
import { addDependency } from '../../../server/src/work/dependencies';
import type { Container } from '../../../server/src/work/entities';
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

test('without work the tree is empty, and nothing comes next', async () => {
  expect(await outcomeOf('workTree', {}, await empty())).toEqual({ features: [], tasks: [], taskCount: 0, nextTaskId: null });
});

test('tasks stand below their feature with what keeps them waiting; the next one waits for nothing', async () => {
  const workspace = await empty();
  const feature = await made(workspace, { type: 'feature', name: 'Vouchers', summary: 'Pay with vouchers.' });
  const first = await made(workspace, { type: 'task', name: 'Store them', featureId: feature.id });
  const second = await made(workspace, { type: 'task', name: 'Redeem them', featureId: feature.id, priority: 'high', tags: ['till'] });
  const alone = await made(workspace, { type: 'task', name: 'Tidy up', priority: 'low' });
  await changeWork(workspace, SOMEBODY, (records, author) => addDependency(records, author, { fromId: first.id, toId: second.id }));
  const tree = await outcomeOf('workTree', {}, workspace);
  expect(tree.features).toMatchObject([{ id: feature.id, name: 'Vouchers', summary: 'Pay with vouchers.', percentComplete: 0, taskCount: 2 }]);
  const below = new Map(tree.features[0]?.tasks.map(task => [task.name, task]));
  expect(below.get('Store them')).toMatchObject({ blockers: [], claimedBy: [], assignedAgentId: null, status: 'pending' });
  expect(below.get('Redeem them')).toMatchObject({ priority: 'high', tags: ['till'], blockers: [{ kind: 'open', id: first.id, name: 'Store them' }] });
  expect(tree.tasks).toMatchObject([{ id: alone.id, name: 'Tidy up' }]);
  expect(tree.taskCount).toBe(1);
  expect(tree.nextTaskId).toBe(first.id);
});
