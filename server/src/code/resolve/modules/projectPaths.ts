import { basename } from '../../../base/path';
import type { Dependencies } from '../dependencies';

/** Asks which files the project has, and notes that the answer was used. */
export interface Probe {
  has(path: string): boolean;
  /** The first of `stem + extension` that is there. Costs one look-up when nothing begins so, however many extensions there are. */
  first(stem: string, extensions: readonly string[]): string | undefined;
}

/** All files of the project, with or without facts, by path and by path without extension. */
export class ProjectPaths implements Probe {
  readonly #known = new Set<string>();
  /** Number of files by stem. */
  readonly #stems = new Map<string, number>();

  /** Paths by the last name in them. */
  readonly #named = new Map<string, Set<string>>();

  constructor(private readonly dependencies: Dependencies) {}

  get all(): ReadonlySet<string> {
    return this.#known;
  }

  /** False when it was there already. */
  add(path: string): boolean {
    if (this.#known.has(path)) return false;
    this.#known.add(path);
    const name = basename(path);
    const alike = this.#named.get(name);
    if (alike === undefined) this.#named.set(name, new Set([path]));
    else alike.add(path);
    for (const stem of stemsOf(path)) this.#stems.set(stem, (this.#stems.get(stem) ?? 0) + 1);
    return true;
  }

  /** False when it was not there. */
  remove(path: string): boolean {
    if (!this.#known.delete(path)) return false;
    this.#named.get(basename(path))?.delete(path);
    for (const stem of stemsOf(path)) {
      const left = (this.#stems.get(stem) ?? 0) - 1;
      if (left > 0) this.#stems.set(stem, left);
      else this.#stems.delete(stem);
    }
    return true;
  }

  has(path: string): boolean {
    this.dependencies.consult(this.dependencies.path(path));
    return this.#known.has(path);
  }

  first(stem: string, extensions: readonly string[]): string | undefined {
    this.dependencies.consult(this.dependencies.path(stem));
    return this.#first(stem, extensions);
  }

  /** Answers alike, and notes nothing. */
  readonly unnoted: Probe = { has: path => this.#known.has(path), first: (stem, extensions) => this.#first(stem, extensions) };

  #first(stem: string, extensions: readonly string[]): string | undefined {
    if (!this.#stems.has(stem)) return undefined;
    for (const extension of extensions) {
      const path = stem + extension;
      if (this.#known.has(path)) return path;
    }
    return undefined;
  }

  /** Paths that are the given one or end with it below some folder, in order. */
  ending(path: string): string[] {
    const name = basename(path);
    this.dependencies.consult(this.dependencies.path(`*/${name}`));
    const tail = `/${path}`;
    return [...(this.#named.get(name) ?? [])].filter(candidate => candidate === path || candidate.endsWith(tail)).sort();
  }

  /** Adds the keys of those who asked for a path, by itself, by its stem or by its last name. */
  askedFor(path: string, into: Set<number>): void {
    for (const text of [path, ...stemsOf(path), `*/${basename(path)}`]) {
      const key = this.dependencies.knownPath(text);
      if (key !== undefined) into.add(key);
    }
  }
}

/** The path without its extension; for a declaration file also without the `.d`. */
function stemsOf(path: string): string[] {
  const dot = path.lastIndexOf('.');
  if (dot <= path.lastIndexOf('/')) return [];
  const stem = path.slice(0, dot);
  return stem.endsWith('.d') ? [stem, stem.slice(0, -2)] : [stem];
}
