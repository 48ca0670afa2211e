/** Extensions for receivers that the project does not declare, or that are not known: found by what a file imports and by its package. */
import { MODULE_SCOPE, NO_TEXT, NONE, type SymbolRow } from '../../../../model/facts';
import { namedSymbols } from '../../evaluate/declared/symbols';
import type { DeclaredSymbol, Evaluator, SoughtExtension } from '../../evaluate/evaluator';
import { isMethodHit } from '../../evaluate/members';
import { findName } from '../../evaluate/packages/names';
import type { FileState } from '../../fileState';
import { isCommonName } from '../../guesses';
import { VALUE, type Value } from '../../values';
import { kotlinBuiltins } from './builtins';

/**
 * An extension that a file sees under the name, also one that stands in a type of the file: one whose receiver is spelled like the outside type of the
 * value; for a value that is not known, the only one there is.
 */
export function visibleExtension(ev: Evaluator, file: FileState, { receivers, name, isCalled }: SoughtExtension): DeclaredSymbol | undefined {
  const { values } = ev;
  ev.dependencies.consult(ev.dependencies.bearers(name));
  if (ev.packages.outside(name).length === 0) return undefined;
  const all = [
    ...namedSymbols(ev, file, findName(ev, file, MODULE_SCOPE, name).found).filter(symbol => (symbol.file.facts.symbols.receiver[symbol.row] ?? NONE) !== NONE),
    ...ev.packages.outside(name).filter(symbol => symbol.file === file && isOfType(file, symbol.row)),
  ];
  const alike = all.filter(symbol => isMethodHit(symbol) === isCalled);
  const seen = alike.length > 0 ? alike : all;
  if (seen.length === 0) return undefined;
  const spelled = new Set(values.members(receivers).map(value => (values.kindOf(value) === VALUE.external ? lastName(ev, value) : '')));
  const fitting = seen.filter(symbol => {
    const receiver = symbol.file.facts.symbols.receiver[symbol.row] ?? NONE;
    return spelled.has(symbol.file.text(symbol.file.facts.expressions.text[receiver] ?? NO_TEXT));
  });
  const [chosen, other] = fitting.length > 0 ? fitting : seen;
  if (chosen === undefined || (other !== undefined && (fitting.length === 0 || isOfType(chosen.file, chosen.row)))) return undefined;
  if (fitting.length === 0 && isOfType(chosen.file, chosen.row) && isOfLibrary(ev.project.names.text(name))) return undefined;
  return chosen;
}

/** True for an extension that stands in a type. */
function isOfType(file: FileState, row: SymbolRow): boolean {
  return !file.isPackageScope(file.scopeDeclaring(row));
}

/** True for a name that values of the library's types bear too. */
function isOfLibrary(text: string): boolean {
  return isCommonName(text) || LIBRARY_TYPES.some(type => kotlinBuiltins.type(type)?.members.has(text) === true);
}

const LIBRARY_TYPES = ['Any', 'Scope', 'String', 'List', 'Set', 'Map', 'Sequence', 'Iterable'];

function lastName(ev: Evaluator, value: Value): string {
  const text = ev.project.names.text(ev.values.name(value));
  return text.slice(text.lastIndexOf('.') + 1);
}
