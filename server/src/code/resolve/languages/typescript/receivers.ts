/** What `this` is in functions that stand in no class: methods of object literals, of prototypes, functions that make objects. */
import { operandOf } from '../../../../model/expressions';
import { type AssignmentRow, type ExpressionRow, type FunctionRow, NO_TEXT, NONE, operatorCode, type SymbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../../model/ids';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import { NOTHING, SELF, VALUE, type ValueSet } from '../../values';
import { outsidePrototype } from './values';

/** A function that sets fields on `this` is a class of the old kind. */
export function receiverOfFunction(ev: Evaluator, file: FileState, functionRow: FunctionRow, symbol: SymbolRow): ValueSet {
  const { values } = ev;
  const object = file.objectOfFunction(functionRow);
  if (object !== NONE) return definedOn(ev, file, object) ?? values.single(values.object(file.id, object));
  const assigned = file.assignmentsTo(symbol)[0];
  if (assigned !== undefined) return prototypeOwner(ev, file, assigned);
  if (file.isConstructorFunction(symbol)) return values.single(values.instance(file.symbolNodes[symbol] ?? NO_NODE, SELF));
  return definedOn(ev, file, file.expressionOfFunction(functionRow)) ?? NOTHING;
}

/** Calls that give an object a member: the object, the name, what the member is. */
const DEFINES = /getter|setter|property|method/i;

/** `defineGetter(object, 'name', function () { this })`, `Object.defineProperty(object, 'name', { get() { this } })`: the object that is given the member. */
export function definedOn(ev: Evaluator, file: FileState, row: ExpressionRow): ValueSet | undefined {
  const { expressions, lists } = file.facts;
  const call = row === NONE ? NONE : file.parentOf(row);
  if (call === NONE || expressions.operator[call] !== operatorCode.call || (expressions.listCount[call] ?? 0) < 3) return undefined;
  const start = expressions.listStart[call] ?? 0;
  const named = lists[start + 1] ?? NONE;
  const callee = operandOf.callee(expressions, call);
  const name = callee === NONE ? '' : file.text(expressions.text[callee] ?? NO_TEXT);
  if (lists[start + 2] !== row || expressions.operator[named] !== operatorCode.literal || !DEFINES.test(name)) return undefined;
  return ev.valueOf(file, lists[start] ?? NONE);
}

/** `X.prototype.m = function …`: an instance of X; `X.m = function …`, `X[m] = function …`: X itself. */
function prototypeOwner(ev: Evaluator, file: FileState, assignment: AssignmentRow): ValueSet {
  const target = file.facts.assignments.target[assignment] ?? NONE;
  const { expressions } = file.facts;
  const isPrototype = expressions.operator[target] === operatorCode.member && file.text(expressions.text[target] ?? NO_TEXT) === 'prototype';
  if (!isPrototype) return ev.valueOf(file, expressions.operator[target] === operatorCode.index ? operandOf.receiver(expressions, target) : target);
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(ev.valueOf(file, operandOf.receiver(expressions, target)))) {
    const kind = values.kindOf(value);
    if (kind === VALUE.function || kind === VALUE.class) answer = values.union(answer, values.single(values.instance(values.node(value), SELF)));
  }
  return answer === NOTHING ? outsidePrototype(ev, file, target) : answer;
}
