/** Paths of modules: their roots, import rows, wildcard imports, `mod name;`. */
import { dirname, join } from '../../../../base/path';
import { IMPORT_KINDS, type ImportRow, MODULE_SCOPE, NO_TEXT, NONE, type ScopeRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { entryValues, outsideName, packageEntries } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import { type NameNumber, NO_PACKAGE, type PackageNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';
import { crateNamed, isDependency, isOwnLibrary, modulePathOf } from './crates';
import { isStandardMacro } from './rustBuiltins';

const MODULE = IMPORT_KINDS.indexOf('module');
const STAR = IMPORT_KINDS.indexOf('star');
/** Wildcards of wildcards are followed this far. */
const MAX_STARS = 8;
/** Behind the name of a macro: macros have names of their own. */
const MACRO_MARK = '!';

const NO_ENTRIES: readonly PackageEntry[] = [];

/** A name that nothing around binds: roots of paths, what wildcard imports of types bring in, crates. */
export function outerName(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const text = ev.project.names.text(name);
  const root = rootValue(ev, file, scope, text);
  if (root !== undefined) return root;
  const starred = fromStarredTypes(ev, file, scope, name, mode);
  return starred === NOTHING ? crateValue(ev, file, text) : starred;
}

/** `crate`, `self::`, `super`, `super::super`, `::name`; `undefined` for plain names. */
function rootValue(ev: Evaluator, file: FileState, scope: ScopeRow, text: string): ValueSet | undefined {
  if (text === 'crate') return packageValue(ev, file, packageName(ev, file, scope).split('::', 1)[0] ?? '');
  if (text === 'self' || text === 'self::') return packageValue(ev, file, packageName(ev, file, scope));
  if (text === 'super' || text.startsWith('super::')) {
    const parts = packageName(ev, file, scope).split('::');
    return packageValue(ev, file, parts.slice(0, Math.max(1, parts.length - text.split('::').length)).join('::'));
  }
  if (!text.startsWith('::')) return undefined;
  const crate = crateValue(ev, file, text.slice(2));
  return crate === NOTHING ? externalValue(ev, text.slice(2)) : crate;
}

function packageName(ev: Evaluator, file: FileState, scope: ScopeRow): string {
  return ev.packages.nameOf(ev.packages.packageOf(file, scope));
}

function packageValue(ev: Evaluator, file: FileState, name: string): ValueSet {
  const number = ev.packages.named(file, name);
  ev.dependencies.consult(ev.dependencies.bearers(number));
  return ev.values.single(ev.values.packageOf(number));
}

function externalValue(ev: Evaluator, name: string): ValueSet {
  return ev.values.single(ev.values.external(ev.nameOf(name)));
}

const STANDARD: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

/** A crate of the project, the standard library or a dependency; NOTHING for others. */
function crateValue(ev: Evaluator, file: FileState, name: string): ValueSet {
  const crate = crateNamed(name, file.path, ev.packages.currentManifests);
  if (crate !== undefined) return packageValue(ev, file, crate);
  return STANDARD.has(name) || isDependency(name, file.path, ev.packages.currentManifests) ? externalValue(ev, name) : NOTHING;
}

/** Import rows of kind `star` in a scope. */
function starsIn(file: FileState, scope: ScopeRow, star: NameNumber): ImportRow[] {
  const { bindings, imports } = file.facts;
  const rows: ImportRow[] = [];
  for (let binding = file.firstBinding(scope, star); binding !== NONE; binding = file.nextBinding(binding)) {
    const row = bindings.import[binding] ?? NONE;
    if (row !== NONE && imports.kind[row] === STAR) rows.push(row);
  }
  return rows;
}

/** What wildcard imports of modules bring in, nearest scope first. */
export function visibleNames(ev: Evaluator, file: FileState, from: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  const star = ev.nameOf('*');
  if (name === star) return NO_ENTRIES;
  const text = ev.project.names.text(name);
  if (text.endsWith(MACRO_MARK)) return macrosNamed(ev, file, from, text);
  const { scopes } = file.facts;
  const seen = new Set<number>();
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    for (const row of starsIn(file, scope, star)) {
      const entries = entriesThrough(ev, file, row, name, seen);
      if (entries.length > 0) return entries;
    }
  }
  return NO_ENTRIES;
}

/**
 * Macros that the module around does not define. Their names hold from the definition on, in all modules below it that follow, so that a macro of a
 * module around goes before others of the crate; a crate also sees what other crates of the project export.
 */
function macrosNamed(ev: Evaluator, file: FileState, from: ScopeRow, text: string): readonly PackageEntry[] {
  const name = ev.nameOf(text);
  const bare = text.slice(0, -MACRO_MARK.length);
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const own = packageName(ev, file, from);
  const all = ev.packages.inAnyPackage(file, name).map(entry => ({ entry, module: packageName(ev, entry.file, bindingScope(entry)) }));
  const around = all.filter(({ module }) => own.startsWith(`${module}::`)).sort((left, right) => right.module.length - left.module.length);
  const nearest = around.filter(({ module }) => module === around[0]?.module);
  if (nearest.length > 0) return nearest.map(({ entry }) => entry);
  if (all.length === 0 || isStandardMacro(bare) || isImportedFromOutside(ev, file, from, ev.nameOf(bare))) return NO_ENTRIES;
  const inCrate = all.filter(({ module }) => crateOf(module) === crateOf(own));
  const found = inCrate.length > 0 ? inCrate : all.filter(({ entry, module }) => isExported(entry) && isSeenFrom(ev, file, crateOf(module)));
  return found.map(({ entry }) => entry);
}

/** True where the nearest import of a name leads out of the project. */
function isImportedFromOutside(ev: Evaluator, file: FileState, from: ScopeRow, name: NameNumber): boolean {
  const { bindings, scopes } = file.facts;
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    for (let binding = file.firstBinding(scope, name); binding !== NONE; binding = file.nextBinding(binding)) {
      const row = bindings.import[binding] ?? NONE;
      if (row !== NONE) return ev.values.members(ev.imported(file, row, AS_VALUE)).some(value => ev.values.kindOf(value) === VALUE.external);
    }
  }
  return false;
}

