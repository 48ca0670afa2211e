import { bashRules } from './bash/bashRules';
import { cppRules } from './cpp/cppRules';
import { csharpRules } from './csharp/csharpRules';
import { goRules } from './go/goRules';
import { javaRules } from './java/javaRules';
import { kotlinRules } from './kotlin/kotlinRules';
import type { LanguageRules } from './languageRules';
import { luaRules } from './lua/luaRules';
import { phpRules } from './php/phpRules';
import { rubyRules } from './ruby/rubyRules';
import { rustRules } from './rust/rustRules';
import { scalaRules } from './scala/scalaRules';

/** One row per family that has rules; TypeScript and Python are known to the evaluator itself. */
const RULES: readonly LanguageRules[] = [
  cppRules,
  csharpRules,
  goRules,
  javaRules,
  kotlinRules,
  phpRules,
  rubyRules,
  rustRules,
  bashRules,
  luaRules,
  scalaRules,
];

const BY_FAMILY: ReadonlyMap<string, LanguageRules> = new Map(RULES.map(rules => [rules.family, rules]));

export function rulesOf(family: string): LanguageRules | undefined {
  return BY_FAMILY.get(family);
}
