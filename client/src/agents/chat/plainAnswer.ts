import { type ChatResponseStream, Location, MarkdownString, Position, type Uri } from 'vscode';
import type { SymbolRow } from '../../../../server/protocol/features';
import type { AnswerDto } from '../../../../server/protocol/requests';
import { uriOf } from '../../answers';

/** Most places that are linked above the text. */
const MAX_PLACES = 10;

/** Ids of nodes anywhere in the data of an answer, each once, in their order. */
export function idsIn(data: unknown, found = new Set<string>()): Set<string> {
  if (typeof data === 'string') {
    if (/^[^\s:]+(?:::\S+)?$/.test(data) && /[./]/.test(data)) found.add(data);
  } else if (Array.isArray(data)) for (const item of data) idsIn(item, found);
  else if (typeof data === 'object' && data !== null) for (const item of Object.values(data)) idsIn(item, found);
  return found;
}

/** An answer without a model: its summary, links to the places it names, and its text as it is when `withText`. */
export function writePlainly(
  stream: ChatResponseStream,
  answer: AnswerDto<object>,
  nodes: readonly SymbolRow[],
  { folder, withText }: { folder: Uri; withText: boolean },
): void {
  stream.markdown(new MarkdownString().appendText(answer.envelope.summary));
  for (const node of nodes.slice(0, MAX_PLACES)) {
    stream.markdown(new MarkdownString('\n- ').appendMarkdown(`**${node.kind.replaceAll('_', ' ')}** `).appendText(`${node.name} `));
    stream.anchor(locationOf(node, folder));
  }
  if (nodes.length > MAX_PLACES) stream.markdown(`\n- and ${nodes.length - MAX_PLACES} more`);
  if (withText) stream.markdown(textAsList(answer));
}

/** Lines of an answer as a list, deeper where they are indented, so that a narrow view wraps them; code stays as it is. */
function textAsList({ envelope, text }: AnswerDto<object>): MarkdownString {
  const list = new MarkdownString('\n\n');
  let inCode = false;
  for (const line of text.split('\n')) {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) inCode = !inCode;
    if (isFence || inCode) list.appendMarkdown(isFence && inCode ? `\n${line.trim()}\n` : `${isFence ? line.trim() : line}\n`);
    else if (STAMP.test(line)) list.appendMarkdown('\n\n').appendText(line.slice(1, -1));
    // The summary stands above already, and cursors are for agents.
    else if (line.trim() !== '' && line !== envelope.summary && !line.startsWith('More: cursor=')) {
      const depth = Math.floor((line.length - line.trimStart().length) / 2);
      list
        .appendMarkdown(`${'  '.repeat(depth)}- `)
        .appendText(line.trim())
        .appendMarkdown('\n');
    }
  }
  return list;
}

/** `[rev 12 · 28a9c128912d]`, the line that answers end with. */
const STAMP = /^\[rev \d+.*\]$/;

export function locationOf(node: SymbolRow, folder: Uri): Location {
  return new Location(uriOf(folder, node.path), new Position(Math.max(0, node.nameLine - 1), node.nameColumn));
}
