import type { WorkspacePath } from '../base/path';
import type { StableId } from '../model/ids';

/** A symbol that may implement an entity, or a method that may implement a procedure. */
export interface TypeSymbol {
  readonly id: StableId;
  readonly name: string;
  readonly path: WorkspacePath;
  /** Names of the types that it says it extends or implements. */
  readonly bases: readonly string[];
  readonly methods: readonly { readonly id: StableId; readonly name: string; readonly line: number }[];
}

/** What is asked of the graph of the code. */
export interface CodeReader {
  /** Imports between files, each pair once with the number of its sites. */
  imports(): Iterable<{ readonly source: WorkspacePath; readonly target: WorkspacePath; readonly count: number }>;
  /** Classes, interfaces, types and structs, tests left out. */
  types(): readonly TypeSymbol[];
  /** Functions and methods that call one, with the paths of their files; tests left out. */
  callersOf(id: StableId): readonly { readonly id: StableId; readonly path: WorkspacePath }[];
  /** Paths of files that use a type. */
  usersOf(id: StableId): readonly WorkspacePath[];
}
