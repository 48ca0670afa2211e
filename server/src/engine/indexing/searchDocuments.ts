import { basename } from '../../base/path';
import { type FileFacts, NO_TEXT, NONE, qualifiedName, type StringIndex, symbolRow, textOf } from '../../model/facts';
import { symbolId } from '../../model/ids';
import { kindRow } from '../../model/kinds';
import { traitsOf } from '../../model/languages';
import { SYMBOL_KINDS } from '../../model/nodes';
import type { SearchDocument } from '../../search/searchView';

/** Names used inside a symbol that stand for its source as long as that has not been read, in order of first use. */
const MAX_BODY_NAMES = 60;
/** Lines of a symbol that are searched. */
const MAX_BODY_LINES = 300;

/** What the index may know of a file beside its facts. */
export interface FileContent {
  readonly text: string | undefined;
  /** Subjects of past commits that changed the file, a line each. */
  readonly history: string;
}

export const NO_CONTENT: FileContent = { text: undefined, history: '' };

const BESIDE = /(?:^|[/_.-])(?:tests?|specs?|__tests__|testing|fixtures?|mocks?|bench(?:es|marks?)?|examples?|samples?|demos?)(?=[/_.-]|$)/i;

/** What the lexical index knows of one file: a document for the file and one for each of its symbols. */
export function searchDocumentsOf(path: string, facts: FileFacts | undefined, { history, text }: FileContent = NO_CONTENT): SearchDocument[] {
  const isBeside = BESIDE.test(path);
  const file = {
    id: path,
    name: basename(path),
    path,
    signature: '',
    doc: '',
    body: '',
    text: text ?? '',
    history,
    weight: kindRow('file').searchWeight,
    isBeside,
  };
  if (facts === undefined) return [file];
  const documents: SearchDocument[] = [file];
  const bodyOf = text === undefined ? namesUsed(facts) : sourceOf(facts, text);
  const { symbols } = facts;
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const name = textOf(facts, symbols.name[row] ?? NO_TEXT);
    const signature = textOf(facts, symbols.signature[row] ?? NO_TEXT);
    if (isTestBlock(name, signature, traitsOf(facts.language).titledBlock)) continue;
    const names = qualifiedName(facts, row);
    const [doc, remarks] = commentParts(textOf(facts, symbols.doc[row] ?? NO_TEXT));
    const kind = SYMBOL_KINDS[symbols.kind[row] ?? 0];
    documents.push({
      id: symbolId(path, names),
      name,
      scope: names.slice(0, -1).join(' '),
      path: '',
      signature,
      doc,
      body: bodyOf(row),
      remarks,
      weight: kind === undefined ? 1 : kindRow(kind).searchWeight,
      isBeside,
    });
  }
  return documents;
}

/**
 * Blocks of tests are named by sentences, or after the code that they test. They would be the best answers to questions in these words, and the name
 * would count as a frequent one. Their file has their text.
 */
function isTestBlock(name: string, signature: string, title: RegExp | undefined): boolean {
  return name.includes(' ') || title?.test(signature) === true;
}

/** The end of a first sentence: its mark, an empty line, a tag or a field. */
const SENTENCE_END = /[.!?](?=\s|$)|\n\s*(?:\n|[@:])/;

/** What a comment says first, and the rest: parameters, examples and remarks share their words with much of the code around. */
function commentParts(comment: string): readonly [first: string, rest: string] {
  const end = SENTENCE_END.exec(comment);
  const at = end === null ? comment.length : end.index + 1;
  return [comment.slice(0, at), comment.slice(at)];
}

/** The lines that a symbol is on, without a doc comment among them: that is a field by itself. */
function sourceOf({ language, symbols }: FileFacts, text: string): (row: number) => string {
  const { docInside } = traitsOf(language);
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return row => {
    const first = symbols.startLine[row] ?? 0;
    const last = Math.min(symbols.endLine[row] ?? first, first + MAX_BODY_LINES - 1);
    const source = text.slice(starts[first] ?? text.length, starts[last + 1] ?? text.length);
    return docInside !== undefined && symbols.doc[row] !== 0 ? source.replace(docInside, '') : source;
  };
}

function namesUsed(facts: FileFacts): (row: number) => string {
  const { references } = facts;
  const names: (Set<StringIndex> | undefined)[] = [];
  for (let row = 0; row < references.count; row++) {
    const owner = references.owner[row] ?? NONE;
    if (owner === NONE) continue;
    const set = (names[owner] ??= new Set());
    if (set.size < MAX_BODY_NAMES) set.add(references.name[row] ?? NO_TEXT);
  }
  return row => [...(names[row] ?? [])].map(name => textOf(facts, name)).join(' ');
}
