import { BINDING_KINDS, type BindingRow, type ExpressionRow, type FunctionRow, NONE, type SymbolRow } from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import { NOTHING, SELF, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../../values';
import { parameterFromCalls } from '../callFlow';
import { parameterFromContext } from '../context';
import { AS_TYPE, AS_VALUE, type Evaluator, type Mode } from '../evaluator';
import { instancesOf } from '../generics';
import { awaited } from '../imports';
import { declarationsOf } from '../operands';

const kinds = symbolKindCode;
const binding = Object.fromEntries(BINDING_KINDS.map((kind, code) => [kind, code])) as Record<(typeof BINDING_KINDS)[number], number>;

export function bindingRows(ev: Evaluator, file: FileState, first: BindingRow, mode: Mode): ValueSet {
  let answer = NOTHING;
  let declared = NOTHING;
  const { bindings } = file.facts;
  const isHinted = file.rules.hintedTypes === true;
  const initial = mode === AS_VALUE && !isHinted && file.rules.dynamic !== true ? initialType(ev, file, first) : NOTHING;
  if (initial !== NOTHING) return initial;
  for (let row = first; row !== NONE; row = file.nextBinding(row)) {
    const type = bindings.type[row] ?? NONE;
    const kind = bindings.kind[row] ?? 0;
    if (type !== NONE && kind === binding.variable && mode === AS_VALUE && !isHinted)
      declared = ev.values.union(declared, surer(ev, file, ev.typeOf(file, type), bindings.value[row] ?? NONE));
    else if (bindings.symbol[row] !== NONE && kind === binding.variable) answer = ev.values.union(answer, ev.symbol(file, bindings.symbol[row] ?? NONE, mode));
    else answer = ev.values.union(answer, bindingRow(ev, file, row, kind, mode));
  }
  return declared === NOTHING ? answer : declared;
}

/** A variable that starts as an object keeps that type, whatever is assigned later; functions and unknowns do not decide. */
function initialType(ev: Evaluator, file: FileState, first: BindingRow): ValueSet {
  const { bindings } = file.facts;
  if (file.nextBinding(first) === NONE) return NOTHING;
  const symbol = bindings.symbol[first] ?? NONE;
  const value = bindings.value[first] ?? NONE;
  if (symbol === NONE ? bindings.kind[first] !== binding.variable : !isVariable(file, symbol)) return NOTHING;
  if ((value === NONE && symbol === NONE) || (bindings.type[first] ?? NONE) !== NONE) return NOTHING;
  const set = symbol === NONE ? ev.valueOf(file, value) : ev.symbol(file, symbol, AS_VALUE);
  const isObject =
    set !== NOTHING &&
    ev.values.members(set).every(member => {
      const kind = ev.values.kindOf(member);
      return kind === VALUE.instance || kind === VALUE.object || kind === VALUE.objectType;
    });
  return isObject ? set : NOTHING;
}

function isVariable(file: FileState, symbol: SymbolRow): boolean {
  const kind = file.facts.symbols.kind[symbol];
  return kind === kinds.variable || kind === kinds.constant;
}

function bindingRow(ev: Evaluator, file: FileState, row: BindingRow, kind: number, mode: Mode): ValueSet {
  const { bindings } = file.facts;
  const type = bindings.type[row] ?? NONE;
  const value = bindings.value[row] ?? NONE;
  switch (kind) {
    case binding.symbol: {
      const symbol = bindings.symbol[row] ?? NONE;
      const held = ev.symbol(file, symbol, mode);
      const isAssigned = mode === AS_VALUE && value !== NONE && value !== file.facts.symbols.value[symbol] && isVariable(file, symbol);
      return isAssigned && (file.facts.symbols.type[symbol] ?? NONE) === NONE ? ev.values.union(held, ev.valueOf(file, value)) : held;
    }
    case binding.import:
      return ev.imported(file, bindings.import[row] ?? NONE, mode);
    case binding.parameter:
      return mode === AS_TYPE ? instancesOf(ev, parameter(ev, file, row)) : parameter(ev, file, row);
    case binding.self:
      return selfOf(ev, file, row);
    case binding.typeParameter:
      return ev.values.single(ev.values.typeParameter(file.id, row));
    default: {
      if (mode === AS_TYPE) return value === NONE ? NOTHING : ev.typeOf(file, value);
      const held = value === NONE ? NOTHING : ev.valueOf(file, value);
      if (type === NONE) return held;
      return file.rules.hintedTypes === true && isPrecise(ev, held) ? held : ev.typeOf(file, type);
    }
  }
}

/** True for instances of project types: narrower than what is declared. */
function isPrecise(ev: Evaluator, set: ValueSet): boolean {
  const members = ev.values.members(set);
  return members.length > 0 && members.every(value => ev.values.kindOf(value) === VALUE.instance);
}

function parameter(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const { bindings } = file.facts;
  const type = bindings.type[row] ?? NONE;
  if (type !== NONE) {
    const declared = ev.typeOf(file, type);
    return isCallable(ev, declared) ? ev.values.union(declared, functionsOf(ev, parameterFromCalls(ev, file, row))) : declared;
  }
  const value = bindings.value[row] ?? NONE;
  const fallback = value === NONE ? NOTHING : ev.valueOf(file, value);
  const inherited = ev.hooks(file).parameter?.(ev, file, row) ?? NOTHING;
  if (inherited !== NOTHING) return inherited;
  const context = parameterFromContext(ev, file, row);
  const given = context === NOTHING ? parameterFromCalls(ev, file, row) : NOTHING;
  return context === NOTHING && fallback === NOTHING && given === NOTHING ? SET_UNKNOWN : ev.values.union(ev.values.union(context, fallback), given);
}

/** True for what is declared to be a function, and not which. */
function isCallable(ev: Evaluator, set: ValueSet): boolean {
  return ev.values.members(set).some(value => ev.values.kindOf(value) === VALUE.functionType);
}

/** Values that have members which the project declares. */
const OF_PROJECT: ReadonlySet<number> = new Set([VALUE.instance, VALUE.class, VALUE.object, VALUE.module, VALUE.namespace]);

/** The functions of a set, with the doubt about them; NOTHING when there are none. */
function functionsOf(ev: Evaluator, set: ValueSet): ValueSet {
  return only(ev, set, FUNCTIONS);
}

function only({ values }: Evaluator, set: ValueSet, kinds: ReadonlySet<number>): ValueSet {
  const kept = values.members(set).filter(value => values.kindOf(value) === VALUE.weak || kinds.has(values.kindOf(value)));
  return kept.some(value => values.kindOf(value) !== VALUE.weak) ? values.setOf(kept) : NOTHING;
}

const FUNCTIONS: ReadonlySet<number> = new Set([VALUE.function, VALUE.lambda]);
/** What a variable can hold whose type leaves open which. */
const TELLING: ReadonlySet<number> = new Set([...FUNCTIONS, VALUE.class, VALUE.instance]);

/** Value of the receiver parameter of a method. */
function selfOf(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const { bindings, functions, symbols } = file.facts;
  const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
  const owner = symbol === NONE ? (bindings.symbol[row] ?? NONE) : (symbols.parent[symbol] ?? NONE);
  if (owner === NONE) return NOTHING;
  const node = ev.canonical(file, owner);
  const isClass = symbol !== NONE && ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.classMethod) !== 0;
  return ev.values.single(isClass ? ev.values.classOf(node, SELF) : ev.values.instance(node, SELF));
}

