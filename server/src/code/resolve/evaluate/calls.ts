import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, type FunctionRow, NO_TEXT, NONE, operatorCode, type SymbolRow } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import { NO_ARGUMENTS, NOTHING, SELF, SET_UNKNOWN, SET_WEAK, type TypeArguments, UNKNOWN_VALUE, VALUE, type Value, type ValueSet } from '../values';
import { builtinResult } from './builtinCalls';
import { withPushed } from './containers';
import { type Arguments, AS_VALUE, type Evaluator } from './evaluator';
import {
  callSignature,
  constraintOf,
  isOpen,
  methodResult,
  outsideSubstitution,
  ownerNode,
  rebindSelf,
  receiverSubstitution,
  returnOf,
  substitute,
  unify,
} from './generics';
import { BESIDE_WHOLE } from './imports';
import { findMember } from './members';
import { argumentsOf, calleesOf, functionRowOf } from './operands';
import { selectedOverload } from './packages/overloads';
import { signaturesBeside } from './packages/signatures';

/** So many signatures of an overloaded function are looked at, the first ones. */
const MAX_SIGNATURES = 4;

/** Value of a call expression. */
export function called(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const callee = ev.valueOf(file, operandOf.callee(file.facts.expressions, row));
  return resultOf(ev, calleesOf(ev, file, callee), argumentsOf(file, row));
}

export function resultOf(ev: Evaluator, callee: ValueSet, args: Arguments): ValueSet {
  let answer = NOTHING;
  for (const value of ev.values.members(callee)) answer = ev.values.union(answer, resultOfValue(ev, value, args));
  return answer;
}

function resultOfValue(ev: Evaluator, value: Value, args: Arguments): ValueSet {
  const { values } = ev;
  switch (values.kindOf(value)) {
    case VALUE.function:
      return functionResult(ev, value, args);
    case VALUE.lambda: {
      const file = ev.project.file(values.file(value));
      return file === undefined ? SET_UNKNOWN : generic(ev, file, values.row(value), ev.returned(file, values.row(value)), args);
    }
    case VALUE.class:
      return instanceOf(ev, value, args);
    case VALUE.instance: {
      if (isVariant(ev, value)) return values.single(value);
      const signature = callSignature(ev, value);
      if (signature !== NOTHING) return resultOf(ev, signature, args);
      const name = ev.project.ownerOf(values.node(value))?.rules.callName;
      const result = name === undefined ? NOTHING : methodResult(ev, value, name);
      return result === NOTHING ? SET_UNKNOWN : result;
    }
    case VALUE.functionType:
      return returnOf(ev, value);
    case VALUE.typeParameter:
      return boundResult(ev, value, args);
    case VALUE.objectType:
      return resultOf(ev, callSignature(ev, value), args);
    case VALUE.builtin: {
      const result = ev.builtinForm(value, 'result');
      return result === NOTHING ? SET_UNKNOWN : result;
    }
    case VALUE.builtinClass:
    case VALUE.builtinMethod:
      return withPushed(ev, builtinCall(ev, value, args), args.file, args.row);
    case VALUE.external:
      return externalCall(ev, value, args);
    case VALUE.weak:
      return SET_WEAK;
    case VALUE.super:
      return args.file.rules.callsSuper === true ? values.single(value) : NOTHING;
    case VALUE.module:
      return values.mark(value) === BESIDE_WHOLE ? NOTHING : SET_UNKNOWN;
    default:
      return SET_UNKNOWN;
  }
}

