import { expect, test } from 'vitest';
import { type FeatureName } from '../../../server/src/features/catalogue/catalogue';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

const total = 'src/pay.ts::total';

const add = 'src/pay.ts::Till::add';

const checkout = 'src/checkout.ts::checkout';

const ask = <Name extends FeatureName>(name: Name, params: unknown, sketch: WorkspaceSketch = shop) => outcomeOf(name, params, workspaceOf(sketch));

test('a walk takes the surest paths first and tells them', async () => {
  const answer = await ask('traverse', { entries: [total], maxHops: 2, direction: 'in', relations: ['calls'], minConfidence: 0 });
  expect(answer.nodes.map(({ id }) => id)).toEqual([add, 'test/pay.test.ts::testTotal', checkout, 'src/report.ts::report']);
  expect(answer).toMatchObject({
    depthReached: 2,
    truncated: false,
    nodes: [{ hops: 1 }, {}, { hops: 2, steps: [{ source: add }, { source: checkout }] }, { confidence: expect.any(Number) }],
  });
  const sure = await ask('traverse', { entries: [total], maxHops: 1, direction: 'in', relations: ['calls'], minConfidence: 0.5 });
  expect(sure.nodes).toHaveLength(2);
});

test('a walk is capped, filtered, and names entries it does not know', async () => {
  expect(await ask('traverse', { entries: [total], maxResults: 1 })).toMatchObject({ truncated: true, nodes: [{}] });
  const files = await ask('traverse', { entries: [total, 'nowhere/x.ts'], nodeTypes: ['FILE'], maxHops: 1 });
  expect(files).toMatchObject({ missing: ['nowhere/x.ts'], nodes: [{ id: 'src/pay.ts' }] });
});
