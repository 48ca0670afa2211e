import { type ClosingLine, cursorOf, partsOf, stampText } from '../../../protocol/answerParts';
import type { Stamp } from '../../../protocol/features';
import { shownText } from '../../../protocol/shownText';
import { type Hint, hintForAgents, hintText, type ParameterMention, type ToolMention } from '../../model/hints';
import type { ToolAnswer } from '../../session/gateway';
import type { ToolRow } from '../host';
import { kebab } from './flags';
import type { Paint } from './terminal';

/** Commands that stand for a tool, with the flags that stand for its parameters where they are not named after them; every other tool is run as `lattice tool NAME`. */
export const COMMANDS: Readonly<Record<string, { readonly command: string; readonly argument?: string; readonly flags?: Readonly<Record<string, string>> }>> = {
  arch_suggest: { command: 'place', argument: 'description' },
  arch_validate: { command: 'arch', argument: 'files' },
  code_explain: { command: 'explain', argument: 'target' },
  context_pack: { command: 'context', argument: 'task' },
  find_pattern: { command: 'pattern', argument: 'pattern' },
  graph_diff: { command: 'diff', argument: 'from' },
  graph_health: { command: 'status' },
  graph_rebuild: { command: 'index', flags: { mode: '--full' } },
  impact_analyze: { command: 'impact', argument: 'target' },
  query_graph_neighborhood: { command: 'neighbors', argument: 'node_id' },
  search_code: { command: 'search', argument: 'query' },
  semantic_slice: { command: 'slice', argument: 'symbol' },
};

/** How a command writes the parameters of its tool: the name of an argument, or a flag. */
export type Spellings = ReadonlyMap<string, string>;

/** `argument` is the parameter that the words after the command give, `name` how the help calls it. */
export function spellingsOf(tool: ToolRow, argument?: string, name?: string): Spellings {
  return new Map(Object.keys(tool.inputSchema.properties ?? {}).map(key => [key, key === argument && name !== undefined ? name : `--${kebab(key)}`]));
}

/** A hint in the words of the command line: `spellings` are those of the command that was run; without them the input was JSON and keeps its names. */
export function hintForTerminal(hint: Hint, spellings?: Spellings): string {
  return hintText(hint, {
    tool: commandFor,
    parameter: mention => {
      const spelling = spellings?.get(mention.parameter);
      return spelling === undefined ? hintForAgents([mention]) : withValue(spelling, mention.value);
    },
  });
}

function commandFor({ tool, input = {} }: ToolMention): string {
  const row = COMMANDS[tool];
  if (row === undefined) return ['lattice tool', tool, ...(Object.keys(input).length === 0 ? [] : [`--input '${JSON.stringify(input)}'`])].join(' ');
  const words = Object.entries(input).map(([key, value]) => (key === row.argument ? String(value) : (row.flags?.[key] ?? withValue(`--${kebab(key)}`, value))));
  return ['lattice', row.command, ...words].join(' ');
}

function withValue(spelling: string, value: ParameterMention['value']): string {
  if (value === undefined || value === true) return spelling;
  return value === false ? spelling.replace(/^--/, '--no-') : `${spelling} ${value}`;
}

/** The refusal of a malformed call as a person reads it: what is missing is called what the person types, and the help says the rest. */
export function refusalForTerminal({ envelope, text }: ToolAnswer, command: string, spellings: Spellings): ToolAnswer {
  const field = envelope.data?.['field'];
  const [key = ''] = typeof field === 'string' ? field.split('.') : [];
  const spelling = spellings.get(key);
  if (spelling === undefined || envelope.summaryParts === undefined) return { envelope, text };
  const { hintParts: _hintParts, summaryParts, ...rest } = envelope;
  const summary = envelope.data?.['isMissing'] === true ? `lattice ${command} requires ${spelling}.` : hintForTerminal(summaryParts, spellings);
  return { envelope: { ...rest, summary, hint: usageHint(command) }, text };
}

export function usageHint(command: string): string {
  return `Run \`lattice help ${command}\` for usage.`;
}

/** The rendering of an answer with its closing lines, not its rows, in the words of the command line. */
export function textForTerminal(answer: ToolAnswer, spellings?: Spellings): string {
  const { summary, rows, closing } = partsOf(answer);
  const { hintParts } = answer.envelope;
  const inWords = ({ kind, text }: ClosingLine): string => {
    if (kind === 'more') return `More: add --cursor ${cursorOf(answer.envelope)}`;
    return kind === 'hint' && hintParts !== undefined ? shownText(hintForTerminal(hintParts, spellings)) : text;
  };
  return [summary, ...rows, ...closing.map(inWords)].join('\n');
}

/** The line that names the past state that an answer is about; none for the current code. */
export function pastLine(stamp: Stamp): readonly string[] {
  return stamp.asOf === undefined ? [] : [`[${stampText(stamp)}]`];
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
