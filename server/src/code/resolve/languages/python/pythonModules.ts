import { basename, dirname, join } from '../../../../base/path';
import type { Manifests } from '../../modules/manifests';
import { FORMS, type ModuleFinder, type ModuleTarget } from '../../modules/moduleFinder';
import type { Probe } from '../../modules/projectPaths';
import { PythonProjects } from './pythonProjects';

const MODULE_FILES = ['.py', '.pyi', '.pyw'];
const PACKAGE_FILES = ['.py', '.pyi'];

/**
 * Resolution of Python modules against the project.
 *
 * Import roots are: folders that hold a top-level package (one whose own folder has no `__init__`), the folders manifests name, the workspace itself,
 * and the folder of the importing file (what `sys.path[0]` is for a script). The nearest root that has the module wins. Those of other
 * projects count where the importing file's project depends on them (`pythonProjects.ts`).
 * Invariant: roots change only through `rebuild`, which says whether they did.
 */
export class PythonModules implements ModuleFinder {
  /** Folders that contain Python files, with everything above them. */
  #folders = new Set<string>();
  #roots: readonly string[] = [''];
  #packages: ReadonlySet<string> = new Set();
  /** Roots by importing folder. */
  readonly #ordered = new Map<string, readonly string[]>();

  /** Folders that code may be imported from, as manifests say, beside what the layout says. */
  readonly #written: ReadonlyMap<string, readonly string[]>;
  #projects: PythonProjects;

  constructor(private readonly manifests: Manifests) {
    this.#written = writtenRoots(manifests.texts);
    this.#projects = new PythonProjects(manifests.texts, [], this.#written);
  }

