import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { type FeatureName, featureNames, type ParamsOf, runFeature } from '../../server/src/features/catalogue/catalogue';
import { askFeature } from '../helpers/askFeature';
import { graphOf, type WorkspaceSketch } from '../helpers/graphOf';
import { shop, shopTexts } from '../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../helpers/workspaceOf';

async function run(name: FeatureName, params: unknown, workspace: MemoryWorkspace = workspaceOf(shop, { texts: shopTexts })): Promise<Record<string, unknown>> {
  const answer = await askFeature(name, workspace, params);
  return answer.ok ? (answer.value as Record<string, unknown>) : { failed: answer.error.code, ...answer.error.data };
}

const ids = (rows: unknown): unknown[] => (rows as readonly { readonly id: unknown }[]).map(row => row.id);

test.each([
  'src/pay.ts::Till::add',
  'symbol::src/pay.ts::Till::add',
  'src/pay.ts#Till.add',
  './src/pay.ts#add',
  'src\\pay.ts::Till::add',
  '/home/ada/shop/src/pay.ts::Till::add',
  'Till.add',
  'add',
  'ADD',
  'Till::add',
  'Till#add',
  'Till->add',
  'Till@add',
  'Till.add()',
  '(*Till).add',
  'pay.Till.add',
  'src.pay.Till.add',
  'src\\pay\\Till::add',
])('%s means the method', async target => {
  expect(await run('explain', { target })).toMatchObject({ symbol: { id: 'src/pay.ts::Till::add' }, guessed: false });
});

test.each(['src/pay.ts', 'file::src/pay.ts', './src/pay.ts', '/home/ada/shop/src/pay.ts', 'pay.ts', 'src\\pay.ts'])('%s means the file', async target => {
  expect(await run('explain', { target })).toMatchObject({ symbol: { id: 'src/pay.ts' }, type: 'FILE' });
});

test.each([
  ['../other/a.ts', 'FORBIDDEN'],
  ['/etc/passwd', 'FORBIDDEN'],
  ['src/../../a.ts#x', 'FORBIDDEN'],
  ['src/none.ts', 'NOT_FOUND'],
  ['src/pay.ts#none', 'NOT_FOUND'],
  ['zzz', 'NOT_FOUND'],
  ['  ', 'VALIDATION_ERROR'],
])('%s is refused with %s', async (target, failed) => {
  expect(await run('explain', { target })).toMatchObject({ failed });
});

test('words that are no name give the best hit and say so', async () => {
  expect(await run('explain', { target: 'sums the lines of a bill' })).toMatchObject({ symbol: { id: 'src/pay.ts::total' }, guessed: true });
});

test('one word that names nothing alike is not found; a slip of the pen is understood', async () => {
  const lone: WorkspaceSketch = { 'a.ts': { symbols: [{ name: 'netAddress', doc: 'Nope, such a thing.' }] } };
  expect(await run('explain', { target: 'nope_such' }, workspaceOf(lone))).toMatchObject({ failed: 'NOT_FOUND' });
  expect(await run('explain', { target: 'address' }, workspaceOf(lone))).toMatchObject({ symbol: { id: 'a.ts::netAddress' }, guessed: true });
});

test('a Windows root takes paths in any case of letters', async () => {
  const workspace = workspaceOf(shop, { root: 'C:\\shops\\Shop' });
  expect(await run('explain', { target: 'c:/Shops/SHOP/src/pay.ts' }, workspace)).toMatchObject({ symbol: { id: 'src/pay.ts' } });
  expect(await run('explain', { target: 'D:\\shops\\shop\\src\\pay.ts' }, workspace)).toMatchObject({ failed: 'FORBIDDEN' });
});

test('of several things with a name the most central is taken and the others are told', async () => {
  const twins: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'run' }] },
    'b.ts': { symbols: [{ name: 'run' }, { name: 'go' }], references: [{ from: 'go', relation: 'CALLS', to: 'b.ts::run' }] },
  };
  expect(await run('explain', { target: 'run' }, workspaceOf(twins))).toMatchObject({ symbol: { id: 'b.ts::run' }, candidates: ['a.ts::run'] });
});

test('explain tells both sides with the line of each use', async () => {
  const answer = await run('explain', { target: 'Till.add' });
  expect(answer).toMatchObject({
    type: 'FUNCTION',
    dependencies: [{ id: 'src/pay.ts::total', rel: 'calls', line: 3, confidence: 0.95 }],
    dependents: [{ id: 'src/checkout.ts::checkout', rel: 'called_by', line: 5, confidence: 0.9 }],
    tests: ['test/checkout.test.ts'],
    parent: 'src/pay.ts::Till',
  });
});

