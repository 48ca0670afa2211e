import { expect, test } from 'vitest';
import { LineIndex } from '../../../server/src/base/text';

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
