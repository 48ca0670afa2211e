import { expect, test } from 'vitest';
import type { FeatureName } from '../../server/src/features/catalogue/catalogue';
import type { ReportAnswer } from '../../server/src/features/overview/report';
import type { SymbolRow } from '../../server/src/features/shared/rows';
import { askFeature } from '../helpers/askFeature';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { shop, shopTexts } from '../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../helpers/workspaceOf';

async function run(name: FeatureName, params: unknown, workspace: MemoryWorkspace = workspaceOf(shop, { texts: shopTexts })): Promise<Record<string, unknown>> {
  const answer = await askFeature(name, workspace, params);
  return answer.ok ? (answer.value as Record<string, unknown>) : { failed: answer.error.code };
}

const names = (rows: unknown): unknown[] => (rows as readonly { readonly name: unknown }[]).map(row => row.name);

const types: WorkspaceSketch = {
  'a.ts': {
    symbols: [
      { name: 'Shape', kind: 'interface', lines: [1, 3] },
      { name: 'Circle', kind: 'class', lines: [5, 9], modifiers: ['exported'] },
      { name: 'Circle.area', kind: 'method', lines: [6, 8] },
      { name: 'make', lines: [11, 12], modifiers: ['exported'] },
      { name: 'inner', lines: [14, 15] },
      { name: 'LIMIT', kind: 'constant', lines: [17, 17], modifiers: ['exported'] },
    ],
    references: [
      { from: 'Circle', relation: 'IMPLEMENTS', to: 'a.ts::Shape', line: 5 },
      { from: 'make', relation: 'INSTANTIATES', to: 'a.ts::Circle', line: 12 },
      { from: 'inner', relation: 'CALLS', to: 'a.ts::make', line: 15 },
      { from: 'inner', relation: 'CALLS', to: 'a.ts::Circle::area', source: 'heuristic', line: 15 },
    ],
    lines: 17,
  },
  'a.test.ts': {
    isTest: true,
    symbols: [{ name: 'T', kind: 'class' }, { name: 'works' }],
    references: [{ from: 'works', relation: 'CALLS', to: 'a.ts::make' }],
  },
};

test('lenses stand at types and exported functions, or at everything that can be called', async () => {
  expect(names((await run('codeLenses', { path: 'a.ts' }, workspaceOf(types)))['symbols'])).toEqual(['Shape', 'Circle', 'make']);
  expect(names((await run('codeLenses', { path: 'a.ts', all: true }, workspaceOf(types)))['symbols'])).toEqual(['Shape', 'Circle', 'area', 'make', 'inner']);
  expect(await run('codeLenses', { path: 'a.test.ts', all: true }, workspaceOf(types))).toEqual({ symbols: [] });
  expect(await run('codeLenses', { path: 'none.ts' }, workspaceOf(types))).toEqual({ symbols: [] });
  expect(await run('codeLenses', { path: '../x.ts' }, workspaceOf(types))).toEqual({ failed: 'FORBIDDEN' });
});

test.each([
  ['a.ts::make', { callers: 2, maybe: 0, tests: 1, isType: false, risk: 'low' }],
  ['a.ts::Circle::area', { callers: 0, maybe: 1, tests: 0 }],
  ['a.ts::Circle', { callers: 1, maybe: 0, tests: 1, isType: true }],
])('the lenses of %s count %j', async (id, counts) => {
  expect(await run('lensCounts', { id }, workspaceOf(types))).toMatchObject(counts);
});

test.each(['src/pay.ts::Till', 'src/pay.ts::Till::add', 'src/pay.ts::total', 'src/checkout.ts::checkout', 'src/lonely.ts::lonely'])(
  'the figures of %s are those of its impact',
  async id => {
    const impact = await run('impact', { target: id, maxDepth: 3 });
    const { blastRadius, risk, tests } = await run('lensCounts', { id });
    const counts = impact['counts'] as Readonly<Record<string, number>>;
    expect({ blastRadius, risk, tests }).toEqual({
      blastRadius: impact['blastRadius'],
      risk: impact['risk'],
      tests: (counts['directTests'] ?? 0) + (counts['transitiveTests'] ?? 0),
    });
  },
);

test('a symbol that went has no counts', async () => {
  expect(await run('lensCounts', { id: 'a.ts::gone' }, workspaceOf(types))).toBeNull();
});

