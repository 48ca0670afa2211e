import { type ChatResponseStream, Location, MarkdownString, Position, type Uri } from 'vscode';
import { partsOf, stampText } from '../../../../server/protocol/answerParts';
import type { SymbolRow } from '../../../../server/protocol/features';
import type { AnswerDto } from '../../../../server/protocol/requests';
import { uriOf } from '../../answers';

/** Most places that are linked above the text. */
const MAX_PLACES = 10;

/** Answers without a model: the summary of the first, links to the places it names, and all their lines when `withText`; `lines` stand in place of those of the first. */
export function writePlainly(
  stream: ChatResponseStream,
  [first, ...others]: readonly [AnswerDto<object>, ...AnswerDto<object>[]],
  nodes: readonly SymbolRow[],
  { folder, lines, withText }: { folder: Uri; withText: boolean; lines?: readonly string[] },
): void {
  stream.markdown(appendWords(new MarkdownString(), first.envelope.summary));
  for (const node of nodes.slice(0, MAX_PLACES)) {
    stream.markdown(new MarkdownString('\n- ').appendMarkdown(`**${node.kind.replaceAll('_', ' ')}** `).appendText(`${node.name} `));
    stream.anchor(locationOf(node, folder));
  }
  if (nodes.length > MAX_PLACES) stream.markdown(`\n- and ${nodes.length - MAX_PLACES} more`);
  if (!withText) return;
  stream.markdown(linesAsList(lines ?? linesOf(first)));
  for (const other of others) stream.markdown(linesAsList([other.envelope.summary, ...linesOf(other)]));
  const { stamp } = first.envelope;
  if (stamp !== undefined) stream.markdown(new MarkdownString('\n\n').appendText(stampText(stamp)));
}

/** What an answer says below its summary. Cursors and hints that mention tools or parameters are for agents; the stamp stands at the end of all. */
function linesOf(answer: AnswerDto<object>): readonly string[] {
  const { rows, closing } = partsOf(answer);
  const { hintParts } = answer.envelope;
  return [...rows, ...closing.filter(({ kind }) => kind === 'stale' || (kind === 'hint' && hintParts === undefined)).map(({ text }) => text)];
}

/** Lines of an answer as a list, deeper where they are indented, so that a narrow view wraps them; code stays as it is. */
function linesAsList(lines: readonly string[]): MarkdownString {
  const list = new MarkdownString('\n\n');
  let inCode = false;
  for (const line of lines) {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) inCode = !inCode;
    if (isFence || inCode) list.appendMarkdown(isFence && inCode ? `\n${line.trim()}\n` : `${isFence ? line.trim() : line}\n`);
    else if (line.trim() !== '') {
      const depth = Math.floor((line.length - line.trimStart().length) / 2);
      appendWords(list.appendMarkdown(`${'  '.repeat(depth)}- `), line.trim()).appendMarkdown('\n');
    }
  }
  return list;
}

/** `appendText` makes spaces that do not break, so that a narrow view would break lines inside words. */
function appendWords(markdown: MarkdownString, text: string): MarkdownString {
  for (const [at, word] of text.split(/\s+/).entries()) markdown.appendMarkdown(at === 0 ? '' : ' ').appendText(word);
  return markdown;
}

export function locationOf(node: SymbolRow, folder: Uri): Location {
  return new Location(uriOf(folder, node.path), new Position(Math.max(0, node.nameLine - 1), node.nameColumn));
}
