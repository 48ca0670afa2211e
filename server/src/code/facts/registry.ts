/**
 * Extractors by language. It does not parse and does not read files.
 */
import { type LanguageId, languageRow } from '../../model/languages';
import type { GrammarNames } from '../parse/syntaxTable';
import { Digester } from './digest/digester';
import type { Extractor } from './extractor';
import { DIGESTS } from './languages/digests';
import { EXTRACTORS } from './languages/extractors';

/** Extractor for a language on its loaded grammar; `undefined` when the family has none. Make one per grammar and worker. */
export function createExtractor(names: GrammarNames, language: LanguageId): Extractor | undefined {
  const { family } = languageRow(language);
  const extractor = EXTRACTORS[family]?.(names, language);
  const rules = DIGESTS[family];
  if (extractor === undefined || rules === undefined) return extractor;
  const digester = new Digester(names, rules);
  const prepare = extractor.prepare?.bind(extractor);
  return {
    ...(prepare === undefined ? {} : { prepare }),
    extract: (table, path, source) => ({ ...extractor.extract(table, path, source), digest: digester.digest(table) }),
  };
}
