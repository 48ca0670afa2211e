import { expect, test } from 'vitest';
import { containerOf, nameOf, qualifiedName, shortPaths } from '../../../client/src/names';

test('files of one name are told apart by their folders, as few as do it', () => {
  const paths = ['src/helper/cookie/index.ts', 'src/helper/route/index.ts', 'src/jsx/route/index.ts', 'src/types.ts', 'index.ts'];
  expect([...shortPaths(paths)]).toEqual([
    ['src/helper/cookie/index.ts', 'cookie/index.ts'],
    ['src/helper/route/index.ts', 'helper/route/index.ts'],
    ['src/jsx/route/index.ts', 'jsx/route/index.ts'],
    ['src/types.ts', 'types.ts'],
    ['index.ts', 'index.ts'],
  ]);
});

test('members follow a point, titles of tests an angle, and a number in a title is no ordinal', () => {
  expect(
    ['src/a.ts', 'src/a.ts::Cart::add#2', 'a.test.ts::a cart::adds up...::twice', 'a.cc::Money::operator ==', 'endpoint::orders::GET::/orders'].map(
      qualifiedName,
    ),
  ).toEqual(['a.ts', 'Cart.add', 'a cart › adds up... › twice', 'Money.operator ==', 'GET /orders of orders']);
  expect(containerOf('a.test.ts::Hono::fixes #12 of it::works')).toBe('Hono › fixes #12 of it');
  expect(nameOf('src/a.ts::Cart#2')).toBe('Cart');
});
