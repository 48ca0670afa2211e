import { operandOf } from '../../../model/expressions';
import { NONE, type SymbolRow } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import { NO_VALUE, NOTHING, SELF, SET_UNKNOWN, type TypeArguments, VALUE, type Value, type ValueSet } from '../values';
import { AS_VALUE, type Evaluator } from './evaluator';
import { builtinTypeOf, functionRowOf } from './operands';

/** Type parameter value → set that stands for it. */
export type Substitution = ReadonlyMap<Value, ValueSet>;

/** Puts type arguments in the place of type parameters, also inside type arguments. */
export function substitute(ev: Evaluator, set: ValueSet, substitution: Substitution): ValueSet {
  return substitution.size === 0 ? set : substituted(ev, set, substitution, new Map());
}

/** `done`: what was substituted already. Types hold each other many times over. */
function substituted(ev: Evaluator, set: ValueSet, substitution: Substitution, done: Map<ValueSet, ValueSet>): ValueSet {
  const known = done.get(set);
  if (known !== undefined) return known;
  const { values } = ev;
  let changed = false;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const own = values.kindOf(value) === VALUE.typeParameter ? substitution.get(value) : undefined;
    if (own !== undefined) {
      answer = values.union(answer, own);
      changed = true;
      continue;
    }
    const next = substitutedIn(ev, value, substitution, done);
    if (next !== value) changed = true;
    answer = values.union(answer, values.single(next));
  }
  const result = changed ? answer : set;
  done.set(set, result);
  return result;
}

function substitutedIn(ev: Evaluator, value: Value, substitution: Substitution, done: Map<ValueSet, ValueSet>): Value {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (kind === VALUE.functionType || kind === VALUE.objectType) return withEnvironment(ev, value, substitution, done);
  if (values.argsId(value) === 0) return value;
  return values.withArgs(value, values.argsOf(values.args(value).map(arg => substituted(ev, arg, substitution, done))));
}

/** A type that is read later keeps what is known of its type parameters: its arguments alternate parameter and set. */
function withEnvironment(ev: Evaluator, value: Value, substitution: Substitution, done: Map<ValueSet, ValueSet>): Value {
  const { values } = ev;
  const known = new Map<Value, ValueSet>();
  for (const [parameter, set] of environmentOf(ev, value)) known.set(parameter, substituted(ev, set, substitution, done));
  const before = known.size;
  for (const [parameter, set] of substitution) if (!known.has(parameter)) known.set(parameter, set);
  // What was known stands in order.
  const entries = known.size === before ? known : [...known].sort((left, right) => left[0] - right[0]);
  const pairs: ValueSet[] = [];
  for (const [parameter, set] of entries) pairs.push(values.single(parameter), set);
  return values.withArgs(value, values.boundedArgs(pairs));
}

export function environmentOf(ev: Evaluator, value: Value): Substitution {
  const out = new Map<Value, ValueSet>();
  const pairs = ev.values.args(value);
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const parameter = ev.values.members(pairs[i] ?? NOTHING)[0];
    if (parameter !== undefined) out.set(parameter, pairs[i + 1] ?? SET_UNKNOWN);
  }
  return out;
}

/** True when a set still speaks of type parameters. */
export function isOpen(ev: Evaluator, set: ValueSet): boolean {
  for (const value of ev.values.members(set)) {
    const kind = ev.values.kindOf(value);
    if (kind === VALUE.typeParameter || kind === VALUE.functionType || kind === VALUE.objectType) return true;
    if (ev.values.argsId(value) !== 0 && ev.values.args(value).some(arg => isOpen(ev, arg))) return true;
  }
  return false;
}

/** What is known of the type parameters when a value of `actual` is given where `declared` is asked for. */
export function unify(ev: Evaluator, declared: ValueSet, actual: ValueSet, into: Map<Value, ValueSet>, depth = 0): void {
  if (depth > 4 || actual === NOTHING) return;
  const { values } = ev;
  for (const wanted of values.members(declared)) {
    const kind = values.kindOf(wanted);
    if (kind === VALUE.typeParameter) {
      const rest = values.members(actual).filter(value => !values.members(declared).includes(value) || values.members(declared).length === 1);
      into.set(wanted, values.union(into.get(wanted) ?? NOTHING, values.setOf(rest)));
      unifyBound(ev, wanted, actual, into, depth);
      continue;
    }
    if (kind === VALUE.functionType) {
      unifyFunction(ev, wanted, actual, into, depth);
      continue;
    }
    const parameters = values.args(wanted);
    if (parameters.length === 0) continue;
    if (unifyFunctional(ev, wanted, actual, into, depth)) continue;
    for (const given of values.members(actual)) unifyArgs(ev, wanted, given, into, depth);
  }
}