export function symbolType(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { symbols } = file.facts;
  const kind = symbols.kind[row] ?? 0;
  const node = ev.canonical(file, row);
  switch (kind) {
    case kinds.class:
    case kinds.interface:
    case kinds.enum:
    case kinds.struct:
    case kinds.trait:
      return ev.values.single(ev.values.instance(node));
    case kinds.enum_member:
      return ev.values.single(ev.values.instance(enumOf(ev, file, row)));
    case kinds.type:
      return isDefinedType(file, row) ? ev.values.single(ev.values.instance(node)) : ev.typeOf(file, symbols.type[row] ?? NONE);
    case kinds.namespace:
    case kinds.module:
      return file.rules.merging === 'types' && declarationsOf(file, row).length > 1 ? NOTHING : ev.values.single(ev.values.namespace(node));
    case kinds.function:
      return ev.hooks(file).isTypeOfItself?.(file, row) === true ? ev.values.single(ev.values.instance(node)) : NOTHING;
    default: {
      const value = symbols.value[row] ?? NONE;
      return value === NONE ? NOTHING : ev.typeOf(file, value);
    }
  }
}

export function symbolValue(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { symbols } = file.facts;
  const kind = symbols.kind[row] ?? 0;
  const node = ev.canonical(file, row);
  const { values } = ev;
  switch (kind) {
    case kinds.interface:
      return file.rules.erasesTypes === true ? NOTHING : values.single(values.classOf(node));
    case kinds.class:
    case kinds.enum:
    case kinds.struct:
    case kinds.trait:
      return values.single(values.classOf(node));
    case kinds.namespace:
    case kinds.module:
      return values.single(values.namespace(node));
    case kinds.type:
      if (isDefinedType(file, row)) return values.single(values.classOf(node));
      return file.rules.erasesTypes === true ? NOTHING : aliasedClass(ev, file, row);
    case kinds.enum_member:
      return values.single(values.instance(enumOf(ev, file, row)));
    default: {
      const functionRow = symbols.function[row] ?? NONE;
      const modifiers = symbols.modifiers[row] ?? 0;
      if (functionRow !== NONE && (modifiers & (MODIFIERS.getter | MODIFIERS.property)) !== 0) return ev.returned(file, functionRow);
      if (functionRow !== NONE || kind === kinds.function || kind === kinds.method || kind === kinds.constructor) {
        if ((modifiers & MODIFIERS.setter) !== 0) return NOTHING;
        return values.single(values.functionOf(node));
      }
      return held(ev, file, row);
    }
  }
}

