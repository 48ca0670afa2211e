/** Which declarations a name means: those that the includes of a file show, macros and using directives among them. */
import { IMPORT_KINDS, type ImportRow, importRow, MODULE_SCOPE, NO_TEXT, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import type { Evaluator, Mode } from '../../evaluate/evaluator';
import { entryValues, packageEntries } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import { type NameNumber, NO_PACKAGE, type PackageNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, SET_EXTERNAL, SET_WEAK, type ValueSet } from '../../values';
import { reachOf } from './includes';

const STAR = IMPORT_KINDS.indexOf('star');
const NAMED = IMPORT_KINDS.indexOf('named');
const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i;
const NO_ENTRIES: readonly PackageEntry[] = [];

/** Of the declarations of a name in a namespace, those that a file sees. What it does not see is meant only when it can be nothing else. */
export function selectEntries(ev: Evaluator, from: FileState, entries: readonly PackageEntry[]): readonly PackageEntry[] {
  if (entries.every(entry => entry.file === from)) return entries;
  const reach = reachOf(ev, from);
  const seen = entries.filter(entry => entry.file === from || reach.files.has(entry.file.id));
  if (seen.length > 0) return withoutShadowed(seen, from);
  const linked = entries.filter(entry => !isStatic(entry));
  const first = linked[0];
  if (first === undefined) return NO_ENTRIES;
  const isOneFile = linked.every(entry => entry.file === first.file);
  const isOpen = reach.isMissing || HEADER.test(from.path) || isType(first);
  if (!isOpen) return NO_ENTRIES;
  if (isOneFile) return linked;
  const defined = linked.filter(entry => !hasModifier(entry, MODIFIERS.declared));
  const [only] = defined;
  return only !== undefined && defined.every(entry => entry.file === only.file) ? defined : NO_ENTRIES;
}

/** A definition of the file itself hides those of other programs' files that are seen by accident. */
function withoutShadowed(entries: readonly PackageEntry[], from: FileState): readonly PackageEntry[] {
  const own = entries.filter(entry => entry.file === from && !hasModifier(entry, MODIFIERS.declared));
  return own.length === 0 || entries.some(entry => entry.file !== from && hasModifier(entry, MODIFIERS.declared)) ? entries : own;
}

function symbolOf(entry: PackageEntry): SymbolRow {
  return entry.file.facts.bindings.symbol[entry.binding] ?? NONE;
}

function hasModifier(entry: PackageEntry, bit: number): boolean {
  const symbol = symbolOf(entry);
  return symbol !== NONE && ((entry.file.facts.symbols.modifiers[symbol] ?? 0) & bit) !== 0;
}

function isStatic(entry: PackageEntry): boolean {
  return hasModifier(entry, MODIFIERS.static) && !isType(entry);
}

function isType(entry: PackageEntry): boolean {
  const symbol = symbolOf(entry);
  return (
    symbol !== NONE &&
    (entry.file.isContainer(symbol) || (entry.file.facts.symbols.scope[symbol] ?? NONE) !== NONE) &&
    (entry.file.facts.symbols.function[symbol] ?? NONE) === NONE
  );
}

/** Names that using directives of the file bring in. */
export function visibleNames(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  const { imports, bindings, scopes } = file.facts;
  const around = new Set<ScopeRow>();
  for (let at = scope; at !== NONE; at = scopes.parent[at] ?? NONE) around.add(at);
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR || !around.has(bindings.scope[imports.binding[row] ?? NONE] ?? NONE)) continue;
    const space = spaceNamed(ev, file, bindings.scope[imports.binding[row] ?? NONE] ?? MODULE_SCOPE, file.text(imports.specifier[row] ?? NO_TEXT));
    const entries = space < 0 ? NO_ENTRIES : selectEntries(ev, file, packageEntries(ev, space, name));
    if (entries.length > 0) return entries;
  }
  return NO_ENTRIES;
}

/** Number of the namespace that a path means from a scope: inside each namespace around, then from the root; -1 when the project has none. */
function spaceNamed(ev: Evaluator, file: FileState, scope: ScopeRow, path: string): PackageNumber {
  const plain = path.replace(/^::/, '');
  for (let around = path.startsWith('::') ? '' : spaceAround(file, scope); ; around = outerOf(around)) {
    const number = ev.packages.named(file, around === '' ? plain : `${around}::${plain}`);
    ev.dependencies.consult(ev.dependencies.bearers(number));
    if (ev.packages.has(number)) return number;
    if (around === '') break;
  }
  const head = plain.split('::')[0] ?? plain;
  return head === plain ? NO_PACKAGE : aliased(ev, file, scope, head, plain.slice(head.length + 2));
}

