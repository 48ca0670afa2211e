import { operandOf } from '../../../model/expressions';
import {
  type AssignmentRow,
  assignmentRow,
  BINDING_KINDS,
  type BindingRow,
  bindingRow,
  HERITAGE_KINDS,
  type HeritageRow,
  heritageRow,
  type ImportRow,
  importRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type ScopeRow,
  type SymbolRow,
  scopeRow,
  symbolRow,
} from '../../../model/facts';
import { NO_NODE } from '../../../model/ids';
import type { FileState } from '../fileState';
import type { Manifests } from '../modules/manifests';
import { type FileNumber, fileNumber, type NameNumber, NO_NAME, NO_PACKAGE, type PackageNumber, packageNumber } from '../numbers';
import type { Project } from '../project';
import { GlobalNames } from './globalNames';
import { changeList, type OutsideEntry, type PackageEntry } from './packageEntries';

const SYMBOL = BINDING_KINDS.indexOf('symbol');
const IMPORT = BINDING_KINDS.indexOf('import');
const PARAMETER = BINDING_KINDS.indexOf('parameter');
const MIXIN = HERITAGE_KINDS.indexOf('mixin');

/**
 * What packages hold and which members are declared outside their type, over all files of the languages that have packages.
 *
 * Packages are numbers of `space NUL name` in the project's names. Invariant: lists are in order of paths and rows, so answers do not depend on the
 * order in which files came. The caller must consult `bearers` of the name asked for.
 */
export class PackageIndex {
  /** By package, then name. */
  readonly #members = new Map<PackageNumber, Map<NameNumber, PackageEntry[]>>();
  /** Packages by space: a look in all packages of one language must not walk those of others, of which there may be one a file. */
  readonly #packagesOf = new Map<string, PackageNumber[]>();
  /** By member name. */
  readonly #outside = new Map<NameNumber, OutsideEntry[]>();
  /** The same by last name of the type. */
  readonly #outsideOf = new Map<NameNumber, OutsideEntry[]>();
  /** By last name of the type. */
  readonly #heritage = new Map<NameNumber, OutsideEntry<HeritageRow>[]>();
  /** Assignments of what may be functions to fields, by name of the field, for languages that call through pointers. */
  readonly #assigned = new Map<NameNumber, OutsideEntry<AssignmentRow>[]>();
  /** Members that files give to what they import, by name of the member, in languages whose objects are open. */
  readonly #given = new Map<NameNumber, OutsideEntry<AssignmentRow>[]>();
  readonly #givenKeys = new Map<NameNumber, NameNumber>();
  /** By last name of what is mixed in, in dynamic languages. */
  readonly #mixers = new Map<NameNumber, OutsideEntry<HeritageRow>[]>();
  /** Packages that are there, with those that only have others inside, and in how many scopes. */
  readonly #scopes = new Map<NameNumber, number>();
  readonly #separators = new Map<string, string>();
  readonly #files = new Map<NameNumber, FileState[]>();
  /** Import rows that hold for other files too, by space. */
  readonly #global = new Map<NameNumber, OutsideEntry<ImportRow>[]>();
  readonly #globalKeys = new Map<string, NameNumber>();

  /** Global names of files that are modules. */
  readonly globals: GlobalNames;

  constructor(
    private readonly project: Project,
    private readonly manifests: () => Manifests,
  ) {
    this.globals = new GlobalNames(project);
  }

  /** What the manifests of the project say now. */
  get currentManifests(): Manifests {
    return this.manifests();
  }

