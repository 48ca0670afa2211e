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
  /** Crates of programs by the folder that their modules stand in. */
  readonly folders: ReadonlyMap<string, string>;
  /** Name of the package, with `_` for `-`: dependents state it, also where the library has another one. */
  readonly stated: string;
  /** By name: what the package depends on. */
  readonly dependencies: ReadonlyMap<string, Dependency>;
}

/** What a manifest says of a dependency, with `_` for `-` in names. */
interface Dependency {
  /** Folder of the package, where it is given by path. */
  folder?: string;
  /** Name of the package, where code calls it otherwise. */
  package?: string;
  /** Stands in the manifest of the workspace. */
  isInherited?: boolean;
}

interface Known {
  readonly packages: readonly CargoPackage[];
  /** Dependencies that workspaces hand to their packages, by folder of the workspace. */
  readonly workspaces: ReadonlyMap<string, ReadonlyMap<string, Dependency>>;
  readonly paths: Map<string, string>;
  /** Crates of the project that the code of a package may name, by name; they are found at the first question. */
  readonly visible: Map<CargoPackage, ReadonlyMap<string, string>>;
}

const KNOWN = new WeakMap<Manifests, Known>();

/** Cargo packages of the project, innermost folders first. */
export function packagesOf(manifests: Manifests): readonly CargoPackage[] {
  return knownOf(manifests).packages;
}

function knownOf(manifests: Manifests): Known {
  const before = KNOWN.get(manifests);
  if (before !== undefined) return before;
  const packages: CargoPackage[] = [];
  const workspaces = new Map<string, ReadonlyMap<string, Dependency>>();
  for (const [path, text] of manifests.texts) {
    if (basename(path) !== 'Cargo.toml') continue;
    const reader = new ManifestReader(dirname(path), text);
    if (reader.isWorkspace) workspaces.set(dirname(path), reader.shared);
    if (reader.name !== '') packages.push(packageOf(dirname(path), reader));
  }
  packages.sort((left, right) => right.folder.length - left.folder.length || (left.folder < right.folder ? -1 : 1));
  const known: Known = { packages, workspaces, paths: new Map(), visible: new Map() };
  KNOWN.set(manifests, known);
  return known;
}

export function packageAround(path: string, manifests: Manifests): CargoPackage | undefined {
  return packagesOf(manifests).find(({ folder }) => folder === '' || path.startsWith(`${folder}/`));
}

/** Path of modules of a file, its crate first. */
export function modulePathOf(path: string, manifests: Manifests): string {
  const { paths } = knownOf(manifests);
  const before = paths.get(path);
  if (before !== undefined) return before;
  const found = findModulePath(path, manifests);
  paths.set(path, found);
  return found;
}

