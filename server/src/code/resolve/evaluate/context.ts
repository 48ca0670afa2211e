import { operandOf } from '../../../model/expressions';
import { type BindingRow, type ExpressionRow, type FunctionRow, NO_TEXT, NONE, OPERATORS, operatorCode, type StringIndex } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import type { FileState } from '../fileState';
import { NO_VALUE, NOTHING, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../values';
import { blockParameters, callbackParameter, functionalParameter, outsideCallback } from './builtinCalls';
import { elementsOf } from './containers';
import { type Arguments, AS_VALUE, type Evaluator } from './evaluator';
import { callSignature, constraintOf, environmentOf, outsideSubstitution, receiverSubstitution, returnOf, substitute, unify } from './generics';
import { argumentsOf, forList, functionRowOf, isContextuallyTyped, isPositional } from './operands';
import { selectedOverload } from './packages/overloads';

const MAX_UP = 6;
const NO_ENVIRONMENT: ReadonlyMap<Value, ValueSet> = new Map();

/** What a parameter without a type gets from where its function stands: a callback's place, a typed variable, property or return. */
export function parameterFromContext(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const { bindings } = file.facts;
  const functionRow = bindings.function[row] ?? NONE;
  const position = bindings.position[row] ?? NONE;
  if (functionRow === NONE || position === NONE) return NOTHING;
  const expression = file.expressionOfFunction(functionRow);
  if (expression === NONE) return NOTHING;
  const call = file.parentOf(expression);
  if (call !== NONE && isCall(file, call) && operandOf.callee(file.facts.expressions, call) === expression) {
    const argument = argumentsOf(file, call).rows[position];
    return argument === undefined ? NOTHING : ev.valueOf(file, argument);
  }
  if (call !== NONE && isCall(file, call) && operandOf.block(file.facts.expressions, call) === expression)
    return fromBlockCall(ev, file, call, functionRow, position);
  if (call !== NONE && isCall(file, call)) return fromCall(ev, file, call, expression, position);
  return parameterOfFunctions(ev, contextOf(ev, file, expression, 0), position);
}

/** Parameter of the block of a call: what a built-in member hands to it, or what the method called yields. */
function fromBlockCall(ev: Evaluator, file: FileState, call: ExpressionRow, functionRow: FunctionRow, position: number): ValueSet {
  const args = argumentsOf(file, call);
  const count = file.facts.functions.parameterCount[functionRow] ?? 0;
  const { values } = ev;
  let answer = NOTHING;
  for (const callee of values.members(ev.valueOf(file, operandOf.callee(file.facts.expressions, call)))) {
    const kind = values.kindOf(callee);
    let given: readonly ValueSet[] = [];
    if (kind === VALUE.builtinMethod) given = blockParameters(ev, values.receiver(callee), ev.project.names.text(values.member(callee)), args);
    else if (kind === VALUE.external) given = blockParameters(ev, callee, '', args);
    else if (kind === VALUE.function) given = yieldedBy(ev, callee);
    const [only] = given;
    const isSpread = given.length === 1 && only !== undefined && count > 1;
    answer = values.union(answer, (isSpread ? partOf(ev, only, position) : given[position]) ?? NOTHING);
  }
  return answer;
}

/** What a method of the project hands to its block: the type that its scope binds to `&`. */
function yieldedBy(ev: Evaluator, callee: Value): readonly ValueSet[] {
  const target = callableRow(ev, callee);
  if (target === undefined) return [];
  const { functions, bindings, expressions } = target.file.facts;
  const binding = target.file.firstBinding(functions.scope[target.row] ?? NONE, ev.nameOf('&'));
  const type = binding === NONE ? NONE : (bindings.type[binding] ?? NONE);
  if (type === NONE) return [];
  const receiver = ev.values.receiver(callee);
  const owner = parentNode(target.file, target.row);
  return Array.from({ length: expressions.listCount[type] ?? 0 }, (_, at) => {
    const given = typeListItem(ev, target.file, type, at);
    return receiver >= 0 ? receiverSubstitution(ev, owner, receiver, given) : given;
  });
}

/** One part of a tuple that a block takes apart. */
function partOf(ev: Evaluator, set: ValueSet, position: number): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const isTuple = values.kindOf(value) === VALUE.builtin && isPositional(ev, value);
    const whole = position === 0 ? values.single(value) : SET_UNKNOWN;
    answer = values.union(answer, isTuple ? (values.args(value)[position] ?? NOTHING) : whole);
  }
  return answer;
}

