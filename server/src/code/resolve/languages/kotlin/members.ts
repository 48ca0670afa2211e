/** What values have in Kotlin without declaring it: companions, data classes, scope functions, extensions of everything, Java's getters. */
import { NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../../model/nodes';
import { elementsOf } from '../../evaluate/containers';
import { AS_VALUE, type Evaluator, type MemberHit, type Mode } from '../../evaluate/evaluator';
import { methodResult, receiverSubstitution } from '../../evaluate/generics';
import { findMember, memberValues } from '../../evaluate/members';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NO_ARGUMENTS, NOTHING, VALUE, type Value, type ValueSet } from '../../values';
import { libraryBases } from '../java/types';
import { kotlinBuiltins } from './builtins';

/** Node of the companion of a class, or -1. */
export function companionOf(ev: Evaluator, node: NodeHandle): NodeHandle {
  const file = ev.project.ownerOf(node);
  if (file?.family !== 'kotlin') return NO_NODE;
  const { symbols } = file.facts;
  const row = ev.project.rowOf(node);
  for (const child of file.childrenOf(row)) {
    const isNested = symbols.kind[child] === symbolKindCode.class && ((symbols.modifiers[child] ?? 0) & MODIFIERS.static) !== 0;
    if (isNested && /\bcompanion\b/.test(file.text(symbols.signature[child] ?? NO_TEXT))) return file.symbolNodes[child] ?? NO_NODE;
  }
  return NO_NODE;
}

export function kotlinMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (kind !== VALUE.instance && kind !== VALUE.class) return NOTHING;
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  if (kind === VALUE.class) {
    const companion = companionOf(ev, node);
    const found = companion < 0 ? NOTHING : ev.memberOf(values.single(values.classOf(companion)), name, mode);
    if (found !== NOTHING) return found;
  }
  if (mode !== AS_VALUE) return NOTHING;
  const text = ev.project.names.text(name);
  if (file.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.enum) {
    const found = builtinNamed(ev, { type: 'Enum', isClass: kind === VALUE.class, arg: values.single(values.instance(node)), text, name });
    if (found !== NOTHING) return found;
  }
  const accessor = kind === VALUE.instance && file.family === 'kotlin' ? accessedProperty(ev, value, text) : NOTHING;
  if (accessor !== NOTHING) return accessor;
  const given = dataMember(ev, file, value, text);
  if (given !== NOTHING) return given;
  const extension = extensionOfEverything(ev, value, name);
  if (extension !== NOTHING) return extension;
  for (const base of kind === VALUE.instance ? libraryBases(ev, value) : []) {
    const found = ev.memberOf(values.single(base), name, AS_VALUE);
    if (values.members(found).some(member => values.kindOf(member) !== VALUE.external)) return found;
  }
  const scoped = builtinNamed(ev, { type: 'Scope', isClass: false, arg: values.single(value), text, name });
  return scoped === NOTHING ? builtinNamed(ev, { type: 'Any', isClass: false, arg: values.single(value), text, name }) : scoped;
}

interface BuiltinAsked {
  readonly type: string;
  readonly isClass: boolean;
  readonly arg: ValueSet;
  readonly text: string;
  readonly name: NameNumber;
}

function builtinNamed(ev: Evaluator, asked: BuiltinAsked): ValueSet {
  const { values } = ev;
  const known = kotlinBuiltins.type(asked.type);
  if ((asked.isClass ? known?.statics : known?.members)?.has(asked.text) !== true) return NOTHING;
  const type = ev.nameOf(`kotlin.${asked.type}`);
  const args = values.argsOf([asked.arg]);
  const owner = asked.isClass ? values.builtinClass(type, args) : values.builtin(type, args);
  return ev.memberOf(values.single(owner), asked.name, AS_VALUE);
}

/** `componentN` and `copy` of data classes; `name` for `getName()` of a Java class. */
function dataMember(ev: Evaluator, file: FileState, value: Value, text: string): ValueSet {
  const { values } = ev;
  if (values.kindOf(value) !== VALUE.instance) return NOTHING;
  if (file.family === 'java') {
    const capital = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
    const got = methodResult(ev, value, `get${capital}`);
    return got === NOTHING && /^is[A-Z]/.test(text) ? methodResult(ev, value, text) : got;
  }
  const position = /^component(?<position>\d+)$/.exec(text)?.groups?.['position'];
  if (position === undefined) return NOTHING;
  const constructor = file.membersNamed(ev.project.rowOf(values.node(value)), ev.nameOf('<init>'))[0];
  const { symbols, functions, lists, bindings } = file.facts;
  const row = constructor === undefined ? NONE : (symbols.function[constructor] ?? NONE);
  const index = Number(position) - 1;
  if (row === NONE || index >= (functions.parameterCount[row] ?? 0)) return NOTHING;
  const type = bindings.type[lists[(functions.parameterStart[row] ?? 0) + index] ?? NONE] ?? NONE;
  return type === NONE ? NOTHING : receiverSubstitution(ev, values.node(value), value, ev.typeOf(file, type));
}

