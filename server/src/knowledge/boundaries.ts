import { type GlobAlternative, matchesPath } from '../base/globs';
import { compilePattern } from './patterns';
import type { AtomId } from './types';

/** Patterns of all atoms by the folder that every match lies below, so that a path is tried against few of them. Each pattern is compiled once. */
export class Boundaries {
  readonly #byFolder = new Map<string, Boundary[]>();
  readonly #known = new Map<AtomId, { readonly paths: readonly string[]; readonly folders: ReadonlySet<string> }>();

  /** Takes over the patterns of an atom; nothing is compiled when they are the same as before. */
  set(atom: AtomId, paths: readonly string[]): void {
    const before = this.#known.get(atom);
    if (before !== undefined && before.paths.length === paths.length && before.paths.every((path, at) => path === paths[at])) return;
    this.remove(atom);
    const folders = new Set<string>();
    for (const alternative of paths.flatMap(path => compilePattern(path).alternatives)) {
      folders.add(alternative.folder);
      const list = this.#byFolder.get(alternative.folder);
      if (list === undefined) this.#byFolder.set(alternative.folder, [{ atom, alternative }]);
      else list.push({ atom, alternative });
    }
    this.#known.set(atom, { paths, folders });
  }

  remove(atom: AtomId): void {
    for (const folder of this.#known.get(atom)?.folders ?? []) {
      const left = (this.#byFolder.get(folder) ?? []).filter(boundary => boundary.atom !== atom);
      if (left.length === 0) this.#byFolder.delete(folder);
      else this.#byFolder.set(folder, left);
    }
    this.#known.delete(atom);
  }

  covering(path: string): ReadonlySet<AtomId> {
    const found = new Set<AtomId>();
    const segments = path.split('/');
    for (let end = -1; ; ) {
      for (const { atom, alternative } of this.#byFolder.get(end < 0 ? '' : path.slice(0, end)) ?? []) {
        if (!found.has(atom) && matchesPath(alternative, segments)) found.add(atom);
      }
      if (end === path.length) return found;
      const slash = path.indexOf('/', end + 1);
      end = slash < 0 ? path.length : slash;
    }
  }
}

interface Boundary {
  readonly atom: AtomId;
  readonly alternative: GlobAlternative;
}