function bindingScope({ file, binding }: PackageEntry): ScopeRow {
  return file.facts.bindings.scope[binding] ?? MODULE_SCOPE;
}

function crateOf(module: string): string {
  return module.split('::', 1)[0] ?? '';
}

function isExported({ file, binding }: PackageEntry): boolean {
  const { bindings, symbols } = file.facts;
  return ((symbols.modifiers[bindings.symbol[binding] ?? NONE] ?? 0) & MODIFIERS.exported) !== 0;
}

/** A library that the package of the file depends on, or its own. */
function isSeenFrom(ev: Evaluator, file: FileState, crate: string): boolean {
  const { currentManifests } = ev.packages;
  return (
    crateNamed(crate, file.path, currentManifests) === crate &&
    (isDependency(crate, file.path, currentManifests) || isOwnLibrary(crate, file.path, currentManifests))
  );
}

/** What a module hands on through its own wildcard imports. */
export function reexportedNames(ev: Evaluator, packageNumber: PackageNumber, name: NameNumber): readonly PackageEntry[] {
  return inPackage(ev, packageNumber, name, new Set());
}

function entriesThrough(ev: Evaluator, file: FileState, row: ImportRow, name: NameNumber, seen: Set<number>): readonly PackageEntry[] {
  for (const value of ev.values.members(ev.imported(file, row, AS_VALUE))) {
    const module = moduleOf(ev, value);
    if (module < 0) continue;
    const direct = ev.packages.members(module, name);
    ev.dependencies.consult(ev.dependencies.bearers(name));
    if (direct.length > 0) return direct;
    const entries = inPackage(ev, module, name, seen);
    if (entries.length > 0) return entries;
  }
  return NO_ENTRIES;
}

