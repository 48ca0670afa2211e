import { shownJson } from '../../protocol/shownText';
import { type CancellationToken, Cancelled } from '../base/cancellation';
import { cliCaller } from './callers';
import { type Command, CommandContext, failureEnvelope, writeFailure } from './cli/command';
import { archCommands } from './cli/commands/archCommand';
import { gcCommand, resetCommand } from './cli/commands/dataCommands';
import { diffCommands } from './cli/commands/diffCommand';
import { doctorCommand } from './cli/commands/doctorCommand';
import { exportCommand } from './cli/commands/exportCommand';
import { impactCommands } from './cli/commands/impactCommand';
import { indexCommand } from './cli/commands/indexCommand';
import { knowledgeCommand } from './cli/commands/knowledgeCommand';
import { mcpCommand } from './cli/commands/mcpCommand';
import { reportCommand } from './cli/commands/reportCommand';
import { servicesCommand } from './cli/commands/servicesCommand';
import { startCommand } from './cli/commands/startCommand';
import { statusCommand } from './cli/commands/statusCommand';
import { anyToolCommand, toolCommands } from './cli/commands/toolCommands';
import { parseArguments } from './cli/flags';
import { COMMON_FLAGS, helpOf, overview } from './cli/help';
import { BrokenPipe, isGone, OutputFailed, painter, writeOut } from './cli/terminal';
import { usageHint } from './cli/toolText';
import { resolveWorkspace } from './cli/workspaceFolder';
import { EXIT, type ExitCode } from './exitCodes';
import type { TransportHost } from './host';
import type { ProcessIo } from './processIo';
import { nearest } from './suggest';

/**
 * Door of the command line: `lattice COMMAND …`.
 *
 * Knows its process only through `ProcessIo`; does not exit, listen for signals or read the clock itself.
 * Invariants: stdout carries the answer alone; with --json it is one JSON value, also for errors; the exit code is one of `EXIT`.
 */
export interface RunOptions {
  /** Words after `lattice`. */
  readonly words: readonly string[];
  readonly host: TransportHost;
  readonly io: ProcessIo;
  readonly now: () => number;
  readonly token: CancellationToken;
}

export function commandsOf(host: TransportHost): readonly Command[] {
  return [
    indexCommand,
    statusCommand,
    ...toolCommands(host.tools),
    ...impactCommands(host.tools),
    ...diffCommands(host.tools),
    ...archCommands(host.tools),
    servicesCommand,
    exportCommand,
    knowledgeCommand,
    reportCommand,
    mcpCommand,
    doctorCommand,
    gcCommand,
    resetCommand,
    anyToolCommand(host.tools),
    startCommand,
  ];
}

