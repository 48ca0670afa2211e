import { expect, test } from 'vitest';
import { onItsLines, onOneLine } from '../../../client/src/lineBreaks';

test('a text of several lines comes back from a single one as it was, with the line breaks of the editor', () => {
  const text = 'Keys are hashed.\n\nNames never show.';
  expect(onOneLine(text)).not.toMatch(/[\r\n]/);
  expect(onItsLines(onOneLine(text))).toBe(text);
  expect(onItsLines(onOneLine('one\r\ntwo'))).toBe('one\ntwo');
});