/** Number of the package that a module of either sort is, -1 for other values. */
export function moduleOf(ev: Evaluator, value: Value): PackageNumber {
  const { values } = ev;
  if (values.kindOf(value) === VALUE.package) return values.package(value);
  const file = values.kindOf(value) === VALUE.namespace ? ev.project.ownerOf(values.node(value)) : undefined;
  const scope = file === undefined ? NONE : (file.facts.symbols.scope[ev.project.rowOf(values.node(value))] ?? NONE);
  return file === undefined || scope === NONE ? NO_PACKAGE : ev.packages.packageOf(file, scope);
}

function inPackage(ev: Evaluator, packageNumber: PackageNumber, name: NameNumber, seen: Set<number>): readonly PackageEntry[] {
  const star = ev.nameOf('*');
  if (name === star || seen.has(packageNumber) || seen.size > MAX_STARS) return NO_ENTRIES;
  seen.add(packageNumber);
  ev.dependencies.consult(ev.dependencies.bearers(star));
  for (const { file, binding } of ev.packages.members(packageNumber, star)) {
    const entries = entriesThrough(ev, file, file.facts.bindings.import[binding] ?? NONE, name, seen);
    if (entries.length > 0) return entries;
  }
  return NO_ENTRIES;
}

/** `use Enum::*`. */
function fromStarredTypes(ev: Evaluator, file: FileState, from: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  for (const type of starredTypes(ev, file, from)) {
    const found = ev.memberOf(ev.values.single(type), name, mode);
    if (ev.values.members(found).some(member => ev.values.kindOf(member) !== VALUE.external && ev.values.kindOf(member) !== VALUE.unknown)) return found;
  }
  return NOTHING;
}

/** Types whose members wildcard imports bring into a scope, nearest first. */
export function* starredTypes(ev: Evaluator, file: FileState, from: ScopeRow): Generator<Value> {
  const star = ev.nameOf('*');
  const { scopes } = file.facts;
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    for (const row of starsIn(file, scope, star)) {
      for (const value of ev.values.members(ev.imported(file, row, AS_VALUE))) if (ev.values.kindOf(value) === VALUE.class) yield value;
    }
  }
}

/** What the path in front of the imported name leads to. */
export function specifierValue(ev: Evaluator, file: FileState, row: ImportRow): ValueSet {
  const specifier = file.text(file.facts.imports.specifier[row] ?? NO_TEXT);
  if (specifier === '' || specifier === '::') return NOTHING;
  return pathValue(ev, file, row, specifier.split('::'), AS_VALUE);
}

/** Scope that an import row stands in. */
function scopeOf(file: FileState, row: ImportRow): ScopeRow {
  const binding = file.facts.imports.binding[row] ?? NONE;
  return binding === NONE ? MODULE_SCOPE : (file.facts.bindings.scope[binding] ?? MODULE_SCOPE);
}

/** Walks a path of names; the first is a root, a name bound around the import, or a crate. */
function pathValue(ev: Evaluator, file: FileState, row: ImportRow, path: readonly string[], mode: Mode): ValueSet {
  const scope = scopeOf(file, row);
  let at = 1;
  let [first = ''] = path;
  if (first === 'super') {
    while (path[at] === 'super') first += `::${path[at++] ?? ''}`;
  } else if (first === 'self') {
    first = 'self::';
    if (path[at] === 'super') first = path[at++] ?? '';
  } else if (first === '') first = `::${path[at++] ?? ''}`;
  let set = rootValue(ev, file, scope, first) ?? firstSegment(ev, file, row, first, at === path.length ? mode : AS_VALUE);
  for (; at < path.length; at++) set = ev.memberOf(set, ev.nameOf(path[at] ?? ''), at === path.length - 1 ? mode : AS_VALUE);
  return set;
}

