import { expect, test } from 'vitest';
import type { SceneDto } from '../../../server/protocol/features';
import { type BlockPlaces, placeBlocks } from '../../../webview/src/graph/blocks/blockLayout';
import { routes } from '../../../webview/src/graph/blocks/blockRoutes';
import { lineText } from '../../../webview/src/graph/blocks/blocksView';
import { blockTree, type Level, trafficOf } from '../../../webview/src/graph/blocks/blockTree';

type Edge = readonly [source: string, target: string, count: number, loads?: number];

/** `a/b` is the node `b` in the group `a`. */
function sceneOf(nodes: Readonly<Record<string, number>>, edges: readonly Edge[], layers: Readonly<Record<string, number>> = {}): SceneDto {
  const groups = [...new Set(Object.keys(nodes).flatMap(id => (id.includes('/') ? [id.slice(0, id.lastIndexOf('/'))] : [])))];
  const made = Object.entries(nodes).map(([id, lines]) => ({
    id,
    label: id,
    lines,
    role: 'box',
    ...(id.includes('/') ? { parent: id.slice(0, id.lastIndexOf('/')) } : {}),
    ...(layers[id] === undefined ? {} : { layer: layers[id] }),
  }));
  return {
    nodes: made,
    groups: groups.map(id => ({ id, label: id, kind: 'folder', size: 1 })),
    edges: edges.map(([source, target, count, loads]) => ({ source, target, count, confidence: 1, links: [], ...(loads === undefined ? {} : { loads }) })),
  } as unknown as SceneDto;
}

const sizeOf = { leastSize: () => ({ width: 100, height: 44 }) };
const main = ({ links }: Level): string[] => links.filter(link => link.isMain).map(link => `${link.id}${link.isCycle ? ' cycle' : ''}`);

test('links of what is in a frame end at the frame for those outside of it', () => {
  const tree = blockTree(
    sceneOf({ app: 10, 'lib/a': 5, 'lib/b': 5 }, [
      ['app', 'lib/a', 2],
      ['app', 'lib/b', 1],
      ['lib/a', 'lib/b', 4],
    ]),
  );
  expect(tree.links.map(link => [link.id, link.count])).toEqual([['app→lib', 3]]);
  expect(tree.blocks.find(block => block.id === 'lib')?.frame?.level.links.map(link => link.id)).toEqual(['lib/a→lib/b']);
  expect(tree.blocks.find(block => block.id === 'lib')?.lines).toBe(10);
});

test('what heavier links imply is not drawn', () => {
  expect(
    main(
      blockTree(
        sceneOf({ a: 1, b: 1, c: 1 }, [
          ['a', 'b', 9],
          ['b', 'c', 8],
          ['a', 'c', 2],
        ]),
      ),
    ),
  ).toEqual(['a→b', 'b→c']);
});

test('what goes against the direction closes a cycle when imports load each other both ways, and else stays in the background', () => {
  const both = sceneOf({ a: 1, b: 1 }, [
    ['a', 'b', 9, 3],
    ['b', 'a', 1, 1],
  ]);
  expect(main(blockTree(both))).toEqual(['a→b', 'b→a cycle']);
  const erased = sceneOf({ a: 1, b: 1 }, [
    ['a', 'b', 9, 3],
    ['b', 'a', 1],
  ]);
  expect(main(blockTree(erased))).toEqual(['a→b']);
  expect(blockTree(both).links.every(link => link.isInCycle)).toBe(true);
});

const ROWS = { a: 40, b: 900, c: 30, d: 20, e: 10, f: 5 };
const LINKS: readonly Edge[] = [
  ['a', 'b', 9],
  ['b', 'c', 8],
  ['b', 'd', 7],
  ['c', 'e', 6],
  ['d', 'e', 5],
  ['a', 'f', 4],
  ['e', 'f', 3],
];

function placed(scene: SceneDto, width = 600): { readonly tree: Level; readonly found: BlockPlaces } {
  const tree = blockTree(scene);
  return { tree, found: placeBlocks(tree, { width, height: 700, ...sizeOf }) };
}

test('users stand above what they use, nothing overlaps, and more code is a larger block', () => {
  const { tree, found } = placed(sceneOf(ROWS, LINKS));
  const place = (id: string): { x: number; y: number; width: number; height: number } => found.places.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
  for (const { source, target } of tree.links.filter(link => link.isMain)) expect(place(source).y + place(source).height).toBeLessThan(place(target).y);
  const all = [...found.places.values()];
  for (const [at, one] of all.entries())
    for (const other of all.slice(at + 1))
      expect(one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y).toBe(true);
  const area = (id: string): number => place(id).width * place(id).height;
  expect(area('b')).toBeGreaterThan(area('a') * 3);
  expect(placed(sceneOf(ROWS, LINKS)).found).toEqual(found);
});

