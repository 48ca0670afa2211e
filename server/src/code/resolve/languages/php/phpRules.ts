/**
 * PHP: classes by their namespaces, whatever file they are in; functions and constants of the global namespace from within any; files by `include`.
 *
 * Autoloading needs no map of folders here: what a file declares under a namespace is found by that name.
 */
import { dirname, join } from '../../../../base/path';
import { type ImportRow, MODULE_SCOPE, NO_TEXT, NONE, type ScopeRow } from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import { symbolKindCode } from '../../../../model/nodes';
import { elementsOf } from '../../evaluate/containers';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { methodResult } from '../../evaluate/generics';
import { findMember, hasOpenBase } from '../../evaluate/members';
import { memberOfMixers } from '../../evaluate/packages/mixins';
import { outsideName, packageEntries, pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, SELF, SET_UNKNOWN, UNKNOWN_VALUE, VALUE, type Value, type ValueSet } from '../../values';
import type { LanguageRules } from '../languageRules';
import { PHP_ALIASES, phpBuiltins, phpFunctions } from './builtins';

export const phpRules: LanguageRules = {
  family: 'php',
  manifests: /^composer\.json$/,
  packageNames: { 'composer.json': /^\s*"name"\s*:\s*"([^"]+)"/m },
  separator: '\\',
  constructorName: '__construct',
  callName: '__invoke',
  invokeName: '__invoke',
  memberStandIns: { read: '__get', write: '__set' },
  implicitReceiver: false,
  overloads: false,
  openTypes: false,
  structural: false,
  reexports: false,
  seesUnimported: true,
  dynamic: true,
  objectType: 'array',
  builtins: phpBuiltins,
  functions: phpFunctions,
  aliases: PHP_ALIASES,
  literals: { string: 'string', number: 'int', boolean: 'bool', null: 'null' },
  arrayType: 'array',
  booleanType: 'bool',
  numberType: 'int',
  /** Names that are no variables are found or come from outside: extensions, packages. */
  isGlobal: name => !name.startsWith('$'),
  packageOf: (_path, declared) => declared,
  visible: globalEntries,
  outer: outerName,
  imported,
  importTargets,
  member: (ev, value, name, mode) => {
    const inside = ev.values.kindOf(value) === VALUE.class ? ev.memberOf(namespaceOf(ev, ev.values.node(value)), name, mode) : NOTHING;
    return inside === NOTHING ? magicMember(ev, value, name, mode) : inside;
  },
  companion: namespaceOf,
  element: (ev, value) => {
    const iterator = methodResult(ev, value, 'getIterator');
    return iterator === NOTHING ? methodResult(ev, value, 'current') : elementsOf(ev, iterator);
  },
  indexed: (ev, value) => methodResult(ev, value, 'offsetGet'),
};

/** The namespace that is called as a class is, if there is one: in `Node\Stmt`, `Node` is the namespace, and a class too. */
function namespaceOf(ev: Evaluator, node: NodeHandle): ValueSet {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  const { symbols } = file.facts;
  const row = ev.project.rowOf(node);
  if ((symbols.parent[row] ?? NONE) !== NONE) return NOTHING;
  const around = ev.packages.packageOf(file, symbols.scope[row] ?? MODULE_SCOPE);
  const inside = ev.packages.inside(around, file.text(symbols.name[row] ?? NO_TEXT), '\\');
  ev.dependencies.consult(ev.dependencies.bearers(inside));
  return ev.packages.has(inside) ? ev.values.single(ev.values.packageOf(inside)) : NOTHING;
}

/** `\A` is a name of the global namespace; so is any other name that its own namespace does not have. */
function globalEntries(ev: Evaluator, file: FileState, _scope: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  const text = ev.project.names.text(name);
  if (text.startsWith('$')) return [];
  return packageEntries(ev, ev.packages.named(file, ''), text.startsWith('\\') ? ev.nameOf(text.slice(1)) : name);
}

/** `\A` of a longer name, and what no file declares. */
function outerName(ev: Evaluator, file: FileState, _scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const text = ev.project.names.text(name);
  if (!text.startsWith('\\')) return NOTHING;
  const found = pathValue(ev, file, text.slice(1), mode);
  return found === NOTHING ? outsideName(ev, file, text.slice(1), mode, false) : found;
}

