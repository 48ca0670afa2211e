/** What the small integers of the resolver stand for. All are valid in one process only. */
import type { Branded } from '../../base/branded';

/** A name, by its number in `Project.names`. */
export type NameNumber = Branded<'NameNumber'>;
/** A file, by the number of its path in `Project`. */
export type FileNumber = Branded<'FileNumber'>;
/** A package or namespace: a name, too, of its own kind (`PackageIndex`). */
export type PackageNumber = Branded<'PackageNumber' | 'NameNumber'>;
/** What an answer may rest on, by its number in `Dependencies`. */
export type DependencyKey = Branded<'DependencyKey'>;

export const NO_NAME = -1 as NameNumber;
export const NO_FILE = -1 as FileNumber;
export const NO_PACKAGE = -1 as PackageNumber;
export const NO_KEY = -1 as DependencyKey;

export function nameNumber(value: number): NameNumber {
  return value as NameNumber;
}

export function fileNumber(value: number): FileNumber {
  return value as FileNumber;
}

export function packageNumber(value: number): PackageNumber {
  return value as PackageNumber;
}

export function dependencyKey(value: number): DependencyKey {
  return value as DependencyKey;
}