/** `getName()` as Java calls the property `name`: the property itself, bound to be called. */
function accessedProperty(ev: Evaluator, value: Value, text: string): ValueSet {
  const { values } = ev;
  const match = /^(?:get|set)(?<name>[A-Z]\w*)$/.exec(text)?.groups?.['name'];
  const name = match === undefined ? (/^is[A-Z]/.test(text) ? text : undefined) : `${match.slice(0, 1).toLowerCase()}${match.slice(1)}`;
  if (name === undefined) return NOTHING;
  const [hit] = findMember(ev, values.node(value), ev.nameOf(name), 0, (file, row) => file.facts.symbols.kind[row] === symbolKindCode.property);
  return hit === undefined ? NOTHING : values.single(values.functionOf(hit.file.symbolNodes[hit.row] ?? NO_NODE, value));
}

/** `fun Any.f()`, `fun <T> T.f()`. */
function extensionOfEverything(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const hits: MemberHit[] = [];
  for (const { file, row } of ev.packages.outside(name)) {
    const receiver = ev.typeOf(file, file.facts.symbols.receiver[row] ?? NONE);
    const isOpen = values.members(receiver).some(type => {
      const kind = values.kindOf(type);
      return kind === VALUE.typeParameter || (kind === VALUE.builtin && ev.project.names.text(values.name(type)) === 'kotlin.Any');
    });
    if (isOpen) hits.push({ file, row, owner: values.node(value), args: NO_ARGUMENTS });
  }
  return hits.length === 0 ? NOTHING : memberValues(ev, hits, value);
}

export function elementOfKotlin(ev: Evaluator, value: Value): ValueSet {
  for (const base of libraryBases(ev, value)) {
    const element = elementsOf(ev, ev.values.single(base));
    if (element !== NOTHING) return element;
  }
  const iterator = methodResult(ev, value, 'iterator');
  if (iterator === NOTHING) return NOTHING;
  const next = ev.values.members(iterator).reduce((set, each) => ev.values.union(set, methodResult(ev, each, 'next')), NOTHING);
  return next === NOTHING ? elementsOf(ev, iterator) : next;
}

export function indexedInKotlin(ev: Evaluator, value: Value): ValueSet {
  return methodResult(ev, value, 'get');
}

/** How well a value fits a parameter type, for what the general rules do not know. */
export function fitOfKotlin(ev: Evaluator, wanted: Value, given: Value): number | undefined {
  const { values } = ev;
  const wantedKind = values.kindOf(wanted);
  const kind = values.kindOf(given);
  if (wantedKind === VALUE.functionType && kind === VALUE.lambda) return 3;
  if (wantedKind !== VALUE.builtin) return kind === VALUE.class && wantedKind === VALUE.instance ? fitOfObject(ev, wanted, given) : undefined;
  const type = nameOf(ev, wanted);
  if (type === 'Any') return 0.5;
  if (kind === VALUE.instance)
    return libraryBases(ev, given).some(base => nameOf(ev, base) === type) ? 2 : ev.hierarchy(values.node(given))[0]?.open === true ? 0 : -1;
  if (kind !== VALUE.builtin) return undefined;
  const own = nameOf(ev, given);
  if (own === 'null') return 0;
  if (own === type) return 4;
  return WIDER[own]?.includes(type) === true ? 2 : -1;
}

const WIDER: Readonly<Record<string, readonly string[]>> = {
  String: ['CharSequence'],
  Int: ['Long', 'Short', 'Byte', 'Number', 'UInt'],
  Long: ['Number', 'ULong'],
  Double: ['Float', 'Number'],
  List: ['Iterable', 'Set'],
  Set: ['Iterable', 'List'],
  Array: ['Iterable'],
  IntRange: ['Iterable', 'List'],
};

/** An object given by its name. */
function fitOfObject(ev: Evaluator, wanted: Value, given: Value): number {
  return ev.hierarchy(ev.values.node(given)).some(link => link.node === ev.values.node(wanted)) ? 3 : -1;
}

function nameOf(ev: Evaluator, value: Value): string {
  const text = ev.project.names.text(ev.values.name(value));
  return text.slice(text.indexOf('.') + 1);
}
