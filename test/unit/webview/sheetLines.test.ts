import { expect, test } from 'vitest';
import { type Box, curve, trunksOf } from '../../../webview/src/graph/sheet/sheetLines';

function box(column: number, y: number): Box {
  return { left: column * 300, right: column * 300 + 200, y, column };
}

/** Rows of column 0 that each have a line to one of `hubs` in column 1. */
function linesTo(hub: Box, count: number, firstY: number) {
  return Array.from({ length: count }, (_, at) => ({ id: `${hub.y} ${at}`, from: box(0, firstY + at * 25), to: hub }));
}

test('many lines to one row run together before they reach it, few do not', () => {
  const hub = box(1, 20);
  const trunks = trunksOf(linesTo(hub, 12, 100));
  const xs = new Set([...trunks.values()].map(({ x }) => x));
  expect([trunks.size, xs.size]).toEqual([12, 1]);
  const [x = 0] = xs;
  expect(x).toBeGreaterThan(200);
  expect(x).toBeLessThan(300);
  for (const { from, id, to } of linesTo(hub, 12, 100)) expect(curve(from, to, trunks.get(id)).path).toMatch(new RegExp(`L${x} 32Q${x} 20 `));
  expect(trunksOf(linesTo(hub, 3, 100)).size).toBe(0);
});

test('two rows with many lines have a way each; a row at about the same height is reached at once', () => {
  const [upper, lower] = [box(1, 20), box(1, 500)];
  const trunks = trunksOf([...linesTo(lower, 9, 300), ...linesTo(upper, 9, 10)]);
  expect(trunks.get('20 0')?.x).not.toBe(trunks.get('500 0')?.x);
  const level = curve(box(0, 10), upper, trunks.get('20 0'));
  expect(level.path).toBe(curve(box(0, 10), upper).path);
});

test('lines of a row that has many run together behind it too, and end with their arrows where they did', () => {
  const hub = box(0, 20);
  const lines = Array.from({ length: 10 }, (_, at) => ({ id: String(at), from: hub, to: box(1, 100 + at * 25) }));
  const trunks = trunksOf(lines);
  expect(trunks.size).toBe(10);
  for (const { from, id, to } of lines) expect(curve(from, to, trunks.get(id)).end).toEqual(curve(from, to).end);
});
