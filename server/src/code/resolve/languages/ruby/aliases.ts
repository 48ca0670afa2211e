/** Methods under another name (`alias new old`, `alias_method :new, :old`): calling one runs the method that had the old name when it was said. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, type SymbolRow } from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import { UNKNOWN_VALUE, VALUE } from '../../values';

/** Node of the method behind an alias; `undefined` for methods of their own. */
export function aliasedMethod(ev: Evaluator, node: NodeHandle): NodeHandle | undefined {
  const file = ev.project.ownerOf(node);
  const row = file === undefined ? NONE : ev.project.rowOf(node);
  const callee = file === undefined || row < 0 ? NONE : calleeOfAlias(file, row);
  if (file === undefined || callee === NONE) return undefined;
  const parent = file.facts.symbols.parent[row] ?? NONE;
  const own = file.membersNamed(parent, file.name(file.facts.expressions.text[callee] ?? NO_TEXT));
  const before = own.filter(member => member < row).at(-1);
  if (before !== undefined) return file.symbolNodes[before];
  const inherited = ev.values.members(ev.valueOf(file, callee)).filter(value => ev.values.kindOf(value) === VALUE.function);
  const found = inherited.length === 1 ? ev.values.node(inherited[0] ?? UNKNOWN_VALUE) : undefined;
  // What replaces the old method later is not what the alias stands for.
  return found === undefined || own.some(member => file.symbolNodes[member] === found) ? undefined : found;
}

/** What an alias returns is written as a call of the old method: the row of what that calls. */
function calleeOfAlias({ facts }: FileState, row: SymbolRow): ExpressionRow {
  const { expressions, functions, lists, strings, symbols } = facts;
  if (!/^alias(?:_method)?\b/.test(strings[symbols.signature[row] ?? NO_TEXT] ?? '')) return NONE;
  const own = symbols.function[row] ?? NONE;
  const call = own === NONE ? NONE : (lists[functions.returnStart[own] ?? 0] ?? NONE);
  return call < 0 ? NONE : operandOf.callee(expressions, call);
}
