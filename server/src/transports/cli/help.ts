import { EXIT } from '../exitCodes';
import type { Command } from './command';
import type { Flag } from './flags';
import type { Paint } from './terminal';

/** Flags of every command. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: 'workspace', kind: 'string', value: 'DIR', short: 'w', help: 'Folder to use.', fallback: 'the repository or folder you are in' },
  { name: 'json', kind: 'boolean', help: 'Print JSON to stdout, without progress or colors.' },
  { name: 'help', kind: 'boolean', short: 'h', help: 'Show this help.' },
];

export function overview(commands: readonly Command[], version: string, paint: Paint): string {
  const rows = commands.filter(command => command.internal !== true).map(command => `  ${paint('bold', command.name.padEnd(10))} ${command.summary}`);
  return `Lattice ${version}: a dependency graph of your code, on your machine.

Usage: lattice COMMAND [ARGUMENTS] [--workspace DIR] [--json]

${rows.join('\n')}
  ${paint('bold', 'help'.padEnd(10))} Show this help, or the help of a command: lattice help COMMAND
  ${paint('bold', 'version'.padEnd(10))} Show the version.

Exit codes: ${EXIT.ok} success, ${EXIT.answerIsError} the answer is an error (such as an unknown symbol), ${EXIT.usage} invalid arguments,
  ${EXIT.workspaceFailed} the folder cannot be read or indexed, ${EXIT.internal} internal error, ${EXIT.limitReached} the --fail-on limit was reached (impact, diff, arch and services),
  ${EXIT.interrupted} interrupted (Ctrl+C), ${EXIT.terminated} terminated.
Environment variables: LATTICE_HOME (data folder), LATTICE_LOG (debug, info, warn, error), NO_COLOR.
`;
}

export function helpOf(command: Command, paint: Paint): string {
  const words = command.positionals.map(({ name, required, many }) => {
    const text = many ? `${name}…` : name;
    return required ? text : `[${text}]`;
  });
  const arguments_ = command.positionals.map(positional => `  ${positional.name.padEnd(SPELLING_WIDTH)} ${sentence(positional.help)}`);
  return `${command.summary}

Usage: ${paint('bold', ['lattice', command.name, ...words, '[FLAGS]'].join(' '))}

When to use: ${command.when}
Output: ${command.returns}
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
  return `  ${column} ${sentence(flag.help)}${fallback}`.trimEnd();
}

/** Texts of schemas have no full stop. */
function sentence(text: string): string {
  return text === '' || /[.…]$/.test(text) ? text : `${text}.`;
}
