import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { patternQuery } from '../../../server/src/features/query/patternQuery';
import { outcomeOf } from '../../helpers/askFeature';
import { modelOf, servicesOver } from '../../helpers/servicesOf';
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

test('a community says which services its files belong to', async () => {
  const code = Object.fromEntries(
    ['orders', 'web'].flatMap(service => [
      [
        `${service}/a.ts`,
        { symbols: [{ name: 'first' }], references: [{ from: 'first', relation: 'CALLS' as const, to: `${service}/b.ts::second`, line: 2 }] },
      ],
      [`${service}/b.ts`, { symbols: [{ name: 'second' }] }],
    ]),
  );
  const compose = (...services: readonly string[]) => ({ 'compose.yaml': `services:\n${services.map(name => `  ${name}: {build: ${name}}\n`).join('')}` });
  const summaries = async (...services: readonly string[]): Promise<string> => {
    const sketch = { code, files: compose(...services) };
    const workspace = workspaceOf(code, { services: servicesOver(await modelOf(sketch), sketch) });
    const { communities } = await outcomeOf('communities', {}, workspace);
    return communities.map(({ summary }) => summary).join('\n');
  };
  expect(await summaries('orders', 'web')).toMatch(/ Service: orders\.(?:.|\n)* Service: web\.| Service: web\.(?:.|\n)* Service: orders\./);
  expect(await summaries('orders')).not.toContain('Service');
});
