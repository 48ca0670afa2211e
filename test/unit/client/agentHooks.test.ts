import { expect, test } from 'vitest';
import { AGENT_HOOKS, withHooks } from '../../../client/src/agents/agentHooks';
import { appendToJson, itemsInJson, removeItemsFromJson } from '../../../client/src/agents/jsonText';

const HOOK = "test ! -x '/data/bin/lattice-hook' || '/data/bin/lattice-hook'";

interface Settings {
  readonly permissions?: unknown;
  readonly hooks: Readonly<Record<string, readonly { readonly matcher?: string; readonly hooks: readonly { readonly command: string }[] }[]>>;
}

test('a new file gets a hook for each event', () => {
  const { hooks } = JSON.parse(withHooks('', HOOK)) as Settings;
  expect(Object.keys(hooks)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'Stop',
    'SessionEnd',
    'SubagentStart',
    'SubagentStop',
  ]);
  expect(hooks['PreToolUse']).toEqual([{ matcher: 'Edit|MultiEdit|Write|NotebookEdit', hooks: [{ type: 'command', command: HOOK, timeout: 5 }] }]);
});

test('the hook hears of claims, whatever the server is called and whether or not it comes from the plugin', () => {
  const matcher = new RegExp(`^(?:${(JSON.parse(withHooks('', HOOK)) as Settings).hooks['PostToolUse']?.[0]?.matcher})$`);
  for (const tool of ['mcp__lattice__agent_claim', 'mcp__plugin_lattice_lattice__agent_claim', 'Edit', 'Bash']) expect(tool).toMatch(matcher);
  for (const tool of ['mcp__lattice__search_code', 'mcp__other__agent_claim', 'Read']) expect(tool).not.toMatch(matcher);
});

test('hooks of others and all other settings stay, and go with none of theirs', () => {
  const before =
    '{\n  "permissions": { "allow": ["Bash(ls:*)"] },\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }\n    ]\n  }\n}\n';
  const after = withHooks(before, HOOK);
  const { hooks, permissions } = JSON.parse(after) as Settings;
  expect(permissions).toEqual({ allow: ['Bash(ls:*)'] });
  expect(hooks['PreToolUse']?.map(({ hooks: [hook] }) => hook?.command)).toEqual(['mine', HOOK]);
  expect(AGENT_HOOKS.has(after)).toBe(true);
  expect(AGENT_HOOKS.has(before)).toBe(false);
  expect(AGENT_HOOKS.remove(after)).toBe(before);
  expect(AGENT_HOOKS.remove(withHooks('', HOOK))).toBe('');
});

test('hooks that name an older launcher are replaced', () => {
  const old = withHooks('', '"C:/old/bin/lattice-hook.cmd"');
  const { hooks } = JSON.parse(withHooks(old, HOOK)) as Settings;
  expect(Object.values(hooks).every(entries => entries.length === 1 && entries[0]?.hooks[0]?.command === HOOK)).toBe(true);
});

test.each([
  ['an array in one line', '{"a": [1]}', '{"a": [1,\n  2\n]}'],
  ['an empty array', '{\n  "a": []\n}', '{\n  "a": [\n    2\n  ]\n}'],
  ['an array with comments', '{\n  "a": [\n    // one\n    1\n  ]\n}', '{\n  "a": [\n    // one\n    1,\n    2\n  ]\n}'],
  ['no array', '{}', '{\n  "a": [\n    2\n  ]\n}'],
])('appends to %s', (_, before, after) => {
  const appended = appendToJson(before, ['a'], 2);
  expect(JSON.parse(appended.replace('// one', ''))).toEqual(JSON.parse(after.replace('// one', '')));
  expect(appended.includes('// one')).toBe(before.includes('// one'));
  expect(itemsInJson(appended, ['a']).at(-1)).toBe(2);
});

test('removes items from the middle, with their lines', () => {
  const text = '{\n  "a": [\n    1,\n    2, // two\n    3\n  ]\n}';
  expect(removeItemsFromJson(text, ['a'], value => value === 2)).not.toContain('2,');
  expect(
    itemsInJson(
      removeItemsFromJson(text, ['a'], value => value !== 2),
      ['a'],
    ),
  ).toEqual([2]);
  expect(removeItemsFromJson(text, ['a'], () => true)).toBe('');
  expect(removeItemsFromJson(text, ['a'], () => false)).toBe(text);
});

test('what is no array is told, with its name', () => {
  expect(() => withHooks('{"hooks": {"Stop": {}}}', HOOK)).toThrow('"hooks.Stop" is not a JSON array');
  expect(() => AGENT_HOOKS.has('{"hooks": {"Stop": 1}}')).toThrow('not a JSON array');
});
