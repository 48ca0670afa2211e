import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { ok } from '../../server/src/base/result';
import { answerHook, type HookEvent, type HookGateway, readHookInput } from '../../server/src/transports/agentHook';

const CLAUDE = { session_id: 'abcdef12-3456', transcript_path: '/t.jsonl', cwd: '/w', permission_mode: 'default' };
const EDITOR = { timestamp: '2026-02-09T10:30:00.000Z', cwd: '/w', sessionId: 'abcdef12-3456', transcript_path: '/t.json' };

function read(input: Readonly<Record<string, unknown>>): HookEvent | undefined {
  return readHookInput(JSON.stringify(input));
}

test.each([
  [{ hook_event_name: 'SessionStart', source: 'startup' }, { event: 'start' }],
  [
    { hook_event_name: 'UserPromptSubmit', prompt: 'do it' },
    { event: 'prompt', text: 'do it' },
  ],
  [
    { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: { file_path: '/w/a.py', old_string: 'a\nb\n', new_string: 'c' } },
    { event: 'beforeEdit', paths: ['/w/a.py'], linesBefore: 2, linesAfter: 1 },
  ],
  [
    { hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input: { file_path: '/w/a.py', content: 'a\nb\nc\n' }, tool_response: { success: true } },
    { event: 'afterEdit', paths: ['/w/a.py'], linesBefore: 0, linesAfter: 3 },
  ],
  [
    {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'pytest' },
      tool_response: { stdout: '1 passed', stderr: 'w', interrupted: false },
    },
    { event: 'afterCommand', text: 'pytest', output: '1 passed\nw', failed: false },
  ],
  [
    { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: { command: 'pytest' }, error: 'Exit code 1\n1 failed' },
    { event: 'afterCommand', text: 'pytest', output: 'Exit code 1\n1 failed', failed: true },
  ],
  [
    {
      hook_event_name: 'PostToolUse',
      tool_name: 'mcp__lattice__agent_claim',
      tool_input: {},
      tool_response: [{ type: 'text', text: 'You hold it\nclaim::1' }],
    },
    { event: 'claimed', text: 'claim::1' },
  ],
  [{ hook_event_name: 'SessionEnd', reason: 'exit' }, { event: 'end' }],
])('reads what Claude Code says: %o', (input, event) => {
  const name = input.hook_event_name;
  expect(read({ ...CLAUDE, ...input })).toEqual({ ...event, name, folder: '/w', sessionId: 'abcdef12-3456', agentId: 'claude-code:abcdef12' });
});

const BESIDE = { claimId: 'claim::2', agentId: 'bob', targetId: 'a.py::f', intent: 'i' };

test.each([
  ['JSON', JSON.stringify({ ok: true, data: { claimId: 'claim::1', warnings: [BESIDE] } }), 'claim::1'],
  ['structured content', { content: [{ type: 'text', text: 's' }], structuredContent: { data: { warnings: [BESIDE], claimId: 'claim::1' } } }, 'claim::1'],
  ['text', 'You hold a.py.\nclaim::1\nOverlapping claims\n  claim::2 bob on a.py::f: i', 'claim::1'],
  ['a conflict in JSON', JSON.stringify({ ok: true, data: { claimId: '', status: 'CONFLICT', warnings: [BESIDE] } }), undefined],
  ['a conflict in text', 'bob has been working on a.py\nOverlapping claims\n  claim::2 bob on a.py::f: i', undefined],
  ['nothing', undefined, undefined],
])('of an answer to a claim only what was claimed counts: %s', (_, answer, claimId) => {
  const input = { ...CLAUDE, hook_event_name: 'PostToolUse', tool_name: 'mcp__lattice__agent_claim', tool_input: {}, tool_response: answer };
  expect(read(input)?.text).toBe(claimId);
});