/** Parameter of the callback that a call asks for. */
function fromCall(ev: Evaluator, file: FileState, call: ExpressionRow, argument: ExpressionRow, position: number): ValueSet {
  const args = argumentsOf(file, call);
  const at = args.rows.indexOf(argument);
  if (at < 0) return NOTHING;
  const { values } = ev;
  let answer = NOTHING;
  for (const callee of values.members(ev.valueOf(file, operandOf.callee(file.facts.expressions, call)))) {
    const kind = values.kindOf(callee);
    if (kind === VALUE.builtinMethod) {
      answer = values.union(answer, callbackParameter(ev, values.receiver(callee), ev.project.names.text(values.member(callee)), at, position, args));
    } else if (kind === VALUE.external) {
      answer = values.union(answer, outsideCallback(ev, callee, at, position, args, file.rules));
    } else {
      const declared = declaredParameter(ev, callee, at, file, call);
      answer = values.union(answer, parameterOfFunctions(ev, declared, position));
    }
  }
  return answer;
}

/** What the place of a function asks for: function types and interfaces of one method. */
export function expectedFunctions(ev: Evaluator, file: FileState, functionRow: FunctionRow): ValueSet {
  const expression = file.expressionOfFunction(functionRow);
  if (expression === NONE) return NOTHING;
  const call = file.parentOf(expression);
  return call !== NONE && isCall(file, call) && operandOf.callee(file.facts.expressions, call) === expression ? NOTHING : contextOf(ev, file, expression, 0);
}

/** Declared type of parameter `at` of a callee, with what the call says about type parameters put in. */
function declaredParameter(ev: Evaluator, overloaded: Value, at: number, file: FileState, call: ExpressionRow): ValueSet {
  const { values } = ev;
  const kind = values.kindOf(overloaded);
  const callee = meantOf(ev, overloaded, argumentsOf(file, call));
  if (kind === VALUE.functionType) {
    const owner = ev.project.file(values.file(callee));
    return owner === undefined ? NOTHING : typeListItem(ev, owner, values.row(callee), at);
  }
  const target = callableRow(ev, callee);
  if (target === undefined) return NOTHING;
  const { functions, bindings, lists } = target.file.facts;
  const shift = target.skipsFirst ? 1 : 0;
  const last = (functions.parameterCount[target.row] ?? 0) - 1;
  const isTrailing = file.rules.trailingFunction === true && isTrailingFunction(file, call, at);
  const index = isTrailing ? last : Math.min(at + shift, last);
  const parameter = index < 0 ? NONE : (lists[(functions.parameterStart[target.row] ?? 0) + index] ?? NONE);
  const type = parameter === NONE ? NONE : (bindings.type[parameter] ?? NONE);
  if (type === NONE) return NOTHING;
  const asked = ev.typeOf(target.file, type);
  // A function where a list is asked for is one of the items of `params Action[] all`.
  let declared = index === last && isFunctionAt(file, call, at) ? values.union(asked, itemsOf(ev, asked)) : asked;
  const receiver = values.kindOf(callee) === VALUE.function ? values.receiver(callee) : NO_VALUE;
  if (receiver >= 0) declared = receiverSubstitution(ev, parentNode(target.file, target.row), receiver, declared);
  const symbol = functions.symbol[target.row] ?? NONE;
  if (receiver >= 0 && symbol !== NONE && (target.file.facts.symbols.receiver[symbol] ?? NONE) !== NONE)
    declared = substitute(ev, declared, outsideSubstitution(ev, target.file, symbol, receiver));
  const known = new Map<Value, ValueSet>();
  argumentsOf(file, call).rows.forEach((row, position) => {
    if (position === at || file.facts.expressions.operator[row] === operatorCode.function || isContextuallyTyped(file, row)) return;
    const other = lists[(functions.parameterStart[target.row] ?? 0) + position + shift] ?? NONE;
    const otherType = position + shift < (functions.parameterCount[target.row] ?? 0) && other !== NONE ? (bindings.type[other] ?? NONE) : NONE;
    if (otherType !== NONE) unify(ev, ev.typeOf(target.file, otherType), ev.valueOf(file, row), known);
  });
  const given = file.genericArguments(call);
  parametersNamed(ev, overloaded, target).forEach((binding, order) => {
    const row = given[order];
    if (row !== undefined) known.set(values.typeParameter(target.file.id, binding), ev.typeOf(file, row));
  });
  return substitute(ev, declared, known);
}

