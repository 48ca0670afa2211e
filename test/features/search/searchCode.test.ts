import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(row => row.id);

test('search pages do not overlap and filters hold', async () => {
  const page = async (params: object): Promise<unknown[]> => ids((await outcomeOf('search', { query: 'pay till total', ...params })).hits);
  const all = await page({ limit: 50 });
  expect([...(await page({ limit: 2 })), ...(await page({ limit: 2, offset: 2 }))]).toEqual(all.slice(0, 4));
  expect(await page({ kinds: ['CLASS'] })).toEqual(['src/pay.ts::Till']);
});

test('alpha blends relevance and centrality', async () => {
  const hits = (await outcomeOf('search', { query: 'till' })).hits;
  for (const hit of hits) expect(hit.blendedScore).toBeCloseTo(0.7 * hit.score + 0.3 * hit.centrality, 3);
});
