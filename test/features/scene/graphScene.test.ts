import { expect, test } from 'vitest';
import type { SceneDto, SceneParams } from '../../../server/protocol/features';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { ok } from '../../../server/src/base/result';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { askFeature } from '../../helpers/askFeature';
import { bigShop } from '../../helpers/bigShop';
import { graphOf, type WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { type WorkspaceOptions, workspaceOf } from '../../helpers/workspaceOf';

const total = 'src/pay.ts::total';
const add = 'src/pay.ts::Till::add';
const checkout = 'src/checkout.ts::checkout';
const report = 'src/report.ts::report';
const testTotal = 'test/pay.test.ts::testTotal';

async function scene(query: SceneParams, sketch: WorkspaceSketch = shop, options: WorkspaceOptions = {}): Promise<SceneDto> {
  const found = await askFeature('graphScene', workspaceOf(sketch, options), query);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value as SceneDto;
}

/** `id@column` of each node, with `/lane` when it is not the main one. */
function places({ nodes }: SceneDto): string[] {
  return nodes.map(({ id, column, lane }) => `${id}@${column}${lane === 'main' ? '' : `/${lane}`}`);
}

function ids({ nodes }: SceneDto): string[] {
  return nodes.map(node => node.id);
}

function links({ edges }: SceneDto): string[] {
  return edges.map(edge => `${edge.source} > ${edge.target}: ${edge.links.map(link => link.relation).join()}`);
}

/** `hub` is called by twenty functions and uses two types. */
const hub: WorkspaceSketch = {
  'src/hub.ts': {
    symbols: [{ name: 'hub' }, { name: 'Options', kind: 'interface' }, { name: 'low' }],
    references: [
      { from: 'hub', relation: 'USES_TYPE', to: 'src/hub.ts::Options', line: 1 },
      { from: 'hub', relation: 'CALLS', to: 'src/hub.ts::low', line: 2 },
    ],
  },
  'src/users.ts': {
    symbols: Array.from({ length: 20 }, (_, at) => ({ name: `user${at + 10}` })),
    references: Array.from({ length: 20 }, (_, at) => ({ from: `user${at + 10}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
  },
};

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
  expect(till.summary).toBe('1 user, 0 tests; uses 1.');
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
  expect(file.summary).toBe('3 users, 2 tests; uses 0.');
});

test('many neighbors are folded by folder, those used most shown; what is folded opens in place, and says how many there are', async () => {
  const folders = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
  const users = (folder: string): WorkspaceSketch[string] => ({
    symbols: Array.from({ length: 8 }, (_, at) => ({ name: `${folder}User${at}` })),
    references: Array.from({ length: 8 }, (_, at) => ({ from: `${folder}User${at}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
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

test('impact is in columns by distance with the way to each node, maybes and tests marked', async () => {
  const found = await scene({ start: 'impact', target: total });
  expect(places(found)).toEqual([`${total}@0`, `${add}@1`, `${report}@1`, `${testTotal}@1/tests`, `${checkout}@2`, 'test/checkout.test.ts@3/tests']);
  expect(found.nodes.find(node => node.id === checkout)?.via).toEqual({ id: add, relation: 'CALLS', line: 5 });
  expect(found.nodes.find(node => node.id === report)?.confidence).toBe(0.4);
  expect(found.summary).toBe('2 dependents in 2 files, 2 tests, 1 possible. Reach: small.');
  expect(found.risk).toBe('low');
  expect(found.groups.map(group => group.label)).toEqual(['src/pay.ts', 'src/report.ts', 'test/pay.test.ts', 'src/checkout.ts', 'test/checkout.test.ts']);
  expect(found.spread).toEqual({ dependents: 3, parts: expect.any(Array), tests: 2, testFiles: 2 });
});

test('the way to an impacted node is whole whatever the budget', async () => {
  const found = await scene(
    { start: 'impact', target: 'round', edgeBudget: 25, depth: 6 },
    bigShop({ areas: 4, filesPerArea: 4, functionsPerFile: 5, calls: 2 }),
  );
  const shown = new Set(ids(found));
  for (const { via } of found.nodes) expect(via === undefined || shown.has(via.id)).toBe(true);
  expect(found.edges.length).toBeLessThanOrEqual(25);
  expect(found.nodes.filter(node => node.role === 'box').length).toBeGreaterThan(0);
});

test('impact of changes starts from what changed since a revision', async () => {
  const changes: WorkspaceOptions['changes'] = since =>
    ok({
      since: since ?? '',
      truncated: false,
      files: [
        {
          path: 'src/pay.ts',
          status: 'modified',
          hunks: [{ added: { start: 12, end: 12 }, removed: { start: 12, end: 12 }, addedText: ['  return 1;'], removedText: ['  return 2;'] }],
          before: [{ id: total, start: 11, end: 13, nameLine: 11 }],
        },
      ],
    });
  const found = await scene({ start: 'changes', target: 'main..HEAD' }, shop, { changes });
  expect(found.title).toBe('Impact of changes since main..HEAD');
  expect(found.starts).toEqual([total]);
});

test('the workspace is shown as folders first; what is opened is a frame around its parts', async () => {
  const closed = await scene({ start: 'workspace', beside: true, expand: [] });
  expect(closed.layout).toBe('blocks');
  expect(closed.nodes.map(node => [node.id, node.size])).toEqual([
    ['folder:src', 4],
    ['folder:test', 2],
  ]);
  expect(links(closed)).toEqual(['folder:test > folder:src: CALLS,IMPORTS']);
  const opened = await scene({ start: 'workspace', expand: ['open:folder:src', 'open:src/pay.ts'] });
  expect(opened.groups.map(group => [group.id, group.parent])).toEqual([
    ['folder:src', undefined],
    ['src/pay.ts', 'folder:src'],
  ]);
  expect(opened.nodes.filter(node => node.parent === 'src/pay.ts').map(node => node.id)).toEqual(['src/pay.ts::Till', total]);
});

test('an overview opens the folder that holds most of the code, however many stand beside it', async () => {
  const beside = ['build', 'gallery', 'media', 'perf', 'tools'].map(folder => `${folder}/one.ts`);
  const most = ['a', 'b', 'c'].flatMap(folder => [1, 2, 3].map(file => `src/${folder}/${file}.ts`));
  const found = await scene({ start: 'workspace' }, Object.fromEntries([...beside, ...most].map(path => [path, {}])));
  expect(found.expanded).toEqual(['open:folder:src']);
  expect(ids(found)).toEqual(expect.arrayContaining(['folder:src/a', 'folder:gallery']));
});

test('folders that hold nothing but a folder are passed over', async () => {
  const deep: WorkspaceSketch = { 'a/b/c/one.ts': { symbols: [] }, 'a/b/d/two.ts': { symbols: [] }, 'x.ts': { symbols: [] } };
  const found = await scene({ start: 'workspace', expand: [] }, deep);
  expect(found.nodes.map(node => node.label)).toEqual(['a/b', 'x.ts']);
});

/** Number of the community that a node is in. */
function communityOf(sketch: WorkspaceSketch, id: string): string {
  const { view } = graphOf(sketch);
  return String(view.communities().of[view.find(id) ?? -1]);
}

test('the workspace can be shown by package and by community', async () => {
  expect(ids(await scene({ start: 'workspace', groupBy: 'package' }))[0]).toBe('package:');
  const shown = ids(await scene({ start: 'workspace', groupBy: 'community' }));
  expect(shown).toContain(`community:${communityOf(shop, total)}`);
});

test('a folder is shown with what it is linked with outside', async () => {
  const found = await scene({ start: 'folder', target: 'src/' });
  expect(found.nodes.filter(node => node.parent === 'folder:src').map(node => node.id)).toEqual([
    'src/pay.ts',
    'src/checkout.ts',
    'src/report.ts',
    'src/lonely.ts',
  ]);
  expect(found.nodes.filter(node => node.parent === undefined)).toEqual([]);
  const all = await scene({ start: 'folder', target: 'src/', beside: true });
  expect(all.nodes.filter(node => node.parent === undefined).map(node => node.id)).toEqual(['folder:test']);
  expect(ids(await scene({ start: 'folder', target: 'test' }))).toContain('test/pay.test.ts');
});

test('search results, a community and a path are scenes too', async () => {
  expect(ids(await scene({ start: 'search', target: 'bill' }))).toEqual([total]);
  expect((await scene({ start: 'community', target: communityOf(shop, total) })).groups.map(group => group.id)).toContain('folder:src');
  const path = await scene({ start: 'path', target: checkout, to: total });
  expect(places(path)).toEqual([`${checkout}@0`, `${add}@1`, `${total}@2`]);
  expect(path.summary).toBe('2 steps, 86% confidence.');
  expect((await scene({ start: 'path', target: total, to: checkout })).summary).toContain('against the direction');
  expect((await scene({ start: 'path', target: total, to: 'lonely' })).summary).toBe('No path found.');
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

const configured: WorkspaceSketch = {
  ...shop,
  ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => [`${name}.json`, {}])),
};

test('many files beside the folders of a workspace are one box, which opens', async () => {
  const all = { start: 'workspace', beside: true } as const;
  expect(ids(await scene({ ...all, expand: [] }, configured))).toEqual(expect.arrayContaining(['folder:src', 'folder:test', 'folder:.']));
  expect(ids(await scene(all, configured))).not.toContain('a.json');
  expect(ids(await scene({ ...all, expand: ['open:folder:.'] }, configured))).toContain('a.json');
  expect(ids(await scene(all, { ...shop, 'a.json': {} }))).toContain('a.json');
});

test('files that are linked with nothing do not crowd an overview of communities, until asked for', async () => {
  const found = await scene({ start: 'workspace', groupBy: 'community', beside: true }, configured);
  const bundle = found.nodes.find(node => node.role === 'bundle');
  expect(found.nodes.filter(node => node.role === 'box').every(node => node.size >= 3)).toBe(true);
  expect(bundle?.size).toBeGreaterThanOrEqual(7);
  const all = await scene({ start: 'workspace', groupBy: 'community', beside: true, expand: [bundle?.expand ?? ''] }, configured);
  expect(all.nodes.some(node => node.role === 'box' && node.size === 1)).toBe(true);
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

test('a folder is one of tests only when all its files are', async () => {
  const isTest = true;
  const sketch: WorkspaceSketch = {
    'src/hub.ts': { symbols: [{ name: 'hub' }] },
    'build/main.ts': { symbols: [{ name: 'main' }] },
    'build/main.test.ts': { isTest, symbols: [{ name: 'testMain' }, { name: 'testAgain' }] },
    'test/hub.test.ts': {
      isTest,
      symbols: [{ name: 'testHub' }, { name: 'testOther' }],
    },
  };
  const found = await scene({ start: 'workspace', beside: true }, sketch);
  expect(found.nodes.filter(one => one.isTest).map(one => one.id)).toEqual(['folder:test']);
});

test('a large community begins with its folders closed; each opens', async () => {
  const users = (folder: string): WorkspaceSketch => ({
    [`src/${folder}/users.ts`]: {
      symbols: Array.from({ length: 120 }, (_, at) => ({ name: `${folder}${at}` })),
      references: Array.from({ length: 120 }, (_, at) => ({ from: `${folder}${at}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
    },
  });
  const crowd: WorkspaceSketch = { ...hub, ...users('a'), ...users('b') };
  const target = communityOf(crowd, 'src/hub.ts::hub');
  const found = await scene({ start: 'community', target }, crowd);
  expect(found.groups).toEqual([]);
  expect(found.nodes.every(one => one.role === 'box')).toBe(true);
  const [first] = found.nodes;
  const open = await scene({ start: 'community', target, expand: [first?.expand ?? ''] }, crowd);
  expect(open.groups.map(group => group.id)).toEqual([first?.id]);
  expect(open.nodes.length).toBeGreaterThan(found.nodes.length);
});

test('an impact begins with what changed and nothing else, however much depends on it', async () => {
  // More than an answer tells of: the ways of some lead over others that it leaves out.
  const users = Array.from({ length: 3200 }, (_, at) => ({ name: `user${1000 + at}` }));
  const last = users.slice(3150);
  const sketch: WorkspaceSketch = {
    'src/hub.ts': { symbols: [{ name: 'hub' }] },
    'src/users.ts': {
      symbols: users,
      references: users.map(({ name }, at) => ({
        from: name,
        relation: 'CALLS' as const,
        to: { 'src/hub.ts::hub': at < 3150 ? 1 : 0.9 },
        line: at + 1,
      })),
    },
    'src/far.ts': {
      symbols: last.map(({ name }) => ({ name: `far${name}` })),
      references: last.map(({ name }, at) => ({ from: `far${name}`, relation: 'CALLS' as const, to: { [`src/users.ts::${name}`]: 0.5 }, line: at + 1 })),
    },
  };
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub', groupBy: 'none' }, sketch);
  expect(found.nodes.filter(one => one.role === 'start').map(one => one.id)).toEqual(['src/hub.ts::hub']);
  for (const one of found.nodes) if (one.role === 'step') expect(one.column, one.id).toBeGreaterThan(0);
});

test('evidence through what is not shown leads to the next thing that is', async () => {
  const sketch: WorkspaceSketch = {
    'src/app.py': {
      symbols: [
        { name: 'App', kind: 'class' },
        { name: 'App.run', kind: 'method' },
        { name: 'App.__call__', kind: 'method' },
      ],
      references: [{ from: 'App.__call__', relation: 'CALLS', to: 'src/app.py::App::run', line: 3 }],
    },
    'test/test_app.py': {
      isTest: true,
      symbols: [{ name: 'starts', modifiers: ['test'] }],
      references: [{ from: 'starts', relation: 'INSTANTIATES', to: 'src/app.py::App', line: 5 }],
    },
  };
  const found = await scene({ start: 'impact', target: 'src/app.py::App::run' }, sketch);
  expect(found.nodes.map(({ column, id, via }) => [column, id, via?.id])).toEqual([
    [0, 'src/app.py::App::run', undefined],
    [1, 'src/app.py::App::__call__', 'src/app.py::App::run'],
    [3, 'test/test_app.py::starts', 'src/app.py::App::__call__'],
  ]);
});

/** `hub` is used by so many functions of two folders, and through one of them by a third. */
const crowded: WorkspaceSketch = {
  'src/hub.ts': { symbols: [{ name: 'hub' }] },
  ...Object.fromEntries(
    ['near', 'other'].map(folder => [
      `src/${folder}/users.ts`,
      {
        symbols: Array.from({ length: 50 }, (_, at) => ({ name: `${folder}${at}` })),
        references: Array.from({ length: 50 }, (_, at) => ({ from: `${folder}${at}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
      },
    ]),
  ),
  'src/far/users.ts': {
    symbols: [{ name: 'far' }],
    references: [{ from: 'far', relation: 'CALLS', to: 'src/near/users.ts::near7', line: 3 }],
  },
  'test/hub.test.ts': {
    isTest: true,
    symbols: Array.from({ length: 9 }, (_, at) => ({ name: `test${at}`, modifiers: ['test'] as const })),
    references: Array.from({ length: 9 }, (_, at) => ({ from: `test${at}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
  },
};

test('an impact on many is shown in groups, each behind what it is reached through, with what it holds', async () => {
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub' }, crowded);
  const boxes = found.nodes.filter(node => node.role === 'box');
  expect(boxes.map(({ label, column, lane, counts }) => [label, column, lane, counts])).toEqual([
    ['src/near/users.ts', 1, 'main', { dependents: 50, tests: 0, possible: 0 }],
    ['src/other/users.ts', 1, 'main', { dependents: 50, tests: 0, possible: 0 }],
    ['src/far/users.ts', 2, 'main', { dependents: 1, tests: 0, possible: 0 }],
    ['test/hub.test.ts', 1, 'tests', { dependents: 0, tests: 9, possible: 0 }],
  ]);
  expect(boxes[2]?.via?.id).toBe(boxes[0]?.id);
  expect(found.spread).toEqual({
    dependents: 101,
    parts: [
      { label: 'src/near/users.ts', count: 50, isRest: false },
      { label: 'src/other/users.ts', count: 50, isRest: false },
      { label: 'src/far/users.ts', count: 1, isRest: false },
    ],
    tests: 9,
    testFiles: 1,
  });
});

test('a group of an impact opens in place, with the closest first: what most is reached through', async () => {
  const found = await scene({ start: 'impact', target: 'src/hub.ts::hub', expand: ['open:group:src/near/users.ts'] }, crowded);
  const rows = found.nodes.filter(node => node.role === 'step');
  expect(rows).toHaveLength(24);
  expect(rows[0]?.id).toBe('src/near/users.ts::near7');
  expect(found.nodes.find(node => node.role === 'bundle')).toMatchObject({ size: 26, parent: 'group:src/near/users.ts' });
  expect(found.nodes.find(node => node.label === 'src/far/users.ts')?.via?.id).toBe('src/near/users.ts::near7');
});

test('an impact is put together by what is asked for', async () => {
  const crowd = bigShop({ areas: 6, filesPerArea: 4, functionsPerFile: 6, calls: 2 });
  const found = await scene({ start: 'impact', target: 'Money.add', depth: 4, groupBy: 'community' }, crowd);
  const boxes = found.nodes.filter(node => node.role === 'box');
  expect(boxes.length).toBeGreaterThan(1);
  expect(boxes.every(box => box.kind === 'community')).toBe(true);
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
