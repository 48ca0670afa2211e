import { shownText, shownValue } from '../../protocol/shownText';
import type { Stamp } from '../workspace/snapshot';
import type { Envelope } from './envelope';
import type { Tool } from './tool';

/** `rev 12 · a1b2c3d4e5f6 · 3 files pending · 2 unresolved`. */
export function stampLine(stamp: Stamp): string {
  const parts = [stamp.asOf === undefined ? `rev ${stamp.revision}` : `as of ${new Date(stamp.asOf).toISOString().slice(0, 16).replace('T', ' ')}`];
  if (stamp.head !== '') parts.push(stamp.head);
  if (stamp.pendingFiles > 0) parts.push(`${stamp.pendingFiles} ${stamp.pendingFiles === 1 ? 'file' : 'files'} pending`);
  if ((stamp.unresolved ?? 0) > 0) parts.push(`${stamp.unresolved} unresolved`);
  if ((stamp.unsavedFiles ?? 0) > 0) parts.push(`${stamp.unsavedFiles} unsaved`);
  if ((stamp.staleFiles ?? 0) > 0) parts.push(`${stamp.staleFiles} stale`);
  if ((stamp.missingFiles ?? 0) > 0) parts.push(`content of ${stamp.missingFiles} ${stamp.missingFiles === 1 ? 'file' : 'files'} not in this clone`);
  if ((stamp.degraded ?? []).length > 0) parts.push(`${stamp.degraded?.join(', ')} not ready`);
  return `[${parts.join(' · ')}]`;
}

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
  const tail: string[] = [];
  if (typeof data['nextCursor'] === 'string') tail.push(`More: cursor=${data['nextCursor']}`);
  if (envelope.hint !== undefined) tail.push(shownText(envelope.hint));
  const changed = envelope.stamp?.stale ?? [];
  if (changed.length > 0) tail.push(`Changed since indexed, so lines about them may be out of date: ${changed.map(path => shownText(path)).join(', ')}`);
  if (envelope.stamp !== undefined) tail.push(stampLine(envelope.stamp));
  const length = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
  const summary = shownText(envelope.summary);
  const fixed = length([summary, ...tail]);
  let kept = rows.length;
  let used = fixed + length(rows);
  while (kept > 0 && used > maxTokens * 4) used -= (rows[--kept]?.length ?? 0) + 1;
  const shown = kept === rows.length ? rows : [...rows.slice(0, Math.max(0, kept - 1)), `… ${rows.length - Math.max(0, kept - 1)} more lines`];
  return [summary, ...shown.filter((line, at) => line !== '' || at > 0), ...tail].join('\n');
}

export function failureText(envelope: Envelope): string {
  const suggestions = envelope.data?.['suggestions'];
  return [
    `${envelope.errorCode ?? 'INTERNAL'}: ${shownText(envelope.summary)}`,
    ...(Array.isArray(suggestions) && suggestions.length > 0 ? [shownText(`Did you mean: ${suggestions.join(', ')}`)] : []),
    ...(envelope.hint === undefined ? [] : [shownText(envelope.hint)]),
    ...(envelope.stamp === undefined ? [] : [stampLine(envelope.stamp)]),
  ].join('\n');
}
