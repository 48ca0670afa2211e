import { expect, test } from 'vitest';
import type { SceneDto, SceneNodeDto } from '../../../server/protocol/features';
import { visibleScene } from '../../../webview/src/graph/present';
import { sheetOf } from '../../../webview/src/graph/sheet/sheetModel';

function node(id: string, column: number, isTest = false): SceneNodeDto {
  const place = { path: 'src/a.ts', line: 3, language: 'typescript', signature: '', summary: '' };
  return {
    id,
    label: id,
    kind: 'function',
    role: column === 0 ? 'start' : 'step',
    isTest,
    column,
    lane: 'main',
    confidence: 1,
    weight: 0,
    size: 1,
    reach: [],
    ...place,
  };
}

function sceneOf(nodes: readonly SceneNodeDto[], risk?: 'low'): SceneDto {
  return {
    layout: 'sheet',
    title: 'pay',
    summary: '',
    starts: ['pay'],
    nodes: [node('pay', 0), ...nodes],
    edges: [],
    groups: [],
    expanded: [],
    omitted: { nodes: 0, edges: 0 },
    facets: { relations: [], kinds: [], languages: [] },
    stamp: { revision: 1, head: '', pendingFiles: 0 },
    ...(risk === undefined ? {} : { risk }),
  };
}

function titles(nodes: readonly SceneNodeDto[], risk?: 'low'): string[] {
  return sheetOf(sceneOf(nodes, risk)).columns.map(column => column.title);
}

test('columns count what is no test, certain and possible apart; a column of tests alone says that it is one', () => {
  const nodes = [node('till', 1), node('till.test', 1, true), node('desk.test', 2, true)];
  expect(titles(nodes, 'low')).toEqual(['Changed', 'Direct dependents · 1', 'Tests at distance 2']);
  expect(titles([node('till.test', 1, true)], 'low')).toEqual(['Changed', 'Direct tests']);
  expect(titles(nodes)).toEqual(['In focus', 'Uses · 1', 'Uses · 2 steps · 1']);
  expect(titles([...nodes, { ...node('safe', 1), confidence: 0.5 }])[1]).toBe('Uses · 1 and 1 possible');
  const box: SceneNodeDto = { ...node('src', 1), role: 'box', size: 1200, possible: 150 };
  expect(titles([...nodes, box])[1]).toBe('Uses · 1,051 and 150 possible');
});

test('tests alone at the end, at several distances, stand in one column; direct tests stand apart', () => {
  const tests = [1, 2, 3, 5].map(distance => node(`${distance}.test`, distance, true));
  const columns = sheetOf(sceneOf([node('till', 2), ...tests], 'low')).columns;
  expect(columns.map(({ column, title }) => [column, title])).toEqual([
    [0, 'Changed'],
    [1, 'Direct tests'],
    [2, 'Distance 2 · 1'],
    [3, 'Tests at distance 3 to 5'],
  ]);
  expect(columns[3]?.cards.map(card => card.id)).toEqual(['3.test', '5.test']);
  expect(titles(tests, 'low')).toEqual(['Changed', 'Direct tests', 'Tests at distance 2 to 5']);
});

test('folders go by what tells them apart where all share a long path, tests and other code each by their own', () => {
  const box = (path: string, isTest: boolean): SceneNodeDto => ({ ...node(path, 1, isTest), role: 'box', kind: 'folder', path });
  const namesOf = (nodes: readonly SceneNodeDto[]): string[] =>
    sheetOf(sceneOf(nodes, 'low'))
      .columns.slice(1)
      .flatMap(column => column.cards.flatMap(card => card.rows.map(row => row.name)));
  const java = ['src/main/java/org/nodes', 'src/main/java/org/Parser.java'].map(path => box(path, false));
  const rest: SceneNodeDto = { ...node('3 more files', 1), role: 'box' };
  const tests = ['src/test/java/org/nodes', 'src/test/java/org/select'].map(path => box(path, true));
  expect(namesOf([...java, rest, ...tests])).toEqual(['nodes', 'Parser.java', '3 more files', 'nodes', 'select']);
  expect(namesOf(['modules/http', 'caddy.go'].map(path => box(path, false)))).toEqual(['modules/http', 'caddy.go']);
});

test('the evidence of an impact is drawn from column to column, also where nothing stands at a distance between', () => {
  const far: SceneNodeDto = { ...node('shop.test', 3, true), via: { id: 'till', relation: 'CALLS', line: 1 } };
  const edges = [{ source: 'shop.test', target: 'till', links: [], count: 1, confidence: 1 }];
  const mainOf = (nodes: readonly SceneNodeDto[]): boolean[] => sheetOf({ ...sceneOf(nodes, 'low'), edges }).lines.map(line => line.isMain);
  expect(mainOf([node('till', 1), far])).toEqual([true]);
  expect(mainOf([node('till', 1), node('desk', 2), far])).toEqual([false]);
});

test('a node with two places has a row and a line in both columns, and both titles count it', () => {
  const both: SceneNodeDto = { ...node('ping', -1), again: { column: 1, lane: 'main', confidence: 1, parent: 'out' } };
  const edges = [
    { source: 'ping', target: 'pay', links: [], count: 1, confidence: 1 },
    { source: 'pay', target: 'ping', links: [], count: 1, confidence: 1 },
    { source: 'ping', target: 'desk', links: [], count: 1, confidence: 1 },
  ];
  const groups = [{ id: 'out', label: 'src/a.ts', kind: 'file', size: 1 } as const];
  const scene = { ...sceneOf([both, node('desk', 1)]), edges, groups };
  const { columns, lines } = sheetOf(scene);
  expect(columns.map(column => column.title)).toEqual(['Used by · 1', 'In focus', 'Uses · 2']);
  expect(columns.at(-1)?.cards[0]).toMatchObject({ id: 'out', rows: [{ place: 'again:ping', node: { id: 'ping' } }] });
  expect(lines.map(({ from, to, isMain }) => [from, to, isMain])).toEqual([
    ['ping', 'pay', true],
    ['pay', 'again:ping', true],
    ['again:ping', 'desk', false],
  ]);
  // The group of its second place is closed: what is left stands once, and the group counts it.
  const closed = visibleScene(scene, { hidden: [], collapsed: ['out'] });
  expect(closed.nodes.map(({ again, column, id, size }) => ({ id, column, size, again }))).toEqual([
    { id: 'pay', column: 0, size: 1, again: undefined },
    { id: 'ping', column: -1, size: 1, again: undefined },
    { id: 'desk', column: 1, size: 1, again: undefined },
    { id: 'out', column: 1, size: 1, again: undefined },
  ]);
});