  /** Reads the layout from the paths of all Python files. True when import roots or folders changed. */
  rebuild(paths: Iterable<string>): boolean {
    const folders = new Set<string>(['']);
    const packages = new Set<string>();
    const all = [...paths];
    for (const path of all) {
      if (!path.endsWith('.py') && !path.endsWith('.pyi')) continue;
      if (/(?:^|\/)__init__\.pyi?$/.test(path)) packages.add(dirname(path));
      for (let at = dirname(path); at !== '' && !folders.has(at); at = dirname(at)) folders.add(at);
    }
    const roots = new Set<string>(['', 'src', ...[...this.#written.values()].flat()]);
    for (const folder of packages) {
      if (folder === '') continue;
      const above = dirname(folder);
      if (!packages.has(above)) roots.add(above);
    }
    const sorted = [...roots].filter(root => root === '' || folders.has(root)).sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
    const before = layoutOf(this.#roots, this.#folders, this.#packages, this.#projects.folders);
    this.#ordered.clear();
    this.#roots = sorted;
    this.#packages = packages;
    this.#projects = new PythonProjects(this.manifests.texts, all, this.#written);
    this.#folders = folders;
    return before !== layoutOf(sorted, folders, packages, this.#projects.folders);
  }

  /** `specifier` with dots; `level` leading dots. */
  resolve(from: string, specifier: string, level: number, probe: Probe): ModuleTarget {
    const parts = specifier === '' ? [] : specifier.split('.');
    if (level > 0) {
      let folder = dirname(from);
      for (let up = 1; up < level; up++) {
        if (folder === '') return 'missing';
        folder = dirname(folder);
      }
      return this.#below(folder, parts, probe) ?? 'missing';
    }
    const folder = dirname(from);
    const ordered = this.#rootsFrom(folder);
    let partly = false;
    let isOwn = false;
    for (const root of ordered) {
      if (isOwn && !encloses(root, folder) && !this.#projects.dependsOn(folder, root)) continue;
      const found = this.#below(root, parts, probe);
      if (found !== undefined && !('folder' in found && this.#isVague(found.folder, root, ordered, parts, probe))) return found;
      const first = parts.length > 1 ? this.#below(root, parts.slice(0, 1), probe) : undefined;
      partly ||= first !== undefined;
      // A package of the project is only looked for where it begins, unless it is spread over what the project depends on.
      isOwn ||= first !== undefined && 'path' in first && encloses(root, folder);
    }
    return partly ? 'missing' : 'external';
  }

  /** Imports with dots rest on the folder, and so do those without: the nearest import root wins. */
  form(_from: string, _specifier: string, level: number): number {
    return Math.min(level, FORMS - 1);
  }

  sharedScope(folder: string): string {
    return folder;
  }

  /** Submodule `name` of a package file or namespace folder. */
  submodule(of: string, name: string, probe: Probe): ModuleTarget | undefined {
    const folder = /(?:^|\/)__init__\.pyi?$/.test(of) ? dirname(of) : undefined;
    return folder === undefined ? undefined : this.#below(folder, [name], probe);
  }

  inFolder(folder: string, name: string, probe: Probe): ModuleTarget | undefined {
    return this.#below(folder, [name], probe);
  }

  /** Roots that enclose the importing file come first, innermost first; then the file's own folder; then the others that its project reaches. */
  #rootsFrom(folder: string): readonly string[] {
    const known = this.#ordered.get(folder);
    if (known !== undefined) return known;
    const ordered = this.#orderFor(folder);
    this.#ordered.set(folder, ordered);
    return ordered;
  }

  #orderFor(folder: string): readonly string[] {
    const inner = this.#roots.filter(root => encloses(root, folder)).reverse();
    const others = this.#roots.filter(root => !encloses(root, folder) && this.#projects.reaches(folder, root));
    return inner.includes(folder) || this.#packages.has(folder) ? [...inner, ...others] : [...inner, folder, ...others];
  }

  /** A bare folder found first may only share its name with a real package under another root. */
  #isVague(folder: string, root: string, roots: readonly string[], parts: readonly string[], probe: Probe): boolean {
    return (
      folder !== root &&
      roots.some(other => {
        if (other === root) return false;
        const found = this.#below(other, parts, probe);
        return found !== undefined && 'path' in found;
      })
    );
  }

  #below(folder: string, parts: readonly string[], probe: Probe): { readonly path: string } | { readonly folder: string } | undefined {
    const full = [...(folder === '' ? [] : [folder]), ...parts].join('/');
    const init = probe.first(full === '' ? '__init__' : `${full}/__init__`, PACKAGE_FILES);
    const path = init ?? (parts.length > 0 ? probe.first(full, MODULE_FILES) : undefined);
    if (path !== undefined) return { path };
    return this.#folders.has(full) ? { folder: full } : undefined;
  }
}

function encloses(root: string, folder: string): boolean {
  return root === '' || folder === root || folder.startsWith(`${root}/`);
}

/** All that resolution rests on beside single files, as text. */
function layoutOf(...parts: readonly Iterable<string>[]): string {
  return parts.map(part => [...part].sort().join('\n')).join('\n\n');
}

/** Manifests that say where code is imported from. */
export const PYTHON_MANIFESTS = /^(?:pyproject\.toml|setup\.cfg)$/;

/** Roots that manifests write, by folder of the manifest. */
function writtenRoots(texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const roots = new Map<string, string[]>();
  for (const [path, text] of texts) {
    if (!PYTHON_MANIFESTS.test(basename(path))) continue;
    const folder = dirname(path);
    roots.set(folder, [...(roots.get(folder) ?? []), ...rootsOf(folder, text)]);
  }
  return roots;
}

/** Folders named by `package-dir`, `where` and the like; a full TOML reader would say no more. */
function rootsOf(folder: string, text: string): string[] {
  const roots = [folder, join(folder, 'src') ?? folder];
  const patterns = [
    /package[-_]dir\s*=\s*\{\s*""\s*[=:]\s*"([^"]+)"/g,
    /package_dir\s*=\s*\n?\s*=\s*(\S+)/g,
    /where\s*=\s*\[?\s*"?([\w./-]+)"?/g,
    /from\s*=\s*"([^"]+)"/g,
  ];
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const root = join(folder, match[1] ?? '');
      if (root !== undefined) roots.push(root);
    }
  }
  return roots;
}