const ancestry: WorkspaceSketch = {
  'base.ts': {
    symbols: [
      { name: 'Top', kind: 'class' },
      { name: 'Top.go', kind: 'method' },
      { name: 'Mid', kind: 'class' },
    ],
    references: [{ from: 'Mid', relation: 'INHERITS', to: 'base.ts::Top' }],
  },
  'app.ts': { symbols: [{ name: 'App', kind: 'class' }], references: [{ from: 'App', relation: 'INHERITS', to: 'base.ts::Mid' }] },
};

test.each([
  ['a.ts:1', 'a.ts'],
  ['a.ts:2', 'a.ts::Box'],
  ['a.ts:4', 'a.ts::Box::open'],
  ['a.ts:4:7', 'a.ts::Box::open'],
  ['./a.ts#L4-L9', 'a.ts::Box::open'],
  ['a.ts:8', 'a.ts::Box'],
])('%s means what is around that line', async (target, id) => {
  const boxes: WorkspaceSketch = {
    'a.ts': {
      lines: 12,
      symbols: [
        { name: 'Box', kind: 'class', lines: [2, 9] },
        { name: 'Box.open', kind: 'method', lines: [3, 7] },
      ],
    },
  };
  expect(await run('explain', { target }, workspaceOf(boxes))).toMatchObject({ symbol: { id }, guessed: false });
});

test.each(['BaseApp.save', 'db.ts#BaseApp.save'])('%s means the member that is declared away from its type, not that of its interface', async target => {
  const sketch: WorkspaceSketch = {
    'app.ts': {
      symbols: [
        { name: 'App', kind: 'interface' },
        { name: 'App.save', kind: 'method' },
      ],
    },
    'base.ts': { symbols: [{ name: 'BaseApp', kind: 'struct' }], references: [{ from: 'BaseApp', relation: 'IMPLEMENTS', to: 'app.ts::App' }] },
    'db.ts': { symbols: [{ name: 'BaseApp.save', kind: 'method' }] },
  };
  expect(await run('explain', { target }, workspaceOf(sketch))).toMatchObject({ symbol: { id: 'db.ts::BaseApp::save' }, guessed: false });
});

test('a type of the workspace is meant before what a library calls alike', async () => {
  const sketch: WorkspaceSketch = {
    'user.ts': { symbols: [{ name: 'User', kind: 'class' }] },
    'auth.ts': { symbols: [{ name: 'auth' }], references: [{ from: 'auth', relation: 'USES_TYPE', to: 'external::User' }] },
  };
  expect(await run('explain', { target: 'User' }, workspaceOf(sketch))).toMatchObject({ symbol: { id: 'user.ts::User' } });
});

test('a member that a known type has not is not found, and its like in that type are named', async () => {
  const sketch: WorkspaceSketch = {
    'story.ts': {
      symbols: [
        { name: 'Story', kind: 'class' },
        { name: 'Story.hotnes', kind: 'method' },
        { name: 'Story.title', kind: 'method' },
      ],
    },
    'old.ts': { symbols: [{ name: 'StoryHotness', kind: 'class' }, { name: 'hotness' }] },
  };
  const answer = await run('explain', { target: 'Story.hotness' }, workspaceOf(sketch));
  expect(answer).toMatchObject({ failed: 'NOT_FOUND' });
  expect((answer['suggestions'] as string[])[0]).toBe('story.ts::Story::hotnes');
});

test.each(['App.go', 'App::go', 'app.ts::App::go', 'app.ts#App.go', 'Mid.go'])('%s means the member that the type inherits', async target => {
  expect(await run('explain', { target }, workspaceOf(ancestry))).toMatchObject({ symbol: { id: 'base.ts::Top::go' }, guessed: false });
});

test('a member that no ancestor has is not made up', async () => {
  expect(await run('explain', { target: 'app.ts::App::stop' }, workspaceOf(ancestry))).toMatchObject({ failed: 'NOT_FOUND' });
});

test('what has no doc comment says no sentence, and no code in place of one', async () => {
  const bare: WorkspaceSketch = { 'a.ts': { symbols: [{ name: 'f', lines: [1, 3], firstLine: 'return g(1);' }] } };
  expect(await run('explain', { target: 'f' }, workspaceOf(bare))).toMatchObject({ sentence: '' });
  expect((await run('hover', { path: 'a.ts', line: 1, column: 9 }, workspaceOf(bare)))['lines']).toEqual([
    '**function `f`**',
    'No dependents in this workspace · uses 0',
  ]);
});

