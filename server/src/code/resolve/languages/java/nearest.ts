/** Of several declarations of one name: what a bare name means, and which of several types that are called alike. */
import { NONE } from '../../../../model/facts';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import type { PackageEntry } from '../../packageIndex';

/**
 * A bare name means no extension when there is something else. Functions are overloads; of types (the same class in two modules, in main and in
 * test sources) the one of the file itself goes first, then those whose folders have most in common with it.
 */
export function nearestEntries(_ev: Evaluator, file: FileState, entries: readonly PackageEntry[]): readonly PackageEntry[] {
  const plain = entries.filter(entry => symbolCell(entry, 'receiver') === NONE);
  const own = plain.length > 0 ? plain : entries;
  if (own.length < 2 || own.some(entry => symbolCell(entry, 'function') !== NONE)) return own;
  const shared = own.map(entry => (entry.file === file ? Number.MAX_SAFE_INTEGER : foldersInCommon(entry.file.path, file.path)));
  const most = Math.max(...shared);
  return own.filter((_, index) => shared[index] === most);
}

function symbolCell(entry: PackageEntry, column: 'receiver' | 'function'): number {
  const { bindings, symbols } = entry.file.facts;
  const symbol = bindings.symbol[entry.binding] ?? NONE;
  return symbol === NONE ? NONE : (symbols[column][symbol] ?? NONE);
}

function foldersInCommon(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  let count = 0;
  while (count < a.length - 1 && count < b.length - 1 && a[count] === b[count]) count++;
  return count;
}
