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
import { componentName } from './languages/typescript/componentFiles';
import { createTypeScriptExtractor } from './languages/typescript/typescriptExtractor';

interface Family {
  readonly create: ExtractorFactory;
  /** What of a file's path its facts depend on; '' for nothing. Left out: facts depend on the text alone. */
  readonly nameInFacts?: (language: LanguageId, path: string) => string;
}

const FAMILIES: Readonly<Record<string, Family>> = {
  java: { create: createJavaExtractor },
  kotlin: { create: createKotlinExtractor },
  go: { create: createGoExtractor },
  php: { create: createPhpExtractor },
  cpp: { create: createCppExtractor },
  csharp: { create: createCsharpExtractor },
  python: { create: createPythonExtractor },
  rust: { create: createRustExtractor },
  ruby: { create: createRubyExtractor },
  bash: { create: createBashExtractor },
  lua: { create: createLuaExtractor },
  scala: { create: createScalaExtractor },
  typescript: { create: createTypeScriptExtractor, nameInFacts: componentName },
};

/** Extractor for a language on its loaded grammar; `undefined` when the family has none. Make one per grammar and worker. */
export function createExtractor(names: GrammarNames, language: LanguageId): Extractor | undefined {
  return FAMILIES[languageRow(language).family]?.create(names, language);
}

/** What of a file's path its facts depend on, '' for nothing: part of the key that facts are kept under. */
export function nameInFacts(language: LanguageId, path: string): string {
  return FAMILIES[languageRow(language).family]?.nameInFacts?.(language, path) ?? '';
}
