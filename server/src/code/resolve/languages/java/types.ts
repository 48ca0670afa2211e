/** What types of the project have from types of the standard library, and how Java's types fit one another. */
import { symbolKindCode } from '../../../../model/nodes';
import { elementsOf } from '../../evaluate/containers';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { methodResult } from '../../evaluate/generics';
import { builtinBases } from '../../evaluate/hierarchy';
import type { NameNumber } from '../../numbers';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';
import { javaBuiltins } from './builtins';

/** Members that a type has without declaring them: those of enums, of bases in the standard library, of `Object`. */
export function objectMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (mode !== AS_VALUE || (kind !== VALUE.instance && kind !== VALUE.class)) return NOTHING;
  const text = ev.project.names.text(name);
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  if (file.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.enum) {
    const own = values.single(values.instance(node));
    const found = builtinNamed(ev, 'Enum', kind === VALUE.class, [own], text, name);
    if (found !== NOTHING) return found;
  }
  if (kind === VALUE.instance) {
    for (const base of libraryBases(ev, value)) {
      const type = ev.project.names.text(values.name(base)).replace(/^\w+\./, '');
      if (javaBuiltins.type(type)?.members.has(text) === true) return ev.memberOf(values.single(base), name, AS_VALUE);
    }
    return builtinNamed(ev, 'Object', false, [], text, name);
  }
  return NOTHING;
}

function builtinNamed(ev: Evaluator, type: string, isClass: boolean, args: readonly ValueSet[], text: string, name: NameNumber): ValueSet {
  const { values } = ev;
  const known = javaBuiltins.type(type);
  if ((isClass ? known?.statics : known?.members)?.has(text) !== true) return NOTHING;
  const typeName = ev.nameOf(`java.${type}`);
  const given = values.argsOf(args);
  return ev.memberOf(values.single(isClass ? values.builtinClass(typeName, given) : values.builtin(typeName, given)), name, AS_VALUE);
}

const LIBRARY = /^(?:java|kotlin)\./;

/** Types of the standard library that a type extends or implements, with their type arguments. */
export function libraryBases(ev: Evaluator, value: Value): readonly Value[] {
  return builtinBases(ev, value).filter(base => LIBRARY.test(ev.project.names.text(ev.values.name(base))));
}

/** `Iterable` of the standard library among the bases, else what the type's own `iterator()` gives. */
export function outsideElement(ev: Evaluator, value: Value): ValueSet {
  for (const base of libraryBases(ev, value)) {
    if (javaBuiltins.type(ev.project.names.text(ev.values.name(base)).replace(/^\w+\./, ''))?.element === undefined) continue;
    const element = elementsOf(ev, ev.values.single(base));
    if (element !== NOTHING) return element;
  }
  const iterator = methodResult(ev, value, 'iterator');
  return iterator === NOTHING ? NOTHING : elementsOf(ev, iterator);
}

/** What each type widens or is boxed to, nearest first. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  byte: ['short', 'int', 'long', 'float', 'double', 'Byte', 'Number'],
  short: ['int', 'long', 'float', 'double', 'Short', 'Number'],
  char: ['int', 'long', 'float', 'double', 'Character'],
  int: ['long', 'float', 'double', 'Integer', 'Number', 'byte', 'short', 'char'],
  long: ['float', 'double', 'Long', 'Number'],
  float: ['double', 'Float', 'Number'],
  double: ['Double', 'Number', 'float'],
  boolean: ['Boolean'],
  Byte: ['byte', 'Number', 'short', 'int', 'long'],
  Short: ['short', 'Number', 'int', 'long'],
  Character: ['char', 'int'],
  Integer: ['int', 'Number', 'long', 'double'],
  Long: ['long', 'Number', 'double'],
  Float: ['float', 'Number', 'double'],
  Double: ['double', 'Number'],
  Boolean: ['boolean'],
  String: ['CharSequence'],
  StringBuilder: ['CharSequence'],
  List: ['Collection', 'Iterable'],
  Set: ['Collection', 'Iterable'],
  Collection: ['Iterable'],
};

/** How well a value of one kind fits a parameter type, for what the general rules do not know: 0 is open, -1 impossible, up to 4; `undefined`: ask them. */
export function fitOfJava(ev: Evaluator, wanted: Value, given: Value): number | undefined {
  const { values } = ev;
  if (values.kindOf(wanted) !== VALUE.builtin) return undefined;
  const type = nameOf(ev, wanted);
  if (type === 'Object') return 0.5;
  const kind = values.kindOf(given);
  if (kind === VALUE.lambda) return fitOfLambda(ev, type, given);
  if (kind === VALUE.function) return javaBuiltins.type(type)?.call === undefined ? -1 : 1;
  if (kind === VALUE.instance) return fitOfInstance(ev, type, given);
  if (kind !== VALUE.builtin) return undefined;
  const own = nameOf(ev, given);
  if (own === 'null') return /^[a-z]/.test(type) ? -1 : 1;
  if (own === type) return own === 'Array' ? fitOfArrays(ev, wanted, given) : 4;
  const at = WIDER[own]?.indexOf(type) ?? -1;
  return at < 0 ? -1 : 3 - at / 10;
}

function nameOf(ev: Evaluator, value: Value): string {
  const text = ev.project.names.text(ev.values.name(value));
  return text.slice(text.indexOf('.') + 1);
}

function fitOfArrays(ev: Evaluator, wanted: Value, given: Value): number {
  const [item] = ev.values.args(wanted);
  const [own] = ev.values.args(given);
  if (item === undefined || own === undefined || item === own) return 4;
  const [left] = ev.values.members(item);
  const [right] = ev.values.members(own);
  if (left === undefined || right === undefined || ev.values.kindOf(left) === VALUE.typeParameter) return 1;
  return ev.values.kindOf(left) === VALUE.builtin && ev.values.kindOf(right) === VALUE.builtin ? -1 : 2;
}

/** A function with as many parameters as the interface asks for. */
function fitOfLambda(ev: Evaluator, type: string, given: Value): number {
  const call = javaBuiltins.type(type)?.call;
  if (call === undefined) return -1;
  const file = ev.project.file(ev.values.file(given));
  const count = file?.facts.functions.parameterCount[ev.values.row(given)] ?? 0;
  return (call.callback?.length ?? 0) === count ? 2 : -1;
}

function fitOfInstance(ev: Evaluator, type: string, given: Value): number | undefined {
  const bases = libraryBases(ev, given).map(base => nameOf(ev, base));
  if (bases.includes(type)) return 2;
  if (bases.some(base => WIDER[base]?.includes(type) === true)) return 2;
  return ev.hierarchy(ev.values.node(given))[0]?.open === true ? 0 : -1;
}