/** The overload that a call means; of a class with several constructors the one. */
function meantOf(ev: Evaluator, callee: Value, args: Arguments): Value {
  const { values } = ev;
  const kind = values.kindOf(callee);
  if (kind === VALUE.function) return selectedOverload(ev, callee, args);
  const owner = kind === VALUE.class ? ev.project.ownerOf(values.node(callee)) : undefined;
  if (owner?.rules.overloads !== true) return callee;
  const constructors = owner.membersNamed(ev.project.rowOf(values.node(callee)), ev.nameOf(owner.rules.constructorName));
  const first = owner.symbolNodes[constructors[0] ?? NONE];
  if (constructors.length < 2 || first === undefined) return callee;
  // Type arguments are those of the class.
  const chosen = selectedOverload(ev, values.functionOf(first, values.instance(values.node(callee))), { ...args, row: NONE });
  return values.functionOf(values.node(chosen));
}

/** Type parameters that a call spells: of what is made those of the class, else those of the function. */
function parametersNamed(ev: Evaluator, callee: Value, target: { readonly file: FileState; readonly row: FunctionRow }): readonly BindingRow[] {
  const { values } = ev;
  const isClass = values.kindOf(callee) === VALUE.class;
  const scope = isClass
    ? ev.project.ownerOf(values.node(callee))?.facts.symbols.scope[ev.project.rowOf(values.node(callee))]
    : target.file.facts.functions.scope[target.row];
  return target.file.typeParametersOf(scope ?? NONE);
}

/** Items of the built-in lists in a set. */
function itemsOf(ev: Evaluator, set: ValueSet): ValueSet {
  const lists = ev.values.members(set).filter(value => ev.values.kindOf(value) === VALUE.builtin);
  return lists.length === 0 ? NOTHING : elementsOf(ev, ev.values.setOf(lists));
}

/** A function written as the last argument. */
function isTrailingFunction(file: FileState, call: ExpressionRow, at: number): boolean {
  return at === argumentsOf(file, call).rows.length - 1 && isFunctionAt(file, call, at);
}

function isFunctionAt(file: FileState, call: ExpressionRow, at: number): boolean {
  return file.facts.expressions.operator[argumentsOf(file, call).rows[at] ?? NONE] === operatorCode.function;
}

/** Node of the class that declares a function. */
export function parentNode(file: FileState, functionRow: FunctionRow): NodeHandle {
  const symbol = file.facts.functions.symbol[functionRow] ?? NONE;
  const parent = symbol === NONE ? NONE : (file.facts.symbols.parent[symbol] ?? NONE);
  return parent === NONE ? NO_NODE : (file.symbolNodes[parent] ?? NO_NODE);
}

function callableRow(ev: Evaluator, callee: Value): { readonly file: FileState; readonly row: FunctionRow; readonly skipsFirst: boolean } | undefined {
  const { values } = ev;
  const kind = values.kindOf(callee);
  if (kind === VALUE.lambda) {
    const file = ev.project.file(values.file(callee));
    return file === undefined ? undefined : { file, row: values.row(callee), skipsFirst: false };
  }
  if (kind !== VALUE.function && kind !== VALUE.class) return undefined;
  const file = ev.project.ownerOf(values.node(callee));
  if (file === undefined) return undefined;
  const symbol = ev.project.rowOf(values.node(callee));
  if (kind === VALUE.class) {
    const name = ev.nameOf(file.rules.constructorName);
    const constructor = file.membersNamed(symbol, name)[0];
    const row = constructor === undefined ? NONE : functionRowOf(file, constructor);
    return row === NONE ? undefined : { file, row, skipsFirst: file.rules.explicitSelf === true };
  }
  const row = functionRowOf(file, symbol);
  return row === NONE ? undefined : { file, row, skipsFirst: file.rules.explicitSelf === true && values.receiver(callee) >= 0 };
}

