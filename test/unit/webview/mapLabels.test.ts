import { expect, test } from 'vitest';
import type { Drawing, DrawnNode } from '../../../webview/src/graph/drawing';
import { COLOR_BLOCKS_SCALE, LINE_PX, type MapLabel, mapLabels, NODE_NAMES_SCALE } from '../../../webview/src/graph/mapLabels';

const measure = (text: string): number => text.length * 6;

/** Four hundred nodes in columns, with a frame around each ten rows. */
function crowd(): Drawing {
  const nodes: DrawnNode[] = Array.from({ length: 400 }, (_, place) => ({
    id: `n${place}`,
    label: `Part${place}.member`,
    kind: 'method',
    classes: place === 0 ? ['start'] : [],
    position: { x: Math.floor(place / 40) * 190, y: (place % 40) * 40 },
    width: 150,
    height: 30,
    weight: place / 400,
  }));
  const frames = [0, 1, 2, 3].map(band => ({
    id: `f${band}`,
    label: `packages/area${band}`,
    kind: 'package',
    size: 100,
    rect: { x: 860, y: band * 400 + 180, width: 1900, height: 396 },
  }));
  return { nodes, edges: [], frames };
}

function overlapping(labels: readonly MapLabel[], zoom: number): string[] {
  const boxes = labels.map(({ text, x, y, width }) => ({
    text,
    left: x * zoom,
    right: x * zoom + width,
    top: y * zoom - LINE_PX / 2,
    bottom: y * zoom + LINE_PX / 2,
  }));
  return boxes.flatMap((a, place) =>
    boxes.slice(place + 1).flatMap(b => (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom ? [`${a.text} / ${b.text}`] : [])),
  );
}

test.each([0.05, 0.12, 0.2, 0.3, COLOR_BLOCKS_SCALE - 0.01])(
  'at scale %d names stand apart: the start, the groups with their sizes, then what matters most',
  zoom => {
    const drawing = crowd();
    const labels = mapLabels(drawing, zoom, measure);
    expect(overlapping(labels, zoom)).toEqual([]);
    const texts = labels.map(label => label.text);
    // It stands where the title of its own group would.
    expect(texts[0]).toBe('Part0.member');
    expect(texts.filter(text => text.startsWith('packages/area')).length).toBe(3);
    if (zoom > 0.1) expect(texts).toContain('packages/area3 · 100');
    if (zoom > 0.1) expect(texts).toContain('Part399.member');
    expect(mapLabels({ ...drawing, nodes: drawing.nodes.toReversed(), frames: drawing.frames.toReversed() }, zoom, measure)).toEqual(labels);
  },
);

test('names are whole at every scale; nodes without room for theirs are named by their group', () => {
  for (const zoom of [0.45, 0.6, NODE_NAMES_SCALE - 0.01]) {
    const texts = mapLabels(crowd(), zoom, measure).map(label => label.text);
    expect(texts.filter(text => text.includes('…'))).toEqual([]);
    expect(texts).toEqual(expect.arrayContaining(['Part0.member', 'packages/area3 · 100', 'Part399.member']));
  }
});

test('nodes that are large enough carry their names themselves', () => {
  expect(mapLabels(crowd(), NODE_NAMES_SCALE, measure)).toEqual([]);
});

test('a group in one node says how many it holds, in one line', () => {
  const box: DrawnNode = { id: 'b', label: 'packages\n3711 files', kind: 'folder', classes: ['box'], position: { x: 0, y: 0 }, width: 130, height: 46 };
  const of = (zoom: number): string[] => mapLabels({ nodes: [box], edges: [], frames: [] }, zoom, measure).map(label => label.text);
  expect([of(0.7), of(0.2)]).toEqual([['packages · 3711 files'], ['packages · 3711 files']]);
});
