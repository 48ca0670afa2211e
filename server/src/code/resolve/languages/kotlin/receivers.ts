/** Implicit receivers beside the types around: companions, and what a lambda with a receiver is applied to. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, type FunctionRow, NO_TEXT, NONE, operatorCode, type ScopeRow } from '../../../../model/facts';
import { NO_NODE } from '../../../../model/ids';
import { expectedFunctions } from '../../evaluate/context';
import type { Evaluator } from '../../evaluate/evaluator';
import { receiverAt } from '../../evaluate/expressions';
import { environmentOf, substitute } from '../../evaluate/generics';
import type { FileState } from '../../fileState';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';
import { companionOf } from './members';

/** Values whose members bare names in a scope reach, nearest first. */
export function receiversAround(ev: Evaluator, file: FileState, scope: ScopeRow): ValueSet {
  const { scopes, functions } = file.facts;
  const { values } = ev;
  if (file.isClassScope(scope)) {
    const owner = scopes.symbol[scope] ?? NONE;
    if (owner === NONE) return NOTHING;
    let answer = NOTHING;
    for (const link of ev.hierarchy(file.symbolNodes[owner] ?? NO_NODE)) {
      const companion = companionOf(ev, link.node);
      if (companion >= 0) answer = values.union(answer, values.single(values.classOf(companion)));
    }
    return answer;
  }
  const row = scopes.function[scope] ?? NONE;
  if (row === NONE || (functions.symbol[row] ?? NONE) !== NONE) return NOTHING;
  return receiverOfLambda(ev, file, row);
}

/** `x.apply { … }`, `x.run { … }`, `with(x) { … }`, and lambdas given where `A.() -> B` is asked for. */
function receiverOfLambda(ev: Evaluator, file: FileState, row: FunctionRow): ValueSet {
  const lambda = file.expressionOfFunction(row);
  if (lambda === NONE) return NOTHING;
  const scoped = scopeFunctionReceiver(ev, file, lambda);
  if (scoped !== undefined) return scoped;
  const { values } = ev;
  let answer = NOTHING;
  for (const expected of values.members(expectedFunctions(ev, file, row))) {
    const owner = values.kindOf(expected) === VALUE.functionType ? ev.project.file(values.file(expected)) : undefined;
    if (owner !== undefined) answer = values.union(answer, receiverOfType(ev, owner, expected));
  }
  return answer;
}

/** Receiver of the lambda of a scope function; `undefined` for other lambdas. */
function scopeFunctionReceiver(ev: Evaluator, file: FileState, lambda: ExpressionRow): ValueSet | undefined {
  const { expressions, lists } = file.facts;
  const call = file.parentOf(lambda);
  if (call === NONE || expressions.operator[call] !== operatorCode.call) return undefined;
  const callee = operandOf.callee(expressions, call);
  const text = callee === NONE ? '' : file.text(expressions.text[callee] ?? NO_TEXT);
  if (expressions.operator[callee] === operatorCode.member)
    return text === 'apply' || text === 'run' ? ev.valueOf(file, operandOf.receiver(expressions, callee)) : undefined;
  if (expressions.operator[callee] !== operatorCode.name) return undefined;
  if (text === 'apply') return receiverAt(ev, file, operandOf.scope(expressions, callee));
  const first = lists[expressions.listStart[call] ?? 0] ?? NONE;
  return text === 'with' && first !== lambda ? ev.valueOf(file, first) : undefined;
}

function receiverOfType(ev: Evaluator, owner: FileState, expected: Value): ValueSet {
  const { expressions, lists } = owner.facts;
  const type = ev.values.row(expected);
  if (owner.text(expressions.text[type] ?? NO_TEXT) !== 'receiver') return NOTHING;
  return substitute(ev, ev.typeOf(owner, lists[expressions.listStart[type] ?? 0] ?? NONE), environmentOf(ev, expected));
}