test('the type around a place has the types above and below it', async () => {
  const place = (line: number) => run('typeHierarchyItem', { path: 'a.ts', line, column: 2 }, workspaceOf(types));
  expect(await place(7)).toMatchObject({ item: { name: 'Circle' } });
  expect(await place(11)).toEqual({ item: null });
  const above = await run('supertypes', { id: 'a.ts::Circle' }, workspaceOf(types));
  expect(above['types']).toMatchObject([{ item: { name: 'Shape' }, lines: [5] }]);
  expect(await run('subtypes', { id: 'a.ts::Shape' }, workspaceOf(types))).toMatchObject({ types: [{ item: { name: 'Circle' } }] });
  expect(await run('subtypes', { id: 'a.ts::gone' }, workspaceOf(types))).toEqual({ types: [] });
});

test('nodes are found by id, in the order of the question, without those that are not there', async () => {
  const found = await run('nodesById', { ids: ['a.ts::make', 'a.ts::gone', 'a.ts'] }, workspaceOf(types));
  expect(names(found['nodes'])).toEqual(['make', 'a.ts']);
  expect(await run('nodesById', { ids: ['a.ts'] }, workspaceOf(types, { notReady: true }))).toEqual({ nodes: [] });
});

const ring: WorkspaceSketch = {
  'a.ts': {
    symbols: [{ name: 'a' }, { name: 'twice' }],
    references: [
      { from: '', relation: 'IMPORTS', to: 'b.ts', source: 'import' },
      { from: 'a', relation: 'CALLS', to: 'b.ts::b' },
      { from: 'twice', relation: 'CALLS', to: 'b.ts::b' },
    ],
  },
  'b.ts': {
    symbols: [{ name: 'b' }],
    references: [
      { from: '', relation: 'IMPORTS', to: 'a.ts', source: 'import' },
      { from: 'b', relation: 'CALLS', to: 'a.ts::a' },
    ],
  },
};

test('structure tells hotspots, communities and import cycles', async () => {
  const answer = await run('structure', {}, workspaceOf(ring));
  expect(answer).toMatchObject({ cycles: [['a.ts', 'b.ts']], cycleCount: 1 });
  // What one node alone depends on is no hotspot.
  expect(names(answer['hotspots'])).toEqual(['b']);
  const communities = answer['communities'] as readonly { readonly memberCount: number; readonly members: readonly unknown[] }[];
  expect(communities[0]?.memberCount).toBe(communities[0]?.members.length);
  expect(await run('structure', {}, workspaceOf(types))).toMatchObject({ cycles: [], cycleCount: 0 });
});

/** `size` functions that all call the first, in a file of the folder. */
const cluster = (name: string, size: number) => ({
  symbols: Array.from({ length: size }, (_, i) => ({ name: `${name}${i}` })),
  references: Array.from({ length: size - 1 }, (_, i) => ({ from: `${name}${i + 1}`, relation: 'CALLS' as const, to: `src/jsx/${name}.ts::${name}0` })),
});

test('communities of one folder are told apart by what is central in each', async () => {
  const answer = await run('structure', {}, workspaceOf({ 'src/jsx/dom.ts': cluster('dom', 6), 'src/jsx/node.ts': cluster('node', 5) }));
  const labels = (answer['communities'] as readonly { readonly label: string }[]).map(community => community.label);
  expect(labels).toEqual(['jsx · dom0', 'jsx · node0']);
});

const hoverAt = async (sketch: WorkspaceSketch): Promise<readonly string[]> => {
  return (await run('hover', { path: 'a.ts', line: 1, column: 9 }, workspaceOf(sketch)))['lines'] as readonly string[];
};

test('text of the workspace cannot become Markdown in a hover', async () => {
  const lines = await hoverAt({ 'a.ts': { symbols: [{ name: 'f', lines: [1, 3], doc: 'See [me](command:x) <b>now</b>.' }] } });
  expect(lines[0]).toContain('\\[me\\](command:x) \\<b\\>now');
});

test.each([
  ['Sums a `Bill` | x.', ' — Sums a `Bill` \\| x'],
  ['Like {@link Cart.add} and {@link Cart | a cart}.', ' — Like `Cart.add` and `a cart`'],
  ['Raise an :exc:`~shop.errors.Broke` for the given\n:class:`Cart` of :ref:`this kind <kinds>`.', ' — Raise an `Broke` for the given `Cart` of `this kind`'],
  ['@returns a sum', ''],
  [':param x: a sum', ''],
])('a hover reads %j as%s', async (doc, shown) => {
  const [first] = await hoverAt({ 'a.ts': { symbols: [{ name: 'f', lines: [1, 3], doc, firstLine: 'return sum(x);' }] } });
  expect(first).toBe(`**function \`f\`**${shown}`);
});

