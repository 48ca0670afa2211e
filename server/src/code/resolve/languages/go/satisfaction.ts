import { type FunctionRow, MODULE_SCOPE, NO_TEXT, NONE } from '../../../../model/facts';
import type { DeclaredSymbol, Evaluator } from '../../evaluate/evaluator';
import { functionRowOf } from '../../evaluate/operands';
import { NOTHING, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../../values';

const MAX_DEPTH = 4;

/** True when a method is what an interface asks for: visible to it, with the same parameters and results as far as types are known. */
export function satisfies(ev: Evaluator, own: DeclaredSymbol, wanted: DeclaredSymbol): boolean {
  const name = wanted.file.text(wanted.file.facts.symbols.name[wanted.row] ?? NO_TEXT);
  const isExported = /^\p{Lu}/u.test(name);
  if (!isExported && ev.packages.packageOf(own.file, MODULE_SCOPE) !== ev.packages.packageOf(wanted.file, MODULE_SCOPE)) return false;
  for (const { file, row } of [own, wanted]) ev.dependencies.consult(ev.unitOfSymbol(file, row));
  const left = functionRowOf(own.file, own.row);
  const right = functionRowOf(wanted.file, wanted.row);
  if (left === NONE || right === NONE) return false;
  const count = own.file.facts.functions.parameterCount[left] ?? 0;
  if (count !== (wanted.file.facts.functions.parameterCount[right] ?? 0)) return false;
  for (let index = 0; index < count; index++) {
    if (!areAlike(ev, parameterType(ev, own, left, index), parameterType(ev, wanted, right, index), 0)) return false;
  }
  return areAlike(ev, resultOf(ev, own, left), resultOf(ev, wanted, right), 0);
}

function parameterType(ev: Evaluator, { file }: DeclaredSymbol, functionRow: FunctionRow, index: number): ValueSet {
  const { functions, lists, bindings } = file.facts;
  const binding = lists[(functions.parameterStart[functionRow] ?? 0) + index] ?? NONE;
  const type = binding === NONE ? NONE : (bindings.type[binding] ?? NONE);
  return type === NONE ? SET_UNKNOWN : ev.typeOf(file, type);
}

/** NOTHING for functions that give nothing. */
function resultOf(ev: Evaluator, { file }: DeclaredSymbol, functionRow: FunctionRow): ValueSet {
  const type = file.facts.functions.returnType[functionRow] ?? NONE;
  return type === NONE ? NOTHING : ev.typeOf(file, type);
}

/** Equal types have equal numbers; function types and anonymous structs are told apart by kind alone; unknowns, and type parameters of the interface, fit anything. */
function areAlike(ev: Evaluator, left: ValueSet, right: ValueSet, depth: number): boolean {
  if (left === right) return true;
  const { values } = ev;
  const [one, ...ones] = values.members(left);
  const [other, ...others] = values.members(right);
  if (one === undefined || other === undefined) return false;
  if (ones.length > 0 || others.length > 0 || isUnknown(ev, one) || isUnknown(ev, other) || values.kindOf(other) === VALUE.typeParameter) return true;
  const kind = values.kindOf(one);
  if (kind !== values.kindOf(other)) return false;
  if (kind === VALUE.functionType || kind === VALUE.objectType) return true;
  if (values.subject(one) !== values.subject(other)) return false;
  const given = values.args(one);
  const wanted = values.args(other);
  if (depth >= MAX_DEPTH || given.length !== wanted.length) return given.length === wanted.length;
  return given.every((set, index) => areAlike(ev, set, wanted[index] ?? SET_UNKNOWN, depth + 1));
}

function isUnknown(ev: Evaluator, value: Value): boolean {
  const kind = ev.values.kindOf(value);
  return kind === VALUE.unknown || kind === VALUE.weak;
}
