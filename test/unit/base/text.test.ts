import { expect, test } from 'vitest';
import { LineIndex, LineMap } from '../../../server/src/base/text';

test.each([
  ['', 1],
  ['a', 1],
  ['a\n', 2],
  ['a\r\nb\rc\nd', 4],
])('lines of %j', (text, lines) => {
  expect(new LineIndex(text).lineCount).toBe(lines);
});

test('offsets and positions are each other’s inverse at every offset', () => {
  const text = 'first\r\nzweite 🎈\n\nlast';
  const index = new LineIndex(text);
  for (let offset = 0; offset <= text.length; offset++) expect(index.offsetOf(index.positionOf(offset))).toBe(offset);
});

test('places outside the text are clamped', () => {
  const index = new LineIndex('ab\ncd');
  expect(index.positionOf(99)).toEqual({ line: 1, column: 2 });
  expect(index.positionOf(-1)).toEqual({ line: 0, column: 0 });
  expect(index.offsetOf({ line: 7, column: 0 })).toBe(5);
});

test.each([
  ['a\nb\nc', 'x\na\nb\nc', [2, 3, 4], 1],
  ['a\nb\nc', 'a\nc', [1, 2, 2], 2],
  ['a\nb\nc\nd', 'a\nx\ny\nz\nd', [1, 2, 3, 5], 2],
  ['a\r\nb', 'a\nb\nc', [1, 2], 3],
  ['a\nb', '', [1, 1], 1],
])('lines of %j in %j', (before, now, lines, firstChange) => {
  const map = new LineMap(before, now);
  expect(lines.map((_, at) => map.lineOf(at + 1))).toEqual(lines);
  expect(map.firstChange).toBe(firstChange);
});
