/** Extensions for receivers that the project does not declare, or that are not known: found by what a file imports and by its package. */
import { MODULE_SCOPE, NO_TEXT, NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../../model/ids';
import { namedSymbols } from '../../evaluate/declared/symbols';
import type { Evaluator } from '../../evaluate/evaluator';
import { findName } from '../../evaluate/packages/names';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';

/**
 * An extension that a file sees under the name: one whose receiver is spelled like the outside type of the value; for a value that is not known,
 * the only one there is.
 */
export function visibleExtension(ev: Evaluator, file: FileState, receivers: ValueSet, name: NameNumber): ValueSet {
  const { values } = ev;
  ev.dependencies.consult(ev.dependencies.bearers(name));
  if (ev.packages.outside(name).length === 0) return NOTHING;
  const seen = namedSymbols(ev, file, findName(ev, file, MODULE_SCOPE, name).found).filter(
    symbol => (symbol.file.facts.symbols.receiver[symbol.row] ?? NONE) !== NONE,
  );
  if (seen.length === 0) return NOTHING;
  const spelled = new Set(values.members(receivers).map(value => (values.kindOf(value) === VALUE.external ? lastName(ev, value) : '')));
  const fitting = seen.filter(symbol => {
    const receiver = symbol.file.facts.symbols.receiver[symbol.row] ?? NONE;
    return spelled.has(symbol.file.text(symbol.file.facts.expressions.text[receiver] ?? NO_TEXT));
  });
  const [chosen, other] = fitting.length > 0 ? fitting : seen;
  if (chosen === undefined || (other !== undefined && fitting.length === 0)) return NOTHING;
  return values.single(values.functionOf(chosen.file.symbolNodes[chosen.row] ?? NO_NODE));
}

function lastName(ev: Evaluator, value: Value): string {
  const text = ev.project.names.text(ev.values.name(value));
  return text.slice(text.lastIndexOf('.') + 1);
}
