/**
 * Whether a text is the one that an index was made from, as far as the two can tell: every occurrence stands on a name that it may stand for,
 * and every name of the file that the index mentions is in the index wherever it stands.
 * Comments, numbers and blanks may differ: they change no occurrence.
 */
import type { WorkspacePath } from '../../../base/path';
import { type FileFacts, importRow, NO_TEXT, referenceRow, type StringIndex, symbolRow } from '../../../model/facts';
import {
  isAt,
  isDefinition,
  NO_SYMBOL,
  type PreciseDocument,
  type PreciseEntry,
  type PreciseState,
  type PreciseSymbol,
  type PreciseSymbols,
  rowAt,
} from '../../../model/preciseIndex';
import { parseSymbol } from './symbolText';

/** The state as it would be if some files had other texts. */
export function withTexts(
  state: PreciseState,
  texts: readonly { readonly path: WorkspacePath; readonly text: string; readonly facts: FileFacts }[],
): PreciseState {
  const documents = new Map<WorkspacePath, PreciseEntry>(state.documents);
  for (const { path, text, facts } of texts) {
    const entry = documents.get(path);
    if (entry !== undefined) documents.set(path, { ...entry, isCurrent: fits(entry.document, state.symbols, facts, text) });
  }
  return { symbols: state.symbols, documents };
}

export function fits(document: PreciseDocument, symbols: PreciseSymbols, facts: FileFacts, text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/);
  const known = new Set<string>();
  const locals = new Map<PreciseSymbol, string>();
  const aliases = new Set<string>();
  for (let row = importRow(0); row < facts.imports.count; row++) aliases.add(facts.strings[facts.imports.localName[row] ?? NO_TEXT] ?? '');
  for (let row = 0; row < document.count; row++) {
    const length = document.length[row] ?? 0;
    if (length <= 0) continue;
    const line = lines[document.line[row] ?? 0] ?? '';
    const column = document.column[row] ?? 0;
    const name = line.slice(column, column + length);
    if (name.length < length || cutsWord(line, column, length)) return false;
    const symbol = document.symbol[row] ?? NO_SYMBOL;
    if (symbol < 0) {
      if ((locals.get(symbol) ?? name) !== name) return false;
      locals.set(symbol, name);
    } else if (!aliases.has(name) && !mayStandFor(name, symbols.text(symbol), isDefinition(document, row))) return false;
    known.add(name);
  }
  return isMentioned(document, facts, known);
}

const WORD = /[\p{L}\p{N}_$]/u;

/** An occurrence that begins or ends inside a word has slipped. */
function cutsWord(line: string, column: number, length: number): boolean {
  const isWord = (at: number): boolean => WORD.test(line[at] ?? '');
  return (isWord(column) && isWord(column - 1)) || (isWord(column + length - 1) && isWord(column + length));
}

/** Words that stand for something else by the rules of a language. */
const STAND_INS: ReadonlySet<string> = new Set(['constructor', 'this', 'super', 'self', 'cls', 'Self', 'new', 'default', '__init__', 'init', 'operator']);

function mayStandFor(name: string, symbol: string, isDeclaration: boolean): boolean {
  if (STAND_INS.has(name)) return true;
  const last = parseSymbol(symbol)?.descriptors.at(-1)?.name;
  if (last === undefined || name.replace(/^#/, '') === last) return true;
  const words = name.match(/[\p{L}\p{N}_$-]+/gu) ?? [];
  if (words.length === 0) return true;
  // Modules are named by specifiers and dotted names, object literals' properties with a number behind.
  const isName = words.length === 1 && words[0] === name;
  if (isDeclaration && isName) return last.startsWith(name) || symbol.endsWith('/') || symbol.endsWith('/__init__:');
  return words.some(word => symbol.includes(word));
}

/** Names of the file that are in the index are in it at each place where our own reading finds them. */
function isMentioned(document: PreciseDocument, facts: FileFacts, known: ReadonlySet<string>): boolean {
  const { references, symbols } = facts;
  const stands = (text: StringIndex, line: number, column: number): boolean =>
    !known.has(facts.strings[text] ?? '') || isAt(document, rowAt(document, line, column), line, column);
  for (let row = referenceRow(0); row < references.count; row++) {
    if (!stands(references.name[row] ?? NO_TEXT, references.line[row] ?? 0, references.column[row] ?? 0)) return false;
  }
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const [line, column] = [symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0];
    if (!isAt(document, rowAt(document, line, column), line, column)) return false;
  }
  return true;
}