const used: WorkspaceSketch = {
  'cart/index.ts': {
    symbols: [
      { name: 'Cart', kind: 'class', lines: [1, 1] },
      { name: 'add', lines: [2, 2] },
      { name: 'twice', lines: [3, 3] },
    ],
  },
  'app.ts': {
    symbols: [{ name: 'app' }],
    references: [
      { from: 'app', relation: 'INSTANTIATES', to: 'cart/index.ts::Cart' },
      { from: 'app', relation: 'CALLS', to: 'cart/index.ts::add' },
    ],
  },
  ...Object.fromEntries(
    ['all/app.test.ts', 'all/index.test.ts', 'cart/index.test.ts', 'cart/other.test.ts'].map(path => [
      path,
      {
        isTest: true,
        symbols: [{ name: 'works', modifiers: ['test'] as const }],
        references: ['add', 'twice'].map(name => ({ from: 'works', relation: 'CALLS' as const, to: `cart/index.ts::${name}` })),
      },
    ]),
  ),
};

test.each([
  ['Cart', '1 user · 1 dependent in 1 file · uses 0', 'No tests'],
  ['add', '5 callers (4 in tests) · 1 dependent in 1 file · uses 0', 'Tested by `works` in index.test.ts and 3 more'],
  ['twice', '4 callers (all in tests) · 0 dependents · uses 0', 'Tested by `works` in index.test.ts and 3 more'],
])('a hover on %s tells users and tests apart', async (name, users, tests) => {
  const workspace = workspaceOf(used);
  const [row] = (await run('nodesById', { ids: [`cart/index.ts::${name}`] }, workspace))['nodes'] as readonly SymbolRow[];
  const answer = await run('hover', { path: 'cart/index.ts', line: row?.nameLine, column: row?.nameColumn }, workspace);
  expect((answer['lines'] as readonly string[]).slice(1, 3)).toEqual([users, tests]);
});

test('a class is called by those who make one of it or call its constructor, and a maybe makes no hotspot', async () => {
  const sketch: WorkspaceSketch = {
    'base.ts': { symbols: [{ name: 'Base', kind: 'class' }, { name: 'Base.constructor', kind: 'constructor' }, { name: 'guessed' }] },
    'use.ts': {
      symbols: [{ name: 'Sub', kind: 'class' }, { name: 'Sub.constructor', kind: 'constructor' }, { name: 'make' }],
      references: [
        { from: 'Sub', relation: 'INHERITS', to: 'base.ts::Base' },
        { from: 'Sub.constructor', relation: 'CALLS', to: 'base.ts::Base::constructor' },
        { from: 'make', relation: 'INSTANTIATES', to: 'base.ts::Base' },
        { from: 'make', relation: 'CALLS', to: 'base.ts::guessed', source: 'heuristic' },
      ],
    },
  };
  const workspace = workspaceOf(sketch);
  const { hotspots } = await run('report', {}, workspace);
  expect((hotspots as { name: string; callers: number }[]).find(spot => spot.name === 'Base')?.callers).toBe(2);
  expect((hotspots as { name: string }[]).map(({ name }) => name)).not.toContain('guessed');
  expect(await run('explain', { target: 'base.ts::Base' }, workspace)).toMatchObject({ counts: { callers: 2 } });
});

test('arrows of the report point from what is decorated to its decorator', async () => {
  const sketch: WorkspaceSketch = {
    'log.ts': { symbols: [{ name: 'log' }] },
    'a.ts': { symbols: [{ name: 'run' }], references: [{ from: 'log.ts::log', relation: 'DECORATES', to: 'a.ts::run' }] },
  };
  const { graph } = (await run('report', {}, workspaceOf(sketch))) as unknown as ReportAnswer;
  const edges = graph.edges.map(({ relation, source, target }) => [graph.nodes[source]?.id, relation, graph.nodes[target]?.id]);
  expect(edges).toEqual([['a.ts::run', 'DECORATED_BY', 'log.ts::log']]);
});

test('the callers of a hotspot are those that are known to call it', async () => {
  const sketch: WorkspaceSketch = {
    'b.ts': {
      symbols: [{ name: 'each' }, { name: 'one' }, { name: 'other' }],
      references: [
        { from: 'one', relation: 'CALLS', to: 'b.ts::each' },
        { from: 'other', relation: 'CALLS', to: 'b.ts::each', source: 'heuristic' },
      ],
    },
  };
  const { hotspots } = await run('report', {}, workspaceOf(sketch));
  expect((hotspots as { name: string; callers: number }[]).find(spot => spot.name === 'each')?.callers).toBe(1);
});
