import { basename } from '../../../base/path';
import type { Manifests } from '../modules/manifests';

/** Where a manifest says the name of its package. */
const NAME_LINES: Readonly<Record<string, RegExp>> = {
  'package.json': /^\s*"name"\s*:\s*"([^"]+)"/m,
  'pyproject.toml': /^\s*name\s*=\s*["']([^"']+)["']/m,
  'setup.cfg': /^\s*name\s*=\s*(\S+)/m,
  'Cargo.toml': /^\s*name\s*=\s*"([^"]+)"/m,
  'go.mod': /^\s*module\s+(\S+)/m,
  'composer.json': /^\s*"name"\s*:\s*"([^"]+)"/m,
};

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
    const name = NAME_LINES[basename(path)]?.exec(text)?.[1];
    if (name !== undefined) names.add(plainName(name));
  }
  return names;
}