/** Type of parameter `position` of function-typed alternatives. */
function parameterOfFunctions(ev: Evaluator, set: ValueSet, position: number): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) {
    const environment = values.kindOf(value) === VALUE.functionType ? environmentOf(ev, value) : NO_ENVIRONMENT;
    if (values.kindOf(value) === VALUE.functionType) {
      const file = ev.project.file(values.file(value));
      if (file !== undefined && !values.isResultOnly(value))
        answer = values.union(
          answer,
          substitute(ev, typeListItem(ev, file, values.row(value), position + receiverShift(file, values.row(value))), environment),
        );
    } else if (values.kindOf(value) === VALUE.instance || values.kindOf(value) === VALUE.objectType) {
      const signature = callSignature(ev, value);
      if (signature !== NOTHING) answer = values.union(answer, parameterOfFunctions(ev, signature, position));
    } else if (values.kindOf(value) === VALUE.builtin) answer = values.union(answer, functionalParameter(ev, value, position));
    else if (values.kindOf(value) === VALUE.function) answer = values.union(answer, substitute(ev, declaredOnly(ev, value, position), environment));
    else if (values.kindOf(value) === VALUE.typeParameter) {
      const bound = constraintOf(ev, value);
      if (!values.has(bound, value)) answer = values.union(answer, parameterOfFunctions(ev, bound, position));
    }
  }
  return answer;
}

/** A method signature used as the type of a function. */
function declaredOnly(ev: Evaluator, value: Value, position: number): ValueSet {
  const target = callableRow(ev, value);
  if (target === undefined) return NOTHING;
  const { functions, bindings, lists } = target.file.facts;
  if (position >= (functions.parameterCount[target.row] ?? 0)) return NOTHING;
  const parameter = lists[(functions.parameterStart[target.row] ?? 0) + position] ?? NONE;
  const type = parameter === NONE ? NONE : (bindings.type[parameter] ?? NONE);
  if (type === NONE) return NOTHING;
  return receiverSubstitution(ev, parentNode(target.file, target.row), ev.values.receiver(value), ev.typeOf(target.file, type));
}

/** A receiver stands first in the list of a function type. */
function receiverShift(file: FileState, type: ExpressionRow): number {
  return file.text(file.facts.expressions.text[type] ?? NO_TEXT) === 'receiver' ? 1 : 0;
}

function typeListItem(ev: Evaluator, file: FileState, row: ExpressionRow, index: number): ValueSet {
  const { expressions, lists } = file.facts;
  if (index >= (expressions.listCount[row] ?? 0)) return NOTHING;
  const item = lists[(expressions.listStart[row] ?? 0) + index] ?? NONE;
  return item === NONE ? NOTHING : ev.typeOf(file, item);
}

/** Type that the place of an expression asks for. */
export function contextOf(ev: Evaluator, file: FileState, row: ExpressionRow, depth: number): ValueSet {
  if (depth > MAX_UP) return NOTHING;
  const { assignments, expressions } = file.facts;
  const users = file.users();
  const declared = declaredFor(file, row);
  if (declared !== NONE) return ev.typeOf(file, declared);
  const assignment = users.assignment.get(row);
  if (assignment !== undefined) {
    const target = assignments.target[assignment] ?? NONE;
    if (target !== NONE && (assignments.name[assignment] ?? NO_TEXT) !== NO_TEXT)
      return ev.memberOf(ev.valueOf(file, target), file.name(assignments.name[assignment] ?? NO_TEXT), AS_VALUE);
  }
  const returning = users.returnedBy.get(row);
  if (returning !== undefined) return returnContext(ev, file, returning, depth);
  const parent = file.parentOf(row);
  if (parent === NONE) return NOTHING;
  switch (OPERATORS[expressions.operator[parent] ?? 0]) {
    case 'object':
      return propertyContext(ev, file, parent, row, depth);
    case 'array':
      return elementContext(ev, contextOf(ev, file, parent, depth + 1));
    case 'either':
    case 'spread':
      return contextOf(ev, file, parent, depth + 1);
    case 'call':
    case 'new':
      return operandOf.callee(file.facts.expressions, parent) === row ? NOTHING : argumentContext(ev, file, parent, row);
    default:
      return NOTHING;
  }
}

