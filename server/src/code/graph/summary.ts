import { SYMBOL_KINDS } from '../../model/nodes';
import { type FileEntry, symbolCell, symbolText } from './fileEntry';

/** Heuristic one-sentence summary of a symbol (graph spec section 6): first sentence of the doc comment's first line, else the first line of the body. */
export function symbolSummary(name: string, doc: string, firstLine: string): string {
  const line = doc.split('\n', 1)[0]?.trim() ?? '';
  if (line !== '') return firstSentence(line);
  const body = firstLine.trim();
  return body === '' ? `${name} implementation` : body;
}

const SHOWN = 4;

/** What a file defines at its top level, in source order. */
export function fileSummary(entry: FileEntry): string {
  const top: string[] = [];
  let count = 0;
  for (let row = 0; row < entry.nodes.length; row++) {
    if (symbolCell(entry, row, 'parent') >= 0) continue;
    count++;
    if (top.length < SHOWN) top.push(`${SYMBOL_KINDS[symbolCell(entry, row, 'kind')] ?? 'symbol'} ${symbolText(entry, row, 'name')}`);
  }
  if (count === 0) return 'no symbols';
  return `defines ${top.join(', ')}${count > top.length ? ` and ${count - top.length} more` : ''}`;
}

function firstSentence(line: string): string {
  const end = /[.!?](?=\s+[A-Z`])/.exec(line);
  return (end === null ? line : line.slice(0, end.index + 1)).replace(/\.$/, '');
}
