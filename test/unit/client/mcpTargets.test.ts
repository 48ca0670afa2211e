import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mcpServerArgs } from '../../../client/src/agents/mcpServerArgs';
import { clipboardText, entryFor, MCP_TARGETS } from '../../../client/src/agents/mcpTargets';

const launcher = { command: '/data/bin/lattice-mcp', args: [], env: {} };
const windows = { command: 'C:\\Code\\Code.exe', args: ['C:\\data\\lattice-mcp.js'], env: { ELECTRON_RUN_AS_NODE: '1' } };
const CORE = { tools: 'core', roots: [] };

const JSON_TARGETS = MCP_TARGETS.filter(target => target.id !== 'codex');

test.each(JSON_TARGETS)('$label keeps the servers, comments and keys it finds', target => {
  const list = target.id === 'vscode' ? 'servers' : 'mcpServers';
  const before = `{\n  // mine\n  "${list}": {\n    "other": { "command": "o" },\n    "lattice": { "command": "old", "disabled": true }\n  }\n}\n`;
  const after = target.merge(before, entryFor(target, windows, CORE));
  expect(after).toContain('// mine');
  const parsed = JSON.parse(after.replace('// mine', '')) as Record<string, Record<string, unknown>>;
  expect(parsed[list]?.['other']).toEqual({ command: 'o' });
  expect(parsed[list]?.['lattice']).toMatchObject({
    command: windows.command,
    disabled: true,
    env: windows.env,
    args: [...windows.args, ...target.workspaceArgs],
  });
  expect(target.merge(after, entryFor(target, windows, CORE))).toBe(after);
});

test('Codex keeps its other tables and a second merge changes nothing', () => {
  const codex = MCP_TARGETS.find(target => target.id === 'codex');
  const after = codex?.merge('[mcp_servers.other]\ncommand = "o"\n', entryFor(codex, windows, CORE)) ?? '';
  expect(after).toMatchInlineSnapshot(`
    "[mcp_servers.other]
    command = "o"

    [mcp_servers.lattice]
    command = "C:\\\\Code\\\\Code.exe"
    args = ["C:\\\\data\\\\lattice-mcp.js"]

    [mcp_servers.lattice.env]
    ELECTRON_RUN_AS_NODE = "1"
    "
  `);
  expect(codex?.merge(after, entryFor(codex, windows, CORE))).toBe(after);
});

test('the clipboard names the workspace, because nothing else says it', () => {
  expect(JSON.parse(clipboardText(launcher, '/work space', CORE))).toEqual({
    mcpServers: { lattice: { type: 'stdio', command: '/data/bin/lattice-mcp', args: ['--workspace', '/work space'] } },
  });
});

test.each([
  [{ tools: 'core', roots: [] }, []],
  [{ tools: ' ', roots: [' '] }, []],
  [{ tools: 'agent', roots: [] }, ['--tools', 'agent']],
  [
    { tools: 'full, admin', roots: ['/work/other', '~/shop', '~'] },
    ['--tools', 'full, admin', '--root', '/work/other', '--root', join('/home/ada', 'shop'), '--root', '/home/ada'],
  ],
  [{ tools: 'core', roots: ['~ada/shop'] }, ['--root', '~ada/shop']],
  [{ tools: 'core', roots: [], autoClaim: false }, ['--no-auto-claim']],
])('%j is offered by %j', (offer, args) => {
  expect(mcpServerArgs(offer, '/home/ada')).toEqual(args);
});

test.each(MCP_TARGETS)('the entry of $label ends with what is offered', target => {
  const entry = entryFor(target, launcher, { tools: 'agent', roots: ['/work/other'] });
  expect(entry.args).toEqual([...target.workspaceArgs, '--tools', 'agent', '--root', '/work/other']);
});
