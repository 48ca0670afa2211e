import type { FileWalk } from '../../walk/fileWalk';
import type { FieldName, KindName } from './phpGrammar';

export type PhpFile = FileWalk<KindName, FieldName>;

/** What the statements of one function body share. */
export interface Body {
  /** Row of `functions`. */
  readonly row: number;
  readonly returns: number[];
  readonly yields: number[];
  /** Decision points; shared with anonymous functions inside. */
  readonly decisions: { count: number };
}

/** What the members of one class-like declaration share. */
export interface ClassBody {
  readonly symbol: number;
  readonly scope: number;
  readonly isTest: boolean;
  /** Symbols of properties by name with its `$`. */
  readonly fields: Map<string, number>;
}

/** Where a piece of code stands. Replaced, never changed: a guard gives the statements after it a frame of their own. */
export interface Frame {
  /** Scope that names are looked up in. */
  readonly scope: number;
  /** Scope that variables bind in. */
  readonly home: number;
  /** Scope of the namespace around: functions and classes bind in it and see it alone. */
  readonly outer: number;
  /** Scope of the global variables of the file. */
  readonly globals: number;
  /** Namespace in force, '' for the global one. */
  readonly namespace: string;
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: number;
  readonly body: Body | undefined;
  readonly class: ClassBody | undefined;
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: PhpFile;
  /** Global variables that have a symbol, by name. */
  readonly variables: Map<string, number>;
  /** Expression row of a node; writes the uses inside it. */
  value(node: number, frame: Frame): number;
  /** The same without a read of the outermost name: for what is called, thrown or assigned to. */
  quiet(node: number, frame: Frame): number;
  /** Runs one statement, or the statements of a block; the frame after them. */
  run(node: number, frame: Frame): Frame;
}

export type ValueHandler = (walk: Walk, node: number, frame: Frame) => number;
export type StatementHandler = (walk: Walk, node: number, frame: Frame) => Frame | undefined;

/** Visits the expressions inside a node that has no meaning of its own. */
export function visitParts(walk: Walk, node: number, frame: Frame): void {
  for (const child of walk.file.children(node)) walk.value(child, frame);
}
