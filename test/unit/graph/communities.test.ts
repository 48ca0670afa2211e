import { expect, test } from 'vitest';
import { Interner } from '../../../server/src/base/interner';
import type { GraphView } from '../../../server/src/code/graph/graphView';
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
  expect(first).toMatchObject({ label: 'pay', memberCount: 8 });
  expect(first?.summary).toMatch(/^8 members in 4 files, mainly src\/pay\/f\d\.ts, .*; joined by calls \(12\)\. Most central: pay\d\.$/);
  expect(last).toMatchObject({ label: 'misc', memberCount: 2 });
});

test.each([
  [['a/b/x.ts', 'a/b/y.ts', 'a/c/z.ts'], 'a'],
  [['a/b/x.ts', 'a/b/y.ts'], 'b'],
  [['b/x.ts', 'a/y.ts'], 'a'],
  [['src/lib/x.ts', 'build/y.ts', 'z.ts'], 'misc'],
])('the label of %j is %s', (paths, label) => {
  const hub = paths[0] ?? '';
  const { view } = graphOf(Object.fromEntries(paths.map(path => [path, { references: path === hub ? [] : [{ from: '', relation: 'IMPORTS', to: hub }] }])));
  expect(view.describedCommunities().map(community => community.label)).toContain(label);
});

test('new nodes join what most of their neighbours are in; a full change clusters anew', () => {
  const interner = new Interner();
  const { graph, view } = graphOf(groups(6), interner);
  const { revision } = view.communities();
  const next = graph.apply(
    deltaOf({ 'src/new.ts': { symbols: [{ name: 'fresh' }], references: [{ from: 'fresh', relation: 'CALLS', to: 'src/ship/f1.ts::ship1' }] } }, interner),
  );
  expect([...next.files()].map(file => next.idOf(file))).toContain('src/new.ts');
  expect(next.hasQuickCommunities).toBe(true);
  expect(next.communities().revision).toBe(revision);
  expect(inOne(next, 'src/new.ts::fresh', 'src/ship/f1.ts::ship1', 'src/new.ts')).toBe(1);
  const alone = graph.apply(deltaOf({ 'lone.ts': { symbols: [{ name: 'lone' }] } }, interner));
  expect(alone.communities().limit).toBeGreaterThan(view.communities().limit);
  const anew = graph.apply(deltaOf(groups(6), interner));
  expect(anew.communities().revision).toBe(anew.revision);
});

test('communities do not depend on the order in which files were read', () => {
  const sketch = groups(5);
  const turned = Object.fromEntries(Object.entries(sketch).reverse());
  const told = (of: WorkspaceSketch): unknown => {
    const { view } = graphOf(of);
    return view.describedCommunities().map(({ id, label, summary, centralNode }) => [id, label, summary, view.idOf(centralNode)]);
  };
  expect(told(turned)).toEqual(told(sketch));
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

test('an empty graph has no communities and no centre', () => {
  const { view } = graphOf({});
  expect(view.describedCommunities()).toEqual([]);
  for (const method of CENTRALITY_METHODS) expect(view.centrality(method).every(value => value === 0)).toBe(true);
});
