import { expect, test } from 'vitest';
import { parseJsonc } from '../../server/src/code/resolve/languages/typescript/jsonc';

test.each([
  ['{"a": [1, true, null, "x"]}', { a: [1, true, null, 'x'] }],
  ['\uFEFF{"a": 1}', { a: 1 }],
  ['// first\n{ /* in */ "a": "// no comment", "b": [1, 2,], }\n// last', { a: '// no comment', b: [1, 2] }],
  ['{"a": "\\"/*", "b": "*/"}', { a: '"/*', b: '*/' }],
  ['{"a": }', undefined],
  ['{"a": 1', undefined],
  ['', undefined],
  [`// deep\n${'['.repeat(200_000)}`, undefined],
])('%.40j is read', (text, value) => {
  expect(parseJsonc(text)).toEqual(value);
});