test('a row that is too wide is broken', () => {
  const wide = sceneOf(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`n${at}`, 10])), []);
  for (const width of [400, 1200]) for (const { x, width: own } of placed(wide, width).found.places.values()) expect(x + own).toBeLessThanOrEqual(width);
});

test('what breaks a rule is drawn whatever implies it, and says so', () => {
  const links: Edge[] = [
    ['a', 'b', 9],
    ['b', 'c', 9],
    ['a', 'c', 1],
  ];
  const scene = sceneOf({ a: 1, b: 1, c: 1 }, links);
  expect(main(blockTree(scene))).toEqual(['a→b', 'b→c']);
  const [, , last] = scene.edges;
  const tree = blockTree({ ...scene, edges: [...scene.edges.slice(0, 2), ...(last === undefined ? [] : [{ ...last, violations: 1 }])] });
  expect(main(tree)).toEqual(['a→b', 'b→c', 'a→c']);
  expect(tree.links.map(lineText)[2]).toMatch(/1 violation$/);
});

test('layers stand in their order whatever uses what', () => {
  const { found } = placed(sceneOf({ low: 10, high: 10 }, [['low', 'high', 5]], { high: 0, low: 1 }));
  expect(found.places.get('high')?.y).toBeLessThan(found.places.get('low')?.y ?? 0);
  expect(found.levels.flatMap(level => level.bands.map(band => band.layer))).toEqual([0, 1]);
});

/** Numbers of a path, as points; curves by their ends and control points, which lie in the gaps as well. */
function points(path: string): { readonly x: number; readonly y: number }[] {
  const found: { x: number; y: number }[] = [];
  for (const [, command, text = ''] of path.matchAll(/([MVC])([^MVC]*)/g)) {
    const numbers = text
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    if (command === 'V') found.push({ x: found.at(-1)?.x ?? 0, y: numbers[0] ?? 0 });
    else for (let at = 0; at + 1 < numbers.length; at += 2) found.push({ x: numbers[at] ?? 0, y: numbers[at + 1] ?? 0 });
  }
  return found;
}

test('lines run around the blocks that they have nothing to do with', () => {
  const { found } = placed(sceneOf(ROWS, LINKS));
  for (const level of found.levels) {
    for (const [id, { path }] of routes(level, level.level.links, found.places)) {
      const [source, target] = id.split('→');
      const line = points(path);
      for (const [block, { x, y, width, height }] of found.places) {
        if (block === source || block === target) continue;
        const inside = line.some(point => point.x > x && point.x < x + width && point.y > y && point.y < y + height);
        expect([id, block, inside]).toEqual([id, block, false]);
      }
    }
  }
});

test('calls and events between services are told at their line, however light it is', () => {
  const scene = sceneOf({ web: 10, orders: 10, db: 1 }, [
    ['web', 'orders', 3],
    ['orders', 'db', 1],
    ['web', 'db', 1],
  ]);
  const link = (relation: string, count: number) => ({ relation, count, confidence: 1, provenance: '', line: 0 });
  const links = [[link('SERVICE_CALLS', 2), link('PUBLISHES_EVENT', 1)], [link('USES_STORE', 1)], [link('SERVICE_CALLS', 1)]];
  const tree = blockTree({ ...scene, edges: scene.edges.map((edge, at) => ({ ...edge, links: links[at] ?? [] })) });
  expect(tree.links.map(each => [each.id, trafficOf(each), each.isMain])).toEqual([
    ['web→orders', '2 calls, 1 event', true],
    ['orders→db', 'store', true],
    ['web→db', '1 call', true],
  ]);
});

test('what one block leads to stands side by side in the order of the scene, as steps follow each other', () => {
  const { found, tree } = placed(
    sceneOf({ start: 1, second: 1, first: 1, last: 1 }, [
      ['start', 'second', 1],
      ['start', 'first', 1],
      ['start', 'last', 1],
    ]),
  );
  const readingOf = (id: string): number => (found.places.get(id)?.y ?? 0) * 10_000 + (found.places.get(id)?.x ?? 0);
  const shown = tree.blocks.map(block => block.id).toSorted((a, b) => readingOf(a) - readingOf(b));
  expect(new Set(shown.map(readingOf)).size).toBe(shown.length);
  expect(shown).toEqual(['start', 'second', 'first', 'last']);
});
