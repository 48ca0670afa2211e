import { basename, dirname, join } from '../../../base/path';
import { type Json, objectIn, parseJsonc, stringIn } from './jsonc';

/** `compilerOptions` that say where a specifier leads, with `extends` followed. */
export interface PathMapping {
  /** Folder that targets of `paths` are relative to. */
  readonly base: string;
  /** Folder of `baseUrl`, for bare specifiers; undefined when the configuration has none. */
  readonly baseUrl: string | undefined;
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

export interface PackageManifest {
  readonly folder: string;
  readonly name: string | undefined;
  readonly entries: readonly string[];
  readonly exports: Json | undefined;
  readonly imports: Json | undefined;
}

/** What the manifests of the project say about modules. A new object for each change of a manifest. */
export class Manifests {
  readonly packages: ReadonlyMap<string, PackageManifest>;
  /** By folder. */
  readonly packageOfFolder: ReadonlyMap<string, PackageManifest>;
  readonly mappings: ReadonlyMap<string, readonly PathMapping[]>;
  /** Folders that Python code may be imported from, as `pyproject.toml` and `setup.cfg` say, beside what the layout says. */
  readonly pythonRoots: readonly string[];

  /** `texts`: all manifests by path. Rules of languages read their own. */
  constructor(readonly texts: ReadonlyMap<string, string>) {
    const packages = new Map<string, PackageManifest>();
    const packageOfFolder = new Map<string, PackageManifest>();
    const mappings = new Map<string, PathMapping[]>();
    const roots = new Set<string>();
    for (const path of [...texts.keys()].sort()) {
      const name = basename(path);
      const text = texts.get(path) ?? '';
      if (name === 'package.json') {
        const manifest = readPackage(path, text);
        if (manifest === undefined) continue;
        packageOfFolder.set(manifest.folder, manifest);
        if (manifest.name !== undefined && !packages.has(manifest.name)) packages.set(manifest.name, manifest);
      } else if (/^[tj]sconfig.*\.json$/.test(name)) {
        const mapping = readMapping(path, texts);
        if (mapping === undefined) continue;
        const folder = dirname(path);
        const list = mappings.get(folder) ?? [];
        if (name === 'tsconfig.json') list.unshift(mapping);
        else list.push(mapping);
        mappings.set(folder, list);
      } else if (name === 'pyproject.toml' || name === 'setup.cfg' || name === 'setup.py') {
        for (const root of pythonRootsOf(dirname(path), text)) roots.add(root);
      }
    }
    this.packages = packages;
    this.packageOfFolder = packageOfFolder;
    this.mappings = mappings;
    this.pythonRoots = [...roots].sort();
  }
}

/** True for files whose text `Manifests` reads. */
export function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package\.json|[tj]sconfig[^/]*\.json|pyproject\.toml|setup\.cfg|go\.(?:mod|work)|Cargo\.toml|composer\.json|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|[^/]+\.csproj|[^/]+\.gemspec|Directory\.Build\.(?:props|targets)|compile_commands\.json)$/.test(
    path,
  );
}

function readPackage(path: string, text: string): PackageManifest | undefined {
  const json = objectIn(parseJsonc(text));
  if (json === undefined) return undefined;
  const entries = ['source', 'types', 'typings', 'module', 'main', 'browser'].map(key => stringIn(json[key])).filter(entry => entry !== undefined);
  return { folder: dirname(path), name: stringIn(json['name']), entries, exports: json['exports'], imports: json['imports'] };
}

interface CompilerOptions {
  baseUrl: string | undefined;
  paths: { readonly [key: string]: Json } | undefined;
  pathsFolder: string;
}

function readMapping(path: string, texts: ReadonlyMap<string, string>): PathMapping | undefined {
  const options = readOptions(path, texts, new Set());
  if (options.paths === undefined && options.baseUrl === undefined) return undefined;
  const paths = Object.entries(options.paths ?? {}).map(([pattern, targets]) => ({
    pattern,
    targets: Array.isArray(targets) ? targets.filter(target => typeof target === 'string') : [],
  }));
  paths.sort((left, right) => prefixLength(right.pattern) - prefixLength(left.pattern));
  return { base: options.baseUrl ?? options.pathsFolder, baseUrl: options.baseUrl, paths };
}

/** Exact patterns first, then the longest text before `*`, as TypeScript picks them. */
function prefixLength(pattern: string): number {
  const star = pattern.indexOf('*');
  return star < 0 ? 1_000_000 : star;
}

function readOptions(path: string, texts: ReadonlyMap<string, string>, seen: Set<string>): CompilerOptions {
  const result: CompilerOptions = { baseUrl: undefined, paths: undefined, pathsFolder: dirname(path) };
  const text = texts.get(path);
  if (text === undefined || seen.has(path)) return result;
  seen.add(path);
  const json = objectIn(parseJsonc(text));
  if (json === undefined) return result;
  const parents = Array.isArray(json['extends']) ? json['extends'] : [json['extends']];
  for (const parent of parents) {
    if (typeof parent !== 'string' || !parent.startsWith('.')) continue;
    const target = join(dirname(path), parent);
    if (target === undefined) continue;
    const found = [target, `${target}.json`, `${target}/tsconfig.json`].find(candidate => texts.has(candidate));
    if (found === undefined) continue;
    const inherited = readOptions(found, texts, seen);
    if (inherited.baseUrl !== undefined) result.baseUrl = inherited.baseUrl;
    if (inherited.paths !== undefined) {
      result.paths = inherited.paths;
      result.pathsFolder = inherited.pathsFolder;
    }
  }
  const options = objectIn(json['compilerOptions']);
  const baseUrl = stringIn(options?.['baseUrl']);
  if (baseUrl !== undefined) result.baseUrl = join(dirname(path), baseUrl) ?? '';
  const paths = objectIn(options?.['paths']);
  if (paths !== undefined) {
    result.paths = paths;
    result.pathsFolder = dirname(path);
  }
  return result;
}

/** Folders named by `package-dir`, `where` and the like; a full TOML reader would say no more. */
function pythonRootsOf(folder: string, text: string): string[] {
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
