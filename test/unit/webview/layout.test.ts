import { expect, test } from 'vitest';
import { arrange } from '../../../webview/src/graph/layout/arrangement';
import type { LayoutNode, LayoutRequest } from '../../../webview/src/graph/layout/layoutTypes';

function node(id: string, column: number, more: Partial<LayoutNode> = {}): LayoutNode {
  return { id, column, lane: 'main', width: 120, height: 30, isBundle: false, ...more };
}

function columns(nodes: readonly LayoutNode[], more: Partial<LayoutRequest> = {}): LayoutRequest {
  return { layout: 'columns', nodes, groups: [], edges: [], ratio: 1.5, ...more };
}

/** Pairs of nodes whose rectangles touch. */
function overlaps(request: LayoutRequest): string[] {
  const { positions } = arrange(request);
  const found: string[] = [];
  for (const [at, a] of request.nodes.entries()) {
    for (const b of request.nodes.slice(at + 1)) {
      const [one, two] = [positions[a.id], positions[b.id]];
      if (one === undefined || two === undefined) found.push(`${a.id} or ${b.id} has no place`);
      else if (Math.abs(one.x - two.x) < (a.width + b.width) / 2 && Math.abs(one.y - two.y) < (a.height + b.height) / 2) found.push(`${a.id} ${b.id}`);
    }
  }
  return found;
}

const many = Array.from({ length: 90 }, (_, at) => node(`n${at}`, (at % 5) - 2, { lane: at % 7 === 0 ? 'tests' : at % 5 === 0 ? 'types' : 'main' }));
const groups = [{ id: 'a' }, { id: 'b' }, { id: 'c', parent: 'b' }];
const grouped = many.map((one, at) => ({ ...one, parent: ['a', 'b', 'c'][at % 3] ?? 'a' }));

test.each<[string, LayoutRequest]>([
  ['lanes', columns(many)],
  ['groups', columns(grouped, { groups: groups.slice(0, 2) })],
  ['boxes', { ...columns(grouped, { groups }), layout: 'boxes' }],
])('nothing lies on anything else: %s', (_name, request) => {
  expect(overlaps(request)).toEqual([]);
});

test('users stand to the left of the start, uses to the right, types above and tests below', () => {
  const { positions } = arrange(
    columns([node('start', 0), node('user', -1), node('used', 1), node('type', 1, { lane: 'types' }), node('test', -1, { lane: 'tests' })]),
  );
  const at = (id: string): { x: number; y: number } => positions[id] ?? { x: Number.NaN, y: Number.NaN };
  expect(at('start')).toEqual({ x: 0, y: 0 });
  expect(at('user').x).toBeLessThan(0);
  expect(at('used').x).toBeGreaterThan(0);
  expect(at('type').y).toBeLessThan(at('used').y);
  expect(at('test').y).toBeGreaterThan(at('user').y);
});

test.each<'columns' | 'boxes'>(['columns', 'boxes'])('the same request gives the same places: %s', layout => {
  const request: LayoutRequest = { ...columns(grouped, { groups: groups.slice(0, 2) }), layout };
  expect(arrange(request)).toEqual(arrange(request));
});

test('what is there stays where it is when something is added to its columns', () => {
  const before = arrange(columns(many));
  const added = columns([...many, node('new1', 1), node('new2', -2), node('new3', 0)], { memory: before.memory });
  const after = arrange(added);
  for (const { id, lane } of many) if (lane === 'main') expect(after.positions[id], id).toEqual(before.positions[id]);
  expect(overlaps(added)).toEqual([]);
});

test('what is taken away leaves its place free and moves nothing', () => {
  const before = arrange(columns(many));
  const fewer = many.filter((_, at) => at % 4 !== 1);
  const after = arrange(columns(fewer, { memory: before.memory }));
  for (const { id, lane } of fewer) if (lane === 'main') expect(after.positions[id], id).toEqual(before.positions[id]);
});

