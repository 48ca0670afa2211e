import { expect, test } from 'vitest';
import { setInToml, TomlProblem } from '../../../client/src/agents/tomlText';

const ENTRY = 'command = "/b in/x"\nargs = ["--tools", "a\\"b"]\n';
const VALUES = { command: '/b in/x', args: ['--tools', 'a"b'] };

const CASES: readonly { readonly name: string; readonly before: string; readonly after: string }[] = [
  { name: 'an empty file', before: '', after: `[mcp_servers.x]\n${ENTRY}` },
  {
    name: 'a file with other tables',
    before: 'model = "m"\n\n[mcp_servers.y] # mine\ncommand = "y"\n',
    after: `model = "m"\n\n[mcp_servers.y] # mine\ncommand = "y"\n\n[mcp_servers.x]\n${ENTRY}`,
  },
  {
    name: 'an old entry with a key and a comment of the user',
    before: '[mcp_servers.x]\n# slow machine\nstartup_timeout_sec = 30\nargs = [\n  "old", # one\n]\ncommand = "old" # was\n\n[tui]\na = 1\n',
    after: '[mcp_servers.x]\n# slow machine\nstartup_timeout_sec = 30\nargs = ["--tools", "a\\"b"]\ncommand = "/b in/x" # was\n\n[tui]\na = 1\n',
  },
  { name: 'an entry without keys', before: '[mcp_servers.x]\n', after: `[mcp_servers.x]\n${ENTRY}` },
  {
    name: 'strings that look like tables',
    before: 's = """\n[mcp_servers.x]\n"""\nt = \'[a]\'\n',
    after: `s = """\n[mcp_servers.x]\n"""\nt = '[a]'\n\n[mcp_servers.x]\n${ENTRY}`,
  },
  { name: 'dates with a blank', before: 'd = 1979-05-27 07:32:00Z # then\n', after: `d = 1979-05-27 07:32:00Z # then\n\n[mcp_servers.x]\n${ENTRY}` },
  { name: 'quoted names', before: '[mcp_servers."x"]\ncommand = "old"\nargs = []\n', after: `[mcp_servers."x"]\n${ENTRY}` },
];

test.each(CASES)('sets an entry in $name', ({ before, after }) => {
  expect(setInToml(before, 'mcp_servers.x', VALUES)).toBe(after);
});

test('keeps Windows line ends', () => {
  expect(setInToml('a = 1\r\n', 'mcp_servers.x', VALUES)).toBe('a = 1\r\n\r\n[mcp_servers.x]\r\ncommand = "/b in/x"\r\nargs = ["--tools", "a\\"b"]\r\n');
});

const BROKEN = [
  'a = "x\n',
  'a = [1, 2\n',
  'nonsense\n',
  'a =\n',
  'a = 1 b = 2\n',
  'a = ]\n',
  'mcp_servers = { x = { command = "c" } }\n',
  '[mcp_servers]\nx = { command = "c" }\n',
  '[mcp_servers]\nx.command = "c"\n',
];

test.each(BROKEN)('refuses %j', before => {
  expect(() => setInToml(before, 'mcp_servers.x', VALUES)).toThrow(TomlProblem);
});
