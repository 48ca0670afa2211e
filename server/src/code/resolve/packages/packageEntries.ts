import type { BindingRow, SomeRow, SymbolRow } from '../../../model/facts';
import type { FileState } from '../fileState';
import type { NameNumber } from '../numbers';

/** A binding row of a module or namespace scope. */
export interface PackageEntry {
  readonly file: FileState;
  readonly binding: BindingRow;
}

/** A symbol or heritage row that names the type it belongs to. */
export interface OutsideEntry<Row extends SomeRow = SymbolRow> {
  readonly file: FileState;
  readonly row: Row;
}

/** Takes an entry into a list in order of paths, or out of it. */
export function changeList<Entry extends { readonly file: FileState }>(
  lists: Map<NameNumber, Entry[]>,
  key: NameNumber,
  sign: 1 | -1,
  isRow: (entry: Entry) => boolean,
  entry: Entry,
): void {
  const list = lists.get(key) ?? [];
  if (sign > 0) {
    let at = list.length;
    while (at > 0 && (list[at - 1]?.file.path ?? '') > entry.file.path) at--;
    list.splice(at, 0, entry);
  } else {
    const at = list.findIndex(other => other.file.path === entry.file.path && isRow(other));
    if (at >= 0) list.splice(at, 1);
  }
  if (list.length === 0) lists.delete(key);
  else lists.set(key, list);
}
