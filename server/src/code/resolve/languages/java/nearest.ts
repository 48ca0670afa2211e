/** Of several declarations of one name: what a bare name means, and which of several types that are called alike. */
import { NO_TEXT, NONE } from '../../../../model/facts';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import type { PackageEntry } from '../../packages/packageEntries';

/** A bare name means no extension when there is something else. */
export function nearestEntries(ev: Evaluator, file: FileState, entries: readonly PackageEntry[]): readonly PackageEntry[] {
  const plain = entries.filter(entry => symbolCell(entry, 'receiver') === NONE);
  return seenEntries(ev, file, plain.length > 0 ? plain : entries);
}

/**
 * Several build modules may have packages of one name, and declare the same in them. Functions are overloads, but one that the file's own module declares
 * alike hides those of others. Of types (the same class in two modules, in main and in test sources) the one of the file itself goes first, then those
 * whose folders have most in common with it.
 */
export function seenEntries(_ev: Evaluator, file: FileState, entries: readonly PackageEntry[]): readonly PackageEntry[] {
  if (entries.length < 2) return entries;
  if (entries.some(entry => symbolCell(entry, 'function') !== NONE)) {
    const module = moduleOf(file);
    const own = new Set(entries.filter(entry => moduleOf(entry.file) === module).map(signatureOf));
    return own.size === 0 ? entries : entries.filter(entry => moduleOf(entry.file) === module || !own.has(signatureOf(entry)));
  }
  const shared = entries.map(entry => (entry.file === file ? Number.MAX_SAFE_INTEGER : foldersInCommon(entry.file.path, file.path)));
  const most = Math.max(...shared);
  return entries.filter((_, index) => shared[index] === most);
}

/** Folder of a build module: what Maven and Gradle have around `src`. */
function moduleOf({ path }: FileState): string {
  const at = `/${path}`.indexOf('/src/');
  return at < 0 ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : path.slice(0, at);
}

/** What tells overloads apart: the type they extend, and how many parameters they have. */
function signatureOf(entry: PackageEntry): string {
  const { expressions, functions } = entry.file.facts;
  const [row, receiver] = [symbolCell(entry, 'function'), symbolCell(entry, 'receiver')];
  const extended = receiver === NONE ? '' : entry.file.text(expressions.text[receiver] ?? NO_TEXT);
  return `${extended} ${row === NONE ? '' : (functions.parameterCount[row] ?? 0)}`;
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
