import { expect, test } from 'vitest';
import type { SceneDto, SceneParams } from '../../../server/protocol/features';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { askFeature } from '../../helpers/askFeature';
import { bigShop } from '../../helpers/bigShop';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';
import { add, checkout, hub, ids, links, places, report, scene, testTotal, total } from './sceneOf';

test('a focus has who uses it to the left, what it uses to the right, types and tests apart', async () => {
  expect(places(await scene({ start: 'focus', target: total }))).toEqual([`${total}@0`, `${add}@-1`, `${report}@-1`, `${testTotal}@-1/tests`]);
  const around = await scene({ start: 'focus', target: 'src/hub.ts::hub' }, hub);
  expect(places(around)).toContain('src/hub.ts::Options@1/types');
  expect(places(around)).toContain('src/hub.ts::low@1');
  expect(around.summary).toBe('20 users, 0 tests; uses 2.');
});

test('depth follows users to the left and uses to the right, step by step', async () => {
  expect(places(await scene({ start: 'focus', target: total, depth: 3 }))).toEqual(
    expect.arrayContaining([`${checkout}@-2`, 'test/checkout.test.ts@-3/tests', `${add}@-1`]),
  );
});

test('a class stands with its members: each line ends at what it touches', async () => {
  const till = await scene({ start: 'focus', target: 'Till' });
  expect(places(till)).toEqual(['src/pay.ts::Till@0', `${add}@0`, `${checkout}@-1`, `${total}@1`]);
  expect(till.nodes.find(node => node.id === add)).toMatchObject({ role: 'member', parent: 'src/pay.ts::Till' });
  expect(links(till)).toEqual([`${checkout} > ${add}: CALLS`, `${checkout} > src/pay.ts::Till: INSTANTIATES`, `${add} > ${total}: CALLS`]);
  expect(till.summary).toBe('1 user, 1 test; uses 1.');
});

/** A type whose methods stand outside of it, one in another file; each uses the type's own field. */
const engine: WorkspaceSketch = {
  'gin.go': {
    symbols: [
      { name: 'Engine', kind: 'struct', lines: [1, 4] },
      { name: 'Engine.trees', kind: 'field', lines: [2, 2] },
      { name: 'addRoute', kind: 'method', lines: [6, 8] },
    ],
    references: [
      { from: 'Engine', relation: 'CONTAINS', to: 'gin.go::addRoute', line: 6 },
      { from: 'Engine', relation: 'CONTAINS', to: 'routes.go::serve', line: 6 },
      { from: 'addRoute', relation: 'READS_FROM', to: 'gin.go::Engine::trees', line: 7 },
    ],
  },
  'routes.go': {
    symbols: [{ name: 'serve', kind: 'method', lines: [1, 3] }],
    references: [{ from: 'serve', relation: 'CALLS', to: 'gin.go::addRoute', line: 2 }],
  },
  'main.go': { symbols: [{ name: 'main' }], references: [{ from: 'main', relation: 'CALLS', to: 'routes.go::serve', line: 1 }] },
};

test('methods that stand outside of their type are its members, and none of its users', async () => {
  const found = await scene({ start: 'focus', target: 'gin.go::Engine' }, engine);
  expect(places(found)).toEqual(['gin.go::Engine@0', 'gin.go::Engine::trees@0', 'gin.go::addRoute@0', 'routes.go::serve@0', 'main.go::main@-1']);
  expect(links(found)).toContain('main.go::main > routes.go::serve: CALLS');
  expect(found.summary).toBe('1 user, 0 tests; uses 0.');
  const explained = await askFeature('explain', workspaceOf(engine), { target: 'gin.go::Engine' });
  expect(explained).toMatchObject({
    ok: true,
    value: {
      dependents: [{ id: 'main.go::main' }],
      counts: { dependents: 1, users: 1 },
      members: [{ id: 'gin.go::Engine::trees' }, { id: 'gin.go::addRoute' }, { id: 'routes.go::serve' }],
    },
  });
});