/** A name around the import other than the one it makes, then a crate, then (as in the first edition) a name at the root of the crate. */
function firstSegment(ev: Evaluator, file: FileState, row: ImportRow, text: string, mode: Mode): ValueSet {
  const { scopes, bindings } = file.facts;
  const name = ev.nameOf(text);
  for (let scope = scopeOf(file, row); scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    for (let binding = file.firstBinding(scope, name); binding !== NONE; binding = file.nextBinding(binding)) {
      const other = bindings.import[binding] ?? NONE;
      const symbol = bindings.symbol[binding] ?? NONE;
      if (other === row || (other === NONE && symbol === NONE)) continue;
      const set = other === NONE ? ev.symbol(file, symbol, mode) : ev.imported(file, other, mode);
      if (set !== NOTHING) return set;
    }
    if (file.isPackageScope(scope)) break;
  }
  const crate = crateValue(ev, file, text);
  if (crate !== NOTHING) return crate;
  const starred = visibleNames(ev, file, scopeOf(file, row), name).filter(entry => entry.file !== file || bindings.import[entry.binding] !== row);
  if (starred.length > 0) return entryValues(ev, starred, mode);
  const root = packageName(ev, file, MODULE_SCOPE).split('::', 1)[0] ?? '';
  const atRoot = packageEntries(ev, ev.packages.named(file, root), name).filter(entry => entry.file !== file || bindings.import[entry.binding] !== row);
  const set = atRoot.length === 0 ? NOTHING : entryValues(ev, atRoot, mode);
  return set === NOTHING ? externalValue(ev, text) : set;
}

/** What an import row binds. */
export function importedValue(ev: Evaluator, file: FileState, row: ImportRow, mode: Mode): ValueSet {
  const { imports } = file.facts;
  if (imports.kind[row] === STAR) return specifierValue(ev, file, row);
  if (imports.kind[row] === MODULE) {
    const target = moduleFile(ev, file, row);
    return target === undefined ? NOTHING : ev.values.single(ev.values.packageOf(ev.packages.packageOf(target, MODULE_SCOPE)));
  }
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const name = file.text(imports.importedName[row] ?? NO_TEXT);
  const path = specifier === '' ? [name] : specifier === '::' ? ['', name] : [...specifier.split('::'), name];
  const set = pathValue(ev, file, row, path, mode);
  const isOutside = set !== NOTHING && ev.values.members(set).every(value => ev.values.kindOf(value) === VALUE.external);
  const type = file.rules.aliases[name] ?? name;
  return isOutside && file.rules.builtins.has(type) === true ? outsideName(ev, file, name, mode, false) : set;
}

/** File of `mod name;`, by the places where the compiler looks. */
export function moduleFile(ev: Evaluator, file: FileState, row: ImportRow): FileState | undefined {
  const specifier = file.text(file.facts.imports.specifier[row] ?? NO_TEXT);
  const folder = dirname(file.path);
  if (specifier.startsWith('path:')) return fileAt(ev, file, join(folder, specifier.slice(5)));
  const below = specifier.replaceAll('::', '/');
  const stem = file.path.slice(folder === '' ? 0 : folder.length + 1).replace(/\.rs$/, '');
  const folders = /^(?:mod|lib|main)$/.test(stem) ? [folder, inside(folder, stem)] : [inside(folder, stem), folder];
  for (const place of folders) {
    const found = fileAt(ev, file, `${inside(place, below)}.rs`) ?? fileAt(ev, file, `${inside(place, below)}/mod.rs`);
    if (found !== undefined && found !== file) return found;
  }
  return undefined;
}

function inside(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function fileAt(ev: Evaluator, from: FileState, path: string | undefined): FileState | undefined {
  if (path === undefined) return undefined;
  ev.dependencies.consult(ev.dependencies.bearers(ev.packages.named(from, modulePathOf(path, ev.packages.currentManifests))));
  const found = ev.project.fileAt(path);
  return found?.family === 'rust' ? found : undefined;
}

/** Files of `mod name;`; of a `use` what is left out says: the files that declare what it binds. */
export function importTargets(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'missing' | undefined {
  if (file.facts.imports.kind[row] !== MODULE) return undefined;
  const target = moduleFile(ev, file, row);
  return target === undefined ? 'missing' : [target.path];
}
