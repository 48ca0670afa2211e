/** Where import rows of Java lead: to the files that declare what they name; wildcards to the files of what the file uses through them. */
import {
  BINDING_KINDS,
  expressionRow,
  type FileFacts,
  IMPORT_KINDS,
  type ImportRow,
  importRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type StringIndex,
} from '../../../../model/facts';
import { memberSymbols } from '../../evaluate/declared/symbols';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { NameNumber, PackageNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';

export const STAR = IMPORT_KINDS.indexOf('star');
const IMPORT = BINDING_KINDS.indexOf('import');

export function importTargets(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'missing' {
  const { imports } = file.facts;
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const around = pathValue(ev, file, specifier, AS_VALUE);
  if (around === NOTHING) return 'external';
  const name = file.name(imports.importedName[row] ?? NO_TEXT);
  const paths = new Set<string>();
  for (const value of ev.values.members(around)) {
    if (imports.kind[row] === STAR) addStarred(ev, file, value, paths);
    else {
      const found = memberSymbols(ev, value, name, 0, file);
      for (const symbol of found) paths.add(symbol.file.path);
      const kotlinFile = ev.values.kindOf(value) === VALUE.package ? kotlinFileNamed(ev, ev.values.package(value), ev.project.names.text(name)) : '';
      if (kotlinFile !== '') paths.add(kotlinFile);
      if (found.length === 0 && ev.values.kindOf(value) === VALUE.class) addOwner(ev, value, paths);
    }
  }
  paths.delete(file.path);
  if (paths.size > 0) return [...paths].sort();
  return imports.kind[row] === STAR || paths.size > 0 ? 'missing' : 'external';
}

/** Adds the files that a wildcard over a value leads to: of a package those whose names the file uses, of a type or an object the one that declares it. */
export function addStarred(ev: Evaluator, file: FileState, value: Value, paths: Set<string>): void {
  if (ev.values.kindOf(value) === VALUE.package) usedThrough(ev, file, ev.values.package(value), paths);
  else addOwner(ev, value, paths);
}

function addOwner(ev: Evaluator, value: Value, paths: Set<string>): void {
  const kind = ev.values.kindOf(value);
  const owner = kind === VALUE.class || kind === VALUE.namespace ? ev.project.ownerOf(ev.values.node(value)) : undefined;
  if (owner !== undefined) paths.add(owner.path);
}

/** Path of the Kotlin file `Tools.kt` of a package that Java knows as the class `ToolsKt`, '' for none. */
export function kotlinFileNamed(ev: Evaluator, packageNumber: PackageNumber, name: string): string {
  if (!name.endsWith('Kt')) return '';
  ev.dependencies.consult(ev.dependencies.bearers(packageNumber));
  const ending = `/${name.slice(0, -2)}.kt`;
  return ev.packages.files(packageNumber).find(other => `/${other.path}`.endsWith(ending))?.path ?? '';
}

/** `import a.b.ToolsKt`: the package whose functions the file declares. */
export function importedFile(ev: Evaluator, file: FileState, row: ImportRow): ValueSet | undefined {
  const { imports } = file.facts;
  const name = file.text(imports.importedName[row] ?? NO_TEXT);
  const own = ev.packages.named(file, file.text(imports.specifier[row] ?? NO_TEXT));
  return kotlinFileNamed(ev, own, name) === '' ? undefined : ev.values.single(ev.values.packageOf(own));
}

/** Files of a package that declare a name which the file uses and does not bind itself. */
function usedThrough(ev: Evaluator, file: FileState, packageNumber: PackageNumber, paths: Set<string>): void {
  const { expressions, bindings } = file.facts;
  const seen = new Set<StringIndex>();
  for (let row = expressionRow(0); row < expressions.count; row++) {
    const text = expressions.text[row] ?? NO_TEXT;
    if (expressions.operator[row] !== operatorCode.name || seen.has(text)) continue;
    seen.add(text);
    const name = file.name(text);
    const bound = file.firstBinding(MODULE_SCOPE, name);
    if (bound !== NONE && ((bindings.symbol[bound] ?? NONE) !== NONE || bindings.kind[bound] === IMPORT)) continue;
    ev.dependencies.consult(ev.dependencies.bearers(name));
    if (ev.packages.members(ev.packages.packageOf(file, MODULE_SCOPE), name).length > 0) continue;
    const entries = ev.packages.members(packageNumber, name);
    for (const entry of ev.hooks(file).select?.(ev, file, entries) ?? entries) paths.add(entry.file.path);
  }
}

/** What wildcard imports of packages bring in under a name. */
export function starred(ev: Evaluator, file: FileState, name: NameNumber): readonly PackageEntry[] {
  const { imports } = file.facts;
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    ev.dependencies.consult(ev.dependencies.bearers(name));
    const entries = ev.packages.members(ev.packages.named(file, file.text(imports.specifier[row] ?? NO_TEXT)), name);
    if (entries.length > 0) return entries;
  }
  return [];
}

/** Types whose members wildcard imports bring in (`import static a.B.*`, of Kotlin `import a.Color.*`). */
export function* starredTypes(ev: Evaluator, file: FileState): Generator<Value> {
  const { imports } = file.facts;
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    const around = pathValue(ev, file, file.text(imports.specifier[row] ?? NO_TEXT), AS_VALUE);
    for (const value of ev.values.members(around)) if (ev.values.kindOf(value) === VALUE.class) yield value;
  }
}

/** What a class or object that is imported with a wildcard (`around`) has of a name. NOTHING: not found. */
export function memberOfStarred(ev: Evaluator, around: ValueSet, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const owners = values.members(around).filter(value => values.kindOf(value) === VALUE.class);
  const found = owners.length === 0 ? NOTHING : ev.memberOf(values.setOf(owners), name, mode);
  return values.members(found).some(value => values.kindOf(value) !== VALUE.external) ? found : NOTHING;
}

/** The package that a qualified name begins with, as a value. NOTHING: there is none. */
export function rootPackage(ev: Evaluator, file: FileState, text: string, mode: Mode): ValueSet {
  const root = ev.packages.named(file, text);
  ev.dependencies.consult(ev.dependencies.bearers(root));
  return mode === AS_VALUE && ev.packages.has(root) ? ev.values.single(ev.values.packageOf(root)) : NOTHING;
}

const usedNames = new WeakMap<FileFacts, ReadonlySet<StringIndex>>();

/** An import whose name only documentation uses, or nothing: the compiled class does not know it. */
export function isUnusedInCode(file: FileState, row: ImportRow): boolean {
  const { expressions, imports } = file.facts;
  const name = imports.localName[row] ?? NO_TEXT;
  if (name === NO_TEXT || imports.kind[row] === STAR) return false;
  let used = usedNames.get(file.facts);
  if (used === undefined) {
    const names = new Set<StringIndex>();
    for (let at = expressionRow(0); at < expressions.count; at++) names.add(expressions.text[at] ?? NO_TEXT);
    usedNames.set(file.facts, (used = names));
  }
  return !used.has(name);
}
