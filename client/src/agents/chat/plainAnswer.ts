import { type ChatResponseStream, Location, MarkdownString, Position, type Uri } from 'vscode';
import type { SymbolDto } from '../../../../server/protocol/features';
import type { AnswerDto } from '../../../../server/protocol/requests';
import { uriOf } from '../../answers';

/** Most places that are linked above the text. */
const MOST_PLACES = 12;

/** Ids of nodes anywhere in the data of an answer, each once, in their order. */
export function idsIn(data: unknown, found = new Set<string>()): Set<string> {
  if (typeof data === 'string') {
    if (/^[^\s:]+(?:::\S+)?$/.test(data) && /[./]/.test(data)) found.add(data);
  } else if (Array.isArray(data)) for (const item of data) idsIn(item, found);
  else if (typeof data === 'object' && data !== null) for (const item of Object.values(data)) idsIn(item, found);
  return found;
}

/** An answer without a model: its summary, links to the places it names, and its text as it is. */
export function writePlainly(stream: ChatResponseStream, answer: AnswerDto, nodes: readonly SymbolDto[], folder: Uri): void {
  stream.markdown(new MarkdownString().appendText(answer.envelope.summary));
  for (const node of nodes.slice(0, MOST_PLACES)) {
    stream.markdown('\n- ');
    stream.anchor(locationOf(node, folder), node.name);
    stream.markdown(new MarkdownString(` ${node.kind.replaceAll('_', ' ')} `).appendText(node.kind === 'file' ? node.path : `${node.path}:${node.nameLine}`));
  }
  if (nodes.length > MOST_PLACES) stream.markdown(`\n- and ${nodes.length - MOST_PLACES} more`);
  const fence = answer.text.includes('```') ? '~~~~' : '```';
  stream.markdown(`\n\n${fence}text\n${answer.text}\n${fence}\n`);
}

export function locationOf(node: SymbolDto, folder: Uri): Location {
  return new Location(uriOf(folder, node.path), new Position(Math.max(0, node.nameLine - 1), node.nameColumn));
}