  /** Takes a file in (`1`) or out (`-1`), summing up what differs by name like `Guesses.note`. */
  note(file: FileState, sign: 1 | -1, changed: Map<NameNumber, number>): void {
    const { rules } = file;
    const mark = (name: NameNumber, weight: number): void => {
      changed.set(name, (changed.get(name) ?? 0) + sign * (weight + 1));
    };
    this.#noteHeritage(file, sign, mark);
    if (rules.openObjects === true && !file.isTest) this.#noteGiven(file, sign, mark);
    if (rules.globalNames === true) this.globals.note(file, sign, mark);
    if (file.isModular) return;
    const { scopes, bindings, symbols } = file.facts;
    this.#separators.set(rules.space ?? rules.family, rules.separator);
    for (let scope = scopeRow(0); scope < scopes.count; scope++) {
      if (scope !== 0 && (scopes.package[scope] ?? NO_TEXT) === NO_TEXT) continue;
      const own = this.packageOf(file, scope);
      if (own >= 0) this.#notePackage(own, file, sign, mark, rules.separator);
    }
    for (let row = bindingRow(0); row < bindings.count; row++) this.#noteBinding(file, row, sign, mark);
    for (let row = symbolRow(0); row < symbols.count; row++) {
      if ((symbols.receiver[row] ?? NONE) === NONE) continue;
      const name = file.name(symbols.name[row] ?? NO_TEXT);
      const type = file.lastName(symbols.receiver[row] ?? NONE);
      if (type >= 0) {
        changeList(this.#outsideOf, type, sign, entry => entry.row === row, { file, row });
        mark(type, (file.symbolNodes[row] ?? NO_NODE) * 3);
      }
      changeList(this.#outside, name, sign, entry => entry.row === row, { file, row });
      mark(name, file.symbolNodes[row] ?? NO_NODE);
    }
    if (rules.pointers === true) this.#noteAssigned(file, sign, mark);
    if (rules.globalImports === true) this.#noteGlobalImports(file, sign, mark);
  }

  /** Bases that a type is given outside of its declaration, and mixins. */
  #noteHeritage(file: FileState, sign: 1 | -1, mark: (name: NameNumber, weight: number) => void): void {
    const { heritage } = file.facts;
    for (let row = heritageRow(0); row < heritage.count; row++) {
      if (!file.isModular) this.#noteMixin(file, row, sign, mark);
      const receiver = heritage.receiver[row] ?? NONE;
      const name = receiver === NONE ? NO_NAME : file.lastName(receiver);
      if (name < 0) continue;
      changeList(this.#heritage, name, sign, entry => entry.row === row, { file, row });
      mark(name, file.id * 13 + file.lastName(heritage.expression[row] ?? NONE));
    }
  }

  /** What is mixed in sees the members of what it is mixed into. */
  #noteMixin(file: FileState, row: HeritageRow, sign: 1 | -1, mark: (name: NameNumber, weight: number) => void): void {
    const { heritage } = file.facts;
    if (file.rules.dynamic !== true || heritage.kind[row] !== MIXIN) return;
    const name = file.lastName(heritage.expression[row] ?? NONE);
    if (name < 0) return;
    changeList(this.#mixers, name, sign, entry => entry.row === row, { file, row });
    const symbol = heritage.symbol[row] ?? NONE;
    mark(name, symbol === NONE ? file.id * 17 : (file.symbolNodes[symbol] ?? NO_NODE));
  }

  /** A binding of a module or namespace scope belongs to the package. */
  #noteBinding(file: FileState, row: BindingRow, sign: 1 | -1, mark: (name: NameNumber, weight: number) => void): void {
    const { bindings } = file.facts;
    const scope = bindings.scope[row] ?? MODULE_SCOPE;
    const kind = bindings.kind[row];
    if (!file.isPackageScope(scope) || (kind !== SYMBOL && !(kind === IMPORT && file.rules.reexports === true))) return;
    const own = this.packageOf(file, scope);
    if (own < 0) return;
    const name = file.name(bindings.name[row] ?? NO_TEXT);
    let names = this.#members.get(own);
    if (names === undefined) {
      names = new Map();
      this.#members.set(own, names);
      const space = file.rules.space ?? file.family;
      const packages = this.#packagesOf.get(space);
      if (packages === undefined) this.#packagesOf.set(space, [own]);
      else packages.push(own);
    }
    changeList(names, name, sign, entry => entry.binding === row, { file, binding: row });
    const symbol = bindings.symbol[row] ?? NONE;
    mark(name, (symbol === NONE ? file.id * 7 : weightOf(file, symbol)) + own * 31);
  }

  /** Package of what is declared in a scope, -1 when the language has none there. */
  packageOf(file: FileState, scope: ScopeRow): PackageNumber {
    const { rules } = file;
    if (file.isModular) return NO_PACKAGE;
    return file.packageIn(scope, () => {
      const { scopes } = file.facts;
      const own = rules.packageOf(file.path, file.text(scopes.package[0] ?? NO_TEXT), this.manifests());
      if (own === undefined) return NO_PACKAGE;
      let at = scope;
      while (at > 0 && (scopes.package[at] ?? NO_TEXT) === NO_TEXT) at = scopes.parent[at] ?? MODULE_SCOPE;
      if (at <= 0) return this.named(file, own);
      const declared = file.text(scopes.package[at] ?? NO_TEXT);
      return this.named(file, rules.nestsPackages === true && own !== '' ? `${own}${rules.separator}${declared}` : declared);
    });
  }

  /** Number of a package by the name the language spells it with. */
  named(file: FileState, name: string): PackageNumber {
    return this.#interned(`${file.rules.space ?? file.family}\0${name}`);
  }

  /** Name of a package as the language spells it. */
  nameOf(packageNumber: PackageNumber): string {
    const text = this.project.names.text(packageNumber);
    return text.slice(text.indexOf('\0') + 1);
  }

  /** Separator of the language whose package it is. */
  separatorOf(packageNumber: PackageNumber): string {
    const space = this.project.names.text(packageNumber).split('\0', 1)[0] ?? '';
    return this.#separators.get(space) ?? '.';
  }

  /** The package inside another, there or not. */
  inside(packageNumber: PackageNumber, name: string, separator: string): PackageNumber {
    const text = this.project.names.text(packageNumber);
    return this.#interned(text.endsWith('\0') ? `${text}${name}` : `${text}${separator}${name}`);
  }

  #interned(text: string): PackageNumber {
    return packageNumber(this.project.names.intern(text));
  }

