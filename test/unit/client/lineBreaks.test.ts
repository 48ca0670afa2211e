import { expect, test } from 'vitest';
import { collapseLineBreaks, expandLineBreaks } from '../../../client/src/lineBreaks';

test('a text of several lines comes back from a single one as it was, with the line breaks of the editor', () => {
  const text = 'Keys are hashed.\n\nNames never show.';
  expect(collapseLineBreaks(text)).not.toMatch(/[\r\n]/);
  expect(expandLineBreaks(collapseLineBreaks(text))).toBe(text);
  expect(expandLineBreaks(collapseLineBreaks('one\r\ntwo'))).toBe('one\ntwo');
});