test('a subagent has a name of its own, in the session of the agent that started it', () => {
  const inside = { ...CLAUDE, agent_id: 'a1b2c3d4e5', agent_type: 'Explore' };
  const whose = { sessionId: 'abcdef12-3456/a1b2c3d4e5', agentId: 'claude-code:abcdef12:a1b2c3d4' };
  expect(read({ ...inside, hook_event_name: 'SubagentStart' })).toMatchObject({ event: 'start', ...whose });
  expect(read({ ...inside, hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: '/w/a.py' } })).toMatchObject(whose);
  expect(read({ ...inside, hook_event_name: 'SubagentStop' })).toMatchObject({ event: 'end', ...whose });
});

test.each([
  [{ tool_name: 'editFiles', tool_input: { files: ['src/main.ts'] } }, ['src/main.ts']],
  [{ tool_name: 'replace_string_in_file', tool_input: { filePath: '/w/a.ts', oldString: 'a', newString: 'b' } }, ['/w/a.ts']],
  [
    { tool_name: 'multi_replace_string_in_file', tool_input: { replacements: [{ filePath: '/w/a.ts' }, { filePath: '/w/b.ts' }, { filePath: '/w/a.ts' }] } },
    ['/w/a.ts', '/w/b.ts'],
  ],
  [{ tool_name: 'apply_patch', tool_input: { input: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n*** Add File: src/b.ts\n' } }, ['src/a.ts', 'src/b.ts']],
])('reads the edits of VS Code: %o', (input, paths) => {
  expect(read({ ...EDITOR, hookEventName: 'PreToolUse', ...input })).toMatchObject({ event: 'beforeEdit', paths, agentId: 'vscode:abcdef12' });
});

test('a session of VS Code ends with Stop, one of Claude Code does not', () => {
  expect(read({ ...EDITOR, hookEventName: 'Stop' })).toMatchObject({ event: 'end' });
  expect(read({ ...CLAUDE, hook_event_name: 'Stop' })).toBeUndefined();
});

test.each([
  ['no JSON', '{'],
  ['no object', '[1]'],
  ['no session', '{"hook_event_name":"SessionStart","cwd":"/w"}'],
  ['an unknown event', JSON.stringify({ ...CLAUDE, hook_event_name: 'PreCompact' })],
  ['a tool that reads', JSON.stringify({ ...CLAUDE, hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: '/w/a' } })],
  ['an edit of nothing', JSON.stringify({ ...CLAUDE, hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: 'a' })],
])('has nothing to do with %s', (_, text) => {
  expect(readHookInput(text)).toBeUndefined();
});

const HOOK: HookEvent = { event: 'prompt', name: 'UserPromptSubmit', folder: '/w', sessionId: 's', agentId: 'a', text: 'Pay in cents' };

/** An owner that answers the event so, and every pack with one text. */
function answering(answer: Readonly<Record<string, unknown>>, asked: unknown[] = []): HookGateway {
  return {
    query: async (feature, params) => {
      asked.push([feature, params]);
      return ok(answer);
    },
    callTool: async ({ input, name }) => {
      asked.push([name, input]);
      return { envelope: { ok: true, summary: 's', profile: 'compact', _tokenEstimate: 1 }, text: 'Start at src/pay.ts' };
    },
  };
}

test('the first prompt is answered with its context', async () => {
  const asked: unknown[] = [];
  expect(await answerHook(answering({ brief: 'Pay in cents', episodes: [] }, asked), HOOK, 'k', neverCancelled)).toEqual({
    output: { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: expect.stringContaining('Start at src/pay.ts') } },
  });
  expect(asked).toEqual([
    ['agentEvent', { event: 'prompt', sessionId: 's', agentId: 'a', text: 'Pay in cents' }],
    ['context_pack', { task: 'Pay in cents', maxTokens: 1_200 }],
  ]);
});

test('a claim of somebody else asks the person, and cannot forge a line', async () => {
  const answer = await answerHook(
    answering({ warning: 'a is claimed by b: \u001b[31mred', episodes: [] }),
    { ...HOOK, name: 'PreToolUse' },
    'k',
    neverCancelled,
  );
  expect(answer?.output).toMatchObject({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } });
  expect(JSON.stringify(answer)).not.toContain('\\u001b');
});

test('what says nothing prints nothing', async () => {
  expect(await answerHook(answering({ episodes: ['episode::1'] }), HOOK, 'k', neverCancelled)).toEqual({ output: undefined });
});