/** `F: Fn(A) -> T` given a function: T is what it returns. */
function unifyBound(ev: Evaluator, wanted: Value, actual: ValueSet, into: Map<Value, ValueSet>, depth: number): void {
  const { values } = ev;
  if (ev.project.file(values.file(wanted))?.rules.opaqueBounds === true || !values.members(actual).some(given => FUNCTION_KINDS.has(values.kindOf(given))))
    return;
  for (const bound of values.members(constraintOf(ev, wanted)))
    if (values.kindOf(bound) === VALUE.functionType) unifyFunction(ev, bound, actual, into, depth + 1);
}

function unifyArgs(ev: Evaluator, wanted: Value, given: Value, into: Map<Value, ValueSet>, depth: number): void {
  const { values } = ev;
  const sameKind = values.kindOf(wanted) === values.kindOf(given);
  if (sameKind && values.subject(wanted) === values.subject(given)) {
    values.args(wanted).forEach((set, index) => {
      unify(ev, set, values.args(given)[index] ?? NOTHING, into, depth + 1);
    });
    return;
  }
  if (values.kindOf(wanted) === VALUE.builtin && builtinTypeOf(ev, wanted)?.isOfClasses === true) {
    if (values.kindOf(given) === VALUE.class)
      unify(ev, values.args(wanted)[0] ?? NOTHING, values.single(values.instance(values.node(given), 0, values.argsId(given))), into, depth + 1);
    return;
  }
  if (values.kindOf(wanted) === VALUE.instance && values.kindOf(given) === VALUE.instance) {
    const link = ev.hierarchy(values.node(given)).find(candidate => candidate.node === values.node(wanted));
    if (link === undefined || link.args === 0) return;
    const own = values.argList(link.args);
    values.args(wanted).forEach((set, index) => {
      unify(ev, set, own[index] ?? NOTHING, into, depth + 1);
    });
    return;
  }
  if (values.kindOf(wanted) === VALUE.builtin && values.kindOf(given) === VALUE.builtin) {
    const element = values.args(given)[values.args(given).length - 1];
    const sets = values.args(wanted);
    if (element !== undefined && sets.length === 1) unify(ev, sets[0] ?? NOTHING, element, into, depth + 1);
  }
}

/** `() => T` given a function: T is what it returns. */
function unifyFunction(ev: Evaluator, wanted: Value, actual: ValueSet, into: Map<Value, ValueSet>, depth: number): void {
  const { values } = ev;
  const file = ev.project.file(values.file(wanted));
  if (file === undefined) return;
  const result = ev.typeOf(file, operandOf.result(file.facts.expressions, values.row(wanted)));
  if (!isOpen(ev, result)) return;
  for (const given of values.members(actual)) {
    const kind = values.kindOf(given);
    if (kind === VALUE.class) unify(ev, result, values.single(values.instance(values.node(given), 0, values.argsId(given))), into, depth + 1);
    else if (kind === VALUE.function || kind === VALUE.lambda) unify(ev, result, returnOf(ev, given), into, depth + 1);
  }
}

/** `Supplier<T>`, or an interface with one method, given a function: T is what it returns. */
function unifyFunctional(ev: Evaluator, wanted: Value, actual: ValueSet, into: Map<Value, ValueSet>, depth: number): boolean {
  const { values } = ev;
  const functions = values.members(actual).filter(given => FUNCTION_KINDS.has(values.kindOf(given)));
  if (functions.length === 0) return false;
  const kind = values.kindOf(wanted);
  let result = NOTHING;
  if (kind === VALUE.builtin) result = ev.builtinForm(wanted, 'result');
  else if (kind === VALUE.instance) {
    for (const method of values.members(callSignature(ev, wanted)))
      result = values.union(result, receiverSubstitution(ev, ownerNode(ev, method), wanted, returnOf(ev, method)));
  }
  if (result === NOTHING || !isOpen(ev, result)) return result !== NOTHING;
  for (const given of functions) unify(ev, result, returnOf(ev, given), into, depth + 1);
  return true;
}

const FUNCTION_KINDS: ReadonlySet<number> = new Set([VALUE.function, VALUE.lambda, VALUE.class]);

