import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Gateway, ToolAnswer } from '../../../session/gateway';
import { forPrograms } from '../../../tools/envelope';
import { newIdempotencyKey } from '../../callers';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { ToolRow } from '../../host';
import { nearest } from '../../suggest';
import type { Command, CommandContext, Positional } from '../command';
import { exitOf } from '../command';
import { AS_OF_FLAG, type ParsedArguments } from '../flags';
import { flagsOfTool, inputFromFlags } from '../toolFlags';
import { colorizeAnswer, spellingsOf, textForTerminal } from '../toolText';

interface ToolCommandRow {
  readonly command: string;
  readonly tool: string;
  /** Name of the input that the words after the command give. */
  readonly input: string;
  /** Name of the input that takes them instead when they are the path of a file. */
  readonly fileInput?: string;
  readonly positional: Positional;
  /** Flags that may stand in place of the words, `--mode rules` with a value; the words are then not required. */
  readonly insteadOfWords?: readonly string[];
  /** It reads the code and can do so as it was. */
  readonly isOfThePast?: boolean;
  readonly when: string;
  readonly returns: string;
  readonly examples: readonly string[];
}

const TARGET: Positional = { name: 'TARGET', required: true, many: false, help: 'Path, path::symbol, path#symbol or unique name.' };

const ROWS: readonly ToolCommandRow[] = [
  {
    command: 'search',
    tool: 'search_code',
    isOfThePast: true,
    input: 'query',
    positional: { name: 'WORDS', required: true, many: true, help: 'Search terms. Quotes are not required.' },
    when: 'When you know roughly what the code is called or does, but not where it is.',
    returns: 'Symbols and files with kind and location, best match first.',
    examples: ['lattice search parse config file', 'lattice search "retry policy" --k 20 --json'],
  },
  {
    command: 'context',
    tool: 'context_pack',
    isOfThePast: true,
    input: 'task',
    positional: { name: 'TASK', required: true, many: true, help: 'What you are about to do, in your own words. Quotes are not required.' },
    when: 'Before you start on a task.',
    returns: 'Where to start, the source of the relevant symbols, more places to look, and the tests to run.',
    examples: ['lattice context accept a partitioned cookie', 'lattice context "retry failed uploads" --max-tokens 4000'],
  },
  {
    command: 'explain',
    tool: 'code_explain',
    isOfThePast: true,
    input: 'target',
    positional: TARGET,
    when: 'To understand a symbol or file, its dependencies and its dependents.',
    returns: 'Summary, dependencies and dependents with confidence, and tests.',
    examples: ['lattice explain src/server.ts#start', 'lattice explain Router --profile debug', 'lattice explain Router --as-of v1.0'],
  },
  {
    command: 'slice',
    tool: 'semantic_slice',
    isOfThePast: true,
    input: 'symbol',
    fileInput: 'file',
    positional: { ...TARGET, required: false, help: `${TARGET.help} Alternatively, use --file or --query.` },
    insteadOfWords: ['--file', '--query', '--symbol'],
    when: 'To read the source of one symbol instead of the whole file.',
    returns: 'Location and source.',
    examples: ['lattice slice Router::handle', 'lattice slice Router::handle --as-of v1.0'],
  },
  {
    command: 'neighbors',
    tool: 'query_graph_neighborhood',
    isOfThePast: true,
    input: 'node_id',
    positional: TARGET,
    when: 'To see the graph around a symbol or file.',
    returns: 'Nodes and edges, with relation and confidence.',
    examples: ['lattice neighbors src/index.ts'],
  },
  {
    command: 'pattern',
    tool: 'find_pattern',
    isOfThePast: true,
    input: 'pattern',
    positional: { name: 'PATTERN', required: true, many: true, help: 'ID of a pattern (such as god-class), MATCH query, or description.' },
    when: 'To review the design, such as cycles, god classes and unused exports, or to find examples to follow.',
    returns: 'Matches with location, evidence and suggested fix.',
    examples: ['lattice pattern circular-dependency', 'lattice pattern unused-export --paths src'],
  },
  {
    command: 'place',
    tool: 'arch_suggest',
    isOfThePast: true,
    input: 'description',
    positional: { name: 'WORDS', required: false, many: true, help: 'What the new code does. Quotes are not required. Not used with --mode rules.' },
    insteadOfWords: ['--mode rules', '--description'],
    when: 'Before you add code, to decide where to put it.',
    returns: 'Suggested paths with layer, reasons, allowed imports and test location. With --mode rules, a rule file.',
    examples: ['lattice place refund a charge --kind service --name RefundService', 'lattice place --mode rules'],
  },
];

/** Commands that ask a tool; their flags are the tool's inputs. */
export function toolCommands(tools: readonly ToolRow[]): Command[] {
  return ROWS.flatMap(row => {
    const tool = tools.find(candidate => candidate.name === row.tool);
    return tool === undefined ? [] : [commandOf(row, tool)];
  });
}

