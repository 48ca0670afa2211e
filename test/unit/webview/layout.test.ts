import { expect, test } from 'vitest';
import { arrange } from '../../../webview/src/graph/layout/arrangement';
import type { LayoutNode, LayoutRequest } from '../../../webview/src/graph/layout/layoutTypes';

function node(id: string, more: Partial<LayoutNode> = {}): LayoutNode {
  return { id, width: 120, height: 30, ...more };
}

function requestOf(nodes: readonly LayoutNode[], more: Partial<LayoutRequest> = {}): LayoutRequest {
  return { nodes, groups: [], edges: [], ratio: 1.5, ...more };
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

const many = Array.from({ length: 90 }, (_, at) => node(`n${at}`));
const groups = [{ id: 'a' }, { id: 'b' }, { id: 'c', parent: 'b' }];
const grouped = many.map((one, at) => ({ ...one, parent: ['a', 'b', 'c'][at % 3] ?? 'a' }));

test.each<[string, LayoutRequest]>([
  ['no groups', requestOf(many)],
  ['groups', requestOf(grouped, { groups: groups.slice(0, 2) })],
  ['groups in groups', requestOf(grouped, { groups })],
])('nothing lies on anything else: %s', (_name, request) => {
  expect(overlaps(request)).toEqual([]);
});

test('the same request gives the same places', () => {
  const request = requestOf(grouped, { groups });
  expect(arrange(request)).toEqual(arrange(request));
});

test('what is there stays in its row when something is added or taken away', () => {
  const before = arrange(requestOf(many));
  const known = before.memory.rows[''] ?? [];
  const added = requestOf([...many, node('new1'), node('new2')], { memory: before.memory });
  expect(arrange(added).memory.rows['']?.slice(0, known.length)).toEqual(known);
  expect(overlaps(added)).toEqual([]);
  const fewer = requestOf(
    many.filter(({ id }) => id !== known[0]?.[0]),
    { memory: before.memory },
  );
  expect(arrange(fewer).memory.rows['']).toEqual([known[0]?.slice(1), ...known.slice(1)]);
});

test('a group that is opened keeps its place in its row', () => {
  const closed: LayoutRequest = {
    ...requestOf([node('x'), node('y'), node('z')]),
    edges: [
      { source: 'x', target: 'z' },
      { source: 'y', target: 'z' },
    ],
  };
  const before = arrange(closed);
  const after = arrange({
    ...closed,
    nodes: [node('x'), node('z'), node('y1', { parent: 'y' }), node('y2', { parent: 'y' })],
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
  const request = requestOf(grouped, { groups });
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
    const places = Object.values(arrange(requestOf(many, { ratio })).positions);
    const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
    return spread(places.map(place => place.x)) / spread(places.map(place => place.y));
  };
  expect(shapeOf(2.5)).toBeGreaterThan(shapeOf(0.7));
});

test('as many nodes as are ever shown at once all have a place of their own', () => {
  const nodes = Array.from({ length: 600 }, (_, at) => node(`n${at}`));
  const edges = nodes.map((one, at) => ({ source: one.id, target: `n${(at * 7) % 600}` }));
  expect(overlaps(requestOf(nodes, { edges }))).toEqual([]);
});

test('a long chain of boxes fills the place for it rather than one tall column', () => {
  const nodes = Array.from({ length: 24 }, (_, at) => node(`n${at}`));
  const edges = nodes.slice(1).map((one, at) => ({ source: `n${at}`, target: one.id }));
  const request = requestOf(nodes, { edges });
  const places = Object.values(arrange(request).positions);
  const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
  const shape = spread(places.map(place => place.x)) / spread(places.map(place => place.y));
  expect(shape).toBeGreaterThan(0.7);
  expect(shape).toBeLessThan(3);
  expect(overlaps(request)).toEqual([]);
});
