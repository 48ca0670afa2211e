import { expect, test } from 'vitest';
import { graphOf, type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { add, checkout, hub, ids, links, places, scene, total } from './sceneOf';

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
