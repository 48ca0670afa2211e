/**
 * Which folder extracts which family of languages: one row per family.
 *
 * It does not parse and does not read files. A language whose family has no row gets a file node only.
 */
import { type LanguageId, languageRow } from '../../model/languages';
import type { GrammarNames } from '../parse/syntaxTable';
import type { Extractor, ExtractorFactory } from './extractor';
import { createBashExtractor } from './languages/bash/bashExtractor';
import { createCppExtractor } from './languages/cpp/cppExtractor';
import { createCsharpExtractor } from './languages/csharp/csharpExtractor';
import { createGoExtractor } from './languages/go/goExtractor';
import { createJavaExtractor } from './languages/java/javaExtractor';
import { createKotlinExtractor } from './languages/kotlin/kotlinExtractor';
import { createLuaExtractor } from './languages/lua/luaExtractor';
import { createPhpExtractor } from './languages/php/phpExtractor';
import { createPythonExtractor } from './languages/python/pythonExtractor';
import { createRubyExtractor } from './languages/ruby/rubyExtractor';
import { createRustExtractor } from './languages/rust/rustExtractor';
import { createScalaExtractor } from './languages/scala/scalaExtractor';
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

/** Extractor for a language on its loaded grammar; `undefined` when the family has none. Make one per grammar and worker. */
export function createExtractor(names: GrammarNames, language: LanguageId): Extractor | undefined {
  return FAMILIES[languageRow(language).family]?.(names, language);
}
