/** Methods of project types that operators and other syntax run without naming them. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import type { LanguageTraits } from '../../languages/languageTraits';
import type { NameNumber } from '../../numbers';
import { VALUE, type Value } from '../../values';
import type { DeclaredSymbol, Evaluator } from '../evaluator';
import { findMember } from '../members';
import { outsideMembersOfValue } from './openTypes';
import { scoreOf } from './overloads';

/** A method and the operand that it is found on. */
export interface OperatorMethod extends DeclaredSymbol {
  readonly receiver: Value;
}

/** Methods that an `operation` runs: of what the left operand may be, else of what the right one may be where operators are declared for either. Of overloads those that fit best. */
export function operatorMethods(ev: Evaluator, file: FileState, row: ExpressionRow): readonly OperatorMethod[] {
  const { expressions } = file.facts;
  const left = operandOf.inner(expressions, row);
  const right = operandOf.other(expressions, row);
  const method = file.rules.operatorMethod?.(file.text(expressions.text[row] ?? NO_TEXT), right === NONE);
  if (method === undefined) return [];
  const sides = file.rules.eitherOperand === true && right !== NONE ? [left, right] : [left];
  const { values } = ev;
  const isInstance = (value: Value): boolean => values.kindOf(value) === VALUE.instance;
  // What the project declares for a type from outside is meant where the other operand is of the project.
  const isTold = right !== NONE && file.rules.implementsTraits === true && values.members(ev.valueOf(file, right)).some(isInstance);
  for (const side of sides) {
    const found = values
      .members(ev.valueOf(file, side))
      .filter(receiver => isTold || isInstance(receiver))
      .flatMap(receiver => fitting(ev, file, row, implicitMembers(ev, file.rules, receiver, ev.nameOf(method))).map(symbol => ({ ...symbol, receiver })));
    if (found.length > 0) return found;
  }
  return [];
}

/** Members of one name that syntax may run on a value: where traits are implemented for types, those of the traits alone. */
export function implicitMembers(ev: Evaluator, rules: LanguageTraits, value: Value, name: NameNumber): readonly DeclaredSymbol[] {
  const { values } = ev;
  const kind = values.kindOf(value);
  if (rules.implementsTraits !== true) return kind === VALUE.instance ? findMember(ev, values.node(value), name) : [];
  if (kind === VALUE.instance) return findMember(ev, values.node(value), name, 0, isOfTrait);
  return kind === VALUE.builtin || kind === VALUE.external ? outsideMembersOfValue(ev, value, name).filter(({ file, row }) => isOfTrait(file, row)) : [];
}

function isOfTrait(file: FileState, row: DeclaredSymbol['row']): boolean {
  return ((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.override) !== 0;
}

/** Those that fit the operands best; several where the operands do not tell. A static operator takes both operands, others the right one. */
function fitting(ev: Evaluator, file: FileState, row: ExpressionRow, found: readonly DeclaredSymbol[]): readonly DeclaredSymbol[] {
  const { expressions } = file.facts;
  const [left, right] = [operandOf.inner(expressions, row), operandOf.other(expressions, row)];
  const scored = found.map(symbol => {
    const isStatic = ((symbol.file.facts.symbols.modifiers[symbol.row] ?? 0) & MODIFIERS.static) !== 0;
    const rows = (isStatic ? [left, right] : [right]).filter(each => each !== NONE);
    return { symbol, score: scoreOf(ev, symbol, { file, row, rows }) };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  return scored.filter(({ score }) => score >= 0 && score === best).map(({ symbol }) => symbol);
}
