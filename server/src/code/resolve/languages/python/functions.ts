import { type BindingRow, NO_TEXT, NONE } from '../../../../model/facts';
import type { Evaluator } from '../../evaluate/evaluator';
import { findMember } from '../../evaluate/members';
import { functionRowOf } from '../../evaluate/operands';
import type { FileState } from '../../fileState';
import { NOTHING, type ValueSet } from '../../values';

/**
 * Type that a parameter without one gets from the method that its method overrides: the parameter of the same place and name, where that one says
 * its type. An overriding method takes what the overridden one takes.
 */
export function parameterFromBase(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const { bindings, functions, symbols } = file.facts;
  const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
  const parent = symbol === NONE ? NONE : (symbols.parent[symbol] ?? NONE);
  const position = bindings.position[row] ?? NONE;
  if (parent === NONE || position < 1 || !file.isContainer(parent)) return NOTHING;
  const name = file.name(symbols.name[symbol] ?? NO_TEXT);
  const hit = findMember(ev, ev.canonical(file, parent), name, 1)[0];
  const functionRow = hit === undefined ? NONE : functionRowOf(hit.file, hit.row);
  if (hit === undefined || functionRow === NONE) return NOTHING;
  const base = hit.file.facts;
  if (position >= (base.functions.parameterCount[functionRow] ?? 0)) return NOTHING;
  const declared = base.lists[(base.functions.parameterStart[functionRow] ?? 0) + position] ?? NONE;
  if (declared === NONE || hit.file.text(base.bindings.name[declared] ?? NO_TEXT) !== file.text(bindings.name[row] ?? NO_TEXT)) return NOTHING;
  const type = base.bindings.type[declared] ?? NONE;
  return type === NONE ? NOTHING : ev.typeOf(hit.file, type);
}
