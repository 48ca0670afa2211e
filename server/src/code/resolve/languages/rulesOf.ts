import { basename, type WorkspacePath } from '../../../base/path';
import { bashRules } from './bash/bashRules';
import { cppRules } from './cpp/cppRules';
import { csharpRules } from './csharp/csharpRules';
import { goRules } from './go/goRules';
import { javaRules } from './java/javaRules';
import { kotlinRules } from './kotlin/kotlinRules';
import type { LanguageRules } from './languageRules';
import { luaRules } from './lua/luaRules';
import { phpRules } from './php/phpRules';
import { pythonRules } from './python/pythonRules';
import { rubyRules } from './ruby/rubyRules';
import { rustRules } from './rust/rustRules';
import { scalaRules } from './scala/scalaRules';
import { typescriptRules } from './typescript/typescriptRules';

/** One row per family: the one place that knows them all. */
export const RULES: readonly LanguageRules[] = [
  cppRules,
  csharpRules,
  goRules,
  javaRules,
  kotlinRules,
  phpRules,
  pythonRules,
  rubyRules,
  rustRules,
  bashRules,
  luaRules,
  scalaRules,
  typescriptRules,
];

const BY_FAMILY: ReadonlyMap<string, LanguageRules> = new Map(RULES.map(rules => [rules.family, rules]));

/** Throws `RangeError` for a family that has no row. */
export function rulesOf(family: string): LanguageRules {
  const rules = BY_FAMILY.get(family);
  if (rules === undefined) throw new RangeError(`no rules for ${family}`);
  return rules;
}

/** True for files whose text some language reads as a manifest. */
export function isManifest(path: WorkspacePath): boolean {
  const name = basename(path);
  return RULES.some(rules => rules.manifests?.test(name) === true);
}