function functionResult(ev: Evaluator, overloaded: Value, args: Arguments): ValueSet {
  const { values } = ev;
  const value = selectedOverload(ev, overloaded, args);
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return SET_UNKNOWN;
  const row = ev.project.rowOf(node);
  const receiver = values.receiver(value);
  const rows = overloadsOf(file, row);
  let answer = NOTHING;
  for (const candidate of rows) {
    const functionRow = functionRowOf(file, candidate);
    if (functionRow === NONE) answer = values.union(answer, accessed(ev, file, candidate));
    else for (const own of signaturesOf(file, functionRow, args)) answer = values.union(answer, generic(ev, file, own, ev.returned(file, own), args));
  }
  if (receiver >= 0 && (file.facts.symbols.receiver[row] ?? NONE) !== NONE) answer = substitute(ev, answer, outsideSubstitution(ev, file, row, receiver));
  return receiver >= 0 ? rebindSelf(ev, receiverSubstitution(ev, ownerNode(ev, value), receiver, answer), receiver) : answer;
}

/** What calling the accessor of a property gives: what it holds. */
function accessed(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  return file.facts.symbols.kind[row] === symbolKindCode.property ? ev.symbol(file, row, AS_VALUE) : SET_UNKNOWN;
}

/** Signatures beside an implementation say what a call gives; alone, the function does. */
function overloadsOf(file: FileState, row: SymbolRow): readonly SymbolRow[] {
  const { symbols, functions } = file.facts;
  const siblings = file.membersNamed(symbols.parent[row] ?? NONE, file.name(symbols.name[row] ?? NO_TEXT));
  if (siblings.length < 2 || file.rules.signatures !== true) return [row];
  const signatures = siblings.filter(sibling => {
    const functionRow = functionRowOf(file, sibling);
    return functionRow !== NONE && (functions.returnType[functionRow] ?? NONE) !== NONE && (functions.returnCount[functionRow] ?? 0) === 0;
  });
  return signatures.length > 0 && signatures.length <= 4 ? signatures : [row];
}

/** The signatures before an implementation say what a call gives, and so do all of a function without one; at most a few. */
function signaturesOf(file: FileState, functionRow: FunctionRow, args: Arguments): readonly FunctionRow[] {
  const signatures = file.rules.signatures === true ? signaturesBeside(file.facts, functionRow) : [];
  if (signatures.length === 0) return [functionRow];
  const fitting = signatures.filter(row => (file.facts.functions.parameterCount[row] ?? 0) >= args.rows.length);
  return (fitting.length === 0 ? signatures : fitting).slice(0, MAX_SIGNATURES);
}

/** Puts what the arguments say about type parameters into a result. */
function generic(ev: Evaluator, file: FileState, functionRow: FunctionRow, result: ValueSet, args: Arguments): ValueSet {
  if (!isOpen(ev, result)) return result;
  const known = new Map<Value, ValueSet>();
  const { functions, bindings, lists, symbols } = file.facts;
  explicitArguments(ev, file, functionRow, args, known);
  const start = functions.parameterStart[functionRow] ?? 0;
  const symbol = functions.symbol[functionRow] ?? NONE;
  const isMethod =
    file.rules.explicitSelf === true && symbol !== NONE && (symbols.parent[symbol] ?? NONE) !== NONE && file.isContainer(symbols.parent[symbol] ?? NONE);
  const shift = isMethod ? 1 : 0;
  for (let i = shift; i < (functions.parameterCount[functionRow] ?? 0); i++) {
    const parameter = lists[start + i] ?? NONE;
    const type = parameter === NONE ? NONE : (bindings.type[parameter] ?? NONE);
    const argument = args.rows[i - shift];
    if (type === NONE || argument === undefined) continue;
    unify(ev, ev.typeOf(file, type), ev.valueOf(args.file, argument), known);
  }
  return substitute(ev, result, known);
}

/** `f<X>()`. */
function explicitArguments(ev: Evaluator, file: FileState, functionRow: FunctionRow, args: Arguments, known: Map<Value, ValueSet>): void {
  const given = args.file.genericArguments(args.row);
  if (given.length === 0) return;
  const parameters = file.typeParametersOf(file.facts.functions.scope[functionRow] ?? NONE);
  given.forEach((row, index) => {
    const binding = parameters[index];
    if (binding !== undefined) known.set(ev.values.typeParameter(file.id, binding), ev.typeOf(args.file, row));
  });
}

