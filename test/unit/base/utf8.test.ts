import { expect, test } from 'vitest';
import { utf8Length } from '../../../server/src/base/text';

test.each(['', 'plain', 'é', '€', '😀', 'a😀é€', '\ud800', '\ud800x', 'x\udc00'])('%j has as many bytes as its UTF-8', text => {
  expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'));
});
