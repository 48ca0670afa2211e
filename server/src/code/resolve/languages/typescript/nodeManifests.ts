import { basename, dirname, join } from '../../../../base/path';
import { type Json, objectIn, parseJsonc, stringIn } from './jsonc';

/** Compiler options that are read. */
const OPTIONS = ['verbatimModuleSyntax', 'preserveValueImports', 'importsNotUsedAsValues', 'allowJs', 'checkJs', 'baseUrl', 'paths'] as const;

/** Where a `package.json` says the name of its package. */
export const PACKAGE_NAME = /^\s*"name"\s*:\s*"([^"]+)"/m;

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

/** What `package.json` and `tsconfig.json` files say. */
export interface NodeManifests {
  readonly packages: ReadonlyMap<string, PackageManifest>;
  /** By folder. */
  readonly packageOfFolder: ReadonlyMap<string, PackageManifest>;
  readonly mappings: ReadonlyMap<string, readonly PathMapping[]>;
}

/** `texts`: all manifests by path. */
export function readNodeManifests(texts: ReadonlyMap<string, string>): NodeManifests {
  const packages = new Map<string, PackageManifest>();
  const packageOfFolder = new Map<string, PackageManifest>();
  const mappings = new Map<string, PathMapping[]>();
  for (const path of [...texts.keys()].sort()) {
    const name = basename(path);
    if (name === 'package.json') {
      const manifest = readPackage(path, texts.get(path) ?? '');
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
    }
  }
  return { packages, packageOfFolder, mappings };
}

function readPackage(path: string, text: string): PackageManifest | undefined {
  const json = objectIn(parseJsonc(text));
  if (json === undefined) return undefined;
  const entries = ['source', 'types', 'typings', 'module', 'main', 'browser'].map(key => stringIn(json[key])).filter(entry => entry !== undefined);
  return { folder: dirname(path), name: stringIn(json['name']), entries, exports: json['exports'], imports: json['imports'] };
}

/** What is read of a `package.json` or a `tsconfig.json`. */
export function nodeManifestMeaning(path: string, text: string): string {
  if (basename(path) === 'package.json') return JSON.stringify([readPackage(path, text), PACKAGE_NAME.exec(text)?.[1]]);
  const json = objectIn(parseJsonc(text));
  const options = objectIn(json?.['compilerOptions']);
  return JSON.stringify([json?.['extends'], OPTIONS.flatMap(option => (options?.[option] === undefined ? [] : [option, options[option]]))]);
}

/** By folder of a `tsconfig.json`: whether its compiler leaves imports as they are written (`verbatimModuleSyntax` and the older options of that meaning). */
export function keepsImports(texts: ReadonlyMap<string, string>): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const path of texts.keys()) if (basename(path) === 'tsconfig.json') found.set(dirname(path), readOptions(path, texts, new Set()).keepsImports);
  return found;
}

/** By folder of a `tsconfig.json` or `jsconfig.json`: whether its compiler reads JavaScript files, too. */
export function takesJavaScript(texts: ReadonlyMap<string, string>): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const path of texts.keys()) {
    const name = basename(path);
    if (name !== 'tsconfig.json' && name !== 'jsconfig.json') continue;
    const takes = name === 'jsconfig.json' || readOptions(path, texts, new Set()).takesJavaScript;
    found.set(dirname(path), takes || found.get(dirname(path)) === true);
  }
  return found;
}

interface CompilerOptions {
  keepsImports: boolean;
  takesJavaScript: boolean;
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
  const result: CompilerOptions = { keepsImports: false, takesJavaScript: false, baseUrl: undefined, paths: undefined, pathsFolder: dirname(path) };
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
    result.keepsImports = inherited.keepsImports;
    result.takesJavaScript = inherited.takesJavaScript;
    if (inherited.baseUrl !== undefined) result.baseUrl = inherited.baseUrl;
    if (inherited.paths !== undefined) {
      result.paths = inherited.paths;
      result.pathsFolder = inherited.pathsFolder;
    }
  }
  const options = objectIn(json['compilerOptions']);
  const kept = [options?.['verbatimModuleSyntax'], options?.['preserveValueImports']].find(value => typeof value === 'boolean');
  if (typeof kept === 'boolean') result.keepsImports = kept;
  else if (options?.['importsNotUsedAsValues'] !== undefined) result.keepsImports = options['importsNotUsedAsValues'] !== 'remove';
  const scripts = [options?.['allowJs'], options?.['checkJs']].find(value => typeof value === 'boolean');
  if (typeof scripts === 'boolean') result.takesJavaScript = scripts;
  const baseUrl = stringIn(options?.['baseUrl']);
  if (baseUrl !== undefined) result.baseUrl = join(dirname(path), baseUrl) ?? '';
  const paths = objectIn(options?.['paths']);
  if (paths !== undefined) {
    result.paths = paths;
    result.pathsFolder = dirname(path);
  }
  return result;
}
