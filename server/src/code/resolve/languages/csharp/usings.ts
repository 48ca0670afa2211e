/** What `using` directives open: of the file itself, and the global ones of its project. */
import { IMPORT_KINDS, type ImportRow, importRow, MODULE_SCOPE, NO_TEXT, type ScopeRow } from '../../../../model/facts';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { NameNumber, PackageNumber } from '../../numbers';
import type { OutsideEntry, PackageEntry } from '../../packages/packageEntries';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';
import { arityOfEntry, genericName } from './generics';
import { type ProjectUsings, projectFolder, projectUsings } from './projects';

/** More than there are names in a project. */
const NAMES = 2 ** 26;
const STAR = IMPORT_KINDS.indexOf('star');

/** What the text of a file alone says: numbers of packages. */
interface Openings {
  /** By namespace text: the namespaces around it, innermost first, the global one last. */
  readonly around: Map<number, readonly PackageNumber[]>;
  /** By import row that opens a namespace: the namespaces it may mean, nearest first. */
  readonly opened: ReadonlyMap<ImportRow, readonly PackageNumber[]>;
  /** Import rows that open a type. */
  readonly types: readonly ImportRow[];
  /** By namespace and name: the namespaces that the name may mean there. */
  readonly called: Map<number, readonly PackageNumber[]>;
}

const OPENINGS = new WeakMap<FileState, Openings>();

function openingsOf(ev: Evaluator, file: FileState): Openings {
  const known = OPENINGS.get(file);
  if (known !== undefined) return known;
  const { imports } = file.facts;
  const opened = new Map<ImportRow, readonly PackageNumber[]>();
  const types: ImportRow[] = [];
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
    if (imports.typeOnly[row] === 1) types.push(row);
    else
      opened.set(
        row,
        ['', ...relativeTo(file)].map(around => ev.packages.named(file, `${around}${specifier}`)),
      );
  }
  const openings: Openings = { around: new Map(), opened, types, called: new Map() };
  OPENINGS.set(file, openings);
  return openings;
}

/** A `using` inside a namespace may leave out the names around it. */
function relativeTo(file: FileState): readonly string[] {
  const own = file.text(file.facts.scopes.package[0] ?? NO_TEXT);
  const out: string[] = [];
  for (let end = own.length; end > 0; end = own.lastIndexOf('.', end - 1)) out.push(`${own.slice(0, end)}.`);
  return out;
}

/** Namespaces around the one that a scope is in, innermost first, as numbers of packages. */
export function enclosingNamespaces(ev: Evaluator, file: FileState, scope: ScopeRow): readonly PackageNumber[] {
  const { scopes } = file.facts;
  let at = scope;
  while (at > 0 && (scopes.package[at] ?? NO_TEXT) === NO_TEXT) at = scopes.parent[at] ?? MODULE_SCOPE;
  const text = scopes.package[Math.max(0, at)] ?? NO_TEXT;
  const { around } = openingsOf(ev, file);
  let known = around.get(text);
  if (known === undefined) {
    const own = file.text(text);
    const names: string[] = [];
    for (let end = own.lastIndexOf('.'); end > 0; end = own.lastIndexOf('.', end - 1)) names.push(own.slice(0, end));
    if (own !== '') names.push('');
    known = names.map(name => ev.packages.named(file, name));
    around.set(text, known);
  }
  return known;
}