/** A `type` with a class scope is a type of its own, made of another one; one without is another name for it. */
function isDefinedType(file: FileState, row: SymbolRow): boolean {
  const scope = file.facts.symbols.scope[row] ?? NONE;
  return scope !== NONE && file.rules.erasesTypes !== true && file.isClassScope(scope);
}

/** A type alias as a value: the class it names. */
function aliasedClass(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(ev.typeOf(file, file.facts.symbols.type[row] ?? NONE))) {
    const kind = values.kindOf(value);
    if (kind === VALUE.instance) answer = values.union(answer, values.single(values.classOf(values.node(value), 0, values.argsId(value))));
    else if (kind === VALUE.builtin) answer = values.union(answer, values.single(values.builtinClass(values.name(value), values.argsId(value))));
    else answer = values.union(answer, values.single(value));
  }
  return answer;
}

function enumOf(ev: Evaluator, file: FileState, row: SymbolRow): NodeHandle {
  const parent = file.facts.symbols.parent[row] ?? NONE;
  return ev.canonical(file, parent === NONE ? row : parent);
}

/** A declared type; where it stands in a comment and is not of the project, what is held if that is. */
function surer(ev: Evaluator, file: FileState, declared: ValueSet, value: ExpressionRow): ValueSet {
  if (value === NONE || ev.hooks(file).hasTypesInComments?.(file) !== true || isOfProject(ev, declared)) return declared;
  const given = ev.valueOf(file, value);
  return isOfProject(ev, given) ? given : declared;
}

