import type { Branded, ColumnOf } from '../base/branded';
import type { Interner } from '../base/interner';
import type { WorkspacePath } from '../base/path';

/**
 * Stable id of a node, the same after every rebuild:
 * a file is its workspace path; a symbol is `path::Container::member`, `#2`, `#3`… for further declarations of the same name in source order;
 * every other kind is `prefix::rest`.
 */
export type StableId = string;

/**
 * Small integer for a stable id in this process: of a file, a symbol, an external target or a node of a layer above. Valid in every later view of the same process,
 * where its node may have died. Columns hold them as plain numbers; `nodeHandle` says that one is.
 */
export type NodeHandle = Branded<'NodeHandle'>;

/** Marks a number as a handle. Only for code that gives out handles, or reads them back from stored columns. */
export function nodeHandle(value: number): NodeHandle {
  return value as NodeHandle;
}

/** Where a column has no row, and for what is reached from nowhere. */
export const NO_NODE = nodeHandle(-1);

/** Handles in a column; -1 stands for none. */
export type NodeColumn = ColumnOf<NodeHandle>;

/** Marks an array of numbers as handles. Only for code that fills such columns. */
export function nodeColumn(handles: Int32Array): NodeColumn {
  return handles as NodeColumn;
}

/** Stable ids of a project, with their handles. */
export type NodeIds = Interner<NodeHandle>;

/** Between the parts of an ID. */
export const SEPARATOR = '::';

/** `path::Container::member`. */
export function symbolId(path: WorkspacePath, qualifiedName: readonly string[]): StableId {
  return [path, ...qualifiedName].join(SEPARATOR);
}

/** Part before the first separator: the path for files and symbols, the kind prefix for the rest. */
export function headOf(id: StableId): string {
  const at = id.indexOf(SEPARATOR);
  return at < 0 ? id : id.slice(0, at);
}

/** Last segment of an id without its `#n`. */
export function shortNameOf(id: StableId): string {
  const at = id.lastIndexOf(SEPARATOR);
  return (at < 0 ? id.slice(id.lastIndexOf('/') + 1) : id.slice(at + SEPARATOR.length)).replace(/#\d+$/, '');
}

/** `external::name`. */
export function externalId(name: string): StableId {
  return `external${SEPARATOR}${name}`;
}