/** `f0` is called by `f1`, that by `f2` … and the last by a test. */
const chain = (length: number): WorkspaceSketch => ({
  'a.ts': {
    symbols: Array.from({ length }, (_, i) => ({ name: `f${i}` })),
    references: Array.from({ length: length - 1 }, (_, i) => ({ from: `f${i + 1}`, relation: 'CALLS' as const, to: `a.ts::f${i}` })),
  },
  'a.test.ts': { isTest: true, symbols: [{ name: 't' }], references: [{ from: 't', relation: 'CALLS', to: `a.ts::f${length - 1}` }] },
});

test.each([
  [3, 3, { directTests: 0, transitiveTests: 1, fartherTests: 0 }],
  [4, 3, { directTests: 0, transitiveTests: 0, fartherTests: 1 }],
  [6, 3, { fartherTests: 1 }],
  [7, 3, { fartherTests: 0 }],
  [4, 6, { transitiveTests: 1, fartherTests: 0 }],
])('with a test behind %i functions a walk of %i steps counts %j', async (length, maxDepth, counts) => {
  expect(await run('impact', { target: 'f0', maxDepth }, workspaceOf(chain(length)))).toMatchObject({ counts });
});

test('helpers, types and variables of a test file are no tests; where none is seen the file is one', async () => {
  const uses = (...names: string[]) => names.map(from => ({ from, relation: 'USES_TYPE' as const, to: 'a.ts::T' }));
  const sketch: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'T', kind: 'class' }] },
    'a.test.ts': {
      isTest: true,
      symbols: [
        { name: 'A', kind: 'type' },
        { name: 'B', kind: 'type' },
      ],
      references: uses('', 'A', 'B'),
    },
    'b.test.ts': {
      isTest: true,
      symbols: [{ name: 'A', kind: 'type' }, { name: 'works', modifiers: ['test'] }, { name: 'helper' }],
      references: uses('', 'A', 'works', 'helper'),
    },
    'c.test.ts': { isTest: true, symbols: [{ name: 'A', kind: 'type' }, { name: 'helper' }], references: uses('A', 'helper') },
  };
  expect(ids((await run('impact', { target: 'a.ts::T' }, workspaceOf(sketch)))['transitiveTests'])).toEqual(['a.test.ts', 'b.test.ts::works', 'c.test.ts::A']);
});

test('a name makes a test only where a framework looks for it', async () => {
  const { view } = graphOf({
    'src/app.py': {
      symbols: [
        { name: 'App', kind: 'class' },
        { name: 'App.test_client', kind: 'method', modifiers: ['test'] },
      ],
    },
    'tests/test_app.py': { isTest: true, symbols: [{ name: 'test_it', modifiers: ['test'] }, { name: 'make' }] },
    'src/lib.rs': { symbols: [{ name: 'works', modifiers: ['test'] }] },
  });
  const told = [...view.nodes()].map(node => [view.idOf(node), view.isTest(node), view.node(node).isTest, view.runsAsTest(node)]);
  expect(told).toEqual([
    ['src/app.py', false, false, false],
    ['src/app.py::App', false, false, false],
    ['src/app.py::App::test_client', false, false, false],
    ['src/lib.rs', false, false, false],
    ['src/lib.rs::works', true, true, true],
    ['tests/test_app.py', true, true, false],
    ['tests/test_app.py::test_it', true, true, true],
    ['tests/test_app.py::make', true, true, false],
  ]);
});

test('a class counts what uses its members as its own', async () => {
  expect(ids((await run('explain', { target: 'Till' }))['dependents'])).toEqual(['src/checkout.ts::checkout']);
});

test('impact keeps facts and maybes apart and gives the path of evidence', async () => {
  expect(await run('impact', { target: 'total' })).toMatchObject({
    counts: { impacted: 4, direct: 1, transitive: 1, maybe: 1, directTests: 1, transitiveTests: 1, files: 2 },
    directDependents: [{ id: 'src/pay.ts::Till::add', line: 3 }],
    transitiveDependents: [
      { id: 'src/checkout.ts::checkout', confidence: 0.855, via: ['src/pay.ts::total', 'src/pay.ts::Till::add', 'src/checkout.ts::checkout'] },
    ],
    maybe: [{ id: 'src/report.ts::report', confidence: 0.4 }],
    directTests: [{ id: 'test/pay.test.ts::testTotal' }],
    transitiveTests: [{ id: 'test/checkout.test.ts' }],
    blastRadius: 4,
    risk: 'low',
  });
});