test('files that only import or re-export a name are users in the picture as in the figures; those that do more are not shown for that', async () => {
  const getPath = 'src/url.ts::getPath';
  const names = (relation: 'NAMES' | 'RE_EXPORTS', to: string) => ({ from: '', relation, to, source: 'import' as const, line: 1 });
  const sketch: WorkspaceSketch = {
    'src/url.ts': { symbols: [{ name: 'getPath' }, { name: 'other' }] },
    'src/app.ts': {
      symbols: [{ name: 'route' }],
      references: [names('NAMES', getPath), { from: 'route', relation: 'CALLS', to: getPath, line: 2 }],
    },
    'src/index.ts': { references: [names('RE_EXPORTS', getPath), names('RE_EXPORTS', 'src/app.ts::route')] },
    'src/unused.ts': { references: [names('NAMES', getPath)] },
  };
  const around = await scene({ start: 'focus', target: getPath }, sketch);
  expect(around.summary).toBe('3 users, 0 tests; uses 0.');
  expect(places(around).toSorted()).toEqual(['src/app.ts::route@-1', 'src/index.ts@-1', 'src/unused.ts@-1', `${getPath}@0`]);
  expect(links(around).toSorted()).toEqual([
    `src/app.ts::route > ${getPath}: CALLS`,
    `src/index.ts > ${getPath}: RE_EXPORTS`,
    `src/unused.ts > ${getPath}: NAMES`,
  ]);
  const calls = await scene({ start: 'focus', target: getPath, relations: ['CALLS'] }, sketch);
  expect(places(calls)).toEqual([`${getPath}@0`, 'src/app.ts::route@-1']);
});

test('what uses a symbol and is used by it stands on both sides, and either side counts it', async () => {
  const ping = 'src/ping.ts::ping';
  const pong = 'src/pong.ts::pong';
  const sketch: WorkspaceSketch = {
    'src/ping.ts': { symbols: [{ name: 'ping' }], references: [{ from: 'ping', relation: 'CALLS', to: pong, line: 1 }] },
    'src/pong.ts': {
      symbols: [{ name: 'pong' }, { name: 'rest' }],
      references: [
        { from: 'pong', relation: 'CALLS', to: ping, line: 1 },
        { from: 'rest', relation: 'CALLS', to: pong, line: 2 },
      ],
    },
  };
  const around = await scene({ start: 'focus', target: ping }, sketch);
  expect(around.summary).toBe('1 user, 0 tests; uses 1.');
  expect(places(around)).toEqual([`${ping}@0`, `${pong}@-1`]);
  expect(around.nodes[1]?.again).toMatchObject({ column: 1, lane: 'main', parent: 'out:main:src/pong.ts' });
  const card = around.groups.find(group => group.id === 'out:main:src/pong.ts');
  expect(card).toMatchObject({ size: 1 });
  expect(around.omitted.nodes).toBe(0);
  // From its second place, what it uses goes on to the right, from its first what uses it to the left.
  const far = await scene({ start: 'focus', target: ping, depth: 2 }, sketch);
  expect(places(far)).toContain('src/pong.ts::rest@-2');
});

test('figures have a comma between thousands', async () => {
  const many = {
    symbols: [],
    references: Array.from({ length: 1200 }, (_, at) => ({ from: `user${at}`, relation: 'CALLS' as const, to: 'src/hub.ts::low', line: at + 1 })),
  };
  const sketch = { ...hub, 'src/many.ts': { ...many, symbols: many.references.map(({ from }) => ({ name: from })) } };
  expect((await scene({ start: 'focus', target: 'src/hub.ts::low' }, sketch)).summary).toBe('1,201 users, 0 tests; uses 0.');
  expect((await scene({ start: 'impact', target: 'src/hub.ts::low' }, sketch)).summary).toMatch(/^1,2\d\d dependents in /);
});

test('a file stands with its symbols, who uses them by file', async () => {
  const file = await scene({ start: 'focus', target: 'src/pay.ts' });
  expect(file.nodes.filter(node => node.role === 'member').map(node => node.id)).toEqual(['src/pay.ts::Till', total]);
  expect(links(file)).toContain(`${report} > ${total}: CALLS`);
  expect(file.groups.map(group => [group.id, group.label, group.size])).toEqual([
    ['in:main:src/checkout.ts', 'src/checkout.ts', 2],
    ['in:main:src/report.ts', 'src/report.ts', 1],
    ['in:tests:test/pay.test.ts', 'test/pay.test.ts', 2],
  ]);
  expect(file.summary).toBe('2 users, 2 tests; uses 0.');
});

