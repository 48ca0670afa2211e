import { basename, type WorkspacePath } from '../../../base/path';
import type { LanguageRules } from './languageRules';
import { RULES } from './rules';

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

/** What the languages read of a manifest, as a text. */
export function manifestMeaning(path: WorkspacePath, text: string): string {
  const name = basename(path);
  const readers = RULES.filter(rules => rules.manifests?.test(name) === true);
  return JSON.stringify(readers.map(rules => rules.manifestMeaning?.(path, text) ?? text));
}

/** Whether all that a manifest decides can be told file by file (`beyondImports`), for every language that reads it. */
export function decidesImports(path: WorkspacePath): boolean {
  const name = basename(path);
  return RULES.every(rules => rules.manifests?.test(name) !== true || rules.beyondImports !== undefined);
}
