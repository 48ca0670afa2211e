import { dirname, extname, join } from '../../../../base/path';
import type { Manifests } from '../../modules/manifests';
import type { ModuleFinder, ModuleTarget } from '../../modules/moduleFinder';
import type { Probe } from '../../modules/projectPaths';
import { type Json, objectIn, stringIn } from './jsonc';
import { type NodeManifests, type PackageManifest, readNodeManifests } from './nodeManifests';

const EXTENSIONS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte', '.json'];
/** Written extension → what it may be in source, best first. */
const REWRITES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.d.ts', '.jsx'],
  '.mjs': ['.mts', '.d.mts', '.mjs'],
  '.cjs': ['.cts', '.d.cts', '.cjs'],
};
const JS_FIRST: readonly string[] = ['.js', '.jsx', '.ts', '.tsx', '.d.ts'];
/** Folders of build output that stand for a source folder. */
const OUTPUT_FOLDERS = new Set(['dist', 'lib', 'out', 'build', 'es', 'esm', 'cjs', 'umd', 'types', 'typings', 'output']);
const SOURCE_FOLDERS = ['src', 'source', 'lib', ''];
const CONDITIONS = ['source', 'types', 'import', 'module', 'require', 'node', 'default', 'browser'];
const INDEX_ENTRIES = ['src/index', 'index', 'src/main', 'lib/index', 'main'];

/** Resolution of JavaScript and TypeScript specifiers by the rules of Node, bundlers and TypeScript, against source files only. */
export class NodeModules implements ModuleFinder {
  readonly #manifests: NodeManifests;

  constructor(manifests: Manifests) {
    this.#manifests = readNodeManifests(manifests.texts);
  }

  /** Relative specifiers rest on the folder and the importing file's extension, `#` ones on the folder, others on the nearest configuration that maps paths. */
  form(from: string, specifier: string): number {
    if (specifier.startsWith('.')) return formOf(from);
    return specifier.startsWith('#') ? PACKAGE_IMPORT : -1;
  }

  /** Folder that decides, with the specifier, where a bare specifier written in `folder` leads: the nearest at or above it that maps paths. */
  sharedScope(folder: string): string {
    for (let at = folder; at !== ''; at = dirname(at)) if (this.#manifests.mappings.has(at)) return at;
    return '';
  }

  resolve(from: string, specifier: string, _level: number, probe: Probe): ModuleTarget {
    const clean = specifier.replace(/[?#].*$/, match => (specifier.startsWith('#') && match === specifier ? match : ''));
    const folder = dirname(from);
    if (/^\.{1,2}(?:\/|$)/.test(clean)) {
      const target = join(folder, clean);
      if (target === undefined) return 'missing';
      return toTarget((target === '' ? this.#root(probe) : undefined) ?? this.#file(target, probe, from) ?? this.#source(target, probe));
    }
    if (clean.startsWith('node:') || clean === '') return 'external';
    if (clean.startsWith('#')) {
      const found = this.#packageImport(folder, clean, probe);
      if (found !== undefined) return { path: found };
    }
    const mapped = this.#mapped(folder, clean, probe);
    if (mapped !== undefined) return { path: mapped };
    if (clean.startsWith('/')) return 'missing';
    return this.#package(clean, probe);
  }

  /** A path as written: exact, with extensions, with the extension rewritten, as a folder. */
  #file(path: string, probe: Probe, from = ''): string | undefined {
    const extension = extname(path);
    const rewrites = REWRITES[extension];
    if (rewrites !== undefined) {
      const ordered = extension === '.js' && extname(from).startsWith('.js') ? JS_FIRST : rewrites;
      const rewritten = probe.first(path.slice(0, -extension.length), ordered);
      if (rewritten !== undefined) return rewritten;
    } else if (extension !== '' && probe.has(path)) return path;
    const order = /\.[cm]?jsx?$/.test(from) ? JS_ORDER : EXTENSIONS;
    return probe.first(path, order) ?? this.#folder(path, probe, order);
  }

  /** What `..` leads to in a folder below that of the workspace. */
  #root(probe: Probe): string | undefined {
    const manifest = this.#manifests.packageOfFolder.get('');
    const namesEntry = manifest !== undefined && (manifest.exports !== undefined || manifest.entries.length > 0);
    return namesEntry ? this.#entry(manifest, probe) : undefined;
  }

  /** The folder of the workspace is looked up by `#root`: entries that lead back to it are none. */
  #folder(path: string, probe: Probe, order: readonly string[]): string | undefined {
    const manifest = path === '' ? undefined : this.#manifests.packageOfFolder.get(path);
    if (manifest !== undefined) {
      const entry = this.#entry(manifest, probe);
      if (entry !== undefined) return entry;
    }
    return probe.first(path === '' ? 'index' : `${path}/index`, order);
  }

  /** The source that a path into build output was made from. */
  #source(path: string, probe: Probe): string | undefined {
    const segments = path.split('/');
    for (let at = segments.length - 1; at >= 0; at--) {
      if (!OUTPUT_FOLDERS.has(segments[at] ?? '')) continue;
      for (const source of SOURCE_FOLDERS) {
        const before = segments.slice(0, at);
        const after = segments.slice(at + 1);
        for (const rest of [after, after.slice(1)]) {
          if (rest.length === 0 && after.length > 0) continue;
          const candidate = [...before, ...(source === '' ? [] : [source]), ...rest].join('/').replace(/\.d\.([cm]?)ts$/, '.$1js');
          if (candidate === path) continue;
          const found = this.#file(candidate, probe);
          if (found !== undefined) return found;
        }
      }
    }
    return undefined;
  }

  #inPackage(manifest: PackageManifest, target: string, probe: Probe): string | undefined {
    const path = join(manifest.folder, target);
    if (path === undefined) return undefined;
    return this.#file(path.replace(/\.d\.([cm]?)ts$/, '.$1js'), probe) ?? this.#source(path, probe);
  }

