import { expect, test } from 'vitest';
import { complexityOf, routeOf } from '../../../server/src/features/query/routing';
import { graphOf } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';

test.each([
  ['who calls total?', 'graph_only', 'in'],
  ['what does checkout call', 'graph_only', 'out'],
  ['where is Till used', 'graph_only', 'in'],
  ['what depends on total indirectly', 'graph_only', 'in'],
  ['what calls the thing that pays', 'hybrid', 'in'],
  ['what tests cover total', 'graph_only', 'in'],
  ['which test covers Till', 'graph_only', 'in'],
  ['where is Till raised', 'graph_only', 'in'],
  ['what does checkout throw', 'graph_only', 'out'],
  ['who writes Till', 'graph_only', 'in'],
  ['where are bills written', 'vector_only', 'in'],
  ['sum of a bill', 'vector_only', 'both'],
  ['how many checkout and total between since last week', 'hybrid', 'both'],
  ['compare checkout and total', 'keyword_boost', 'both'],
])('"%s" is answered by %s, walking %s', (question, route, direction) => {
  expect(routeOf(graphOf(shop).view, question, [])).toMatchObject({ route, direction });
});

test('complexity adds up its parts', () => {
  expect(complexityOf('', 0)).toBe(0);
  expect(complexityOf('how many between a and b since', 2)).toBeCloseTo(0.85 + 0.15 * (7 / 30));
});
