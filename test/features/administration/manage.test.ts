import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

test('a rebuild is queued for paths inside only', async () => {
  const workspace = workspaceOf(shop);
  expect(await outcomeOf('rebuild', { mode: 'full', paths: ['./src'] }, workspace)).toEqual({ status: 'QUEUED', txId: 'tx-1' });
  expect(workspace.rebuilds).toMatchObject([{ mode: 'full', paths: ['src'] }]);
  expect(await outcomeOf('rebuild', { paths: ['..'] }, workspace)).toMatchObject({ failed: 'FORBIDDEN' });
});
