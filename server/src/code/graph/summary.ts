import { SYMBOL_KINDS } from '../../model/nodes';
import { type FileEntry, parentRow, symbolCell, symbolRow, symbolText } from './fileEntry';

/** Heuristic one-sentence summary of a symbol: first sentence of the doc comment, also when it runs over its first line, else the first line of the body. */
export function symbolSummary(name: string, doc: string, firstLine: string): string {
  const sentence = doc === '' ? '' : firstSentence(doc);
  if (sentence !== '') return sentence;
  const body = firstLine.trim();
  return body === '' ? `${name} implementation` : body;
}

const SHOWN = 4;

/** What a file defines at its top level, in source order. */
export function fileSummary(entry: FileEntry): string {
  const top: string[] = [];
  let count = 0;
  for (let place = 0; place < entry.nodes.length; place++) {
    const row = symbolRow(place);
    if (parentRow(entry, row) !== undefined) continue;
    count++;
    if (top.length < SHOWN) top.push(`${SYMBOL_KINDS[symbolCell(entry, row, 'kind')] ?? 'symbol'} ${symbolText(entry, row, 'name')}`);
  }
  if (count === 0) return 'no symbols';
  return `defines ${top.join(', ')}${count > top.length ? ` and ${count - top.length} more` : ''}`;
}

/** A sentence that goes on for longer is cut after a word. */
const MAX_SENTENCE = 160;
/** A line that begins with a tag (`@param x`) or a field (`:param x: `); `` :class:`Cart` `` is a word of the text. */
const TAG = /^(?:@|:(?!\w+(?::\w+)?:`))/;
/** Lines that start something else than the first paragraph: a blank line, a tag, a directive, a list, a fence, an underline. */
const NEW_PART =
  /^(?:$|@|:(?!\w+(?::\w+)?:`)|\.\. |[-*+] |```|~~~|[=~-]{3,}$|(?:Args|Arguments|Parameters|Returns|Raises|Example|Examples|Note|Notes|Yields):)/;

/** The first sentence of a doc comment, without its full stop; `''` when it begins with a tag. */
export function firstSentence(doc: string): string {
  let text = '';
  for (const part of doc.split('\n')) {
    const line = part.trim();
    if (text !== '' ? NEW_PART.test(line) : TAG.test(line)) break;
    text += text === '' ? line : ` ${line}`;
    const end = /[.!?](?=\s+[A-Z`]|$)/.exec(text);
    if (end !== null) return cut(text.slice(0, end.index + (text[end.index] === '.' ? 0 : 1)));
    if (text.length > MAX_SENTENCE) break;
  }
  return cut(text);
}

function cut(text: string): string {
  if (text.length <= MAX_SENTENCE) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MAX_SENTENCE) > 0 ? text.lastIndexOf(' ', MAX_SENTENCE) : MAX_SENTENCE)}…`;
}
