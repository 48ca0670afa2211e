import { type ClosingLine, cursorOf, partsOf } from '../../../protocol/answerParts';
import type { ToolAnswer } from '../../session/gateway';
import type { ToolRow } from '../host';
import { kebab } from './flags';
import type { Paint } from './terminal';

/** What tools tell agents, and what a person types instead. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bUse profile '(\w+)'/g, 'Add --profile $1'],
  [/\buse profile '(\w+)'/g, 'add --profile $1'],
  [/\bUse maxTokens (\d+) or a larger profile/g, 'Add --max-tokens $1 or --profile debug'],
  [/\bUse a larger profile\b/g, 'Add --profile debug'],
  [/\bUse a larger maxTokens\b/g, 'Add a larger --max-tokens'],
  [/\bUse maxDepth (\d)/g, 'Add --max-depth $1'],
  [/\bUse nextCursor\b/g, 'Use the cursor'],
  [/\bwith mode full\b/g, 'with --full'],
  [/\bwith mode: rules\b/g, 'with --mode rules'],
];

/** Commands that stand for a tool; every other tool is run as `lattice tool NAME`. */
const COMMANDS: Readonly<Record<string, string>> = {
  arch_suggest: 'place',
  arch_validate: 'arch',
  code_explain: 'explain',
  context_pack: 'context',
  find_pattern: 'pattern',
  graph_diff: 'diff',
  graph_health: 'status',
  graph_rebuild: 'index',
  impact_analyze: 'impact',
  query_graph_neighborhood: 'neighbors',
  search_code: 'search',
  semantic_slice: 'slice',
};

/** How a command writes the parameters of its tool: the name of an argument, or a flag. */
export type Spellings = ReadonlyMap<string, string>;

/** `argument` is the parameter that the words after the command give, `name` how the help calls it. */
export function spellingsOf(tool: ToolRow, argument?: string, name?: string): Spellings {
  return new Map(Object.keys(tool.inputSchema.properties ?? {}).map(key => [key, key === argument && name !== undefined ? name : `--${kebab(key)}`]));
}

/** A hint for agents in the words of the command line: `spellings` are those of the command that was run. */
export function hintForTerminal(hint: string, tools: readonly ToolRow[], spellings?: Spellings): string {
  const words = WORDS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), hint);
  const flags = words.replace(/\b([Uu]se|[Oo]mit|[Aa]dd) ([a-zA-Z_]+)\b(?!\.\w)/g, (all: string, verb: string, key: string) => {
    const spelling = spellings?.get(key);
    return spelling === undefined ? all : `${verb} ${spelling}`;
  });
  return flags.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, name => {
    const command = COMMANDS[name] ?? (tools.some(tool => tool.name === name) ? `tool ${name}` : undefined);
    return command === undefined ? name : `lattice ${command}`;
  });
}

/**
 * The refusal of a malformed call as a person reads it: the parameter is called what the person typed, and the help says the rest.
 * Without `spellings` the input was JSON and keeps its names.
 */
export function refusalForTerminal({ envelope, text }: ToolAnswer, command: string, spellings: Spellings): ToolAnswer {
  const field = envelope.data?.['field'];
  const [key = ''] = typeof field === 'string' ? field.split('.') : [];
  const spelling = spellings.get(key);
  if (spelling === undefined || !envelope.summary.startsWith(key)) return { envelope, text };
  const isNamed = envelope.summary.startsWith(`${String(field)} is missing`);
  const summary = isNamed ? `lattice ${command} requires ${spelling}.` : envelope.summary.replace(/^[\w.]+/, spelling);
  return { envelope: { ...envelope, summary, hint: usageHint(command) }, text };
}

export function usageHint(command: string): string {
  return `Run \`lattice help ${command}\` for usage.`;
}

/** The rendering of an answer with its closing lines, not its rows, in the words of the command line. */
export function textForTerminal(answer: ToolAnswer, tools: readonly ToolRow[], spellings?: Spellings): string {
  const { summary, rows, closing } = partsOf(answer);
  const inWords = ({ kind, text }: ClosingLine): string =>
    kind === 'more' ? `More: add --cursor ${cursorOf(answer.envelope)}` : kind === 'hint' ? hintForTerminal(text, tools, spellings) : text;
  return [summary, ...rows, ...closing.map(inWords)].join('\n');
}

/** Colors the rendering of an answer: its first line stands out, places are marked, the stamp at the end recedes. */
export function colorizeAnswer(text: string, paint: Paint): string {
  const lines = text.trimEnd().split('\n');
  return lines
    .map((line, at) => {
      if (at === 0) return paint('bold', line);
      if (at === lines.length - 1) return paint('dim', line);
      return line.replace(/(?<place>[^\s`()[\]]+\.[A-Za-z]{1,5}:\d+(?:-\d+)?)/g, place => paint('cyan', place));
    })
    .join('\n');
}