test('many neighbors are folded by folder, those used most shown; what is folded opens in place, and says how many there are', async () => {
  const folders = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
  const users = (folder: string): WorkspaceSketch[string] => ({
    symbols: Array.from({ length: 8 }, (_, at) => ({ name: `${folder}User${at}` })),
    references: Array.from({ length: 8 }, (_, at) => ({
      from: `${folder}User${at}`,
      relation: 'CALLS' as const,
      to: { 'src/hub.ts::hub': at < 6 ? 1 : 0.4 },
      line: at + 1,
    })),
  });
  const tests = { isTest: true, symbols: Array.from({ length: 9 }, (_, at) => ({ name: `test${at}` })) };
  const sketch: WorkspaceSketch = {
    ...hub,
    ...Object.fromEntries(folders.flatMap(folder => [1, 2].map(file => [`src/${folder}/users${file}.ts`, users(folder)]))),
    'test/hub.test.ts': { ...tests, references: tests.symbols.map(({ name }) => ({ from: name, relation: 'CALLS' as const, to: 'src/hub.ts::hub' })) },
  };
  const ask = (expand: readonly string[]): Promise<SceneDto> => scene({ start: 'focus', target: 'src/hub.ts::hub', expand }, sketch);
  const first = await ask([]);
  const boxes = first.nodes.filter(node => node.role === 'box');
  expect(boxes.length).toBeLessThanOrEqual(10);
  expect(boxes.at(-1)).toMatchObject({ label: '9 tests in 1 file', lane: 'tests', size: 9 });
  const steps = first.nodes.filter(node => node.column === -1);
  expect(steps.reduce((sum, node) => sum + (node.role === 'step' ? 1 : node.size), 0)).toBe(12 * 2 * 8 + 20 + 9);
  expect(steps.reduce((sum, node) => sum + (node.role === 'step' ? Number(node.confidence < 0.8) : (node.possible ?? 0)), 0)).toBe(12 * 2 * 2);
  const [box] = boxes;
  const second = await ask([box?.expand ?? '']);
  expect(second.groups.map(group => group.id)).toContain(box?.id);
  expect(second.nodes.map(node => node.id)).not.toContain(box?.id);
  expect(second.omitted.nodes).toBeLessThan(first.omitted.nodes);
  expect(first.edges.find(edge => edge.source === box?.id)).toMatchObject({ target: 'src/hub.ts::hub', count: box?.size });
});

test('what is left out stands in a bundle with its count, and its key shows more', async () => {
  const first = await scene({ start: 'focus', target: 'src/hub.ts::hub' }, hub);
  const bundle = first.nodes.find(node => node.role === 'bundle');
  expect(bundle).toMatchObject({ label: '8 more', size: 8, column: -1, expand: 'more:in:main:src/users.ts' });
  expect(first.omitted.nodes).toBe(8);
  const second = await scene({ start: 'focus', target: 'src/hub.ts::hub', expand: [bundle?.expand ?? ''] }, hub);
  expect(second.nodes.some(node => node.role === 'bundle')).toBe(false);
  expect(second.nodes.filter(node => node.column === -1)).toHaveLength(20);
});

test('nodes say by side and relation how many neighbors they have; the keys expand one relation', async () => {
  const first = await scene({ start: 'focus', target: add });
  const own = first.nodes.find(node => node.id === checkout);
  expect(own?.reach).toEqual([
    { side: 'in', relation: 'CALLS', total: 1, shown: 0, expand: `in:CALLS:${checkout}` },
    { side: 'out', relation: 'CALLS', total: 1, shown: 1, expand: `out:CALLS:${checkout}` },
    { side: 'out', relation: 'INSTANTIATES', total: 1, shown: 0, expand: `out:INSTANTIATES:${checkout}` },
  ]);
  const instances = await scene({ start: 'focus', target: add, expand: [`out:INSTANTIATES:${checkout}`] });
  expect(ids(instances)).toContain('src/pay.ts::Till');
  expect(ids(instances)).not.toContain('test/checkout.test.ts');
});

test.each<[string, Partial<SceneParams>, string[]]>([
  ['tests', { tests: false }, [total, add, report]],
  ['certainty', { minConfidence: 0.8 }, [total, add, testTotal]],
  ['kinds', { kinds: ['method'] }, [total, add]],
  ['relations', { relations: ['imports'] }, [total]],
  ['languages', { languages: ['python'] }, [total]],
])('filters by %s', async (_name, filter, expected) => {
  expect(ids(await scene({ start: 'focus', target: total, ...filter })).sort()).toEqual([...expected].sort());
});

test('what is pinned stays in view', async () => {
  expect(ids(await scene({ start: 'focus', target: total, keep: ['src/lonely.ts::lonely', 'gone'] }))).toContain('src/lonely.ts::lonely');
});

test('nodes of a focus can be grouped', async () => {
  const found = await scene({ start: 'focus', target: total, groupBy: 'folder' });
  expect(found.groups.map(group => [group.label, group.size])).toEqual([
    ['src', 2],
    ['test', 1],
  ]);
});

test.each<SceneParams>([
  { start: 'focus', target: 'Money.add', depth: 4 },
  { start: 'focus', target: 'Money.add', depth: 3, expand: Array.from({ length: 40 }, () => 'in:main:src/base/money.ts::Money::add') },
  { start: 'impact', target: 'Money.add', depth: 6 },
  { start: 'workspace', expand: ['open:folder:src', 'open:folder:src/orders', 'open:src/orders/index.ts'] },
  { start: 'search', target: 'step' },
])('no scene has more edges than its budget, apart from those to bundles, and the same question gives the same scene: %j', async query => {
  const sketch = bigShop({ areas: 8, filesPerArea: 5, functionsPerFile: 8, calls: 3 });
  for (const edgeBudget of [40, 600]) {
    const found = await scene({ ...query, edgeBudget }, sketch);
    expect(found.edges.filter(edge => edge.links.length > 0).length).toBeLessThanOrEqual(edgeBudget);
    expect(await scene({ ...query, edgeBudget }, sketch)).toEqual(found);
    const shown = new Set(ids(found));
    for (const edge of found.edges) expect(shown.has(edge.source) && shown.has(edge.target)).toBe(true);
  }
});

