import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

test('the files an answer speaks of are compared with the disk', async () => {
  const workspace = workspaceOf(shop);
  await outcomeOf('impact', { target: 'src/pay.ts#total' }, workspace);
  expect(new Set(workspace.touched)).toEqual(new Set(['src/pay.ts', 'test/pay.test.ts', 'src/checkout.ts', 'test/checkout.test.ts']));
});
