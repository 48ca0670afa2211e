import type { WorkspacePath } from '../base/path';

/**
 * Stable id of a node, the same after every rebuild:
 * a file is its workspace path; a symbol is `path::Container::member`, `#2`, `#3`… for further declarations of the same name in source order;
 * every other kind is `prefix::rest`.
 */
export type StableId = string;

export const SEPARATOR = '::';

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

export function externalId(name: string): StableId {
  return `external${SEPARATOR}${name}`;
}
