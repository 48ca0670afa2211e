import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, symbolRow } from '../../../model/facts';
import type { Evaluator, Injection } from '../evaluate/evaluator';
import type { FileState } from '../fileState';

/** Methods that a framework runs for the tests of a class because of how they are decorated: the class calls them. */
export function decoratedSetUps(ev: Evaluator, file: FileState, names: ReadonlySet<string>): readonly Injection[] {
  if (!file.isTest) return [];
  const { symbols } = file.facts;
  const found: Injection[] = [];
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const owner = symbols.parent[row] ?? NONE;
    if (owner === NONE || (symbols.function[row] ?? NONE) === NONE) continue;
    if (file.decoratorsOf(row).some(decorator => names.has(decoratorName(file, decorator)))) found.push({ from: owner, node: ev.canonical(file, row) });
  }
  return found;
}

/** Last name of what decorates, called or not; `''` where it has none. */
export function decoratorName(file: FileState, row: ExpressionRow): string {
  const { expressions } = file.facts;
  const at = expressions.operator[row] === operatorCode.call ? operandOf.callee(expressions, row) : row;
  const isNamed = at >= 0 && (expressions.operator[at] === operatorCode.name || expressions.operator[at] === operatorCode.member);
  return isNamed ? file.text(expressions.text[at] ?? NO_TEXT) : '';
}
