/** Extensions for receivers that the project does not declare, or that are not known: found by what a file imports and by its package. */
import { NONE } from '../../../../model/facts';
import { namedSymbols } from '../../evaluate/declarations';
import type { Evaluator } from '../../evaluate/evaluator';
import { findName } from '../../evaluate/packages/names';
import type { FileState } from '../../fileState';
import { NOTHING, VALUE } from '../../values';

/**
 * An extension that a file sees under the name: one whose receiver is spelled like the outside type of the value; for a value that is not known,
 * the only one there is.
 */
export function visibleExtension(ev: Evaluator, file: FileState, receivers: number, name: number): number {
  const { values } = ev;
  ev.dependencies.consult(ev.dependencies.bearers(name));
  if (ev.packages.outside(name).length === 0) return NOTHING;
  const seen = namedSymbols(ev, file, findName(ev, file, 0, name).found).filter(symbol => (symbol.file.facts.symbols.receiver[symbol.row] ?? NONE) !== NONE);
  if (seen.length === 0) return NOTHING;
  const spelled = new Set(values.members(receivers).map(value => (values.kindOf(value) === VALUE.external ? lastName(ev, value) : '')));
  const fitting = seen.filter(symbol => {
    const receiver = symbol.file.facts.symbols.receiver[symbol.row] ?? NONE;
    return spelled.has(symbol.file.text(symbol.file.facts.expressions.text[receiver] ?? 0));
  });
  const [chosen, other] = fitting.length > 0 ? fitting : seen;
  if (chosen === undefined || (other !== undefined && fitting.length === 0)) return NOTHING;
  return values.single(values.functionOf(chosen.file.symbolNodes[chosen.row] ?? 0));
}

function lastName(ev: Evaluator, value: number): string {
  const text = ev.project.names.text(ev.values.name(value));
  return text.slice(text.lastIndexOf('.') + 1);
}