/** `use A\B\C`: what the project declares under that name, else something outside. */
function imported(ev: Evaluator, file: FileState, row: ImportRow, mode: Mode): ValueSet {
  const { imports } = file.facts;
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const name = file.text(imports.importedName[row] ?? NO_TEXT);
  if (name === '') return SET_UNKNOWN;
  const found = pathValue(ev, file, specifier === '' ? name : `${specifier}\\${name}`, mode);
  if (found !== NOTHING) return found;
  if (specifier === '' || phpBuiltins.has(PHP_ALIASES[name] ?? name)) return outsideName(ev, file, name, mode, false);
  return ev.values.single(ev.values.external(ev.nameOf(`${specifier}\\${name}`)));
}

/** Files that `include` names: beside the file, from the root, or in the folders that an include path would have. */
function importTargets(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'missing' {
  const { imports } = file.facts;
  if ((imports.importedName[row] ?? NO_TEXT) !== NO_TEXT) return declaring(ev, file, row);
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const folder = dirname(file.path);
  const candidates = /^\.\.?(?:\/|$)/.test(specifier) ? [join(folder, specifier)] : [join(folder, specifier), specifier.replace(/^\/+/, '')];
  for (const path of candidates) if (path !== undefined && ev.modules.paths.has(path)) return [path];
  return /(?:^|\/)vendor\//.test(specifier) ? 'external' : 'missing';
}

/** Files that declare what a `use` names. */
function declaring(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' {
  const { imports } = file.facts;
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const name = imports.importedName[row] ?? NO_TEXT;
  const entries = packageEntries(ev, ev.packages.named(file, specifier), file.name(name));
  if (entries.length > 0) return [...new Set(entries.map(entry => entry.file.path))];
  const whole = ev.packages.named(file, specifier === '' ? file.text(name) : `${specifier}\\${file.text(name)}`);
  ev.dependencies.consult(ev.dependencies.bearers(whole));
  return ev.packages.has(whole) ? ev.packages.files(whole).map(each => each.path) : 'external';
}

/** Makers of test doubles: their result passes for the class named first. */
const DOUBLES: ReadonlySet<string> = new Set([
  'createMock',
  'createStub',
  'createPartialMock',
  'createConfiguredMock',
  'createConfiguredStub',
  'getMockForAbstractClass',
]);

/** `static`, and what `__call`, `__callStatic` and `__get` answer for. */
function magicMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  const isClass = kind === VALUE.class;
  if (mode !== AS_VALUE || (!isClass && kind !== VALUE.instance)) return NOTHING;
  const node = values.node(value);
  const text = ev.project.names.text(name);
  if (text === 'static') return values.single(values.classOf(node, SELF));
  if (text === 'class') return values.single(values.classOf(node, values.mark(value)));
  if (DOUBLES.has(text) && hasOpenBase(ev, node)) return values.single(values.external(ev.nameOf('phpunit.double')));
  if (kindOf(ev, node) === symbolKindCode.enum) return enumMember(ev, value, text);
  const mixed = kindOf(ev, node) === symbolKindCode.trait ? memberOfMixers(ev, node, name) : NOTHING;
  if (mixed !== NOTHING) return mixed;
  const magic = text.startsWith('$') ? '__get' : isClass ? '__callStatic' : '__call';
  if (text.startsWith('__') || findMember(ev, node, ev.nameOf(magic)).length === 0) return NOTHING;
  return text.startsWith('$') ? methodResult(ev, value, '__get') : ev.memberOf(values.single(value), ev.nameOf(magic), AS_VALUE);
}

function kindOf(ev: Evaluator, node: NodeHandle): number | undefined {
  return ev.project.ownerOf(node)?.facts.symbols.kind[ev.project.rowOf(node)];
}

/** `E::from(…)`, `E::tryFrom(…)`, `E::cases()`, `$e->name`, `$e->value`. */
function enumMember(ev: Evaluator, value: Value, text: string): ValueSet {
  const { values } = ev;
  if (text === '$name' || text === '$value') return ev.builtin('php.string');
  const itself = values.single(values.instance(values.node(value)));
  if (text === 'from' || text === 'tryFrom' || text === 'cases') {
    const held = values.members(ev.builtin('php.Enum', [itself]))[0] ?? UNKNOWN_VALUE;
    return values.single(values.builtinMethod(0, ev.nameOf(text), held));
  }
  return NOTHING;
}
