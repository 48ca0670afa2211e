/**
 * Which folder extracts which family of languages: one row per family.
 *
 * It does not parse and does not read files. A language whose family has no row gets a file node only.
 */
import { type LanguageId, languageRow } from '../../model/languages';
import type { GrammarNames } from '../parse/syntaxTable';
import { Digester, type DigestRules } from './digest/digester';
import type { Extractor, ExtractorFactory } from './extractor';
import { createBashExtractor } from './languages/bash/bashExtractor';
import { createCppExtractor } from './languages/cpp/cppExtractor';
import { createCsharpExtractor } from './languages/csharp/csharpExtractor';
import { GO_DIGEST } from './languages/go/digestRules';
import { createGoExtractor } from './languages/go/goExtractor';
import { JAVA_DIGEST } from './languages/java/digestRules';
import { createJavaExtractor } from './languages/java/javaExtractor';
import { createKotlinExtractor } from './languages/kotlin/kotlinExtractor';
import { createLuaExtractor } from './languages/lua/luaExtractor';
import { createPhpExtractor } from './languages/php/phpExtractor';
import { PYTHON_DIGEST } from './languages/python/digestRules';
import { createPythonExtractor } from './languages/python/pythonExtractor';
import { createRubyExtractor } from './languages/ruby/rubyExtractor';
import { RUST_DIGEST } from './languages/rust/digestRules';
import { createRustExtractor } from './languages/rust/rustExtractor';
import { createScalaExtractor } from './languages/scala/scalaExtractor';
import { TYPESCRIPT_DIGEST } from './languages/typescript/digestRules';
import { createTypeScriptExtractor } from './languages/typescript/typescriptExtractor';

const FAMILIES: Readonly<Record<string, ExtractorFactory>> = {
  java: createJavaExtractor,
  kotlin: createKotlinExtractor,
  go: createGoExtractor,
  php: createPhpExtractor,
  cpp: createCppExtractor,
  csharp: createCsharpExtractor,
  python: createPythonExtractor,
  rust: createRustExtractor,
  ruby: createRubyExtractor,
  bash: createBashExtractor,
  lua: createLuaExtractor,
  scala: createScalaExtractor,
  typescript: createTypeScriptExtractor,
};

/** What a digest keeps; a family without a row has none. */
const DIGESTS: Readonly<Record<string, DigestRules>> = {
  go: GO_DIGEST,
  java: JAVA_DIGEST,
  python: PYTHON_DIGEST,
  rust: RUST_DIGEST,
  typescript: TYPESCRIPT_DIGEST,
};

/** Extractor for a language on its loaded grammar; `undefined` when the family has none. Make one per grammar and worker. */
export function createExtractor(names: GrammarNames, language: LanguageId): Extractor | undefined {
  const { family } = languageRow(language);
  const extractor = FAMILIES[family]?.(names, language);
  const rules = DIGESTS[family];
  if (extractor === undefined || rules === undefined) return extractor;
  const digester = new Digester(names, rules);
  const prepare = extractor.prepare?.bind(extractor);
  return {
    ...(prepare === undefined ? {} : { prepare }),
    extract: (table, path) => ({ ...extractor.extract(table, path), digest: digester.digest(table) }),
  };
}