/** `alias::inner` of a namespace alias. */
function aliased(ev: Evaluator, file: FileState, scope: ScopeRow, head: string, rest: string): PackageNumber {
  const { scopes, bindings, imports } = file.facts;
  const name = ev.nameOf(head);
  for (let at = scope; at !== NONE; at = scopes.parent[at] ?? NONE) {
    const binding = file.firstBinding(at, name);
    const row = binding === NONE ? NONE : (bindings.import[binding] ?? NONE);
    if (row === NONE) continue;
    const target = file.text(imports.specifier[row] ?? NO_TEXT);
    return target === head ? NO_PACKAGE : spaceNamed(ev, file, MODULE_SCOPE, `${target}::${rest}`);
  }
  return NO_PACKAGE;
}

/** Namespace of a scope as written. */
function spaceAround(file: FileState, scope: ScopeRow): string {
  const { scopes } = file.facts;
  for (let at = scope; at !== NONE; at = scopes.parent[at] ?? NONE) {
    const text = file.text(scopes.package[at] ?? NO_TEXT);
    if (text !== '') return text;
  }
  return '';
}

function outerOf(path: string): string {
  const cut = path.lastIndexOf('::');
  return cut < 0 ? '' : path.slice(0, cut);
}

/** A namespace; else the one function that some namespace seen has, since those of the arguments are searched too (likely, not certain). What no file of the project declares is outside. */
export function outerName(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const text = ev.project.names.text(name);
  const space = spaceNamed(ev, file, scope, text);
  if (space >= 0) return ev.values.single(ev.values.packageOf(space));
  if (mode !== 0 || file.rules.isGlobal(text) === true) return NOTHING;
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const all = ev.packages.inAnyPackage(file, name);
  if (all.length === 0) return SET_EXTERNAL;
  const entries = file.facts.language === 'c' ? NO_ENTRIES : selectEntries(ev, file, all.filter(isFunction));
  const spaces = new Set(entries.map(entry => ev.packages.packageOf(entry.file, entry.file.facts.bindings.scope[entry.binding] ?? MODULE_SCOPE)));
  return spaces.size === 1 ? ev.values.union(entryValues(ev, entries, mode), SET_WEAK) : NOTHING;
}

function isFunction(entry: PackageEntry): boolean {
  const symbol = symbolOf(entry);
  return symbol !== NONE && (entry.file.facts.symbols.function[symbol] ?? NONE) !== NONE && !isStatic(entry);
}

/** `using a::b` and `namespace x = a::b`; the path is read from where it stands. */
export function importedName(ev: Evaluator, file: FileState, row: ImportRow, mode: Mode): ValueSet {
  const { imports, bindings } = file.facts;
  const scope = bindings.scope[imports.binding[row] ?? NONE] ?? MODULE_SCOPE;
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const space = spaceNamed(ev, file, scope, specifier);
  const name = imports.importedName[row] ?? NO_TEXT;
  const { values } = ev;
  if (imports.kind[row] !== NAMED) return values.single(space >= 0 ? values.packageOf(space) : values.external(ev.nameOf(specifier.replaceAll('::', '.'))));
  if (space < 0) return memberOfType(ev, file, scope, specifier, file.name(name), mode);
  const entries = selectEntries(ev, file, packageEntries(ev, space, file.name(name)));
  return entries.length === 0 ? SET_WEAK : entryValues(ev, entries, mode);
}

/** `using Type::member`, or something outside. */
function memberOfType(ev: Evaluator, file: FileState, _scope: ScopeRow, specifier: string, name: NameNumber, mode: Mode): ValueSet {
  const cut = specifier.lastIndexOf('::');
  const space = cut < 0 ? ev.packages.named(file, '') : ev.packages.named(file, specifier.slice(0, cut));
  const type = packageEntries(ev, space, ev.nameOf(specifier.slice(cut < 0 ? 0 : cut + 2)));
  const set = type.length === 0 ? NOTHING : ev.memberOf(entryValues(ev, selectEntries(ev, file, type), 0), name, mode);
  if (set !== NOTHING) return set;
  const text = ev.project.names.text(name);
  const known = file.rules.aliases[text] ?? text;
  if (file.rules.builtins.has(known) === true && /^(?:::)?std\b/.test(specifier)) {
    const builtin = `${file.family}.${known}`;
    return mode === 1 ? ev.builtin(builtin) : ev.values.single(ev.values.builtinClass(ev.nameOf(builtin)));
  }
  return ev.values.single(ev.values.external(ev.nameOf(`${specifier.replaceAll('::', '.')}.${text}`)));
}