test('a group that is opened keeps its place in its row', () => {
  const closed: LayoutRequest = {
    ...columns([node('x', 0), node('y', 0), node('z', 0)]),
    layout: 'boxes',
    edges: [
      { source: 'x', target: 'z' },
      { source: 'y', target: 'z' },
    ],
  };
  const before = arrange(closed);
  const after = arrange({
    ...closed,
    nodes: [node('x', 0), node('z', 0), node('y1', 0, { parent: 'y' }), node('y2', 0, { parent: 'y' })],
    groups: [{ id: 'y' }],
    edges: [
      { source: 'x', target: 'z' },
      { source: 'y1', target: 'z' },
    ],
    memory: before.memory,
  });
  expect(after.memory.rows['']).toEqual(before.memory.rows['']);
  expect(Math.sign((after.frames['y']?.x ?? 0) - (after.positions['x']?.x ?? 0))).toBe(
    Math.sign((before.positions['y']?.x ?? 0) - (before.positions['x']?.x ?? 0)),
  );
});

test('frames hold their nodes and the frames inside them', () => {
  const request: LayoutRequest = { ...columns(grouped, { groups }), layout: 'boxes' };
  const { frames, positions } = arrange(request);
  const holds = (frame: string, x: number, y: number): boolean => {
    const rect = frames[frame];
    return rect !== undefined && Math.abs(rect.x - x) < rect.width / 2 && Math.abs(rect.y - y) < rect.height / 2;
  };
  for (const { id, parent = '' } of grouped) expect(holds(parent, positions[id]?.x ?? 0, positions[id]?.y ?? 0), id).toBe(true);
  expect(holds('b', frames['c']?.x ?? 0, frames['c']?.y ?? 0)).toBe(true);
});

test('the drawing takes the shape of the place for it', () => {
  const shapeOf = (ratio: number): number => {
    const places = Object.values(arrange(columns(many, { ratio })).positions);
    const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
    return spread(places.map(place => place.x)) / spread(places.map(place => place.y));
  };
  expect(shapeOf(2.5)).toBeGreaterThan(shapeOf(0.7));
});

test('as many nodes as are ever shown at once all have a place of their own', () => {
  const nodes = Array.from({ length: 600 }, (_, at) => node(`n${at}`, at % 6));
  const edges = nodes.map((one, at) => ({ source: one.id, target: `n${(at * 7) % 600}` }));
  expect(overlaps(columns(nodes, { edges }))).toEqual([]);
});

test('nodes of a column begin at the side that faces the start, and a column is no wider than its widest node', () => {
  const request = columns([node('start', 0), node('a', 1, { width: 90 }), node('b', 1, { width: 180 }), node('user', -1, { width: 200 }), node('far', 2)]);
  const { positions, captions } = arrange(request);
  const edge = (id: string, side: 1 | -1): number => {
    const { width = 0 } = request.nodes.find(one => one.id === id) ?? {};
    return (positions[id]?.x ?? 0) + (side * width) / 2;
  };
  expect(edge('a', -1)).toBe(edge('b', -1));
  expect(edge('a', -1) - edge('start', 1)).toBe(edge('start', -1) - edge('user', 1));
  expect(edge('far', -1) - edge('b', 1)).toBe(edge('b', -1) - edge('start', 1));
  expect(new Set(captions.map(caption => caption.column))).toEqual(new Set([-1, 1, 2]));
});

test('what stands for more in a picture with groups is above them', () => {
  const request = columns([node('start', 0), ...grouped.filter(one => one.column > 0), node('more', 1, { isBundle: true })], { groups });
  const { positions } = arrange(request);
  for (const one of request.nodes) if (one.id !== 'more') expect(positions['more']?.y, one.id).toBeLessThan(positions[one.id]?.y ?? 0);
});

test('a long chain of boxes fills the place for it rather than one tall column', () => {
  const nodes = Array.from({ length: 24 }, (_, at) => node(`n${at}`, 0));
  const edges = nodes.slice(1).map((one, at) => ({ source: `n${at}`, target: one.id }));
  const request: LayoutRequest = { ...columns(nodes, { edges }), layout: 'boxes' };
  const places = Object.values(arrange(request).positions);
  const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
  const shape = spread(places.map(place => place.x)) / spread(places.map(place => place.y));
  expect(shape).toBeGreaterThan(0.7);
  expect(shape).toBeLessThan(3);
  expect(overlaps(request)).toEqual([]);
});
