/** Types of one name that take different numbers of type arguments: uses name them with the number (``List`1``), declarations do not. */
import { NO_TEXT, NONE, type ScopeRow, type SymbolRow, symbolRow } from '../../../../model/facts';
import { AS_TYPE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { findMembers } from '../../evaluate/members';
import { outsideName } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, type ValueSet } from '../../values';

export interface GenericName {
  readonly text: string;
  readonly arity: number;
}

export function genericName(text: string): GenericName | undefined {
  const tick = text.indexOf('`');
  return tick < 0 ? undefined : { text: text.slice(0, tick), arity: Number(text.slice(tick + 1)) };
}

const PARTIAL = /^(?:\w+\s+)*partial\s/;
const PARTIAL_TYPES = new WeakMap<FileState, ReadonlySet<number>>();

/** Symbols of a file that are declared `partial`. */
function partialTypes(file: FileState): ReadonlySet<number> {
  let known = PARTIAL_TYPES.get(file);
  if (known === undefined) {
    const { symbols } = file.facts;
    const found = new Set<SymbolRow>();
    for (let row = symbolRow(0); row < symbols.count; row++)
      if (file.isContainer(row) && PARTIAL.test(file.text(symbols.signature[row] ?? NO_TEXT))) found.add(row);
    known = found;
    PARTIAL_TYPES.set(file, known);
  }
  return known;
}

/** Partial declarations of one name with the same number of type parameters are one type. */
export function arePartsOfOne(left: FileState, row: SymbolRow, right: FileState, other: SymbolRow): boolean {
  return partialTypes(left).has(row) && partialTypes(right).has(other) && arityOf(left, row) === arityOf(right, other);
}

/** Number of type parameters of a declared type. */
export function arityOf(file: FileState, row: SymbolRow): number {
  const scope = file.facts.symbols.scope[row] ?? NONE;
  return scope === NONE ? 0 : file.typeParametersOf(scope).length;
}

export function arityOfEntry({ file, binding }: PackageEntry): number {
  const symbol = file.facts.bindings.symbol[binding] ?? NONE;
  return symbol === NONE ? 0 : arityOf(file, symbol);
}

/** A generic type that no namespace in sight has: nested in a type around, or outside the project. */
export function genericType(ev: Evaluator, file: FileState, from: ScopeRow, { text, arity }: GenericName, mode: Mode): ValueSet {
  const { scopes } = file.facts;
  const name = ev.nameOf(text);
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    const owner = file.isClassScope(scope) ? (scopes.symbol[scope] ?? NONE) : NONE;
    if (owner === NONE) continue;
    const hits = findMembers(ev, ev.canonical(file, owner), name, file.rules, AS_TYPE).filter(hit => arityOf(hit.file, hit.row) === arity);
    if (hits.length > 0) return hits.reduce((set, hit) => ev.values.union(set, ev.symbol(hit.file, hit.row, mode)), NOTHING);
  }
  return outsideName(ev, file, text, mode, false);
}