  has(packageNumber: PackageNumber): boolean {
    return this.#scopes.has(packageNumber);
  }

  members(packageNumber: PackageNumber, name: NameNumber): readonly PackageEntry[] {
    return this.#members.get(packageNumber)?.get(name) ?? NO_ENTRIES;
  }

  /** Declarations of the name in all packages of the language of a file, in order of paths and rows. */
  inAnyPackage({ family, rules }: FileState, name: NameNumber): readonly PackageEntry[] {
    const found: PackageEntry[] = [];
    for (const number of this.#packagesOf.get(rules.space ?? family) ?? [])
      found.push(...this.members(number, name).filter(entry => entry.file.family === family));
    return found.sort((left, right) => (left.file.path < right.file.path ? -1 : left.file.path > right.file.path ? 1 : left.binding - right.binding));
  }

  /** Files with a scope of exactly this package. */
  files(packageNumber: PackageNumber): readonly FileState[] {
    return this.#files.get(packageNumber) ?? NO_FILES;
  }

  /** Members of that name declared outside their type, in any file. */
  outside(name: NameNumber): readonly OutsideEntry[] {
    return this.#outside.get(name) ?? NO_OUTSIDE;
  }

  /** Members declared outside a type of that (last) name. */
  outsideOf(type: NameNumber): readonly OutsideEntry[] {
    return this.#outsideOf.get(type) ?? NO_OUTSIDE;
  }

  /** Heritage rows that give bases to a type of that (last) name from outside its declaration. */
  outsideHeritage(name: NameNumber): readonly OutsideEntry<HeritageRow>[] {
    return this.#heritage.get(name) ?? NO_OUTSIDE;
  }

  /** Key under which changes of the global imports of a file's language are noted. */
  globalsOf(file: FileState): NameNumber {
    let key = this.#globalKeys.get(file.family);
    if (key === undefined) {
      key = this.project.names.intern(`${file.rules.space ?? file.family}\0global imports`);
      this.#globalKeys.set(file.family, key);
    }
    return key;
  }

  /** Import rows with a level in any file of the language (`globalImports`). */
  globalImports(file: FileState): readonly OutsideEntry<ImportRow>[] {
    return this.#global.get(this.globalsOf(file)) ?? NO_OUTSIDE;
  }

  #noteGlobalImports(file: FileState, sign: 1 | -1, mark: (name: NameNumber, weight: number) => void): void {
    const { imports } = file.facts;
    for (let row = importRow(0); row < imports.count; row++) {
      if ((imports.level[row] ?? 0) === 0) continue;
      changeList(this.#global, this.globalsOf(file), sign, entry => entry.row === row, { file, row });
      mark(this.globalsOf(file), file.name(imports.specifier[row] ?? NO_TEXT) * 17 + file.id);
    }
  }

  /** Assignments to fields of that name (`#0`, `#1`, … by position). */
  assigned(name: NameNumber): readonly OutsideEntry<AssignmentRow>[] {
    return this.#assigned.get(name) ?? NO_OUTSIDE;
  }

  #noteAssigned(file: FileState, sign: 1 | -1, mark: (name: NameNumber, weight: number) => void): void {
    const { assignments } = file.facts;
    for (let row = assignmentRow(0); row < assignments.count; row++) {
      const name = file.name(assignments.name[row] ?? NO_TEXT);
      changeList(this.#assigned, name, sign, entry => entry.row === row, { file, row });
      mark(name, file.id * 17 + row);
    }
  }

  /** Name whose bearers stand for the assignments of `given`. */
  givenKey(name: NameNumber): NameNumber {
    let key = this.#givenKeys.get(name);
    if (key === undefined) {
      key = this.#interned(`*given ${this.project.names.text(name)}`);
      this.#givenKeys.set(name, key);
    }
    return key;
  }

  /**
   * Assignments that give a member of that name to something imported, outside functions, or a method to instances of a class that a function is given;
   * tests left out. The caller must consult the bearers of its `givenKey`.
   */
  given(name: NameNumber): readonly OutsideEntry<AssignmentRow>[] {
    return this.#given.get(name) ?? NO_OUTSIDE;
  }

  #noteGiven(file: FileState, sign: 1 | -1, mark: (name: NameNumber, weight: number) => void): void {
    const { assignments, bindings, expressions } = file.facts;
    if (assignments.count === 0) return;
    const imported = new Set<number>();
    const parameters = new Set<number>();
    for (let row = bindingRow(0); row < bindings.count; row++) {
      if (bindings.kind[row] === PARAMETER) parameters.add(bindings.name[row] ?? NO_TEXT);
      const isImport = bindings.kind[row] === IMPORT || expressions.operator[bindings.value[row] ?? NONE] === operatorCode.module;
      if (isImport && (bindings.scope[row] ?? MODULE_SCOPE) === MODULE_SCOPE) imported.add(bindings.name[row] ?? NO_TEXT);
    }
    for (let row = assignmentRow(0); row < assignments.count; row++) {
      if (!givesTo(file, row, imported, parameters)) continue;
      const name = file.name(assignments.name[row] ?? NO_TEXT);
      changeList(this.#given, name, sign, entry => entry.row === row, { file, row });
      mark(this.givenKey(name), file.id * 19 + row);
    }
  }

  /** Heritage rows that mix a type of that (last) name into another, in dynamic languages. */
  mixers(name: NameNumber): readonly OutsideEntry<HeritageRow>[] {
    return this.#mixers.get(name) ?? NO_OUTSIDE;
  }

  #notePackage(packageNumber: PackageNumber, file: FileState, sign: 1 | -1, mark: (name: NameNumber, weight: FileNumber) => void, separator: string): void {
    const files = this.#files.get(packageNumber) ?? [];
    const at = files.findIndex(other => other.path === file.path);
    if (sign > 0 && at < 0) files.splice(lowerBound(files, file.path), 0, file);
    else if (sign < 0 && at >= 0) files.splice(at, 1);
    this.#files.set(packageNumber, files);
    const text = this.project.names.text(packageNumber);
    mark(packageNumber, file.id);
    for (let end = text.length, start = text.indexOf('\0') + 1; end > start; end = text.lastIndexOf(separator, end - 1)) {
      if (end < start) break;
      const number = end === text.length ? packageNumber : this.#interned(text.slice(0, end));
      const count = (this.#scopes.get(number) ?? 0) + sign;
      if (count > 0) this.#scopes.set(number, count);
      else this.#scopes.delete(number);
      if ((sign > 0 && count === 1) || (sign < 0 && count === 0)) mark(number, fileNumber(0));
    }
  }
}

/** True for an assignment outside functions to something imported, and for one of a method, in a function, to the prototype of a parameter. */
function givesTo(file: FileState, row: AssignmentRow, imported: ReadonlySet<number>, parameters: ReadonlySet<number>): boolean {
  const { assignments, expressions } = file.facts;
  const target = assignments.target[row] ?? NONE;
  if (target === NONE || (assignments.name[row] ?? NO_TEXT) === NO_TEXT) return false;
  const isPrototype = expressions.operator[target] === operatorCode.member && file.text(expressions.text[target] ?? NO_TEXT) === 'prototype';
  const root = isPrototype ? operandOf.receiver(expressions, target) : target;
  if (expressions.operator[root] !== operatorCode.name) return false;
  const isInside = (assignments.owner[row] ?? NONE) !== NONE;
  if (!isInside) return imported.has(expressions.text[root] ?? NO_TEXT);
  return isPrototype && (assignments.symbol[row] ?? NONE) !== NONE && parameters.has(expressions.text[root] ?? NO_TEXT);
}

const NO_ENTRIES: readonly PackageEntry[] = [];
const NO_OUTSIDE: readonly never[] = [];
const NO_FILES: readonly FileState[] = [];

/** Who picks among declarations of one name looks at their kinds and modifiers, those of the ones left aside too. */
function weightOf(file: FileState, symbol: SymbolRow): number {
  const { symbols } = file.facts;
  return (file.symbolNodes[symbol] ?? NO_NODE) + (symbols.modifiers[symbol] ?? 0) * 8191 + (symbols.kind[symbol] ?? 0) * 127;
}

function lowerBound(files: readonly FileState[], path: string): number {
  let at = files.length;
  while (at > 0 && (files[at - 1]?.path ?? '') > path) at--;
  return at;
}