/** Runs one command line and gives its exit code: errors are written to stderr, a reader of the output that has gone away is none. */
export async function runCli(options: RunOptions): Promise<ExitCode> {
  try {
    return await dispatch(options);
  } catch (error) {
    if (error instanceof BrokenPipe || isGone(error)) return EXIT.ok;
    if (error instanceof Cancelled) return EXIT.interrupted;
    if (error instanceof OutputFailed) {
      writeFailure(options.io, error.message, 'Free some space, or write the output to another location.');
      return EXIT.answerIsError;
    }
    return failPlainly(options, EXIT.internal, 'INTERNAL', `Internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

async function dispatch(options: RunOptions): Promise<ExitCode> {
  const { host, io } = options;
  const words = commandFirst(options.words);
  const commands = commandsOf(host);
  const [first, ...rest] = words;
  const paint = painter(io.stdout, io.env);
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && (rest[0] === undefined || rest[0].startsWith('-')))) {
    await writeOut(io.stdout, overview(commands, host.version, paint));
    return EXIT.ok;
  }
  if (first === 'version' || first === '--version' || first === '-v') {
    await writeOut(io.stdout, words.includes('--json') ? `${JSON.stringify({ version: host.version })}\n` : `${host.version}\n`);
    return EXIT.ok;
  }
  const name = first === 'help' ? (rest[0] ?? '') : first;
  const command = commands.find(candidate => candidate.name === name);
  if (command === undefined) return unknownCommand(options, commands, name);
  if (first === 'help' || wantsHelp(rest)) {
    await writeOut(io.stdout, helpOf(command, paint));
    return EXIT.ok;
  }
  return runCommand(options, command, rest);
}

/** The words with the common flags after the command, where others write them before it. */
function commandFirst(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (word === '--workspace' || word === '-w') at += 2;
    else if (word === '--json' || word.startsWith('--workspace=')) at++;
    else break;
  }
  const [command, ...rest] = words.slice(at);
  return command === undefined ? [] : [command, ...words.slice(0, at), ...rest];
}

function wantsHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? words.length : end).some(word => word === '--help' || word === '-h');
}

async function runCommand(options: RunOptions, command: Command, words: readonly string[]): Promise<ExitCode> {
  const { host, io, now, token } = options;
  const parsed = parseArguments(words, [...command.flags, ...COMMON_FLAGS]);
  const hint = usageHint(command.name);
  if (!parsed.ok) return failPlainly(options, EXIT.usage, 'USAGE', parsed.error.message, hint);
  const { flags, positionals } = parsed.value;
  const problem = positionalProblem(command, positionals) ?? command.problem?.(parsed.value);
  if (problem !== undefined) return failPlainly(options, EXIT.usage, 'USAGE', problem, hint);
  const named = flags.get('workspace') ?? (command.positionals[0]?.name === 'DIR' ? positionals[0] : undefined);
  const root = resolveWorkspace(typeof named === 'string' ? named : undefined, io.cwd);
  if (!root.ok) return failPlainly(options, EXIT.workspaceFailed, root.error.code, root.error.message);
  const context = new CommandContext({
    command,
    host,
    io,
    args: parsed.value,
    root: root.value,
    json: flags.get('json') === true,
    caller: cliCaller(io.env['LATTICE_AGENT_ID']),
    now,
    token,
  });
  return command.run(context);
}

function positionalProblem(command: Command, positionals: readonly string[]): string | undefined {
  const { positionals: expected } = command;
  const missing = expected.find((positional, at) => positional.required && positionals[at] === undefined);
  if (missing !== undefined) return `lattice ${command.name} requires ${missing.name}: ${missing.help}`;
  const takesAll = expected.some(positional => positional.many);
  if (takesAll || positionals.length <= expected.length) return undefined;
  const surplus = positionals[expected.length] ?? '';
  const isInput = surplus.startsWith('{') && command.flags.some(flag => flag.name === 'input');
  return `Unexpected argument for lattice ${command.name}: ${JSON.stringify(surplus)}.${isInput ? ' Pass a JSON object with --input.' : ''}`;
}

function unknownCommand(options: RunOptions, commands: readonly Command[], name: string): Promise<ExitCode> {
  const names = commands.filter(command => command.internal !== true).map(command => command.name);
  const near = nearest(name, [...names, 'help', 'version']);
  if (name.startsWith('-')) return failPlainly(options, EXIT.usage, 'USAGE', `Unknown flag ${name}.`, 'Run `lattice help` for a list of commands.');
  const message = `Unknown command ${JSON.stringify(name)}.${near === undefined ? '' : ` Did you mean ${near}?`}`;
  return failPlainly(options, EXIT.usage, 'USAGE', message, 'Run `lattice help` for a list of commands.');
}

/** A failure before there is a context, or when there is none any more. */
async function failPlainly({ words, io }: RunOptions, exit: ExitCode, code: string, message: string, hint?: string): Promise<ExitCode> {
  if (words.includes('--json'))
    await writeOut(io.stdout, `${shownJson(JSON.stringify(failureEnvelope(code, message, hint), undefined, 2))}\n`).catch(() => undefined);
  else writeFailure(io, message, hint);
  return exit;
}
