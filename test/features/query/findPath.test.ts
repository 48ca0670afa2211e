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

test.each([
  [checkout, total, false, [checkout, add, total]],
  [total, checkout, false, []],
  [total, checkout, true, [total, add, checkout]],
  [total, total, false, [total]],
  ['lonely', total, true, []],
])('the path from %s to %s (undirected: %s)', async (from, to, undirected, path) => {
  const answer = await ask('findPath', { from, to, undirected, relations: ['calls'] });
  expect(answer.nodes.map(({ id }) => id)).toEqual(path);
  expect(answer.edges).toHaveLength(Math.max(0, path.length - 1));
});
