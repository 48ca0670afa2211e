import { type ChatResponseStream, Location, MarkdownString, Position, type Uri } from 'vscode';
import type { SymbolDto } from '../../../../server/protocol/features';
import type { AnswerDto } from '../../../../server/protocol/requests';
import { uriOf } from '../../answers';

/** Most places that are linked above the text. */
const MOST_PLACES = 10;

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
  answer: AnswerDto,
  nodes: readonly SymbolDto[],
  { folder, withText }: { folder: Uri; withText: boolean },
): void {
  stream.markdown(new MarkdownString().appendText(answer.envelope.summary));
  for (const node of nodes.slice(0, MOST_PLACES)) {
    stream.markdown(new MarkdownString('\n- ').appendMarkdown(`**${node.kind.replaceAll('_', ' ')}** `).appendText(`${node.name} `));
    stream.anchor(locationOf(node, folder));
  }
  if (nodes.length > MOST_PLACES) stream.markdown(`\n- and ${nodes.length - MOST_PLACES} more`);
  // Cursors are for agents.
  const text = answer.text.replace(/^More: cursor=.*\n?/gm, '');
  const fence = text.includes('```') ? '~~~~' : '```';
  if (withText) stream.markdown(`\n\n${fence}text\n${text}\n${fence}\n`);
}

export function locationOf(node: SymbolDto, folder: Uri): Location {
  return new Location(uriOf(folder, node.path), new Position(Math.max(0, node.nameLine - 1), node.nameColumn));
}
