/** Members that are declared for types from outside or in other types, seen from the place that takes them. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NONE, operatorCode } from '../../../../model/facts';
import { NO_NODE } from '../../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import { SET_EXTERNAL, VALUE, type ValueSet } from '../../values';
import { AS_VALUE, type DeclaredSymbol, type Evaluator } from '../evaluator';

/** True for what is called right there. */
export function isCallee(file: FileState, row: ExpressionRow): boolean {
  const { expressions } = file.facts;
  const parent = file.parentOf(row);
  return parent !== NONE && expressions.operator[parent] === operatorCode.call && operandOf.callee(expressions, parent) === row;
}

/** Without the extensions that other files keep to themselves. */
export function withoutHidden(ev: Evaluator, file: FileState, found: ValueSet): ValueSet {
  const { values } = ev;
  const all = values.members(found);
  const seen = all.filter(value => {
    const owner = values.kindOf(value) === VALUE.function ? ev.project.ownerOf(values.node(value)) : undefined;
    if (owner === undefined || owner === file) return true;
    const { symbols } = owner.facts;
    const row = ev.project.rowOf(values.node(value));
    return (symbols.receiver[row] ?? NONE) === NONE || ((symbols.modifiers[row] ?? 0) & MODIFIERS.private) === 0;
  });
  if (seen.length === all.length) return found;
  return seen.length === 0 ? SET_EXTERNAL : values.setOf(seen);
}

/** What an extension is: a function, or what its property holds. */
export function extensionValue(ev: Evaluator, { file, row }: DeclaredSymbol): ValueSet {
  const isProperty = file.facts.symbols.kind[row] === symbolKindCode.property;
  return isProperty ? ev.symbol(file, row, AS_VALUE) : ev.values.single(ev.values.functionOf(file.symbolNodes[row] ?? NO_NODE));
}
