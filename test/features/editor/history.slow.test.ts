import { afterEach, expect, test } from 'vitest';
import { closeAll } from '../../engine/repository';
import { ask, BEFORE, branch, MONEY } from '../compare/shopBranch';

afterEach(closeAll);

test('the history of a symbol has its commits and transactions, and each commit tells where the symbol stood', async () => {
  const made = branch();
  const moved = made.commit({ 'src/cash.ts': MONEY.replace('return a + b', 'return b + a'), 'src/shop.ts': BEFORE['src/shop.ts'].replace('money', 'cash') }, [
    'src/money.ts',
  ]);
  made.commit({ 'README.md': 'Cash\n' });
  const asking = await made.checkout.open();
  made.checkout.write({ 'src/cash.ts': `${MONEY.replace('return a + b', 'return b - a')}\n` });
  await asking.settled('search_code', { query: 'add' });
  const { items, ...history } = await ask(asking, 'history', { id: 'src/cash.ts::add' });
  expect(history).toEqual({ id: 'src/cash.ts::add', name: 'add', path: 'src/cash.ts', total: 2, commits: 3 });
  expect(items.map(({ by, files, kind }) => [kind, files, by])).toEqual([
    ['transaction', 1, undefined],
    ['commit', 2, 'T'],
    ['commit', 6, 'T'],
  ]);
  const [, second, first] = items;
  expect(second?.ref).toBe(moved);
  expect(await ask(asking, 'commitChange', { id: 'src/cash.ts::add', commit: moved })).toEqual({
    at: `commit:${moved}`,
    before: `commit:${moved}^`,
    path: 'src/cash.ts',
    oldPath: 'src/money.ts',
    line: 2,
  });
  // It was called otherwise in the first commit, and is found there by its own name.
  await expect(ask(asking, 'commitChange', { id: 'src/cash.ts::add', commit: first?.ref ?? '' })).rejects.toThrow('NOT_FOUND');
  await expect(ask(asking, 'history', { id: 'src/none.ts' })).rejects.toThrow('NOT_FOUND');
});
