/** Implicit receivers beside the types around: companions, and what a lambda with a receiver is applied to. */
import { NONE, operatorCode } from '../../../../model/facts';
import { expectedFunctions } from '../../evaluate/context';
import type { Evaluator } from '../../evaluate/evaluator';
import { receiverAt } from '../../evaluate/expressions';
import { environmentOf, substitute } from '../../evaluate/generics';
import { operands } from '../../evaluate/operands';
import type { FileState } from '../../fileState';
import { NOTHING, VALUE } from '../../values';
import { companionOf } from './members';

/** Values whose members bare names in a scope reach, nearest first. */
export function receiversAround(ev: Evaluator, file: FileState, scope: number): number {
  const { scopes, functions } = file.facts;
  const { values } = ev;
  if (file.isClassScope(scope)) {
    const owner = scopes.symbol[scope] ?? NONE;
    if (owner === NONE) return NOTHING;
    let answer = NOTHING;
    for (const link of ev.hierarchy(file.symbolNodes[owner] ?? -1)) {
      const companion = companionOf(ev, link.node);
      if (companion >= 0) answer = values.union(answer, values.single(values.value(VALUE.class, companion)));
    }
    return answer;
  }
  const row = scopes.function[scope] ?? NONE;
  if (row === NONE || (functions.symbol[row] ?? NONE) !== NONE) return NOTHING;
  return receiverOfLambda(ev, file, row);
}

/** `x.apply { … }`, `x.run { … }`, `with(x) { … }`, and lambdas given where `A.() -> B` is asked for. */
function receiverOfLambda(ev: Evaluator, file: FileState, row: number): number {
  const { expressions } = file.facts;
  const { values } = ev;
  const lambda = file.expressionOfFunction(row);
  if (lambda === NONE) return NOTHING;
  const call = file.parentOf(lambda, operands);
  if (call !== NONE && expressions.operator[call] === operatorCode.call) {
    const callee = expressions.a[call] ?? NONE;
    const text = callee === NONE ? '' : file.text(expressions.text[callee] ?? 0);
    if (expressions.operator[callee] === operatorCode.member && (text === 'apply' || text === 'run')) return ev.valueOf(file, expressions.a[callee] ?? NONE);
    if (expressions.operator[callee] === operatorCode.name && text === 'apply') return receiverAt(ev, file, expressions.a[callee] ?? NONE);
    const first = file.facts.lists[expressions.listStart[call] ?? 0] ?? NONE;
    if (text === 'with' && expressions.operator[callee] === operatorCode.name && first !== lambda) return ev.valueOf(file, first);
  }
  let answer = NOTHING;
  for (const expected of values.members(expectedFunctions(ev, file, row))) {
    const owner = values.kindOf(expected) === VALUE.functionType ? ev.project.file(values.a(expected)) : undefined;
    if (owner === undefined) continue;
    const type = values.b(expected);
    if (owner.text(owner.facts.expressions.text[type] ?? 0) !== 'receiver') continue;
    const receiver = ev.typeOf(owner, owner.facts.lists[owner.facts.expressions.listStart[type] ?? 0] ?? NONE);
    answer = values.union(answer, substitute(ev, receiver, environmentOf(ev, expected)));
  }
  return answer;
}
