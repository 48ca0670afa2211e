import { expect, test } from 'vitest';
import type { SearchView } from '../../../server/src/search/searchView';
import { LaterSearch, withSearches } from '../../../server/src/workspace/laterSearch';

function later(): { readonly search: LaterSearch; readonly made: () => number } {
  let made = 0;
  const view: SearchView = {
    documentCount: 3,
    search: () => ({ hits: [], total: 0 }) as unknown as ReturnType<SearchView['search']>,
    searchInSteps: async () => ({ hits: [], total: 7 }) as unknown as ReturnType<SearchView['search']>,
    suggest: name => [`${name}s`],
  };
  return {
    search: new LaterSearch(async () => {
      made++;
      return view;
    }),
    made: () => made,
  };
}

test('a search is only made for questions that search, and once', async () => {
  const { made, search } = later();
  expect(await withSearches(async () => 'no search')).toBe('no search');
  expect(made()).toBe(0);
  let asked = 0;
  const ask = async (): Promise<unknown> => {
    asked++;
    return search.suggest('cart', 1);
  };
  expect(await withSearches(ask)).toEqual(['carts']);
  expect(await withSearches(ask)).toEqual(['carts']);
  expect([made(), asked]).toEqual([1, 3]);
  expect(search.documentCount).toBe(3);
});

test('a question that can wait has the search made itself; other failures are passed on', async () => {
  const { made, search } = later();
  const [one, two] = await Promise.all([search.searchInSteps({ query: 'a' } as never, async () => {}), search.prepare()]);
  expect(one).toMatchObject({ total: 7 });
  expect(two.documentCount).toBe(3);
  expect(made()).toBe(1);
  await expect(
    withSearches(async () => {
      throw new Error('otherwise');
    }),
  ).rejects.toThrow('otherwise');
});
