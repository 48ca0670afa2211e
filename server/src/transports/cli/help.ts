import { EXIT } from '../exitCodes';
import type { Command } from './command';
import type { Flag } from './flags';
import type { Paint } from './terminal';

/** Flags of every command. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: 'workspace', kind: 'string', value: 'DIR', short: 'w', help: 'The folder to work on.', fallback: 'the checkout around the current folder' },
  { name: 'json', kind: 'boolean', help: 'Answer in JSON on stdout; no progress, no colours.' },
  { name: 'help', kind: 'boolean', short: 'h', help: 'Show this help.' },
];

export function overview(commands: readonly Command[], version: string, paint: Paint): string {
  const rows = commands.filter(command => command.internal !== true).map(command => `  ${paint('bold', command.name.padEnd(10))} ${command.summary}`);
  return `Lattice ${version}: a typed graph of your code, on your machine.

Usage: lattice COMMAND [ARGUMENTS] [--workspace DIR] [--json]

${rows.join('\n')}
  ${paint('bold', 'help'.padEnd(10))} Show this help, or that of a command: lattice help COMMAND
  ${paint('bold', 'version'.padEnd(10))} Show the version.

Exit codes: ${EXIT.ok} done, ${EXIT.answerIsError} the answer is an error (such as an unknown symbol), ${EXIT.usage} wrong usage,
  ${EXIT.workspaceFailed} the folder or its index failed, ${EXIT.internal} a defect of Lattice, ${EXIT.limitReached} a limit is reached (impact and arch --fail-on),
  ${EXIT.interrupted} cancelled with Ctrl-C, ${EXIT.terminated} asked to end.
Environment: LATTICE_HOME (data folder), LATTICE_LOG (debug, info, warn, error), NO_COLOR.
`;
}

export function helpOf(command: Command, paint: Paint): string {
  const words = command.positionals.map(({ name, required, many }) => {
    const text = many ? `${name}…` : name;
    return required ? text : `[${text}]`;
  });
  const arguments_ = command.positionals.map(positional => `  ${positional.name.padEnd(28)} ${positional.help}`);
  return `${command.summary}

Usage: ${paint('bold', ['lattice', command.name, ...words, '[FLAGS]'].join(' '))}

When: ${command.when}
Answer: ${command.returns}
${arguments_.length === 0 ? '' : `\nArguments:\n${arguments_.join('\n')}\n`}
Flags:
${[...command.flags, ...COMMON_FLAGS].map(flagHelp).join('\n')}

Examples:
${command.examples.map(example => `  ${example}`).join('\n')}
`;
}

const SPELLING_WIDTH = 28;

function flagHelp(flag: Flag): string {
  const spelling = `--${flag.name}${flag.short === undefined ? '' : `, -${flag.short}`}${flag.value === undefined ? '' : ` ${flag.value}`}`;
  const fallback = flag.fallback === undefined ? '' : ` (default: ${flag.fallback})`;
  // A long spelling has a line of its own.
  const column = spelling.length <= SPELLING_WIDTH ? spelling.padEnd(SPELLING_WIDTH) : `${spelling}\n  ${''.padEnd(SPELLING_WIDTH)}`;
  return `  ${column} ${flag.help}${fallback}`.trimEnd();
}
