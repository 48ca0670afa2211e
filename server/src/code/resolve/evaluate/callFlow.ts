import { operandOf } from '../../../model/expressions';
import { type BindingRow, type ExpressionRow, NO_TEXT, NONE, operatorCode } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { MODIFIERS } from '../../../model/nodes';
import { type CallSite, type DecoratorOf, flowsFromCalls } from '../callSites';
import type { FileState } from '../fileState';
import type { NameNumber } from '../numbers';
import { NOTHING, SET_WEAK, VALUE, type ValueSet } from '../values';
import type { Evaluator } from './evaluator';
import { returnOf } from './generics';

/**
 * What a parameter without type and default gets from the calls of its function: the values of the arguments that the project's own calls give,
 * marked as weak, since others may call it too. Calls are found by name and kept when their callee is the function.
 */
export function parameterFromCalls(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const asked = flowsFromCalls(file) ? askedParameter(ev, file, row) : undefined;
  if (asked === undefined) return NOTHING;
  ev.dependencies.consult(ev.dependencies.bearers(ev.callSites.keyOf(asked.calledAs)));
  let answer = NOTHING;
  for (const site of ev.callSites.of(asked.calledAs, asked.kind === VALUE.class)) answer = ev.values.union(answer, givenAt(ev, site, asked));
  return answer === NOTHING ? NOTHING : ev.values.union(answer, SET_WEAK);
}

/** A parameter and how its function is called. */
interface AskedParameter {
  readonly name: string;
  /** Among the arguments of a call. */
  readonly position: number;
  /** Name that calls of the function show. */
  readonly calledAs: NameNumber;
  /** Kind and node of the callee's value. */
  readonly kind: number;
  readonly node: NodeHandle;
}

function askedParameter(ev: Evaluator, file: FileState, row: BindingRow): AskedParameter | undefined {
  const { bindings, functions, symbols } = file.facts;
  const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
  if (symbol === NONE) return undefined;
  const parent = symbols.parent[symbol] ?? NONE;
  const isMember = parent !== NONE && file.isContainer(parent);
  const isConstructor = isMember && file.text(symbols.name[symbol] ?? NO_TEXT) === file.rules.constructorName;
  const takesSelf = isMember && file.rules.explicitSelf === true && ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.static) === 0;
  const position = (bindings.position[row] ?? NONE) - (takesSelf ? 1 : 0);
  if (position < 0) return undefined;
  return {
    name: file.text(bindings.name[row] ?? NO_TEXT),
    position,
    calledAs: file.name((isConstructor ? symbols.name[parent] : symbols.name[symbol]) ?? NO_TEXT),
    kind: isConstructor ? VALUE.class : VALUE.function,
    node: isConstructor ? ev.canonical(file, parent) : (file.symbolNodes[symbol] ?? NO_NODE),
  };
}

/** What a call gives for the parameter; NOTHING when it is a call of something else. */
function givenAt(ev: Evaluator, site: CallSite, asked: AskedParameter): ValueSet {
  if (site.isDecorator) return asked.position === 0 ? decorated(ev, site, asked) : NOTHING;
  const argument = argumentAt(site.file, site.row, asked.position, asked.name);
  if (argument === NONE) return NOTHING;
  const callee = ev.valueOf(site.file, operandOf.callee(site.file.facts.expressions, site.row));
  return isMeant(ev, callee, asked) ? telling(ev, ev.valueOf(site.file, argument)) : NOTHING;
}

/** Whether what is called is the function or class asked about. Numbers of other kinds of values are no nodes. */
function isMeant({ values }: Evaluator, callee: ValueSet, asked: AskedParameter): boolean {
  return values.members(callee).some(value => values.kindOf(value) === asked.kind && values.subject(value) === asked.node);
}

/** What a decorator is called with: the symbol below it, when it is the function asked about. */
function decorated(ev: Evaluator, site: DecoratorOf, asked: AskedParameter): ValueSet {
  const { references, expressions } = site.file.facts;
  const expression = references.expression[site.row] ?? NONE;
  const owner = references.owner[site.row] ?? NONE;
  if (owner === NONE || expression === NONE || expressions.operator[expression] === operatorCode.call) return NOTHING;
  if (!isMeant(ev, ev.valueOf(site.file, expression), asked)) return NOTHING;
  const below = site.file.decoratorsOf(owner);
  let given = ev.values.single(ev.values.functionOf(site.file.symbolNodes[owner] ?? NO_NODE));
  for (let at = below.length - 1; at > below.indexOf(expression); at--) {
    const made = telling(ev, resultsOf(ev, ev.valueOf(site.file, below[at] ?? NONE)));
    if (made !== NOTHING) given = made;
  }
  return given;
}

function resultsOf(ev: Evaluator, callees: ValueSet): ValueSet {
  return ev.values.members(callees).reduce((set, value) => ev.values.union(set, returnOf(ev, value)), NOTHING);
}

/** Row of the argument at a position or given by name, or `NONE`. */
function argumentAt(file: FileState, call: number, position: number, name: string): ExpressionRow {
  const { expressions, lists } = file.facts;
  const start = expressions.listStart[call] ?? 0;
  const count = expressions.listCount[call] ?? 0;
  for (let i = 0; i < count; i++) {
    const argument = lists[start + i] ?? NONE;
    const isSpread = argument !== NONE && expressions.operator[argument] === operatorCode.spread;
    if (isSpread && file.text(expressions.text[argument] ?? NO_TEXT) === `${name}=`) return argument;
    if (isSpread && !file.text(expressions.text[argument] ?? NO_TEXT).endsWith('=')) return NONE;
    if (!isSpread && i === position) return argument;
  }
  return NONE;
}

/** Values that lead somewhere in the project. */
function telling(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  return values.setOf(values.members(set).filter(value => TELLING.has(values.kindOf(value)) || values.argsId(value) !== 0));
}

const TELLING: ReadonlySet<number> = new Set([VALUE.function, VALUE.lambda, VALUE.class, VALUE.instance, VALUE.object, VALUE.module]);
