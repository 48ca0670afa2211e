import { expect, test } from 'vitest';
import { Interner } from '../../../server/src/base/interner';
import { runAtOnce } from '../../../server/src/base/steps';
import { CodeGraph } from '../../../server/src/code/graph/codeGraph';
import { fromColumns, toColumns } from '../../../server/src/code/graph/graphColumns';
import type { GraphView } from '../../../server/src/code/graph/graphView';
import type { NodeHandle } from '../../../server/src/model/ids';
import { CENTRALITY_METHODS } from '../../../server/src/model/settings';
import { deltaOf, graphOf, type WorkspaceSketch } from '../../helpers/graphOf';

/** Two groups of files that call among themselves, with one call between the groups, and a file by itself. */
function groups(size: number): WorkspaceSketch {
  const file = (group: string, index: number): WorkspaceSketch[string] => ({
    symbols: [{ name: `${group}${index}` }],
    references: Array.from({ length: size }, (_, other) => other)
      .filter(other => other !== index)
      .map(other => ({ from: `${group}${index}`, relation: 'CALLS' as const, to: `src/${group}/f${other}.ts::${group}${other}`, line: other + 1 })),
  });
  const sketch: Record<string, WorkspaceSketch[string]> = { 'alone.ts': { symbols: [{ name: 'alone' }] } };
  for (const group of ['pay', 'ship']) for (let index = 0; index < size; index++) sketch[`src/${group}/f${index}.ts`] = file(group, index);
  const bridge = sketch['src/pay/f0.ts'];
  return {
    ...sketch,
    'src/pay/f0.ts': { ...bridge, references: [...(bridge?.references ?? []), { from: 'pay0', relation: 'CALLS', to: 'src/ship/f0.ts::ship0' }] },
  };
}

const inOne = (view: GraphView, ...ids: string[]): number => new Set(ids.map(id => view.communities().of[view.find(id) ?? -1])).size;

test('nodes that hang together are one community, and every node is in one', () => {
  const { view } = graphOf(groups(4));
  expect(inOne(view, 'src/pay/f0.ts', 'src/pay/f0.ts::pay0', 'src/pay/f3.ts::pay3')).toBe(1);
  expect(inOne(view, 'src/pay/f0.ts::pay0', 'src/ship/f0.ts::ship0', 'alone.ts::alone')).toBe(3);
  const nodes = [...view.nodes()];
  expect(nodes.every(node => (view.communities().of[node] ?? -1) >= 0)).toBe(true);
  expect(view.describedCommunities().reduce((sum, community) => sum + community.memberCount, 0)).toBe(nodes.length);
});

test('a community is told by its folder, its main files and what joins it', () => {
  const { view } = graphOf(groups(4));
  const [first, , last] = view.describedCommunities();
  expect(first).toMatchObject({ label: expect.stringMatching(/^(?:pay|ship) · (?:pay|ship)\d$/), memberCount: 8 });
  expect(first?.summary).toMatch(/^8 members in 4 files, mainly src\/(?:pay|ship)\/f\d\.ts, .*; connected by calls \(12\)\. Most central: (?:pay|ship)\d\.$/);
  expect(last).toMatchObject({ label: 'alone', memberCount: 2 });
});

test('the most central member of a community is named with its type', () => {
  const { view } = graphOf({
    'a.ts': {
      symbols: [
        { name: 'Till', kind: 'class' },
        { name: 'Till.open', kind: 'method' },
      ],
    },
    'b.ts': {
      symbols: ['one', 'two', 'three'].map(name => ({ name })),
      references: ['one', 'two', 'three'].map(from => ({ from, relation: 'CALLS' as const, to: 'a.ts::Till::open' })),
    },
  });
  expect(view.describedCommunities().map(({ summary }) => summary)).toContainEqual(expect.stringMatching(/ Most central: Till\.open\.$/));
});

