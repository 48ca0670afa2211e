import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { type FeatureName } from '../../../server/src/features/catalogue/catalogue';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

const total = 'src/pay.ts::total';

const ask = <Name extends FeatureName>(name: Name, params: unknown, sketch: WorkspaceSketch = shop) => outcomeOf(name, params, workspaceOf(sketch));

test('nearness to an anchor decides between hits alike; without one centrality does', async () => {
  const anchored = (await ask('hybridSearch', { query: 'till bill basket', anchor: 'report' })).hits;
  const distance = new Map(anchored.map(hit => [hit.id, hit.distance]));
  expect(distance.get(total)).toBe(1);
  expect(anchored.map(hit => hit.score)).toEqual(anchored.map(hit => hit.score).toSorted((a, b) => b - a));
  expect(anchored.find(hit => hit.id === total)).toMatchObject({ semanticScore: expect.any(Number), graphScore: expect.any(Number) });
  const plain = (await ask('hybridSearch', { query: 'till' })).hits;
  expect(plain.every(hit => hit.distance === -1 && hit.graphScore === hit.centrality)).toBe(true);
});

test('the combined score is the weighted sum', async () => {
  const hits = (await ask('hybridSearch', { query: 'till', semanticWeight: 0.7, graphWeight: 0.2 })).hits;
  for (const hit of hits) expect(hit.score).toBeCloseTo(0.7 * hit.semanticScore + 0.2 * hit.graphScore, 3);
  expect(hits.length).toBeGreaterThan(0);
});

async function withMemory(): Promise<MemoryWorkspace> {
  const workspace = workspaceOf(shop, { records: await memoryRecords() });
  const add = async (content: string, more: object = {}): Promise<void> => {
    const input = { type: 'OBSERVATION', content, entities: [total], ...more };
    await invoke(TOOLS, workspace, { name: 'episode_add', input, agentId: 'ada', sessionId: 's' }, neverCancelled);
  };
  await add('Rounding drifts when the basket is empty.');
  await add('Rounding is a secret.', { sensitive: true });
  return workspace;
}

test('memories are found by their words, as near as the code that they name; sensitive ones are not', async () => {
  const workspace = await withMemory();
  const found = await outcomeOf('hybridSearch', { query: 'rounding drifts', anchor: 'report' }, workspace);
  expect(found.hits.filter(({ kind }) => kind === 'episode')).toMatchObject([
    { name: 'observation: Rounding drifts when the basket is empty.', semanticScore: 1, distance: 2, path: '' },
  ]);
  const learnt = await outcomeOf('hybridSearch', { query: 'rounding drifts', kinds: ['learning'] }, workspace);
  expect(learnt.hits).toEqual([]);
});

test('beside code a memory needs most of the words; asked for by kind one is enough', async () => {
  const workspace = await withMemory();
  const query = 'till bill basket rounding report';
  const kinds = async (...asked: string[]) => (await outcomeOf('hybridSearch', { query, kinds: asked }, workspace)).hits.map(({ kind }) => kind);
  expect(await kinds()).not.toContain('episode');
  expect(await kinds('episode')).toEqual(['episode']);
});
