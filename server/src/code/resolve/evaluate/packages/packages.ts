/** Packages: what they hold, paths of names, import rows. */
import { type ImportRow, NO_TEXT, NONE } from '../../../../model/facts';
import type { FileState } from '../../fileState';
import { PACKAGE_UNIT } from '../../interfaceHash';
import type { NameNumber, PackageNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, SET_EXTERNAL, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../../values';
import { AS_TYPE, AS_VALUE, type Evaluator, type Mode } from '../evaluator';

/** Entries of a package under a name; asking is a dependency. */
export function packageEntries(ev: Evaluator, packageNumber: PackageNumber, name: NameNumber): readonly PackageEntry[] {
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const entries = ev.packages.members(packageNumber, name);
  if (entries.length === 0) return handedOn(ev, packageNumber, name);
  return entries.length < 2 ? entries : preferred(ev, entries);
}

/** What wildcard imports of a package give others, in languages that re-export. */
function handedOn(ev: Evaluator, packageNumber: PackageNumber, name: NameNumber): readonly PackageEntry[] {
  const [file] = ev.packages.files(packageNumber);
  return (file?.rules.reexports === true ? ev.hooks(file).reexported?.(ev, packageNumber, name) : undefined) ?? NO_ENTRIES;
}

const NO_ENTRIES: readonly PackageEntry[] = [];

/** Of several declarations of one name, those in files that take part in the usual build; all when none does. */
export function preferred<Entry extends { readonly file: FileState }>(ev: Evaluator, entries: readonly Entry[]): readonly Entry[] {
  const kept = entries.filter(({ file }) => {
    if (file.rules.isLeftOut === undefined) return true;
    ev.dependencies.consult(ev.dependencies.unit(file.id, ev.nameOf(PACKAGE_UNIT)));
    return !file.rules.isLeftOut(file.path, file.text(file.facts.scopes.package[0] ?? NO_TEXT));
  });
  return kept.length === 0 || kept.length === entries.length ? entries : kept;
}

/** Values of several declarations of one name; of overloads the first stands for all. */
export function entryValues(ev: Evaluator, entries: readonly PackageEntry[], mode: Mode): ValueSet {
  let answer = NOTHING;
  let functions = 0;
  for (const { file, binding } of entries) {
    const symbol = file.facts.bindings.symbol[binding] ?? NONE;
    const isFunction = symbol !== NONE && (file.facts.symbols.function[symbol] ?? NONE) !== NONE;
    if (isFunction && file.rules.overloads === true && functions++ > 0) continue;
    answer = ev.values.union(answer, symbol === NONE ? ev.binding(file, binding, mode) : ev.symbol(file, symbol, mode));
  }
  return answer;
}

/** A name that nothing in the project declares. */
export function outsideName(ev: Evaluator, file: FileState, text: string, mode: Mode, isOpen: boolean): ValueSet {
  const { rules } = file;
  const { values } = ev;
  const own = ev.hooks(file).outside?.(ev, text, mode);
  if (own !== undefined) return own;
  const type = rules.aliases[text] ?? text;
  if (rules.builtins.has(type)) {
    const name = `${rules.family}.${type}`;
    return mode === AS_TYPE ? ev.builtin(name) : values.single(values.builtinClass(ev.nameOf(name)));
  }
  if (mode === AS_TYPE || rules.isGlobal(text)) return values.single(values.external(ev.nameOf(text)));
  return isOpen ? SET_EXTERNAL : SET_UNKNOWN;
}

/** What property `name` of the alternatives is, of packages only what the file means. */
export function memberSeenFrom(ev: Evaluator, file: FileState, receivers: ValueSet, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  if (ev.hooks(file).select === undefined) return ev.memberOf(receivers, name, mode);
  let answer = NOTHING;
  for (const value of values.members(receivers)) {
    const entries = values.kindOf(value) === VALUE.package ? entriesSeenFrom(ev, file, values.package(value), name) : [];
    const set = entries.length === 0 ? NOTHING : entryValues(ev, entries, mode);
    answer = values.union(answer, set === NOTHING ? ev.memberOf(values.single(value), name, mode) : set);
  }
  return answer;
}

/** Entries of a package that a file means; all where it means none of them. */
export function entriesSeenFrom(ev: Evaluator, file: FileState | undefined, packageNumber: PackageNumber, name: NameNumber): readonly PackageEntry[] {
  const entries = packageEntries(ev, packageNumber, name);
  const chosen = file === undefined ? undefined : ev.hooks(file).select?.(ev, file, entries);
  return chosen === undefined || chosen.length === 0 ? entries : chosen;
}

/** Member of a package: what it declares under the name, else the package inside it. */
export function packageMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode, separator: string): ValueSet {
  const entries = packageEntries(ev, ev.values.package(value), name);
  const set = entries.length === 0 ? NOTHING : entryValues(ev, entries, mode);
  if (set !== NOTHING) return set;
  const inside = ev.packages.inside(ev.values.package(value), ev.project.names.text(name), separator);
  ev.dependencies.consult(ev.dependencies.bearers(inside));
  return ev.packages.has(inside) ? ev.values.single(ev.values.packageOf(inside)) : NOTHING;
}

/** What a path of names (`a.b.C`) leads to from the root of packages: NOTHING when no package of the project begins it. */
export function pathValue(ev: Evaluator, file: FileState, path: string, mode: Mode): ValueSet {
  const { rules } = file;
  const whole = ev.packages.named(file, path);
  ev.dependencies.consult(ev.dependencies.bearers(whole));
  const direct = ev.packages.has(whole) ? ev.values.single(ev.values.packageOf(whole)) : NOTHING;
  const cut = path.lastIndexOf(rules.separator);
  const head = cut < 0 ? '' : path.slice(0, cut);
  const last = ev.nameOf(path.slice(cut < 0 ? 0 : cut + rules.separator.length));
  const around = path === '' ? NOTHING : cut < 0 ? ev.values.single(ev.values.packageOf(ev.packages.named(file, ''))) : pathValue(ev, file, head, AS_VALUE);
  const named = around === NOTHING ? NOTHING : memberSeenFrom(ev, file, around, last, mode);
  return named === NOTHING ? direct : named;
}

/** What an import row binds: a member of a package of the project, a package, or something outside. */
export function importedFromPackage(ev: Evaluator, file: FileState, row: ImportRow, mode: Mode): ValueSet {
  const own = ev.hooks(file).imported?.(ev, file, row, mode);
  if (own !== undefined) return own;
  const { imports } = file.facts;
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const name = file.text(imports.importedName[row] ?? NO_TEXT);
  const { separator } = file.rules;
  const path = name === '' ? specifier : specifier === '' ? name : `${specifier}${separator}${name}`;
  const found = pathValue(ev, file, path, mode);
  if (found !== NOTHING) return found;
  const outside = file.rules.aliases[name] ?? name;
  if (name !== '' && file.rules.builtins.has(outside) === true && !beginsInProject(ev, file, specifier)) return outsideName(ev, file, name, mode, false);
  return beginsInProject(ev, file, specifier) ? SET_UNKNOWN : ev.values.single(ev.values.external(ev.nameOf(path)));
}

function beginsInProject(ev: Evaluator, file: FileState, specifier: string): boolean {
  const own = ev.packages.named(file, specifier);
  ev.dependencies.consult(ev.dependencies.bearers(own));
  return ev.packages.has(own);
}