test.each([
  [['a/b/x.ts', 'a/b/y.ts', 'a/c/z.ts'], 'a/b · x.ts'],
  [['src/lib/x.ts', 'src/lib/y.ts'], 'x.ts'],
  [['server/src/code/graph/x.ts', 'server/src/code/graph/y.ts'], 'code/graph · x.ts'],
])('the label of files alone, %j, is their deepest common folder and their most central file: %s', (paths, label) => {
  const hub = paths[0] ?? '';
  const { view } = graphOf(Object.fromEntries(paths.map(path => [path, { references: path === hub ? [] : [{ from: '', relation: 'IMPORTS', to: hub }] }])));
  expect(view.describedCommunities().map(community => community.label)).toEqual([label]);
});

test('a community is called after a type of its own, not after a test or a library, and no two are called alike', () => {
  const cluster = (name: string): WorkspaceSketch => ({
    [`src/${name}/a.ts`]: { symbols: [{ name: 'Till', kind: 'class' }, { name: 'ring' }] },
    [`src/${name}/b.ts`]: {
      symbols: [{ name: 'pay' }],
      references: [
        { from: 'pay', relation: 'INSTANTIATES', to: `src/${name}/a.ts::Till`, line: 1 },
        { from: 'pay', relation: 'CALLS', to: `src/${name}/a.ts::ring`, line: 2 },
        { from: 'pay', relation: 'CALLS', to: 'external::console', line: 3 },
      ],
    },
    [`test/${name}.test.ts`]: {
      isTest: true,
      symbols: [{ name: 'TillTest', kind: 'class' }],
      references: [{ from: 'TillTest', relation: 'INSTANTIATES', to: `src/${name}/a.ts::Till`, line: 1 }],
    },
  });
  const labels = graphOf({ ...cluster('x/tills'), ...cluster('y/tills') })
    .view.describedCommunities()
    .map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining(['x/tills · Till', 'tests in test/y']));
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.join()).not.toMatch(/TillTest|console/);
});

const told = (view: GraphView): unknown =>
  view
    .describedCommunities()
    .map(({ id, label, summary, centralNode }) => [id, label, summary, view.idOf(centralNode), view.membersOf(id).map(node => view.idOf(node))]);

test('communities are a function of the content alone: edits there and back, a restart and a first index tell the same', () => {
  const interner = new Interner<NodeHandle>();
  const { graph, view } = graphOf(groups(6), interner);
  const before = told(view);
  const added = { 'src/new.ts': { symbols: [{ name: 'fresh' }], references: [{ from: 'fresh', relation: 'CALLS' as const, to: 'src/ship/f1.ts::ship1' }] } };
  const edited = told(graph.apply(deltaOf(added, interner)));
  expect(edited).toEqual(told(graphOf({ ...groups(6), ...added }).view));
  const other = new Interner<NodeHandle>();
  const restored = runAtOnce(fromColumns(new CodeGraph(other), toColumns(graph, interner), other));
  expect(restored?.knownCommunities).toBeDefined();
  expect(restored === undefined ? undefined : told(restored)).toEqual(edited);
  expect(told(graph.apply({ upserts: [], relinked: [], removed: ['src/new.ts'] }))).toEqual(before);
});

test('a community keeps its number as long as its core stays', () => {
  const interner = new Interner<NodeHandle>();
  const { graph, view } = graphOf(groups(6), interner);
  const idOf = (of: GraphView): number => of.communities().of[of.find('src/ship/f1.ts::ship1') ?? -1] ?? -1;
  const before = idOf(view);
  const added = { 'src/new.ts': { symbols: [{ name: 'fresh' }], references: [{ from: 'fresh', relation: 'CALLS' as const, to: 'src/ship/f1.ts::ship1' }] } };
  expect(idOf(graph.apply(deltaOf(added, interner)))).toBe(before);
  expect(idOf(graph.apply({ upserts: [], relinked: [], removed: ['src/pay/f1.ts'] }))).toBe(before);
});