function findModulePath(path: string, manifests: Manifests): string {
  const around = packageAround(path, manifests);
  if (around === undefined) return withoutManifest(path);
  const inside = around.folder === '' ? path : path.slice(around.folder.length + 1);
  const program = around.programs.get(inside);
  if (program !== undefined) return program;
  if (inside === around.library || inside === 'src/main.rs') return around.name;
  for (let place = dirname(inside); place !== ''; place = dirname(place)) {
    const crate = around.folders.get(place);
    if (crate !== undefined) return below(crate, inside.slice(place.length + 1));
  }
  const target = /^(?<kind>src\/bin|tests|examples|benches)\/(?<rest>.+)\.rs$/.exec(inside)?.groups;
  if (target !== undefined) return targetPath(around.name, target['kind'] ?? '', target['rest'] ?? '');
  const root = dirname(around.library);
  if (root === '' || inside.startsWith(`${root}/`)) return below(around.name, inside.slice(root === '' ? 0 : root.length + 1));
  const atTop = around.folders.get('');
  if (atTop !== undefined) return below(atTop, inside);
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

/**
 * Crate that a name means as the first segment of a path in a file: the library of the package around, or what that depends on. `undefined` when it is none
 * of the project. Without a manifest, any crate may be meant.
 */
export function crateNamed(name: string, from: string, manifests: Manifests): string | undefined {
  const around = packageAround(from, manifests);
  if (around === undefined) return packagesOf(manifests).find(candidate => candidate.name === name)?.name;
  const { visible } = knownOf(manifests);
  let crates = visible.get(around);
  if (crates === undefined) visible.set(around, (crates = cratesSeenFrom(around, manifests)));
  return crates.get(name);
}

function cratesSeenFrom(around: CargoPackage, manifests: Manifests): ReadonlyMap<string, string> {
  const { packages, workspaces } = knownOf(manifests);
  const [workspace] = [...workspaces.keys()].filter(folder => isInFolder(around.folder, folder)).sort((left, right) => right.length - left.length);
  const crates = new Map([[around.name, around.name]]);
  for (const [name, own] of around.dependencies) {
    const dependency = own.isInherited === true ? (workspaces.get(workspace ?? '')?.get(name) ?? own) : own;
    const { folder, package: other = name } = dependency;
    const target = packages.find(candidate => (folder === undefined ? candidate.stated === other : candidate.folder === folder));
    if (target !== undefined) crates.set(dependency.package === undefined ? target.name : name, target.name);
  }
  return crates;
}

function isInFolder(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

const TABLE = /^\s*\[\[?\s*(?<name>[^\]]+?)\s*\]\]?/;
const PAIR = /^\s*(?<key>[\w.-]+)\s*=\s*(?<value>.+)$/;
const PROGRAM_TABLES: ReadonlySet<string> = new Set(['bin', 'test', 'example', 'bench']);
/** Keys that keep the files of a folder from being programs of their own. */
const SWITCHES: Readonly<Record<string, string>> = { autotests: 'tests', autoexamples: 'examples', autobenches: 'benches', autobins: 'src/bin' };

interface Program {
  name: string;
  path: string;
}

/** What a manifest says, line by line. */
class ManifestReader {
  name = '';
  libraryName = '';
  library = 'src/lib.rs';
  readonly programs: Program[] = [];
  readonly dependencies = new Map<string, Dependency>();
  /** Dependencies of a workspace. */
  readonly shared = new Map<string, Dependency>();
  isWorkspace = false;
  readonly switchedOff = new Set<string>();
  #table = '';

  constructor(
    private readonly folder: string,
    text: string,
  ) {
    for (const line of text.split(/\r?\n/)) this.#read(line);
  }

  #read(line: string): void {
    const header = TABLE.exec(line)?.groups?.['name'];
    if (header !== undefined) {
      this.#table = header;
      this.isWorkspace ||= /^workspace(?:\.|$)/.test(header);
      if (PROGRAM_TABLES.has(header)) this.programs.push({ name: '', path: '' });
      return;
    }
    const pair = PAIR.exec(line)?.groups;
    if (pair === undefined) return;
    const { key = '', value = '' } = pair;
    const text = textOf(value);
    if (this.#table.endsWith('dependencies')) this.#dependency(key, value);
    else if (this.#table.includes('dependencies.')) this.#tableDependency(key, value);
    else this.#own(key, value, text);
  }

  #own(key: string, value: string, text: string | undefined): void {
    const program = this.programs[this.programs.length - 1];
    if (this.#table === 'package' && SWITCHES[key] !== undefined && value.startsWith('false')) this.switchedOff.add(SWITCHES[key]);
    if (text === undefined) return;
    if (this.#table === 'package' && key === 'name') this.name = text;
    else if (this.#table === 'lib' && key === 'name') this.libraryName = text;
    else if (this.#table === 'lib' && key === 'path') this.library = text;
    else if (PROGRAM_TABLES.has(this.#table) && program !== undefined && (key === 'name' || key === 'path')) program[key] = text;
  }

  /** `name = "…"`, `name = { path = "…", package = "…" }`, `name.workspace = true`. */
  #dependency(key: string, value: string): void {
    const [name = '', ...keys] = key.split('.');
    const dependency = this.#named(name);
    if (keys.length > 0) return this.#say(dependency, keys.join('.'), value);
    for (const match of value.matchAll(/\b(?<key>path|package|workspace)\s*=\s*(?<value>true|["'][^"']+["'])/g)) {
      this.#say(dependency, match.groups?.['key'] ?? '', match.groups?.['value'] ?? '');
    }
  }

  /** `[dependencies.name]` with `path = "…"` or `package = "…"` below it. */
  #tableDependency(key: string, value: string): void {
    this.#say(this.#named(/dependencies\.["']?([\w-]+)["']?$/.exec(this.#table)?.[1] ?? ''), key, value);
  }

  #named(text: string): Dependency {
    const name = text.replaceAll('-', '_');
    const all = this.#table.startsWith('workspace.') ? this.shared : this.dependencies;
    const dependency = all.get(name) ?? {};
    all.set(name, dependency);
    return dependency;
  }

  #say(dependency: Dependency, key: string, value: string): void {
    if (key === 'workspace') dependency.isInherited = value.startsWith('true');
    const text = textOf(value);
    if (text === undefined) return;
    const folder = key === 'path' ? join(this.folder, text) : undefined;
    if (folder !== undefined) dependency.folder = folder;
    if (key === 'package') dependency.package = text.replaceAll('-', '_');
  }
}

function textOf(value: string): string | undefined {
  return /^["'](?<text>[^"']*)["']/.exec(value)?.groups?.['text'];
}

/** What the few keys of a manifest that say where code is come to. */
function packageOf(folder: string, reader: ManifestReader): CargoPackage {
  const { name, libraryName, dependencies, switchedOff } = reader;
  const own = (libraryName === '' ? name : libraryName).replaceAll('-', '_');
  const library = clean(reader.library);
  const programs = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const program of reader.programs) {
    const path = clean(program.path);
    if (path === '' || path === 'src/main.rs') continue;
    const crate = `${own}#${program.name}`;
    programs.set(path, crate);
    const place = dirname(path);
    const isOwn = !USUAL_FOLDERS.has(place) || switchedOff.has(place);
    if (isOwn && place !== dirname(library) && !folders.has(place)) folders.set(place, crate);
  }
  return { folder, name: own, library, programs, folders, stated: name.replaceAll('-', '_'), dependencies };
}

/** Folders where each file is a program, unless the manifest switches that off. */
const USUAL_FOLDERS: ReadonlySet<string> = new Set(Object.values(SWITCHES));

function clean(path: string): string {
  return path.replace(/^\.\//, '');
}

/** True for the library of the package that a file belongs to, which its tests and programs see like that of another. */
export function isOwnLibrary(crate: string, from: string, manifests: Manifests): boolean {
  return packageAround(from, manifests)?.name === crate;
}

/** True for a crate that the package of a file depends on. */
export function isDependency(name: string, from: string, manifests: Manifests): boolean {
  return packageAround(from, manifests)?.dependencies.has(name) === true;
}
