/** Where calling a value goes: functions, constructors, what makes objects callable. */

import { MAX_CONFIDENCE } from '../../../model/evidence';
import { operandOf } from '../../../model/expressions';
import { NONE } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import type { Arguments, Evaluator } from '../evaluate/evaluator';
import { superclassOf } from '../evaluate/hierarchy';
import { BESIDE_WHOLE } from '../evaluate/imports';
import { findMember } from '../evaluate/members';
import { selectedOverload } from '../evaluate/packages/overloads';
import { type NameNumber, NO_NAME } from '../numbers';
import { OPEN_CLASS, VALUE, type Value } from '../values';
import type { Target } from './reached';

/** Name of the method that calling an instance calls, -1 where there is none. */
function callNameOf(ev: Evaluator, instance: Value): NameNumber {
  const name = ev.project.ownerOf(ev.values.node(instance))?.rules.callName;
  return name === undefined ? NO_NAME : ev.nameOf(name);
}

export function callTarget(ev: Evaluator, value: Value, args?: Arguments): Target | 'external' | 'open' | undefined {
  const { values } = ev;
  switch (values.kindOf(value)) {
    case VALUE.function:
      return { node: definedNode(ev, values.node(value)), relation: 'CALLS' };
    case VALUE.class:
      return {
        node: values.node(value),
        relation: ev.project.ownerOf(values.node(value))?.rules.callsConvert === true ? 'USES_TYPE' : 'INSTANTIATES',
        ...(values.mark(value) === OPEN_CLASS ? { atMost: MAX_CONFIDENCE.anySubclass } : {}),
      };
    case VALUE.instance: {
      const name = callNameOf(ev, value);
      const hit = name < 0 ? undefined : findMember(ev, values.node(value), name)[0];
      return hit === undefined ? 'open' : { node: definedNode(ev, hit.file.symbolNodes[hit.row] ?? NO_NODE), relation: 'CALLS' };
    }
    case VALUE.super:
      return superConstructor(ev, value, args);
    case VALUE.builtin:
    case VALUE.builtinClass:
    case VALUE.external:
      return 'external';
    case VALUE.builtinMethod:
      return values.callsReceiver(value) ? callTarget(ev, values.receiver(value)) : 'external';
    case VALUE.functionType:
      return declaredFunction(ev, value);
    case VALUE.lambda:
      return undefined;
    case VALUE.module:
      return values.mark(value) === BESIDE_WHOLE ? undefined : 'open';
    default:
      return 'open';
  }
}

/** Node of the definition behind a declaration. */
export function definedNode(ev: Evaluator, node: NodeHandle): NodeHandle {
  const owner = ev.project.ownerOf(node);
  return owner === undefined ? node : (ev.hooks(owner).definition?.(ev, node) ?? node);
}

/** A method written inside an object type has a symbol; a plain function type has none. */
function declaredFunction(ev: Evaluator, value: Value): Target | 'open' {
  const file = ev.project.file(ev.values.file(value));
  const spelled = file === undefined || ev.values.isResultOnly(value) ? NONE : operandOf.declared(file.facts.expressions, ev.values.row(value));
  const symbol = file === undefined || spelled < 0 ? NONE : (file.facts.functions.symbol[spelled] ?? NONE);
  return file === undefined || symbol === NONE ? 'open' : { node: file.symbolNodes[symbol] ?? NO_NODE, relation: 'CALLS' };
}

/** `super(…)`: the constructor of the nearest base that has one, else the base itself. */
function superConstructor(ev: Evaluator, value: Value, args?: Arguments): Target | 'external' | 'open' {
  const { values } = ev;
  const node = values.node(value);
  const rules = ev.project.ownerOf(node)?.rules;
  if (rules === undefined) return 'external';
  if (rules.functionalInterfaces === true) return baseConstructor(ev, node, rules.constructorName, args);
  const constructor = findMember(ev, node, ev.nameOf(rules.constructorName), 1)[0];
  const base = ev.hierarchy(node)[1];
  if (base === undefined) return 'external';
  if (constructor !== undefined) return { node: constructor.file.symbolNodes[constructor.row] ?? base.node, relation: 'CALLS' };
  return { node: base.node, relation: 'CALLS' };
}

/** The same where interfaces are among the bases: the constructor of the one class extended, chosen by its arguments. */
function baseConstructor(ev: Evaluator, node: NodeHandle, constructorName: string, args: Arguments | undefined): Target | 'external' {
  const base = superclassOf(ev, node);
  if (base < 0) return 'external';
  const own = ev.project.ownerOf(base);
  const row = own?.membersNamed(ev.project.rowOf(base), ev.nameOf(constructorName))[0];
  if (own === undefined || row === undefined) return { node: base, relation: 'CALLS' };
  const first = ev.values.functionOf(own.symbolNodes[row] ?? base, ev.values.instance(base));
  return { node: ev.values.node(args === undefined ? first : selectedOverload(ev, first, args)), relation: 'CALLS' };
}