test('impact respects its depth and its relations', async () => {
  expect(ids((await run('impact', { target: 'total', maxDepth: 1 }))['impacted'])).toEqual(['src/pay.ts::Till::add', 'test/pay.test.ts::testTotal']);
  expect(ids((await run('impact', { files: ['src/pay.ts'], relations: ['imported_by'] }))['impacted'])).toEqual([
    'src/checkout.ts',
    'test/pay.test.ts',
    'test/checkout.test.ts',
  ]);
});

test('an unrelated file never appears', async () => {
  expect(JSON.stringify(await run('impact', { files: ['src/pay.ts', 'src/report.ts'], maxDepth: 6 }))).not.toContain('lonely');
});

test('a change of a decorator reaches what it decorates', async () => {
  const decorated: WorkspaceSketch = {
    'log.ts': { symbols: [{ name: 'log' }] },
    'a.ts': { symbols: [{ name: 'run', lines: [2, 3] }], references: [{ from: 'log.ts::log', relation: 'DECORATES', to: 'a.ts::run', line: 2 }] },
  };
  expect(await run('impact', { target: 'log' }, workspaceOf(decorated))).toMatchObject({ impacted: [{ id: 'a.ts::run', relation: 'DECORATES', line: 2 }] });
  expect((await run('impact', { target: 'a.ts::run' }, workspaceOf(decorated)))['impacted']).toEqual([]);
});

test('a wide impact is counted whole and listed in part', async () => {
  const users = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `u${i}.ts`,
      { symbols: [{ name: 'use' }], references: [{ from: 'use', relation: 'CALLS' as const, to: 'a.ts::f' }] },
    ]),
  );
  const answer = await run('impact', { target: 'a.ts::f', limit: 7, offset: 3 }, workspaceOf({ 'a.ts': { symbols: [{ name: 'f' }] }, ...users }));
  expect(answer).toMatchObject({ blastRadius: 60, risk: 'high', counts: { direct: 60 } });
  expect(ids(answer['impacted'])).toHaveLength(7);
  expect(ids(answer['impacted'])[0]).toBe('u11.ts::use');
});

test.each([
  [{ symbol: 'src/pay.ts::Till::add' }, '  add(price: number): void {\n    this.sum = total([price]);\n  }'],
  [{ symbol: 'total', file: 'src/pay.ts' }, 'export function total(lines: Line[]): number {\n  return sum(lines);\n}'],
  [{ query: 'sums lines bill' }, 'export function total(lines: Line[]): number {\n  return sum(lines);\n}'],
  [{ symbol: 'total', context: 'signature' }, ''],
])('the slice of %j is the whole unit', async (params, code) => {
  expect((await run('slice', params))['code']).toBe(code);
});

test('a slice with its surroundings', async () => {
  expect(await run('slice', { symbol: 'Till.add', context: 'with-deps' })).toMatchObject({
    incomingCallers: ['src/checkout.ts::checkout'],
    outgoingCalls: ['src/pay.ts::total'],
  });
  expect((await run('slice', { symbol: 'Till' }))['outline']).toEqual(['2 add(price: number): void']);
  expect((await run('slice', { file: 'src/pay.ts' }))['outline']).toEqual(['1 export class Till', '11 function total(lines: Line[]): number']);
});

test('a neighbourhood within one hop, undirected and directed', async () => {
  const nodes = async (params: object): Promise<unknown[]> => ids((await run('neighborhood', { target: 'checkout', radius: 1, ...params }))['nodes']);
  expect(await nodes({})).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till::add', 'src/pay.ts::Till', 'src/checkout.ts', 'test/checkout.test.ts']);
  expect(await nodes({ undirected: false })).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till::add', 'src/pay.ts::Till']);
  expect(await nodes({ nodeTypes: ['CLASS'] })).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till']);
  expect(await nodes({ relations: ['calls'] })).toEqual(['src/checkout.ts::checkout', 'src/pay.ts::Till::add', 'test/checkout.test.ts']);
});

test('nodes that a filter cuts off keep their place at the end', async () => {
  const answer = await run('neighborhood', { target: 'total', radius: 2, nodeTypes: ['file'] });
  expect((answer['nodes'] as readonly { readonly distance: number }[]).map(node => node.distance)).toEqual([0, 1, 2, 2, 999]);
});

