import { expect, test } from 'vitest';
import { JsonProblem, setInJson } from '../../../client/src/agents/jsonText';

const CASES: readonly { readonly name: string; readonly before: string; readonly after: string }[] = [
  { name: 'an empty file', before: '', after: '{\n  "a": {\n    "b": 1\n  }\n}\n' },
  { name: 'an empty object', before: '{}', after: '{\n  "a": {\n    "b": 1\n  }\n}' },
  { name: 'an object on one line', before: '{"x": 2}', after: '{"x": 2,\n  "a": {\n    "b": 1\n  }\n}' },
  { name: 'a comment after the last member', before: '{\n  "x": 2 // two\n}\n', after: '{\n  "x": 2, // two\n  "a": {\n    "b": 1\n  }\n}\n' },
  { name: 'a comment in an empty object', before: '{\n  // nothing yet\n}', after: '{\n  // nothing yet\n  "a": {\n    "b": 1\n  }\n}' },
  { name: 'a trailing comma', before: '{\n  "x": [1, 2,],\n}', after: '{\n  "x": [1, 2,],\n  "a": {\n    "b": 1\n  }\n}' },
  { name: 'a block comment before the comma', before: '{"x": 2 /* , */ , }', after: '{"x": 2 /* , */ ,\n  "a": {\n    "b": 1\n  }\n}' },
  { name: 'tabs', before: '{\n\t"x": 2\n}', after: '{\n\t"x": 2,\n\t"a": {\n\t\t"b": 1\n\t}\n}' },
  { name: 'Windows line ends', before: '{\r\n  "x": 2\r\n}\r\n', after: '{\r\n  "x": 2,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n' },
  { name: 'an existing value', before: '{\n  "a": {\n    "b": [0], // old\n    "c": 3\n  }\n}', after: '{\n  "a": {\n    "b": 1, // old\n    "c": 3\n  }\n}' },
  { name: 'a sibling', before: '{\n  "a": {\n    "c": 3\n  }\n}', after: '{\n  "a": {\n    "c": 3,\n    "b": 1\n  }\n}' },
  { name: 'a byte order mark', before: '\uFEFF{"a": {"b": 0}}', after: '\uFEFF{"a": {"b": 1}}' },
  { name: 'a member whose text looks like a bracket', before: '{"x": "}//"}', after: '{"x": "}//",\n  "a": {\n    "b": 1\n  }\n}' },
];

test.each(CASES)('sets a value in $name', ({ before, after }) => {
  expect(setInJson(before, ['a', 'b'], 1)).toBe(after);
});

const BROKEN = [
  '{',
  '{"a": }',
  '{"a": 1',
  '[1, 2',
  '{"a": "x}',
  'nonsense',
  '{} {}',
  '{a: 1}',
  '{"a": 1 "b": 2}',
  '{"a": \'x\'}',
  '[]',
  '"text"',
  '{"a": 5}',
  '{"a": tru}',
];

test.each(BROKEN)('refuses %s', before => {
  expect(() => setInJson(before, ['a', 'b'], 1)).toThrow(JsonProblem);
});
