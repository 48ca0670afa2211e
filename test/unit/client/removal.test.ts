import { expect, test } from 'vitest';
import { hasInJson, removeFromJson, setInJson } from '../../../client/src/agents/jsonText';
import { entryFor, MCP_TARGETS } from '../../../client/src/agents/mcpTargets';
import { removeFromToml } from '../../../client/src/agents/tomlText';

test.each([
  ['the only member of everything', '{\n  "a": {\n    "b": 1\n  }\n}\n', ''],
  ['the only member of its object', '{\n  "x": 2,\n  "a": {\n    "b": 1\n  }\n}\n', '{\n  "x": 2\n}\n'],
  ['a first member', '{"a": {"b": 1, "c": 2}}', '{"a": {"c": 2}}'],
  ['a last member', '{"a": {"c": 2, "b": 1}}', '{"a": {"c": 2}}'],
  ['a last member on its own line', '{\n  "a": {\n    "c": 2, // two\n    "b": 1\n  }\n}', '{\n  "a": {\n    "c": 2 // two\n  }\n}'],
  ['a member before a trailing comma', '{\n  "a": {\n    "c": 2,\n    "b": 1,\n  }\n}', '{\n  "a": {\n    "c": 2,\n  }\n}'],
  ['a member beside a comment', '{\n  "a": {\n    // keep\n    "b": 1\n  }\n}', '{\n  "a": {\n    // keep\n  }\n}'],
  ['Windows line ends', '{\r\n  "a": {\r\n    "b": 1\r\n  },\r\n  "x": 2\r\n}\r\n', '{\r\n  "x": 2\r\n}\r\n'],
  ['nothing where nothing is', '{"a": {"c": 1}}', '{"a": {"c": 1}}'],
  ['nothing of an empty file', '', ''],
])('takes out %s', (_, before, after) => {
  expect(removeFromJson(before, ['a', 'b'])).toBe(after);
});

test('what was set is found and taken out again', () => {
  const text = '{\n  // mine\n  "x": [1],\n}\n';
  const set = setInJson(text, ['a', 'b'], { c: 1 });
  expect(hasInJson(set, ['a', 'b'])).toBe(true);
  expect(hasInJson(text, ['a', 'b'])).toBe(false);
  expect(removeFromJson(set, ['a', 'b']).replace(/,?\s*\}\s*$/, '')).toBe(text.replace(/,?\s*\}\s*$/, ''));
});

test.each(MCP_TARGETS)('$label: what was merged into a file of others goes again', target => {
  const entry = entryFor(target, { command: 'node', args: ['a'], env: { E: '1' } }, { tools: 'core', roots: [] });
  const others =
    target.id === 'codex' ? '[mcp_servers.other]\ncommand = "o"\n' : '{\n  "mcpServers": {\n    "other": {}\n  },\n  "servers": {\n    "other": {}\n  }\n}\n';
  const merged = target.merge(others, entry);
  expect(target.has(merged)).toBe(true);
  expect(target.has(others)).toBe(false);
  expect(target.remove(merged)).toBe(others);
  expect(target.remove(target.merge('', entry))).toBe('');
});

test('comments before the next table stay', () => {
  expect(removeFromToml('[a]\nx = 1\n\n# about b\n[b]\ny = 2\n', 'a')).toBe('\n# about b\n[b]\ny = 2\n');
});
