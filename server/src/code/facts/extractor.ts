import type { FileFacts } from '../../model/facts';
import type { LanguageId } from '../../model/languages';
import type { GrammarNames, SyntaxTable } from '../parse/syntaxTable';

/** What a language folder gives: from the tree of one file to what that file says. Total: broken source gives the facts that can be had. */
export interface Extractor {
  extract(table: SyntaxTable): FileFacts;
}

/** One row per language in `registry.ts`; called once per grammar and worker. */
export type ExtractorFactory = (names: GrammarNames, language: LanguageId) => Extractor;
