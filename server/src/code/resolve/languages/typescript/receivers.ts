/** What `this` is in functions that stand in no class: methods of object literals, of prototypes, functions that make objects. */
import { NONE, operatorCode } from '../../../../model/facts';
import { symbolKindCode } from '../../../../model/nodes';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import { NOTHING, SELF, VALUE } from '../../values';

/** A function that sets fields on `this` is a class of the old kind. */
export function receiverOfFunction(ev: Evaluator, file: FileState, functionRow: number, symbol: number): number {
  const { values } = ev;
  const kind = file.facts.symbols.kind[symbol];
  const object = kind === symbolKindCode.method || kind === symbolKindCode.property ? file.objectOfFunction(functionRow) : NONE;
  if (object !== NONE) return values.single(values.object(file.id, object));
  const assigned = file.assignmentsTo(symbol)[0];
  if (assigned !== undefined) return prototypeOwner(ev, file, assigned);
  return file.isConstructorFunction(symbol) ? values.single(values.instance(file.symbolNodes[symbol] ?? 0, SELF)) : NOTHING;
}

/** `X.prototype.m = function …`: an instance of X; `X.m = function …`: X itself. */
function prototypeOwner(ev: Evaluator, file: FileState, assignment: number): number {
  const target = file.facts.assignments.target[assignment] ?? NONE;
  const { expressions } = file.facts;
  const isPrototype = expressions.operator[target] === operatorCode.member && file.text(expressions.text[target] ?? 0) === 'prototype';
  if (!isPrototype) return ev.valueOf(file, target);
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(ev.valueOf(file, expressions.a[target] ?? NONE))) {
    const kind = values.kindOf(value);
    if (kind === VALUE.function || kind === VALUE.class) answer = values.union(answer, values.single(values.instance(values.node(value), SELF)));
  }
  return answer;
}
