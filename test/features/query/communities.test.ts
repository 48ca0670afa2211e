import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { patternQuery } from '../../../server/src/features/query/patternQuery';
import { outcomeOf } from '../../helpers/askFeature';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

test('communities are listed largest first, with what is central in each; a node alone is none', async () => {
  const { communities, total } = await outcomeOf('communities', {});
  expect(communities.map(row => row.memberCount)).toEqual(communities.map(row => row.memberCount).sort((a, b) => b - a));
  expect(communities[0]).toMatchObject({ label: 'Till', centralNode: 'src/pay.ts::Till' });
  expect(communities.every(row => row.memberCount >= 2)).toBe(true);
  expect(total).toBe(communities.length);
  expect((await outcomeOf('communities', { minMembers: 1 })).total).toBeGreaterThanOrEqual(total);
});

test('a list counts the communities that a pattern query finds as nodes', async () => {
  const workspace = workspaceOf({ ...shop, LICENSE: {} });
  const { total } = await outcomeOf('communities', {}, workspace);
  const found = await patternQuery(workspace, { query: 'MATCH (c:community) RETURN count(c) AS n' }, neverCancelled);
  expect(found).toMatchObject({ ok: true, value: { records: [{ n: total }] } });
  expect((await outcomeOf('communities', { minMembers: 1 }, workspace)).total).toBeGreaterThan(total);
  const one = await patternQuery(workspace, { query: 'MATCH (c:community) RETURN c' }, neverCancelled);
  expect(one).toMatchObject({ value: { records: expect.arrayContaining([{ c: { id: expect.any(String), kind: 'community', name: 'Till' } }]) } });
});

test('pages follow each other', async () => {
  const all = (await outcomeOf('communities', {})).communities;
  const second = await outcomeOf('communities', { limit: 1, offset: 1 });
  expect(second.communities).toEqual(all.slice(1, 2));
});
