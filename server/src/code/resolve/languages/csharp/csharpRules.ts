/**
 * C#: namespaces are packages, seen from inside without naming them, and opened for a file by `using`, for a project by `global using`.
 *
 * Partial classes are one type. Extension methods are found on whatever their first parameter may be. What no namespace of the project has is taken to
 * come from the base library or a package: all source of a project is in its workspace.
 */
import { expressionRow, IMPORT_KINDS, type ImportRow, NO_TEXT, operatorCode, type ScopeRow, type StringIndex } from '../../../../model/facts';
import { AS_TYPE, AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { namedValue } from '../../evaluate/packages/names';
import { outsideName, pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { NameNumber, PackageNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, VALUE, type ValueSet } from '../../values';
import type { LanguageRules } from '../languageRules';
import { CSHARP_ALIASES, csharpBuiltins, csharpFunctions } from './builtins';
import { fitOfCsharp } from './fit';
import { injectedFixtures } from './fixtures';
import { arePartsOfOne, arityOfEntry, genericName, genericType } from './generics';
import { accepts, elementOfType, indexedOfType, inheritedMember } from './members';
import { projectFolder } from './projects';
import { namespacesCalled, openedMember, openedTypes, visibleEntries } from './usings';

/** An attribute may be called by its name without this. */
const ATTRIBUTE = /(?<=\w)Attribute$/;
const STAR = IMPORT_KINDS.indexOf('star');

export const csharpRules: LanguageRules = {
  family: 'csharp',
  manifests: /^(?:.+\.csproj|Directory\.Build\.(?:props|targets))$/,
  separator: '.',
  constructorName: '.ctor',
  implicitReceiver: true,
  overloads: true,
  openTypes: true,
  invokeName: 'Invoke',
  structural: false,
  reexports: false,
  plainBases: new Set(['object']),
  globalImports: true,
  basesByKind: true,
  overridesProperties: true,
  rootType: 'object',
  separateMembers: true,
  builtins: csharpBuiltins,
  functions: csharpFunctions,
  aliases: CSHARP_ALIASES,
  literals: { string: 'string', number: 'int', real: 'double', char: 'char', boolean: 'bool', null: 'null', type: 'Type' },
  arrayType: 'Array',
  booleanType: 'bool',
  numberType: 'int',
  operatorMethod: operator => `operator ${operator}`,
  eitherOperand: true,
  isGlobal: name => /^[A-Z]/.test(name),
  arePartsOfOne,
  closed: true,
  decoratorsReach: true,
  packageOf: (_path, declared) => declared,
  visible: visibleEntries,
  starred: openedTypes,
  nearest: (ev, file, entries) => {
    const home = projectFolder(ev.modules.manifests, file.path);
    const plain = preferred(entries, entry => arityOfEntry(entry) === 0);
    return preferred(plain, entry => projectFolder(ev.modules.manifests, entry.file.path) === home);
  },
  outer: outerName,
  imported: importedName,
  importTargets,
  member: inheritedMember,
  accepts,
  element: elementOfType,
  indexed: indexedOfType,
  fit: fitOfCsharp,
  injected: injectedFixtures,
  rootStatics: new Set(['Equals', 'ReferenceEquals']),
};

/** Those that a condition holds for, all when there are none. */
function preferred(entries: readonly PackageEntry[], holds: (entry: PackageEntry) => boolean): readonly PackageEntry[] {
  const some = entries.filter(holds);
  return some.length === 0 ? entries : some;
}

/** Static members of opened types, and the first names of namespaces, which may be said from a namespace around. */
function outerName(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const text = ev.project.names.text(name);
  const generic = genericName(text);
  if (generic !== undefined) return genericType(ev, file, scope, generic, mode);
  const opened = openedMember(ev, file, name, mode);
  if (opened !== NOTHING) return opened;
  if (ATTRIBUTE.test(text)) return namedValue(ev, file, scope, ev.nameOf(text.replace(ATTRIBUTE, '')), mode);
  if (mode !== AS_VALUE) return NOTHING;
  for (const inside of namespacesCalled(ev, file, scope, name)) {
    ev.dependencies.consult(ev.dependencies.bearers(inside));
    if (ev.packages.has(inside)) return values.single(values.packageOf(inside));
  }
  return NOTHING;
}

/** `using X = A.B.C;` */
function importedName(ev: Evaluator, file: FileState, row: ImportRow, mode: Mode): ValueSet {
  const specifier = file.text(file.facts.imports.specifier[row] ?? NO_TEXT);
  const own = file.text(file.facts.scopes.package[0] ?? NO_TEXT);
  for (let end = own.length; end > 0; end = own.lastIndexOf('.', end - 1)) {
    const relative = pathValue(ev, file, `${own.slice(0, end)}.${specifier}`, mode);
    if (relative !== NOTHING) return relative;
  }
  const found = pathValue(ev, file, specifier, mode);
  return found === NOTHING ? outsideName(ev, file, specifier.slice(specifier.lastIndexOf('.') + 1), mode, false) : found;
}

/** Files of an opened namespace that declare what this file names; the file of an opened or aliased type. */
function importTargets(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'nothing' {
  const { imports } = file.facts;
  const { values } = ev;
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const paths = new Set<string>();
  let isInside = false;
  for (const mode of [AS_TYPE, AS_VALUE] as const) {
    const set = imports.kind[row] === STAR ? pathValue(ev, file, specifier, mode) : importedName(ev, file, row, mode);
    for (const value of values.members(set)) {
      const kind = values.kindOf(value);
      if (kind === VALUE.package) {
        isInside = true;
        if (imports.kind[row] === STAR) addDeclaring(ev, file, values.package(value), paths);
      } else if (kind === VALUE.class || kind === VALUE.instance) {
        isInside = true;
        paths.add(ev.project.ownerOf(values.node(value))?.path ?? file.path);
      }
    }
  }
  paths.delete(file.path);
  if (paths.size > 0) return [...paths].sort();
  return isInside ? 'nothing' : 'external';
}

/** Adds the files that declare a name of the package which this file uses. */
function addDeclaring(ev: Evaluator, file: FileState, packageNumber: PackageNumber, paths: Set<string>): void {
  const { expressions } = file.facts;
  const seen = new Set<StringIndex>();
  for (let row = expressionRow(0); row < expressions.count; row++) {
    if (expressions.operator[row] !== operatorCode.name) continue;
    const text = expressions.text[row] ?? NO_TEXT;
    if (seen.has(text)) continue;
    seen.add(text);
    const name = file.name(text);
    ev.dependencies.consult(ev.dependencies.bearers(name));
    for (const entry of ev.packages.members(packageNumber, name)) paths.add(entry.file.path);
  }
}
