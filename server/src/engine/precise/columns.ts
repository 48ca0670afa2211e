import type { PreciseDocument } from '../../model/preciseIndex';
import type { ColumnEncoding, ScipDocument } from './scipReader';

/** The document with columns in UTF-16 code units. `text` is that of the file; lines of ASCII read the same in every encoding. */
export function inUtf16(document: ScipDocument, text: string): PreciseDocument {
  if (document.encoding === 'utf16' || isAscii(text)) return document;
  const { encoding } = document;
  const lines = text.split(/\r\n|\n|\r/);
  const column = document.column.slice();
  const length = document.length.slice();
  for (let row = 0; row < document.count; row++) {
    const line = lines[document.line[row] ?? 0] ?? '';
    const width = document.length[row] ?? 0;
    if (isAscii(line)) continue;
    const start = unitAt(line, document.column[row] ?? 0, encoding);
    column[row] = start;
    if (width > 0) length[row] = unitAt(line, (document.column[row] ?? 0) + width, encoding) - start;
  }
  return { ...document, column, length };
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** UTF-16 column of a column counted in bytes of UTF-8 or in code points. */
function unitAt(line: string, column: number, encoding: ColumnEncoding): number {
  let units = 0;
  let counted = 0;
  for (const character of line) {
    if (counted >= column) break;
    counted += encoding === 'utf8' ? Buffer.byteLength(character) : 1;
    units += character.length;
  }
  return units;
}