  #entry(manifest: PackageManifest, probe: Probe): string | undefined {
    const exported = manifest.exports === undefined ? [] : targetsOf(manifest.exports, '.');
    for (const target of [...exported, ...manifest.entries, ...INDEX_ENTRIES]) {
      if (target === '.' || target === './') continue;
      const found = this.#inPackage(manifest, target, probe);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #package(specifier: string, probe: Probe): ModuleTarget {
    const parts = specifier.split('/');
    const nameLength = specifier.startsWith('@') ? 2 : 1;
    const name = parts.slice(0, nameLength).join('/');
    const manifest = this.#manifests.packages.get(name);
    if (manifest === undefined) return 'external';
    const sub = parts.slice(nameLength).join('/');
    if (sub === '') return toTarget(this.#entry(manifest, probe));
    const exported = manifest.exports === undefined ? [] : targetsOf(manifest.exports, `./${sub}`);
    for (const target of [...exported, sub, `src/${sub}`, `lib/${sub}`]) {
      const found = this.#inPackage(manifest, target, probe);
      if (found !== undefined) return { path: found };
    }
    return 'missing';
  }

  #packageImport(folder: string, specifier: string, probe: Probe): string | undefined {
    for (const manifest of this.#manifestsAbove(folder)) {
      if (manifest.imports === undefined) continue;
      for (const target of targetsOf(manifest.imports, specifier)) {
        const found = this.#inPackage(manifest, target, probe);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    return undefined;
  }

  *#manifestsAbove(folder: string): IterableIterator<PackageManifest> {
    for (let at = folder; ; at = dirname(at)) {
      const manifest = this.#manifests.packageOfFolder.get(at);
      if (manifest !== undefined) yield manifest;
      if (at === '') return;
    }
  }

  /** `paths` and `baseUrl` of the nearest configuration that has them. */
  #mapped(folder: string, specifier: string, probe: Probe): string | undefined {
    for (let at = folder; ; at = dirname(at)) {
      for (const mapping of this.#manifests.mappings.get(at) ?? []) {
        for (const { pattern, targets } of mapping.paths) {
          const star = matchPattern(pattern, specifier);
          if (star === undefined) continue;
          for (const target of targets) {
            const path = join(mapping.base, target.replace('*', star));
            if (path === undefined) continue;
            const found = this.#file(path, probe) ?? this.#source(path, probe);
            if (found !== undefined) return found;
          }
        }
        if (mapping.baseUrl !== undefined) {
          const path = join(mapping.baseUrl, specifier);
          const found = path === undefined ? undefined : this.#file(path, probe);
          if (found !== undefined) return found;
        }
      }
      if (at === '') return undefined;
    }
  }
}

const PACKAGE_IMPORT = 4;

/** What a file's extension changes in the order in which extensions are tried. */
function formOf(path: string): number {
  return (extname(path).startsWith('.js') ? 1 : 0) + (/\.[cm]?jsx?$/.test(path) ? 2 : 0);
}

const JS_ORDER: readonly string[] = ['.js', '.jsx', '.mjs', '.cjs', ...EXTENSIONS.filter(extension => !/^\.[cm]?jsx?$/.test(extension))];

function toTarget(path: string | undefined): ModuleTarget {
  return path === undefined ? 'missing' : { path };
}

/** Text that `*` stands for, `''` for an exact match, undefined for none. */
function matchPattern(pattern: string, text: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === text ? '' : undefined;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return undefined;
  return text.slice(head.length, text.length - tail.length);
}

/** Targets of a key of `exports` or `imports`, all conditions, most telling first. */
function targetsOf(table: Json, key: string): string[] {
  const entries = objectIn(table);
  if (entries === undefined) return key === '.' ? leaves(table) : [];
  const keyed = Object.keys(entries).some(entry => entry.startsWith('.') || entry.startsWith('#'));
  if (!keyed) return key === '.' ? leaves(table) : [];
  const patterns = Object.keys(entries).sort((left, right) => right.length - left.length);
  for (const pattern of patterns) {
    const star = matchPattern(pattern, key);
    if (star !== undefined) return leaves(entries[pattern] ?? null).map(target => target.replaceAll('*', star));
  }
  return [];
}

function leaves(value: Json): string[] {
  const text = stringIn(value);
  if (text !== undefined) return [text];
  if (Array.isArray(value)) return value.flatMap(leaves);
  const entries = objectIn(value);
  if (entries === undefined) return [];
  const rank = (key: string): number => {
    const at = CONDITIONS.indexOf(key);
    return at < 0 ? CONDITIONS.length : at;
  };
  return Object.keys(entries)
    .sort((left, right) => rank(left) - rank(right))
    .flatMap(key => leaves(entries[key] ?? null));
}