test('in a view of unsaved text new nodes join what most of their neighbors are in, and what is saved stays known', () => {
  const interner = new Interner<NodeHandle>();
  const { graph, view } = graphOf(groups(6), interner);
  expect(view.describedCommunities().length).toBeGreaterThan(0);
  const added = { 'src/new.ts': { symbols: [{ name: 'fresh' }], references: [{ from: 'fresh', relation: 'CALLS' as const, to: 'src/ship/f1.ts::ship1' }] } };
  const previewed = graph.preview(deltaOf({ ...added, 'lone.ts': { symbols: [{ name: 'lone' }] } }, interner));
  expect(previewed.hasQuickCommunities).toBe(true);
  expect(previewed.knownCommunities).toBeUndefined();
  expect(inOne(previewed, 'src/new.ts::fresh', 'src/ship/f1.ts::ship1', 'src/new.ts')).toBe(1);
  expect(inOne(previewed, 'lone.ts::lone', 'src/ship/f1.ts::ship1')).toBe(2);
  const ship = previewed.communities().of[previewed.find('src/new.ts::fresh') ?? -1] ?? -1;
  expect(previewed.labelOfCommunity(ship)).toBe(view.labelOfCommunity(ship));
});

test('communities do not depend on the order in which files were read', () => {
  const sketch = groups(5);
  const turned = Object.fromEntries(Object.entries(sketch).reverse());
  expect(told(graphOf(turned).view)).toEqual(told(graphOf(sketch).view));
});

test('steps ahead of the first question compute the same', async () => {
  const { view } = graphOf(groups(4));
  let pauses = 0;
  await view.prepareMetrics(() => {
    pauses++;
    return undefined;
  });
  const { view: fresh } = graphOf(groups(4));
  expect(view.describedCommunities()).toEqual(fresh.describedCommunities());
  for (const method of CENTRALITY_METHODS) {
    expect(view.centrality(method)).toEqual(fresh.centrality(method));
    expect(Math.max(...view.centrality(method))).toBe(1);
  }
  expect(pauses).toBeGreaterThan(0);
});

test('communities that two ask for are computed once; one that is cancelled leaves them to the other', async () => {
  const { view } = graphOf(groups(4));
  const { view: alone } = graphOf(groups(4));
  let steps = 0;
  await alone.prepareCommunities(() => void steps++);
  let pauses = 0;
  await Promise.all([view.prepareCommunities(() => void pauses++), view.prepareCommunities(() => void pauses++)]);
  expect(pauses).toBe(steps);
  const { view: other } = graphOf(groups(4));
  const cancelled = other.prepareCommunities(() => Promise.reject(new Error('cancelled')));
  const kept = other.prepareCommunities(() => undefined);
  await expect(cancelled).rejects.toThrow('cancelled');
  await kept;
  expect(other.describedCommunities()).toEqual(view.describedCommunities());
});

test('an empty graph has no communities and no center', () => {
  const { view } = graphOf({});
  expect(view.describedCommunities()).toEqual([]);
  for (const method of CENTRALITY_METHODS) expect(view.centrality(method).every(value => value === 0)).toBe(true);
});

test('a file that lists one node twice clusters all the same', () => {
  const { view } = graphOf({
    'src/config.rs': {
      symbols: [{ name: 'Config', kind: 'struct' }, { name: 'Config.jiff', kind: 'field' }, { name: 'Config.jiff', kind: 'method' }, { name: 'use' }],
      references: [{ from: 'use', relation: 'CALLS', to: 'src/config.rs::Config::jiff', line: 1 }],
    },
  });
  const { of } = view.communities();
  expect(of[view.find('src/config.rs::Config::jiff') ?? -1]).toBeGreaterThanOrEqual(0);
  expect(view.describedCommunities().length).toBeGreaterThan(0);
});