/** What a function value returns when called with unknown arguments. */
export function returnOf(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (kind === VALUE.lambda) {
    const file = ev.project.file(values.file(value));
    return file === undefined ? SET_UNKNOWN : ev.returned(file, values.row(value));
  }
  if (kind === VALUE.function) {
    const file = ev.project.ownerOf(values.node(value));
    if (file === undefined) return SET_UNKNOWN;
    const functionRow = functionRowOf(file, ev.project.rowOf(values.node(value)));
    return functionRow === NONE ? SET_UNKNOWN : ev.returned(file, functionRow);
  }
  if (kind === VALUE.functionType) {
    const file = ev.project.file(values.file(value));
    if (file === undefined) return SET_UNKNOWN;
    const result = ev.typeOf(file, values.isResultOnly(value) ? values.row(value) : operandOf.result(file.facts.expressions, values.row(value)));
    return substitute(ev, result, environmentOf(ev, value));
  }
  if (kind === VALUE.class || kind === VALUE.builtinClass) {
    const instance = kind === VALUE.class ? VALUE.instance : VALUE.builtin;
    return values.single(values.ofKind(value, instance));
  }
  return kind === VALUE.external ? values.single(value) : SET_UNKNOWN;
}

/** What a receiver says about the type parameters of the class that declares a method. */
export function receiverSubstitution(ev: Evaluator, owner: NodeHandle, receiver: Value, set: ValueSet): ValueSet {
  const { values } = ev;
  const kind = receiver < 0 ? -1 : values.kindOf(receiver);
  if (kind !== VALUE.instance && kind !== VALUE.class) return set;
  const link = ev.hierarchy(values.node(receiver)).find(candidate => candidate.node === owner);
  const inherited = link === undefined || link.args === 0 ? set : substitute(ev, set, classSubstitution(ev, link.node, link.args));
  return values.argsId(receiver) === 0 ? inherited : substitute(ev, inherited, classSubstitution(ev, values.node(receiver), values.argsId(receiver)));
}

/** Function types that an interface with call or construct signatures stands for. */
export function callSignature(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  if (values.kindOf(value) === VALUE.objectType) return ev.memberOf(values.single(value), ev.known.signature, 0);
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  if (file.rules.functionalInterfaces === true) return abstractMethod(ev, value);
  return ev.hooks(file).signature?.(ev, value) ?? functionsOnly(ev, ev.hooks(file).underlying?.(ev, value) ?? NOTHING);
}

/** The one abstract method of an interface, as seen on a value of it. */
function abstractMethod(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  let found: Value = NO_VALUE;
  for (const link of ev.hierarchy(values.node(value))) {
    const file = ev.project.ownerOf(link.node);
    if (file === undefined || file.facts.symbols.kind[ev.project.rowOf(link.node)] !== symbolKindCode.interface) return NOTHING;
    const { symbols } = file.facts;
    for (const member of file.childrenOf(ev.project.rowOf(link.node))) {
      if (symbols.kind[member] !== symbolKindCode.method || ((symbols.modifiers[member] ?? 0) & MODIFIERS.abstract) === 0) continue;
      if (found >= 0) return link.node === values.node(value) ? NOTHING : values.single(found);
      found = values.functionOf(file.symbolNodes[member] ?? NO_NODE, value);
    }
  }
  return found < 0 ? NOTHING : values.single(found);
}

function functionsOnly(ev: Evaluator, set: ValueSet): ValueSet {
  return ev.values.setOf(ev.values.members(set).filter(value => ev.values.kindOf(value) === VALUE.functionType));
}

export function classSubstitution(ev: Evaluator, node: NodeHandle, args: TypeArguments): Substitution {
  const out = new Map<Value, ValueSet>();
  if (args === 0) return out;
  const parameters = typeParametersOf(ev, node);
  const given = ev.values.argList(args);
  parameters.forEach((parameter, index) => {
    const set = given[index];
    if (set !== undefined) out.set(parameter, set);
  });
  return out;
}

/** Type parameter values of a class in order. */
export function typeParametersOf(ev: Evaluator, node: NodeHandle): readonly Value[] {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return [];
  const row = ev.project.rowOf(node);
  const scope = file.facts.symbols.scope[row] ?? NONE;
  const own = scope === NONE ? [] : file.typeParametersOf(scope);
  const given = own.length > 0 ? undefined : ev.hooks(file).typeParameters?.(ev, file, row);
  return given ?? own.map(binding => ev.values.typeParameter(file.id, binding));
}

