/**
 * Ruby: constants by their full names, whichever files open them; methods through what classes include, extend and inherit; files by `require`.
 *
 * A name that neither the project nor the language has may still be defined at run time: it stays unknown, except for constants.
 */

import { dirname, join } from '../../../../base/path';
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, type ImportRow, NO_TEXT, NONE, operatorCode, type ScopeRow } from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import { symbolKindCode } from '../../../../model/nodes';
import { AS_TYPE, AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { methodResult } from '../../evaluate/generics';
import { findMember, hasOpenBase } from '../../evaluate/members';
import { memberOfMixers } from '../../evaluate/packages/mixins';
import { declarationsAcross } from '../../evaluate/packages/openTypes';
import { entryValues, outsideName, packageEntries, pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { Manifests } from '../../modules/manifests';
import type { NameNumber } from '../../numbers';
import { NOTHING, SELF, SET_EXTERNAL, SET_UNKNOWN, UNKNOWN_VALUE, VALUE, type Value, type ValueSet } from '../../values';
import type { LanguageRules } from '../languageRules';
import { aliasedMethod } from './aliases';
import { MODULE_METHODS, RUBY_ALIASES, RUBY_GLOBALS, rubyBuiltins, rubyFunctions } from './builtins';

export const rubyRules: LanguageRules = {
  family: 'ruby',
  manifests: /^.+\.gemspec$/,
  separator: '::',
  constructorName: 'initialize',
  makerName: 'new',
  untypedParameters: () => true,
  membersTell: () => true,
  callName: 'call',
  invokeName: 'call',
  implicitReceiver: true,
  overloads: false,
  openTypes: true,
  structural: false,
  unmangled: /^/,
  reexports: false,
  seesUnimported: true,
  dynamic: true,
  apartStatics: true,
  typesAreValues: 'everywhere',
  objectType: 'Hash',
  builtins: rubyBuiltins,
  functions: rubyFunctions,
  aliases: RUBY_ALIASES,
  literals: { string: 'String', number: 'Integer', float: 'Float', boolean: 'bool', null: 'nil', symbol: 'Symbol', regexp: 'Regexp' },
  arrayType: 'Array',
  booleanType: 'bool',
  numberType: 'Integer',
  /** Constants that the project lacks come from outside: gems, the standard library. */
  isGlobal: name => /^(?:[A-Z]|be_|have_|a_)/.test(name) || RUBY_GLOBALS.has(name),
  packageOf: () => '',
  outer: outerName,
  importTargets,
  aliased: aliasedMethod,
  member: otherMember,
  superMember: (ev, receiver, name) => {
    const node = ev.values.node(receiver);
    return isModule(ev, node) ? memberOfMixers(ev, node, name, { isStatic: ev.values.kindOf(receiver) === VALUE.class, isAfter: true }) : NOTHING;
  },
  element: (ev, value) => yieldedByEach(ev, value),
  indexed: (ev, value) => methodResult(ev, value, '[]'),
};

/** `::A`, and names that only begin those of other types (`class A::B` without an `A`). */
function outerName(ev: Evaluator, file: FileState, _scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const text = ev.project.names.text(name);
  const isRoot = text.startsWith('::');
  if (!isRoot && !/^[A-Z]/.test(text)) return file.isTest && mode === AS_VALUE ? methodOfExamples(ev, file, name) : NOTHING;
  const bare = isRoot ? text.slice(2) : text;
  const found = pathValue(ev, file, bare, mode);
  if (found !== NOTHING) return found;
  return isRoot ? outsideName(ev, file, bare, mode, false) : constantOfObject(ev, file, name, mode);
}

/** A method of the modules that `RSpec.configure` includes in every example. */
function methodOfExamples(ev: Evaluator, file: FileState, name: NameNumber): ValueSet {
  const examples = ev.nameOf('<examples>');
  ev.dependencies.consult(ev.dependencies.bearers(examples));
  let answer = NOTHING;
  for (const { file: at, row } of ev.packages.outsideHeritage(examples)) {
    const path = spelledPath(at, at.facts.heritage.expression[row] ?? NONE);
    const module = path === '' ? NOTHING : pathValue(ev, file, path, AS_VALUE);
    if (!ev.values.members(module).some(value => OUTSIDE_KINDS.has(ev.values.kindOf(value)))) answer = ev.values.union(answer, moduleMember(ev, module, name));
  }
  return answer;
}

/** A constant of the modules that are included outside of classes; those of the language itself go before. */
function constantOfObject(ev: Evaluator, file: FileState, name: NameNumber, mode: Mode): ValueSet {
  const text = ev.project.names.text(name);
  const object = ev.nameOf('Object');
  ev.dependencies.consult(ev.dependencies.bearers(object));
  const mixins = ev.packages.outsideHeritage(object);
  if (mixins.length === 0 || rubyBuiltins.has(RUBY_ALIASES[text] ?? text)) return NOTHING;
  for (const { file: at, row } of mixins) {
    const path = spelledPath(at, at.facts.heritage.expression[row] ?? NONE);
    const module = path === '' ? NOTHING : pathValue(ev, file, path, AS_VALUE);
    const found = module === NOTHING ? NOTHING : ev.memberOf(module, name, mode);
    if (ev.values.members(found).some(value => !OUTSIDE_KINDS.has(ev.values.kindOf(value)))) return found;
  }
  return NOTHING;
}

const OUTSIDE_KINDS: ReadonlySet<number> = new Set([VALUE.external, VALUE.unknown]);

/** `A::B` of a constant's expression, '' for what is none. */
function spelledPath(file: FileState, row: ExpressionRow): string {
  const { expressions } = file.facts;
  if (row === NONE) return '';
  const text = file.text(expressions.text[row] ?? NO_TEXT).replace(/^::/, '');
  if (expressions.operator[row] === operatorCode.name) return text;
  const before = expressions.operator[row] === operatorCode.member ? spelledPath(file, operandOf.receiver(expressions, row)) : '';
  return before === '' ? '' : `${before}::${text}`;
}

/** Folders that `require` searches: `lib` and its like, of the project and of each gem in it. */
const ROOTS = new WeakMap<Manifests, readonly string[]>();
const LOAD_FOLDERS = ['lib', '', 'app', 'test', 'spec'];

function loadRoots(manifests: Manifests): readonly string[] {
  let roots = ROOTS.get(manifests);
  if (roots === undefined) {
    const gems = [...manifests.texts.keys()].filter(path => path.endsWith('.gemspec')).map(dirname);
    roots = [...new Set(['', ...gems.sort()])];
    ROOTS.set(manifests, roots);
  }
  return roots;
}

function importTargets(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'missing' {
  const specifier = file.text(file.facts.imports.specifier[row] ?? NO_TEXT).replace(/\.rb$/, '');
  const { paths } = ev.modules;
  if (/^\.\.?(?:\/|$)/.test(specifier)) {
    const path = join(dirname(file.path), specifier);
    return path !== undefined && paths.has(`${path}.rb`) ? [`${path}.rb`] : 'missing';
  }
  const roots = [...new Set([...around(file.path), ...loadRoots(ev.modules.manifests)])];
  for (const root of roots) {
    for (const folder of LOAD_FOLDERS) {
      const path = [root, folder, `${specifier}.rb`].filter(part => part !== '').join('/');
      if (paths.has(path)) return [path];
    }
  }
  return 'external';
}

/** The folders around a file, the nearest first. */
function around(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== '' && folder !== '.' && folders.length < 12; folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Methods that a value has beside those its class declares: of `extend`, of modules' `ClassMethods`, of Object, Kernel and Enumerable. */
function otherMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  if (mode === AS_TYPE) return NOTHING;
  const { values } = ev;
  const kind = values.kindOf(value);
  const text = ev.project.names.text(name);
  const node = values.node(value);
  if (/^(?:@|[A-Z])/.test(text)) return kind === VALUE.instance && text.startsWith('@') && isModule(ev, node) ? memberOfMixers(ev, node, name) : NOTHING;
  if (kind === VALUE.class && isModule(ev, node)) return classOfMixerMember(ev, node, name, text);
  if (kind === VALUE.class || kind === VALUE.namespace) return classMember(ev, node, name, text);
  return kind === VALUE.instance ? objectMember(ev, value, node, name, text) : NOTHING;
}

function objectMember(ev: Evaluator, value: Value, node: NodeHandle, name: NameNumber, text: string): ValueSet {
  const { values } = ev;
  const shared = rubyBuiltins.type('Object')?.members.has(text) === true ? builtinOf(ev, 'Object', values.single(value), name) : NOTHING;
  if (shared !== NOTHING) return shared;
  const isSelf = values.mark(value) === SELF;
  const global = isSelf ? globalMethod(ev, node, name) : NOTHING;
  if (global !== NOTHING) return global;
  const isOpen = hasOpenBase(ev, node);
  const has = (method: string): boolean => findMember(ev, node, ev.nameOf(method)).length > 0;
  if (isOpen && rubyBuiltins.type('Enumerable')?.members.has(text) === true && has('each')) return builtinOf(ev, 'Enumerable', yieldedByEach(ev, value), name);
  if (isSelf && RUBY_GLOBALS.has(text)) return SET_EXTERNAL;
  const mixed = isModule(ev, node) ? memberOfMixers(ev, node, name) : NOTHING;
  if (mixed !== NOTHING) return mixed;
  const given = memberOfGiven(ev, node, name);
  if (given !== NOTHING) return given;
  if (!isOpen && has('method_missing')) return SET_UNKNOWN;
  if (ev.hierarchy(node).some(link => isReopened(ev, link.node))) return SET_EXTERNAL;
  return isModule(ev, node) && !isOpen ? SET_UNKNOWN : NOTHING;
}

/** Classes of the language and of gems that the project opens: `class String`, `class Minitest::Test` without a Minitest of its own. */
function isReopened(ev: Evaluator, node: NodeHandle): boolean {
  const file = ev.project.ownerOf(node);
  const row = ev.project.rowOf(node);
  if (file === undefined) return false;
  const { symbols } = file.facts;
  const receiver = symbols.receiver[row] ?? NONE;
  if (receiver !== NONE) return !ev.values.members(ev.valueOf(file, receiver)).some(value => OWN_KINDS.has(ev.values.kindOf(value)));
  return (symbols.parent[row] ?? NONE) === NONE && CORE_CLASSES.has(file.text(symbols.name[row] ?? NO_TEXT));
}

const OWN_KINDS: ReadonlySet<number> = new Set([VALUE.class, VALUE.namespace]);
const CORE_CLASSES: ReadonlySet<string> = new Set(
  'Object BasicObject Kernel Module Class String Symbol Array Hash Integer Float Numeric Range Regexp Proc Method Struct Time Date DateTime File Dir IO Set Thread Exception StandardError NilClass TrueClass FalseClass Enumerable Comparable Process Tempfile StringIO URI Logger'.split(
    ' ',
  ),
);

function isModule(ev: Evaluator, node: NodeHandle): boolean {
  return ev.project.ownerOf(node)?.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.module;
}

/** A member of a built-in type, bound to a value of it. */
function builtinOf(ev: Evaluator, type: string, held: ValueSet, name: NameNumber): ValueSet {
  const receiver = ev.values.members(ev.builtin(`ruby.${type}`, held === NOTHING ? [] : [held]))[0] ?? UNKNOWN_VALUE;
  return ev.values.single(ev.values.builtinMethod(0, name, receiver));
}

/** Methods defined outside every class: all objects have them. */
function globalMethod(ev: Evaluator, node: NodeHandle, name: NameNumber): ValueSet {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  const entries = packageEntries(ev, ev.packages.named(file, ''), name).filter(entry => {
    const symbol = entry.file.facts.bindings.symbol[entry.binding] ?? NONE;
    return symbol !== NONE && entry.file.facts.symbols.kind[symbol] === symbolKindCode.function;
  });
  return entries.length === 0 ? NOTHING : entryValues(ev, entries, AS_VALUE);
}

/** What `self.class` has in a module: what the module gives to the classes that include it, and what those have themselves. */
function classOfMixerMember(ev: Evaluator, node: NodeHandle, name: NameNumber, text: string): ValueSet {
  const given = givenToClasses(ev, node, name);
  if (given !== NOTHING) return given;
  const own = memberOfMixers(ev, node, name, { isStatic: true });
  return own === NOTHING ? classMember(ev, node, name, text) : own;
}

/** What a module gives to the classes that include it: of its `ClassMethods`, and of what its hook extends them with. */
function givenToClasses(ev: Evaluator, node: NodeHandle, name: NameNumber): ValueSet {
  let answer = boundModules(ev, node, GIVEN_MODULES, name);
  for (const hit of findMember(ev, node, ev.nameOf('ClassMethods')))
    answer = ev.values.union(answer, moduleMember(ev, ev.symbol(hit.file, hit.row, AS_VALUE), name));
  return answer;
}

/** Names that source cannot spell: what a class is extended with, and what a module extends the classes with that include it. */
const OWN_MODULES = '<extend>';
const GIVEN_MODULES = '<classMethods>';

/** A method of the modules that are kept under a name in the bodies of a type. */
function boundModules(ev: Evaluator, node: NodeHandle, kept: string, name: NameNumber): ValueSet {
  const file = ev.project.ownerOf(node);
  let answer = NOTHING;
  if (file === undefined) return answer;
  for (const { file: at, row } of declarationsAcross(ev, file, ev.project.rowOf(node))) {
    const scope = at.facts.symbols.scope[row] ?? NONE;
    for (let binding = at.firstBinding(scope, ev.nameOf(kept)); binding !== NONE; binding = at.nextBinding(binding))
      answer = ev.values.union(answer, moduleMember(ev, ev.valueOf(at, at.facts.bindings.value[binding] ?? NONE), name));
  }
  return answer;
}

/** What a method of a module's `ClassMethods` calls on itself: methods of the classes that include the module. */
function memberOfGiven(ev: Evaluator, node: NodeHandle, name: NameNumber): ValueSet {
  const file = ev.project.ownerOf(node);
  const row = ev.project.rowOf(node);
  if (file === undefined || file.text(file.facts.symbols.name[row] ?? NO_TEXT) !== 'ClassMethods') return NOTHING;
  const parent = file.facts.symbols.parent[row] ?? NONE;
  return parent === NONE ? NOTHING : memberOfMixers(ev, ev.canonical(file, parent), name, { isStatic: true });
}

/** What a class has through `extend`, or through the `ClassMethods` of what it includes. */
function classMember(ev: Evaluator, node: NodeHandle, name: NameNumber, text: string): ValueSet {
  const { values } = ev;
  for (const link of ev.hierarchy(node)) {
    const own = boundModules(ev, link.node, OWN_MODULES, name);
    const answer = link.node === node ? own : values.union(own, givenToClasses(ev, link.node, name));
    if (answer !== NOTHING) return answer;
  }
  if (text === 'instance' && isSingleton(ev, node)) return builtinOf(ev, 'Object', values.single(values.instance(node)), ev.nameOf('itself'));
  if (MODULE_METHODS.has(text) || (text === 'new' && !hasOpenBase(ev, node))) return SET_EXTERNAL;
  if (rubyBuiltins.type('Object')?.members.has(text) === true) return builtinOf(ev, 'Object', values.single(values.classOf(node)), name);
  const global = globalMethod(ev, node, name);
  if (global !== NOTHING) return global;
  return RUBY_GLOBALS.has(text) || ev.hierarchy(node).some(link => isReopened(ev, link.node)) ? SET_EXTERNAL : NOTHING;
}

/** True for a class that includes the library's module with one instance a class. */
function isSingleton(ev: Evaluator, node: NodeHandle): boolean {
  return ev.hierarchy(node).some(link => {
    const file = ev.project.ownerOf(link.node);
    return file?.heritageOf(ev.project.rowOf(link.node)).some(row => spelledPath(file, file.facts.heritage.expression[row] ?? NONE) === 'Singleton') === true;
  });
}

/** A method of the modules in a set, as methods of whatever they extend. */
function moduleMember(ev: Evaluator, set: ValueSet, name: NameNumber): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const kind = values.kindOf(value);
    if (kind === VALUE.external) answer = values.union(answer, SET_EXTERNAL);
    if (kind !== VALUE.namespace && kind !== VALUE.class) continue;
    if (findMember(ev, values.node(value), name).length === 0) continue;
    answer = values.union(answer, ev.memberOf(values.single(values.instance(values.node(value), SELF)), name, AS_VALUE));
  }
  return answer;
}

/** What `each` hands to its block: the type that its scope binds to `&`. */
function yieldedByEach(ev: Evaluator, value: Value): ValueSet {
  const [hit] = findMember(ev, ev.values.node(value), ev.nameOf('each'));
  if (hit === undefined) return NOTHING;
  const { symbols, bindings, expressions, lists } = hit.file.facts;
  const scope = symbols.scope[hit.row] ?? NONE;
  const binding = scope === NONE ? NONE : hit.file.firstBinding(scope, ev.nameOf('&'));
  const type = binding === NONE ? NONE : (bindings.type[binding] ?? NONE);
  if (type === NONE || (expressions.listCount[type] ?? 0) === 0) return NOTHING;
  return ev.typeOf(hit.file, lists[expressions.listStart[type] ?? 0] ?? NONE);
}
