import { hashText } from '../../../../base/hash';
import { NO_TEXT, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { foldedText } from '../../sourceText';
import type { FileContext } from './fileContext';

const DOC_LENGTH = 2000;
const LINE_LENGTH = 120;

/** Text from `start` to `end` on one line, without the colon that opens a body. */
export function signatureOf(file: FileContext, start: number, end: number): StringIndex {
  const folded = foldedText(file.table.text, start, end, 'hash').replace(/\s*:$/, '');
  return file.builder.internShown(folded);
}

export function hashOf(file: FileContext, start: number, end: number): StringIndex {
  return file.builder.hashOf(start, end);
}

/** Hash of a class: its header and the signatures of its members, so that an edited method body leaves it as it is. */
export function hashOfClass(file: FileContext, symbol: SymbolRow, start: number, bodyStart: number): StringIndex {
  const { symbols, strings } = file.builder;
  const parts = [file.table.text.slice(start, bodyStart)];
  for (let row = symbol + 1; row < symbols.count; row++) if (symbols.parent[row] === symbol) parts.push(strings[symbols.signature[row] ?? NO_TEXT] ?? '');
  return file.builder.intern(hashText(parts.join('\n')));
}

/** The docstring of a body, dedented, or 0. */
export function docOf(file: FileContext, body: SyntaxNode): StringIndex {
  const string = docstringOf(file, body);
  if (string === NO_NODE) return NO_TEXT;
  const raw = file
    .children(string)
    .map(child => (file.is(child, 'string_content') ? file.text(child) : ''))
    .join('');
  const lines = raw.replaceAll('\t', '    ').split(/\r?\n|\r/);
  const margin = Math.min(
    ...lines
      .slice(1)
      .filter(line => line.trim() !== '')
      .map(line => line.length - line.trimStart().length),
  );
  const text = lines
    .map((line, at) => (at === 0 ? line.trim() : line.slice(Number.isFinite(margin) ? margin : 0).trimEnd()))
    .join('\n')
    .trim();
  return file.builder.internShown(text.slice(0, DOC_LENGTH));
}

/** First line of the body after its docstring. */
export function firstLineOf(file: FileContext, body: SyntaxNode): StringIndex {
  const doc = docstringOf(file, body);
  const statements = file.children(body);
  const statement = doc === NO_NODE ? statements[0] : statements[1];
  if (statement === undefined) return NO_TEXT;
  const [line = ''] = file.text(statement).split(/[\r\n]/, 1);
  return file.builder.internShown(line.trim().slice(0, LINE_LENGTH));
}

function docstringOf(file: FileContext, body: SyntaxNode): SyntaxNode {
  const [first] = file.children(body);
  if (first === undefined || !file.is(first, 'expression_statement')) return NO_NODE;
  const string = file.reader.firstNamedChild(first);
  return file.is(string, 'string') && file.childOf(string, 'interpolation') === NO_NODE ? string : NO_NODE;
}
