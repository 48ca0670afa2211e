import { basename } from '../../../base/path';
import { RULES } from '../languages/rules';
import type { Manifests } from '../modules/manifests';

/** By file name of a manifest: where it says the name of its package. */
const NAME_LINES: ReadonlyMap<string, RegExp> = new Map(RULES.flatMap(rules => Object.entries(rules.packageNames ?? {})));

const NAMES = new WeakMap<Manifests, ReadonlySet<string>>();

/**
 * Whether a package is one of the project's: an indexer may have found an installed copy of it, and then what it calls outside is not.
 * Compared as package registries compare names: without case and kind of hyphen.
 */
export function isOwnPackage(manifests: Manifests, name: string): boolean {
  const known = NAMES.get(manifests) ?? namesOf(manifests);
  NAMES.set(manifests, known);
  return known.has(plainName(name));
}

export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

function namesOf(manifests: Manifests): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [path, text] of manifests.texts) {
    const name = NAME_LINES.get(basename(path))?.exec(text)?.[1];
    if (name !== undefined) names.add(plainName(name));
  }
  return names;
}
