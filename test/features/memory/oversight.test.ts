import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { claim } from '../../../server/src/features/memory/claims';
import { recall } from '../../../server/src/features/memory/recall';
import { reflectOn, remember } from '../../../server/src/features/memory/remember';
import { askFeature } from '../../helpers/askFeature';
import { askTool } from '../../helpers/askTool';
import { memoryRecords } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

const ada = { agentId: 'ada', sessionId: 's', key: undefined };

async function peopled(): Promise<{ readonly workspace: MemoryWorkspace; readonly id: string }> {
  const workspace = workspaceOf(shop, { records: await memoryRecords() });
  const decision = { title: 'Cents', rationale: 'r', tradeoffs: [], affectedFiles: ['src/pay.ts'] };
  const added = await remember(workspace, ada, { type: 'DECISION', content: 'Pay in cents', metadata: decision }, neverCancelled);
  await claim(workspace, ada, { targetId: 'src/pay.ts', claimType: 'file', intent: 'use cents' }, neverCancelled);
  if (!added.ok) throw new Error(added.error.message);
  return { workspace, id: added.value.episode.id };
}

async function found(workspace: MemoryWorkspace): Promise<readonly string[]> {
  const answer = await recall(workspace, { query: 'cents euros', limit: 5 }, neverCancelled);
  return answer.ok ? answer.value.episodes.map(({ content }) => content) : ['failed'];
}

test('people see who holds what, and what was done, newest first', async () => {
  const { id, workspace } = await peopled();
  await remember(workspace, { ...ada, agentId: 'bob' }, { type: 'OBSERVATION', content: 'later' }, neverCancelled);
  await remember(workspace, ada, { type: 'OBSERVATION', content: 'hidden', sensitive: true }, neverCancelled);
  expect(await askFeature('agents', workspace, {})).toMatchObject({
    ok: true,
    value: {
      agents: [
        { agentId: 'ada', claims: [{ targetId: 'src/pay.ts', intent: 'use cents' }] },
        { agentId: 'bob', claims: [] },
      ],
      episodes: [{ content: 'later' }, { id, anchors: { current: ['src/pay.ts'] } }],
      episodeCount: 2,
    },
  });
});

test('a hover says who holds the symbol, and what was decided about it', async () => {
  const { workspace } = await peopled();
  const lines = async (path: string, line: number, column: number): Promise<string> => {
    const answer = await askFeature('hover', workspace, { path, line, column });
    return answer.ok ? (answer.value?.lines ?? []).join('\n') : 'failed';
  };
  const total = await lines('src/pay.ts', 11, 10);
  expect(total).toContain('Claimed by **ada**: use cents');
  expect(total).toContain('Decision: Cents');
  expect(await askFeature('claims', workspace, {})).toMatchObject({ ok: true, value: { claims: [{ agentId: 'ada', targetId: 'src/pay.ts' }] } });
  await askFeature('releaseAgent', workspace, { agentId: 'ada' });
  expect(await lines('src/pay.ts', 11, 10)).not.toContain('Claimed');
});

test('a person releases all that an agent holds', async () => {
  const { workspace } = await peopled();
  expect(await askFeature('releaseAgent', workspace, { agentId: 'ada' })).toMatchObject({ ok: true, value: { claims: [{ invalidationReason: 'expired' }] } });
  expect(await askFeature('releaseAgent', workspace, { agentId: 'ada' })).toMatchObject({ ok: true, value: { claims: [] } });
});

test('a person changes, hides and shows an episode; a credential stays out', async () => {
  const { id, workspace } = await peopled();
  expect(await askFeature('changeEpisode', workspace, { id, content: ' Pay in euros ' })).toMatchObject({ ok: true, value: { id } });
  expect(await found(workspace)).toEqual(['Pay in euros']);
  await askFeature('changeEpisode', workspace, { id, sensitive: true });
  expect(await found(workspace)).toEqual([]);
  await askFeature('changeEpisode', workspace, { id, sensitive: false });
  expect(await found(workspace)).toEqual(['Pay in euros']);
  await askFeature('changeEpisode', workspace, { id, content: `cents with ghp_${'a1b2c3d4'.repeat(4)}` });
  expect(await found(workspace)).toEqual([]);
  expect(await askFeature('changeEpisode', workspace, { id, content: ' ' })).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  expect(await askFeature('changeEpisode', workspace, { id: 'episode::x', content: 'a' })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});

test('a deleted episode is nowhere, and comes back as it was', async () => {
  const { id, workspace } = await peopled();
  const before = workspace.records.query('SELECT * FROM episodes');
  expect(await askFeature('deleteEpisode', workspace, { id })).toMatchObject({ ok: true, value: { id } });
  expect(await found(workspace)).toEqual([]);
  expect(workspace.records.query('SELECT * FROM episode_entities')).toEqual([]);
  expect(await askFeature('restoreEpisode', workspace, { id })).toMatchObject({ ok: true });
  expect(workspace.records.query('SELECT * FROM episodes')).toEqual(before);
  expect(await found(workspace)).toEqual(['Pay in cents']);
  expect(await askFeature('restoreEpisode', workspace, { id })).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});

test('a learning that people delete is gone, and can be put back', async () => {
  const { workspace } = await peopled();
  const metadata = { file: 'src/pay.ts', diffSummary: '+1', linesBefore: 1, linesAfter: 2, reason: 'cents' };
  for (const content of ['one', 'two', 'three']) await remember(workspace, ada, { type: 'EDIT', content, metadata }, neverCancelled);
  await reflectOn(workspace, ada, { limit: 20 }, neverCancelled);
  const learnings = async (): Promise<readonly { readonly id: string }[]> => {
    const answer = await askFeature('agents', workspace, {});
    return answer.ok ? answer.value.learnings : [];
  };
  const [learning] = await learnings();
  const id = learning?.id ?? '';
  expect(await askFeature('deleteEpisode', workspace, { id })).toMatchObject({ ok: true, value: { id } });
  expect(await learnings()).toEqual([]);
  expect(await askFeature('restoreEpisode', workspace, { id })).toMatchObject({ ok: true, value: { id } });
  expect(await learnings()).toEqual([learning]);
});

test('people see which task an agent has in progress, or claims something for', async () => {
  const { workspace } = await peopled();
  const asking = { agentId: 'ada', sessionId: 's' };
  const made = await askTool(workspace, 'manage_container', { operation: 'create', containerType: 'task', name: 'Round late' }, asking);
  const { id } = (made.envelope.data?.['task'] ?? { id: '' }) as { readonly id: string };
  await claim(workspace, { ...ada, agentId: 'bob' }, { targetId: id, claimType: 'task', intent: 'all' }, neverCancelled);
  expect(await askFeature('agents', workspace, {})).toMatchObject({
    value: { agents: expect.arrayContaining([expect.objectContaining({ agentId: 'bob', task: { id, name: 'Round late' } })]) },
  });
});
