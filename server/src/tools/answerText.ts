import { closingLines, stampText } from '../../protocol/answerParts';
import { shownText, shownValue } from '../../protocol/shownText';
import type { Envelope } from './envelope';
import type { Tool } from './tool';

/** Keys whose texts have lines of their own; all others are names, places and sentences, which cannot begin a row. */
const LONG_TEXTS: ReadonlySet<string> = new Set(['code', 'content', 'context_text', 'knowledge', 'text', 'outputTail', 'rulesYaml']);

/** A line of source or of somebody's words that reads as our last one. */
const STAMP_LIKE = /^\[(?:rev|as of) \d/;

/** The answer for reading: summary, rows, what to do next, stamp. Whole rows are left out at the end when it would not fit. */
export function answerText(tool: Tool, envelope: Envelope, input: Readonly<Record<string, unknown>>, maxTokens: number): string {
  const data = shownValue(envelope.data ?? {}, LONG_TEXTS);
  const rows = tool
    .render(data, input)
    .split('\n')
    .map(line => (STAMP_LIKE.test(line) ? ` ${line}` : line));
  const tail = closingLines(envelope).map(line => line.text);
  const length = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
  const summary = shownText(envelope.summary);
  const fixed = length([summary, ...tail]);
  let kept = rows.length;
  let used = fixed + length(rows);
  while (kept > 0 && used > maxTokens * 4) used -= (rows[--kept]?.length ?? 0) + 1;
  const taken = Math.max(0, kept - 1);
  const left = rows.length - taken;
  const shown = kept === rows.length ? rows : [...rows.slice(0, taken), `… ${left} more ${left === 1 ? 'line' : 'lines'}`];
  return [summary, ...shown.filter((line, at) => line !== '' || at > 0), ...tail].join('\n');
}

export function failureText(envelope: Envelope): string {
  const suggestions = envelope.data?.['suggestions'];
  return [
    `${envelope.errorCode ?? 'INTERNAL'}: ${shownText(envelope.summary)}`,
    ...(Array.isArray(suggestions) && suggestions.length > 0 ? [shownText(`Did you mean: ${suggestions.join(', ')}`)] : []),
    ...(envelope.hint === undefined ? [] : [shownText(envelope.hint)]),
    ...(envelope.stamp === undefined ? [] : [`[${stampText(envelope.stamp)}]`]),
  ].join('\n');
}