/** Namespaces that a name may be the first part of, seen from a scope: inside the one around, or inside one around that. */
export function namespacesCalled(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly PackageNumber[] {
  const own = ev.packages.packageOf(file, scope);
  const { called } = openingsOf(ev, file);
  const key = own * NAMES + name;
  let known = called.get(key);
  if (known === undefined) {
    const text = ev.project.names.text(name);
    known = [own, ...enclosingNamespaces(ev, file, scope)].map(around => ev.packages.inside(around, text, '.'));
    called.set(key, known);
  }
  return known;
}

/** Import rows of other files that hold for this one. */
function globalRows(ev: Evaluator, file: FileState): readonly OutsideEntry<ImportRow>[] {
  ev.dependencies.consult(ev.dependencies.bearers(ev.packages.globalsOf(file)));
  const all = ev.packages.globalImports(file);
  if (all.length === 0) return all;
  const home = projectFolder(ev.modules.manifests, file.path);
  return all.filter(other => other.file !== file && projectFolder(ev.modules.manifests, other.file.path) === home);
}

/** Declarations that a name reaches through the namespaces around and those opened; generic types also through the namespace itself. */
export function visibleEntries(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  const generic = genericName(ev.project.names.text(name));
  if (generic === undefined) return entriesInSight(ev, file, enclosingNamespaces(ev, file, scope), name, undefined);
  const own = ev.packages.packageOf(file, scope);
  return entriesInSight(ev, file, [own, ...enclosingNamespaces(ev, file, scope)], ev.nameOf(generic.text), generic.arity);
}

function entriesInSight(
  ev: Evaluator,
  file: FileState,
  around: readonly PackageNumber[],
  name: NameNumber,
  arity: number | undefined,
): readonly PackageEntry[] {
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const entriesOf = (namespace: PackageNumber): readonly PackageEntry[] => {
    const entries = ev.packages.members(namespace, name);
    return arity === undefined || entries.length === 0 ? entries : entries.filter(entry => arityOfEntry(entry) === arity);
  };
  for (const namespace of around) {
    const entries = entriesOf(namespace);
    if (entries.length > 0) return entries;
  }
  const out: PackageEntry[] = [];
  const add = (namespaces: readonly PackageNumber[] | undefined): void => {
    for (const namespace of namespaces ?? []) {
      const entries = entriesOf(namespace);
      if (entries.length === 0) continue;
      for (const entry of entries) if (!out.includes(entry)) out.push(entry);
      return;
    }
  };
  for (const namespaces of openingsOf(ev, file).opened.values()) add(namespaces);
  for (const other of globalRows(ev, file)) add(openingsOf(ev, other.file).opened.get(other.row));
  for (const namespaces of openedByProject(ev, file)) add(namespaces);
  return out;
}

const OPENED_BY_PROJECT = new WeakMap<ProjectUsings, readonly (readonly PackageNumber[])[]>();

function openedByProject(ev: Evaluator, file: FileState): readonly (readonly PackageNumber[])[] {
  const { manifests } = ev.modules;
  const usings = projectUsings(manifests, projectFolder(manifests, file.path));
  let known = OPENED_BY_PROJECT.get(usings);
  if (known === undefined) {
    known = usings.namespaces.map(namespace => [ev.packages.named(file, namespace)]);
    OPENED_BY_PROJECT.set(usings, known);
  }
  return known;
}

/** Static members of opened types. */
export function openedMember(ev: Evaluator, file: FileState, name: NameNumber, mode: Mode): ValueSet {
  for (const types of openedSets(ev, file)) {
    const found = memberOfType(ev, types, name, mode);
    if (found !== NOTHING) return found;
  }
  return NOTHING;
}

/** Types that `using static` opens, for the file or for the project. */
export function* openedTypes(ev: Evaluator, file: FileState): Generator<Value> {
  for (const types of openedSets(ev, file)) for (const value of ev.values.members(types)) if (ev.values.kindOf(value) === VALUE.class) yield value;
}

function* openedSets(ev: Evaluator, file: FileState): Generator<ValueSet> {
  for (const row of openingsOf(ev, file).types) yield ev.imported(file, row, AS_VALUE);
  for (const other of globalRows(ev, file)) if (other.file.facts.imports.typeOnly[other.row] === 1) yield ev.imported(other.file, other.row, AS_VALUE);
  const { manifests } = ev.modules;
  for (const type of projectUsings(manifests, projectFolder(manifests, file.path)).types) yield pathValue(ev, file, type, AS_VALUE);
}

function memberOfType(ev: Evaluator, types: ValueSet, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const owners = values.members(types).filter(value => values.kindOf(value) === VALUE.class);
  if (owners.length === 0) return NOTHING;
  const found = ev.memberOf(values.setOf(owners), name, mode);
  return values.members(found).some(value => values.kindOf(value) !== VALUE.external) ? found : NOTHING;
}
