import { operandOf } from '../../../../model/expressions';
import { expressionRow, IMPORT_KINDS, type ImportRow, importRow, NO_TEXT, NONE, operatorCode, type ScopeRow, type StringIndex } from '../../../../model/facts';
import { symbolKindCode } from '../../../../model/nodes';
import { AS_TYPE, AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { classSubstitution, substitute } from '../../evaluate/generics';
import { packageEntries } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import { PACKAGE_UNIT } from '../../interfaceHash';
import { type NameNumber, NO_PACKAGE, type PackageNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, SET_EXTERNAL, VALUE, type Value, type ValueSet } from '../../values';
import { GO_ALIASES, GO_BUILTINS, GO_GLOBALS } from './goBuiltins';
import { replacedPath, unrootedPath } from './modules';

const NAMESPACE = IMPORT_KINDS.indexOf('namespace');
const STAR = IMPORT_KINDS.indexOf('star');

/** Number of the project's package that an import row leads to, -1 for others. */
function packageOfImport(ev: Evaluator, file: FileState, row: ImportRow): PackageNumber {
  const specifier = file.text(file.facts.imports.specifier[row] ?? NO_TEXT);
  const manifests = ev.packages.currentManifests;
  const direct = numberOf(ev, file, replacedPath(file.path, specifier, manifests));
  if (direct >= 0) return direct;
  const unrooted = unrootedPath(specifier, manifests);
  return unrooted === undefined ? NO_PACKAGE : numberOf(ev, file, unrooted);
}

/** Folders without Go files have no package of their own, though packages below them do. */
function numberOf(ev: Evaluator, file: FileState, path: string): PackageNumber {
  const number = ev.packages.named(file, path);
  ev.dependencies.consult(ev.dependencies.bearers(number));
  return ev.packages.files(number).length > 0 ? number : NO_PACKAGE;
}

/** A package of the project, or the one outside under its import path. */
export function importedPackage(ev: Evaluator, file: FileState, row: ImportRow, _mode: Mode): ValueSet {
  const number = packageOfImport(ev, file, row);
  const specifier = file.text(file.facts.imports.specifier[row] ?? NO_TEXT);
  return ev.values.single(number >= 0 ? ev.values.packageOf(number) : ev.values.external(ev.nameOf(specifier)));
}

/** Names that `import . "path"` brings in. */
export function visibleNames(ev: Evaluator, file: FileState, _scope: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  const { imports } = file.facts;
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    const number = packageOfImport(ev, file, row);
    const entries = number < 0 ? NO_ENTRIES : packageEntries(ev, number, name);
    if (entries.length > 0) return entries;
  }
  return NO_ENTRIES;
}

const NO_ENTRIES: readonly PackageEntry[] = [];

/** A package whose clause names it otherwise than its path does. What is left over of a program that compiles is from such a package outside. */
export function outerName(ev: Evaluator, file: FileState, _scope: ScopeRow, name: NameNumber, _mode: Mode): ValueSet {
  const { imports } = file.facts;
  const text = ev.project.names.text(name);
  if (isPredeclared(text)) return NOTHING;
  let mayBeOutside = false;
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== NAMESPACE) continue;
    const number = packageOfImport(ev, file, row);
    if (number < 0) mayBeOutside ||= isIrregular(file.text(imports.specifier[row] ?? NO_TEXT), text);
    else if (ev.packages.files(number).some(other => clauseOf(ev, other) === text)) return ev.values.single(ev.values.packageOf(number));
  }
  return mayBeOutside ? SET_EXTERNAL : NOTHING;
}

function isPredeclared(name: string): boolean {
  return GO_BUILTINS.has(name) || GO_GLOBALS.has(name) || Object.hasOwn(GO_ALIASES, name);
}

function clauseOf(ev: Evaluator, file: FileState): string {
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.nameOf(PACKAGE_UNIT)));
  return file.text(file.facts.scopes.package[0] ?? NO_TEXT).replace(/!$/, '');
}

/** Paths that do not end in a plain name, or that contain the name in another way. */
function isIrregular(path: string, name: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(last) || /^v\d+$/.test(last) || last === 'go' || path.includes(name);
}

/** Files of the imported package that declare what this file uses of it; when that is nothing, all that are no tests. */
export function importTargets(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'missing' {
  const number = packageOfImport(ev, file, row);
  if (number < 0) return 'external';
  const local = file.facts.imports.localName[row] ?? NO_TEXT;
  const paths = new Set<string>();
  for (const name of membersUsed(file, local)) for (const entry of packageEntries(ev, number, name)) paths.add(entry.file.path);
  if (paths.size === 0) for (const other of ev.packages.files(number)) if (!other.path.endsWith('_test.go')) paths.add(other.path);
  return [...paths].sort();
}

/** Names that stand behind `local.` in a file. */
function membersUsed(file: FileState, local: StringIndex): ReadonlySet<NameNumber> {
  const { expressions } = file.facts;
  const names = new Set<NameNumber>();
  if (local === 0) return names;
  for (let row = expressionRow(0); row < expressions.count; row++) {
    const owner = operandOf.receiver(expressions, row);
    const isMember = expressions.operator[row] === operatorCode.member && owner !== NONE && expressions.operator[owner] === operatorCode.name;
    if (isMember && expressions.text[owner] === local) names.add(file.name(expressions.text[row] ?? NO_TEXT));
  }
  return names;
}

/** What a defined type is made of, with its type arguments put in. */
export function underlyingType(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  const row = file === undefined ? NONE : ev.project.rowOf(node);
  if (file === undefined || file.facts.symbols.kind[row] !== symbolKindCode.type) return NOTHING;
  const type = file.facts.symbols.type[row] ?? NONE;
  if (type === NONE) return NOTHING;
  const set = substitute(ev, ev.typeOf(file, type), classSubstitution(ev, node, values.argsId(value)));
  return set === values.single(value) ? NOTHING : set;
}

/** A defined type has the fields of what it is made of, and its methods only when that is an interface. */
export function promotedMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const inside of values.members(values.kindOf(value) === VALUE.instance ? underlyingType(ev, value) : NOTHING)) {
    const kind = values.kindOf(inside);
    if (kind === VALUE.objectType) answer = values.union(answer, ev.memberOf(values.single(inside), name, AS_VALUE));
    else if (kind === VALUE.external) answer = values.union(answer, SET_EXTERNAL);
    else if (kind === VALUE.instance) answer = values.union(answer, fieldOf(ev, inside, name, mode));
  }
  return answer;
}

function fieldOf(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const file = ev.project.ownerOf(values.node(value));
  const set = ev.memberOf(values.single(value), name, mode === AS_TYPE ? AS_TYPE : AS_VALUE);
  if (file?.facts.symbols.kind[ev.project.rowOf(values.node(value))] === symbolKindCode.interface) return set;
  return values.setOf(values.members(set).filter(member => values.kindOf(member) !== VALUE.function));
}
