/** Global names: which files declare them for which others, as far as configurations and packages say. */
import { basename, dirname } from '../../../../base/path';
import { NONE, type ScopeRow } from '../../../../model/facts';
import { MODIFIERS, symbolKindCode } from '../../../../model/nodes';
import type { Evaluator } from '../../evaluate/evaluator';
import { declarationsAcross } from '../../evaluate/packages/openTypes';
import type { FileState } from '../../fileState';
import type { Manifests } from '../../modules/manifests';
import type { NameNumber } from '../../numbers';
import { isAmbient } from '../../packages/globalNames';
import type { PackageEntry } from '../../packages/packageEntries';
import { JAVASCRIPT_ALIASES, JAVASCRIPT_GLOBALS, javascriptBuiltins } from './builtins';
import { takesJavaScript } from './nodeManifests';

/** Declarations of a name that no scope around binds: in other parts of the namespaces around, else global ones of the same program. */
export function globalsVisible(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  const text = ev.project.names.text(name);
  if (javascriptBuiltins.has(JAVASCRIPT_ALIASES[text] ?? text)) return NO_ENTRIES;
  const inside = file.hasGlobalNames ? inNamespaces(ev, file, scope, name) : NO_ENTRIES;
  if (inside.length > 0) return inside;
  const { globals } = ev.packages;
  const key = globals.keyOf(file.family, name);
  ev.dependencies.consult(ev.dependencies.bearers(key));
  const entries = globals.declared(key);
  if (entries.length === 0) return entries;
  const programs = programsOf(ev.modules.manifests);
  const isOfHost = JAVASCRIPT_GLOBALS.has(text);
  return programs.nearest(
    file.path,
    entries.filter(({ file: at, binding }) => {
      if (at.facts.language === 'javascript') return !isOfHost && programs.takesJavaScript(at.path);
      return !isOfHost || isAmbient(at, at.facts.bindings.symbol[binding] ?? NONE);
    }),
  );
}

const NO_ENTRIES: readonly PackageEntry[] = [];

/** What other declarations of the global namespaces around a scope export under a name. */
function inNamespaces(ev: Evaluator, file: FileState, from: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  const { scopes, symbols } = file.facts;
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    const symbol = scopes.symbol[scope] ?? NONE;
    if (symbol === NONE || symbols.kind[symbol] !== symbolKindCode.namespace || !file.isGlobal(symbol)) continue;
    const found: PackageEntry[] = [];
    for (const { file: at, row } of declarationsAcross(ev, file, symbol)) {
      ev.consultMember(at, row, name);
      const body = at.facts.symbols.scope[row] ?? NONE;
      if (body === NONE || (at === file && body === scope)) continue;
      for (let binding = at.firstBinding(body, name); binding !== NONE; binding = at.nextBinding(binding)) {
        const member = at.facts.bindings.symbol[binding] ?? NONE;
        if (member !== NONE && (isAmbient(at, row) || ((at.facts.symbols.modifiers[member] ?? 0) & MODIFIERS.exported) !== 0))
          found.push({ file: at, binding });
      }
    }
    if (found.length > 0) return found;
  }
  return NO_ENTRIES;
}

/** The configuration that the files of a folder belong to, and their package, as a text. */
export function programOf(manifests: Manifests, folder: string): string {
  const programs = programsOf(manifests);
  const config = programs.config(folder);
  return `${config} ${programs.takes(config)} ${programs.packageOf(folder)}`;
}

const byManifests = new WeakMap<Manifests, Programs>();

function programsOf(manifests: Manifests): Programs {
  let known = byManifests.get(manifests);
  if (known === undefined) byManifests.set(manifests, (known = new Programs(manifests.texts)));
  return known;
}

/**
 * A file sees the global names of the files below its nearest `tsconfig.json` or `jsconfig.json`, and of those above it that no other configuration takes;
 * where these do not have a name, those of its package.
 */
class Programs {
  /** By folder: whether JavaScript files take part. */
  readonly #configs: ReadonlyMap<string, boolean>;
  readonly #packages: ReadonlySet<string>;
  readonly #configOf = new Map<string, string>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#configs = takesJavaScript(texts);
    this.#packages = new Set([...texts.keys()].filter(path => basename(path) === 'package.json').map(dirname));
  }

  config(folder: string): string {
    let config = this.#configOf.get(folder);
    if (config === undefined) this.#configOf.set(folder, (config = nearestOf(folder, this.#configs)));
    return config;
  }

  takes(config: string): boolean {
    return this.#configs.get(config) === true;
  }

  /** Folder of the package that a folder is in. */
  packageOf(folder: string): string | undefined {
    const found = nearestOf(folder, this.#packages);
    return this.#packages.has(found) ? found : undefined;
  }

  takesJavaScript(path: string): boolean {
    return this.takes(this.config(dirname(path)));
  }

  nearest(from: string, entries: readonly PackageEntry[]): readonly PackageEntry[] {
    const own = this.config(dirname(from));
    let best = -1;
    let found: PackageEntry[] = [];
    for (const entry of entries) {
      const config = this.config(dirname(entry.file.path));
      if (config.length < best || !isAtOrAbove(config, own)) continue;
      if (config.length > best) found = [];
      best = config.length;
      found.push(entry);
    }
    if (found.length > 0) return found;
    const ownPackage = this.packageOf(dirname(from));
    return ownPackage === undefined ? NO_ENTRIES : entries.filter(entry => this.packageOf(dirname(entry.file.path)) === ownPackage);
  }
}

function isAtOrAbove(folder: string, below: string): boolean {
  return folder === '' || folder === below || below.startsWith(`${folder}/`);
}

/** The folder or the nearest above it that is among some; '' where there is none. */
function nearestOf(folder: string, among: { has(folder: string): boolean }): string {
  let at = folder;
  while (at !== '' && !among.has(at)) at = dirname(at);
  return at;
}