/** Calling a class makes an instance; type arguments come from the constructor's arguments where they are plain. */
function instanceOf(ev: Evaluator, value: Value, args: Arguments): ValueSet {
  const { values } = ev;
  const made = values.instance(values.node(value), values.mark(value) & SELF, values.argsId(value));
  if (values.argsId(value) !== 0) return values.single(made);
  const given = args.file.genericArguments(args.row);
  if (given.length > 0) return values.single(values.instance(values.node(value), 0, ev.values.boundedArgs(given.map(row => ev.typeOf(args.file, row)))));
  const inferred = inferredArguments(ev, values.node(value), args);
  return values.single(inferred === 0 ? made : values.instance(values.node(value), 0, inferred));
}

function inferredArguments(ev: Evaluator, node: NodeHandle, args: Arguments): TypeArguments {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NO_ARGUMENTS;
  const scope = file.facts.symbols.scope[ev.project.rowOf(node)] ?? NONE;
  const parameters = scope === NONE ? [] : file.typeParametersOf(scope);
  if (parameters.length === 0) return NO_ARGUMENTS;
  const constructor = findMember(ev, node, ev.nameOf(file.rules.constructorName))[0];
  if (constructor === undefined) return NO_ARGUMENTS;
  const functionRow = functionRowOf(constructor.file, constructor.row);
  if (functionRow === NONE) return NO_ARGUMENTS;
  const known = new Map<Value, ValueSet>();
  const { functions, bindings, lists } = constructor.file.facts;
  const start = functions.parameterStart[functionRow] ?? 0;
  const shift = file.rules.explicitSelf === true ? 1 : 0;
  args.rows.forEach((row, index) => {
    const parameter = lists[start + index + shift] ?? NONE;
    const type = index + shift < (functions.parameterCount[functionRow] ?? 0) && parameter !== NONE ? (bindings.type[parameter] ?? NONE) : NONE;
    if (type !== NONE) unify(ev, ev.typeOf(constructor.file, type), ev.valueOf(args.file, row), known);
  });
  if (known.size === 0) return NO_ARGUMENTS;
  return ev.values.argsOf(parameters.map(binding => known.get(ev.values.typeParameter(file.id, binding)) ?? SET_UNKNOWN));
}

/** Calling what is known by its bound alone (`F: Fn(A) -> T`). */
function boundResult(ev: Evaluator, value: Value, args: Arguments): ValueSet {
  const bound = args.file.rules.opaqueBounds === true ? NOTHING : constraintOf(ev, value);
  return bound === NOTHING || ev.values.has(bound, value) ? SET_UNKNOWN : resultOf(ev, bound, args);
}

/** An instance that is called or filled in a language whose enums have variants that hold something. */
function isVariant(ev: Evaluator, value: Value): boolean {
  return ev.values.kindOf(value) === VALUE.instance && ev.project.ownerOf(ev.values.node(value))?.rules.variantsAreCalled === true;
}

/** What stands behind `new`: where a member hides the class of the same name, or the class around it (`new Create.Command()`), the class all the same. */
export function classesMade(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { values } = ev;
  const set = ev.valueOf(file, row);
  const operator = file.facts.expressions.operator[row];
  const isNamed = file.rules.separateMembers === true && (operator === operatorCode.name || (operator === operatorCode.member && file.rules.implicitReceiver));
  if (!isNamed || values.members(set).some(value => CLASSES.has(values.kindOf(value)))) return set;
  const classes = values
    .members(ev.typeOf(file, row))
    .filter(value => values.kindOf(value) === VALUE.class || values.kindOf(value) === VALUE.instance)
    .map(value => (values.kindOf(value) === VALUE.class ? value : values.classOf(values.node(value))));
  return classes.length === 0 ? set : values.setOf(classes);
}

const CLASSES: ReadonlySet<number> = new Set([VALUE.class, VALUE.builtinClass]);

