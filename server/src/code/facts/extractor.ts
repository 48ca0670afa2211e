import type { FileFacts } from '../../model/facts';
import type { LanguageId } from '../../model/languages';
import type { GrammarNames, SyntaxTable } from '../parse/syntaxTable';

/** What a language folder gives: from the tree of one file to what that file says. Total: broken source gives the facts that can be had. */
export interface Extractor {
  /** The text to parse instead of a file's own, of the same length and with the same line breaks: what the grammar cannot read is blanked. */
  prepare?(text: string): string;
  /**
   * The rows are lent: good until the next file, in columns that may be longer than there are rows. A caller that keeps them packs them.
   * `path` names the file; facts depend on it only where a file's name is the name of what it holds (`keyOf` in the engine knows where).
   * `source` is the file's own text, which what is blanked is read from.
   */
  extract(table: SyntaxTable, path: string, source: string): FileFacts;
}

/** One row per language in `registry.ts`; called once per grammar and worker. */
export type ExtractorFactory = (names: GrammarNames, language: LanguageId) => Extractor;
