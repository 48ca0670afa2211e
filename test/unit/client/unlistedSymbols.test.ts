import { expect, test } from 'vitest';
import { UnlistedSymbols } from '../../../client/src/languageClient/unlistedSymbols';

const symbol = (name: string, path: string) => ({ name, location: { uri: `file:///${path}` } });

test('what another extension lists is left out, the rest stays', async () => {
  const unlisted = new UnlistedSymbols(async () => [symbol('pay', 'cart.py'), symbol('Cart.total(rate)', 'cart.py'), symbol('Shop::open', 'shop.rb')]);
  const ours = [symbol('pay', 'cart.py'), symbol('total', 'cart.py'), symbol('open', 'shop.rb'), symbol('pay', 'card.py'), symbol('Cart', 'cart.py')];
  expect(await unlisted.among(ours, 'a')).toEqual([symbol('pay', 'card.py'), symbol('Cart', 'cart.py')]);
});

test('while everybody is asked, the own answer does not count as that of another', async () => {
  const ours = [symbol('pay', 'cart.py')];
  const provide = (text: string): Promise<{ name: string }[]> => (unlisted.isAsked(text) ? Promise.resolve([]) : unlisted.among(ours, text));
  const unlisted: UnlistedSymbols = new UnlistedSymbols(async text => (await provide(text)) as typeof ours);
  expect(await provide('pay')).toEqual(ours);
  expect(await provide('pay')).toEqual(ours);
});

test('nobody is asked without a symbol, and one who fails hides none', async () => {
  const asked: string[] = [];
  const unlisted = new UnlistedSymbols(text => {
    asked.push(text);
    return Promise.reject(new Error('broken'));
  });
  expect(await unlisted.among([], 'pay')).toEqual([]);
  expect(asked).toEqual([]);
  expect(await unlisted.among([symbol('pay', 'cart.py')], 'pay')).toEqual([symbol('pay', 'cart.py')]);
  expect(asked).toEqual(['pay']);
  expect(unlisted.isAsked('pay')).toBe(false);
});