function commandOf(row: ToolCommandRow, tool: ToolRow): Command {
  return {
    name: row.command,
    summary: firstSentence(tool.description),
    when: row.when,
    returns: row.returns,
    examples: row.examples,
    get flags() {
      return [...flagsOfTool(tool, row.positional.required ? [row.input] : []), ...(row.isOfThePast === true ? [AS_OF_FLAG] : [])];
    },
    positionals: [row.positional],
    spellings: spellingsOf(tool, row.input, row.positional.name),
    problem: args => missingWords(row, args),
    run: context => {
      const text = context.options.args.positionals.join(' ');
      const isFile = row.fileInput !== undefined && text !== '' && existsSync(resolve(context.options.root, text));
      const given = text === '' ? {} : { [isFile ? (row.fileInput ?? row.input) : row.input]: text };
      return askTool(context, tool.name, { ...inputFromFlags(tool, context.options.args.flags), ...given, ...context.ofThePast });
    },
  };
}

function missingWords({ command, input, insteadOfWords, positional }: ToolCommandRow, { flags, positionals }: ParsedArguments): string | undefined {
  if (insteadOfWords === undefined || positionals.length > 0) return undefined;
  const isGiven = (spelling: string): boolean => {
    const [name = '', value] = spelling.slice('--'.length).split(' ');
    return value === undefined ? flags.has(name) : flags.get(name) === value;
  };
  if (insteadOfWords.some(isGiven)) return undefined;
  // The flag that means the same as the words needs no mention.
  const others = insteadOfWords.filter(spelling => spelling !== `--${input}`);
  return `lattice ${command} requires ${[positional.name, ...others].join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`;
}

/** `lattice tool NAME …`: any tool of the catalogue. */
export function anyToolCommand(tools: readonly ToolRow[]): Command {
  return {
    name: 'tool',
    summary: 'Run any tool by name.',
    when: 'For tools that do not have their own command.',
    returns: 'Result of the tool. With --json, the complete response.',
    examples: ['lattice tool graph_health', 'lattice tool search_code --input \'{"query":"router"}\' --json'],
    flags: [{ name: 'input', kind: 'json', value: 'JSON', help: 'Input of the tool, as a JSON object.' }],
    positionals: [{ name: 'NAME', required: false, many: false, help: `One of ${tools.map(tool => tool.name).join(', ')}.` }],
    run: async context => {
      const name = context.options.args.positionals[0];
      if (name === undefined) return listTools(context, tools);
      const tool = tools.find(candidate => candidate.name === name);
      if (tool === undefined) {
        const near = nearest(
          name,
          tools.map(candidate => candidate.name),
        );
        return context.fail(
          EXIT.usage,
          'USAGE',
          `Unknown tool ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
          'Run `lattice tool` to list all tools.',
        );
      }
      const input = context.options.args.flags.get('input');
      return askTool(context, name, typeof input === 'object' ? Object.fromEntries(Object.entries(input)) : {});
    },
  };
}

async function listTools(context: CommandContext, tools: readonly ToolRow[]): Promise<ExitCode> {
  if (context.options.json) await context.printJson(tools.map(({ name, title, description }) => ({ name, title, description })));
  else for (const tool of tools) await context.line(`${context.paint('bold', tool.name.padEnd(26))} ${firstSentence(tool.description)}`);
  return EXIT.ok;
}

async function askTool(context: CommandContext, name: string, input: Record<string, unknown>): Promise<ExitCode> {
  const refused = context.refusalOf(name, input);
  if (refused !== undefined) return printAnswer(context, refused, context.options.json);
  return context.withIndex(gateway => answerOfTool(context, gateway, name, input, context.options.json));
}

/** The CLI answers people with more than the agents' 300 tokens; with --json the tool's own default profile holds. */
export async function answerOfTool(
  context: CommandContext,
  gateway: Gateway,
  name: string,
  input: Record<string, unknown>,
  isJson: boolean,
): Promise<ExitCode> {
  const asked = isJson || input['profile'] !== undefined ? input : { ...input, profile: 'balanced' };
  const answer = await gateway.callTool({ name, input: asked, caller: context.options.caller, idempotencyKey: newIdempotencyKey() }, context.token);
  return printAnswer(context, answer, isJson);
}

/** Prints an answer of a tool, or why there is none. */
export async function printAnswer(context: CommandContext, answer: ToolAnswer, isJson: boolean): Promise<ExitCode> {
  const { envelope } = answer;
  if (isJson) await context.printJson(forPrograms(envelope));
  else if (envelope.ok) await context.line(colorizeAnswer(textForTerminal(answer, context.options.command.spellings), context.paint));
  else return context.failed(envelope);
  return exitOf(envelope);
}

export function firstSentence(text: string): string {
  const end = /[.!?](?:\s|$)/.exec(text);
  return end === null ? text : text.slice(0, end.index + 1);
}