/** The method `new` that a class or module has of its own; -1 for those that are made as all are. */
export function ownMaker(ev: Evaluator, value: Value): Value {
  const { values } = ev;
  const kind = values.kindOf(value);
  const maker = kind === VALUE.class || kind === VALUE.namespace ? ev.project.ownerOf(values.node(value))?.rules.makerName : undefined;
  if (maker === undefined) return UNKNOWN_VALUE;
  const isStatic = (file: FileState, row: SymbolRow): boolean => ((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.static) !== 0;
  const hit = findMember(ev, values.node(value), ev.nameOf(maker), 0, isStatic)[0];
  return hit === undefined ? UNKNOWN_VALUE : values.functionOf(hit.file.symbolNodes[hit.row] ?? NO_NODE, value);
}

/** Value of `new C(…)`. */
export function constructed(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet {
  const { values } = ev;
  const args = argumentsOf(file, row);
  let answer = NOTHING;
  for (const value of values.members(classesMade(ev, file, operandOf.callee(file.facts.expressions, row)))) {
    const maker = ownMaker(ev, value);
    if (maker !== UNKNOWN_VALUE) {
      answer = values.union(answer, madeBy(ev, maker, value, args));
      continue;
    }
    switch (values.kindOf(value)) {
      case VALUE.class:
        answer = values.union(answer, instanceOf(ev, value, args));
        break;
      case VALUE.function:
        answer = values.union(answer, values.single(values.instance(values.node(value))));
        break;
      case VALUE.builtinClass:
        answer = values.union(answer, newBuiltin(ev, value, args));
        break;
      case VALUE.functionType:
        answer = values.union(answer, returnOf(ev, value));
        break;
      case VALUE.instance:
      case VALUE.objectType:
        answer = values.union(answer, isVariant(ev, value) ? values.single(value) : resultOf(ev, callSignature(ev, value), args));
        break;
      case VALUE.external:
      case VALUE.weak:
        answer = values.union(answer, values.single(value));
        break;
      case VALUE.module:
        if (values.mark(value) !== BESIDE_WHOLE) answer = values.union(answer, SET_UNKNOWN);
        break;
      default:
        answer = values.union(answer, SET_UNKNOWN);
    }
  }
  return answer;
}

/** What a class or module of its own way of making gives; mostly an instance all the same. */
function madeBy(ev: Evaluator, maker: Value, value: Value, args: Arguments): ValueSet {
  const { values } = ev;
  const given = resultOf(ev, values.single(maker), args);
  const isKnown = values.members(given).some(one => values.kindOf(one) === VALUE.instance);
  return isKnown || values.kindOf(value) !== VALUE.class ? given : instanceOf(ev, value, args);
}

function newBuiltin(ev: Evaluator, value: Value, args: Arguments): ValueSet {
  const { values } = ev;
  const type = ev.project.names.text(values.name(value));
  const made = ev.hooks(args.file).made?.(ev, type, value, args);
  if (made !== undefined) return made;
  const written = args.file.genericArguments(args.row);
  return ev.builtin(type, written.length > 0 ? written.map(row => ev.typeOf(args.file, row)) : values.args(value));
}

function builtinCall(ev: Evaluator, value: Value, args: Arguments): ValueSet {
  const { values } = ev;
  if (values.kindOf(value) === VALUE.builtinMethod) {
    const text = ev.project.names.text(values.member(value));
    const receiver = values.receiver(value);
    if (values.callsReceiver(value))
      return text === 'bind' ? values.single(receiver) : resultOf(ev, values.single(receiver), { ...args, rows: args.rows.slice(1) });
    return builtinResult(ev, receiver, text, args.rows, args);
  }
  return builtinResult(ev, value, '', args.rows, args);
}

function externalCall(ev: Evaluator, value: Value, args: Arguments): ValueSet {
  return builtinResult(ev, value, '', args.rows, args);
}