/** What a variable, field or property holds. */
function held(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { symbols, assignments } = file.facts;
  const { values } = ev;
  const type = symbols.type[row] ?? NONE;
  if (type !== NONE && file.rules.hintedTypes !== true) {
    const declared = surer(ev, file, ev.typeOf(file, type), symbols.value[row] ?? NONE);
    return ev.hooks(file).held?.(ev, { file, row }, declared) ?? declared;
  }
  const value = symbols.value[row] ?? NONE;
  let answer = value === NONE ? NOTHING : ev.valueOf(file, value);
  let declared = type === NONE ? NOTHING : ev.typeOf(file, type);
  for (const assignment of file.assignmentsTo(row)) {
    const assignedType = assignments.type[assignment] ?? NONE;
    if (assignedType !== NONE) declared = values.union(declared, ev.typeOf(file, assignedType));
    const assigned = assignments.value[assignment] ?? NONE;
    if (assigned !== value) answer = values.union(answer, ev.valueOf(file, assigned));
  }
  if (declared === NOTHING) return answer;
  // A type that leaves open which (`type`, `object`, `Callable`): what is assigned tells more.
  return values.members(declared).every(value => leavesOpen(ev, file, value)) ? values.union(declared, only(ev, answer, TELLING)) : declared;
}

function leavesOpen({ project, values }: Evaluator, { family, rules }: FileState, value: Value): boolean {
  const kind = values.kindOf(value);
  if (kind === VALUE.builtin) return rules.vagueTypes?.some(name => project.names.text(values.name(value)) === `${family}.${name}`) === true;
  return kind === VALUE.functionType || kind === VALUE.typeParameter || kind === VALUE.unknown;
}

export function returnedBy(ev: Evaluator, file: FileState, row: FunctionRow): ValueSet {
  const { functions } = file.facts;
  const { values } = ev;
  const modifiers = functions.modifiers[row] ?? 0;
  const isAsync = (modifiers & MODIFIERS.async) !== 0;
  const isGenerator = (modifiers & MODIFIERS.generator) !== 0;
  const { family, rules } = file;
  const declared = functions.returnType[row] ?? NONE;
  if (declared !== NONE) {
    const type = ev.typeOf(file, declared);
    const isPlain = !isAsync && !isGenerator;
    const isInComment = isPlain && ev.hooks(file).hasTypesInComments?.(file) === true;
    // That it is some function says less than which one.
    if ((isInComment || (isPlain && rules.hintedTypes === true)) && isCallable(ev, type))
      return values.union(type, functionsOf(ev, returnedValues(ev, file, row)));
    if (isInComment && !isOfProject(ev, type)) {
      const given = returnedValues(ev, file, row);
      return isOfProject(ev, given) ? given : type;
    }
    return rules.asyncDeclared === true && isAsync && !isGenerator ? ev.builtin(`${family}.${rules.asyncType ?? ''}`, [type]) : type;
  }
  const answer = returnedValues(ev, file, row);
  if (isGenerator) return ev.builtin(`${family}.${(isAsync ? rules.asyncIteratorType : undefined) ?? 'Iterator'}`, [answer]);
  return isAsync && rules.asyncType !== undefined ? ev.builtin(`${family}.${rules.asyncType}`, [awaited(ev, answer)]) : answer;
}

function isOfProject({ values }: Evaluator, set: ValueSet): boolean {
  return values.members(set).some(value => OF_PROJECT.has(values.kindOf(value)));
}

/** What the `return` statements of a function give. */
function returnedValues(ev: Evaluator, file: FileState, row: FunctionRow): ValueSet {
  const { functions, lists } = file.facts;
  const start = functions.returnStart[row] ?? 0;
  let answer = NOTHING;
  for (let i = 0; i < (functions.returnCount[row] ?? 0); i++) answer = ev.values.union(answer, ev.valueOf(file, lists[start + i] ?? NONE));
  return answer;
}
