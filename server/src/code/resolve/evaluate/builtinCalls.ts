import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, NONE } from '../../../model/facts';
import type { FileState } from '../fileState';
import type { BuiltinMember, Spec } from '../languages/builtinTable';
import type { LanguageTraits } from '../languages/languageTraits';
import { NOTHING, SET_EXTERNAL, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../values';
import { elementsOf } from './containers';
import type { Arguments, BuiltinForm, Evaluator } from './evaluator';
import { returnOf } from './generics';
import { awaited } from './imports';
import { builtinTypeOf, forList, isPositional } from './operands';

/** What a spec is read against. */
interface Reading {
  readonly ev: Evaluator;
  readonly receiver: Value;
  readonly args: Arguments | undefined;
  /** Family whose types are meant, when the receiver does not say. */
  readonly family?: string;
}

/** Result of calling member `name` of a built-in value, or the value itself when `name` is empty. */
export function builtinResult(ev: Evaluator, value: Value, name: string, _rows: readonly ExpressionRow[], args?: Arguments): ValueSet {
  const reading: Reading = { ev, receiver: value, args };
  if (name === '') return directCall(reading, value);
  const member = memberSpec(ev, value, name);
  return member === undefined ? SET_EXTERNAL : read(reading, member.result);
}

/** Parameter types that a built-in member gives to the function passed as its argument `at`. */
export function callbackParameter(ev: Evaluator, value: Value, name: string, at: number, position: number, args: Arguments): ValueSet {
  const member = memberSpec(ev, value, name);
  if (member?.callback === undefined || member.callbackAt !== at) return NOTHING;
  const spec = member.callback[position];
  return spec === undefined ? NOTHING : read({ ev, receiver: value, args }, spec);
}

/** The same for an outside function. */
export function outsideCallback(ev: Evaluator, value: Value, at: number, position: number, args: Arguments, rules: LanguageTraits): ValueSet {
  const member = rules.functions.type('functions')?.members.get(ev.project.names.text(ev.values.name(value)));
  const spec = member?.callbackAt === at ? member.callback?.[position] : undefined;
  return spec === undefined ? NOTHING : read({ ev, receiver: value, args, family: rules.family }, spec);
}

function memberSpec(ev: Evaluator, value: Value, name: string): BuiltinMember | undefined {
  const { values } = ev;
  const kind = values.kindOf(value);
  const known = builtinTypeOf(ev, value);
  return kind === VALUE.builtinClass ? (known?.statics.get(name) ?? known?.members.get(name)) : known?.members.get(name);
}

/** Calls of outside functions, and of built-in classes: `list(x)`, `functools.partial(f)`, `String(x)`. */
function directCall(reading: Reading, value: Value): ValueSet {
  const { ev, args } = reading;
  if (args === undefined) return SET_EXTERNAL;
  const { rules } = args.file;
  const { values } = ev;
  const text = ev.project.names.text(values.name(value));
  const bare = text.startsWith(`${rules.family}.`) ? text.slice(rules.family.length + 1) : text;
  const member = rules.functions.type('functions')?.members.get(bare);
  if (member !== undefined) return withWrittenArguments(reading, read({ ...reading, family: rules.family }, member.result));
  if (values.kindOf(value) === VALUE.builtinClass) {
    if (rules.builtins.has(bare)) return values.single(values.builtin(values.name(value), values.argsId(value)));
    return values.single(values.external(ev.nameOf(bare)));
  }
  return values.kindOf(value) === VALUE.external && rules.anonymousResults !== true ? values.single(value) : SET_EXTERNAL;
}

/** `listOf<A>()`: type arguments that are written out are those of the one container it makes. */
function withWrittenArguments(reading: Reading, result: ValueSet): ValueSet {
  const { ev, args } = reading;
  const { values } = ev;
  const written = args === undefined ? [] : args.file.genericArguments(args.row);
  const [only, other] = values.members(result);
  if (args === undefined || only === undefined || other !== undefined || values.kindOf(only) !== VALUE.builtin || values.args(only).length !== written.length)
    return result;
  return written.length === 0
    ? result
    : ev.builtin(
        ev.project.names.text(values.name(only)),
        written.map(row => ev.typeOf(args.file, row)),
      );
}

/** What a form of a built-in type gives: `index`, `unwrap`, `awaits`, `delegate`, `element`, … */
export function builtinForm(ev: Evaluator, value: Value, form: BuiltinForm): ValueSet {
  const type = builtinTypeOf(ev, value);
  const spec = form === 'result' ? type?.call?.result : type?.[form];
  return spec === undefined ? NOTHING : read({ ev, receiver: value, args: undefined }, spec);
}

/** Type of parameter `position` of a built-in functional type. */
export function functionalParameter(ev: Evaluator, value: Value, position: number): ValueSet {
  const spec = builtinTypeOf(ev, value)?.call?.callback?.[position];
  return spec === undefined ? NOTHING : read({ ev, receiver: value, args: undefined }, spec);
}

function read(reading: Reading, spec: Spec): ValueSet {
  const { ev } = reading;
  const { values } = ev;
  const handler = FORMS[spec.name];
  if (handler !== undefined) return handler(reading, spec);
  if (/^\$\d$/.test(spec.name)) return argument(reading, Number(spec.name.slice(1)));
  if (spec.name === '$b') return blockOf(reading);
  const own = parameterOf(reading, spec.name);
  if (own !== undefined) return own;
  const sets = spec.args.map(arg => read(reading, arg));
  while (sets.length > 0 && sets[sets.length - 1] === NOTHING && spec.name === 'Iterator') sets.pop();
  return values.single(values.builtin(ev.nameOf(typeName(reading, spec.name)), ev.values.boundedArgs(sets)));
}

/** Name of a type that a spec names, with the family of the table it stands in. */
function typeName(reading: Reading, name: string): string {
  const { ev, receiver, family } = reading;
  if (family !== undefined) return `${family}.${name}`;
  const { values } = ev;
  const kind = values.kindOf(receiver);
  const own = kind === VALUE.builtin || kind === VALUE.builtinClass ? ev.project.names.text(values.name(receiver)) : '';
  return own === '' ? name : `${own.slice(0, own.indexOf('.'))}.${name}`;
}

const FORMS: Readonly<Record<string, (reading: Reading, spec: Spec) => ValueSet>> = {
  '|': (reading, spec) => spec.args.reduce((set, part) => reading.ev.values.union(set, read(reading, part)), NOTHING),
  this: reading => reading.ev.values.single(reading.receiver),
  unknown: () => SET_UNKNOWN,
  external: () => SET_EXTERNAL,
  identity: () => SET_UNKNOWN,
  ret: (reading, spec) => {
    const { ev } = reading;
    let answer = NOTHING;
    for (const value of ev.values.members(inner(reading, spec))) answer = ev.values.union(answer, returnOf(ev, value));
    return answer;
  },
  elem: (reading, spec) => elementsOf(reading.ev, inner(reading, spec)),
  await: (reading, spec) => awaited(reading.ev, inner(reading, spec)),
  new: (reading, spec) => remade(reading, spec, VALUE.class, VALUE.instance),
  class: (reading, spec) => remade(reading, spec, VALUE.instance, VALUE.class),
  props: (reading, spec) => propertyValues(reading.ev, inner(reading, spec)),
};

function inner(reading: Reading, spec: Spec): ValueSet {
  const part = spec.args[0];
  return part === undefined ? SET_UNKNOWN : read(reading, part);
}

function remade(reading: Reading, spec: Spec, from: number, to: number): ValueSet {
  const { values } = reading.ev;
  let answer = NOTHING;
  for (const value of values.members(inner(reading, spec))) {
    answer = values.union(answer, values.kindOf(value) === from ? values.single(values.ofKind(value, to, values.mark(value))) : SET_UNKNOWN);
  }
  return answer;
}

/** The block that a call is given beside its arguments (Ruby). */
function blockOf({ ev, args }: Reading): ValueSet {
  const row = args === undefined ? NONE : operandOf.block(args.file.facts.expressions, args.row);
  return row < 0 || args === undefined ? NOTHING : ev.valueOf(args.file, row);
}

/** Parameter types that a built-in member or outside function gives to the block of a call; `name` is '' for a function. */
export function blockParameters(ev: Evaluator, value: Value, name: string, args: Arguments): readonly ValueSet[] {
  const family = args.file.family;
  const member =
    name === '' ? args.file.rules.functions.type('functions')?.members.get(ev.project.names.text(ev.values.name(value))) : memberSpec(ev, value, name);
  return (member?.callback ?? []).map(spec => read({ ev, receiver: value, args, family }, spec));
}

function argument(reading: Reading, index: number): ValueSet {
  const row = reading.args?.rows[index];
  return row === undefined || reading.args === undefined ? NOTHING : reading.ev.valueOf(reading.args.file, row);
}

/** Type argument of the receiver that `T`, `K` or `V` stands for. */
function parameterOf(reading: Reading, name: string): ValueSet | undefined {
  const { ev, receiver } = reading;
  const { values } = ev;
  const kind = values.kindOf(receiver);
  if (kind !== VALUE.builtin && kind !== VALUE.builtinClass) return undefined;
  const at = builtinTypeOf(ev, receiver)?.parameters.indexOf(name) ?? -1;
  if (at < 0) return undefined;
  const args = values.args(receiver);
  if (isPositional(ev, receiver)) return args.reduce((left, right) => values.union(left, right), NOTHING);
  return args[at] ?? SET_UNKNOWN;
}

/** Values of all properties of object literals. */
export function propertyValues(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const kind = values.kindOf(value);
    const file: FileState | undefined = kind === VALUE.object ? ev.project.file(values.file(value)) : undefined;
    if (file !== undefined) {
      forList(file.facts, values.row(value), (item, index) => {
        if (index % 2 === 1) answer = values.union(answer, ev.valueOf(file, item === NONE ? NONE : item));
      });
    } else if (kind === VALUE.builtin && builtinTypeOf(ev, value)?.other !== undefined) answer = values.union(answer, ev.builtinForm(value, 'other'));
    else answer = values.union(answer, kind === VALUE.external ? values.single(value) : SET_UNKNOWN);
  }
  return answer;
}
