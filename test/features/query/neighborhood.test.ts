import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(row => row.id);

test('a neighborhood within one hop, undirected and directed', async () => {
  const nodes = async (params: object): Promise<unknown[]> => ids((await outcomeOf('neighborhood', { target: 'checkout', radius: 1, ...params })).nodes);
  expect(await nodes({})).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till::add', 'src/pay.ts::Till', 'src/checkout.ts', 'test/checkout.test.ts']);
  expect(await nodes({ undirected: false })).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till::add', 'src/pay.ts::Till']);
  expect(await nodes({ nodeTypes: ['CLASS'] })).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till']);
  expect(await nodes({ relations: ['calls'] })).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till::add', 'test/checkout.test.ts']);
});

test('nodes that a filter cuts off keep their place at the end', async () => {
  const answer = await outcomeOf('neighborhood', { target: 'total', radius: 2, nodeTypes: ['file'] });
  expect(answer.nodes.map(node => node.distance)).toEqual([0, 1, 2, 2, 999]);
});

test('a neighborhood is counted before it is cut', async () => {
  expect(await outcomeOf('neighborhood', { target: 'checkout', radius: 1, maxNodes: 2 })).toMatchObject({
    totalNodes: 5,
    truncated: true,
    nodes: { length: 2 },
  });
});
