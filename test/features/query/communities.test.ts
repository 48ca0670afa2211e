import { expect, test } from 'vitest';
import { extractSubgraph } from '../../../server/src/features/search/subgraph';
import { graphOf } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';

const add = 'src/pay.ts::Till::add';

const checkout = 'src/checkout.ts::checkout';

const options = { egoHops: 0, boundary: true };

test('an answer before the communities are known says that they are missing', () => {
  const { view } = graphOf(shop);
  const early = new Proxy(view, {
    get: (target, key) => {
      if (key === 'hasQuickCommunities') return false;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const [before, after] = [early, view].map(graph => extractSubgraph(graph, [checkout, add], options));
  expect(before?.degraded).toEqual(['communities']);
  expect(before?.communities).toEqual({});
  expect(after?.nodes.map(node => ({ ...node, community: undefined }))).toEqual(before?.nodes);
  expect([after?.edges, after?.order, after?.degraded]).toEqual([before?.edges, before?.order, []]);
});
