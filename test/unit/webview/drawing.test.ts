import { expect, test } from 'vitest';
import { panOf } from '../../../webview/src/graph/camera';
import { archOf } from '../../../webview/src/graph/curves';
import { type DrawnNode, shortened, sizeOf } from '../../../webview/src/graph/drawing';

test.each([
  ['Context', 'Context'],
  ['DebugBreakpointWidgetContribution.doInit', 'DebugBreakpointWidge….doInit'],
  ['cloudflare-workers/conninfo.test.ts', 'cloudflare…/conninfo.test.ts'],
  ['anExtremelyLongNameWithoutAnyPartsInIt', '…eLongNameWithoutAnyPartsInIt'.slice(-28)],
  ['Short.anExtremelyLongNameOfAMemberOfIt', '…emelyLongNameOfAMemberOfIt'],
])('%s is told by its beginning and its end', (label, text) => {
  const short = shortened(label);
  expect(short.length).toBeLessThanOrEqual(28);
  expect(short.endsWith(text.slice(-12))).toBe(true);
  if (label.length > 28 && /[./]/.test(label) && !label.startsWith('Short')) expect(short).toBe(text);
});

test('capitals have the room that they take', () => {
  expect(sizeOf('README.md').width).toBeGreaterThan(sizeOf('readme.md').width);
});

const along = { from: -1000, to: 1000, share: 0.5, room: 500, zoom: 1 };

test('what fits stands in the middle', () => {
  expect(panOf({ ...along, from: -100, to: 100, at: 80 })).toBe(250);
});

test('what does not fit is shown around the place asked for, with no empty room beyond its ends', () => {
  expect(panOf({ ...along, at: 0 })).toBe(250);
  const atTheEnd = panOf({ ...along, at: 990 });
  expect(1000 + atTheEnd).toBeLessThan(500);
  expect(1000 + atTheEnd).toBeGreaterThan(400);
  const first = panOf({ ...along, at: -800 });
  expect(-1000 + first).toBeGreaterThan(0);
  expect(-1000 + first).toBeLessThan(100);
});

function box(x: number, y: number): DrawnNode {
  return { id: `${x} ${y}`, label: '', kind: 'folder', classes: [], position: { x, y }, width: 100, height: 40 };
}

test('lines between boxes leave and arrive at the sides that face each other', () => {
  const down = archOf(box(0, 0), box(30, 200));
  expect([down.start.y, down.end.y]).toEqual([20, 180]);
  const up = archOf(box(0, 0), box(30, -200));
  expect([up.start.y, up.end.y]).toEqual([-20, -180]);
  const across = archOf(box(0, 0), box(400, 90));
  expect([across.start.x, across.end.x]).toEqual([50, 350]);
});

test('between boxes of one row that are far apart the line passes over what stands between', () => {
  const over = archOf(box(0, 0), box(600, 0));
  expect([over.start.y, over.end.y]).toEqual([-20, -20]);
  for (const bend of over.bends) expect(bend.y).toBeLessThan(-40);
  expect(archOf(box(0, 0), box(150, 0)).start).toEqual({ x: 50, y: 0 });
});