/** Type row that is written where an expression is the initial or assigned value, or `NONE`. */
function declaredFor(file: FileState, row: ExpressionRow): ExpressionRow {
  const { bindings, symbols, assignments } = file.facts;
  const users = file.users();
  const ofSymbol = symbols.type[users.symbol.get(row) ?? NONE] ?? NONE;
  if (ofSymbol !== NONE) return ofSymbol;
  const ofBinding = bindings.type[users.binding.get(row) ?? NONE] ?? NONE;
  return ofBinding !== NONE ? ofBinding : (assignments.type[users.assignment.get(row) ?? NONE] ?? NONE);
}

function returnContext(ev: Evaluator, file: FileState, functionRow: FunctionRow, depth: number): ValueSet {
  const declared = file.facts.functions.returnType[functionRow] ?? NONE;
  if (declared !== NONE) return awaitedContext(ev, file, ev.typeOf(file, declared));
  const own = file.expressionOfFunction(functionRow);
  return own === NONE ? NOTHING : functionResults(ev, contextOf(ev, file, own, depth + 1));
}

function argumentContext(ev: Evaluator, file: FileState, call: ExpressionRow, argument: ExpressionRow): ValueSet {
  const at = argumentsOf(file, call).rows.indexOf(argument);
  let answer = NOTHING;
  if (at < 0) return answer;
  for (const callee of ev.values.members(ev.valueOf(file, operandOf.callee(file.facts.expressions, call))))
    answer = ev.values.union(answer, declaredParameter(ev, callee, at, file, call));
  return answer;
}

function propertyContext(ev: Evaluator, file: FileState, object: ExpressionRow, row: ExpressionRow, depth: number): ValueSet {
  const outer = contextOf(ev, file, object, depth + 1);
  if (outer === NOTHING) return NOTHING;
  const { lists } = file.facts;
  let key: StringIndex = NO_TEXT;
  forList(file.facts, object, (item, index) => {
    if (index % 2 === 1 && item === row) key = lists[(file.facts.expressions.listStart[object] ?? 0) + index - 1] ?? NO_TEXT;
  });
  return key === NO_TEXT ? NOTHING : ev.memberOf(outer, file.name(key), AS_VALUE);
}

function elementContext(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(set)) if (values.kindOf(value) === VALUE.builtin) answer = values.union(answer, values.args(value)[0] ?? NOTHING);
  return answer;
}

function functionResults(ev: Evaluator, set: ValueSet): ValueSet {
  let answer = NOTHING;
  for (const value of ev.values.members(set)) {
    const kind = ev.values.kindOf(value);
    if (kind === VALUE.functionType || kind === VALUE.function) answer = ev.values.union(answer, returnOf(ev, value));
    else if (kind === VALUE.instance || kind === VALUE.objectType) answer = ev.values.union(answer, functionResults(ev, callSignature(ev, value)));
  }
  return answer;
}

function awaitedContext(ev: Evaluator, file: FileState, type: ValueSet): ValueSet {
  const { values } = ev;
  const { asyncType } = file.rules;
  if (asyncType === undefined) return type;
  const wrapper = ev.nameOf(`${file.family}.${asyncType}`);
  let answer = NOTHING;
  for (const value of values.members(type)) {
    const isWrapped = values.kindOf(value) === VALUE.builtin && values.name(value) === wrapper;
    answer = values.union(answer, isWrapped ? (values.args(value)[0] ?? NOTHING) : values.single(value));
  }
  return answer;
}

function isCall(file: FileState, row: ExpressionRow): boolean {
  const operator = file.facts.expressions.operator[row];
  return operator === operatorCode.call || operator === operatorCode.new;
}
