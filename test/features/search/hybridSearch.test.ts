import { expect, test } from 'vitest';
import { type FeatureName } from '../../../server/src/features/catalogue/catalogue';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

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
