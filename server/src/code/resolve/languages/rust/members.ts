/** Members that values have without declaring them: what variants hold, what derived traits give, and what stands behind `Deref` and `Iterator`. */
import { NONE, OPERATORS } from '../../../../model/facts';
import { symbolKindCode } from '../../../../model/nodes';
import { AS_TYPE, AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { classSubstitution, constraintOf, methodResult, substitute } from '../../evaluate/generics';
import { findMember } from '../../evaluate/members';
import { entryValues, packageEntries } from '../../evaluate/packages/packages';
import type { NameNumber } from '../../numbers';
import { NOTHING, UNKNOWN_VALUE, VALUE, type Value, type ValueSet } from '../../values';
import { moduleOf } from './paths';
import { RUST_BUILTINS } from './rustBuiltins';

const SAME = 'rust.Same';
const ITERATOR = 'rust.Iterator';

/** See `LanguageHooks.member`. */
export function impliedMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  /** What an inline module hands on of other modules by wildcard. */
  if (kind === VALUE.namespace) return entryValues(ev, packageEntries(ev, moduleOf(ev, value), name), mode);
  if (mode === AS_TYPE || (kind !== VALUE.instance && kind !== VALUE.class)) return NOTHING;
  const text = ev.project.names.text(name);
  const dot = text.indexOf('.');
  if (dot > 0) return payload(ev, value, text.slice(0, dot), text.slice(dot + 1));
  if (kind === VALUE.class) return derived(ev, value, name, text);
  const behind = text === 'deref' ? NOTHING : methodResult(ev, value, 'deref');
  const throughDeref = behind === NOTHING || behind === values.single(value) ? NOTHING : ev.memberOf(behind, name, AS_VALUE);
  if (throughDeref !== NOTHING) return throughDeref;
  const ofSame = derived(ev, value, name, text);
  if (ofSame !== NOTHING) return ofSame;
  if (RUST_BUILTINS.type('Iterator')?.members.has(text) !== true) return NOTHING;
  const element = elementOf(ev, value);
  return element === NOTHING ? NOTHING : ev.memberOf(ev.builtin(ITERATOR, [element]), name, AS_VALUE);
}

/** `clone`, `default`, `cmp` and the like, derived or written by the standard library for every type. */
function derived(ev: Evaluator, value: Value, name: NameNumber, text: string): ValueSet {
  const { values } = ev;
  const same = RUST_BUILTINS.type('Same');
  const isClass = values.kindOf(value) === VALUE.class;
  if (same?.members.has(text) !== true && !(isClass && same?.statics.has(text) === true)) return NOTHING;
  const instance = isClass ? values.instance(values.node(value), 0, values.argsId(value)) : value;
  const held = values.members(ev.builtin(SAME, [values.single(instance)]))[0] ?? UNKNOWN_VALUE;
  const asked = isClass ? values.builtinClass(values.name(held), values.argsId(held)) : held;
  return ev.memberOf(values.single(asked), name, AS_VALUE);
}

/** What field `field` of a variant of the enum holds. */
function payload(ev: Evaluator, value: Value, variant: string, field: string): ValueSet {
  const node = ev.values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  const name = ev.nameOf(variant);
  ev.consultMember(file, ev.project.rowOf(node), name);
  const { symbols, expressions, lists } = file.facts;
  const member = file.membersNamed(ev.project.rowOf(node), name).find(row => symbols.kind[row] === symbolKindCode.enum_member);
  const type = member === undefined ? NONE : (symbols.type[member] ?? NONE);
  if (type === NONE) return NOTHING;
  let set = NOTHING;
  if (OPERATORS[expressions.operator[type] ?? 0] === 'arrayType') {
    const position = Number(field);
    if (position < (expressions.listCount[type] ?? 0)) set = ev.typeOf(file, lists[(expressions.listStart[type] ?? 0) + position] ?? NONE);
  } else set = ev.memberOf(ev.typeOf(file, type), ev.nameOf(field), AS_VALUE);
  return substitute(ev, set, classSubstitution(ev, node, ev.values.argsId(value)));
}

/** What `next` gives, of the value itself or of what `into_iter` makes of it. */
export function elementOf(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  const direct = insideOf(ev, methodResult(ev, value, 'next'));
  if (direct !== NOTHING) return direct;
  if (findMember(ev, values.node(value), ev.nameOf('into_iter')).length === 0) return NOTHING;
  let answer = NOTHING;
  for (const iterator of values.members(methodResult(ev, value, 'into_iter'))) {
    if (iterator === value) continue;
    const kind = values.kindOf(iterator);
    if (kind === VALUE.builtin) answer = values.union(answer, ev.builtinForm(iterator, 'element'));
    else if (kind === VALUE.instance) answer = values.union(answer, insideOf(ev, methodResult(ev, iterator, 'next')));
  }
  return answer;
}

function insideOf(ev: Evaluator, options: ValueSet): ValueSet {
  let answer = NOTHING;
  for (const option of ev.values.members(options))
    if (ev.values.kindOf(option) === VALUE.builtin) answer = ev.values.union(answer, ev.builtinForm(option, 'unwrap'));
  return answer;
}

/** See `LanguageHooks.accepts`: a trait is implemented for a type from outside by its name, or for every type. */
export function accepts(ev: Evaluator, wanted: Value, given: Value): boolean {
  const { values, project } = ev;
  const kind = values.kindOf(wanted);
  if (kind === VALUE.typeParameter) return boundsAreOutside(ev, wanted);
  if (kind !== values.kindOf(given)) return false;
  if (kind !== VALUE.external) return values.subject(wanted) === values.subject(given);
  return lastName(project.names.text(values.name(wanted))) === lastName(project.names.text(values.name(given)));
}

function lastName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf(':')) + 1);
}

/** What is bound by traits of the project is asked of types of the project. */
function boundsAreOutside(ev: Evaluator, parameter: Value): boolean {
  return ev.values.members(constraintOf(ev, parameter)).every(bound => ev.values.kindOf(bound) !== VALUE.instance);
}

/** `a[b]` on a type that implements `Index`. */
export function indexedBy(ev: Evaluator, value: Value): ValueSet {
  return methodResult(ev, value, 'index');
}
