import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { transportHost } from '../../server/src/main/transportHost';
import { archCommands } from '../../server/src/transports/cli/commands/archCommand';
import { impactCommands } from '../../server/src/transports/cli/commands/impactCommand';
import { toolCommands } from '../../server/src/transports/cli/commands/toolCommands';
import { helpOf } from '../../server/src/transports/cli/help';
import { flagsOfTool } from '../../server/src/transports/cli/toolFlags';

const { tools } = transportHost(tmpdir());
const commands = [...toolCommands(tools), ...impactCommands(tools), ...archCommands(tools)];

test('every flag of a command says what it does', () => {
  const silent = commands.flatMap(command => command.flags.filter(flag => !/\p{L}{3}/u.test(flag.help)).map(flag => `${command.name} --${flag.name}`));
  expect(commands.map(command => command.name)).toEqual(expect.arrayContaining(['search', 'explain', 'impact', 'arch', 'place']));
  expect(silent).toEqual([]);
});

test('flags say their range and default', () => {
  const explain = tools.filter(tool => tool.name === 'code_explain').flatMap(tool => flagsOfTool(tool, []));
  const row = (name: string) => explain.find(flag => flag.name === name);
  expect(row('depth')).toMatchObject({ help: 'Maximum distance from the target, 1 to 3', fallback: '1' });
  expect(row('max-tokens')).toMatchObject({ help: expect.stringMatching(/, at least 50$/) });
  expect(row('include-slices')).toMatchObject({ fallback: 'on; --no-include-slices turns it off' });
});

test('help has its texts in one column', () => {
  const help = commands.map(command => helpOf(command, (_style, text) => text)).join('\n');
  const flags = help.split('\n').filter(line => line.startsWith('  --'));
  expect(flags.filter(line => line.length > 30 && line[30] !== ' ' && line.includes(' (default'))).toEqual([]);
  expect(help).toContain('  --output-format compact|verbose|ultra\n                               Format of the results');
});
