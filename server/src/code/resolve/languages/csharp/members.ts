/** Members that types of the project have without declaring them: from the base library, from extension methods, by being nullable. */
import { NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../../model/ids';
import { symbolKindCode } from '../../../../model/nodes';
import { elementsOf } from '../../evaluate/containers';
import { AS_VALUE, type Evaluator, type MemberHit, type Mode } from '../../evaluate/evaluator';
import { constraintOf, methodResult } from '../../evaluate/generics';
import { builtinBases } from '../../evaluate/hierarchy';
import { memberValues } from '../../evaluate/members';
import type { NameNumber } from '../../numbers';
import { NO_ARGUMENTS, NOTHING, VALUE, type Value, type ValueSet } from '../../values';
import { csharpBuiltins, SEQUENCES } from './builtins';

const PREFIX = 'csharp.';

/** Members beside those declared; see `LanguageHooks.member`. */
export function inheritedMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (mode !== AS_VALUE || kind !== VALUE.instance) return NOTHING;
  const text = ev.project.names.text(name);
  const extension = extensionMember(ev, value, name);
  if (extension !== NOTHING) return extension;
  for (const base of [...builtinBases(ev, value), ...values.members(ev.builtin(`${PREFIX}object`))]) {
    const type = ev.project.names.text(values.name(base)).slice(PREFIX.length);
    if (csharpBuiltins.type(type)?.members.has(text) === true) return ev.memberOf(values.single(base), name, AS_VALUE);
  }
  return isValueType(ev, value) ? nullableMember(ev, value, text) : NOTHING;
}

function isValueType(ev: Evaluator, value: Value): boolean {
  const file = ev.project.ownerOf(ev.values.node(value));
  const kind = file?.facts.symbols.kind[ev.project.rowOf(ev.values.node(value))];
  return kind === symbolKindCode.struct || kind === symbolKindCode.enum;
}

/** `x.Value` of a nullable struct is the struct. */
function nullableMember(ev: Evaluator, value: Value, text: string): ValueSet {
  if (text === 'Value') return ev.values.single(value);
  return text === 'HasValue' ? ev.builtin(`${PREFIX}bool`) : NOTHING;
}

/** Extension methods for what a type is beside itself: type parameters, sequences, anything. */
export function extensionMember(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const hits: MemberHit[] = [];
  for (const { file, row } of ev.packages.outside(name)) {
    if (file.family !== 'csharp') continue;
    const receiver = file.facts.symbols.receiver[row] ?? NONE;
    if (ev.values.members(ev.typeOf(file, receiver)).some(wanted => accepts(ev, wanted, value))) hits.push({ file, row, owner: NO_NODE, args: NO_ARGUMENTS });
  }
  return hits.length === 0 ? NOTHING : memberValues(ev, hits, value);
}

/** Whether a value may stand before the dot of an extension method for `wanted`. */
export function accepts(ev: Evaluator, wanted: Value, given: Value): boolean {
  const { values } = ev;
  if (wanted === given) return true;
  if (values.kindOf(wanted) === VALUE.typeParameter) {
    const bound = constraintOf(ev, wanted);
    return bound === NOTHING || values.members(bound).some(each => accepts(ev, each, given));
  }
  if (values.kindOf(wanted) === VALUE.builtin) {
    const type = ev.project.names.text(values.name(wanted));
    if (type === `${PREFIX}object`) return true;
    if (values.kindOf(given) === VALUE.builtin) return isAssignable(ev.project.names.text(values.name(given)), type);
    if (values.kindOf(given) !== VALUE.instance) return false;
    return builtinBases(ev, given).some(base => isAssignable(ev.project.names.text(values.name(base)), type));
  }
  if (values.kindOf(wanted) === VALUE.external) return values.kindOf(given) === VALUE.external && isNamedAlike(ev, wanted, given);
  return (
    values.kindOf(wanted) === VALUE.instance &&
    values.kindOf(given) === VALUE.instance &&
    ev.hierarchy(values.node(given)).some(link => link.node === values.node(wanted))
  );
}

/** `IFoo` may be a `Foo`. */
function isNamedAlike(ev: Evaluator, wanted: Value, given: Value): boolean {
  const name = ev.project.names.text(ev.values.name(given));
  const asked = ev.project.names.text(ev.values.name(wanted));
  return name === asked || `I${name}` === asked;
}

/** Whether a built-in type may be given where another is asked for. */
export function isAssignable(given: string, wanted: string): boolean {
  if (given === wanted) return true;
  return wanted === `${PREFIX}IEnumerable` && given.startsWith(PREFIX) && SEQUENCES.has(given.slice(PREFIX.length));
}

/** What `foreach` over an instance gives: `GetEnumerator().Current`, or what a base of the library holds. */
export function elementOfType(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  for (const base of builtinBases(ev, value)) {
    const element = elementsOf(ev, values.single(base));
    if (values.members(element).some(each => values.kindOf(each) !== VALUE.external)) return element;
  }
  const enumerator = methodResult(ev, value, 'GetEnumerator');
  return enumerator === NOTHING ? NOTHING : ev.memberOf(enumerator, ev.nameOf('Current'), AS_VALUE);
}

/** What `x[i]` on an instance gives: its indexer, or that of a base of the library. */
export function indexedOfType(ev: Evaluator, value: Value): ValueSet {
  const own = ev.memberOf(ev.values.single(value), ev.nameOf('this[]'), AS_VALUE);
  if (own !== NOTHING && ev.values.members(own).some(each => ev.values.kindOf(each) !== VALUE.external)) return own;
  for (const base of builtinBases(ev, value)) {
    const indexed = ev.builtinForm(base, 'index');
    if (indexed !== NOTHING) return indexed;
  }
  return own;
}