test('a neighbourhood is counted before it is cut', async () => {
  expect(await run('neighborhood', { target: 'checkout', radius: 1, maxNodes: 2 })).toMatchObject({ totalNodes: 5, truncated: true, nodes: { length: 2 } });
});

test('search pages do not overlap and filters hold', async () => {
  const page = async (params: object): Promise<unknown[]> => ids((await run('search', { query: 'pay till total', ...params }))['hits']);
  const all = await page({ limit: 50 });
  expect([...(await page({ limit: 2 })), ...(await page({ limit: 2, offset: 2 }))]).toEqual(all.slice(0, 4));
  expect(await page({ kinds: ['CLASS'] })).toEqual(['src/pay.ts::Till']);
});

test('alpha blends relevance and centrality', async () => {
  const hits = (await run('search', { query: 'till' }))['hits'] as readonly {
    readonly score: number;
    readonly centrality: number;
    readonly blendedScore: number;
  }[];
  for (const hit of hits) expect(hit.blendedScore).toBeCloseTo(0.7 * hit.score + 0.3 * hit.centrality, 3);
});

test('a hover says in few lines what a change would reach', async () => {
  const answer = await run('hover', { path: 'src/pay.ts', line: 11, column: 12 });
  expect(answer['id']).toBe('src/pay.ts::total');
  expect(answer['lines']).toEqual([
    '**function `total`** — Sums all lines of a bill',
    '2 callers (1 in tests) · 2 dependents in 2 files · uses 0',
    'Tested by `testTotal` in pay.test.ts and 1 more',
    'Risk **low**: 2 files and 2 tests within 3 steps',
    '1 possible',
  ]);
});

test('a hover over a use speaks of what is used, over nothing it is null', async () => {
  expect(await run('hover', { path: 'src/pay.ts', line: 3, column: 11 })).toMatchObject({ id: 'src/pay.ts::total' });
  expect(await run('hover', { path: 'src/pay.ts', line: 10, column: 0 })).toBeNull();
});

test('places, symbols and calls for the editor', async () => {
  expect(await run('symbolAt', { path: 'src/pay.ts', line: 6, column: 0 })).toMatchObject({ id: 'src/pay.ts::Till' });
  expect(await run('documentSymbols', { path: 'src/pay.ts' })).toMatchObject({
    symbols: [
      { name: 'Till', children: [{ name: 'add' }] },
      { name: 'total', children: [] },
    ],
  });
  expect(await run('workspaceSymbols', { query: 'total' })).toMatchObject({ symbols: [{ id: 'src/pay.ts::total' }, {}] });
  expect(await run('incomingCalls', { id: 'src/pay.ts::total' })).toMatchObject({
    calls: [{ item: { name: 'add' }, lines: [3] }, { item: { name: 'report' } }, {}],
  });
  expect(await run('outgoingCalls', { id: 'src/checkout.ts::checkout' })).toMatchObject({
    calls: [
      { item: { name: 'add' }, lines: [5] },
      { item: { name: 'Till' }, lines: [4] },
    ],
  });
});

test('health counts, finds cycles and the most central symbols', async () => {
  const ring: WorkspaceSketch = {
    'a.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'b.ts' }] },
    'b.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'a.ts' }] },
    ...shop,
  };
  expect(await run('health', {}, workspaceOf(ring))).toMatchObject({
    graph: {
      files: 8,
      symbols: 7,
      cycles: [{ size: 2, files: ['a.ts', 'b.ts'] }],
      references: { resolved: 11, unresolved: 2, resolutionRate: 0.8462 },
      hotspots: [{ id: 'src/pay.ts::total', dependents: 2 }, {}, {}, {}],
    },
  });
});

test('an export in parts is the export in one', async () => {
  const whole = (await run('exportGraph', {}))['rows'] as unknown[];
  const parts: unknown[] = [];
  for (let offset: unknown = 0; offset !== undefined; ) {
    const part = await run('exportGraph', { offset, limit: 3 });
    parts.push(...(part['rows'] as unknown[]));
    offset = part['nextOffset'];
  }
  expect(parts).toEqual(whole);
  expect(whole).toContainEqual({
    type: 'node',
    id: 'src/pay.ts::total',
    nodeType: 'symbol',
    kind: 'function',
    name: 'total',
    file: 'src/pay.ts',
    startLine: 11,
    endLine: 13,
  });
  expect(whole).toContainEqual({
    type: 'edge',
    relation: 'CALLS',
    source: 'src/report.ts::report',
    target: 'src/pay.ts::total',
    line: 2,
    confidence: 0.4,
    provenance: 'heuristic',
  });
});

