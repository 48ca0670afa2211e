import { type ExpressionRow, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { FileWalk } from '../../walk/fileWalk';
import type { GeneratorBody } from '../../walk/frames';
import type { FieldName, KindName } from './phpGrammar';

export type PhpFile = FileWalk<KindName, FieldName>;

/** What the members of one class-like declaration share. */
export interface ClassBody {
  readonly symbol: SymbolRow;
  readonly scope: ScopeRow;
  readonly isTest: boolean;
  /** Symbols of properties by name with its `$`. */
  readonly fields: Map<string, SymbolRow>;
}

/** Where a piece of code stands. Replaced, never changed: a guard gives the statements after it a frame of their own. */
export interface Frame {
  /** Scope that names are looked up in. */
  readonly scope: ScopeRow;
  /** Scope that variables bind in. */
  readonly home: ScopeRow;
  /** Scope of the namespace around: functions and classes bind in it and see it alone. */
  readonly outer: ScopeRow;
  /** Scope of the global variables of the file. */
  readonly globals: ScopeRow;
  /** Namespace in force, '' for the global one. */
  readonly namespace: string;
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: SymbolRow;
  readonly body: GeneratorBody | undefined;
  readonly class: ClassBody | undefined;
}

/** `globals`: the scope of the global variables, inside `outer`, that of the file. */
export function fileFrame(outer: ScopeRow, globals: ScopeRow): Frame {
  return { scope: globals, home: globals, outer, globals, namespace: '', owner: NONE, body: undefined, class: undefined };
}

/** What the parts of the extractor ask of each other; one per file. */
export interface Walk {
  readonly file: PhpFile;
  /** Global variables that have a symbol, by name. */
  readonly variables: Map<string, SymbolRow>;
  /** Expression row of a node; writes the uses inside it. */
  value(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** The same without a read of the outermost name: for what is called, thrown or assigned to. */
  quiet(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Visits the expressions inside a node that has no meaning of its own. */
  parts(node: SyntaxNode, frame: Frame): ExpressionRow;
  /** Runs one statement, or the statements of a block; the frame after them. */
  run(node: SyntaxNode, frame: Frame): Frame;
}

export type ValueHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => ExpressionRow;
export type StatementHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => Frame | undefined;
