import { expect, test } from 'vitest';
import { extractSubgraph } from '../../../server/src/features/search/subgraph';
import { reverseName } from '../../../server/src/features/shared/links';
import { NO_NODE, type NodeHandle } from '../../../server/src/model/ids';
import { type FileSketch, graphOf, type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';

const total = 'src/pay.ts::total';

const add = 'src/pay.ts::Till::add';

const checkout = 'src/checkout.ts::checkout';

const options = { egoHops: 0, boundary: true };

test('the subgraph has typed links, dependencies first, and communities with a label and a count', () => {
  const { view } = graphOf(shop);
  const found = extractSubgraph(view, [checkout, add, total, 'no::such'], options);
  expect(found.nodes.map(({ id }) => id)).toEqual([checkout, add, total]);
  expect(found.edges.filter(edge => !edge.boundary).map(edge => `${edge.source} ${edge.relation} ${edge.target}`)).toEqual([
    `${checkout} calls ${add}`,
    `${add} calls ${total}`,
  ]);
  expect(found.edges.filter(edge => edge.boundary)).toMatchObject([{ source: checkout, relation: 'instantiates', target: 'src/pay.ts::Till' }]);
  expect(found.order).toEqual([total, add, checkout]);
  expect(Object.values(found.communities).reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(found.nodes.every(node => node.community !== undefined)).toBe(true);
  expect(found.degraded).toEqual([]);
});

test('a symbol has the imports it uses and the files that import it for itself', () => {
  const { view } = graphOf(shop);
  const { relations } = extractSubgraph(view, [checkout, total, 'src/pay.ts::Till'], options);
  expect(relations.get(checkout)?.['imports']).toEqual(['src/pay.ts']);
  expect(relations.get(total)?.['imported_by']).toEqual(['test/pay.test.ts']);
  expect(relations.get('src/pay.ts::Till')?.['imported_by']).toEqual(['src/checkout.ts']);
});

test('ten callers give five, neighbors are capped, and boundary links are three a node', () => {
  const users = Array.from({ length: 30 }, (_, i): [string, WorkspaceSketch[string]] => [
    `u${i}.ts`,
    { symbols: [{ name: `u${i}` }], references: [{ from: `u${i}`, relation: 'CALLS', to: 'a.ts::f' }] },
  ]);
  const uses = users.map(([path], i) => ({ from: 'g', relation: 'CALLS' as const, to: `${path}::u${i}` }));
  const { view } = graphOf({ ...Object.fromEntries(users), 'a.ts': { symbols: [{ name: 'f' }, { name: 'g' }], references: uses } });
  const found = extractSubgraph(view, ['a.ts::f', 'a.ts::g'], { egoHops: 1, boundary: true });
  expect(found.relations.get('a.ts::f')?.['called_by']).toHaveLength(5);
  expect(found.neighbors).toHaveLength(20);
  expect(found.nodes.filter(node => !node.isResult)).toHaveLength(10);
  expect(found.edges.filter(edge => edge.boundary)).toHaveLength(3);
  expect(new Set(found.nodes.map(({ id }) => id)).size).toBe(found.nodes.length);
});

test('relation lists, boundary and order are those of the sorted edges, also at a hub', () => {
  const user = (at: number): WorkspaceSketch => ({
    [`c${(at * 11) % 40}.ts`]: {
      symbols: [{ name: `use${(at * 7) % 40}` }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'hub.ts' },
        { from: `use${(at * 7) % 40}`, relation: 'CALLS', to: 'hub.ts::hub' },
        { from: `use${(at * 7) % 40}`, relation: 'USES_TYPE', to: 'hub.ts::Hub' },
        { from: 'hub.ts::mark', relation: 'DECORATES', to: `c${(at * 11) % 40}.ts::use${(at * 7) % 40}` },
      ],
    },
  });
  const hub: FileSketch = {
    symbols: [{ name: 'Hub', kind: 'interface' }, { name: 'hub' }, { name: 'mark' }, { name: 'other' }],
    references: ['other', 'mark', 'Hub'].map(name => ({ from: 'hub', relation: name === 'Hub' ? 'USES_TYPE' : 'CALLS', to: `hub.ts::${name}` })),
  };
  const { view } = graphOf({ 'hub.ts': hub, ...Object.assign({}, ...Array.from({ length: 40 }, (_, at) => user(at))) });
  for (const id of ['hub.ts::hub', 'hub.ts::Hub', 'hub.ts::mark', 'c3.ts', 'hub.ts']) {
    const node = view.find(id) ?? NO_NODE;
    const expected: Record<string, string[]> = {};
    const firstFive = (name: string, other: NodeHandle): void => {
      const list = (expected[name] ??= []);
      if (list.length < 5) list.push(view.idOf(other));
    };
    const isShown = (relation: string): boolean => relation !== 'CONTAINS' && relation !== 'DEFINES_SYMBOL';
    for (const edge of view.out(node)) if (isShown(edge.relation)) firstFive(edge.relation.toLowerCase(), edge.target);
    for (const edge of view.in(node)) if (isShown(edge.relation)) firstFive(reverseName(edge.relation), edge.source);
    const lists = { ...extractSubgraph(view, [id], options).relations.get(id) };
    if (id.includes('::')) delete lists['imported_by'];
    expect([id, lists]).toEqual([id, expected]);
    expect(Object.keys(lists)).toEqual(Object.keys(expected));
  }
  expect(extractSubgraph(view, ['hub.ts::hub'], options).relations.get('hub.ts::hub')?.['imported_by']).toEqual([
    'c0.ts',
    'c1.ts',
    'c10.ts',
    'c11.ts',
    'c12.ts',
  ]);
});

test('a part that fails is named and leaves the others', () => {
  const { view } = graphOf(shop);
  const broken = new Proxy(view, {
    get: (target, key) => {
      if (key === 'fileNodeOf') throw new Error('no files');
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const found = extractSubgraph(broken, [checkout, add], { ...options, egoHops: 0 });
  expect(found.degraded).toEqual(['relations']);
  expect(found.relations.size).toBe(0);
  expect(found.nodes).toHaveLength(2);
});

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
