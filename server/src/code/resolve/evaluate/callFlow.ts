import { NONE, operatorCode, REFERENCE_KINDS } from '../../../model/facts';
import { MODIFIERS } from '../../../model/nodes';
import { type CallSite, flowsFromCalls } from '../callSites';
import type { FileState } from '../fileState';
import { NOTHING, SET_WEAK, VALUE } from '../values';
import type { Evaluator } from './evaluator';
import { returnOf } from './generics';

const DECORATOR = REFERENCE_KINDS.indexOf('decorator');

/**
 * What a parameter without type and default gets from the calls of its function: the values of the arguments that the project's own calls give,
 * marked as weak, since others may call it too. Calls are found by name and kept when their callee is the function.
 */
export function parameterFromCalls(ev: Evaluator, file: FileState, row: number): number {
  if (!flowsFromCalls(file)) return NOTHING;
  const { bindings, functions, symbols } = file.facts;
  const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
  if (symbol === NONE) return NOTHING;
  const node = file.symbolNodes[symbol] ?? -1;
  const parent = symbols.parent[symbol] ?? NONE;
  const isMember = parent !== NONE && file.isContainer(parent);
  const text = file.text(symbols.name[symbol] ?? 0);
  const isConstructor = isMember && (text === '__init__' || text === 'constructor');
  const takesSelf = isMember && file.family === 'python' && ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.static) === 0;
  const position = (bindings.position[row] ?? NONE) - (takesSelf ? 1 : 0);
  if (position < 0) return NOTHING;
  const name = file.name((isConstructor ? symbols.name[parent] : symbols.name[symbol]) ?? 0);
  ev.dependencies.consult(ev.dependencies.bearers(ev.callSites.keyOf(name)));
  const called = isConstructor ? ev.canonical(file, parent) : node;
  const kind = isConstructor ? VALUE.class : VALUE.function;
  let answer = NOTHING;
  for (const site of ev.callSites.of(name)) {
    if (site.isDecorator) {
      if (position === 0) answer = ev.values.union(answer, decorated(ev, site, called));
      continue;
    }
    const argument = argumentAt(site.file, site.row, position, file.text(bindings.name[row] ?? 0));
    if (argument === NONE) continue;
    const callee = ev.valueOf(site.file, site.file.facts.expressions.a[site.row] ?? NONE);
    if (ev.values.members(callee).some(value => ev.values.kindOf(value) === kind && ev.values.a(value) === called))
      answer = ev.values.union(answer, telling(ev, ev.valueOf(site.file, argument)));
  }
  return answer === NOTHING ? NOTHING : ev.values.union(answer, SET_WEAK);
}

/** What a decorator is called with: the symbol below it, when it is the function asked about. */
function decorated(ev: Evaluator, site: CallSite, called: number): number {
  const { references, expressions } = site.file.facts;
  const expression = references.expression[site.row] ?? NONE;
  const owner = references.owner[site.row] ?? NONE;
  if (owner === NONE || expression === NONE || expressions.operator[expression] === operatorCode.call) return NOTHING;
  const isCalled = ev.values.members(ev.valueOf(site.file, expression)).some(value => ev.values.a(value) === called);
  if (!isCalled) return NOTHING;
  const below = site.file.decoratorsOf(owner, DECORATOR);
  let given = ev.values.single(ev.values.value(VALUE.function, site.file.symbolNodes[owner] ?? 0));
  for (let at = below.length - 1; at > below.indexOf(expression); at--) {
    const made = telling(ev, resultsOf(ev, ev.valueOf(site.file, below[at] ?? NONE)));
    if (made !== NOTHING) given = made;
  }
  return given;
}

function resultsOf(ev: Evaluator, callees: number): number {
  return ev.values.members(callees).reduce((set, value) => ev.values.union(set, returnOf(ev, value)), NOTHING);
}

/** Row of the argument at a position or given by name, or `NONE`. */
function argumentAt(file: FileState, call: number, position: number, name: string): number {
  const { expressions, lists } = file.facts;
  const start = expressions.listStart[call] ?? 0;
  const count = expressions.listCount[call] ?? 0;
  for (let i = 0; i < count; i++) {
    const argument = lists[start + i] ?? NONE;
    const isSpread = argument !== NONE && expressions.operator[argument] === operatorCode.spread;
    if (isSpread && file.text(expressions.text[argument] ?? 0) === `${name}=`) return argument;
    if (isSpread && !file.text(expressions.text[argument] ?? 0).endsWith('=')) return NONE;
    if (!isSpread && i === position) return argument;
  }
  return NONE;
}

/** Values that lead somewhere in the project. */
function telling(ev: Evaluator, set: number): number {
  const { values } = ev;
  return values.setOf(values.members(set).filter(value => TELLING.has(values.kindOf(value)) || values.argsId(value) !== 0));
}

const TELLING: ReadonlySet<number> = new Set([VALUE.function, VALUE.lambda, VALUE.class, VALUE.instance, VALUE.object, VALUE.module]);