test.each<[SceneParams, string]>([
  [{ start: 'focus', target: 'zzz' }, 'NOT_FOUND'],
  [{ start: 'folder', target: 'nowhere' }, 'NOT_FOUND'],
  [{ start: 'folder', target: '../../up' }, 'FORBIDDEN'],
  [{ start: 'search', target: ' ' }, 'VALIDATION_ERROR'],
  [{ start: 'community', target: '99' }, 'VALIDATION_ERROR'],
  [{ start: 'moon' as 'focus' }, 'VALIDATION_ERROR'],
  [{ start: 'focus', target: 'total', groupBy: 'color' as 'folder' }, 'VALIDATION_ERROR'],
])('%j fails with %s', async (query, code) => {
  await expect(scene(query)).rejects.toThrow(code);
});

test('a search shows the best hits, and more when asked', async () => {
  const first = await scene({ start: 'search', target: 'hub' }, hub);
  expect(first.summary).toMatch(/^\d+ results\. Showing their links\.$/);
  const crowd = bigShop({ areas: 3, filesPerArea: 3, functionsPerFile: 8, calls: 1 });
  const best = await scene({ start: 'search', target: 'step' }, crowd);
  expect(best.nodes.filter(node => node.role !== 'bundle').length).toBe(30);
  const more = await scene({ start: 'search', target: 'step', expand: ['more:hits'] }, crowd);
  expect(more.nodes.filter(node => node.role !== 'bundle').length).toBeGreaterThan(30);
  expect((await scene({ start: 'search', target: 'zzzz' }, hub)).summary).toBe('No results found.');
});

test('files of one name are told apart by their folders', async () => {
  const sketch: WorkspaceSketch = {
    'src/a/index.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'src/hub.ts', line: 1 }] },
    'src/b/index.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'src/hub.ts', line: 1 }] },
    'src/hub.ts': {},
  };
  const found = await scene({ start: 'workspace', expand: ['open:folder:src', 'open:folder:src/a', 'open:folder:src/b'] }, sketch);
  expect(found.nodes.map(node => node.label).sort()).toEqual(['a/index.ts', 'b/index.ts', 'hub.ts']);
  const focus = await scene({ start: 'focus', target: 'src/hub.ts' }, sketch);
  expect(focus.groups.map(group => group.label).sort()).toEqual(['src/a/index.ts', 'src/b/index.ts']);
});

test('symbols of one name are told apart by their files, or by the folders of these', async () => {
  const user = { symbols: [{ name: 'getConnection' }], references: [{ from: 'getConnection', relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: 1 }] };
  const found = await scene({ start: 'search', target: 'getConnection' }, { ...hub, 'src/a/connect.ts': user, 'src/b/connect.ts': user });
  expect(
    found.nodes
      .map(one => one.label)
      .filter(label => label.startsWith('getConnection'))
      .sort(),
  ).toEqual(['getConnection · a', 'getConnection · b']);
  const impact = await scene({ start: 'impact', target: 'src/hub.ts::hub' }, { ...hub, 'src/a.ts': user, 'src/b.ts': user });
  expect(impact.groups.map(group => group.label)).toEqual(expect.arrayContaining(['src/a.ts', 'src/b.ts']));
});

test('what an agent has claimed says so: the symbol, its file and its members, and nothing else', async () => {
  const records = await memoryRecords();
  const workspace = workspaceOf(shop, { records });
  const input = { targetId: 'src/pay.ts::Till', claimType: 'function', intent: 'fix rounding' };
  await invoke(TOOLS, workspace, { name: 'agent_claim', input, agentId: 'ada', sessionId: 's' }, neverCancelled);
  const claimed = ({ nodes }: SceneDto): string[] => nodes.filter(node => node.claimed !== undefined).map(({ id }) => id);
  const around = await scene({ start: 'focus', target: 'src/pay.ts' }, shop, { records });
  expect(claimed(around)).toEqual(expect.arrayContaining(['src/pay.ts', 'src/pay.ts::Till']));
  expect(claimed(around)).not.toContain(total);
  expect(around.nodes.find(({ id }) => id === 'src/pay.ts::Till')?.claimed).toEqual(['ada: fix rounding']);
  expect(claimed(await scene({ start: 'focus', target: report }, shop, { records }))).not.toContain(report);
});