test('weak edges stay out of an export that asks for sure ones', async () => {
  expect(JSON.stringify((await run('exportGraph', { minConfidence: 0.5 }))['rows'])).not.toContain('heuristic');
});

test('the files an answer speaks of are compared with the disk', async () => {
  const workspace = workspaceOf(shop);
  await run('impact', { target: 'src/pay.ts#total' }, workspace);
  expect(new Set(workspace.touched)).toEqual(new Set(['src/pay.ts', 'test/pay.test.ts', 'src/checkout.ts', 'test/checkout.test.ts']));
});

test('a rebuild is queued for paths inside only', async () => {
  const workspace = workspaceOf(shop);
  expect(await run('rebuild', { mode: 'full', paths: ['./src'] }, workspace)).toEqual({ status: 'QUEUED', txId: 'tx-1' });
  expect(workspace.rebuilds).toMatchObject([{ mode: 'full', paths: ['src'] }]);
  expect(await run('rebuild', { paths: ['..'] }, workspace)).toMatchObject({ failed: 'FORBIDDEN' });
});

test.each(['none', 'toString'])('there is no feature %s', async name => {
  expect(await runFeature(name, workspaceOf(shop), {}, neverCancelled)).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
});

test.each<[FeatureName, unknown, string]>([
  ['explain', {}, 'VALIDATION_ERROR'],
  ['explain', { target: 7 }, 'VALIDATION_ERROR'],
  ['explain', { target: 'x', extra: 1 }, 'VALIDATION_ERROR'],
  ['explain', null, 'VALIDATION_ERROR'],
  ['impact', {}, 'VALIDATION_ERROR'],
  ['impact', { target: 'total', relations: ['nope'] }, 'VALIDATION_ERROR'],
  ['slice', {}, 'VALIDATION_ERROR'],
  ['slice', { symbol: 'x', context: 'all' }, 'VALIDATION_ERROR'],
  ['hover', { path: '../x', line: 1, column: 0 }, 'FORBIDDEN'],
  ['setWorkspace', { workspaceRoot: '/etc' }, 'FORBIDDEN'],
])('%s of %j fails with %s', async (name, params, failed) => {
  expect(await run(name, params)).toMatchObject({ failed });
});

const asking: { readonly [Name in FeatureName]?: ParamsOf<Name> } = {
  explain: { target: 'x' },
  search: { query: 'x' },
  impact: { target: 'x' },
  slice: { symbol: 'x' },
  neighborhood: { target: 'x' },
  exportGraph: {},
  graphScene: { start: 'workspace' },
};

test.each(Object.entries(asking) as [FeatureName, unknown][])('%s says when the first index is not done', async (name, params) => {
  expect(await run(name, params, workspaceOf(shop, { notReady: true }))).toMatchObject({ failed: 'NOT_READY' });
});

test('state is told before the first index is done', async () => {
  const starting = workspaceOf(shop, { notReady: true });
  expect(await run('indexStatus', {}, starting)).toMatchObject({ progress: { phase: 'parsing' }, nodes: 0 });
  expect(await run('health', {}, starting)).toMatchObject({ engine: { watcherState: 'not_started' } });
  expect(await run('hover', { path: 'a.ts', line: 1, column: 0 }, starting)).toBeNull();
});

test('every feature is named once', () => {
  expect(new Set(featureNames).size).toBe(featureNames.length);
});

test('what a test declares inside itself is part of that test', async () => {
  const sketch: WorkspaceSketch = {
    'src/a.ts': { symbols: [{ name: 'Base', kind: 'class' }] },
    'test/a.ts': {
      isTest: true,
      symbols: [{ name: 'testBase' }, { name: 'testBase.Own', kind: 'class' }, { name: 'testBase.Own.run', kind: 'method' }],
      references: [
        { from: 'testBase', relation: 'INSTANTIATES', to: 'test/a.ts::testBase::Own', source: 'scope' },
        { from: 'testBase.Own', relation: 'INHERITS', to: 'src/a.ts::Base', source: 'import' },
        { from: 'testBase.Own.run', relation: 'CALLS', to: 'src/a.ts::Base', source: 'import' },
      ],
    },
  };
  const answer = await run('impact', { target: 'Base' }, workspaceOf(sketch));
  expect(ids([...(answer['directTests'] as unknown[]), ...(answer['transitiveTests'] as unknown[])])).toEqual(['test/a.ts::testBase']);
});
