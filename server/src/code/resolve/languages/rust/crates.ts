/** Crates of the project, from their `Cargo.toml`, and the path of modules that each file stands for. */
import { basename, dirname, join } from '../../../../base/path';
import type { Manifests } from '../../modules/manifests';

/** A Cargo package. Its targets other than the library are crates of their own, named `name#target`. */
export interface CargoPackage {
  readonly folder: string;
  /** As code spells it: `-` is `_`. */
  readonly name: string;
  /** File of the library's root, relative to the folder. */
  readonly library: string;
  /** Roots of programs outside the usual places: crate by file. */
  readonly programs: ReadonlyMap<string, string>;
  /** Dependencies under another name than their package's, and those of the project by path: folder or package name. */
  readonly renamed: ReadonlyMap<string, string>;
}

const KNOWN = new WeakMap<Manifests, readonly CargoPackage[]>();

/** Cargo packages of the project, innermost folders first. */
export function packagesOf(manifests: Manifests): readonly CargoPackage[] {
  const known = KNOWN.get(manifests);
  if (known !== undefined) return known;
  const packages: CargoPackage[] = [];
  for (const [path, text] of manifests.texts) {
    const found = basename(path) === 'Cargo.toml' ? readPackage(dirname(path), text) : undefined;
    if (found !== undefined) packages.push(found);
  }
  packages.sort((left, right) => right.folder.length - left.folder.length || (left.folder < right.folder ? -1 : 1));
  KNOWN.set(manifests, packages);
  return packages;
}

export function packageAround(path: string, manifests: Manifests): CargoPackage | undefined {
  return packagesOf(manifests).find(({ folder }) => folder === '' || path.startsWith(`${folder}/`));
}

/** Path of modules of a file, its crate first. */
export function modulePathOf(path: string, manifests: Manifests): string {
  const around = packageAround(path, manifests);
  if (around === undefined) return withoutManifest(path);
  const inside = around.folder === '' ? path : path.slice(around.folder.length + 1);
  const program = around.programs.get(inside);
  if (program !== undefined) return program;
  if (inside === around.library || inside === 'src/main.rs') return around.name;
  const target = /^(?<kind>src\/bin|tests|examples|benches)\/(?<rest>.+)\.rs$/.exec(inside)?.groups;
  if (target !== undefined) return targetPath(around.name, target['kind'] ?? '', target['rest'] ?? '');
  const root = dirname(around.library);
  if (root === '' || inside.startsWith(`${root}/`)) return below(around.name, inside.slice(root === '' ? 0 : root.length + 1));
  return below(`${around.name}#${inside.split('/', 1)[0] ?? ''}`, inside.slice(inside.indexOf('/') + 1));
}

/** `tests/a.rs`, `tests/a/main.rs` and what stands beside the latter. */
function targetPath(name: string, kind: string, rest: string): string {
  const [first = '', ...others] = rest.split('/');
  const crate = `${name}#${kind}/${first}`;
  return others.length === 0 ? crate : below(crate, `${others.join('/')}.rs`);
}

function below(crate: string, file: string): string {
  const parts = file.replace(/\.rs$/, '').split('/');
  const last = parts[parts.length - 1];
  if (last === 'mod' || (parts.length === 1 && (last === 'lib' || last === 'main'))) parts.pop();
  return [crate, ...parts].join('::');
}

/** Without a manifest the folder above `src`, or the workspace, is taken for a crate. */
function withoutManifest(path: string): string {
  const match = /^(?:(?<folder>.*)\/)?src\/(?<rest>[^/].*)$/.exec(path)?.groups;
  if (match === undefined) return below('crate#', path);
  return below(basename(match['folder'] ?? '').replaceAll('-', '_') || 'crate#', match['rest'] ?? '');
}

/** Crate that a name means as the first segment of a path in a file; `undefined` when it is none of the project. */
export function crateNamed(name: string, from: string, manifests: Manifests): string | undefined {
  const around = packageAround(from, manifests);
  const packages = packagesOf(manifests);
  const renamed = around?.renamed.get(name);
  if (renamed !== undefined) {
    const target = packages.find(({ folder, name: own }) => folder === renamed || own === renamed);
    if (target !== undefined) return target.name;
  }
  return packages.find(candidate => candidate.name === name)?.name;
}

const TABLE = /^\s*\[\[?\s*(?<name>[^\]]+?)\s*\]\]?/;

/** The few keys that say where code is; `undefined` for a workspace without a package of its own. */
function readPackage(folder: string, text: string): CargoPackage | undefined {
  let table = '';
  let name = '';
  let libraryName = '';
  let library = 'src/lib.rs';
  const programs: { name: string; path: string }[] = [];
  const renamed = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const header = TABLE.exec(line)?.groups?.['name'];
    if (header !== undefined) {
      table = header;
      if (PROGRAM_TABLES.has(table)) programs.push({ name: '', path: '' });
      continue;
    }
    const pair = /^\s*(?<key>[\w.-]+)\s*=\s*(?<value>.+)$/.exec(line)?.groups;
    const key = pair?.['key'] ?? '';
    const value = pair?.['value'] ?? '';
    const string = /^["'](?<text>[^"']*)["']/.exec(value)?.groups?.['text'];
    const program = programs[programs.length - 1];
    if (table === 'package' && key === 'name') name = string ?? name;
    else if (table === 'lib' && key === 'name') libraryName = string ?? '';
    else if (table === 'lib' && key === 'path') library = string ?? library;
    else if (PROGRAM_TABLES.has(table) && program !== undefined && string !== undefined && (key === 'name' || key === 'path')) program[key] = string;
    else if (/dependencies$/.test(table) && key !== '') addDependency(folder, key, value, renamed);
    else addTableDependency(folder, table, key, string, renamed);
  }
  if (name === '') return undefined;
  const own = (libraryName === '' ? name : libraryName).replaceAll('-', '_');
  const roots = new Map(programs.filter(({ path }) => path !== '' && path !== 'src/main.rs').map(each => [clean(each.path), `${own}#${each.name}`]));
  return { folder, name: own, library: clean(library), programs: roots, renamed };
}

const PROGRAM_TABLES: ReadonlySet<string> = new Set(['bin', 'test', 'example', 'bench']);

function clean(path: string): string {
  return path.replace(/^\.\//, '');
}

/** `name = { path = "…", package = "…" }`. */
function addDependency(folder: string, key: string, value: string, into: Map<string, string>): void {
  const path = /\bpath\s*=\s*["']([^"']+)["']/.exec(value)?.[1];
  const other = /\bpackage\s*=\s*["']([^"']+)["']/.exec(value)?.[1];
  const target = path === undefined ? other?.replaceAll('-', '_') : join(folder, path);
  if (target !== undefined) into.set(key.replaceAll('-', '_'), target);
}

/** `[dependencies.name]` with `path = "…"` or `package = "…"` below it. */
function addTableDependency(folder: string, table: string, key: string, value: string | undefined, into: Map<string, string>): void {
  const name = /dependencies\.["']?([\w-]+)["']?$/.exec(table)?.[1];
  if (name === undefined || value === undefined || (key !== 'path' && key !== 'package')) return;
  const target = key === 'path' ? join(folder, value) : value.replaceAll('-', '_');
  if (target !== undefined && (key === 'path' || !into.has(name))) into.set(name.replaceAll('-', '_'), target);
}