/** Declared bound of a type parameter. */
export function constraintOf(ev: Evaluator, value: Value): ValueSet {
  const file = ev.project.file(ev.values.file(value));
  if (file === undefined) return NOTHING;
  const { bindings } = file.facts;
  const row = ev.values.row(value);
  const type = bindings.type[row] ?? NONE;
  return type === NONE ? NOTHING : ev.typeOf(file, type);
}

export function instancesOf(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const kind = values.kindOf(value);
    if (kind === VALUE.class) answer = values.union(answer, values.single(values.instance(values.node(value), values.mark(value), values.argsId(value))));
    else if (kind === VALUE.function) answer = values.union(answer, values.single(values.instance(values.node(value))));
    else if (kind === VALUE.typeParameter) answer = values.union(answer, instancesOf(ev, constraintOf(ev, value)));
    else if (kind === VALUE.functionType) answer = values.union(answer, returnOf(ev, value));
    else if (kind === VALUE.builtinClass) answer = values.union(answer, ev.builtin(ev.project.names.text(values.name(value))));
    else answer = values.union(answer, kind === VALUE.external || kind === VALUE.instance ? values.single(value) : SET_UNKNOWN);
  }
  return answer;
}

/** A field or getter that gives `this` gives the receiver. */
export function rebindSelf(ev: Evaluator, set: ValueSet, receiver: Value): ValueSet {
  const { values } = ev;
  const receiverKind = values.kindOf(receiver);
  if (receiverKind !== VALUE.instance && receiverKind !== VALUE.class) return set;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const kind = values.kindOf(value);
    if ((kind === VALUE.instance || kind === VALUE.class) && values.mark(value) === SELF) {
      const isRelated = values.node(value) === values.node(receiver) || ev.hierarchy(values.node(receiver)).some(link => link.node === values.node(value));
      const like = isRelated ? receiver : value;
      const mark = isRelated ? values.mark(receiver) : SELF;
      answer = values.union(answer, values.single(values.ofKind(like, kind, mark)));
    } else if (values.argsId(value) !== 0 && kind !== VALUE.instance && kind !== VALUE.class) {
      const args = values.args(value).map(arg => rebindSelf(ev, arg, receiver));
      answer = values.union(answer, values.single(values.withArgs(value, values.argsOf(args))));
    } else answer = values.union(answer, values.single(value));
  }
  return answer;
}

/** What calling a method without arguments on a value gives; nothing when it has none. */
export function methodResult(ev: Evaluator, value: Value, method: string): ValueSet {
  const found = ev.memberOf(ev.values.single(value), ev.nameOf(method), AS_VALUE);
  let answer = NOTHING;
  for (const candidate of ev.values.members(found)) {
    if (ev.values.kindOf(candidate) === VALUE.function) answer = ev.values.union(answer, resultOn(ev, candidate, value));
  }
  return answer;
}

/** What calling a method, without a look at arguments, gives on a value. */
export function resultOn(ev: Evaluator, method: Value, value: Value): ValueSet {
  return rebindSelf(ev, receiverSubstitution(ev, ownerNode(ev, method), value, returnOf(ev, method)), value);
}

/** Class node that declares a function value, or -1. */
export function ownerNode(ev: Evaluator, value: Value): NodeHandle {
  const node = ev.values.node(value);
  const file = ev.project.ownerOf(node);
  return file === undefined ? NO_NODE : ownerOfSymbol(ev, file, ev.project.rowOf(node));
}

/** Node of the type that a member symbol belongs to, whether it stands in its body or not; -1 for none. */
export function ownerOfSymbol(ev: Evaluator, file: FileState, row: SymbolRow): NodeHandle {
  const { symbols } = file.facts;
  const receiver = symbols.receiver[row] ?? NONE;
  if (receiver !== NONE) {
    const instance = ev.values.members(ev.typeOf(file, receiver)).find(value => ev.values.kindOf(value) === VALUE.instance);
    return instance === undefined ? NO_NODE : ev.values.node(instance);
  }
  const parent = symbols.parent[row] ?? NONE;
  return parent === NONE ? NO_NODE : ev.canonical(file, parent);
}

/** Type parameters of the declaration around a member outside its type (`impl<T> Box<T>`), as the receiver gives them. */
export function outsideSubstitution(ev: Evaluator, file: FileState, row: SymbolRow, receiver: Value): Substitution {
  const known = new Map<Value, ValueSet>();
  unify(ev, ev.typeOf(file, file.facts.symbols.receiver[row] ?? NONE), ev.values.single(receiver), known);
  return known;
}
