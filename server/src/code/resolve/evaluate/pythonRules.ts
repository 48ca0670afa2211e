import { NONE, REFERENCE_KINDS } from '../../../model/facts';
import type { FileState } from '../fileState';
import { NOTHING, VALUE } from '../values';
import { resultOf } from './calls';
import type { Evaluator } from './evaluator';
import { findMember } from './members';
import { functionRowOf } from './operands';

const DECORATOR = REFERENCE_KINDS.indexOf('decorator');

/**
 * Receivers of a member in Python: a function whose decorators make an object of it stands for that object (`@command() def cli()`, then `cli.main()`).
 * The outermost decorator that gives instances of project classes decides; without one the function stays a function.
 */
export function withDecoratorsApplied(ev: Evaluator, receivers: number): number {
  const { values } = ev;
  const members = values.members(receivers);
  if (!members.some(value => values.kindOf(value) === VALUE.function)) return receivers;
  return members.reduce((set, value) => {
    const made = values.kindOf(value) === VALUE.function ? objectsMade(ev, values.a(value)) : NOTHING;
    return values.union(set, made === NOTHING ? values.single(value) : made);
  }, NOTHING);
}

function objectsMade(ev: Evaluator, node: number): number {
  const { values } = ev;
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  ev.dependencies.consult(ev.unitOfSymbol(file, ev.project.rowOf(node)));
  for (const expression of file.decoratorsOf(ev.project.rowOf(node), DECORATOR)) {
    const made = resultOf(ev, ev.valueOf(file, expression), { file, row: expression, rows: [] });
    const objects = values.members(made).filter(value => values.kindOf(value) === VALUE.instance);
    if (objects.length > 0) return values.setOf(objects);
  }
  return NOTHING;
}

/**
 * Type that a parameter without one gets from the method that its method overrides: the parameter of the same place and name, where that one says
 * its type. An overriding method takes what the overridden one takes.
 */
export function parameterFromBase(ev: Evaluator, file: FileState, row: number): number {
  if (file.family !== 'python') return NOTHING;
  const { bindings, functions, symbols } = file.facts;
  const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
  const parent = symbol === NONE ? NONE : (symbols.parent[symbol] ?? NONE);
  const position = bindings.position[row] ?? NONE;
  if (parent === NONE || position < 1 || !file.isContainer(parent)) return NOTHING;
  const name = file.name(symbols.name[symbol] ?? 0);
  const hit = findMember(ev, ev.canonical(file, parent), name, 1)[0];
  const functionRow = hit === undefined ? NONE : functionRowOf(hit.file, hit.row);
  if (hit === undefined || functionRow === NONE) return NOTHING;
  const base = hit.file.facts;
  if (position >= (base.functions.parameterCount[functionRow] ?? 0)) return NOTHING;
  const declared = base.lists[(base.functions.parameterStart[functionRow] ?? 0) + position] ?? NONE;
  if (declared === NONE || hit.file.text(base.bindings.name[declared] ?? 0) !== file.text(bindings.name[row] ?? 0)) return NOTHING;
  const type = base.bindings.type[declared] ?? NONE;
  return type === NONE ? NOTHING : ev.typeOf(hit.file, type);
}
